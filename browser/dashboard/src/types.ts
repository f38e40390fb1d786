// What the server tells; see `http/dashboard/picture.rs` and the engine's `view/picture.rs`.

export type Kind = 'action' | 'network' | 'console' | 'error' | 'websocket';
export type Buffer = 'l' | 'n' | 'w' | 'a';

/** A moment on the timeline. */
export interface Row {
  /** Its cursor: unique, and greater for what came later. */
  c: number;
  /** The buffer it lies in. */
  b: Buffer;
  /** When, in milliseconds. */
  t: number;
  k: Kind;
  id: string;
  /** Its level. */
  l: string;
  /** What happened. */
  x: string;
  /** How long, in milliseconds. */
  d?: number;
  /** The request it tells of. */
  r?: string;
  /** How often. */
  n?: number;
  /** Its socket. */
  s?: string;
  out?: boolean;
}

export interface Tab {
  id?: number;
  url?: string;
  title?: string;
  active?: boolean;
  captured?: boolean;
}

export interface BufferFill {
  count: number;
  capacity: number;
  memory_bytes: number;
  dropped: number;
  received: number;
}

export interface Status {
  version: string;
  port: number;
  extension: {
    connected: boolean;
    version?: string | null;
    tabs: Tab[];
    settings?: Record<string, unknown>;
    troubles?: string[];
  };
  clients: { name?: string; version?: string; transport: string; since: string }[];
  buffers: Record<string, BufferFill>;
  memoryMb: number;
  memoryMode: 'normal' | 'no_bodies' | 'minimal';
  refused: number;
  journalError?: string | null;
}

export interface Snippet {
  file: string;
  line: number;
  column?: number;
  snippet: { line: number; text: string; isError?: boolean }[];
}

export interface AiContext {
  summary?: string;
  mappedStack?: string[];
  sourceSnippets?: Snippet[];
  componentAncestry?: { framework?: string; components?: { name: string; source?: string; propKeys?: string[] }[] };
  stateSnapshot?: unknown;
}

export interface ErrorGroup {
  id: string;
  type?: string;
  message?: string;
  at?: string;
  stack?: string;
  url?: string;
  method?: string;
  requestUrl?: string;
  status?: number;
  duration?: number;
  responseBody?: string;
  count: number;
  first_seen: string;
  last_seen: string;
  pages?: string[];
  noise?: string;
  since_update?: string;
  _aiContext?: AiContext;
}

export interface Traffic {
  perSecond: number;
  total: number;
  bytes: number;
}

export interface LastMessage {
  at: string;
  age: string;
  preview?: string;
}

export interface OpenSocket {
  id: string;
  url?: string;
  state: string;
  openedAt?: string;
  duration?: string;
  messageRate: { incoming: Traffic; outgoing: Traffic };
  lastMessage?: { incoming?: LastMessage; outgoing?: LastMessage };
  sampling?: { active?: boolean; rate?: string; reason?: string };
}

export interface ClosedSocket {
  id: string;
  url?: string;
  state: string;
  openedAt?: string;
  closedAt?: string;
  closeCode?: number;
  closeReason?: string;
  totalMessages: { incoming: number; outgoing: number };
}

export type Vital =
  | 'largestContentfulPaint'
  | 'firstContentfulPaint'
  | 'interactionToNextPaint'
  | 'cumulativeLayoutShift'
  | 'timeToFirstByte'
  | 'load';

export interface PageLoads {
  url: string;
  kind: 'load' | 'route_change';
  captured_at?: string;
  ratings?: Partial<Record<Vital, string>>;
  regressions?: { metric: string; value: number; was: number; percent?: number }[];
  baseline?: { sampleCount: number } & Partial<Record<Vital, number>>;
  history: { at: number[] } & Record<Vital, (number | null)[]>;
}

export interface Finding {
  severity: 'critical' | 'warning' | 'info';
  category: string;
  title: string;
  description: string;
  evidence: Record<string, unknown>;
  recommendation: string;
  cwe?: string;
}

export interface Security {
  findings: Finding[];
  hasBodies: boolean;
  summary: {
    total: number;
    critical: number;
    warning: number;
    info: number;
    scanned: { network_requests: number; console_entries: number; unique_endpoints: number };
  };
}

export interface Call {
  number: number;
  at: number;
  client?: string;
  tool: string;
  arguments: string;
  argumentBytes: number;
  answerBytes: number;
  pictureBytes?: number;
  tokens: number;
  millis: number;
  failed: boolean;
  argumentsText?: string;
  answer?: string;
}

/** What is new. After `reset` nothing of before counts. */
export interface News {
  now: number;
  mark: string;
  reset?: boolean;
  rows?: Row[];
  reach?: Record<Buffer, number>;
  updates?: { t: number; x: string }[];
  errors?: { errors: ErrorGroup[]; total: number; returned: number };
  performance?: PageLoads[];
  sockets?: { open: OpenSocket[]; closed: ClosedSocket[] };
  security?: Security;
  status?: Status;
  calls?: { from: number; list: Call[]; whole: boolean };
}
