// What only the page itself shows: what it asks for unencrypted, and a policy in its head.

export interface Seen {
  insecure: Array<{ url: string; type: string }>;
  policy: string | null;
}

export async function lookAtPage(tabId: number, documentId: string, most: number): Promise<Seen | undefined> {
  const target = { tabId, documentIds: [documentId] };
  const [answer] = await chrome.scripting.executeScript({ target, func: look, args: [most], injectImmediately: true });
  return answer?.result ?? undefined;
}

/** Runs in the page, in our own world. It is sent there as text, so nothing outside of it can be named in it. */
function look(most: number): Seen {
  // The elements that load something by themselves. As the page writes their addresses: browsers load some over https all
  // the same, and refuse others without a word.
  const loading =
    'script[src], img[src], link[rel~="stylesheet" i][href], iframe[src], video[src], audio[src], source[src], object[data]';
  const found = new Map<string, string>();
  if (location.protocol === 'https:') {
    for (const element of document.querySelectorAll(loading)) {
      const address = ['src', 'href', 'data'].map((name) => element.getAttribute(name)).find((value) => value);
      if (address && /^\s*http:/i.test(address)) found.set(address.trim(), element.localName);
    }
    for (const entry of performance.getEntriesByType('resource') as PerformanceResourceTiming[]) {
      if (entry.name.startsWith('http:') && !found.has(entry.name)) found.set(entry.name, entry.initiatorType);
    }
  }
  return {
    insecure: Array.from(found, ([url, type]) => ({ url, type })).slice(0, most),
    policy: document.querySelector('meta[http-equiv="content-security-policy" i]')?.getAttribute('content') ?? null,
  };
}
