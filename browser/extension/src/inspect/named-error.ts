// Errors whose name says their kind: only names and messages get from the page to the worker.

export type ErrorName = 'InvalidSelector' | 'InvalidTags' | 'Timeout';

export function namedError(name: ErrorName, message: string): Error {
  const error = new Error(message);
  error.name = name;
  return error;
}
