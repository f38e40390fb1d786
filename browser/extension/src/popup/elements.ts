// Small helpers to find and change elements of our own pages.

/** The markup is ours: a missing element is a mistake in it, and should be loud. */
export function find<T extends HTMLElement = HTMLElement>(selector: string): T {
  const element = document.querySelector<T>(selector);
  if (!element) throw new Error(`no ${selector} in the page`);
  return element;
}

/** By the hook that tests use too. */
export function hook<T extends HTMLElement = HTMLElement>(name: string): T {
  return find<T>(`[data-test="${name}"]`);
}

/** Writes only what changed: a live region that is written again may be read out again. */
export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function show(element: HTMLElement, visible: boolean): void {
  if (element.hidden === visible) element.hidden = !visible;
}

export function onClick(name: string, listener: () => unknown): void {
  hook(name).addEventListener('click', () => void listener());
}

/** Marks a button while its work runs. It is not disabled, which would take the focus away; a second click is ignored. */
export async function busy<T>(button: HTMLElement, work: () => Promise<T>): Promise<T | undefined> {
  if (button.getAttribute('aria-busy') === 'true') return undefined;
  button.setAttribute('aria-busy', 'true');
  try {
    return await work();
  } finally {
    button.removeAttribute('aria-busy');
  }
}
