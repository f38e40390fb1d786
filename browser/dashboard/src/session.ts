// How the page gets to read: a key from the link of `gasoline open`, traded for a cookie that only works below a folder
// that this origin alone knows. Cookies are shared by all ports of a host, storage is not.

const STORED = 'gasoline-folder';
/** Without a session. A server that wants no token answers here as well. */
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

/** Uses the key in the address, if there is one. The address is cleaned first, so that no key stays in the history. */
export async function openWithKey(): Promise<void> {
  // Sections stand behind the `#`, too.
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
    // Then this page alone has it.
  }
}

export const address = (name: string): string => folder + name;

/** What the server answers; refused when we may not ask. */
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
