//! `gasoline token`

use std::process::ExitCode;

use anyhow::Result;

use crate::state::StateDir;
use crate::terminal::say;

pub(super) fn run() -> Result<ExitCode> {
    say(StateDir::open()?.token()?);
    Ok(ExitCode::SUCCESS)
}
