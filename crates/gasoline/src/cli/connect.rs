//! `gasoline` without a command: MCP over stdio, or, for a person at a terminal, how to connect.

use std::io::IsTerminal as _;
use std::process::ExitCode;

use anyhow::Result;

use super::{UNREACHABLE, light_runtime, status};
use crate::daemon::bridge;
use crate::state::StateDir;
use crate::terminal::say;

pub(super) fn run(port: u16) -> Result<ExitCode> {
    if std::io::stdin().is_terminal() {
        say(status::short(port));
        say(how_to_connect());
        return Ok(ExitCode::SUCCESS);
    }
    let state = StateDir::open()?;
    let token = state.token()?;
    let runtime = light_runtime()?;
    let outcome = runtime.block_on(bridge::run(&state, port, &token));
    // A thread may still wait for a line on stdin; we do not wait for it.
    runtime.shutdown_background();
    // The bridge has already said what is wrong.
    Ok(if outcome.is_ok() { ExitCode::SUCCESS } else { ExitCode::from(UNREACHABLE) })
}

fn how_to_connect() -> String {
    let program = std::env::current_exe().map_or_else(|_| "gasoline".to_owned(), |path| path.display().to_string());
    format!(
        "\nConnect an AI client by having it launch this program:\n\n\
         \x20 Claude Code   claude mcp add gasoline -- {program}\n\
         \x20 others        {{\"mcpServers\": {{\"gasoline\": {{\"command\": \"{program}\"}}}}}}\n\n\
         Then ask it: \"Is Gasoline connected to my browser?\"\n\
         `gasoline --help` shows all commands."
    )
}
