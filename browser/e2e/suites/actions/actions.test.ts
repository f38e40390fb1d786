import type { Page } from '@playwright/test';
import type { Answer } from '../../support/agent';
import { expect, test } from '../../support/test';

const ofType = (answer: Answer, type: string) => answer.actions.filter((action: Answer) => action.type === type);

test('a click has six kinds of selectors for its element', async ({ page, site, eventually }) => {
  await page.goto(site.url());
  await page.click('.submit-btn span');
  await page.click('.row:nth-child(2) a');
  await page.click('#host >> button');
  const answer = await eventually('get_enhanced_actions', {}, (answer) => ofType(answer, 'click').length === 3);
  const [shadow, link, button] = ofType(answer, 'click');
  expect(button.selectors).toEqual({
    testId: 'login-button',
    ariaLabel: 'Log in to your account',
    role: { role: 'button', name: 'Log in to your account' },
    text: 'Log in',
    cssPath: '#login > button.submit-btn',
  });
  expect(button).toMatchObject({
    url: site.url(),
    text: 'Log in',
    position: { x: expect.any(Number), y: expect.any(Number) },
  });
  expect(link.selectors).toMatchObject({ role: { role: 'link', name: 'Open' }, text: 'Open' });
  expect(await page.locator(link.selectors.cssPath).getAttribute('href')).toBe('#two');
  expect(shadow.selectors).toMatchObject({ testId: 'inside', role: { role: 'button', name: 'In the shadow' } });
  expect(ofType(answer, 'navigate')[0]).toMatchObject({ fromUrl: site.url(), toUrl: site.url('/#two') });
});

/** Returns the longest pause between two changes of one field since now. */
async function watchPauses(page: Page): Promise<() => Promise<number>> {
  const pauses = await page.evaluateHandle(() => {
    const pauses = { longest: 0 };
    let last: { target: EventTarget | null; at: number } | undefined;
    const note = ({ target }: Event) => {
      const at = performance.now();
      if (last?.target === target) pauses.longest = Math.max(pauses.longest, at - last.at);
      last = { target, at };
    };
    addEventListener('input', note, true);
    return pauses;
  });
  return () => pauses.evaluate(({ longest }) => longest);
}

/** Types again until no pause was long enough to end an input: a busy machine may cause one. */
async function fluently<T>(page: Page, open: () => Promise<unknown>, type: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    await open();
    const longestPause = await watchPauses(page);
    const result = await type();
    // A pause of half a second ends an input.
    if (attempt === 3 || (await longestPause()) < 400) return result;
  }
}

test('typing is one action with its last value, and secrets stay in the page', async ({
  page,
  site,
  gasoline,
  eventually,
}) => {
  const open = async () => {
    await gasoline.post('/clear');
    await page.goto(site.url());
  };
  const type = async () => {
    await page.locator('#email').pressSequentially('ann@example.com');
    await page.locator('#pw').pressSequentially('hunter2hunter2');
    await page.locator('[name=cardnumber]').pressSequentially('4111 1111 1111 1111');
    await page.locator('#plain').pressSequentially('4242424242424242');
    await page.locator('#note').pressSequentially('plain words');
    await page.locator('#note').press('Escape');
    return eventually('get_enhanced_actions', { last_n: 50 }, (answer) => ofType(answer, 'keypress').length === 1);
  };
  const answer = await fluently(page, open, type);
  const inputs = ofType(answer, 'input').reverse();
  expect(inputs.map((input: Answer) => [input.inputType, input.value])).toEqual([
    ['email', 'ann@example.com'],
    ['password', '[redacted]'],
    ['text', '[redacted]'],
    ['text', '[redacted]'],
    ['textarea', 'plain words'],
  ]);
  expect(inputs[0].selectors).toEqual({
    testId: 'email-input',
    role: { role: 'textbox', name: 'Email address' },
    id: 'email',
    cssPath: '#email',
  });
  expect(inputs[4].selectors.cssPath).toBe('#note');
  const everything = JSON.stringify(await gasoline.get('/snapshot'));
  for (const secret of ['hunter2', '4111', '4242']) expect(everything).not.toContain(secret);
});

test('keys, forms, selections and check boxes are one action each', async ({ page, site, eventually }) => {
  await page.goto(site.url());
  await page.selectOption('#size', 'l');
  await page.click('label:has(#agree)');
  await page.locator('#plain').press('Tab');
  await page.locator('#plain').press('Enter');
  await page.keyboard.press('a');
  const answer = await eventually('get_enhanced_actions', {}, (answer) => ofType(answer, 'submit').length === 1);
  expect(ofType(answer, 'select')[0]).toMatchObject({
    selectedValue: 'l',
    selectedText: 'Large',
    selectors: { id: 'size' },
  });
  expect(ofType(answer, 'click')).toHaveLength(1);
  expect(
    ofType(answer, 'keypress')
      .map((action: Answer) => action.key)
      .sort(),
  ).toEqual(['Enter', 'Tab']);
  expect(ofType(answer, 'submit')[0]).toMatchObject({ formAction: site.url('/login'), method: 'POST' });
});

test('a click on a check box says whether it is checked now', async ({ page, site, eventually }) => {
  await page.goto(site.url());
  await page.check('#agree');
  await page.uncheck('#agree');
  await page.click('.submit-btn span');
  const answer = await eventually('get_enhanced_actions', {}, (answer) => ofType(answer, 'click').length === 3);
  expect(ofType(answer, 'click').map(({ checked }: Answer) => checked)).toEqual([undefined, false, true]);
});

test('scrolling is reported at intervals, route changes always', async ({ page, site, eventually }) => {
  await page.goto(site.url());
  const began = Date.now();
  for (let step = 0; step < 12; step++) {
    await page.mouse.wheel(0, 50);
    await page.waitForTimeout(40);
  }
  const scrolled = await eventually('get_enhanced_actions', {}, (answer) => ofType(answer, 'scroll').length >= 1);
  expect(ofType(scrolled, 'scroll')[0].scrollY).toBeGreaterThan(0);
  await page.evaluate(() => {
    history.pushState({}, '', '/settings?tab=2');
    history.replaceState({}, '', '/settings?tab=3');
  });
  const took = Date.now() - began;
  const all = await eventually('get_enhanced_actions', {}, (answer) => ofType(answer, 'navigate').length === 2);
  expect(ofType(all, 'navigate')[0]).toMatchObject({ toUrl: site.url('/settings?tab=3') });
  // At most once in half a second, however slow this machine was.
  expect(ofType(all, 'scroll').length).toBeLessThanOrEqual(Math.ceil(took / 500) + 1);
});

test('the newest fifty actions are kept', async ({ page, site, eventually }) => {
  await page.goto(site.url());
  for (let index = 0; index < 55; index++) await page.click('h1', { position: { x: 1, y: 1 }, noWaitAfter: true });
  const answer = await eventually(
    'get_enhanced_actions',
    { last_n: 100, max_tokens: 100_000 },
    ({ total }) => total === 50,
  );
  expect(answer.actions).toHaveLength(50);
});

test('a password is in no action, neither after a click on its field nor after it was shown', async ({
  page,
  site,
  gasoline,
  eventually,
}) => {
  site.routes.set('/secret', (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<!doctype html><title>Secret</title>
      <input id="pw" type="password" value="hunter2-typed-before"><button id="show">Show</button>
      <div id="editor" contenteditable></div>
      <script>show.onclick = () => { pw.type = 'text' }</script>`);
  });
  const open = async () => {
    await gasoline.post('/clear');
    await page.goto(site.url('/secret'));
  };
  const type = async () => {
    await page.click('#pw');
    await page.locator('#pw').pressSequentially('-and-more');
    await page.click('#show');
    await page.locator('#pw').pressSequentially('-shown');
    await page.click('#pw');
    await page.locator('#editor').pressSequentially('plain words');
    await page.evaluate(() => console.error('after all that'));
    return eventually(
      'get_enhanced_actions',
      { last_n: 50 },
      (answer) => ofType(answer, 'input').length >= 3 && ofType(answer, 'input')[0].value === 'plain words',
    );
  };
  const answer = await fluently(page, open, type);
  expect(ofType(answer, 'input').map((action: Answer) => action.value)).toEqual([
    'plain words',
    '[redacted]',
    '[redacted]',
  ]);
  await eventually('get_browser_errors', {}, ({ total }) => total === 1);
  const everything = JSON.stringify(await gasoline.get('/snapshot'));
  for (const secret of ['hunter2', 'and-more', 'shown"']) expect(everything).not.toContain(secret);
});

test('typing is reported before the selection that follows it', async ({ page, site, eventually }) => {
  await page.goto(site.url());
  // Without a pause, and without leaving the field, as automation does it.
  await page.locator('#size').evaluate((size: HTMLSelectElement) => {
    document.querySelector<HTMLInputElement>('#email')?.focus();
    document.execCommand('insertText', false, 'ada@example.test');
    size.value = 'l';
    size.dispatchEvent(new Event('change', { bubbles: true }));
  });
  const { actions } = await eventually('get_enhanced_actions', {}, ({ actions }) =>
    ['input', 'select'].every((type) => actions.some((action: Answer) => action.type === type)),
  );
  // The newest first.
  expect(actions.map(({ type }: Answer) => type).filter((type: string) => /input|select/.test(type))).toEqual([
    'select',
    'input',
  ]);
});
