// Small helpers to find and change elements of our own pages.

/** Throws if the element is missing: the markup is ours, so that is a bug. */
export function find<T extends HTMLElement = HTMLElement>(selector: string): T {
  const element = document.querySelector<T>(selector);
  if (!element) throw new Error(`no ${selector} in the page`);
  return element;
}

/** Finds an element by its `data-test` attribute, which tests use, too. */
export function hook<T extends HTMLElement = HTMLElement>(name: string): T {
  return find<T>(`[data-test="${name}"]`);
}

/** Writes only a changed text: screen readers may announce a live region again when it is written again. */
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
