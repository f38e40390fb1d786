//! Starts the background server once, even if many clients need it at the same time.

use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow};
use serde_json::Value;

use super::{Connection, Problem};
use crate::app::VERSION;
use crate::cli::UNREACHABLE;
use crate::state::{StateDir, private_options};
use crate::terminal::complain;

/// A server that has not opened its port within this time has failed.
const START_TIME: Duration = Duration::from_secs(10);
const SERVER_LOG_BYTES: u64 = 1024 * 1024;

/// Connects to the server on this port, and starts one if there is none.
pub(crate) async fn ensure_running(state: &StateDir, port: u16, token: &str) -> Result<Connection> {
    match find(port, token).await {
        Ok(Found::Current(connection)) => return Ok(connection),
        // The server may be missing, or just shutting down: waiting for the lock gives it time.
        Ok(Found::Outdated { .. }) | Err(Problem::NotRunning | Problem::Broken(_)) => {}
        Err(problem) => return Err(problem.into()),
    }
    let _lock = lock(state, port).await?;
    // The previous holder of the lock has probably started the server.
    match find(port, token).await {
        Ok(Found::Current(connection)) => Ok(connection),
        Ok(Found::Outdated { connection, version, in_use }) => {
            complain(format!("gasoline {VERSION}: the server on port {port} is version {version}"));
            if in_use {
                complain("other clients use it, so it keeps running; `gasoline stop` stops it for all of them");
                return Ok(connection);
            }
            complain("no other client uses it: replacing it");
            stop(port, connection).await?;
            start(state, port, token).await
        }
        Err(Problem::NotRunning | Problem::Broken(_)) => start(state, port, token).await,
        Err(problem) => Err(problem.into()),
    }
}

enum Found {
    Current(Connection),
    Outdated { connection: Connection, version: String, in_use: bool },
}

async fn find(port: u16, token: &str) -> Result<Found, Problem> {
    let mut connection = Connection::open(port, token).await?;
    let health = connection.health().await?;
    let version = health.get("version").and_then(Value::as_str).unwrap_or("unknown");
    if version == VERSION {
        return Ok(Found::Current(connection));
    }
    let in_use = health.get("clients").and_then(Value::as_array).is_some_and(|clients| !clients.is_empty());
    Ok(Found::Outdated { connection, version: version.to_owned(), in_use })
}

/// Waits until no other process is starting a server for this port, without blocking this thread.
async fn lock(state: &StateDir, port: u16) -> Result<File> {
    let path = state.start_lock(port);
    let file = private_options().write(true).create(true).truncate(false).open(&path)?;
    let began = Instant::now();
    while file.try_lock().is_err() {
        if began.elapsed() > START_TIME {
            return Err(anyhow!(
                "{} is locked by a process that does not finish starting a server; stop it and try again",
                path.display()
            ));
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    Ok(file)
}

async fn stop(port: u16, mut connection: Connection) -> Result<()> {
    connection.shutdown().await?;
    wait_until_gone(port).await
}

/// Waits until nothing listens on the port any more.
pub(crate) async fn wait_until_gone(port: u16) -> Result<()> {
    let began = Instant::now();
    while began.elapsed() < START_TIME {
        if tokio::net::TcpStream::connect((std::net::Ipv4Addr::LOCALHOST, port)).await.is_err() {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    Err(anyhow!("the server on port {port} does not stop"))
}

async fn start(state: &StateDir, port: u16, token: &str) -> Result<Connection> {
    let mut child = spawn(state, port)?;
    let began = Instant::now();
    loop {
        match find(port, token).await {
            Ok(Found::Current(connection) | Found::Outdated { connection, .. }) => return Ok(connection),
            Err(Problem::NotRunning | Problem::Broken(_)) => {}
            Err(problem) => return Err(problem.into()),
        }
        if let Some(status) = child.try_wait()? {
            // The port was in use: by another server that started first, or by a program that closes every connection.
            if status.code() == Some(UNREACHABLE.into()) {
                return match find(port, token).await {
                    Ok(Found::Current(connection) | Found::Outdated { connection, .. }) => Ok(connection),
                    Err(Problem::Broken(_)) => Err(Problem::Foreign { port }.into()),
                    Err(problem) => Err(problem.into()),
                };
            }
            return Err(anyhow!(
                "the background server exited at once ({status}); see {}",
                state.server_log().display()
            ));
        }
        if began.elapsed() > START_TIME {
            return Err(anyhow!("the background server does not start; see {}", state.server_log().display()));
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

/// Starts the server detached: it must outlive us, and Ctrl-C in our terminal must not reach it.
fn spawn(state: &StateDir, port: u16) -> Result<Child> {
    let program = std::env::current_exe().context("could not find the gasoline program itself")?;
    keep_short(&state.server_log());
    let log = private_options().append(true).create(true).open(state.server_log())?;
    let mut command = Command::new(program);
    command
        .args(["serve", "--background", "--port", &port.to_string()])
        .current_dir(state.root())
        .env("GASOLINE_STATE_DIR", std::path::absolute(state.root())?)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn().context("could not start the background server")
}

/// Rotates a log that has grown over many runs. One old log is kept.
fn keep_short(log: &Path) {
    if std::fs::metadata(log).is_ok_and(|log| log.len() > SERVER_LOG_BYTES) {
        let _ = std::fs::rename(log, log.with_extension("log.1"));
    }
}
