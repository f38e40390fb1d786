//! `gasoline schemas`: JSON Schemas of what the server sends, for `cargo xtask gen`. `docs/tools.md` lists the fields of
//! answers from `tools`; `tools/list` leaves them out, because clients would pay for them in every session. The dashboard's
//! TypeScript comes from `dashboard`. Release builds are smaller without it.

use std::process::ExitCode;

use anyhow::{Context as _, Result};
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::dashboard::WholeCall;
use crate::http::DashboardNews;
use crate::terminal::hand_over;
use crate::tools::registry;

pub(super) fn run() -> Result<ExitCode> {
    let text = format!("{:#}\n", json!({ "tools": tools(), "dashboard": dashboard() }));
    hand_over(text.as_bytes()).context("could not write the schemas to stdout")?;
    Ok(ExitCode::SUCCESS)
}

/// The answer of each tool.
fn tools() -> Map<String, Value> {
    registry().iter().map(|tool| (tool.name.to_owned(), Value::Object((tool.answer)()))).collect()
}

/// Every type in the dashboard's messages, by its name.
fn dashboard() -> Map<String, Value> {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    generator.subschema_for::<DashboardNews>();
    generator.subschema_for::<WholeCall>();
    generator.take_definitions(true)
}
