//! TypeScript for the browser side, written by `cargo xtask gen`.

use ts_rs::{Config, TS};

use crate::{
    action, dom_snapshot, extension, limits, live_page, log, network, performance, query, recording, screenshot,
    source_map, sync, test_run, websocket,
};

const HEADER: &str = "// Generated from crates/wire by `cargo xtask gen`. Do not edit.\n\n";

/// Every shape, in reading order.
pub fn wire() -> String {
    let config = Config::new().with_large_int("number");
    let mut out = String::from(HEADER);
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
        extension::Settings,
        extension::ExtensionCounts,
        extension::Hello,
        extension::Status,
        extension::FromExtension,
        extension::ToExtension,
        extension::ExtensionLog,
    );
    let codes: Vec<String> = query::code::ALL.iter().map(|code| format!("'{code}'")).collect();
    out.push_str(&format!(
        "\n/** What the extension calls its failures. */\nexport type QueryCode = {};\n",
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

named!(crate::Timestamp => "Timestamp", crate::time::EpochMillis => "Timestamp");
