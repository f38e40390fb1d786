//! TypeScript for the browser side, written by `cargo xtask gen`.

use ts_rs::{Config, TS};

use crate::{
    action, dom_snapshot, extension, limits, live_page, log, network, performance, query, recording, screenshot,
    sensitive, settings, snapshot, source_map, sync, test_run, websocket,
};

const HEADER: &str = "// Generated from crates/wire by `cargo xtask gen`. Do not edit.\n\n";

/// Every shape, in reading order.
pub fn wire() -> String {
    let config = Config::new().with_large_int("number");
    let mut out = String::from(HEADER);
    out.push_str("import type { ReportedSettings } from './settings.gen';\n\n");
    out.push_str("/** ISO 8601 text, or milliseconds since 1970. */\nexport type Timestamp = string | number;\n");
    macro_rules! declare {
        ($($ty:ty),* $(,)?) => {
            $(
                out.push('\n');
                if let Some(docs) = <$ty>::docs() {
                    out.push_str(&docs);
                }
                out.push_str("export ");
                out.push_str(&<$ty>::decl(&config));
                out.push('\n');
            )*
        };
    }
    declare!(
        log::Level,
        log::AiContext,
        log::LogEntry,
        websocket::Sampling,
        websocket::DirectionStats,
        websocket::MessageSchema,
        websocket::SamplingState,
        websocket::ConnectionStats,
        websocket::WebSocketEvent,
        crate::Headers,
        network::Cookie,
        network::NetworkBody,
        action::Role,
        action::Position,
        action::Selectors,
        action::EnhancedAction,
        performance::Timing,
        performance::TypeTotal,
        performance::ByType,
        performance::SlowRequest,
        performance::InsecureResource,
        performance::NetworkSummary,
        performance::LongTasks,
        performance::PerformanceSnapshot,
        performance::PerformanceBaseline,
        dom_snapshot::SnapshotElement,
        dom_snapshot::DomSnapshot,
        sync::SyncKind,
        sync::BufferFill,
        sync::BufferStatus,
        sync::SyncReply,
        test_run::TestStatus,
        test_run::BoundaryAction,
        test_run::BoundaryReply,
        test_run::TestRecord,
        snapshot::OddAnswer,
        snapshot::SnapshotStats,
        snapshot::Snapshot,
        screenshot::Screenshot,
        screenshot::ScreenshotReply,
        source_map::SourceMapUpload,
        source_map::SourceMapReply,
        recording::RecordingMetadata,
        recording::RecordingStatus,
        recording::RecordingReply,
        query::QueryAction,
        query::QueryParams,
        query::PendingQuery,
        query::QueryValue,
        query::QueryError,
        query::QueryResult,
        live_page::PageInfo,
        live_page::Size,
        live_page::Point,
        live_page::Form,
        live_page::DomAnswer,
        live_page::Match,
        live_page::Box,
        live_page::Child,
        live_page::AuditReport,
        live_page::AuditSummary,
        live_page::ReportedRule,
        live_page::ReportedNode,
        live_page::PassedRule,
        live_page::ScriptOutcome,
        live_page::Thrown,
        live_page::Said,
        live_page::ScreenshotAnswer,
        live_page::RecordingStarted,
        extension::Tab,
        extension::ExtensionCounts,
        extension::Hello,
        extension::Status,
        extension::FromExtension,
        extension::ToExtension,
        extension::ExtensionLog,
    );
    let codes: Vec<String> = query::code::ALL.iter().map(|code| format!("'{code}'")).collect();
    out.push_str(&format!(
        "\n/** The error codes of the extension. */\nexport type QueryCode = {};\n",
        codes.join(" | ")
    ));
    out
}

/// Every limit, and the extension's identity.
pub fn limits() -> String {
    let mut out = String::from(HEADER);
    for (name, value) in limits::ALL {
        out.push_str(&format!("export const {name} = {value};\n"));
    }
    out.push_str(&format!("export const EXTENSION_ID = '{}';\n", crate::identity::EXTENSION_ID));
    out.push_str(&format!("export const EXTENSION_KEY =\n  '{}';\n", crate::identity::EXTENSION_KEY));
    out
}

/// The extension's settings: their types, defaults, and the rows of the popup and the options page.
pub fn settings() -> String {
    use settings::{CAPTURE_LEVEL, CAPTURE_LEVELS, REPORTED, SWITCHES, Switch};

    let quoted = |names: &[&str]| names.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>();
    let lines = |line: &dyn Fn(&Switch) -> Option<String>| SWITCHES.iter().filter_map(line).collect::<String>();
    let of_page = |line: &dyn Fn(&Switch, &str) -> String| lines(&|switch| Some(line(switch, switch.page?)));
    let rows = lines(&|switch| Some(switch.rows.iter().map(|row| setting_row(switch.key, row)).collect()));
    format!(
        "{HEADER}\
/** The least console level that is captured. Errors are always. */
export type CaptureLevel = {levels};

export interface Settings {{
  /** `local` stands for the development hosts, `all` for everything, the rest are host patterns such as `*.example.com`. */
  sites: string[];
  /** Hosts (with port, if it has one) that the user switched off; they win over `sites`. */
  blockedSites: string[];
  /** The server's address, always on this machine. */
  server: string;
  captureLevel: CaptureLevel;
{types}}}

/** The settings that are on or off. */
export type Switch = {switches};

export const CAPTURE_LEVELS: readonly CaptureLevel[] = [{level_list}];

export const DEFAULTS: Settings = {{
  sites: ['local'],
  blockedSites: [],
  server: 'http://127.0.0.1:{port}',
  captureLevel: '{CAPTURE_LEVEL}',
{defaults}}};

/** The settings that the server and its AI clients know. */
export const REPORTED = [{reported}, 'captureLevel', 'sites', 'blockedSites'] as const;

export type ReportedSettings = {{ [K in (typeof REPORTED)[number]]?: Settings[K] | null }};

/** The switches that the capture in the page obeys. One that is off by default may be left out. */
export interface PageSwitches {{
  level: CaptureLevel;
{page_types}}}

export const PAGE_DEFAULTS: PageSwitches = {{
  level: '{CAPTURE_LEVEL}',
{page_defaults}}};

/** Which setting each of them is. */
export const PAGE_SETTINGS: {{ [K in keyof PageSwitches]-?: keyof Settings }} = {{
  level: 'captureLevel',
{page_settings}}};

export type Place = {places};

/** A switch as the popup or the options page shows it. */
export interface Row {{
  key: Switch;
  place: Place;
  label: string;
  /** What it costs, or adds. Text between backticks is set as code. */
  cost: string;
  /** What the user should know while it is on. */
  note?: string;
}}

export const ROWS: readonly Row[] = [
{rows}];
",
        levels = quoted(&CAPTURE_LEVELS).join(" | "),
        level_list = quoted(&CAPTURE_LEVELS).join(", "),
        types = lines(&|switch| Some(format!("  {}: boolean;\n", switch.key))),
        switches = quoted(&SWITCHES.iter().map(|switch| switch.key).collect::<Vec<_>>()).join(" | "),
        port = limits::DEFAULT_PORT,
        defaults = lines(&|switch| Some(format!("  {}: {},\n", switch.key, switch.on))),
        reported = quoted(REPORTED).join(", "),
        page_types =
            of_page(&|switch, name| format!("  {name}{}: boolean;\n", if switch.on { "" } else { "?" })),
        page_defaults = of_page(&|switch, name| if switch.on { format!("  {name}: true,\n") } else { String::new() }),
        page_settings = of_page(&|switch, name| format!("  {name}: '{}',\n", switch.key)),
        places = quoted(&settings::Place::ALL.iter().map(|place| place.key()).collect::<Vec<_>>()).join(" | "),
    )
}

/// The table of sensitive names, as patterns for the browser.
pub fn sensitive() -> String {
    use sensitive::{
        AUTH_HEADERS, AUTOCOMPLETE_PARTS, AUTOCOMPLETE_STARTS, Header, Input, NAMES, SensitiveName, State,
    };

    let alternatives = |places: &[String]| format!("/{}/i", places.join("|"));
    let words = |reach: &dyn Fn(&SensitiveName) -> bool, start: &str, end: &str| {
        let names: Vec<String> = NAMES.iter().filter(|name| reach(name)).map(pattern).collect();
        if names.is_empty() { vec![] } else { vec![format!("{start}({}){end}", names.join("|"))] }
    };
    let header = {
        let mut places = parts(|name| name.header == Header::Part);
        places.extend(words(&|name| name.header == Header::Word, r"\b", r"\b"));
        alternatives(&places)
    };
    let input = {
        let mut places = parts(|name| matches!(name.input, Input::Part | Input::Class | Input::LooseWord));
        places.extend(words(&|name| name.input == Input::Word, r"\b", r"\b"));
        alternatives(&places)
    };
    let state = {
        let mut places = parts(|name| name.state == State::Part);
        places.extend(words(&|name| name.state == State::Whole, r"(^|[._])", "$"));
        places.extend(words(&|name| name.state == State::End, "", "$"));
        alternatives(&places)
    };
    let purpose = {
        let mut places: Vec<String> = AUTOCOMPLETE_STARTS.iter().map(|start| format!(r"\b{start}")).collect();
        places.extend(AUTOCOMPLETE_PARTS.iter().map(|part| (*part).to_owned()));
        alternatives(&places)
    };
    let rows: String = NAMES
        .iter()
        .map(|name| {
            let in_page = !matches!(name.header, Header::No | Header::ServerWord);
            let (in_input, in_state) = (name.input != Input::No, name.state != State::No);
            format!("  {{ name: '{}', header: {in_page}, input: {in_input}, state: {in_state} }},\n", name.name)
        })
        .collect();
    format!(
        "{HEADER}\
/** Names of headers whose values stay in the page. */
export const SENSITIVE_HEADER = {header};

/** Headers by which a request proves who sends it. */
export const AUTH_HEADER = /^({auth})$/i;

/** The id, name or label of an input for passwords, codes or cards. */
export const SENSITIVE_INPUT = {input};

/** The same by the input's `autocomplete`. */
export const SENSITIVE_PURPOSE = {purpose};

/** Parts of a page's state, by name or by path. */
export const SENSITIVE_STATE = {state};

/** The table itself, for tests. */
export const SENSITIVE_NAMES = [
{rows}];
",
        auth = AUTH_HEADERS.join("|"),
    )
}

/// Names that count anywhere. Names that contain another of them need no pattern: the shorter one matches.
fn parts(is_part: impl Fn(&sensitive::SensitiveName) -> bool) -> Vec<String> {
    let parts: Vec<_> = sensitive::NAMES.iter().filter(|name| is_part(name)).collect();
    let is_held = |name: &sensitive::SensitiveName| {
        parts.iter().any(|other| other.name != name.name && name.bare().contains(&other.bare()))
    };
    parts.iter().filter(|name| !is_held(name)).map(|name| pattern(name)).collect()
}

/// Any one character, or none, between the words of a name.
fn pattern(name: &sensitive::SensitiveName) -> String {
    name.name.replace(' ', ".?")
}

fn setting_row(key: &str, row: &settings::Row) -> String {
    let text = |name: &str, text: &str| format!("    {name}: {},\n", serde_json::Value::from(text));
    let note = row.note.map(|note| text("note", note)).unwrap_or_default();
    let (label, cost, place) = (text("label", row.label), text("cost", row.cost), row.place.key());
    format!("  {{\n    key: '{key}',\n    place: '{place}',\n{label}{cost}{note}  }},\n")
}

macro_rules! named {
    ($($ty:ty => $name:literal),*) => {
        $(
            impl TS for $ty {
                type WithoutGenerics = Self;
                type OptionInnerType = Self;

                fn name(_: &Config) -> String {
                    $name.to_owned()
                }

                fn inline(config: &Config) -> String {
                    Self::name(config)
                }
            }
        )*
    };
}

named!(
    crate::Timestamp => "Timestamp",
    crate::time::EpochMillis => "Timestamp",
    settings::Settings => "ReportedSettings"
);
