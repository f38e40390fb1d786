//! How well and how fast credentials are found. The redaction tests measure this; here they run in release mode, and
//! their figures are collected.

use anyhow::{Context as _, Result, ensure};

use super::report::Row;
use crate::shell;

const MARK: &str = "figure ";

pub(super) fn rows() -> Result<Vec<Row>> {
    let output = std::process::Command::new("cargo")
        .args(["test", "--quiet", "--release", "--package", "gasoline-engine"])
        .args(["--test", "corpus", "--test", "redaction_speed", "--", "--include-ignored"])
        .args(["--nocapture", "--test-threads", "1"])
        .current_dir(shell::root())
        .output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    ensure!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    let rows: Vec<Row> = text
        .lines()
        .filter_map(|line| line.split_once(MARK))
        .map(|(_, figure)| serde_json::from_str(figure).with_context(|| figure.to_owned()))
        .collect::<Result<_>>()?;
    ensure!(!rows.is_empty(), "the tests of redaction printed no figures: {text}");
    Ok(rows)
}
