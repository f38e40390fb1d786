//! `gasoline report`: the report on a test run.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use engine::Redactor;
use engine::report::{Format, Options, Snapshot, report};
use wire::{Level, Timestamp};

use super::{WRONG_USAGE, light_runtime};
use crate::daemon::Connection;
use crate::snapshot_files;
use crate::state::StateDir;
use crate::terminal::complain;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// text, json, ai-context (for a model, under 500 tokens a failure), junit, or markdown (for a CI job's summary).
    #[arg(long, default_value = "text", value_parser = |name: &str| name.parse::<Format>())]
    format: Format,
    /// The file to write to; `-` for stdout.
    #[arg(long, default_value = "-", value_name = "FILE")]
    output: PathBuf,
    /// Only this test: its id or title, or part of either.
    #[arg(long, value_name = "TEST")]
    test_id: Option<String>,
    /// Only what happened since this time, for example 2026-11-16T08:00:00Z.
    #[arg(long, value_name = "TIME", value_parser = time)]
    since: Option<Timestamp>,
    /// The lowest severity to report: error, warn or info.
    #[arg(long, default_value = "error", value_parser = crate::http::severity)]
    severity: Level,
    /// Read saved snapshots instead of asking the server: files, folders of test results (from all shards), blob
    /// reports.
    #[arg(long, num_args = 1.., value_name = "PATH")]
    input: Vec<PathBuf>,
}

pub(super) fn run(port: u16, args: Args) -> Result<ExitCode> {
    let text = if args.input.is_empty() {
        from_server(port, &args)?
    } else {
        let snapshots = match snapshot_files::read(&args.input) {
            Ok(snapshots) => snapshots,
            Err(problem) => {
                complain(format!("gasoline: {problem}"));
                return Ok(ExitCode::from(WRONG_USAGE));
            }
        };
        of_files(snapshots, &args)
    };
    write(&args.output, &text)?;
    Ok(ExitCode::SUCCESS)
}

fn of_files(snapshots: Vec<Snapshot>, args: &Args) -> String {
    let options =
        Options { test: args.test_id.clone(), since: args.since, severity: args.severity, ..Options::default() };
    report(snapshots, &options, &Redactor::new()).write(args.format)
}

fn from_server(port: u16, args: &Args) -> Result<String> {
    let name = Format::ALL.iter().find(|(format, _)| *format == args.format).map_or("text", |(_, name)| name);
    let mut path = format!("/report?format={name}&severity={}", args.severity.name());
    for (name, value) in [("test_id", args.test_id.clone()), ("since", args.since.map(|since| since.to_string()))] {
        if let Some(value) = value {
            path.push_str(&format!(
                "&{name}={}",
                percent_encoding::utf8_percent_encode(&value, percent_encoding::NON_ALPHANUMERIC)
            ));
        }
    }
    let token = StateDir::open()?.token()?;
    light_runtime()?.block_on(async { Ok(Connection::open(port, &token).await?.text(&path).await?) })
}

fn write(output: &PathBuf, text: &str) -> Result<()> {
    if output.as_os_str() == "-" {
        // A closed pipe (`gasoline report | head -1`) is not an error.
        let _ = std::io::stdout().lock().write_all(text.as_bytes());
        return Ok(());
    }
    std::fs::write(output, text).with_context(|| format!("could not write {}", output.display()))
}

fn time(text: &str) -> Result<Timestamp, String> {
    Timestamp::parse_iso(text)
        .ok_or_else(|| "invalid timestamp: expected ISO 8601, for example 2026-11-16T08:00:00Z".to_owned())
}
