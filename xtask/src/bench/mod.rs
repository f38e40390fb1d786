//! Measures the release binary from outside, as its users meet it, and writes `docs/benchmarks.md`.

mod browser;
mod ci;
mod ingest;
mod latency;
mod memory;
mod process;
mod redaction;
mod report;
mod source_maps;
mod start;

use anyhow::Result;

use crate::{shell, suites};

use report::Row;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// How long the soak runs; ten minutes is the promise, less is quicker.
    #[arg(long, default_value_t = 60)]
    soak_seconds: u64,
    /// Take the browser's figures of the run before instead of measuring them again.
    #[arg(long)]
    reuse_browser_rows: bool,
    /// Print only, leave docs/benchmarks.md as it is.
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    suites::build()?;
    let binary = shell::root().join("target/release/gasoline");
    let mut rows: Vec<Row> = Vec::new();
    rows.extend(start::rows(&binary));
    rows.extend(latency::rows(&binary)?);
    rows.extend(source_maps::rows(&binary));
    rows.extend(redaction::rows()?);
    rows.extend(ingest::rows(&binary));
    rows.extend(ci::rows(&binary));
    rows.extend(memory::rows(&binary, args.soak_seconds));
    let size = std::fs::metadata(&binary)?.len() as f64 / 1024.0 / 1024.0;
    rows.push(Row::at_most("binary size", size, 10.0, "MB"));

    let version = std::process::Command::new(&binary).arg("--version").output()?.stdout;
    let page = report::page(
        &rows,
        &browser::rows(&binary, args.reuse_browser_rows)?,
        args.soak_seconds,
        String::from_utf8_lossy(&version).trim(),
    );
    println!("{page}");
    if !args.dry_run {
        std::fs::write(shell::root().join("docs/benchmarks.md"), page)?;
    }
    Ok(())
}
