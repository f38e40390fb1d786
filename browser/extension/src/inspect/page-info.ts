// A summary of the page in a few lines: enough to decide what to query next.

import { cut } from 'gasoline-capture/text';
import type { Form, PageInfo } from 'gasoline-capture/wire.gen';
import {
  activeIn,
  attribute,
  baseOf,
  documentElementOf,
  documentIn,
  fieldsOf,
  find,
  localNameOf,
  ownerOf,
  readyStateOf,
  scrollHeightOf,
  shadowRootOf,
  titleOf,
  urlOf,
} from './dom';
import { type Place, placesOf } from './places';
import { UniqueSelectors } from './unique-selector';
import { isShown } from './visibility';
import { textOf } from './visible-text';

const FORMS = 20;
const FIELDS = 30;
const HEADINGS = 30;
const HEADING_CHARS = 100;
const DIALOGS = 5;
const DIALOG_CHARS = 300;
const ADDRESS_CHARS = 500;
const BUDGET_MILLIS = 100;

const INTERACTIVE = [
  'a[href]',
  'button',
  'input:not([type="hidden" i])',
  'select',
  'textarea',
  'summary',
  '[role="button"]',
  '[role="link"]',
  '[role="checkbox"]',
  '[role="menuitem"]',
  '[role="tab"]',
  '[role="switch"]',
  '[contenteditable]:not([contenteditable="false" i])',
  '[onclick]',
].join(', ');

export function pageInfo(): PageInfo {
  const deadline = performance.now() + BUDGET_MILLIS;
  const { places } = placesOf(document, () => performance.now() > deadline);
  const top = documentElementOf(document);
  const lang = top && attribute(top, 'lang');
  const focused = focusedElement(places);
  const dialogs = dialogTexts(places);
  return {
    url: location.href,
    title: titleOf(document),
    readyState: readyStateOf(document),
    ...(lang && { lang }),
    viewport: { width: innerWidth, height: innerHeight },
    scroll: { x: Math.round(scrollX), y: Math.round(scrollY) },
    documentHeight: top ? scrollHeightOf(top) : 0,
    ...(focused && { focused }),
    ...(dialogs.length > 0 && { dialogs }),
    forms: first(places, 'form', FORMS).map((form) => describeForm(form as HTMLFormElement)),
    headings: first(places, 'h1, h2, h3, h4, h5, h6, [role="heading"]', HEADINGS, isShown)
      .map((heading) => textOf(heading, HEADING_CHARS))
      .filter(Boolean),
    links: count(places, 'a[href], [role="link"]'),
    images: count(places, 'img, [role="img"], picture:not(:has(img))'),
    interactiveElements: count(places, INTERACTIVE),
  };
}

function first(places: Place[], selector: string, limit: number, fits = (_: Element) => true): Element[] {
  const found: Element[] = [];
  for (const { root } of places) {
    for (const element of find(root, selector)) {
      if (found.length >= limit) return found;
      if (fits(element)) found.push(element);
    }
  }
  return found;
}

function count(places: Place[], selector: string): number {
  return places.reduce((sum, { root }) => sum + find(root, selector).length, 0);
}

function describeForm(form: HTMLFormElement): Form {
  const fields = Array.from(fieldsOf(form))
    .filter((field) => !/^(button|fieldset|output|object)$/.test(localNameOf(field)))
    .map(
      (field) => attribute(field, 'name') || attribute(field, 'id') || attribute(field, 'type') || localNameOf(field),
    );
  return {
    id: attribute(form, 'id') ?? attribute(form, 'name') ?? '',
    action: cut(actionOf(form), ADDRESS_CHARS),
    fields: fields.slice(0, FIELDS).map((name) => cut(name, HEADING_CHARS)),
  };
}

/** In the form that developers use: a path on the page's own site, else the full address. */
function actionOf(form: HTMLFormElement): string {
  const action = attribute(form, 'action') ?? '';
  try {
    const url = new URL(action === '' ? urlOf(ownerOf(form)) : action, baseOf(form));
    return url.origin === location.origin ? url.pathname + url.search : url.href;
  } catch {
    return action;
  }
}

function dialogTexts(places: Place[]): string[] {
  return first(places, 'dialog[open], [role="dialog"], [role="alertdialog"]', DIALOGS, isShown).map((dialog) =>
    textOf(dialog, DIALOG_CHARS),
  );
}

/** The element that receives what is typed, found through shadow hosts and frames. */
function focusedElement(places: Place[]): string | undefined {
  let focused: { element: Element; place: Place } | undefined;
  for (let place = places[0]; place; ) {
    const element = activeIn(place.root);
    // If nothing is focused, `activeElement` is the body.
    if (!element || /^(body|html)$/.test(localNameOf(element))) break;
    focused = { element, place };
    const inner = shadowRootOf(element) ?? documentIn(element);
    place = places.find(({ root }) => root === inner);
  }
  return focused && new UniqueSelectors().of(focused.element, focused.place);
}
