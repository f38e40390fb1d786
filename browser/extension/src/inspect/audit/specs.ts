// How axe writes down which element it speaks of. By itself it looks for three unique selectors each time, also for what
// is in order, and takes three times as long for it as for the audit.

import type { CrossTreeSelector, DqElement, PartialResult, SerialDqElement, UnlabelledFrameSelector } from 'axe-core';
import { AUDIT_NODES } from 'gasoline-capture/limits.gen';
import { spotOf, UniqueSelectors } from '../unique-selector';
import { Ancestries } from './ancestry';
import type { Axe } from './axe';
import { redactHtml } from './redact-html';
import { secretsOf } from './secrets-in-markup';

interface Check {
  result?: boolean | null;
  relatedNodes?: SerialDqElement[];
}

interface NodeOutcome {
  node: SerialDqElement;
  any: Check[];
  all: Check[];
  none: Check[];
}

/** Within a frame, axe always knows the element. */
type WithElement = DqElement & { element: Element; fromFrame: boolean };

export class Specs {
  private readonly specs = new Map<Element, SerialDqElement>();
  private readonly elements = new Map<SerialDqElement, Element>();
  private readonly selectors = new UniqueSelectors();
  private readonly secrets = secretsOf(document);

  private readonly ancestries = new Ancestries();

  constructor(private readonly axe: Axe) {
    axe.utils.nodeSerializer.update({
      toSpec: (dqElement) => this.specOf(dqElement as WithElement),
      mergeSpecs: axe.utils.DqElement.mergeSpecs,
    });
  }

  private specOf({ element, nodeIndexes, fromFrame, source }: WithElement): SerialDqElement {
    const known = this.specs.get(element);
    if (known) return known;
    const ancestry = [this.ancestries.of(element)] as UnlabelledFrameSelector;
    // Where it is has to do as a selector, until somebody is going to read it.
    const spec = { selector: ancestry, ancestry, xpath: [], nodeIndexes, fromFrame, source: this.redacted(source) };
    this.specs.set(element, spec);
    this.elements.set(spec, element);
    return spec;
  }

  private redacted(source: string): string {
    return typeof source === 'string' ? redactHtml(source, this.secrets) : source;
  }

  /** Without it, axe would hold on to every element of the page. */
  release(): void {
    const { mergeSpecs } = this.axe.utils.DqElement;
    this.axe.utils.nodeSerializer.update({ toSpec: (dqElement) => dqElement.toJSON(), mergeSpecs });
  }

  /** Gives readable selectors to what is likely to be reported. */
  finish({ results, frames }: PartialResult): void {
    for (const frame of frames) this.makeReadable(frame);
    for (const { nodes } of results) {
      const outcomes = nodes as unknown as NodeOutcome[];
      for (const { node } of outcomes.filter(mayFail).slice(0, AUDIT_NODES)) this.makeReadable(node);
    }
  }

  private makeReadable(spec: SerialDqElement): void {
    const element = this.elements.get(spec);
    if (element) spec.selector = [readableSelector(element, this.selectors)];
  }
}

/**
 * What some rules make of an element is known only when all frames are together. In the top frame such an element can be
 * looked up then; elsewhere the way to it stays its selector.
 */
export function readableTarget(axe: Axe, target: CrossTreeSelector[], selectors: UniqueSelectors): CrossTreeSelector[] {
  const [only] = target;
  const isPath = target.length === 1 && /^html( >|$)/.test([only].flat()[0] ?? '');
  const element = isPath && only ? axe.utils.shadowSelect(only) : null;
  return element ? [readableSelector(element, selectors)] : target;
}

function readableSelector(element: Element, selectors: UniqueSelectors): string {
  return selectors.of(element, spotOf(element));
}

function mayFail({ any, all, none }: NodeOutcome): boolean {
  return (
    (any.length > 0 && !any.some(({ result }) => result === true)) ||
    all.some(({ result }) => result !== true) ||
    none.some(({ result }) => result !== false)
  );
}
