// Older versions of React that are still in use keep their trees in other ways, and remove them at other times.

import type { Answer } from '../../support/agent';
import { bundle } from '../../support/bundle';
import { explained } from '../../support/explained';
import { Site } from '../../support/site';
import { expect, test } from '../../support/test';

const LEAVES = { handler: [], effect: ['History'], promise: [], timer: [], chunk: ['Chart'], render: ['Broken'] };

const RENDER = {
  16: "import { render } from 'react-dom'; render(<App theme='dark' />, document.getElementById('app'));",
  17: "import { render } from 'react-dom'; render(<App theme='dark' />, document.getElementById('app'));",
  18: "import { createRoot } from 'react-dom/client'; createRoot(document.getElementById('app')).render(<App theme='dark' />);",
};

for (const version of [16, 17, 18] as const) {
  for (const mode of ['development', 'production'] as const) {
    test(`React ${version} in ${mode} names the components of an error`, async ({ page, gasoline, agent }) => {
      const app = await bundle(`import { App } from './failing-react/src/App.jsx'; ${RENDER[version]}`, {
        mode,
        alias: { react: `react${version}`, 'react-dom': `react-dom${version}` },
      });
      const site = await Site.open(app.folder);
      for (const [way, leaves] of Object.entries(LEAVES)) {
        const fail = async () => {
          await page.goto(site.url('/index.html'));
          await page.getByRole('button', { name: way }).click();
        };
        const ancestries = (answer: Answer): Answer[] =>
          answer.errors
            .filter((error: Answer) => error.message.includes(`${way} failed`))
            .map((error: Answer) => error._aiContext?.componentAncestry);
        const answer = await explained({ gasoline, agent }, fail, (answer) => {
          const found = ancestries(answer);
          // A component with a position still waits for the source map that contains its name.
          const isNamed = (ancestry: Answer) => ancestry.components.every((component: Answer) => !component.at);
          return found.length > 0 && found.every((ancestry) => ancestry && !ancestry.from && isNamed(ancestry));
        });
        for (const ancestry of ancestries(answer)) {
          const names = ancestry.components.map((component: Answer) => component.name);
          expect(names, way).toEqual(['App', 'Panel', 'Details', ...leaves]);
          const [, panel, details] = ancestry.components;
          expect(panel).toMatchObject({
            name: 'Panel',
            propKeys: ['title'],
            hasState: true,
            stateKeys: ['open', 'filter'],
          });
          expect(details).toMatchObject({ name: 'Details', propKeys: ['order', 'onClose'], hasState: true });
        }
      }
      await site.close();
      app.remove();
    });
  }
}
