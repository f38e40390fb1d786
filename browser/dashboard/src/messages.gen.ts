// Generated from the server's types by `cargo xtask gen`. Do not edit.

/** What the page and the server found out about an error after it was sent. */
export type AiContext = {
  /** One sentence about the error and its likely place. */
  summary?: string;
  /** The stack in the developer's own files: `save (src/cart.ts:10:5)`. Only the server sets it. */
  mappedStack?: string[];
  /** Source lines around the stack's first frames. */
  sourceSnippets?: unknown;
  /** The components that the error happened in, the innermost first. */
  componentAncestry?: unknown;
  /** What the application's stores held. */
  stateSnapshot?: unknown;
};

/** What the extension last reported. */
export type Browser = {
  /** Whether a browser is connected. */
  connected: boolean;
  /** The extension's version. */
  version?: string;
  /** Its tabs. */
  tabs: Tab[];
  /** What it captured, sent and lost. */
  counts?: ExtensionCounts;
  /** Its settings. */
  settings: Settings;
  /** What went wrong in the extension itself. */
  troubles: string[];
};

/** A buffer whose entries are rows, by its first letter. */
export type Buffer = 'l' | 'n' | 'w' | 'a';

/** Count and size of the requests of each type. */
export type ByType = {
  /** Scripts. */
  script?: TypeTotal;
  /** Style sheets. */
  style?: TypeTotal;
  /** Images. */
  image?: TypeTotal;
  /** Fonts. */
  font?: TypeTotal;
  /** Calls of `fetch` and `XMLHttpRequest`. */
  fetch?: TypeTotal;
  /** Everything else. */
  other?: TypeTotal;
};

/** A call in the list of calls. */
export type CallBrief = {
  /** Calls are numbered from 1. */
  number: number;
  /** When it was made, in milliseconds. */
  at: number;
  /** The client that made it. */
  client?: string;
  /** The tool that was called. */
  tool: string;
  /** The beginning of its arguments, as JSON text. */
  arguments: string;
  /** Bytes of all of its arguments. */
  argumentBytes: number;
  /** Bytes of the text that it returned. */
  answerBytes: number;
  /** Bytes of the picture that it returned. */
  pictureBytes?: number;
  /** The text in tokens, by the rule of thumb of four bytes each. */
  tokens: number;
  /** How long it took. */
  millis: number;
  /** Whether it returned an error. */
  failed: boolean;
};

/** Calls by AI clients. */
export type Calls = {
  /** The number of the oldest call that the server still knows. */
  from: number;
  /** New calls, oldest first. */
  list: CallBrief[];
  /** Whether these are all calls. */
  whole: boolean;
};

/** A closed connection. */
export type ClosedConnection = {
  /** Pass it as `connection_id`. */
  id: string;
  /** Address of the socket. */
  url?: string;
  /** `closed` or `error`. */
  state: string;
  /** When it was opened. */
  openedAt?: string;
  /** When it closed. */
  closedAt?: string;
  /** The close code. */
  closeCode?: number;
  /** The close reason; empty if none was given. */
  closeReason: string;
  /** Messages over its whole life. */
  totalMessages: {
    /** From the server to the page. */
    incoming: number;
    /** From the page to the server. */
    outgoing: number;
  };
  /** The browser tab. */
  tabId?: number;
  /** The test that it belongs to. */
  test_id?: string;
};

/** A change of the code that a page runs. */
export type CodeUpdate = {
  /** When it happened, in milliseconds. */
  t: number;
  /** What changed, in one line. */
  x: string;
};

/** A failure with its occurrences, as lists show it. */
export type ErrorBrief = {
  /** Pass it as `id` to get the whole entry. */
  id: string;
  /** When it happened. */
  ts?: string;
  /** How severe it is. */
  level: Level;
  /** What produced it. */
  type: string;
  /** Its text. */
  message: string;
  /** The arguments of the console call, where they say more than the message. */
  args?: unknown;
  /** Address of the page. */
  url?: string;
  /** File, line and column. */
  at?: string;
  /** The first frames of the stack, in the developer's files if source maps are known. */
  stack?: string;
  /** Method of the failed request. */
  method?: string;
  /** Address of the failed request. */
  requestUrl?: string;
  /** Status of the failed request; 0 when no response arrived. */
  status?: number;
  /** Milliseconds the request took. */
  duration?: number;
  /** How often it happened. */
  count?: number;
  /** File with a screenshot of the page at that time. */
  screenshot?: string;
  /** The browser tab. */
  tabId?: number;
  /** The test that it belongs to. */
  test_id?: string;
  /** The noise rule that matches it. */
  noise?: string;
  /** The captured request, for `get_network_bodies`. */
  body_id?: string;
  /** The response body of the request. */
  responseBody?: string;
  /** What is known about the error: a summary, code, components, state. */
  _aiContext?: AiContext;
  /** When it first happened. */
  first_seen: string;
  /** When it last happened. */
  last_seen: string;
  /** Pages it happened on, if more than one. */
  pages?: string[];
  /** Whether it happened before and after the last change of the code. */
  since_update?: 'new' | 'still there' | 'gone';
  /** Why the stack is not mapped to the developer's files. */
  source_map?: string;
};

/** What went wrong, each failure once. */
export type Errors = {
  /** How many match. */
  total: number;
  /** How many are listed. */
  returned: number;
  /** Whether some that match are not listed. */
  truncated?: boolean;
  /** How many are not listed, by level or class. */
  left_out?: Record<string, number>;
  /** The newest first. Noise is among them, and marked. */
  errors: ErrorBrief[];
};

/** The extension's accounting since its browser started: captured = sent + buffered + dropped + rejected. */
export type ExtensionCounts = {
  /** Entries that pages handed over. */
  captured?: number;
  /** Entries that the server accepted. */
  sent?: number;
  /** Waiting in the extension. */
  buffered?: number;
  /** Lost for lack of room, in the page or in the extension. */
  dropped?: number;
  /** Refused by the server. */
  rejected?: number;
};

/** Something that the developer should look at. */
export type Found = {
  /** How bad it is. */
  severity: 'info' | 'warning' | 'critical';
  /** The check that found it. */
  category: string;
  /** The issue. */
  title: string;
  /** Where and why it matters. */
  description: string;
  /** What proves it. */
  evidence: {
    /** The entry it was seen in. */
    id?: string;
    /** The kind of that user action. */
    action?: string;
    /** `console`, if the page logged it. */
    type?: string;
    /** Level of the console line. */
    level?: Level;
    /** HTTP method. */
    method?: string;
    /** Address, with secrets cut to their ends. */
    url?: string;
    /** Address of the page. */
    page_url?: string;
    /** The unencrypted resource. */
    resource_url?: string;
    /** The type of that resource. */
    resource_type?: string;
    /** Where in the entry it was found. */
    field?: string;
    /** The query parameter. */
    param_name?: string;
    /** The name it goes by there. */
    name?: string;
    /** What it was recognised as. */
    pattern?: string;
    /** At most its first six and last three characters. */
    redacted_value?: string;
    /** The text around it. */
    redacted_preview?: string;
    /** File and line that logged it. */
    source?: string;
    /** When it expires. */
    expires?: string;
    /** HTTP status. */
    status?: number;
    /** Whether the request carried an Authorization header; null if that is not known. */
    auth_header_present?: boolean;
    /** Whether the response contains personal data. */
    response_contains_pii?: boolean;
    /** Which personal data. */
    pii_fields?: string[];
    /** The cookie. */
    cookie?: string;
    /** The flag it lacks. */
    missing?: string;
    /** Whether it has `Secure`. */
    secure?: boolean;
    /** Whether it has `HttpOnly`. */
    http_only?: boolean;
    /** Its `SameSite`. */
    same_site?: string;
    /** The origin that responds. */
    origin?: string;
    /** The response header. */
    header?: string;
    /** Whether it is present. */
    present?: boolean;
    /** All places in this entry that hold the same secret. */
    places?: string[];
    /** How often it was seen. */
    count?: number;
  };
  /** What to do. */
  recommendation: string;
  /** The weakness in MITRE's CWE list. */
  cwe?: string;
};

/** How severe an entry is. Other spellings that pages and CI scripts use are read as the nearest of these. */
export type Level = 'debug' | 'log' | 'info' | 'warn' | 'error';

/** Figures of a page's loads, oldest first. */
export type Loads = {
  /** When each was measured, in milliseconds. */
  at: number[];
  cumulativeLayoutShift?: (number | null)[];
  decodedSize?: (number | null)[];
  domContentLoaded?: (number | null)[];
  domInteractive?: (number | null)[];
  firstContentfulPaint?: (number | null)[];
  interactionToNextPaint?: (number | null)[];
  largestContentfulPaint?: (number | null)[];
  load?: (number | null)[];
  longTasks?: (number | null)[];
  requestCount?: (number | null)[];
  timeToFirstByte?: (number | null)[];
  totalBlockingTime?: (number | null)[];
  transferSize?: (number | null)[];
};

/** What the messages of a connection look like, when they are JSON. */
export type MessageSchema = {
  /** Top-level keys seen in the messages. */
  detectedKeys?: string[];
  /** How many messages were looked at. */
  messageCount?: number;
  /** Whether all of them have the same keys. */
  consistent?: boolean;
  /** Message types with their share, such as `message (89%)`, the most frequent first. */
  variants?: string[];
};

/** A message to a dashboard. What did not change is left out; after `reset` nothing that was sent before counts. */
export type News = {
  /** The server's clock, in milliseconds. */
  now: number;
  /** Where the dashboard stands after this message. */
  mark: string;
  /** Whether all rows were sent, so that those of before must go. */
  reset?: boolean;
  /** New and changed rows of the timeline, oldest first. */
  rows?: Row[];
  /** How far the buffers reach back. */
  reach?: Reach;
  /** When pages received new code. */
  updates?: CodeUpdate[];
  /** What went wrong. */
  errors?: Errors;
  /** Load times and web vitals by page. */
  performance?: PageHistory[];
  /** Open and closed sockets. */
  sockets?: Sockets;
  /** What the security audit found. */
  security?: Security;
  /** Calls by AI clients. */
  calls?: Calls;
  /** The server and the browser. */
  status?: Status;
};

/** An open connection. */
export type OpenConnection = {
  /** Pass it as `connection_id`. */
  id: string;
  /** Address of the socket. */
  url?: string;
  /** `connecting` or `open`. */
  state: string;
  /** When it was opened. */
  openedAt?: string;
  /** How long it has been open. */
  duration?: string;
  /** How many messages pass. */
  messageRate: {
    /** From the server to the page. */
    incoming: {
      /** Messages a second, over the last five seconds. */
      perSecond: number;
      /** Messages so far. */
      total: number;
      /** Bytes so far. */
      bytes: number;
    };
    /** From the page to the server. */
    outgoing: {
      /** Messages a second, over the last five seconds. */
      perSecond: number;
      /** Messages so far. */
      total: number;
      /** Bytes so far. */
      bytes: number;
    };
  };
  /** The last message in each direction. */
  lastMessage?: {
    /** From the server to the page. */
    incoming?: {
      /** When it passed. */
      at: string;
      /** How long ago that is. */
      age: string;
      /** Its start. */
      preview?: string;
    };
    /** From the page to the server. */
    outgoing?: {
      /** When it passed. */
      at: string;
      /** How long ago that is. */
      age: string;
      /** Its start. */
      preview?: string;
    };
  };
  /** What incoming messages look like, if they are JSON. */
  schema?: MessageSchema;
  /** What outgoing messages look like, if they are JSON. */
  outgoingSchema?: MessageSchema;
  /** Whether only a share of the messages is kept, and why. */
  sampling: SamplingState;
  /** The browser tab. */
  tabId?: number;
  /** The test that it belongs to. */
  test_id?: string;
};

/** The latest load of a page against those before it. */
export type PageHistory = {
  /** Path of the page. */
  url: string;
  /** Whether the page was loaded, or its address changed without a load. */
  kind: 'load' | 'route_change';
  /** When it was measured. */
  captured_at: string;
  /** How long ago that is. */
  age_seconds?: number;
  /** How good each figure is, as web vitals are rated. */
  ratings?: {
    /** How good a figure is, by the thresholds of web vitals. */
    cumulativeLayoutShift?: 'good' | 'needs improvement' | 'poor';
    /** How good a figure is, by the thresholds of web vitals. */
    decodedSize?: 'good' | 'needs improvement' | 'poor';
    /** How good a figure is, by the thresholds of web vitals. */
    domContentLoaded?: 'good' | 'needs improvement' | 'poor';
    /** How good a figure is, by the thresholds of web vitals. */
    domInteractive?: 'good' | 'needs improvement' | 'poor';
    /** How good a figure is, by the thresholds of web vitals. */
    firstContentfulPaint?: 'good' | 'needs improvement' | 'poor';
    /** How good a figure is, by the thresholds of web vitals. */
    interactionToNextPaint?: 'good' | 'needs improvement' | 'poor';
    /** How good a figure is, by the thresholds of web vitals. */
    largestContentfulPaint?: 'good' | 'needs improvement' | 'poor';
    /** How good a figure is, by the thresholds of web vitals. */
    load?: 'good' | 'needs improvement' | 'poor';
    /** How good a figure is, by the thresholds of web vitals. */
    longTasks?: 'good' | 'needs improvement' | 'poor';
    /** How good a figure is, by the thresholds of web vitals. */
    requestCount?: 'good' | 'needs improvement' | 'poor';
    /** How good a figure is, by the thresholds of web vitals. */
    timeToFirstByte?: 'good' | 'needs improvement' | 'poor';
    /** How good a figure is, by the thresholds of web vitals. */
    totalBlockingTime?: 'good' | 'needs improvement' | 'poor';
    /** How good a figure is, by the thresholds of web vitals. */
    transferSize?: 'good' | 'needs improvement' | 'poor';
  };
  /** When the page reached each step of its load. */
  timing: {
    cumulativeLayoutShift?: number;
    decodedSize?: number;
    domContentLoaded?: number;
    domInteractive?: number;
    firstContentfulPaint?: number;
    interactionToNextPaint?: number;
    largestContentfulPaint?: number;
    load?: number;
    longTasks?: number;
    requestCount?: number;
    timeToFirstByte?: number;
    totalBlockingTime?: number;
    transferSize?: number;
  };
  /** What was loaded. */
  network: {
    /** How many requests. */
    requestCount?: number;
    /** Bytes over the network. */
    transferSize?: number;
    /** Bytes after decompression. */
    decodedSize?: number;
    /** The same by type of resource. */
    byType?: ByType;
    /** What took longest. */
    slowestRequests?: SlowRequest[];
  };
  /** What blocked the main thread. */
  longTasks: {
    /** Tasks of more than 50 ms. */
    count?: number;
    /** Their time beyond 50 ms each, added up. */
    totalBlockingTime?: number;
    /** The longest of them. */
    longest?: number;
  };
  /** How long the page took to respond to the user's slowest interaction. */
  interactionToNextPaint?: number;
  /** How much the layout shifted unexpectedly. */
  cumulativeLayoutShift?: number;
  /** Figures that got worse compared with earlier loads. */
  regressions: {
    /** Which figure. */
    metric: 'timeToFirstByte' | 'firstContentfulPaint' | 'largestContentfulPaint' | 'domInteractive' | 'domContentLoaded' | 'load' | 'requestCount' | 'transferSize' | 'decodedSize' | 'longTasks' | 'totalBlockingTime' | 'interactionToNextPaint' | 'cumulativeLayoutShift';
    /** Its value now. */
    value: number;
    /** Its value in earlier loads. */
    was: number;
    /** The increase in percent. */
    percent?: number;
  }[];
  /** How the page keeps the budgets of `.gasoline.json`. */
  budgets?: {
    /** Budgets for figures that this load measured. */
    checked: number;
    /** Budgets that it exceeds. */
    exceeded: {
      /** Which figure. */
      metric: 'timeToFirstByte' | 'firstContentfulPaint' | 'largestContentfulPaint' | 'domInteractive' | 'domContentLoaded' | 'load' | 'requestCount' | 'transferSize' | 'decodedSize' | 'longTasks' | 'totalBlockingTime' | 'interactionToNextPaint' | 'cumulativeLayoutShift';
      /** Its value. */
      value: number;
      /** Its budget. */
      budget: number;
    }[];
    /** Faults of the budgets file. */
    faults?: string[];
  };
  /** Earlier loads, combined. */
  baseline: {
    /** How many. */
    sampleCount: number;
    cumulativeLayoutShift?: number;
    decodedSize?: number;
    domContentLoaded?: number;
    domInteractive?: number;
    firstContentfulPaint?: number;
    interactionToNextPaint?: number;
    largestContentfulPaint?: number;
    load?: number;
    longTasks?: number;
    requestCount?: number;
    timeToFirstByte?: number;
    totalBlockingTime?: number;
    transferSize?: number;
  };
  /** Other pages that were measured. */
  other_pages?: string[];
  /** All loads that are known, oldest first. */
  history: Loads;
};

/** How far the buffers reach back: the cursor of the oldest entry of each. */
export type Reach = {
  /** Of console lines and errors. */
  l: number;
  /** Of requests. */
  n: number;
  /** Of socket events. */
  w: number;
  /** Of user actions. */
  a: number;
};

/** A moment on the timeline. Names are short because there are thousands of rows. */
export type Row = {
  /** Its cursor: unique, and greater for what came later. */
  c: number;
  /** The buffer that holds it. */
  b: Buffer;
  /** When it happened, in milliseconds. */
  t: number;
  /** What kind of moment it is. */
  k: 'action' | 'network' | 'error' | 'console' | 'websocket' | 'code_update';
  /** The entry's id. */
  id: string;
  /** How severe it is. */
  l: Level;
  /** What happened, in one line. */
  x: string;
  /** How long it took, in milliseconds. */
  d?: number;
  /** The request that it reports. A log entry and a body may report the same one. */
  r?: string;
  /** How often it happened, if more than once. */
  n?: number;
  /** The socket's connection. */
  s?: string;
  /** Whether a socket message went from the page to the server. */
  out?: boolean;
};

/** Whether a connection is being sampled now. */
export type SamplingState = {
  /** Whether messages are being left out. */
  active?: boolean;
  /** The share of messages that is kept, such as `1/5`. */
  rate?: string;
  /** Why messages are left out. */
  reason?: string;
};

/** What all checks of the audit found. */
export type Security = {
  /** The most severe and newest first. */
  findings: Found[];
  /** Counts of findings, and of what was scanned. */
  summary: {
    /** All findings. */
    total: number;
    /** Critical ones. */
    critical: number;
    /** Warnings. */
    warning: number;
    /** Hints. */
    info: number;
    /** Findings below `severity_min`. */
    below_severity_min?: number;
    /** What was scanned. */
    scanned: {
      /** Requests. */
      network_requests: number;
      /** Console lines and errors. */
      console_entries: number;
      /** Different endpoints. */
      unique_endpoints: number;
    };
  };
  /** Findings beyond a check's limit, by check. */
  left_out?: Record<string, number>;
  /** Findings that exceeded the response budget. */
  left_out_for_size?: number;
  /** Whether bodies were captured. Without them, several checks see nothing. */
  hasBodies: boolean;
};

/** The settings, as far as the server needs to know them. */
export type Settings = {
  /** Console messages; uncaught errors are captured in any case. */
  captureConsole?: boolean;
  /** Messages of WebSockets and event streams. */
  captureWebSockets?: boolean;
  /** What the user does: clicks, input, navigation. */
  captureActions?: boolean;
  /** Bodies of requests and responses. Requests are captured whether or not their bodies are. */
  captureNetworkBodies?: boolean;
  /** Source, components and state around an error. */
  aiContextEnabled?: boolean;
  /** A screenshot of the page when an error happens. */
  screenshotOnError?: boolean;
  /** The timing of recent requests, with each error. */
  networkWaterfall?: boolean;
  /** The page's own `performance.mark` and `measure`, with each error. */
  performanceMarks?: boolean;
  /** The source lines around an error. */
  aiContextSourceSnippets?: boolean;
  /** The components that an error happened in. */
  aiContextComponentTree?: boolean;
  /** The state of the application's stores when an error happened. */
  aiContextStateSnapshot?: boolean;
  /** Whether AI clients may run scripts in captured pages. */
  allowExecuteJs?: boolean;
  /** The least console level that is captured: `error`, `warn` (and errors) or `all`. */
  captureLevel?: string;
  /** What is captured: `local` stands for the development hosts, `all` for everything, the rest are host patterns. */
  sites?: unknown;
  /** Hosts that the user switched off. */
  blockedSites?: unknown;
};

/** One of the slowest requests of a load. */
export type SlowRequest = {
  /** The request's address. */
  url?: string;
  /** Milliseconds. */
  duration?: number;
  /** Transferred bytes. */
  size?: number;
};

/** Sockets, newest first. */
export type Sockets = {
  /** Those that are open or being opened. */
  open: OpenConnection[];
  /** Those that ended. */
  closed: ClosedConnection[];
};

/** The server and the browser. */
export type Status = {
  /** The server's version. */
  version: string;
  /** The port that it listens on. */
  port: number;
  /** The browser. */
  extension: Browser;
  /** AI clients that are connected. */
  clients: {
    name?: string;
    version?: string;
    /** How a client is connected. */
    transport: 'stdio' | 'http';
    since: string;
  }[];
  /** How full each buffer is. */
  buffers: Record<string, {
    /** Entries in it. */
    count: number;
    /** Entries that it can hold. */
    capacity: number;
    /** Memory that its entries take. */
    memory_bytes: number;
    /** Entries that were evicted to make room. */
    dropped: number;
    /** Entries that were cleared on request, replaced by newer ones, or expired. */
    removed: number;
    /** Everything ever received: `count`, `dropped` and `removed` together. */
    received: number;
  }>;
  /** Memory of the server's process. */
  memoryMb: number;
  /** How much the server takes in at this use of memory. */
  memoryMode: 'normal' | 'no_bodies' | 'minimal';
  /** Entries that were turned away for lack of memory. */
  refused: number;
  /** Why the journal can't be written. */
  journalError?: string;
};

/** A tab of the developer's browser. */
export type Tab = {
  /** Chrome's id of the tab. */
  id?: number;
  /** The address of its page. */
  url?: string;
  /** The title of its page. */
  title?: string;
  /** Whether it is in front of its window. */
  active?: boolean;
  /** Whether the user captures its site. */
  captured?: boolean;
};

/** The requests of one type, added up. */
export type TypeTotal = {
  /** How many requests. */
  count?: number;
  /** Transferred bytes. */
  size?: number;
};

/** A call with its texts, as far as they are kept. */
export type WholeCall = {
  /** Calls are numbered from 1. */
  number: number;
  /** When it was made, in milliseconds. */
  at: number;
  /** The client that made it. */
  client?: string;
  /** The tool that was called. */
  tool: string;
  /** The beginning of its arguments, as JSON text. */
  arguments: string;
  /** Bytes of all of its arguments. */
  argumentBytes: number;
  /** Bytes of the text that it returned. */
  answerBytes: number;
  /** Bytes of the picture that it returned. */
  pictureBytes?: number;
  /** The text in tokens, by the rule of thumb of four bytes each. */
  tokens: number;
  /** How long it took. */
  millis: number;
  /** Whether it returned an error. */
  failed: boolean;
  /** Its arguments, as JSON text. */
  argumentsText: string;
  /** The text that it returned. */
  answer: string;
};
