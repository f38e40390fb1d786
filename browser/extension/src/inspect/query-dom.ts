// Finds what a selector matches in the page: in its document, its open shadow roots and its frames of the same origin.

import { DOM_DEPTH, DOM_DEPTH_DEFAULT, DOM_ELEMENTS } from 'gasoline-capture/limits.gen';
import type { DomAnswer, Match } from 'gasoline-capture/wire.gen';
import { describe, describeBox, describeChildren, describeField, describeStyles, isVisible } from './describe';
import { attribute, find, readyStateOf, titleOf } from './dom';
import { type Place, type Places, placesOf } from './places';
import { invalidSelector, withoutLast } from './selector-problem';
import { UniqueSelectors } from './unique-selector';

const MAX_CHILDREN = 500;
const BUDGET_MILLIS = 150;

export interface QueryDomParams {
  selector: string;
  include_styles?: boolean;
  include_children?: boolean;
  max_depth?: number;
  properties?: string[];
}

export function queryDom(params: QueryDomParams): DomAnswer {
  const deadline = performance.now() + BUDGET_MILLIS;
  const late = () => performance.now() > deadline;
  const { selector } = params;
  if (!isValid(selector)) throw invalidSelector(selector);

  const around = placesOf(document, late);
  const { found, matchCount } = collect(selector, around.places);
  const depth = Math.min(Math.max(Math.trunc(Number(params.max_depth ?? DOM_DEPTH_DEFAULT)) || 1, 1), DOM_DEPTH);
  const selectors = new UniqueSelectors();
  let children = 0;
  let stoppedAt: string | undefined;
  const allowed = () => {
    if (late()) stoppedAt ??= `the time for one answer (${BUDGET_MILLIS} ms) was used up`;
    else if (children++ >= MAX_CHILDREN) stoppedAt ??= `${MAX_CHILDREN} children are described`;
    return stoppedAt === undefined;
  };

  const matches: Match[] = [];
  for (const { element, place } of found) {
    // Always describe the first match: on a busy machine the search alone may take all the time, and a count says
    // little.
    if (matches.length > 0 && late()) {
      stoppedAt = `the time for one answer (${BUDGET_MILLIS} ms) was used up`;
      break;
    }
    const inner = params.include_children ? describeChildren(element, depth, allowed) : undefined;
    matches.push({
      selector: selectors.of(element, place),
      ...(place.frame !== undefined && { frame: place.frame }),
      ...describe(element),
      ...describeField(element),
      boundingBox: describeBox(element, place),
      visible: isVisible(element, place),
      ...(params.include_styles && { styles: describeStyles(element, params.properties) }),
      ...(inner && { children: inner }),
    });
  }

  const partial = [
    ...(stoppedAt ? [`Not everything is described: ${stoppedAt}. Ask with a narrower selector.`] : []),
    ...(around.complete ? [] : ['Not all shadow roots and frames were searched: the page is too large.']),
  ].join(' ');
  const hint = matchCount === 0 ? hintFor(selector, around) : undefined;
  return {
    url: location.href,
    title: titleOf(document),
    matches,
    matchCount,
    returnedCount: matches.length,
    ...(partial && { partial }),
    ...(hint && { hint }),
  };
}

/** Tested on an empty document fragment, so that a slow selector is not searched for twice. */
function isValid(selector: unknown): selector is string {
  try {
    if (typeof selector !== 'string') return false;
    new DocumentFragment().querySelector(selector);
    return true;
  } catch {
    return false;
  }
}

interface Found {
  element: Element;
  place: Place;
}

function collect(selector: string, places: Place[]): { found: Found[]; matchCount: number } {
  const found: Found[] = [];
  let matchCount = 0;
  for (const place of places) {
    const elements = find(place.root, selector);
    matchCount += elements.length;
    for (let index = 0; index < elements.length && found.length < DOM_ELEMENTS; index++) {
      found.push({ element: elements[index] as Element, place });
    }
  }
  return { found, matchCount };
}

function hintFor(selector: string, { places, closedFrames }: Places): string | undefined {
  const hints: string[] = [];
  if (readyStateOf(document) !== 'complete') hints.push('The page is still loading.');
  if (/::[a-z-]+\s*$/i.test(selector))
    hints.push('Pseudo-elements are not elements: ask for the element they belong to.');
  const near = nearMiss(selector, places);
  if (near) hints.push(near);
  if (closedFrames > 0) hints.push(`${closedFrames} frame(s) of other origins cannot be searched.`);
  return hints.length > 0 ? hints.join(' ') : undefined;
}

function nearMiss(selector: string, places: Place[]): string | undefined {
  const around = withoutLast(selector);
  if (around !== undefined && isValid(around)) {
    const { matchCount } = collect(around, places);
    return matchCount > 0 ? `\`${around}\` matches ${matchCount} element(s), but \`${selector}\` none.` : undefined;
  }
  const name = /^[\w-]*#([\w-]+)$/.exec(selector.trim())?.[1];
  if (name === undefined) return undefined;
  const [other] = collect(`[id="${name}" i], [data-testid="${name}" i], [name="${name}" i]`, places).found;
  if (!other) return undefined;
  const named = ['id', 'data-testid', 'name'].find(
    (each) => attribute(other.element, each)?.toLowerCase() === name.toLowerCase(),
  );
  return `There is an element with \`${named}="${attribute(other.element, named as string)}"\`.`;
}
