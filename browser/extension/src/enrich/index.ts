// What the worker injects into the page's own world when an error came. It leaves nothing where a page would look.

import { RECALL } from 'gasoline-capture/annotations';
import { describe, readComponents, recall } from 'gasoline-capture/components/frameworks';
import { field } from 'gasoline-capture/components/read';
import { type StateSnapshot, snapshot } from './state';

export type { PageComponents } from 'gasoline-capture/components/frameworks';

const functions = {
  readComponents,
  describe,
  state: (id: string, message: string): StateSnapshot | null => snapshot(recall(id), message) ?? null,
};

export type EnrichFunctions = typeof functions;

// On a function that only we know to ask for, and not listed there either. Two errors may bring us twice; the first of us
// stays, as it has what was seen.
const carrier = field(field(window, '__gasoline'), RECALL);
if (typeof carrier === 'function' && !field(carrier, 'enrich')) {
  Object.defineProperty(carrier, 'enrich', { value: functions });
}
