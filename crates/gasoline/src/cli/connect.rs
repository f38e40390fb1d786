//! `gasoline` without a command: MCP over stdio. At a terminal it explains how to connect a client instead.

use std::io::IsTerminal as _;
use std::process::ExitCode;

use anyhow::Result;
use wire::limits;

use super::{UNREACHABLE, WRONG_USAGE, light_runtime, status};
use crate::daemon::bridge;
use crate::program;
use crate::state::StateDir;
use crate::terminal::{complain, say};

pub(super) fn run(port: u16) -> Result<ExitCode> {
    if std::io::stdin().is_terminal() {
        say(status::short(port));
        say(how_to_connect(port));
        return Ok(ExitCode::SUCCESS);
    }
    if port == 0 {
        complain(
            "gasoline: --port 0 works only with `gasoline serve`: an AI client needs a fixed port to find its server again",
        );
        return Ok(ExitCode::from(WRONG_USAGE));
    }
    let state = StateDir::open().and_then(|state| state.token().map(|token| (state, token)));
    let runtime = light_runtime()?;
    let outcome = runtime.block_on(bridge::run(state, port));
    // A thread may still be blocked reading stdin; do not wait for it.
    runtime.shutdown_background();
    // The bridge has already reported the error.
    Ok(if outcome.is_ok() { ExitCode::SUCCESS } else { ExitCode::from(UNREACHABLE) })
}

fn how_to_connect(port: u16) -> String {
    let program = std::env::current_exe().map_or_else(|_| "gasoline".to_owned(), |path| path.display().to_string());
    let (in_shell, in_json) = (program::quoted(&program), serde_json::Value::from(program.as_str()));
    let (flag, args) = match port {
        limits::DEFAULT_PORT => (String::new(), String::new()),
        port => (format!(" --port {port}"), format!(", \"args\": [\"--port\", \"{port}\"]")),
    };
    format!(
        "\nTo connect an AI client, let it launch this program:\n\n\
         \x20 Claude Code   claude mcp add gasoline -- {in_shell}{flag}\n\
         \x20 others        {{\"mcpServers\": {{\"gasoline\": {{\"command\": {in_json}{args}}}}}}}\n\n\
         Then ask it: \"Is Gasoline connected to my browser?\"\n\
         `gasoline open` shows live what is captured; `gasoline --help` lists all commands."
    )
}
