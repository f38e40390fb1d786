//! Every limit the product promises, in one place. `limits.gen.ts` is written from this list.

macro_rules! limits {
    ($( $(#[$meta:meta])* $name:ident : $ty:ty = $value:expr; )*) => {
        $( $(#[$meta])* pub const $name: $ty = $value; )*

        /// Name and value of every limit, for the TypeScript side and for `/health`.
        pub const ALL: &[(&str, u64)] = &[ $( (stringify!($name), $name as u64), )* ];
    };
}

const KB: usize = 1024;
const MB: usize = 1024 * KB;

limits! {
    /// The port that the server listens on when the user names none.
    DEFAULT_PORT: u16 = 7890;

    /// Console lines and errors in the `logs` buffer.
    LOG_ENTRIES: usize = 1_000;
    /// Memory of the `logs` buffer.
    LOG_BYTES: usize = 8 * MB;
    /// WebSocket and event-stream events in their buffer.
    WEBSOCKET_ENTRIES: usize = 500;
    /// Memory of the buffer of socket events.
    WEBSOCKET_BYTES: usize = 4 * MB;
    /// Requests, with their bodies, in the network buffer.
    NETWORK_ENTRIES: usize = 100;
    /// Memory of the network buffer.
    NETWORK_BYTES: usize = 8 * MB;
    /// User actions in their buffer.
    ACTION_ENTRIES: usize = 50;
    /// Memory of the buffer of user actions.
    ACTION_BYTES: usize = MB;
    /// DOM snapshots in their buffer.
    DOM_SNAPSHOT_ENTRIES: usize = 20;
    /// Memory of the buffer of DOM snapshots.
    DOM_SNAPSHOT_BYTES: usize = 256 * KB;
    /// Pages whose load performance is kept.
    PERFORMANCE_URLS: usize = 20;
    /// Memory of the page loads and their baselines.
    PERFORMANCE_BYTES: usize = 256 * KB;
    /// Lines of the extension's own log that the server keeps.
    EXTENSION_LOG_ENTRIES: usize = 200;
    /// Memory of the extension's own log.
    EXTENSION_LOG_BYTES: usize = 256 * KB;
    /// Lines of its own log that the extension sends at once, and keeps while the server is away.
    EXTENSION_LOGS_PER_POST: usize = 50;

    /// With `serve --ci` the limits above apply to each test, and this one to all tests together. Beyond it the server
    /// evicts whole tests, the longest silent first.
    CI_BUFFER_BYTES: usize = 64 * MB;
    /// Tests whose connections are kept at a time.
    CI_CONNECTION_TESTS: usize = 100;
    /// Records of a run's tests and their outcomes; the oldest are evicted.
    TEST_RECORDS: usize = 2_000;
    /// Memory of all test records.
    TEST_RECORD_BYTES: usize = 4 * MB;
    /// Length of a test id.
    TEST_ID_CHARS: usize = 500;
    /// Length of a test's title, and of each other short text of its record.
    TEST_TEXT_BYTES: usize = KB;
    /// Length of the test runner's error message.
    TEST_ERROR_BYTES: usize = 4 * KB;

    /// Open connections whose state is kept.
    OPEN_CONNECTIONS: usize = 20;
    /// Closed connections whose state is kept.
    CLOSED_CONNECTIONS: usize = 10;
    /// How long a closed connection is kept.
    CLOSED_CONNECTION_SECONDS: u64 = 300;
    /// Memory of all connections.
    CONNECTION_BYTES: usize = 2 * MB;

    /// Length of any stored text. The rest is dropped, because it was not scanned for credentials.
    TEXT_BYTES: usize = 16 * KB;
    /// Length of a stored request body.
    REQUEST_BODY_BYTES: usize = 8 * KB;
    /// Length of a stored response body.
    RESPONSE_BODY_BYTES: usize = 16 * KB;
    /// Length of a stored socket message.
    WEBSOCKET_MESSAGE_BYTES: usize = 4 * KB;
    /// Length of one element's text in a DOM snapshot.
    SNAPSHOT_TEXT_CHARS: usize = 100;
    /// Elements in a DOM snapshot.
    SNAPSHOT_ELEMENTS: usize = 50;
    /// Size of one serialized entry, whatever its kind; a larger one is refused.
    ENTRY_BYTES: usize = 256 * KB;
    /// Length of an entry's id and of a batch's name.
    ENTRY_ID_CHARS: usize = 64;
    /// Distinct credentials that keep their placeholder numbers.
    KNOWN_SECRETS: usize = 4_096;
    /// Credentials listed beside one entry.
    FINDINGS_PER_ENTRY: usize = 20;
    /// A secret shorter than this is not shown in part either.
    SECRET_PREVIEW_MIN_CHARS: usize = 12;

    /// Longest plausible page load: a day.
    LOAD_MILLIS: u64 = 24 * 60 * 60 * 1_000;
    /// Most bytes that one page load plausibly transfers: a hundred gigabytes.
    LOAD_BYTES: u64 = 100_000_000_000;
    /// Most requests or long tasks that one page load plausibly has.
    LOAD_COUNT: u64 = 1_000_000;
    /// Largest plausible layout-shift score. Scores add up; a bad page has 1.
    LOAD_LAYOUT_SHIFT: u64 = 10_000;

    /// Length of the preview of a connection's last message in its status.
    WEBSOCKET_PREVIEW_CHARS: usize = 200;
    /// Messages of a new connection that are kept whatever its rate.
    WEBSOCKET_FIRST_MESSAGES: usize = 5;
    /// Window over which a connection's message rate is measured.
    WEBSOCKET_RATE_WINDOW_SECONDS: u64 = 5;
    /// Binary messages smaller than this are shown in hexadecimal.
    BINARY_HEX_BELOW_BYTES: usize = 256;
    /// Bytes of a binary message that are shown in hexadecimal.
    BINARY_HEX_BYTES: usize = 64;

    /// Keys that a page can annotate.
    ANNOTATION_KEYS: usize = 50;
    /// Size of one annotation's value.
    ANNOTATION_BYTES: usize = 4 * KB;
    /// Annotations on one error that are larger than this are worth a warning.
    ANNOTATION_WARN_BYTES: usize = 20 * KB;
    /// Errors with that much annotation, within [`ANNOTATION_WARN_SECONDS`], before the warning is shown.
    ANNOTATION_WARN_ENTRIES: usize = 3;
    /// Window in which such errors are counted.
    ANNOTATION_WARN_SECONDS: u64 = 60;
    /// Length of the text that serves as a selector.
    SELECTOR_TEXT_CHARS: usize = 50;
    /// Levels of a CSS path.
    CSS_PATH_LEVELS: usize = 5;
    /// Shortest time between two captured scroll actions.
    SCROLL_THROTTLE_MILLIS: u64 = 500;
    /// Headings in a DOM snapshot.
    SNAPSHOT_HEADINGS: usize = 5;
    /// Delay of the DOM snapshot after the page's load.
    SNAPSHOT_AFTER_LOAD_MILLIS: u64 = 200;
    /// Delay of the DOM snapshot after a route change.
    SNAPSHOT_AFTER_ROUTE_MILLIS: u64 = 500;
    /// Delay of the DOM snapshot after a change of the page.
    SNAPSHOT_AFTER_CHANGE_MILLIS: u64 = 300;
    /// Shortest time between two DOM snapshots.
    SNAPSHOT_GAP_MILLIS: u64 = 500;
    /// Delay of the performance snapshot after the page's load.
    PERFORMANCE_AFTER_LOAD_MILLIS: u64 = 2_000;
    /// Slowest requests that a performance snapshot lists.
    SLOWEST_REQUESTS: usize = 3;
    /// Reading bodies and serializing wait for the load event and this much longer.
    SETTLE_MILLIS: u64 = 100;
    /// The same error or warning within this time is counted, not sent again.
    DEDUPE_MILLIS: u64 = 5_000;
    /// Size of the capture script that runs in pages.
    CAPTURE_SCRIPT_BYTES: usize = 40 * KB;

    /// Components that are recorded when an error happens. Recording takes the page's own time.
    REACT_SNAPSHOT_COMPONENTS: usize = 3_000;
    /// Time that recording them may take.
    REACT_SNAPSHOT_MILLIS: u64 = 5;
    /// Errors closer together than this share one recording.
    REACT_SNAPSHOT_GAP_MILLIS: u64 = 250;
    /// Errors whose recording a page holds at a time.
    REACT_SNAPSHOT_KEPT: usize = 5;

    /// Time for all work on one error's context; what is ready by then is sent.
    ENRICH_MILLIS: u64 = 3_000;
    /// Errors a second that get a context.
    ENRICH_PER_SECOND: usize = 5;
    /// Errors a minute that get a context.
    ENRICH_PER_MINUTE: usize = 30;
    /// Time for reading the component ancestry of an error.
    ANCESTRY_MILLIS: u64 = 50;
    /// Components in an ancestry.
    ANCESTRY_COMPONENTS: usize = 10;
    /// Names of props listed for one component.
    ANCESTRY_PROP_KEYS: usize = 20;
    /// Names of state fields listed for one component.
    ANCESTRY_STATE_KEYS: usize = 10;
    /// Size of a component ancestry.
    ANCESTRY_BYTES: usize = 5 * KB;
    /// Time for reading the application's state for an error.
    STATE_MILLIS: u64 = 100;
    /// Entries of a state slice that a state snapshot shows.
    STATE_SLICE_ENTRIES: usize = 10;
    /// Length of one value in a state snapshot.
    STATE_VALUE_CHARS: usize = 200;
    /// State that changed within this time before an error counts as recent.
    STATE_RECENT_MILLIS: u64 = 2_000;
    /// Size of a state snapshot.
    STATE_BYTES: usize = 5 * KB;
    /// Scripts and source maps that the extension fetches at the same time.
    SOURCE_MAP_FETCHES: usize = 3;
    /// Scripts' texts that the extension keeps for a few seconds, together.
    SCRIPT_TEXTS_BYTES: usize = 32 * MB;

    /// Entries that a page may hold until the extension takes them.
    PAGE_QUEUE_ENTRIES: usize = 2_000;
    /// Bytes of entries that a page may hold until the extension takes them.
    PAGE_QUEUE_BYTES: usize = 4 * MB;
    /// Entries that the CI script sends at a time.
    CI_BATCH_ENTRIES: usize = 50;
    /// How often the CI script sends.
    CI_BATCH_MILLIS: u64 = 100;
    /// Entries that the CI script may hold until they are sent.
    CI_QUEUE_ENTRIES: usize = 1_000;
    /// Bytes of entries that the CI script may hold until they are sent.
    CI_QUEUE_BYTES: usize = MB;
    /// How often the extension sends a batch.
    SEND_MILLIS: u64 = 1_000;
    /// Entries in one batch of the extension.
    SEND_ENTRIES: usize = 500;
    /// Size of one batch of the extension.
    SEND_BYTES: usize = MB;
    /// Deadline of one request that sends a batch.
    SEND_TIMEOUT_MILLIS: u64 = 10_000;
    /// Failed sends in a row before the sender backs off.
    BREAKER_FAILURES: usize = 5;
    /// Longest back-off of a sender.
    BREAKER_SECONDS: u64 = 30;
    /// Memory of the extension above which its queue takes less.
    EXTENSION_SOFT_MB: usize = 20;
    /// Memory of the extension above which it captures no network bodies.
    EXTENSION_HARD_MB: usize = 50;
    /// Entries waiting in the extension. Its session storage has 10 MB, and escaped quotes take room there.
    EXTENSION_QUEUE_BYTES: usize = 6 * MB;
    /// Batch names that the server remembers, so that it stores no batch twice.
    KNOWN_BATCHES: usize = 256;

    /// Size of an HTTP request body.
    REQUEST_BYTES: usize = 10 * MB;
    /// Deadline for a request to arrive completely.
    REQUEST_READ_SECONDS: u64 = 30;
    /// Entries a second that the server accepts, before bursts.
    EVENTS_PER_SECOND: u32 = 1_000;
    /// The same with `serve --ci`.
    CI_EVENTS_PER_SECOND: u32 = 20_000;
    /// A burst may bring this many seconds' worth of entries at once.
    BURST_FACTOR: u32 = 5;
    /// Unknown field names that `/health` lists; more are only counted.
    UNKNOWN_FIELD_NAMES: usize = 50;
    /// Entries of one request. The rate limit may allow fewer.
    BATCH_ENTRIES: usize = 200_000;
    /// TCP connections to the server at a time.
    CONNECTIONS: usize = 1_024;
    /// MCP sessions over HTTP; a new one ends the least recently used one.
    HTTP_SESSIONS: usize = 64;
    /// Large request bodies that are read at the same time; further ones wait.
    BODIES_IN_FLIGHT_MB: usize = 32;
    /// Large answers that wait to be read, for all clients together.
    UNREAD_ANSWERS_MB: usize = 12;
    /// A client that reads nothing of its answer for this long is disconnected.
    UNREAD_SECONDS: u64 = 30;
    /// Tabs that the server remembers of one browser.
    TABS: usize = 200;
    /// Length of a tab's address and of its title.
    TAB_CHARS: usize = 500;

    /// Lines that are written at once, without waiting for more.
    JOURNAL_BATCH_ENTRIES: usize = 10;
    /// Bytes that go into one write when more lines than that wait.
    JOURNAL_WRITE_BYTES: usize = 256 * KB;
    /// Longest time that a line waits to be written.
    JOURNAL_FLUSH_MILLIS: u64 = 1_000;
    /// Size at which the journal's file is rotated.
    JOURNAL_ROTATE_BYTES: usize = 10 * MB;
    /// Lines waiting for a slow disk; beyond this they are dropped and counted.
    JOURNAL_QUEUE_BYTES: usize = 4 * MB;
    /// A disk slower than this per write gets no network bodies.
    JOURNAL_SLOW_MILLIS: u64 = 50;

    /// Above this much process memory, new network bodies are refused.
    MEMORY_SOFT_MB: usize = 50;
    /// Above this much process memory, buffers are cleared and only warnings and errors are kept.
    MEMORY_HARD_MB: usize = 100;
    /// With `serve --ci`: above this much process memory, the longest silent tests are evicted.
    CI_MEMORY_EASE_MB: usize = 80;
    /// With `serve --ci`: above this much process memory, new network bodies are refused.
    CI_MEMORY_SOFT_MB: usize = 95;
    /// Log entries that are kept while memory is above the hard limit.
    MINIMAL_LOG_ENTRIES: usize = 100;

    /// Response budget of one tool call.
    ANSWER_BYTES: usize = 50 * KB;
    /// Size of the answer to `tools/list`.
    TOOLS_LIST_BYTES: usize = 18_000;
    /// Size of a reproduction script; beyond it the oldest steps are left out.
    REPRODUCTION_SCRIPT_BYTES: usize = 50 * KB;
    /// Size of a generated regression test.
    TEST_SCRIPT_BYTES: usize = 100 * KB;
    /// Size of the responses that a regression test's mocked variant plays.
    TEST_FIXTURE_BYTES: usize = 50 * KB;
    /// Responses whose bodies a regression test checks, and responses that it plays.
    TEST_BODIES: usize = 20;
    /// Fields of one response that a regression test checks.
    TEST_SHAPE_FIELDS: usize = 60;
    /// How many objects deep it checks them.
    TEST_SHAPE_LEVELS: usize = 3;
    /// Elements that a regression test looks for in the page after a step.
    TEST_ELEMENTS_PER_STEP: usize = 3;
    /// Errors of the captured session that a regression test lists.
    TEST_ERRORS: usize = 10;
    /// Errors listed when the caller gives no limit.
    ERROR_LIST_DEFAULT: usize = 20;
    /// Log lines listed when the caller gives no limit.
    LOG_LIST_DEFAULT: usize = 100;
    /// Tabs that an answer lists.
    TAB_LIST: usize = 30;
    /// Socket events listed when the caller gives no limit.
    WEBSOCKET_LIST_DEFAULT: usize = 50;
    /// Requests listed when the caller gives no limit.
    NETWORK_LIST_DEFAULT: usize = 20;
    /// Entries in a timeline.
    TIMELINE_ENTRIES: usize = 200;
    /// Noise rules that clients can add.
    NOISE_RULES: usize = 50;
    /// Length of a noise rule.
    NOISE_RULE_CHARS: usize = 200;
    /// Memory of one compiled pattern; a larger one is refused.
    NOISE_PATTERN_BYTES: usize = 64 * KB;
    /// Tokens that a report for a model spends on each failure at most, by any tokenizer.
    REPORT_TOKENS: usize = 500;
    /// Default token budget of a diagnosis.
    DIAGNOSIS_TOKENS: u32 = 500;
    /// Time that capturing one call of `fetch` may take in the page; the bodies of slower ones are not read.
    SLOW_FETCH_MILLIS: u64 = 2;
    /// Time that capturing one socket message may take in the page; slower sockets are sampled more.
    SLOW_MESSAGE_MICROS: u64 = 500;
    /// Slow calls in a row that count as slow: a single one may be the machine's doing.
    SLOW_IN_A_ROW: usize = 3;
    /// When sending a batch takes longer than this, the extension sends less often.
    SLOW_POST_MILLIS: u64 = 200;
    /// Longest time between two batches, however slow the server is.
    SLOWEST_SEND_MILLIS: u64 = 8_000;
    /// How long an answer waits for a request that an error mentions and that has not arrived yet.
    ANNOUNCED_WAIT_MILLIS: u64 = 150;
    /// Age of an error beyond which answers no longer wait for its request.
    ANNOUNCED_FRESH_MILLIS: u64 = 1_000;
    /// Smallest token budget of a diagnosis; a smaller one would leave room for nothing.
    DIAGNOSIS_LEAST_TOKENS: u32 = 100;

    /// Findings that a security audit shows for each check; the worst go first.
    SECURITY_FINDINGS_PER_CHECK: usize = 20;
    /// Bytes of one text that a security audit scans.
    SECURITY_SCAN_BYTES: usize = 10 * KB;
    /// Matches in one body that a security audit looks at.
    SECURITY_MATCHES_PER_BODY: usize = 100;
    /// Depth of nested objects that a security audit looks into.
    SECURITY_FIELD_DEPTH: usize = 5;
    /// Unencrypted resources that are kept for one page.
    INSECURE_RESOURCES: usize = 10;
    /// Cookies that are kept for one page.
    PAGE_COOKIES: usize = 20;
    /// Endpoints whose contracts are learned; the least recently called are evicted.
    API_ENDPOINTS: usize = 30;
    /// Statuses that are remembered for one endpoint.
    API_STATUS_HISTORY: usize = 20;
    /// Depth of nested objects that a contract covers.
    API_SHAPE_LEVELS: usize = 3;
    /// Responses that have to agree before another one can break the contract.
    API_SHAPE_AGREEING: u64 = 3;
    /// Violations that are kept for one endpoint.
    API_VIOLATIONS: usize = 10;
    /// Fields of one response that a contract covers.
    API_SHAPE_FIELDS: usize = 150;
    /// Length of a field's name in a contract.
    API_NAME_CHARS: usize = 64;
    /// The shape of a response that broke its contract is kept as evidence if it is no larger than this.
    API_KEPT_SHAPE_BYTES: usize = 2 * KB;
    /// Verification sessions at a time, of all clients together.
    VERIFY_SESSIONS: usize = 3;
    /// How long a verification session stays valid.
    VERIFY_SESSION_SECONDS: u64 = 30 * 60;
    /// Different errors in a session's baseline; the newest are kept.
    VERIFY_BASELINE_ERRORS: usize = 50;
    /// Different failed requests in a session's baseline; the newest are kept.
    VERIFY_BASELINE_REQUESTS: usize = 50;
    /// Memory of one baseline.
    VERIFY_BASELINE_BYTES: usize = 100 * KB;
    /// What happened within this time before an error counts as what led to it.
    VERIFY_TRIGGER_MILLIS: i64 = 5_000;
    /// Length of a session's label.
    VERIFY_LABEL_CHARS: usize = 100;
    /// Length of a session's URL filter.
    VERIFY_FILTER_CHARS: usize = 500;
    /// Named snapshots; the least recently used are evicted.
    SAVED_SNAPSHOTS: usize = 10;
    /// How long a named snapshot is kept.
    SAVED_SNAPSHOT_SECONDS: u64 = 2 * 60 * 60;
    /// Different errors in a named snapshot.
    SAVED_SNAPSHOT_ERRORS: usize = 50;
    /// Different requests in a named snapshot.
    SAVED_SNAPSHOT_REQUESTS: usize = 100;
    /// Memory of one named snapshot.
    SAVED_SNAPSHOT_BYTES: usize = 64 * KB;
    /// Length of a snapshot's name.
    SAVED_SNAPSHOT_NAME_CHARS: usize = 50;
    /// Entries that one list of a comparison shows; more are counted.
    COMPARISON_LIST: usize = 50;
    /// Size of `.gasoline.json`; a larger one is not read.
    PROJECT_FILE_BYTES: usize = 64 * KB;

    /// Size of one source map, and of the script it belongs to.
    SOURCE_MAP_BYTES: usize = 32 * MB;
    /// Source maps that are kept.
    SOURCE_MAPS: usize = 20;
    /// Memory of all source maps, in the form they are kept in; the least recently used are evicted.
    SOURCE_MAP_CACHE_BYTES: usize = 12 * MB;
    /// Size of a source file that snippets are cut from; larger ones are generated, not written by people.
    SOURCE_FILE_BYTES: usize = MB;
    /// Scripts whose maps are requested in the reply to one batch.
    SOURCE_MAPS_WANTED: usize = 8;
    /// Time for fetching a script and its map.
    SOURCE_MAP_MILLIS: u64 = 2_000;
    /// A map that was requested and has not arrived by then is requested again.
    SOURCE_MAP_PATIENCE_MILLIS: u64 = 10_000;
    /// Stack frames that get a source snippet.
    SNIPPET_FRAMES: usize = 3;
    /// Lines shown before the line of the frame.
    SNIPPET_LINES_BEFORE: u32 = 5;
    /// Lines shown after the line of the frame.
    SNIPPET_LINES_AFTER: u32 = 5;
    /// Length of one line of a snippet.
    SNIPPET_LINE_CHARS: usize = 200;
    /// Size of all snippets of one error.
    SNIPPETS_BYTES: usize = 10 * KB;
    /// Stack frames that are mapped to source files.
    MAPPED_FRAMES: usize = 20;
    /// Newest errors that a source map is applied to when it arrives after them.
    EXPLAINED_AGAIN: usize = 200;

    /// Screenshots kept on disk; the oldest are deleted.
    SCREENSHOT_FILES: usize = 100;
    /// Screenshots whose log entry has not arrived yet; beyond this the oldest are not waited for.
    AWAITED_ERRORS: usize = 20;

    /// Size of one recording's video. A larger one is refused, not cut: half a video cannot be played.
    RECORDING_BYTES: usize = 512 * MB;
    /// Size of a recording's metadata.
    RECORDING_METADATA_BYTES: usize = 64 * KB;
    /// An upload that sends no byte for this long is aborted.
    RECORDING_STALL_SECONDS: u64 = 30;
    /// Length of a recording's name.
    RECORDING_NAME_CHARS: usize = 100;
    /// Recordings that an answer lists.
    RECORDING_LIST: usize = 50;
    /// A recording that nobody stops is saved after this time.
    RECORDING_SECONDS: u64 = 10 * 60;
    /// Frames a second of a recording.
    RECORDING_FRAME_RATE: u32 = 30;

    /// How often the server and the extension send a heartbeat.
    HEARTBEAT_SECONDS: u64 = 20;
    /// A client that polled within this time counts as a connected browser.
    POLL_PRESENCE_SECONDS: u64 = 30;
    /// Longest time that one poll waits for a question.
    POLL_WAIT_MILLIS: u64 = 25_000;

    /// Questions to the page that may be unanswered at a time.
    PENDING_QUERIES: usize = 5;
    /// Memory of the unanswered questions.
    PENDING_QUERIES_BYTES: usize = 64 * KB;
    /// How long a question waits for a browser to take it.
    QUERY_PICK_UP_SECONDS: u64 = 10;
    /// Deadline of `query_dom` and `get_page_info`.
    QUERY_SECONDS: u64 = 10;
    /// Deadline of an accessibility audit.
    AUDIT_SECONDS: u64 = 30;
    /// Deadline of a script when the caller gives none.
    EXECUTE_DEFAULT_MILLIS: u64 = 5_000;
    /// Longest deadline that a caller can give a script.
    EXECUTE_MOST_MILLIS: u64 = 30_000;
    /// Deadline of a screenshot.
    SCREENSHOT_SECONDS: u64 = 20;
    /// Deadline of a screenshot of the whole page: up to fifteen pictures, of which Chrome makes two a second.
    SCREENSHOT_FULL_PAGE_SECONDS: u64 = 45;
    /// Deadline for starting a recording.
    RECORD_START_SECONDS: u64 = 5;
    /// Deadline for stopping and saving a recording.
    RECORD_STOP_SECONDS: u64 = 30;
    /// How much longer the extension's worker waits than the page has.
    QUERY_WORKER_MARGIN_MILLIS: u64 = 500;
    /// How much longer the server waits than the page has: an outer deadline never comes before an inner one.
    QUERY_SERVER_MARGIN_MILLIS: u64 = 1_500;
    /// How long the result of a question is kept.
    QUERY_RESULT_SECONDS: u64 = 60;
    /// Results of questions that are kept.
    QUERY_RESULTS: usize = 20;
    /// Memory of those results.
    QUERY_RESULTS_BYTES: usize = 4 * MB;
    /// Failures within [`QUERY_BREAKER_SECONDS`] after which the server stops asking a browser.
    QUERY_BREAKER_FAILURES: usize = 10;
    /// Window in which those failures are counted.
    QUERY_BREAKER_SECONDS: u64 = 60;
    /// How long the result of an accessibility audit is reused.
    AUDIT_CACHE_SECONDS: u64 = 30;
    /// Audit results that are kept for reuse.
    AUDIT_CACHE_ENTRIES: usize = 10;

    /// Elements that `query_dom` describes.
    DOM_ELEMENTS: usize = 50;
    /// Deepest level of children that a caller can ask for.
    DOM_DEPTH: usize = 5;
    /// Levels of children when the caller gives none.
    DOM_DEPTH_DEFAULT: usize = 3;
    /// Length of an element's text.
    DOM_TEXT_CHARS: usize = 500;
    /// Elements listed for each rule of an audit.
    AUDIT_NODES: usize = 10;
    /// Length of an element's HTML in an audit.
    AUDIT_HTML_CHARS: usize = 200;
    /// Size of a result on the extension's socket; larger ones are sent by `POST /dom-result`.
    SOCKET_MESSAGE_BYTES: usize = MB;

    /// Default gap between two notifications to a client that streams events.
    STREAM_THROTTLE_SECONDS: u64 = 5;
    /// Shortest such gap that a client can choose, in seconds.
    STREAM_THROTTLE_LEAST: u64 = 1;
    /// Longest such gap that a client can choose, in seconds.
    STREAM_THROTTLE_MOST: u64 = 60;
    /// Notifications a minute to one client.
    STREAM_PER_MINUTE: usize = 12;
    /// The same event is not sent again within this time.
    STREAM_REPEAT_MILLIS: u64 = 30_000;
    /// How long events are collected into one notification.
    STREAM_BATCH_MILLIS: u64 = 2_000;
    /// Events in one notification.
    STREAM_BATCH_EVENTS: usize = 100;
    /// Length of a message in a notification.
    STREAM_MESSAGE_CHARS: usize = 200;
    /// Length of a preview of captured text in a notification.
    STREAM_PREVIEW_CHARS: usize = 100;
    /// A task that blocks the page longer than this is an event.
    STREAM_LONG_TASK_MILLIS: u64 = 500;
    /// Clicks on the same element that count as frustration.
    STREAM_CLICKS: usize = 3;
    /// Window in which those clicks are counted.
    STREAM_CLICK_MILLIS: u64 = 5_000;
    /// Clicks that are remembered for this.
    STREAM_CLICKS_KEPT: usize = 100;
    /// A form whose submission gets no response for this long counts as frustration.
    STREAM_FORM_MILLIS: u64 = 5_000;
    /// Forms that are remembered for this.
    STREAM_FORMS: usize = 20;
    /// Errors and endpoints that are remembered, to tell which ones are new.
    STREAM_KNOWN: usize = 2_000;
    /// A client that does not take a message within this time is disconnected.
    STREAM_PATIENCE_SECONDS: u64 = 10;
    /// Messages that wait for one client.
    STREAM_QUEUE: usize = 32;

    /// The server exits when nobody has used it for this long.
    IDLE_EXIT_SECONDS: u64 = 30 * 60;

    /// How long the link of `gasoline open` is valid. It opens one dashboard.
    DASHBOARD_KEY_SECONDS: u64 = 60;
    /// Unused links at a time.
    DASHBOARD_KEYS: usize = 16;
    /// How long an opened dashboard may read. It ends with the server in any case.
    DASHBOARD_SESSION_SECONDS: u64 = 12 * 60 * 60;
    /// Dashboard sessions at a time.
    DASHBOARD_SESSIONS: usize = 16;
    /// Dashboards that receive updates at a time.
    DASHBOARD_STREAMS: usize = 16;
    /// A dashboard that takes no update for this long is disconnected; it reconnects by itself.
    DASHBOARD_PATIENCE_SECONDS: u64 = 10;
    /// Rows of the dashboard's timeline. Without `--ci` the buffers hold fewer.
    DASHBOARD_MOMENTS: usize = 2_000;
    /// Errors that the dashboard lists.
    DASHBOARD_ERRORS: usize = 50;
    /// Size of one section of the dashboard's data.
    DASHBOARD_SECTION_BYTES: usize = 128 * KB;
    /// Size of one entry that the dashboard shows in full.
    DASHBOARD_ENTRY_BYTES: usize = 128 * KB;
    /// Size of the dashboard's HTML, scripts and styles, as a browser reads them.
    DASHBOARD_PAGE_BYTES: usize = 150 * KB;

    /// Calls of AI clients that are kept for people to look at.
    CALLS_KEPT: usize = 200;
    /// Memory of those calls.
    CALLS_BYTES: usize = 2 * MB;
    /// Bytes of a call's answer that are kept.
    CALL_ANSWER_BYTES: usize = 16 * KB;
    /// Bytes of a call's arguments that are kept.
    CALL_ARGUMENT_BYTES: usize = 4 * KB;

    /// Page loads of one page whose web vitals are kept.
    PERFORMANCE_HISTORY: usize = 20;
}
