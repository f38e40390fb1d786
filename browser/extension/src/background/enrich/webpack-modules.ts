// In development, webpack puts each module into a string that is evaluated, with its source map and an address of its
// own: `eval("…//# sourceMappingURL=data:…//# sourceURL=webpack-internal:///./src/App.js\n")`.

import { decodeDataUrl } from 'gasoline-capture/source-mapping-url';
import type { Page } from './source-maps';

const SCRIPTS = 20;

export function isWebpackModule(address: string): boolean {
  return address.startsWith('webpack-internal:');
}

/** Finds the module's map in the text of the script that contains it. */
export function mapOfModule(script: string, address: string): string | undefined {
  const mark = `//# sourceURL=${address}`;
  for (let at = script.indexOf(mark); at >= 0; at = script.indexOf(mark, at + 1)) {
    // The name of another module may begin like this one.
    const next = script.charAt(at + mark.length);
    if (next !== '\\' && next !== '"' && next !== '\n' && next !== '') continue;
    const start = script.lastIndexOf('sourceMappingURL=data:', at);
    const data = start < 0 ? '' : script.slice(start + 'sourceMappingURL='.length, at);
    // Only a line end may separate the two.
    const url = /^([^\s\\"]+)(?:\\n|\s)*$/.exec(data)?.[1];
    if (url) return decodeDataUrl(url);
  }
  return undefined;
}

/** The addresses of the scripts of a page. */
export async function scriptsOf({ id, tabId }: Page): Promise<string[]> {
  const target = { tabId, documentIds: [id] };
  const [answer] = await chrome.scripting.executeScript({
    target,
    injectImmediately: true,
    func: () => Array.from(document.querySelectorAll('script[src]'), (script) => (script as HTMLScriptElement).src),
  });
  return (answer?.result ?? []).slice(0, SCRIPTS);
}
