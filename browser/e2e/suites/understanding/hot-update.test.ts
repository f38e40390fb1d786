// A file is edited on disk while the page runs: each error says whether it came before or after that edit.

import type { Answer } from '../../support/agent';
import { expect, test } from '../../support/test';
import { App } from '../../support/vite';

test('errors are new, still there or gone since the last hot update', async ({ page, agent, eventually }) => {
  const app = await App.start('react');
  try {
    await page.goto(app.url());
    const counter = page.getByRole('button', { name: 'count' });
    await expect(counter).toBeVisible();
    // An error that is unrelated to the edits, and happens again after each.
    const other = () => page.evaluate(() => void setTimeout(() => Promise.reject(new Error('a beacon was lost'))));
    await other();
    await labels(eventually, { 'a beacon was lost': undefined });

    app.edit('src/App.jsx', 'setCount(count + 1)', 'setCount(count.value.next)');
    const broken = (answer: Answer) => answer.errors[0]?.since_update !== undefined;
    await eventually('get_browser_errors', {}, broken);
    await counter.click();
    await other();
    const answer = await labels(eventually, { "reading 'next'": 'new', 'a beacon was lost': 'still there' });
    expect(answer.last_update).toMatchObject({ kind: 'hot_update', by: 'vite', modules: ['src/App.jsx'] });
    await eventually('diagnose', {}, ({ because }) => because?.join().includes('its file changed'));
    const diagnosis = await agent.call('diagnose', { error_id: errorOf(answer, "reading 'next'")?.id });
    expect(diagnosis.error.code).toContain('setCount(count.value.next)');
    expect(diagnosis.changed).toMatch(/^new since hot update by vite: src\/App\.jsx, \d+ s before$/);

    app.edit('src/App.jsx', 'setCount(count.value.next)', 'setCount(count + 1)');
    await labels(eventually, { "reading 'next'": 'gone' });
    await counter.click();
    await expect(counter).toHaveText(/count [1-9]/);
    await other();
    await labels(eventually, { "reading 'next'": 'gone', 'a beacon was lost': 'still there' });

    // The same for a full reload.
    await page.reload();
    await other();
    const reloaded = await labels(eventually, { "reading 'next'": 'gone', 'a beacon was lost': 'still there' });
    await eventually('get_browser_errors', {}, ({ last_update }) => last_update?.kind === 'reload');
    expect(reloaded.errors).toHaveLength(2);
  } finally {
    await app.close();
  }
});

type Eventually = (tool: string, args: Record<string, unknown>, fits: (answer: Answer) => boolean) => Promise<Answer>;

function labels(eventually: Eventually, expected: Record<string, string | undefined>): Promise<Answer> {
  return eventually('get_browser_errors', {}, (answer) =>
    Object.entries(expected).every(([message, label]) => {
      const error = errorOf(answer, message);
      return error !== undefined && error.since_update === label;
    }),
  );
}

function errorOf(answer: Answer, message: string): Answer | undefined {
  return answer.errors.find((error: Answer) => error.message.includes(message));
}
