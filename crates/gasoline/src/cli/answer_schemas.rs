//! `gasoline answer-schemas`: the JSON Schema of what each tool answers. `docs/tools.md` is written from it; `tools/list`
//! leaves it out, because clients would pay for it in every session.

use std::process::ExitCode;

use anyhow::{Context as _, Result};
use serde_json::{Map, Value};

use crate::terminal::hand_over;
use crate::tools::registry;

pub(super) fn run() -> Result<ExitCode> {
    let schemas: Map<String, Value> =
        registry().iter().map(|tool| (tool.name.to_owned(), Value::Object((tool.answer)()))).collect();
    let text = format!("{:#}\n", Value::Object(schemas));
    hand_over(text.as_bytes()).context("could not write the schemas to stdout")?;
    Ok(ExitCode::SUCCESS)
}
