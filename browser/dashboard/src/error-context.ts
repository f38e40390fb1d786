// What the page reads of an error's context. The server passes it on as the extension or the tests sent it.

import type { ErrorBrief } from './messages.gen';

export interface Snippet {
  file: string;
  line: number;
  column?: number;
  snippet: { line: number; text: string; isError?: boolean }[];
}

interface Ancestry {
  framework?: string;
  components?: { name: string; source?: string; propKeys?: string[] }[];
}

interface ErrorContext {
  summary?: string;
  mappedStack?: string[];
  sourceSnippets?: Snippet[];
  componentAncestry?: Ancestry;
  stateSnapshot?: unknown;
}

export const contextOf = (error: ErrorBrief): ErrorContext => (error._aiContext ?? {}) as ErrorContext;
