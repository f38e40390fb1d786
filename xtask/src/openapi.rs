//! `docs/openapi.json`: the paths stand beside the routes in `crates/gasoline/src/http/openapi.json`, the schemas come from
//! the wire types.

use anyhow::{Context as _, Result, bail};
use schemars::generate::SchemaSettings;
use serde_json::Value;

use crate::shell;

const PATHS: &str = "crates/gasoline/src/http/openapi.json";

/// The whole document.
pub(crate) fn document() -> Result<String> {
    let text = std::fs::read_to_string(shell::root().join(PATHS)).context(PATHS)?;
    let mut document: Value = serde_json::from_str(&text).context(PATHS)?;
    let Some(schemas) = document.pointer_mut("/components/schemas").and_then(Value::as_object_mut) else {
        bail!("{PATHS} has no components.schemas");
    };
    let mut settings = SchemaSettings::draft2020_12();
    settings.definitions_path = "/components/schemas".into();
    let mut generator = settings.into_generator();
    macro_rules! describe {
        ($($ty:ty),* $(,)?) => {
            $(let _ = generator.subschema_for::<$ty>();)*
        };
    }
    describe!(
        wire::LogEntry,
        wire::WebSocketEvent,
        wire::NetworkBody,
        wire::EnhancedAction,
        wire::DomSnapshot,
        wire::PerformanceSnapshot,
        wire::performance::PerformanceBaseline,
        wire::extension::ExtensionLog,
        wire::sync::SyncReply,
        wire::test_run::BoundaryReply,
        wire::TestRecord,
        wire::snapshot::OddAnswer,
        wire::snapshot::SnapshotStats,
        wire::screenshot::Screenshot,
        wire::screenshot::ScreenshotReply,
        wire::source_map::SourceMapUpload,
        wire::source_map::SourceMapReply,
        wire::recording::RecordingReply,
        wire::query::PendingQuery,
        wire::query::QueryResult,
    );
    for (name, schema) in generator.take_definitions(true) {
        if schemas.insert(name.clone(), schema).is_some() {
            bail!("{PATHS} and the wire types both define {name}");
        }
    }
    schemas.sort_keys();
    Ok(format!("{document:#}\n"))
}
