// Why a section is empty, and what to do.

import type { Model } from '../model';

/** `when`: what would make entries appear here. It is shown once everything is connected. */
export function Empty({ model, title, when }: { model: Model; title: string; when: string }) {
  const extension = model.status?.extension;
  const captured = extension?.tabs.some((tab) => tab.captured);
  const [why, what] = !extension?.connected
    ? [
        'No browser is connected.',
        <>
          Load the Gasoline extension (<code>gasoline install</code> shows how), then reload your page.
        </>,
      ]
    : !captured
      ? [
          'The browser is connected, but none of its open tabs is captured.',
          "Open your app, or turn its site on in the extension's popup.",
        ]
      : ['Capture is on, but nothing of this kind has happened yet.', when];
  return (
    <div class="empty" data-test="empty">
      <h2>{title}</h2>
      <p>{why}</p>
      <p>{what}</p>
    </div>
  );
}
