// The script that the worker injects into the page's own world after an error. It leaves nothing where a page would
// look.

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

// Stored on a function that only our code looks for, and not enumerable there either. Two errors may inject this script
// twice; the first copy stays, because it holds the components that were found.
const carrier = field(field(window, '__gasoline'), RECALL);
if (typeof carrier === 'function' && !field(carrier, 'enrich')) {
  Object.defineProperty(carrier, 'enrich', { value: functions });
}
