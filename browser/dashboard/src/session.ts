// How the page gets access: it exchanges the key in the link of `gasoline open` for a cookie. The cookie is sent only
// below a folder whose name only this origin knows, because all ports of a host share cookies, but not storage.

const STORED = 'gasoline-folder';
/** The folder without a session. A server that needs no token answers here, too. */
const NOBODY = '/dashboard/-/';

let folder = read() ?? NOBODY;

function read(): string | undefined {
  try {
    const stored = localStorage.getItem(STORED);
    return stored && /^\/dashboard\/[0-9a-f]+\/$/.test(stored) ? stored : undefined;
  } catch {
    return undefined;
  }
}

export class Refused extends Error {}

/** Uses the key in the address, if there is one. Removes it first, so that it does not stay in the history. */
export async function openWithKey(): Promise<void> {
  // The `#` may also name a section.
  const [key] = /(?<=^#)[0-9a-f]{64}$/.exec(location.hash) ?? [];
  if (location.pathname !== '/' || key) history.replaceState(null, '', '/');
  if (!key) return;
  const answer = await fetch('/dashboard/session', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ key }),
  });
  if (!answer.ok) throw new Refused();
  ({ folder } = (await answer.json()) as { folder: string });
  try {
    localStorage.setItem(STORED, folder);
  } catch {
    // Without storage, only this page knows the folder.
  }
}

export const address = (name: string): string => folder + name;

/** The server's answer. Throws `Refused` without access. */
export async function ask<T>(name: string): Promise<T> {
  const answer = await fetch(address(name));
  if (answer.status === 401 || answer.status === 403) throw new Refused();
  if (!answer.ok) {
    const { error } = (await answer.json().catch(() => ({}))) as { error?: string };
    throw new Error(error ?? `the server answered ${answer.status}`);
  }
  const text = await answer.text();
  performance.mark('answered');
  return JSON.parse(text) as T;
}
