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
    /// The port when none is asked for.
    DEFAULT_PORT: u16 = 7890;

    LOG_ENTRIES: usize = 1_000;
    LOG_BYTES: usize = 8 * MB;
    WEBSOCKET_ENTRIES: usize = 500;
    WEBSOCKET_BYTES: usize = 4 * MB;
    NETWORK_ENTRIES: usize = 100;
    NETWORK_BYTES: usize = 8 * MB;
    ACTION_ENTRIES: usize = 50;
    ACTION_BYTES: usize = MB;
    DOM_SNAPSHOT_ENTRIES: usize = 20;
    DOM_SNAPSHOT_BYTES: usize = 256 * KB;
    PERFORMANCE_URLS: usize = 20;
    PERFORMANCE_BYTES: usize = 256 * KB;
    EXTENSION_LOG_ENTRIES: usize = 200;
    EXTENSION_LOG_BYTES: usize = 256 * KB;
    /// Lines of its own log that the extension sends at once, and keeps while the server is away.
    EXTENSION_LOGS_PER_POST: usize = 50;

    /// With `serve --ci` the limits above are those of each test; all tests together have this. The longest silent leaves.
    CI_BUFFER_BYTES: usize = 64 * MB;
    /// Tests whose connections are known at a time.
    CI_CONNECTION_TESTS: usize = 100;
    /// Tests of a run that are remembered, with what became of them; the oldest leave.
    TEST_RECORDS: usize = 2_000;
    TEST_RECORD_BYTES: usize = 4 * MB;
    TEST_ID_CHARS: usize = 500;
    /// Of a test's title and the other short texts of its record.
    TEST_TEXT_BYTES: usize = KB;
    TEST_ERROR_BYTES: usize = 4 * KB;

    OPEN_CONNECTIONS: usize = 20;
    CLOSED_CONNECTIONS: usize = 10;
    CLOSED_CONNECTION_SECONDS: u64 = 300;
    CONNECTION_BYTES: usize = 2 * MB;

    /// No text is stored beyond this: what was not scanned for credentials is not kept.
    TEXT_BYTES: usize = 16 * KB;
    REQUEST_BODY_BYTES: usize = 8 * KB;
    RESPONSE_BODY_BYTES: usize = 16 * KB;
    WEBSOCKET_MESSAGE_BYTES: usize = 4 * KB;
    SNAPSHOT_TEXT_CHARS: usize = 100;
    SNAPSHOT_ELEMENTS: usize = 50;
    /// One serialized entry, whatever its kind; a larger one is refused.
    ENTRY_BYTES: usize = 256 * KB;
    ENTRY_ID_CHARS: usize = 64;
    /// Distinct credentials that keep their placeholder numbers.
    KNOWN_SECRETS: usize = 4_096;
    /// Credentials noted beside one entry.
    FINDINGS_PER_ENTRY: usize = 20;
    /// A secret shorter than this is not shown in part either.
    SECRET_PREVIEW_MIN_CHARS: usize = 12;

    /// No load of a page takes longer than a day, moves more than a hundred gigabytes or has more parts.
    LOAD_MILLIS: u64 = 24 * 60 * 60 * 1_000;
    LOAD_BYTES: u64 = 100_000_000_000;
    LOAD_COUNT: u64 = 1_000_000;
    /// Scores of layout shifts add up; a bad page has one of 1.
    LOAD_LAYOUT_SHIFT: u64 = 10_000;

    /// The start of a connection's last message, shown in its status.
    WEBSOCKET_PREVIEW_CHARS: usize = 200;
    /// Messages of a new connection that are kept whatever its rate.
    WEBSOCKET_FIRST_MESSAGES: usize = 5;
    WEBSOCKET_RATE_WINDOW_SECONDS: u64 = 5;
    BINARY_HEX_BELOW_BYTES: usize = 256;
    BINARY_HEX_BYTES: usize = 64;

    ANNOTATION_KEYS: usize = 50;
    ANNOTATION_BYTES: usize = 4 * KB;
    /// Annotations on one error beyond this are worth a warning; the third within a minute shows it.
    ANNOTATION_WARN_BYTES: usize = 20 * KB;
    ANNOTATION_WARN_ENTRIES: usize = 3;
    ANNOTATION_WARN_SECONDS: u64 = 60;
    SELECTOR_TEXT_CHARS: usize = 50;
    CSS_PATH_LEVELS: usize = 5;
    SCROLL_THROTTLE_MILLIS: u64 = 500;
    SNAPSHOT_HEADINGS: usize = 5;
    SNAPSHOT_AFTER_LOAD_MILLIS: u64 = 200;
    SNAPSHOT_AFTER_ROUTE_MILLIS: u64 = 500;
    SNAPSHOT_AFTER_CHANGE_MILLIS: u64 = 300;
    SNAPSHOT_GAP_MILLIS: u64 = 500;
    PERFORMANCE_AFTER_LOAD_MILLIS: u64 = 2_000;
    SLOWEST_REQUESTS: usize = 3;
    /// Reading bodies and serializing wait for the load event and this much more.
    SETTLE_MILLIS: u64 = 100;
    /// The same error or warning within this time is counted, not sent again.
    DEDUPE_MILLIS: u64 = 5_000;
    CAPTURE_SCRIPT_BYTES: usize = 40 * KB;

    /// What is noted of a page's components at the moment of an error, on the page's own time.
    EVIDENCE_COMPONENTS: usize = 3_000;
    EVIDENCE_MILLIS: u64 = 5;
    /// Errors closer together share what was noted.
    EVIDENCE_GAP_MILLIS: u64 = 250;
    /// Errors whose evidence a page holds at a time.
    EVIDENCE_KEPT: usize = 5;

    /// All work on one error's context; what is ready by then is sent.
    ENRICH_MILLIS: u64 = 3_000;
    ENRICH_PER_SECOND: usize = 5;
    ENRICH_PER_MINUTE: usize = 30;
    ANCESTRY_MILLIS: u64 = 50;
    ANCESTRY_COMPONENTS: usize = 10;
    ANCESTRY_PROP_KEYS: usize = 20;
    ANCESTRY_STATE_KEYS: usize = 10;
    ANCESTRY_BYTES: usize = 5 * KB;
    STATE_MILLIS: u64 = 100;
    STATE_SLICE_ENTRIES: usize = 10;
    STATE_VALUE_CHARS: usize = 200;
    STATE_RECENT_MILLIS: u64 = 2_000;
    STATE_BYTES: usize = 5 * KB;
    SOURCE_MAP_FETCHES: usize = 3;
    /// Scripts' texts that the extension keeps for a few seconds, together.
    SCRIPT_TEXTS_BYTES: usize = 32 * MB;

    /// What a page may hold back until the extension takes it.
    PAGE_QUEUE_ENTRIES: usize = 2_000;
    PAGE_QUEUE_BYTES: usize = 4 * MB;
    /// What the CI script sends at a time and how often, and what it may hold back.
    CI_BATCH_ENTRIES: usize = 50;
    CI_BATCH_MILLIS: u64 = 100;
    CI_QUEUE_ENTRIES: usize = 1_000;
    CI_QUEUE_BYTES: usize = MB;
    SEND_MILLIS: u64 = 1_000;
    SEND_ENTRIES: usize = 500;
    SEND_BYTES: usize = MB;
    SEND_TIMEOUT_MILLIS: u64 = 10_000;
    BREAKER_FAILURES: usize = 5;
    BREAKER_SECONDS: u64 = 30;
    EXTENSION_SOFT_MB: usize = 20;
    EXTENSION_HARD_MB: usize = 50;
    /// What waits in the extension. Its session storage has 10 MB, and quotes in quotes take room there.
    EXTENSION_QUEUE_BYTES: usize = 6 * MB;
    /// Batch names the server remembers, so that none is stored twice.
    KNOWN_BATCHES: usize = 256;

    REQUEST_BYTES: usize = 10 * MB;
    /// A request must have arrived whole within this time.
    REQUEST_READ_SECONDS: u64 = 30;
    EVENTS_PER_SECOND: u32 = 1_000;
    /// With `serve --ci`.
    CI_EVENTS_PER_SECOND: u32 = 20_000;
    BURST_FACTOR: u32 = 5;
    /// Unknown field names that `/health` lists; more are only counted.
    UNKNOWN_FIELD_NAMES: usize = 50;
    /// Of one request; what is allowed per second may be less.
    BATCH_ENTRIES: usize = 200_000;
    CONNECTIONS: usize = 1_024;
    /// MCP sessions over HTTP; the least recently used one ends for a new one.
    HTTP_SESSIONS: usize = 64;
    /// Large request bodies being read at the same time; further ones wait.
    BODIES_IN_FLIGHT_MB: usize = 32;
    /// Answers as large as the buffers that wait to be read, all readers together.
    UNREAD_ANSWERS_MB: usize = 12;
    /// Who reads nothing of what it asked for in this time is let go.
    UNREAD_SECONDS: u64 = 30;
    /// Tabs that are remembered of a browser.
    TABS: usize = 200;
    /// Of a tab's address and title.
    TAB_CHARS: usize = 500;

    /// So many lines are written at once, without waiting for more.
    JOURNAL_BATCH_ENTRIES: usize = 10;
    /// When more lines wait than that, so many bytes of them go into one write.
    JOURNAL_WRITE_BYTES: usize = 256 * KB;
    JOURNAL_FLUSH_MILLIS: u64 = 1_000;
    JOURNAL_ROTATE_BYTES: usize = 10 * MB;
    /// Lines waiting for a slow disk; beyond this they are dropped and counted.
    JOURNAL_QUEUE_BYTES: usize = 4 * MB;
    /// A disk slower than this per write gets no network bodies.
    JOURNAL_SLOW_MILLIS: u64 = 50;

    /// Above this much process memory, new network bodies are refused.
    MEMORY_SOFT_MB: usize = 50;
    /// Above this much, buffers are cleared and only warnings and errors are kept.
    MEMORY_HARD_MB: usize = 100;
    /// With `serve --ci`: above the first, the longest silent tests leave; above the second, bodies are refused.
    CI_MEMORY_EASE_MB: usize = 80;
    CI_MEMORY_SOFT_MB: usize = 95;
    MINIMAL_LOG_ENTRIES: usize = 100;

    ANSWER_BYTES: usize = 50 * KB;
    TOOLS_LIST_BYTES: usize = 18_000;
    /// A generated script stays below this; the oldest steps go first.
    REPRODUCTION_SCRIPT_BYTES: usize = 50 * KB;
    /// The same for a regression test, and for the answers that its mocked variant plays.
    TEST_SCRIPT_BYTES: usize = 100 * KB;
    TEST_FIXTURE_BYTES: usize = 50 * KB;
    /// Answers whose bodies a regression test checks, and those that it plays.
    TEST_BODIES: usize = 20;
    /// Fields of one answer that it checks, and how many objects deep.
    TEST_SHAPE_FIELDS: usize = 60;
    TEST_SHAPE_LEVELS: usize = 3;
    /// What it looks for in the page after a step.
    TEST_ELEMENTS_PER_STEP: usize = 3;
    /// Errors of the captured session that it lists.
    TEST_ERRORS: usize = 10;
    ERROR_LIST_DEFAULT: usize = 20;
    LOG_LIST_DEFAULT: usize = 100;
    TAB_LIST: usize = 30;
    WEBSOCKET_LIST_DEFAULT: usize = 50;
    NETWORK_LIST_DEFAULT: usize = 20;
    TIMELINE_ENTRIES: usize = 200;
    /// Noise rules that were added.
    NOISE_RULES: usize = 50;
    NOISE_RULE_CHARS: usize = 200;
    /// A pattern that takes more than this compiled is refused.
    NOISE_PATTERN_BYTES: usize = 64 * KB;
    /// What a report for a model takes at most for each failure, by any tokenizer.
    REPORT_TOKENS: usize = 500;
    DIAGNOSIS_TOKENS: u32 = 500;
    /// A call of `fetch` may take so much of the page's time; the bodies of slower ones are not read.
    SLOW_FETCH_MILLIS: u64 = 2;
    /// Handling a message of a socket may take so much of it; slower sockets are sampled more.
    SLOW_MESSAGE_MICROS: u64 = 500;
    /// So many slow ones in a row count: a single one may be the machine's doing.
    SLOW_IN_A_ROW: usize = 3;
    /// A batch that takes longer to send makes batches rarer.
    SLOW_POST_MILLIS: u64 = 200;
    /// But not rarer than this.
    SLOWEST_SEND_MILLIS: u64 = 8_000;
    /// An answer waits so long at most for a request that an error speaks of and that is not there yet.
    ANNOUNCED_WAIT_MILLIS: u64 = 150;
    /// What has not come so long after the error is not waited for.
    ANNOUNCED_FRESH_MILLIS: u64 = 1_000;
    /// Less than this says nothing.
    DIAGNOSIS_LEAST_TOKENS: u32 = 100;

    /// Findings of one check that a security audit shows; the worst go first.
    SECURITY_FINDINGS_PER_CHECK: usize = 20;
    /// What a security audit looks at of one text.
    SECURITY_SCAN_BYTES: usize = 10 * KB;
    SECURITY_MATCHES_PER_BODY: usize = 100;
    /// Objects within objects that a security audit looks into.
    SECURITY_FIELD_DEPTH: usize = 5;
    /// Of a page: resources that it loads unencrypted, and its cookies.
    INSECURE_RESOURCES: usize = 10;
    PAGE_COOKIES: usize = 20;
    /// Endpoints whose answers are followed; the least recently called leave.
    API_ENDPOINTS: usize = 30;
    API_STATUS_HISTORY: usize = 20;
    /// Objects in objects that are looked into.
    API_SHAPE_LEVELS: usize = 3;
    /// Answers that have to agree before another one can break the contract.
    API_SHAPE_AGREEING: u64 = 3;
    API_VIOLATIONS: usize = 10;
    /// Fields that are noted of one answer, and how much of their names.
    API_SHAPE_FIELDS: usize = 150;
    API_NAME_CHARS: usize = 64;
    /// The shape of a broken answer is kept to be shown, if it is no larger.
    API_KEPT_SHAPE_BYTES: usize = 2 * KB;
    /// Verification sessions at a time, of all clients together.
    VERIFY_SESSIONS: usize = 3;
    VERIFY_SESSION_SECONDS: u64 = 30 * 60;
    /// Different errors, and different failed requests, that a session compares with; the newest.
    VERIFY_BASELINE_ERRORS: usize = 50;
    VERIFY_BASELINE_REQUESTS: usize = 50;
    VERIFY_BASELINE_BYTES: usize = 100 * KB;
    /// What happened in this time before an error counts as what led to it.
    VERIFY_TRIGGER_MILLIS: i64 = 5_000;
    VERIFY_LABEL_CHARS: usize = 100;
    VERIFY_FILTER_CHARS: usize = 500;
    /// Named snapshots; the least recently used leave.
    SAVED_SNAPSHOTS: usize = 10;
    SAVED_SNAPSHOT_SECONDS: u64 = 2 * 60 * 60;
    SAVED_SNAPSHOT_ERRORS: usize = 50;
    SAVED_SNAPSHOT_REQUESTS: usize = 100;
    SAVED_SNAPSHOT_BYTES: usize = 64 * KB;
    SAVED_SNAPSHOT_NAME_CHARS: usize = 50;
    /// Entries that one list of a comparison shows; more are counted.
    COMPARISON_LIST: usize = 50;
    /// `.gasoline.json`; a larger one is not read.
    PROJECT_FILE_BYTES: usize = 64 * KB;

    /// One source map, and the script it belongs to.
    SOURCE_MAP_BYTES: usize = 32 * MB;
    SOURCE_MAPS: usize = 20;
    /// All source maps together, as they are kept; the least recently used leave.
    SOURCE_MAP_CACHE_BYTES: usize = 12 * MB;
    /// A source file larger than this is no one's to read.
    SOURCE_FILE_BYTES: usize = MB;
    /// Scripts whose maps are asked for with one batch.
    SOURCE_MAPS_WANTED: usize = 8;
    /// The script and its map together.
    SOURCE_MAP_MILLIS: u64 = 2_000;
    /// A map that was asked for and did not come by then is asked for again.
    SOURCE_MAP_PATIENCE_MILLIS: u64 = 10_000;
    SNIPPET_FRAMES: usize = 3;
    SNIPPET_LINES_BEFORE: u32 = 5;
    SNIPPET_LINES_AFTER: u32 = 5;
    SNIPPET_LINE_CHARS: usize = 200;
    SNIPPETS_BYTES: usize = 10 * KB;
    MAPPED_FRAMES: usize = 20;
    /// Errors, the newest, that a source map is applied to when it comes after them.
    EXPLAINED_AGAIN: usize = 200;

    /// Pictures kept on disk; the oldest leave.
    SCREENSHOT_FILES: usize = 100;
    /// Pictures whose log entry has not come yet; the oldest are no longer waited for.
    AWAITED_ERRORS: usize = 20;

    /// One recording's video. Larger ones are refused, never cut: half a video is none.
    RECORDING_BYTES: usize = 512 * MB;
    RECORDING_METADATA_BYTES: usize = 64 * KB;
    /// An upload that brings no byte for this long is given up.
    RECORDING_STALL_SECONDS: u64 = 30;
    RECORDING_NAME_CHARS: usize = 100;
    RECORDING_LIST: usize = 50;
    /// A recording that nobody stops is saved after this time.
    RECORDING_SECONDS: u64 = 10 * 60;
    RECORDING_FRAME_RATE: u32 = 30;

    HEARTBEAT_SECONDS: u64 = 20;
    /// Who polled within this time counts as a browser.
    POLL_PRESENCE_SECONDS: u64 = 30;
    POLL_WAIT_MILLIS: u64 = 25_000;

    /// Questions to the page that may be unanswered at a time.
    PENDING_QUERIES: usize = 5;
    PENDING_QUERIES_BYTES: usize = 64 * KB;
    QUERY_PICK_UP_SECONDS: u64 = 10;
    /// `query_dom` and `get_page_info`.
    QUERY_SECONDS: u64 = 10;
    AUDIT_SECONDS: u64 = 30;
    EXECUTE_DEFAULT_MILLIS: u64 = 5_000;
    EXECUTE_MOST_MILLIS: u64 = 30_000;
    SCREENSHOT_SECONDS: u64 = 20;
    /// Up to fifteen pictures, of which Chrome makes two a second.
    SCREENSHOT_FULL_PAGE_SECONDS: u64 = 45;
    RECORD_START_SECONDS: u64 = 5;
    RECORD_STOP_SECONDS: u64 = 30;
    /// The worker waits this much longer than the page has.
    QUERY_WORKER_MARGIN_MILLIS: u64 = 500;
    /// And the server this much: an outer deadline never comes before an inner one.
    QUERY_SERVER_MARGIN_MILLIS: u64 = 1_500;
    QUERY_RESULT_SECONDS: u64 = 60;
    QUERY_RESULTS: usize = 20;
    QUERY_RESULTS_BYTES: usize = 4 * MB;
    QUERY_BREAKER_FAILURES: usize = 10;
    QUERY_BREAKER_SECONDS: u64 = 60;
    AUDIT_CACHE_SECONDS: u64 = 30;
    AUDIT_CACHE_ENTRIES: usize = 10;

    DOM_ELEMENTS: usize = 50;
    DOM_DEPTH: usize = 5;
    DOM_DEPTH_DEFAULT: usize = 3;
    DOM_TEXT_CHARS: usize = 500;
    AUDIT_NODES: usize = 10;
    AUDIT_HTML_CHARS: usize = 200;
    /// A result on the extension's socket; larger ones come by `POST /dom-result`.
    SOCKET_MESSAGE_BYTES: usize = MB;

    /// What AI clients are told unasked.
    STREAM_THROTTLE_SECONDS: u64 = 5;
    STREAM_THROTTLE_LEAST: u64 = 1;
    STREAM_THROTTLE_MOST: u64 = 60;
    STREAM_PER_MINUTE: usize = 12;
    STREAM_REPEAT_MILLIS: u64 = 30_000;
    STREAM_BATCH_MILLIS: u64 = 2_000;
    STREAM_BATCH_EVENTS: usize = 100;
    STREAM_MESSAGE_CHARS: usize = 200;
    STREAM_PREVIEW_CHARS: usize = 100;
    STREAM_LONG_TASK_MILLIS: u64 = 500;
    STREAM_CLICKS: usize = 3;
    STREAM_CLICK_MILLIS: u64 = 5_000;
    STREAM_CLICKS_KEPT: usize = 100;
    STREAM_FORM_MILLIS: u64 = 5_000;
    STREAM_FORMS: usize = 20;
    /// Errors and endpoints that are remembered to tell what is new.
    STREAM_KNOWN: usize = 2_000;
    /// A client that does not take a message within this time is let go.
    STREAM_PATIENCE_SECONDS: u64 = 10;
    /// Messages that wait for one client.
    STREAM_QUEUE: usize = 32;

    IDLE_EXIT_SECONDS: u64 = 30 * 60;

    /// The link of `gasoline open` is good for one page, and so long.
    DASHBOARD_KEY_SECONDS: u64 = 60;
    DASHBOARD_KEYS: usize = 16;
    /// How long an opened dashboard may read; the server's end is its end too.
    DASHBOARD_SESSION_SECONDS: u64 = 12 * 60 * 60;
    DASHBOARD_SESSIONS: usize = 16;
    /// Dashboards that are told of news at a time.
    DASHBOARD_STREAMS: usize = 16;
    /// One that takes no news for so long is let go; it comes back by itself.
    DASHBOARD_PATIENCE_SECONDS: u64 = 10;
    /// Moments on the dashboard's timeline. Without `--ci` the buffers hold fewer.
    DASHBOARD_MOMENTS: usize = 2_000;
    DASHBOARD_ERRORS: usize = 50;
    DASHBOARD_SECTION_BYTES: usize = 128 * KB;
    DASHBOARD_ENTRY_BYTES: usize = 128 * KB;
    /// What the dashboard is made of: HTML, scripts and styles, as a browser reads them.
    DASHBOARD_PAGE_BYTES: usize = 150 * KB;

    /// The calls of AI clients that people can look at.
    CALLS_KEPT: usize = 200;
    CALLS_BYTES: usize = 2 * MB;
    CALL_ANSWER_BYTES: usize = 16 * KB;
    CALL_ARGUMENT_BYTES: usize = 4 * KB;

    /// Loads of a page that are remembered by their web vitals.
    PERFORMANCE_HISTORY: usize = 20;
}
