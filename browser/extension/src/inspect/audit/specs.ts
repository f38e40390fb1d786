// How axe identifies the elements of its results. By default it searches three unique selectors each time, even for
// elements that pass, which takes three times as long as the audit itself.

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

/** Within a frame, axe always has the element. */
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
    // The path serves as selector until the element is reported.
    const spec = { selector: ancestry, ancestry, xpath: [], nodeIndexes, fromFrame, source: this.redacted(source) };
    this.specs.set(element, spec);
    this.elements.set(spec, element);
    return spec;
  }

  private redacted(source: string): string {
    return typeof source === 'string' ? redactHtml(source, this.secrets) : source;
  }

  /** Without this, axe would keep references to every element of the page. */
  release(): void {
    const { mergeSpecs } = this.axe.utils.DqElement;
    this.axe.utils.nodeSerializer.update({ toSpec: (dqElement) => dqElement.toJSON(), mergeSpecs });
  }

  /** Gives readable selectors to elements that are likely to be reported. */
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
 * Some rules decide about an element only when the results of all frames are there. In the top frame such an element
 * can still be found then; elsewhere its path remains its selector.
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
