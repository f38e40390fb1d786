// Generated from crates/wire by `cargo xtask gen`. Do not edit.

import type { ReportedSettings } from './settings.gen';

/** ISO 8601 text, or milliseconds since 1970. */
export type Timestamp = string | number;

/**
 * How loud an entry is. Other spellings that pages and CI scripts use are read as the nearest of these.
 */
export type Level = "debug" | "log" | "info" | "warn" | "error";

/**
 * What the page and the server found out about an error after it was sent.
 */
export type AiContext = { summary?: string | null, 
/**
 * The stack in the developer's own files: `save (src/cart.ts:10:5)`. Set by the server alone.
 */
mappedStack?: Array<string> | null, sourceSnippets?: unknown | null, componentAncestry?: unknown | null, stateSnapshot?: unknown | null, };

/**
 * One line of what the page said or where it broke.
 */
export type LogEntry = { 
/**
 * When it happened, by the page's clock.
 */
ts?: Timestamp | null, 
/**
 * Another name of `ts` on input.
 */
timestamp?: Timestamp | null, 
/**
 * Given by the page so that context can be patched in later; else the server's.
 */
id?: string | null, 
/**
 * `console`, `exception`, `rejection`, `network`, `resource`, `csp`; left out, `source` tells.
 */
type?: string | null, level?: Level | null, message?: string | null, 
/**
 * The console call's arguments, serialized by the page.
 */
args?: unknown | null, 
/**
 * The page's address, not the request's.
 */
url?: string | null, 
/**
 * Where it was caught (`console`, `exception`, `unhandledrejection`, `network`) or the line that logged.
 */
source?: string | null, stack?: string | null, filename?: string | null, lineno?: number | null, colno?: number | null, 
/**
 * Failed requests only: the request's method.
 */
method?: string | null, 
/**
 * Failed requests only: the request's address.
 */
requestUrl?: string | null, 
/**
 * Failed requests only: 0 for a request that got no answer.
 */
status?: number | null, 
/**
 * Failed requests only, in milliseconds.
 */
duration?: number | null, 
/**
 * Links a failed request to its network body.
 */
requestId?: string | null, 
/**
 * How often the page said this since the last batch; absent means once.
 */
count?: number | null, 
/**
 * `window.__gasoline.annotate` values at that moment.
 */
_context?: unknown | null, _enrichments?: Array<string> | null, 
/**
 * User actions shortly before an error.
 */
_actions?: unknown | null, _aiContext?: AiContext | null, metadata?: unknown | null, 
/**
 * The file with a picture of the page at that moment. Set by the server alone; ignored on input.
 */
screenshot?: string | null, tabId?: number | null, test_id?: string | null, 
/**
 * One load of a page; of a frame with a dot and the frame's number after it.
 */
page_id?: string | null, 
/**
 * The CI worker that sent it.
 */
worker?: string | null, };

/**
 * Why not every message of a fast connection is here.
 */
export type Sampling = { 
/**
 * Messages a second, such as `48.2/s`.
 */
rate?: string | null, 
/**
 * The share that was kept, such as `1/5`.
 */
logged?: string | null, window?: string | null, };

export type DirectionStats = { total?: number | null, bytes?: number | null, 
/**
 * Over the last five seconds.
 */
perSecond?: number | null, lastAt?: Timestamp | null, 
/**
 * The start of the last message.
 */
lastPreview?: string | null, };

/**
 * What the messages of a connection look like, when they are JSON.
 */
export type MessageSchema = { detectedKeys?: Array<string> | null, messageCount?: number | null, consistent?: boolean | null, 
/**
 * Such as `message (89%)`, the most frequent first.
 */
variants?: Array<string> | null, };

export type SamplingState = { active?: boolean | null, 
/**
 * Such as `1/5`.
 */
rate?: string | null, reason?: string | null, };

/**
 * The totals of one connection, as the page counted them.
 */
export type ConnectionStats = { incoming?: DirectionStats | null, outgoing?: DirectionStats | null, schema?: MessageSchema | null, sampling?: SamplingState | null, };

/**
 * One event of one connection. On input `id` is the connection; answers call that `connection_id`.
 */
export type WebSocketEvent = { 
/**
 * When it happened, by the page's clock.
 */
ts?: Timestamp | null, 
/**
 * Another name of `ts` on input.
 */
timestamp?: Timestamp | null, 
/**
 * Always `websocket` on output.
 */
type?: string | null, 
/**
 * `connecting`, `open`, `message`, `close`, `error`; `stats` only updates the connection's totals.
 */
event?: string | null, connection_id?: string | null, url?: string | null, 
/**
 * `incoming` or `outgoing`, for messages.
 */
direction?: string | null, 
/**
 * The message, at most 4 KB of it, or a preview of a binary one.
 */
data?: string | null, 
/**
 * The message's whole size in bytes.
 */
size?: number | null, truncated?: boolean | null, sampled?: Sampling | null, code?: number | null, reason?: string | null, 
/**
 * What the page counted on this connection so far; messages that were sampled out are in it.
 */
stats?: ConnectionStats | null, tabId?: number | null, test_id?: string | null, 
/**
 * One load of a page; of a frame with a dot and the frame's number after it.
 */
page_id?: string | null, 
/**
 * The CI worker that sent it.
 */
worker?: string | null, };

/**
 * Header names with their values. A value given as a list is joined with `, `, except `set-cookie`, whose values
 * contain commas themselves and are joined with line breaks.
 */
export type Headers = { [key in string]: string };

/**
 * A cookie without its value.
 */
export type Cookie = { name?: string | null, secure?: boolean | null, httpOnly?: boolean | null, sameSite?: string | null, };

/**
 * One request and its answer.
 */
export type NetworkBody = { 
/**
 * When it happened, by the page's clock.
 */
ts?: Timestamp | null, 
/**
 * Another name of `ts` on input.
 */
timestamp?: Timestamp | null, 
/**
 * Always `network_body` on output.
 */
type?: string | null, method?: string | null, url?: string | null, 
/**
 * 0 when no answer came: aborted, blocked, offline.
 */
status?: number | null, requestBody?: string | null, responseBody?: string | null, contentType?: string | null, 
/**
 * Milliseconds.
 */
duration?: number | null, requestHeaders?: Headers | null, responseHeaders?: Headers | null, hasAuthHeader?: boolean | null, requestSize?: number | null, responseSize?: number | null, 
/**
 * A body was cut at its limit.
 */
truncated?: boolean | null, 
/**
 * The page that sent it.
 */
pageUrl?: string | null, 
/**
 * Why no answer came.
 */
error?: string | null, 
/**
 * Links it to the log entry of the same failed request.
 */
requestId?: string | null, 
/**
 * `fetch`, `xhr`, `script`, `img` and the like.
 */
initiator?: string | null, 
/**
 * Where the page asked for it, as a stack without a message.
 */
stack?: string | null, 
/**
 * The user's event in whose handler it was asked for: `click`, `submit` and the like.
 */
trigger?: string | null, 
/**
 * Names and flags of the cookies it set; values never get this far.
 */
cookies?: Array<Cookie> | null, tabId?: number | null, test_id?: string | null, 
/**
 * One load of a page; of a frame with a dot and the frame's number after it.
 */
page_id?: string | null, 
/**
 * The CI worker that sent it.
 */
worker?: string | null, };

export type Role = { role?: string | null, name?: string | null, };

export type Position = { x?: number | null, y?: number | null, };

/**
 * Ways to find the element again, the most stable first.
 */
export type Selectors = { testId?: string | null, ariaLabel?: string | null, role?: Role | null, id?: string | null, text?: string | null, cssPath?: string | null, };

/**
 * One user action, with every selector that could find its element again.
 */
export type EnhancedAction = { 
/**
 * When it happened, by the page's clock.
 */
ts?: Timestamp | null, 
/**
 * Another name of `ts` on input.
 */
timestamp?: Timestamp | null, 
/**
 * `click`, `input`, `submit`, `keypress`, `navigate`, `scroll`, `select`.
 */
type?: string | null, selectors?: Selectors | null, position?: Position | null, url?: string | null, inputType?: string | null, 
/**
 * What was typed; `[redacted]` in sensitive inputs.
 */
value?: string | null, autocomplete?: string | null, 
/**
 * The input's `name` attribute.
 */
name?: string | null, text?: string | null, key?: string | null, fromUrl?: string | null, toUrl?: string | null, scrollX?: number | null, scrollY?: number | null, 
/**
 * A plain CSS selector, from senders that compute no others.
 */
target?: string | null, selectedValue?: string | null, selectedText?: string | null, formAction?: string | null, method?: string | null, 
/**
 * Of a checkbox or a radio button: its state after the click.
 */
checked?: boolean | null, 
/**
 * In `/sync`, where `type` is `action`, the action's own type.
 */
action_type?: string | null, 
/**
 * In `/sync`: another way to write `position`.
 */
x?: number | null, 
/**
 * In `/sync`: another way to write `position`.
 */
y?: number | null, tabId?: number | null, test_id?: string | null, 
/**
 * One load of a page; of a frame with a dot and the frame's number after it.
 */
page_id?: string | null, 
/**
 * The CI worker that sent it.
 */
worker?: string | null, };

/**
 * Milliseconds from the start of the navigation.
 */
export type Timing = { domContentLoaded?: number | null, load?: number | null, firstContentfulPaint?: number | null, largestContentfulPaint?: number | null, timeToFirstByte?: number | null, domInteractive?: number | null, };

export type TypeTotal = { count?: number | null, size?: number | null, };

export type ByType = { script?: TypeTotal | null, style?: TypeTotal | null, image?: TypeTotal | null, font?: TypeTotal | null, fetch?: TypeTotal | null, other?: TypeTotal | null, };

export type SlowRequest = { url?: string | null, duration?: number | null, size?: number | null, };

export type InsecureResource = { url?: string | null, 
/**
 * The element that asks for it: `script`, `img` and the like.
 */
type?: string | null, };

export type NetworkSummary = { requestCount?: number | null, transferSize?: number | null, decodedSize?: number | null, byType?: ByType | null, slowestRequests?: Array<SlowRequest> | null, };

export type LongTasks = { count?: number | null, totalBlockingTime?: number | null, longest?: number | null, };

/**
 * One page load, or one route change of a single-page app.
 */
export type PerformanceSnapshot = { 
/**
 * When it happened, by the page's clock.
 */
ts?: Timestamp | null, 
/**
 * Another name of `ts` on input.
 */
timestamp?: Timestamp | null, 
/**
 * The page's path.
 */
url?: string | null, 
/**
 * A route change inside the page, not a load.
 */
softNavigation?: boolean | null, timing?: Timing | null, network?: NetworkSummary | null, longTasks?: LongTasks | null, cumulativeLayoutShift?: number | null, interactionToNextPaint?: number | null, 
/**
 * The page's whole address, where one of the next three needs it.
 */
pageUrl?: string | null, 
/**
 * What an encrypted page loads unencrypted.
 */
insecureResources?: Array<InsecureResource> | null, 
/**
 * The page's cookies, by name, as far as their flags are known.
 */
cookies?: Array<Cookie> | null, 
/**
 * What the page's own document came with, of the headers that protect one.
 */
documentHeaders?: Headers | null, 
/**
 * Always `performance` in `/sync`.
 */
type?: string | null, 
/**
 * In `/sync`: one web vital by itself, such as `LCP`.
 */
metric?: string | null, 
/**
 * In `/sync`: that metric's value.
 */
value?: number | null, 
/**
 * In `/sync`: that metric's unit.
 */
unit?: string | null, tabId?: number | null, test_id?: string | null, 
/**
 * One load of a page; of a frame with a dot and the frame's number after it.
 */
page_id?: string | null, 
/**
 * The CI worker that sent it.
 */
worker?: string | null, };

/**
 * What a page's load usually looks like: the average of its first five loads, then a slow-moving one.
 */
export type PerformanceBaseline = { url?: string | null, sampleCount?: number | null, lastUpdated?: Timestamp | null, timing?: Timing | null, network?: NetworkSummary | null, longTasks?: LongTasks | null, cumulativeLayoutShift?: number | null, interactionToNextPaint?: number | null, };

export type SnapshotElement = { role?: string | null, level?: number | null, 
/**
 * At most 100 characters.
 */
text?: string | null, testId?: string | null, visible?: boolean | null, };

export type DomSnapshot = { 
/**
 * When it happened, by the page's clock.
 */
ts?: Timestamp | null, 
/**
 * Another name of `ts` on input.
 */
timestamp?: Timestamp | null, url?: string | null, title?: string | null, elements?: Array<SnapshotElement> | null, 
/**
 * Always `dom_snapshot` in `/sync`.
 */
type?: string | null, tabId?: number | null, test_id?: string | null, 
/**
 * One load of a page; of a frame with a dot and the frame's number after it.
 */
page_id?: string | null, 
/**
 * The CI worker that sent it.
 */
worker?: string | null, };

/**
 * What an event of a sync batch is; the rest of it has the shape of that kind.
 */
export type SyncKind = "console" | "error" | "network" | "websocket" | "action" | "performance" | "dom_snapshot";

export type BufferFill = { count: number, 
/**
 * When its oldest entry happened; 0 when empty.
 */
oldest_ms: number, memory_bytes: number, };

export type BufferStatus = { logs: BufferFill, network: BufferFill, actions: BufferFill, websocket: BufferFill, };

/**
 * The reply to `POST /sync`.
 */
export type SyncReply = { status: string, event_count: number, rejected: number, buffer_status: BufferStatus, 
/**
 * Scripts that errors point into and whose source maps are not known: `POST /source-maps` brings them.
 */
source_maps_wanted?: Array<string>, };

/**
 * How a test ended, in Playwright's words.
 */
export type TestStatus = "passed" | "failed" | "timedOut" | "interrupted" | "skipped";

export type BoundaryAction = "start" | "end";

/**
 * The reply to `POST /test-boundary`.
 */
export type BoundaryReply = { test_id: string, action: BoundaryAction, timestamp: Timestamp, };

/**
 * What a test runner says of a test, and when it started and ended.
 */
export type TestRecord = { 
/**
 * The tag of the test's entries: unique in the run, retries included.
 */
test_id: string, 
/**
 * The test's titles from the outermost to its own, joined with ` › `.
 */
title?: string | null, file?: string | null, line?: number | null, project?: string | null, 
/**
 * 0 for the first attempt.
 */
retry?: number | null, 
/**
 * Which of several runs of the same test it is (`--repeat-each`), from 0.
 */
repeat?: number | null, 
/**
 * Such as `1/3`.
 */
shard?: string | null, 
/**
 * Which of several workers ran it: what that worker sent without a `test_id` belongs to this test.
 */
worker?: string | null, status?: TestStatus | null, expected_status?: TestStatus | null, duration_ms?: number | null, 
/**
 * The test runner's message.
 */
error?: string | null, 
/**
 * Where the test failed: `file:line:column`. Read from those three by name, too.
 */
location?: string | null, 
/**
 * When the server heard of its start, and of its end.
 */
started?: Timestamp | null, ended?: Timestamp | null, 
/**
 * Entries of this test that were cleared, or evicted for lack of room. Counted by the server.
 */
entries_removed?: number | null, };

/**
 * An answer that was not like those that other tests got from the same endpoint.
 */
export type OddAnswer = { 
/**
 * Method and path.
 */
endpoint: string, 
/**
 * How it differs.
 */
description: string, 
/**
 * The test that got it.
 */
test_id?: string, };

/**
 * How much a snapshot holds.
 */
export type SnapshotStats = { 
/**
 * Console lines and errors.
 */
total_logs: number, 
/**
 * Errors among them.
 */
error_count: number, 
/**
 * Warnings among them.
 */
warning_count: number, 
/**
 * Requests that failed.
 */
network_failures: number, 
/**
 * Socket connections with events.
 */
ws_connections: number, };

/**
 * What was captured, of all tests or of one. The server writes its own entries into the lists, and reports read files
 * whose entries may not be valid, so the types of the lists are open.
 */
export type Snapshot = { 
/**
 * When it was made.
 */
timestamp?: Timestamp, 
/**
 * The test that was asked for.
 */
test_id?: string, 
/**
 * What is known about that test.
 */
test?: TestRecord, 
/**
 * What is known about each test, if none was asked for.
 */
tests?: Array<TestRecord>, 
/**
 * Console lines and errors.
 */
logs: Array<LogEntry>, 
/**
 * Socket events.
 */
websocket_events: Array<WebSocketEvent>, 
/**
 * Requests, with their bodies if those are captured.
 */
network_bodies: Array<NetworkBody>, 
/**
 * What the user or the test did.
 */
enhanced_actions: Array<EnhancedAction>, 
/**
 * What the pages showed.
 */
dom_snapshots: Array<DomSnapshot>, 
/**
 * Answers that differ from what the same endpoint answered otherwise.
 */
odd_answers: Array<OddAnswer>, 
/**
 * How much it is.
 */
stats: SnapshotStats, };

/**
 * A picture, and what it shows.
 */
export type Screenshot = { 
/**
 * `data:image/png;base64,…`; also JPEG and WebP.
 */
data_url?: string | null, 
/**
 * The page's address.
 */
url?: string | null, 
/**
 * The id of the log entry that it belongs to, as its sender gave it; the entry may still be on its way.
 */
error_id?: string | null, };

/**
 * The reply to `POST /screenshots`.
 */
export type ScreenshotReply = { filename: string, path: string, };

export type SourceMapUpload = { 
/**
 * The script's address, as it stands in stacks.
 */
url?: string | null, 
/**
 * The source map, as text.
 */
map?: string | null, 
/**
 * Where the map came from, if it does not stand in the script itself.
 */
map_url?: string | null, 
/**
 * The script itself, where it has no map and was written as it runs.
 */
script?: string | null, 
/**
 * Why there is neither, for a person to read.
 */
missing?: string | null, 
/**
 * The page load that ran the script, as its entries name it. Whoever waits for the map gets it all the same.
 */
page_id?: string | null, };

/**
 * The reply to it.
 */
export type SourceMapReply = { received: boolean, 
/**
 * How many source files the map speaks of.
 */
sources: number, };

/**
 * What a video shows: the part `metadata` beside the part `video`.
 */
export type RecordingMetadata = { 
/**
 * Letters, digits, `.`, `_` and `-`; the server makes one up when there is none.
 */
name?: string | null, duration_seconds?: number | null, 
/**
 * `1280x720`
 */
resolution?: string | null, frame_rate?: number | null, mime_type?: string | null, 
/**
 * The page's address when the recording began.
 */
url?: string | null, tab_id?: number | null, };

export type RecordingStatus = "saved";

/**
 * The reply to `POST /recordings/save`.
 */
export type RecordingReply = { status: RecordingStatus, 
/**
 * The name that was asked for, with a number behind it when it was taken.
 */
name: string, path: string, metadata_path: string, size_bytes: number, duration_seconds: number | null, };

/**
 * What the extension is asked to do.
 */
export type QueryAction = "query_dom" | "get_page_info" | "execute_a11y_audit" | "execute_js" | "take_screenshot" | "record_start" | "record_stop";

/**
 * What a question asks for; which of it matters depends on the action.
 */
export type QueryParams = { 
/**
 * `execute_js`: what runs.
 */
script?: string | null, 
/**
 * `query_dom`: which elements.
 */
selector?: string | null, include_styles?: boolean | null, include_children?: boolean | null, max_depth?: number | null, 
/**
 * Styles to include.
 */
properties?: Array<string> | null, 
/**
 * `execute_a11y_audit`: the part of the page that is looked at.
 */
scope?: string | null, tags?: Array<string> | null, include_passes?: boolean | null, 
/**
 * `take_screenshot`: not only what is in view.
 */
full_page?: boolean | null, 
/**
 * `record_start`: what the file is called.
 */
name?: string | null, };

/**
 * One question, as `GET /pending-queries` and the extension's socket hand it out.
 */
export type PendingQuery = { id: string, correlation_id: string, action: QueryAction, tab_id?: number, 
/**
 * How long the browser may take.
 */
timeout_ms: number, created_at: Timestamp, 
/**
 * `execute_js`: what runs.
 */
script?: string | null, 
/**
 * `query_dom`: which elements.
 */
selector?: string | null, include_styles?: boolean | null, include_children?: boolean | null, max_depth?: number | null, 
/**
 * Styles to include.
 */
properties?: Array<string> | null, 
/**
 * `execute_a11y_audit`: the part of the page that is looked at.
 */
scope?: string | null, tags?: Array<string> | null, include_passes?: boolean | null, 
/**
 * `take_screenshot`: not only what is in view.
 */
full_page?: boolean | null, 
/**
 * `record_start`: what the file is called.
 */
name?: string | null, };

export type QueryValue = { success?: boolean | null, value?: unknown | null, type?: string | null, };

export type QueryError = { message?: string | null, type?: string | null, stack?: string | null, 
/**
 * One of [`code`], or whatever another client calls it.
 */
code?: string | null, };

/**
 * An answer, as `POST /dom-result` and the extension's socket bring it.
 */
export type QueryResult = { query_id?: string | null, correlation_id?: string | null, action?: QueryAction | null, result?: QueryValue | null, error?: QueryError | null, execution_time_ms?: number | null, tab_id?: number | null, url?: string | null, timestamp?: Timestamp | null, };

/**
 * What kind of page it is.
 */
export type PageInfo = { 
/**
 * Address.
 */
url: string, 
/**
 * Title.
 */
title: string, 
/**
 * `loading`, `interactive` or `complete`.
 */
readyState: string, 
/**
 * Language.
 */
lang?: string, 
/**
 * Size of the visible part.
 */
viewport: Size, 
/**
 * How far it is scrolled.
 */
scroll: Point, 
/**
 * Height of the whole page.
 */
documentHeight: number, 
/**
 * Selector of the focused element.
 */
focused?: string, 
/**
 * Texts of open dialogs.
 */
dialogs?: Array<string>, 
/**
 * Forms and their fields.
 */
forms: Array<Form>, 
/**
 * Texts of visible headings.
 */
headings: Array<string>, 
/**
 * How many links.
 */
links: number, 
/**
 * How many images.
 */
images: number, 
/**
 * How many elements one can use.
 */
interactiveElements: number, };

/**
 * A width and a height, in CSS pixels.
 */
export type Size = { 
/**
 * In CSS pixels.
 */
width: number, 
/**
 * In CSS pixels.
 */
height: number, };

/**
 * A place, in CSS pixels.
 */
export type Point = { 
/**
 * From the left.
 */
x: number, 
/**
 * From the top.
 */
y: number, };

/**
 * A form.
 */
export type Form = { 
/**
 * Its id, else its name.
 */
id: string, 
/**
 * Where it is sent.
 */
action: string, 
/**
 * Names of its fields.
 */
fields: Array<string>, };

/**
 * What a selector finds.
 */
export type DomAnswer = { 
/**
 * Address of the page.
 */
url: string, 
/**
 * Title of the page.
 */
title: string, 
/**
 * The elements.
 */
matches: Array<Match>, 
/**
 * How many elements match.
 */
matchCount: number, 
/**
 * How many are described.
 */
returnedCount: number, 
/**
 * What is not described or was not searched, and why.
 */
partial?: string, 
/**
 * Why nothing matches.
 */
hint?: string, };

/**
 * An element that matches.
 */
export type Match = { 
/**
 * A selector that finds only this element.
 */
selector: string, 
/**
 * Address of the frame it is in.
 */
frame?: string, 
/**
 * Name of the element.
 */
tag: string, 
/**
 * Its attributes; what secret fields hold is left out.
 */
attributes: { [key in string]: string }, 
/**
 * Its visible text.
 */
text: string, 
/**
 * What the field holds now.
 */
value?: string, 
/**
 * Whether it is checked now.
 */
checked?: boolean, 
/**
 * Whether it is disabled.
 */
disabled?: boolean, 
/**
 * Where it is in the page.
 */
boundingBox: Box, 
/**
 * Whether one can see it.
 */
visible: boolean, 
/**
 * Computed styles, with `include_styles`.
 */
styles?: { [key in string]: string }, 
/**
 * Its children, with `include_children`.
 */
children?: Array<Child>, };

/**
 * A place and a size, in CSS pixels.
 */
export type Box = { 
/**
 * From the left.
 */
x: number, 
/**
 * From the top.
 */
y: number, 
/**
 * In CSS pixels.
 */
width: number, 
/**
 * In CSS pixels.
 */
height: number, };

/**
 * A child of an element that matches.
 */
export type Child = { 
/**
 * Name of the element.
 */
tag: string, 
/**
 * Its attributes.
 */
attributes: { [key in string]: string }, 
/**
 * Its visible text.
 */
text: string, 
/**
 * Its own children.
 */
children?: Array<Child>, };

/**
 * What axe-core found on the page.
 */
export type AuditReport = { 
/**
 * Address of the page.
 */
url: string, 
/**
 * When it was audited.
 */
timestamp: string, 
/**
 * How many rules came out which way.
 */
summary: AuditSummary, 
/**
 * Rules that the page breaks, the worst first.
 */
violations: Array<ReportedRule>, 
/**
 * Rules that a person has to check.
 */
incomplete?: Array<ReportedRule>, 
/**
 * Rules that the page keeps, with `include_passes`.
 */
passes?: Array<PassedRule>, 
/**
 * What could not be audited, and why.
 */
partial?: string, };

/**
 * How many rules came out which way.
 */
export type AuditSummary = { 
/**
 * Rules that the page breaks.
 */
violations: number, 
/**
 * Rules that it keeps.
 */
passes: number, 
/**
 * Rules that a person has to check.
 */
incomplete: number, 
/**
 * Rules that do not apply.
 */
inapplicable: number, };

/**
 * A rule that is broken, or that a person has to check.
 */
export type ReportedRule = { 
/**
 * axe's name for it.
 */
id: string, 
/**
 * `critical`, `serious`, `moderate` or `minor`.
 */
impact: string | null, 
/**
 * What it demands.
 */
description: string, 
/**
 * Where it is explained.
 */
helpUrl: string, 
/**
 * Criteria of the Web Content Accessibility Guidelines.
 */
wcag: Array<string>, 
/**
 * Elements that break it.
 */
nodes: Array<ReportedNode>, 
/**
 * How many elements break it.
 */
nodeCount: number, };

/**
 * An element that breaks a rule.
 */
export type ReportedNode = { 
/**
 * A selector that finds it.
 */
selector: string, 
/**
 * How its HTML begins.
 */
html: string, 
/**
 * What is wrong with it.
 */
failureSummary: string, 
/**
 * How to mend it.
 */
fix?: string, };

/**
 * A rule that the page keeps.
 */
export type PassedRule = { 
/**
 * axe's name for it.
 */
id: string, 
/**
 * What it demands.
 */
description: string, 
/**
 * How many elements keep it.
 */
nodeCount: number, };

/**
 * What a script came to.
 */
export type ScriptOutcome = { 
/**
 * Whether it ran to its end.
 */
success: boolean, 
/**
 * What it returned, as JSON.
 */
value: unknown, 
/**
 * Type of that value.
 */
type: string, 
/**
 * What it threw.
 */
error?: Thrown, 
/**
 * What it logged.
 */
console: Array<Said>, 
/**
 * `page`, or `user script` where the page forbids code from text.
 */
ran_in?: string, };

/**
 * An error that a script threw.
 */
export type Thrown = { 
/**
 * Its type.
 */
name: string, 
/**
 * Its message.
 */
message: string, 
/**
 * Its stack.
 */
stack?: string, };

/**
 * A line that a script logged.
 */
export type Said = { 
/**
 * Its level.
 */
level: string, 
/**
 * What it says.
 */
message: string, };

/**
 * A picture of the page.
 */
export type ScreenshotAnswer = { 
/**
 * The picture itself, which the server takes out and saves.
 */
data_url: string, 
/**
 * In pixels.
 */
width: number, 
/**
 * In pixels.
 */
height: number, 
/**
 * What of the page is missing.
 */
cut?: string, };

/**
 * A recording that has begun.
 */
export type RecordingStarted = { 
/**
 * Always `recording`.
 */
status: string, 
/**
 * Name of the file.
 */
name: string, 
/**
 * The tab.
 */
tab_id: number, };

/**
 * A tab of the developer's browser.
 */
export type Tab = { id?: number | null, url?: string | null, title?: string | null, active?: boolean | null, 
/**
 * Whether its site is one that is captured.
 */
captured?: boolean | null, };

/**
 * The extension's accounting since its browser started: captured = sent + buffered + dropped + rejected.
 */
export type ExtensionCounts = { captured?: number | null, sent?: number | null, 
/**
 * Waiting in the extension.
 */
buffered?: number | null, 
/**
 * Lost for lack of room, in the page or in the extension.
 */
dropped?: number | null, 
/**
 * Refused by the server.
 */
rejected?: number | null, };

export type Hello = { token?: string | null, version?: string | null, tabs?: Array<Tab> | null, settings?: ReportedSettings | null, counts?: ExtensionCounts | null, };

export type Status = { tabs?: Array<Tab> | null, settings?: ReportedSettings | null, counts?: ExtensionCounts | null, };

/**
 * A message of the extension on its socket.
 */
export type FromExtension = { "type": "hello" } & Hello | { "type": "status" } & Status | { "type": "heartbeat" } | { "type": "result" } & QueryResult;

/**
 * A message of the server on the extension's socket.
 */
export type ToExtension = { "type": "welcome", version: string, } | { "type": "query", query: PendingQuery, } | { "type": "heartbeat" };

/**
 * A line of the extension's own debug log.
 */
export type ExtensionLog = { 
/**
 * When it happened, by the page's clock.
 */
ts?: Timestamp | null, 
/**
 * Another name of `ts` on input.
 */
timestamp?: Timestamp | null, level?: Level | null, message?: string | null, context?: unknown | null, tabId?: number | null, test_id?: string | null, 
/**
 * One load of a page; of a frame with a dot and the frame's number after it.
 */
page_id?: string | null, 
/**
 * The CI worker that sent it.
 */
worker?: string | null, };

/** What the extension calls its failures. */
export type QueryCode = 'QUERY_TIMEOUT' | 'TAB_NOT_FOUND' | 'TAB_RESTRICTED' | 'TAB_DISCARDED' | 'TAB_CRASHED' | 'TAB_HIDDEN' | 'SITE_NOT_ENABLED' | 'INVALID_SELECTOR' | 'INVALID_TAGS' | 'PAGE_CHANGED' | 'USER_SCRIPTS_OFF' | 'EXECUTE_JS_OFF' | 'CONSENT_NEEDED' | 'RECORDING' | 'NOT_RECORDING' | 'TOO_LARGE';
