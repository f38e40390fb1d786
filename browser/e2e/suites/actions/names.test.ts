// Compares our accessible names with the full algorithm, on ordinary markup.

import { build } from 'esbuild';
import { expect, test } from '../../support/test';

const MARKUP = `
  <button>Save</button>
  <button aria-label="Close dialog"><svg></svg></button>
  <button><img alt="Delete"> item</button>
  <button><span>Add</span> <b>to cart</b></button>
  <button><span aria-hidden="true">★</span> Rate</button>
  <button title="Only a title"></button>
  <button><span style="display: none">hidden</span>Shown</button>
  <a href="#">Read <em>more</em></a>
  <a href="#"><img src="data:," alt="Home"></a>
  <label for="a">First name</label><input id="a">
  <label>Last name <input></label>
  <label><input type="checkbox"> I agree to the <a href="#">terms</a></label>
  <input aria-label="Search">
  <input placeholder="Type here">
  <input title="By title">
  <span id="ref1">Amount</span><span id="ref2">in EUR</span><input aria-labelledby="ref1 ref2">
  <input type="submit" value="Send now"><input type="submit"><input type="reset"><input type="button" value="Do">
  <input type="image" alt="Go" src="data:,">
  <textarea aria-label="Notes"></textarea>
  <label for="s">Colour</label><select id="s"><option>Red</option><option>Blue</option></select>
  <h1>Welcome <small>back</small></h1>
  <h2>Line<br>break</h2>
  <div role="button">A div button</div>
  <div role="tab"><div>Block</div><div>parts</div></div>
  <img alt="A picture" src="data:,"><img alt="" src="data:,">
  <nav aria-label="Main"></nav>
  <summary>More</summary>
  <div role="checkbox" aria-label="Fancy"></div>
  <fieldset><legend>Address</legend><input aria-label="Street"></fieldset>
  <button>  many   spaces
    and lines </button>
`;

test('accessible names are those of the accessibility tree', async ({ page, site }) => {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { computeAccessibleName } from 'dom-accessibility-api';
        import { accessibleName } from 'gasoline-capture/accessible-name';
        window.names = () => [...document.querySelectorAll('body *:not(svg, br, option, span, em, b, small, p)')].map((element) => ({
          html: element.outerHTML.slice(0, 80), ours: accessibleName(element), theirs: computeAccessibleName(element).replace(/\\s+/g, ' ').trim() }));
      `,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    write: false,
    format: 'iife',
  });
  site.routes.set('/names', (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<!doctype html><title>Names</title><body>${MARKUP}`);
  });
  await page.goto(site.url('/names'));
  await page.addScriptTag({ content: outputFiles[0]?.text ?? '' });
  type Name = { html: string; ours: string; theirs: string };
  const names = await page.evaluate(() => (window as unknown as { names(): Name[] }).names());
  expect(names.length).toBeGreaterThan(40);
  // The library ignores placeholders; browsers and Playwright's locators use them.
  const expected = [{ html: '<input placeholder="Type here">', ours: 'Type here', theirs: '' }];
  expect(names.filter(({ ours, theirs }) => ours !== theirs)).toEqual(expected);
});
