// What a model reads about an error of an application: the line of its source, and the components in which it happened.
// Each application fails in six ways, in development and as built for production.

import type { Answer } from '../../support/agent';
import { explained } from '../../support/explained';
import { expect, test } from '../../support/test';
import { App, type AppName } from '../../support/vite';

const WAYS = ['handler', 'effect', 'promise', 'timer', 'chunk', 'render'] as const;
type Way = (typeof WAYS)[number];

/** The component that fails; the others are the same for all. */
const LEAVES: Record<Way, string[]> = {
  handler: [],
  effect: ['History'],
  promise: [],
  timer: [],
  chunk: ['Chart'],
  // Thrown before it is mounted.
  render: ['Broken'],
};

const EXTENSIONS: Record<AppName, string> = { react: 'jsx', vue: 'vue', svelte: 'svelte' };

for (const name of ['react', 'vue', 'svelte'] as const) {
  for (const kind of ['developed', 'built'] as const) {
    test(`errors of a ${name} application name their component, ${kind}`, async ({ page, gasoline, agent }) => {
      test.setTimeout(600_000);
      const app = await open(name, kind);
      for (const way of WAYS) {
        const fail = async () => {
          await page.goto(app.url(kind === 'built' ? '/index.html' : '/'));
          await page.getByRole('button', { name: way }).click();
        };
        // Svelte leaves no trace of its components in a production build; there the server has only the stack.
        const traceless = name === 'svelte' && kind === 'built';
        const isComplete = ({ sourceSnippets, componentAncestry }: Answer) =>
          sourceSnippets && (traceless || (componentAncestry && !componentAncestry.from));
        const answer = await explained({ gasoline, agent }, fail, (answer) => isComplete(contextOf(answer, way)));
        const { sourceSnippets, componentAncestry, summary } = contextOf(answer, way);
        const file = `src/${[...LEAVES[way], 'Details'][0]}.${EXTENSIONS[name]}`;
        expect(sourceSnippets[0].file, way).toBe(file);
        const line = sourceSnippets[0].snippet.find((line: Answer) => line.isError);
        expect(line.line).toBe(sourceSnippets[0].line);
        expect(line.text, way).toMatch(new RegExp(`throw new Error\\(.${way} failed`));
        expect(summary).toContain(`${file}:${line.line}`);
        if (traceless) continue;
        expect(componentAncestry.framework).toBe(name);
        const names = componentAncestry.components.map((component: Answer) => component.name);
        expect(names, way).toEqual(['App', 'Panel', 'Details', ...LEAVES[way]]);
        expect(componentAncestry.components.some((component: Answer) => 'at' in component)).toBe(false);
      }
      await app.close();
    });
  }
}

function open(name: AppName, kind: 'developed' | 'built'): Promise<App> {
  return kind === 'developed' ? App.start(name, `failing-${name}`) : App.build(name, `failing-${name}`);
}

function contextOf(answer: Answer, way: Way): Answer {
  const error = answer.errors.find((error: Answer) => error.message.includes(`${way} failed`));
  return error?._aiContext ?? {};
}
