// Finds what an encrypted page loads unencrypted. Only the page itself shows that.

export interface Insecure {
  url: string;
  type: string;
}

export async function insecureResourcesOf(tabId: number, documentId: string, most: number): Promise<Insecure[]> {
  const target = { tabId, documentIds: [documentId] };
  const [answer] = await chrome.scripting.executeScript({ target, func: look, args: [most], injectImmediately: true });
  return answer?.result ?? [];
}

/** Runs in our own world of the page. It is sent there as text, so it cannot refer to anything outside itself. */
function look(most: number): Insecure[] {
  // The elements that load something by themselves. Their addresses are taken as the page writes them: browsers may
  // upgrade some to https, and block others silently.
  const loading =
    'script[src], img[src], link[rel~="stylesheet" i][href], iframe[src], video[src], audio[src], source[src], object[data]';
  const found = new Map<string, string>();
  for (const element of document.querySelectorAll(loading)) {
    const address = ['src', 'href', 'data'].map((name) => element.getAttribute(name)).find((value) => value);
    if (address && /^\s*http:/i.test(address)) found.set(address.trim(), element.localName);
  }
  for (const entry of performance.getEntriesByType('resource') as PerformanceResourceTiming[]) {
    if (entry.name.startsWith('http:') && !found.has(entry.name)) found.set(entry.name, entry.initiatorType);
  }
  return Array.from(found, ([url, type]) => ({ url, type })).slice(0, most);
}
