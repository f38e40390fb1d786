//! `gasoline ci-script`: the capture script for test runners other than Playwright, embedded in the binary.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result};

use crate::embedded;
use crate::terminal::{hand_over, say};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The file to write to, instead of stdout.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let script = embedded::ci_script()?;
    match args.out {
        None => hand_over(&script).context("could not write the script to stdout")?,
        Some(path) => {
            embedded::write(&path, &script)?;
            say(format!("The script is in {}", path.display()));
        }
    }
    Ok(ExitCode::SUCCESS)
}
