// The part of the page and the rules that are audited. The caller chooses them, so they are checked before anything
// runs.

import type { ContextObject, RunOptions } from 'axe-core';
import { documentIn, find, type Root, shadowRootOf } from '../dom';
import { namedError } from '../named-error';
import { INSIDE } from '../notation';
import { invalidSelector } from '../selector-problem';
import type { Axe } from './axe';

export interface AuditParams {
  scope?: string;
  tags?: string[];
  include_passes?: boolean;
}

/** Audio and video may need a while to load their duration; axe's default of ten seconds is too long. */
const MEDIA_MILLIS = 2_000;

export function optionsFor(axe: Axe, { tags = [], include_passes = false }: AuditParams): RunOptions {
  const known = new Set(axe.getRules().flatMap((rule) => rule.tags));
  const unknown = tags.filter((tag) => !known.has(tag));
  if (unknown.length > 0) {
    const levels = [...known].filter((tag) => /^(wcag\d+a+|best-practice|section508|experimental)$/.test(tag));
    throw namedError(
      'InvalidTags',
      `No rule has the tag ${unknown.map((tag) => `\`${tag}\``).join(', ')}. Tags are ${levels.sort().join(', ')}, single criteria as in wcag143, and categories as in cat.color.`,
    );
  }
  return {
    ...(tags.length > 0 && { runOnly: { type: 'tag', values: tags } }),
    // Style sheets are read as they are; by itself axe would fetch those of other origins again.
    preload: { assets: ['media'], timeout: MEDIA_MILLIS },
    ...(!include_passes && { resultTypes: ['violations', 'incomplete'] }),
  };
}

/** Understands the paths with ` >>> ` that other answers give, too. */
export function contextFor(scope: string | undefined): ContextObject | Document {
  if (scope === undefined) return document;
  const parts = scope.split(INSIDE.trim()).map((part) => part.trim());
  const frames: string[][] = [[]];
  let root: Root = document;
  for (const [index, part] of parts.entries()) {
    const element = firstOf(root, part, scope);
    frames.at(-1)?.push(part);
    if (index === parts.length - 1) break;
    const shadow = shadowRootOf(element);
    const inner = shadow ?? documentIn(element);
    if (!inner) throw namedError('InvalidSelector', `\`${part}\` has no open shadow root and no frame of this origin.`);
    if (!shadow) frames.push([]);
    root = inner;
  }
  const selectors = frames.map((path) => (path.length > 1 ? { fromShadowDom: path } : (path[0] as string)));
  return { include: [{ fromFrames: selectors }] } as ContextObject;
}

function firstOf(root: Root, selector: string, scope: string): Element {
  let element: Element | undefined;
  try {
    element = find(root, selector)[0];
  } catch {
    throw invalidSelector(selector);
  }
  if (element) return element;
  throw namedError('InvalidSelector', `The scope \`${scope}\` matches nothing in the page.`);
}
