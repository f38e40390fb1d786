//! The extension's cost in the page, measured by Playwright in `browser/e2e/bench`.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use super::report::Row;
use crate::{shell, system};

pub(super) fn rows(binary: &Path, reuse: bool) -> Result<Vec<Row>> {
    let out = shell::root().join("target/browser-bench.json");
    if !reuse {
        measure(binary, &out)?;
    }
    let text = std::fs::read_to_string(&out).context("the browser's benchmark wrote no figures")?;
    Ok(serde_json::from_str(&text)?)
}

fn measure(binary: &Path, out: &Path) -> Result<()> {
    system::ensure_test_programs()?;
    // The files of the run add their rows one by one.
    if out.exists() {
        std::fs::remove_file(out)?;
    }
    let status = Command::new("npx")
        .args(["playwright", "test", "--config", "bench/playwright.config.ts"])
        .current_dir(shell::root().join("browser/e2e"))
        .env("GASOLINE_BINARY", binary)
        .env("GASOLINE_BENCH_OUT", out)
        .status()
        .context("could not run npx; is Node installed?")?;
    ensure!(status.success(), "the browser's benchmark failed: {status}");
    Ok(())
}
