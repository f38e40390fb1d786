// Generated from crates/wire by `cargo xtask gen`. Do not edit.

import type { ReportedSettings } from './settings.gen';

/** ISO 8601 text, or milliseconds since 1970. */
export type Timestamp = string | number;

/**
 * How severe an entry is. Other spellings that pages and CI scripts use are read as the nearest of these.
 */
export type Level = "debug" | "log" | "info" | "warn" | "error";

/**
 * What the page and the server found out about an error after it was sent.
 */
export type AiContext = { 
/**
 * One sentence about the error and its likely place.
 */
summary?: string | null, 
/**
 * The stack in the developer's own files: `save (src/cart.ts:10:5)`. Only the server sets it.
 */
mappedStack?: Array<string> | null, 
/**
 * Source lines around the stack's first frames.
 */
sourceSnippets?: unknown | null, 
/**
 * The components that the error happened in, the innermost first.
 */
componentAncestry?: unknown | null, 
/**
 * What the application's stores held.
 */
stateSnapshot?: unknown | null, };

/**
 * One console line, uncaught error, rejection or failed request.
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
 * Set by the page, so that context can be added later; else the server assigns one.
 */
id?: string | null, 
/**
 * `console`, `exception`, `rejection`, `network`, `resource`, `csp`; when absent, `source` decides.
 */
type?: string | null, 
/**
 * How severe the entry is.
 */
level?: Level | null, 
/**
 * The text of the line or error.
 */
message?: string | null, 
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
source?: string | null, 
/**
 * The stack as the browser wrote it. The server maps it to source files in `ai_context`.
 */
stack?: string | null, 
/**
 * The script that the error was thrown in, as `window.onerror` gives it.
 */
filename?: string | null, 
/**
 * The line in that script, from 1.
 */
lineno?: number | null, 
/**
 * The column in that line, from 1.
 */
colno?: number | null, 
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
 * How often the page logged this since the last batch; absent means once.
 */
count?: number | null, 
/**
 * `window.__gasoline.annotate` values at that time.
 */
_context?: unknown | null, 
/**
 * Names of the contexts that were added to this entry.
 */
_enrichments?: Array<string> | null, 
/**
 * User actions shortly before an error.
 */
_actions?: unknown | null, 
/**
 * Context of an error, added after the entry was sent.
 */
_aiContext?: AiContext | null, 
/**
 * Whatever else the sender adds.
 */
metadata?: unknown | null, 
/**
 * The file with a screenshot of the page at that time. Only the server sets it; it is ignored on input.
 */
screenshot?: string | null, 
/**
 * The browser tab's id.
 */
tabId?: number | null, 
/**
 * The test that caused the entry; absent outside of test runs.
 */
test_id?: string | null, 
/**
 * The page load that the entry belongs to. For a frame, a dot and the frame's number follow.
 */
page_id?: string | null, 
/**
 * The CI worker that sent the entry.
 */
worker?: string | null, };

/**
 * Why only some messages of a fast connection are captured.
 */
export type Sampling = { 
/**
 * Messages a second, such as `48.2/s`.
 */
rate?: string | null, 
/**
 * The share that was kept, such as `1/5`.
 */
logged?: string | null, 
/**
 * The window over which the rate is measured, such as `5s`.
 */
window?: string | null, };

/**
 * The messages of one direction.
 */
export type DirectionStats = { 
/**
 * How many messages.
 */
total?: number | null, 
/**
 * Their size in bytes.
 */
bytes?: number | null, 
/**
 * Messages a second over the last five seconds.
 */
perSecond?: number | null, 
/**
 * When the last message passed.
 */
lastAt?: Timestamp | null, 
/**
 * The start of the last message.
 */
lastPreview?: string | null, };

/**
 * What the messages of a connection look like, when they are JSON.
 */
export type MessageSchema = { 
/**
 * Top-level keys seen in the messages.
 */
detectedKeys?: Array<string> | null, 
/**
 * How many messages were looked at.
 */
messageCount?: number | null, 
/**
 * Whether all of them have the same keys.
 */
consistent?: boolean | null, 
/**
 * Message types with their share, such as `message (89%)`, the most frequent first.
 */
variants?: Array<string> | null, };

/**
 * Whether a connection is being sampled now.
 */
export type SamplingState = { 
/**
 * Whether messages are being left out.
 */
active?: boolean | null, 
/**
 * The share of messages that is kept, such as `1/5`.
 */
rate?: string | null, 
/**
 * Why messages are left out.
 */
reason?: string | null, };

/**
 * The totals of one connection, as counted by the page.
 */
export type ConnectionStats = { 
/**
 * Received messages.
 */
incoming?: DirectionStats | null, 
/**
 * Sent messages.
 */
outgoing?: DirectionStats | null, 
/**
 * What the messages look like. Absent when they are not JSON.
 */
schema?: MessageSchema | null, 
/**
 * Whether messages are being left out.
 */
sampling?: SamplingState | null, };

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
event?: string | null, 
/**
 * The connection's id, unique in its page.
 */
connection_id?: string | null, 
/**
 * The address that the connection was opened to.
 */
url?: string | null, 
/**
 * `incoming` or `outgoing`, for messages.
 */
direction?: string | null, 
/**
 * The message, at most 4 KB of it, or a preview of a binary message.
 */
data?: string | null, 
/**
 * The message's size in bytes, before it was cut.
 */
size?: number | null, 
/**
 * Whether `data` was cut.
 */
truncated?: boolean | null, 
/**
 * How the connection was sampled when this message was kept. Absent when every message is kept.
 */
sampled?: Sampling | null, 
/**
 * The close code, for `close`.
 */
code?: number | null, 
/**
 * The close reason, for `close`.
 */
reason?: string | null, 
/**
 * The page's own counts for this connection so far; they include messages that sampling left out.
 */
stats?: ConnectionStats | null, 
/**
 * The browser tab's id.
 */
tabId?: number | null, 
/**
 * The test that caused the entry; absent outside of test runs.
 */
test_id?: string | null, 
/**
 * The page load that the entry belongs to. For a frame, a dot and the frame's number follow.
 */
page_id?: string | null, 
/**
 * The CI worker that sent the entry.
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
export type Cookie = { 
/**
 * The cookie's name.
 */
name?: string | null, 
/**
 * Whether it is sent over HTTPS only.
 */
secure?: boolean | null, 
/**
 * Whether scripts cannot read it.
 */
httpOnly?: boolean | null, 
/**
 * `Strict`, `Lax` or `None`.
 */
sameSite?: string | null, };

/**
 * One request and its response.
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
type?: string | null, 
/**
 * The HTTP method.
 */
method?: string | null, 
/**
 * The request's address.
 */
url?: string | null, 
/**
 * The HTTP status; 0 when no response arrived: aborted, blocked, offline.
 */
status?: number | null, 
/**
 * The body that was sent, at most 8 KB of it.
 */
requestBody?: string | null, 
/**
 * The body of the response, at most 16 KB of it.
 */
responseBody?: string | null, 
/**
 * The response's `content-type`.
 */
contentType?: string | null, 
/**
 * Milliseconds from the request to the end of its response.
 */
duration?: number | null, 
/**
 * Headers that were sent.
 */
requestHeaders?: Headers | null, 
/**
 * Headers of the response.
 */
responseHeaders?: Headers | null, 
/**
 * Whether the request carried a header that authenticates its sender. Its value is not captured.
 */
hasAuthHeader?: boolean | null, 
/**
 * Size of the request body in bytes, before it was cut.
 */
requestSize?: number | null, 
/**
 * Size of the response body in bytes, before it was cut.
 */
responseSize?: number | null, 
/**
 * Whether a body was cut at its limit.
 */
truncated?: boolean | null, 
/**
 * The address of the page that sent it.
 */
pageUrl?: string | null, 
/**
 * Why no response arrived.
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
 * Where the page sent it, as a stack without a message.
 */
stack?: string | null, 
/**
 * The user's event in whose handler it was sent: `click`, `submit` and the like.
 */
trigger?: string | null, 
/**
 * Names and flags of the cookies that it set; values are never captured.
 */
cookies?: Array<Cookie> | null, 
/**
 * The browser tab's id.
 */
tabId?: number | null, 
/**
 * The test that caused the entry; absent outside of test runs.
 */
test_id?: string | null, 
/**
 * The page load that the entry belongs to. For a frame, a dot and the frame's number follow.
 */
page_id?: string | null, 
/**
 * The CI worker that sent the entry.
 */
worker?: string | null, };

/**
 * An accessible role and the accessible name that goes with it.
 */
export type Role = { 
/**
 * The role, such as `button`.
 */
role?: string | null, 
/**
 * The accessible name.
 */
name?: string | null, };

/**
 * A place in the visible part of the page, in CSS pixels.
 */
export type Position = { 
/**
 * Pixels from the left.
 */
x?: number | null, 
/**
 * Pixels from the top.
 */
y?: number | null, };

/**
 * Ways to find the element again, the most stable first.
 */
export type Selectors = { 
/**
 * The value of `data-testid` or a similar attribute.
 */
testId?: string | null, 
/**
 * The `aria-label` attribute.
 */
ariaLabel?: string | null, 
/**
 * The accessible role with its name.
 */
role?: Role | null, 
/**
 * The `id` attribute.
 */
id?: string | null, 
/**
 * The visible text, at most 50 characters.
 */
text?: string | null, 
/**
 * A CSS path of at most five levels.
 */
cssPath?: string | null, };

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
type?: string | null, 
/**
 * Selectors that the page computed for the element. Absent when the sender computes none.
 */
selectors?: Selectors | null, 
/**
 * Where the pointer was.
 */
position?: Position | null, 
/**
 * The page's address.
 */
url?: string | null, 
/**
 * The input's `type` attribute.
 */
inputType?: string | null, 
/**
 * What was typed; `[redacted]` in sensitive inputs.
 */
value?: string | null, 
/**
 * The input's `autocomplete` attribute.
 */
autocomplete?: string | null, 
/**
 * The input's `name` attribute.
 */
name?: string | null, 
/**
 * The element's visible text.
 */
text?: string | null, 
/**
 * `keypress`: the key's name, such as `Enter`.
 */
key?: string | null, 
/**
 * `navigate`: the address before.
 */
fromUrl?: string | null, 
/**
 * `navigate`: the address after.
 */
toUrl?: string | null, 
/**
 * `scroll`: pixels from the left edge of the page.
 */
scrollX?: number | null, 
/**
 * `scroll`: pixels from the top of the page.
 */
scrollY?: number | null, 
/**
 * A plain CSS selector, from senders that compute no others.
 */
target?: string | null, 
/**
 * `select`: the value of the chosen option.
 */
selectedValue?: string | null, 
/**
 * `select`: the text of the chosen option.
 */
selectedText?: string | null, 
/**
 * `submit`: the address that the form is sent to.
 */
formAction?: string | null, 
/**
 * `submit`: the form's HTTP method.
 */
method?: string | null, 
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
y?: number | null, 
/**
 * The browser tab's id.
 */
tabId?: number | null, 
/**
 * The test that caused the entry; absent outside of test runs.
 */
test_id?: string | null, 
/**
 * The page load that the entry belongs to. For a frame, a dot and the frame's number follow.
 */
page_id?: string | null, 
/**
 * The CI worker that sent the entry.
 */
worker?: string | null, };

/**
 * Milliseconds from the start of the navigation.
 */
export type Timing = { 
/**
 * The `DOMContentLoaded` event.
 */
domContentLoaded?: number | null, 
/**
 * The `load` event.
 */
load?: number | null, 
/**
 * First Contentful Paint.
 */
firstContentfulPaint?: number | null, 
/**
 * Largest Contentful Paint so far.
 */
largestContentfulPaint?: number | null, 
/**
 * The first byte of the document.
 */
timeToFirstByte?: number | null, 
/**
 * The document became interactive.
 */
domInteractive?: number | null, };

/**
 * The requests of one type, added up.
 */
export type TypeTotal = { 
/**
 * How many requests.
 */
count?: number | null, 
/**
 * Transferred bytes.
 */
size?: number | null, };

/**
 * Count and size of the requests of each type.
 */
export type ByType = { 
/**
 * Scripts.
 */
script?: TypeTotal | null, 
/**
 * Style sheets.
 */
style?: TypeTotal | null, 
/**
 * Images.
 */
image?: TypeTotal | null, 
/**
 * Fonts.
 */
font?: TypeTotal | null, 
/**
 * Calls of `fetch` and `XMLHttpRequest`.
 */
fetch?: TypeTotal | null, 
/**
 * Everything else.
 */
other?: TypeTotal | null, };

/**
 * One of the slowest requests of a load.
 */
export type SlowRequest = { 
/**
 * The request's address.
 */
url?: string | null, 
/**
 * Milliseconds.
 */
duration?: number | null, 
/**
 * Transferred bytes.
 */
size?: number | null, };

/**
 * A resource that an encrypted page loads over plain HTTP.
 */
export type InsecureResource = { 
/**
 * The resource's address.
 */
url?: string | null, 
/**
 * The element that requests it: `script`, `img` and the like.
 */
type?: string | null, };

/**
 * The requests of one load.
 */
export type NetworkSummary = { 
/**
 * How many requests.
 */
requestCount?: number | null, 
/**
 * Transferred bytes.
 */
transferSize?: number | null, 
/**
 * Bytes after decompression.
 */
decodedSize?: number | null, 
/**
 * The requests by type.
 */
byType?: ByType | null, 
/**
 * The slowest requests, the slowest first.
 */
slowestRequests?: Array<SlowRequest> | null, };

/**
 * Tasks of 50 ms and more, which block the page.
 */
export type LongTasks = { 
/**
 * How many tasks.
 */
count?: number | null, 
/**
 * Milliseconds beyond the first 50 of each task, added up.
 */
totalBlockingTime?: number | null, 
/**
 * The longest task, in milliseconds.
 */
longest?: number | null, };

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
softNavigation?: boolean | null, 
/**
 * When the parts of the load were done.
 */
timing?: Timing | null, 
/**
 * What was requested and transferred.
 */
network?: NetworkSummary | null, 
/**
 * Tasks that blocked the page.
 */
longTasks?: LongTasks | null, 
/**
 * Cumulative Layout Shift, a score without a unit.
 */
cumulativeLayoutShift?: number | null, 
/**
 * Interaction to Next Paint, in milliseconds. Absent until the user interacts.
 */
interactionToNextPaint?: number | null, 
/**
 * The page's whole address, where one of the next three fields needs it.
 */
pageUrl?: string | null, 
/**
 * Resources that an encrypted page loads unencrypted.
 */
insecureResources?: Array<InsecureResource> | null, 
/**
 * The page's cookies, by name, as far as their flags are known.
 */
cookies?: Array<Cookie> | null, 
/**
 * Those headers of the page's own document that protect a page.
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
unit?: string | null, 
/**
 * The browser tab's id.
 */
tabId?: number | null, 
/**
 * The test that caused the entry; absent outside of test runs.
 */
test_id?: string | null, 
/**
 * The page load that the entry belongs to. For a frame, a dot and the frame's number follow.
 */
page_id?: string | null, 
/**
 * The CI worker that sent the entry.
 */
worker?: string | null, };

/**
 * What a page's load usually looks like: the average of its first five loads, then a moving average.
 */
export type PerformanceBaseline = { 
/**
 * The page's path.
 */
url?: string | null, 
/**
 * How many loads it is made from.
 */
sampleCount?: number | null, 
/**
 * When the last of them happened.
 */
lastUpdated?: Timestamp | null, 
/**
 * Average times.
 */
timing?: Timing | null, 
/**
 * Average requests and sizes.
 */
network?: NetworkSummary | null, 
/**
 * Average long tasks.
 */
longTasks?: LongTasks | null, 
/**
 * Average Cumulative Layout Shift.
 */
cumulativeLayoutShift?: number | null, 
/**
 * Average Interaction to Next Paint, in milliseconds.
 */
interactionToNextPaint?: number | null, };

/**
 * A heading, or an element with a test id.
 */
export type SnapshotElement = { 
/**
 * The accessible role, such as `heading`.
 */
role?: string | null, 
/**
 * Headings only: their level, from 1 to 6.
 */
level?: number | null, 
/**
 * At most 100 characters.
 */
text?: string | null, 
/**
 * The value of the element's `data-testid` or a similar attribute.
 */
testId?: string | null, 
/**
 * Whether the user could see it.
 */
visible?: boolean | null, };

/**
 * The headings and marked elements of a page at one time.
 */
export type DomSnapshot = { 
/**
 * When it happened, by the page's clock.
 */
ts?: Timestamp | null, 
/**
 * Another name of `ts` on input.
 */
timestamp?: Timestamp | null, 
/**
 * The page's address.
 */
url?: string | null, 
/**
 * The page's title.
 */
title?: string | null, 
/**
 * The elements, in document order.
 */
elements?: Array<SnapshotElement> | null, 
/**
 * Always `dom_snapshot` in `/sync`.
 */
type?: string | null, 
/**
 * The browser tab's id.
 */
tabId?: number | null, 
/**
 * The test that caused the entry; absent outside of test runs.
 */
test_id?: string | null, 
/**
 * The page load that the entry belongs to. For a frame, a dot and the frame's number follow.
 */
page_id?: string | null, 
/**
 * The CI worker that sent the entry.
 */
worker?: string | null, };

/**
 * The kind of an event in a sync batch. Its other fields are those of that kind.
 */
export type SyncKind = "console" | "error" | "network" | "websocket" | "action" | "performance" | "dom_snapshot";

/**
 * How full one buffer is.
 */
export type BufferFill = { 
/**
 * Entries in it.
 */
count: number, 
/**
 * Time of its oldest entry in milliseconds since 1970; 0 when it is empty.
 */
oldest_ms: number, 
/**
 * Memory that its entries take.
 */
memory_bytes: number, };

/**
 * How full the buffers are that a sync batch fills.
 */
export type BufferStatus = { 
/**
 * Console lines and errors.
 */
logs: BufferFill, 
/**
 * Requests.
 */
network: BufferFill, 
/**
 * User actions.
 */
actions: BufferFill, 
/**
 * Socket events.
 */
websocket: BufferFill, };

/**
 * The reply to `POST /sync`.
 */
export type SyncReply = { 
/**
 * Always `received`.
 */
status: string, 
/**
 * Entries that were stored.
 */
event_count: number, 
/**
 * Entries that were refused.
 */
rejected: number, 
/**
 * How full the buffers are now.
 */
buffer_status: BufferStatus, 
/**
 * Scripts that errors point into and whose source maps the server lacks. `POST /source-maps` uploads them.
 */
source_maps_wanted?: Array<string>, };

/**
 * How a test ended, in Playwright's words.
 */
export type TestStatus = "passed" | "failed" | "timedOut" | "interrupted" | "skipped";

/**
 * Which end of a test a boundary marks.
 */
export type BoundaryAction = "start" | "end";

/**
 * The reply to `POST /test-boundary`.
 */
export type BoundaryReply = { 
/**
 * The test that the boundary is about.
 */
test_id: string, 
/**
 * What was recorded.
 */
action: BoundaryAction, 
/**
 * The server's time of the boundary.
 */
timestamp: Timestamp, };

/**
 * What a test runner reports about a test, and when it started and ended.
 */
export type TestRecord = { 
/**
 * The tag of the test's entries: unique in the run, retries included.
 */
test_id: string, 
/**
 * The test's titles from the outermost suite to the test itself, joined with ` › `.
 */
title?: string | null, 
/**
 * The test's file.
 */
file?: string | null, 
/**
 * The line in that file where the test is defined.
 */
line?: number | null, 
/**
 * The Playwright project that ran it.
 */
project?: string | null, 
/**
 * 0 for the first attempt.
 */
retry?: number | null, 
/**
 * Which of several runs of the same test it is (`--repeat-each`), from 0.
 */
repeat?: number | null, 
/**
 * The shard that ran it, such as `1/3`.
 */
shard?: string | null, 
/**
 * The worker that ran it. Entries that this worker sent without a `test_id` belong to this test.
 */
worker?: string | null, 
/**
 * How the test ended. Absent while it runs.
 */
status?: TestStatus | null, 
/**
 * How the test was expected to end, such as `failed` for one marked so.
 */
expected_status?: TestStatus | null, 
/**
 * How long it ran, in milliseconds.
 */
duration_ms?: number | null, 
/**
 * The test runner's error message.
 */
error?: string | null, 
/**
 * Where the test failed: `file:line:column`. Also read from an object with these three.
 */
location?: string | null, 
/**
 * When the server received its start.
 */
started?: Timestamp | null, 
/**
 * When the server received its end. Absent while it runs.
 */
ended?: Timestamp | null, 
/**
 * Entries of this test that were cleared, or evicted to make room. Only the server counts them.
 */
entries_removed?: number | null, };

/**
 * A response that differs from what other tests got from the same endpoint.
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
 * The test that got it. Absent outside of tests.
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
 * What was captured, of all tests or of one. The types of the lists are open: the server puts its own entries into
 * them, and reports read files whose entries may not be valid.
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
 * Requests, with their bodies if those were captured.
 */
network_bodies: Array<NetworkBody>, 
/**
 * Actions of the user or the test.
 */
enhanced_actions: Array<EnhancedAction>, 
/**
 * What the pages showed.
 */
dom_snapshots: Array<DomSnapshot>, 
/**
 * Responses that differ from the endpoint's other responses.
 */
odd_answers: Array<OddAnswer>, 
/**
 * How much was captured.
 */
stats: SnapshotStats, };

/**
 * A screenshot and what it belongs to.
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
 * The sender's id of the log entry that it belongs to. The entry may still be on its way.
 */
error_id?: string | null, };

/**
 * The reply to `POST /screenshots`.
 */
export type ScreenshotReply = { 
/**
 * Name of the file below the screenshot folder.
 */
filename: string, 
/**
 * Path of the file.
 */
path: string, };

/**
 * A source map, the script itself, or the reason why there is neither.
 */
export type SourceMapUpload = { 
/**
 * The script's address, as stacks show it.
 */
url?: string | null, 
/**
 * The source map, as text.
 */
map?: string | null, 
/**
 * Where the map came from, unless the script itself contains it.
 */
map_url?: string | null, 
/**
 * The script itself, where it has no map because it runs as it was written.
 */
script?: string | null, 
/**
 * Why there is neither, for a person to read.
 */
missing?: string | null, 
/**
 * The page load that ran the script, as its entries name it. The map serves every entry that waits for it.
 */
page_id?: string | null, };

/**
 * The reply to `POST /source-maps`.
 */
export type SourceMapReply = { 
/**
 * Always true: a refused upload is an HTTP error.
 */
received: boolean, 
/**
 * How many source files the map lists.
 */
sources: number, };

/**
 * What a video shows: the part `metadata` beside the part `video`.
 */
export type RecordingMetadata = { 
/**
 * Letters, digits, `.`, `_` and `-`; the server makes up a name when this is absent.
 */
name?: string | null, 
/**
 * Length of the video in seconds.
 */
duration_seconds?: number | null, 
/**
 * Width and height in pixels: `1280x720`.
 */
resolution?: string | null, 
/**
 * Frames a second.
 */
frame_rate?: number | null, 
/**
 * The video's MIME type.
 */
mime_type?: string | null, 
/**
 * The page's address when the recording began.
 */
url?: string | null, 
/**
 * The tab that was recorded.
 */
tab_id?: number | null, };

/**
 * What happened to an upload. Failures are HTTP errors.
 */
export type RecordingStatus = "saved";

/**
 * The reply to `POST /recordings/save`.
 */
export type RecordingReply = { 
/**
 * Always `saved`.
 */
status: RecordingStatus, 
/**
 * The requested name, with a number appended when it was taken.
 */
name: string, 
/**
 * Path of the video.
 */
path: string, 
/**
 * Path of the JSON file beside it.
 */
metadata_path: string, 
/**
 * Size of the video in bytes.
 */
size_bytes: number, 
/**
 * Length of the video in seconds, if the sender gave one.
 */
duration_seconds: number | null, };

/**
 * What the extension is asked to do.
 */
export type QueryAction = "query_dom" | "get_page_info" | "execute_a11y_audit" | "execute_js" | "take_screenshot" | "record_start" | "record_stop";

/**
 * The parameters of a question; the action decides which of them matter.
 */
export type QueryParams = { 
/**
 * `execute_js`: the script to run.
 */
script?: string | null, 
/**
 * `query_dom`: selects the elements.
 */
selector?: string | null, 
/**
 * `query_dom`: whether to add computed styles.
 */
include_styles?: boolean | null, 
/**
 * `query_dom`: whether to describe children.
 */
include_children?: boolean | null, 
/**
 * `query_dom`: how many levels of children.
 */
max_depth?: number | null, 
/**
 * `query_dom`: the styles to include.
 */
properties?: Array<string> | null, 
/**
 * `execute_a11y_audit`: selects the part of the page to audit.
 */
scope?: string | null, 
/**
 * `execute_a11y_audit`: rule tags such as `wcag2a`.
 */
tags?: Array<string> | null, 
/**
 * `execute_a11y_audit`: whether to list the rules that the page keeps.
 */
include_passes?: boolean | null, 
/**
 * `take_screenshot`: the whole page instead of the visible part.
 */
full_page?: boolean | null, 
/**
 * `record_start`: the name of the file.
 */
name?: string | null, };

/**
 * One question, as `GET /pending-queries` and the extension's socket deliver it.
 */
export type PendingQuery = { 
/**
 * The server's id of the question.
 */
id: string, 
/**
 * A second id of the question, by which polling clients fetch its result.
 */
correlation_id: string, 
/**
 * What to do.
 */
action: QueryAction, 
/**
 * The tab to ask. Absent for the active one.
 */
tab_id?: number, 
/**
 * How long the browser may take, in milliseconds.
 */
timeout_ms: number, 
/**
 * When the server created it.
 */
created_at: Timestamp, 
/**
 * `execute_js`: the script to run.
 */
script?: string | null, 
/**
 * `query_dom`: selects the elements.
 */
selector?: string | null, 
/**
 * `query_dom`: whether to add computed styles.
 */
include_styles?: boolean | null, 
/**
 * `query_dom`: whether to describe children.
 */
include_children?: boolean | null, 
/**
 * `query_dom`: how many levels of children.
 */
max_depth?: number | null, 
/**
 * `query_dom`: the styles to include.
 */
properties?: Array<string> | null, 
/**
 * `execute_a11y_audit`: selects the part of the page to audit.
 */
scope?: string | null, 
/**
 * `execute_a11y_audit`: rule tags such as `wcag2a`.
 */
tags?: Array<string> | null, 
/**
 * `execute_a11y_audit`: whether to list the rules that the page keeps.
 */
include_passes?: boolean | null, 
/**
 * `take_screenshot`: the whole page instead of the visible part.
 */
full_page?: boolean | null, 
/**
 * `record_start`: the name of the file.
 */
name?: string | null, };

/**
 * The value that an action returned.
 */
export type QueryValue = { 
/**
 * Whether the action succeeded.
 */
success?: boolean | null, 
/**
 * The value as JSON.
 */
value?: unknown | null, 
/**
 * The value's JavaScript type.
 */
type?: string | null, };

/**
 * Why an action failed.
 */
export type QueryError = { 
/**
 * The reason, for a reader.
 */
message?: string | null, 
/**
 * The type of the error that a script threw.
 */
type?: string | null, 
/**
 * The stack of that error.
 */
stack?: string | null, 
/**
 * One of [`code`], or another client's own code.
 */
code?: string | null, };

/**
 * An answer, as `POST /dom-result` and the extension's socket deliver it.
 */
export type QueryResult = { 
/**
 * The id of the question.
 */
query_id?: string | null, 
/**
 * The question's `correlation_id`.
 */
correlation_id?: string | null, 
/**
 * What was done.
 */
action?: QueryAction | null, 
/**
 * What it returned. Absent when it failed.
 */
result?: QueryValue | null, 
/**
 * Why it failed. Absent when it succeeded.
 */
error?: QueryError | null, 
/**
 * How long it took in the browser, in milliseconds.
 */
execution_time_ms?: number | null, 
/**
 * The tab that answered.
 */
tab_id?: number | null, 
/**
 * The address of that tab's page.
 */
url?: string | null, 
/**
 * When the browser answered.
 */
timestamp?: Timestamp | null, };

/**
 * An overview of the page.
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
 * How many elements the user can interact with.
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
 * What was left out or not searched, and why.
 */
partial?: string, 
/**
 * Why nothing matches.
 */
hint?: string, };

/**
 * An element that the selector matches.
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
 * Its attributes, without the values of secret fields.
 */
attributes: { [key in string]: string }, 
/**
 * Its visible text.
 */
text: string, 
/**
 * The field's current value.
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
 * Whether the user can see it.
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
 * How many rules passed and failed.
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
 * How many rules passed and failed.
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
 * What the rule requires.
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
 * The start of its HTML.
 */
html: string, 
/**
 * What is wrong with it.
 */
failureSummary: string, 
/**
 * How to fix it.
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
 * What the rule requires.
 */
description: string, 
/**
 * How many elements keep it.
 */
nodeCount: number, };

/**
 * The result of a script.
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
 * Its text.
 */
message: string, };

/**
 * A screenshot of the page.
 */
export type ScreenshotAnswer = { 
/**
 * The image itself, which the server removes from the answer and saves.
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
 * Which part of the page is missing.
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
export type Tab = { 
/**
 * Chrome's id of the tab.
 */
id?: number | null, 
/**
 * The address of its page.
 */
url?: string | null, 
/**
 * The title of its page.
 */
title?: string | null, 
/**
 * Whether it is in front of its window.
 */
active?: boolean | null, 
/**
 * Whether the user captures its site.
 */
captured?: boolean | null, };

/**
 * The extension's accounting since its browser started: captured = sent + buffered + dropped + rejected.
 */
export type ExtensionCounts = { 
/**
 * Entries that pages handed over.
 */
captured?: number | null, 
/**
 * Entries that the server accepted.
 */
sent?: number | null, 
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

/**
 * The extension's first message on its socket.
 */
export type Hello = { 
/**
 * The server's token, as the user entered it. Absent when the server asks for none.
 */
token?: string | null, 
/**
 * The extension's version.
 */
version?: string | null, 
/**
 * The open tabs.
 */
tabs?: Array<Tab> | null, 
/**
 * The user's settings.
 */
settings?: ReportedSettings | null, 
/**
 * The extension's accounting so far.
 */
counts?: ExtensionCounts | null, };

/**
 * What changed since the last message: absent parts stay as they were.
 */
export type Status = { 
/**
 * The open tabs.
 */
tabs?: Array<Tab> | null, 
/**
 * The user's settings.
 */
settings?: ReportedSettings | null, 
/**
 * The extension's accounting so far.
 */
counts?: ExtensionCounts | null, };

/**
 * A message of the extension on its socket.
 */
export type FromExtension = { "type": "hello" } & Hello | { "type": "status" } & Status | { "type": "heartbeat" } | { "type": "result" } & QueryResult;

/**
 * A message of the server on the extension's socket.
 */
export type ToExtension = { "type": "welcome", 
/**
 * The server's version.
 */
version: string, } | { "type": "query", 
/**
 * The question.
 */
query: PendingQuery, } | { "type": "heartbeat" };

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
timestamp?: Timestamp | null, 
/**
 * How severe the line is.
 */
level?: Level | null, 
/**
 * The text of the line.
 */
message?: string | null, 
/**
 * Values logged with it.
 */
context?: unknown | null, 
/**
 * The browser tab's id.
 */
tabId?: number | null, 
/**
 * The test that caused the entry; absent outside of test runs.
 */
test_id?: string | null, 
/**
 * The page load that the entry belongs to. For a frame, a dot and the frame's number follow.
 */
page_id?: string | null, 
/**
 * The CI worker that sent the entry.
 */
worker?: string | null, };

/** The error codes of the extension. */
export type QueryCode = 'QUERY_TIMEOUT' | 'TAB_NOT_FOUND' | 'TAB_RESTRICTED' | 'TAB_DISCARDED' | 'TAB_CRASHED' | 'TAB_HIDDEN' | 'SITE_NOT_ENABLED' | 'INVALID_SELECTOR' | 'INVALID_TAGS' | 'PAGE_CHANGED' | 'USER_SCRIPTS_OFF' | 'EXECUTE_JS_OFF' | 'CONSENT_NEEDED' | 'RECORDING' | 'NOT_RECORDING' | 'TOO_LARGE';
