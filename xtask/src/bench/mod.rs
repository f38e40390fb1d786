//! Measures the release binary from outside, as users run it, and writes `docs/benchmarks.md` and
//! `docs/benchmarks.json`.

mod browser;
mod ci;
mod history;
mod ingest;
mod latency;
mod memory;
mod process;
mod redaction;
mod report;
mod source_maps;
mod start;

use anyhow::{Result, ensure};

use crate::{prepare, shell};

use report::Row;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// How long the soak test runs, in seconds. The published figure needs ten minutes.
    #[arg(long, default_value_t = 60)]
    soak_seconds: u64,
    /// Reuse the browser's figures of the previous run instead of measuring them again.
    #[arg(long)]
    reuse_browser_rows: bool,
    /// Print the figures without changing the files in docs.
    #[arg(long)]
    dry_run: bool,
    /// Compare the figures with the last run in the committed docs/benchmarks.json; fail if any got worse.
    #[arg(long)]
    compare: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    prepare::release_binary()?;
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
    let version = String::from_utf8_lossy(&version).trim().to_owned();
    let browser = browser::rows(&binary, args.reuse_browser_rows)?;
    let yardstick_ms = history::yardstick_millis();
    let all: Vec<&Row> = rows.iter().chain(&browser).collect();
    // Figures of another run, perhaps on another machine, say nothing about this one.
    let measured: Vec<&Row> = rows.iter().chain(browser.iter().filter(|_| !args.reuse_browser_rows)).collect();
    let run = history::Run::new(&measured, yardstick_ms, args.soak_seconds, &version);
    let compared = if args.compare { history::committed()?.map(|before| run.compared_with(&before)) } else { None };
    let table = compared.as_ref().map(|(table, _)| table.as_str());
    let page = report::page(&rows, &browser, args, &version, yardstick_ms, table);
    println!("{page}");
    let is_worse = compared.is_some_and(|(_, is_worse)| is_worse);
    let broken: Vec<&str> = all.iter().filter(|row| row.is_broken()).map(|row| row.what.as_str()).collect();
    if !args.dry_run {
        std::fs::write(shell::root().join("docs/benchmarks.md"), page)?;
        // The next run is compared with these figures, so they must be good.
        if !is_worse && broken.is_empty() {
            history::History::read()?.add(run)?;
        }
    }
    ensure!(!is_worse, "some figures got worse; see the last table");
    ensure!(broken.is_empty(), "these bounds do not hold: {}", broken.join("; "));
    Ok(())
}
