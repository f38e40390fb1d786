//! `gasoline stop`

use std::process::ExitCode;

use anyhow::Result;

use super::light_runtime;
use crate::daemon::{Connection, Problem, wait_until_gone};
use crate::state::StateDir;
use crate::terminal::say;

pub(super) fn run(port: u16) -> Result<ExitCode> {
    let token = StateDir::open()?.token()?;
    light_runtime()?.block_on(async {
        let mut connection = match Connection::open(port, &token).await {
            Ok(connection) => connection,
            Err(Problem::NotRunning) => {
                say(format!("no server is running on port {port}"));
                return Ok(ExitCode::SUCCESS);
            }
            Err(problem) => return Err(problem.into()),
        };
        connection.health().await?;
        connection.shutdown().await?;
        drop(connection);
        wait_until_gone(port).await?;
        say(format!("the server on port {port} has stopped"));
        Ok(ExitCode::SUCCESS)
    })
}
