//! A Gasoline server for the demo only, and an AI client's stdio process. Both are this program, started again.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use super::find::Found;
use crate::app::VERSION;
use crate::daemon::Connection;

const LOOK: Duration = Duration::from_millis(25);
/// A browser that loads the extension connects within a second or two.
const CONNECT_TIME: Duration = Duration::from_secs(25);
const END_TIME: Duration = Duration::from_secs(3);

pub(super) struct Server {
    pub(super) port: u16,
    state: PathBuf,
    token: String,
    child: Child,
}

impl Server {
    pub(super) async fn start(state: &Path) -> Result<Self> {
        let token = crate::state::random_hex(32)?;
        let mut command = program(state, &token)?;
        let pid = std::process::id().to_string();
        let mut child = command
            .args(["serve", "--port", "0", "--exit-with-pid", &pid])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .context("cannot start the demo's server")?;
        let mut lines = BufReader::new(child.stderr.take().context("the server has no stderr")?).lines();
        let mut said = Vec::new();
        let port = loop {
            let Some(line) = lines.next_line().await? else {
                bail!("the demo's server did not start:\n{}", said.join("\n"))
            };
            if let Some(port) = line.strip_prefix("listening on http://127.0.0.1:") {
                break port.parse().context("the server printed no port")?;
            }
            said.push(line);
        };
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Ok(Self { port, state: state.to_owned(), token, child })
    }

    pub(super) async fn connection(&self) -> Result<Connection> {
        Ok(Connection::open(self.port, &self.token).await?)
    }

    pub(super) async fn until_connected(&self, found: &Found) -> Result<()> {
        let mut connection = self.connection().await?;
        let began = Instant::now();
        while connection.health().await?.pointer("/extension/connected") != Some(&Value::Bool(true)) {
            if began.elapsed() > CONNECT_TIME && found.by_pipe {
                bail!("{}", found.refusal());
            }
            if began.elapsed() > CONNECT_TIME {
                bail!(
                    "{} runs, but the extension did not report within {} s: this browser seems to reject extensions \
                     from the command line. Use Chromium or Chrome for Testing: gasoline demo --browser PATH",
                    found.title,
                    CONNECT_TIME.as_secs()
                );
            }
            tokio::time::sleep(LOOK).await;
        }
        Ok(())
    }

    /// Repeats the request until the answer is the expected one.
    pub(super) async fn until(&self, path: &str, fits: impl Fn(&Value) -> bool) -> Result<()> {
        let mut connection = self.connection().await?;
        while !serde_json::from_str(&connection.text(path).await?).is_ok_and(|answer: Value| fits(&answer)) {
            tokio::time::sleep(LOOK).await;
        }
        Ok(())
    }

    pub(super) async fn client(&self) -> Result<Client> {
        Client::start(program(&self.state, &self.token)?.args(["--port", &self.port.to_string()])).await
    }

    pub(super) async fn end(mut self) {
        if let Ok(mut connection) = self.connection().await
            && connection.shutdown().await.is_ok()
            && tokio::time::timeout(END_TIME, self.child.wait()).await.is_ok()
        {
            return;
        }
        let _ = self.child.kill().await;
    }
}

/// This program with its own state directory and none of the user's settings.
fn program(state: &Path, token: &str) -> Result<Command> {
    let mut command = Command::new(std::env::current_exe().context("the path of this program is unknown")?);
    for name in ["GASOLINE_PORT", "GASOLINE_INGEST_TOKEN", "GASOLINE_LOG"] {
        command.env_remove(name);
    }
    // The current folder may have another project's budgets.
    command.env("GASOLINE_STATE_DIR", state).env("GASOLINE_TOKEN", token).kill_on_drop(true);
    if let Some(folder) = state.parent() {
        command.current_dir(folder);
    }
    Ok(command)
}

/// The AI client's end of a stdio process.
pub(super) struct Client {
    _child: Child,
    stdin: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
    last_id: u64,
}

/// A tool's answer: the text that goes to the model, and the same as JSON.
pub(super) struct Answer {
    pub(super) text: String,
    pub(super) fields: Value,
}

impl Client {
    async fn start(command: &mut Command) -> Result<Self> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let stdin = child.stdin.take().context("the stdio process has no stdin")?;
        let lines = BufReader::new(child.stdout.take().context("the stdio process has no stdout")?).lines();
        let mut client = Self { _child: child, stdin, lines, last_id: 0 };
        let hello = json!({
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": { "name": "gasoline demo", "version": VERSION },
        });
        client.ask("initialize", hello).await?;
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await?;
        Ok(client)
    }

    pub(super) async fn call(&mut self, tool: &str) -> Result<Answer> {
        let result = self.ask("tools/call", json!({ "name": tool, "arguments": {} })).await?;
        let text = result.pointer("/content/0/text").and_then(Value::as_str).unwrap_or_default().to_owned();
        if result.get("isError") == Some(&Value::Bool(true)) {
            bail!("{text}");
        }
        Ok(Answer { text, fields: result.get("structuredContent").cloned().unwrap_or_default() })
    }

    async fn ask(&mut self, method: &str, params: Value) -> Result<Value> {
        self.last_id += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params })).await?;
        while let Some(line) = self.lines.next_line().await? {
            let mut message: Value = serde_json::from_str(&line)?;
            if message.get("id").and_then(Value::as_u64) == Some(self.last_id) {
                if let Some(error) = message.get("error") {
                    bail!("{error}");
                }
                return Ok(message.get_mut("result").map(Value::take).unwrap_or_default());
            }
        }
        bail!("the stdio process ended")
    }

    async fn send(&mut self, message: &Value) -> Result<()> {
        self.stdin.write_all(format!("{message}\n").as_bytes()).await?;
        Ok(self.stdin.flush().await?)
    }
}
