import { expect, test, vi } from 'vitest';
import { type Execute, runAudit } from '../src/background/queries/audit';
import { contrast, nearestReadable } from '../src/inspect/audit/contrast';
import { redactHtml } from '../src/inspect/audit/redact-html';
import { byImpact, oneLine, selectorOf, wcagOf } from '../src/inspect/audit/report';

test.each([
  ['#aaaaaa', '#ffffff', 4.5, '#767676'],
  ['#777777', '#ffffff', 4.5, '#767676'],
  ['#aaaaaa', '#ffffff', 3, '#949494'],
  ['#333333', '#000000', 4.5, '#757575'],
  ['#ff0000', '#ffffff', 4.5, '#ee0000'],
])('%s on %s with %d:1 becomes %s', (foreground, background, ratio, expected) => {
  const found = nearestReadable(foreground, background, ratio);
  expect(found).toBe(expected);
  expect(contrast(found as string, background)).toBeGreaterThanOrEqual(ratio);
});

test('where no colour has enough contrast, none is suggested', () => {
  expect(nearestReadable('#777777', '#808080', 7)).toBeUndefined();
  expect(nearestReadable('transparent', '#808080', 7)).toBeUndefined();
});

test('secrets are removed from markup, even if it was cut', () => {
  const redacted = (html: string) => redactHtml(html, ['hunter2', 'a "quoted" one']);
  expect(redacted('<input value="hunter2" data-copy="hunter2" name="x">')).toBe(
    '<input value="[redacted]" data-copy="[redacted]" name="x">',
  );
  expect(redacted('<input value="hunt...">')).toBe('<input value="[redacted]">');
  expect(redacted('<input value="a &quot;quoted&quot; one">')).toBe('<input value="[redacted]">');
  expect(redacted('<textarea id="n">hunter2</textarea>')).toBe('<textarea id="n">[redacted]</textarea>');
  expect(redacted('<input value="" name="hunting">')).toBe('<input value="" name="hunting">');
});

test('tags become levels and criteria', () => {
  expect(wcagOf(['cat.color', 'wcag2aa', 'wcag143', 'TTv5', 'EN-9.1.4.3'])).toEqual(['wcag2aa', '1.4.3']);
  expect(wcagOf(['wcag21aa', 'wcag1412', 'best-practice'])).toEqual(['wcag21aa', '1.4.12']);
});

test('summaries are one line, selectors one path, and the worst violation comes first', () => {
  expect(oneLine('Fix any of the following:\n  One\n  Two\n\nFix all of the following:\n  Three')).toBe(
    'One; Two; Three',
  );
  expect(selectorOf(['#frame', ['#host', 'p']])).toBe('#frame >>> #host >>> p');
  const rules = (['minor', null, 'critical', 'moderate', 'serious'] as const).map((impact) => ({ impact }));
  expect(byImpact(rules).map(({ impact }) => impact)).toEqual(['critical', 'serious', 'moderate', 'minor', null]);
});

/** A page whose frame 1 contains frame 2. Frame 3 cannot be audited. */
function page(answers: Partial<Record<string, unknown>> = {}) {
  const calls: string[] = [];
  const execute: Execute = async (_, frames, name, args) => {
    if (frames === 'all') {
      return ['/', '/0', '/0/0'].map((value, frameId) => ({ frameId, outcome: { value } }));
    }
    const [frameId] = frames as [number];
    calls.push(`${name} ${frameId}`);
    const key = `${name} ${frameId}`;
    if (key in answers) return [{ frameId, outcome: (await answers[key]) as { value: unknown } }];
    const inner = (...paths: string[]) => paths.map((path) => ({ path, context: {} }));
    const value = {
      'start 0': { frames: inner('/0', '/1') },
      'runFrame 1': { frames: inner('/0/0'), partial: 'one' },
      'runFrame 2': { frames: [], partial: 'two' },
      'finish 0': { inner: args[0] },
    }[key];
    return [{ frameId, outcome: { value } }];
  };
  return { calls, execute };
}

test('frames are visited depth first, and frames without an answer are counted', async () => {
  const { calls, execute } = page();
  expect(await runAudit(1, {}, execute)).toEqual({
    inner: ['one', 'two', null],
    partial: '1 frame(s) could not be audited.',
  });
  expect(calls).toEqual(['start 0', 'runFrame 1', 'runFrame 2', 'finish 0']);
});

test('errors of the page become errors of the audit', async () => {
  const { execute } = page({ 'start 0': { error: { name: 'InvalidTags', message: 'No rule' } } });
  await expect(runAudit(1, {}, execute)).rejects.toMatchObject({ name: 'InvalidTags', message: 'No rule' });
});

test('a frame that fails is left out, one that hangs ends the audit', async () => {
  const failing = page({ 'runFrame 1': { error: { name: 'Error', message: 'axe' } } });
  expect(await runAudit(1, {}, failing.execute)).toMatchObject({ inner: [null, null] });
  vi.useFakeTimers();
  try {
    const hanging = page({ 'runFrame 1': new Promise(() => {}) });
    const audit = expect(runAudit(1, {}, hanging.execute, 5_000)).rejects.toMatchObject({
      name: 'Timeout',
      message: expect.stringContaining('5 s; 1 frame(s) were done'),
    });
    await vi.advanceTimersByTimeAsync(5_000);
    await audit;
  } finally {
    vi.useRealTimers();
  }
});

test('only one audit runs in a tab at a time', async () => {
  const { calls, execute } = page();
  await Promise.all([runAudit(1, {}, execute), runAudit(1, {}, execute)]);
  const round = ['start 0', 'runFrame 1', 'runFrame 2', 'finish 0'];
  expect(calls).toEqual([...round, ...round]);
});
