//! The stdio process: a thin pipe between an AI client and the background server.
//!
//! Lines are passed on as they are. All the bridge knows of JSON-RPC is what it needs to heal: which requests wait for
//! an answer, and how the client introduced itself. When the server goes away, waiting requests are answered with an
//! error, a new server is found or started, and the introduction is replayed; the client notices nothing else.

use std::collections::HashMap;
use std::time::Duration;

use anyhow::Result;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::sync::mpsc;

use super::{Connection, ensure_running};
use crate::state::StateDir;
use crate::terminal::complain;

/// After the client closed stdin, answers still under way are waited for so long.
const LAST_ANSWERS: Duration = Duration::from_secs(60);
/// A server that keeps going away is not started for ever.
const HEALINGS: usize = 20;
const REPLAY_ID: &str = "gasoline-replay";
/// JSON-RPC's range for a server's own errors.
const SERVER_ERROR: i64 = -32000;

/// What the bridge looks at in a line.
#[derive(Deserialize)]
struct Head<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    method: Option<String>,
}

#[derive(Debug, Default)]
struct Session {
    /// The client's `initialize`, to be replayed.
    introduction: Option<String>,
    /// Its `notifications/initialized`.
    confirmation: Option<String>,
    /// Requests without an answer: their id as text, and their line.
    waiting: HashMap<String, String>,
    /// A line that came while there was no server.
    held: Option<String>,
}

impl Session {
    fn sent(&mut self, line: &str) {
        let Ok(head) = serde_json::from_str::<Head<'_>>(line) else { return };
        match (head.method.as_deref(), head.id) {
            (Some("initialize"), Some(id)) => {
                self.introduction = Some(line.to_owned());
                self.waiting.insert(id.get().to_owned(), line.to_owned());
            }
            (Some("notifications/initialized"), None) => self.confirmation = Some(line.to_owned()),
            (Some("notifications/cancelled"), None) => self.cancelled(line),
            (Some(_), Some(id)) => {
                self.waiting.insert(id.get().to_owned(), line.to_owned());
            }
            _ => {}
        }
    }

    /// A cancelled request gets no answer.
    fn cancelled(&mut self, line: &str) {
        let id = serde_json::from_str::<Value>(line)
            .ok()
            .and_then(|line| line.pointer("/params/requestId").map(Value::to_string));
        if let Some(id) = id {
            self.waiting.remove(&id);
        }
    }

    fn answered(&mut self, line: &str) {
        if let Ok(Head { id: Some(id), method: None }) = serde_json::from_str(line) {
            self.waiting.remove(id.get());
        }
    }

    /// Whether the handshake was completed, so that a new server must be told of it.
    fn is_introduced(&self) -> bool {
        let pending = self.introduction.as_ref().is_some_and(|own| self.waiting.values().any(|line| line == own));
        self.introduction.is_some() && !pending
    }
}

/// Runs until stdin ends. `Err` when no server can be had.
pub(crate) async fn run(state: &StateDir, port: u16, token: &str) -> Result<()> {
    // Stdin is read in a task of its own, so that its lines are not lost while we heal.
    let (lines, mut from_client) = mpsc::channel::<String>(64);
    tokio::spawn(read_lines(tokio::io::stdin(), lines));
    let mut stdout = tokio::io::stdout();
    let mut session = Session::default();

    let mut connection = match ensure_running(state, port, token).await {
        Ok(connection) => connection,
        Err(error) => return fail(&mut from_client, &mut stdout, error).await,
    };
    for healing in 0.. {
        match pump(connection, &mut session, &mut from_client, &mut stdout).await? {
            End::ClientLeft => return Ok(()),
            End::ServerLeft => {}
        }
        answer_waiting(&mut session, &mut stdout).await?;
        // One that was stopped on purpose stays away until the client wants something; one that crashed is replaced at
        // once, because the browser goes on sending.
        if session.waiting.is_empty() && state.stop_marker(port).exists() {
            complain("gasoline: the server was stopped; the next request starts it again");
            match from_client.recv().await {
                Some(line) => session.held = Some(line),
                None => return Ok(()),
            }
        } else {
            complain("gasoline: the server went away; looking for a new one");
        }
        if healing >= HEALINGS {
            return fail(&mut from_client, &mut stdout, anyhow::anyhow!("the server keeps going away; see server.log"))
                .await;
        }
        // A moment for a server that is being replaced, longer each time.
        tokio::time::sleep(Duration::from_millis(10 * healing as u64)).await;
        connection = match ensure_running(state, port, token).await {
            Ok(connection) => connection,
            Err(error) => return fail(&mut from_client, &mut stdout, error).await,
        };
    }
    Ok(())
}

async fn read_lines(from: impl AsyncRead + Unpin, to: mpsc::Sender<String>) {
    let mut reader = BufReader::with_capacity(64 * 1024, from);
    let mut line = Vec::new();
    while let Ok(1..) = reader.read_until(b'\n', &mut line).await {
        let text = String::from_utf8_lossy(&line).trim().to_owned();
        line.clear();
        if !text.is_empty() && to.send(text).await.is_err() {
            return;
        }
    }
}

enum End {
    ClientLeft,
    ServerLeft,
}

/// Passes lines both ways until one side ends. `Err` when stdout is gone: then the client is.
async fn pump(
    connection: Connection,
    session: &mut Session,
    from_client: &mut mpsc::Receiver<String>,
    stdout: &mut (impl AsyncWrite + Unpin),
) -> Result<End> {
    let Ok(pipe) = connection.into_pipe().await else { return Ok(End::ServerLeft) };
    let (from_server, mut to_server) = tokio::io::split(pipe);
    let (lines, mut from_server_lines) = mpsc::channel::<String>(64);
    tokio::spawn(read_lines(from_server, lines));

    if session.is_introduced() && !replay(session, &mut to_server, &mut from_server_lines).await {
        return Ok(End::ServerLeft);
    }
    // An introduction that the last server took with it is simply made again.
    for line in session.waiting.values() {
        if !write_line(&mut to_server, line).await {
            return Ok(End::ServerLeft);
        }
    }
    if let Some(line) = session.held.take() {
        session.sent(&line);
        if !write_line(&mut to_server, &line).await {
            return Ok(End::ServerLeft);
        }
    }
    let mut client_left = false;
    loop {
        tokio::select! {
            line = from_client.recv(), if !client_left => match line {
                Some(line) => {
                    session.sent(&line);
                    if !write_line(&mut to_server, &line).await {
                        return Ok(End::ServerLeft);
                    }
                }
                None => client_left = true,
            },
            line = from_server_lines.recv() => match line {
                Some(line) => {
                    session.answered(&line);
                    if !write_line(stdout, &line).await {
                        return Ok(End::ClientLeft);
                    }
                }
                None if client_left => return Ok(End::ClientLeft),
                None => return Ok(End::ServerLeft),
            },
            () = tokio::time::sleep(LAST_ANSWERS), if client_left => return Ok(End::ClientLeft),
        }
        if client_left && session.waiting.is_empty() {
            return Ok(End::ClientLeft);
        }
    }
}

/// Introduces the client to a new server, which answers to us, not to the client.
async fn replay(
    session: &Session,
    to_server: &mut (impl AsyncWrite + Unpin),
    from_server: &mut mpsc::Receiver<String>,
) -> bool {
    let Some(introduction) = session.introduction.as_deref().and_then(|line| serde_json::from_str::<Value>(line).ok())
    else {
        return true;
    };
    let mut introduction = introduction;
    if let Value::Object(fields) = &mut introduction {
        fields.insert("id".to_owned(), json!(REPLAY_ID));
    }
    if !write_line(to_server, &introduction.to_string()).await {
        return false;
    }
    loop {
        let answer = tokio::time::timeout(Duration::from_secs(5), from_server.recv()).await;
        let Ok(Some(line)) = answer else { return false };
        if line.contains(REPLAY_ID) {
            break;
        }
    }
    match &session.confirmation {
        Some(line) => write_line(to_server, line).await,
        None => true,
    }
}

/// Tells the client that what it waits for will not come. Its introduction is kept: that can be made again.
async fn answer_waiting(session: &mut Session, stdout: &mut (impl AsyncWrite + Unpin)) -> Result<()> {
    let introduction = session.introduction.clone();
    let lost: Vec<String> = session
        .waiting
        .iter()
        .filter(|(_, line)| Some(*line) != introduction.as_ref())
        .map(|(id, _)| id.clone())
        .collect();
    for id in lost {
        session.waiting.remove(&id);
        let message = "the Gasoline server went away while it worked on this; it is back, call again";
        write_line(stdout, &error_line(&id, message)).await;
    }
    Ok(())
}

/// No server: every request is told why, so that the AI client can show it. Ends with stdin.
async fn fail(
    from_client: &mut mpsc::Receiver<String>,
    stdout: &mut (impl AsyncWrite + Unpin),
    error: anyhow::Error,
) -> Result<()> {
    let message = format!("{error:#}");
    complain(format!("gasoline: {message}"));
    while let Some(line) = from_client.recv().await {
        if let Ok(Head { id: Some(id), method: Some(_) }) = serde_json::from_str(&line) {
            write_line(stdout, &error_line(id.get(), &message)).await;
        }
    }
    Err(error)
}

fn error_line(id: &str, message: &str) -> String {
    let error = json!({ "code": SERVER_ERROR, "message": message });
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"error\":{error}}}")
}

async fn write_line(to: &mut (impl AsyncWrite + Unpin), line: &str) -> bool {
    let mut bytes = Vec::with_capacity(line.len() + 1);
    bytes.extend_from_slice(line.as_bytes());
    bytes.push(b'\n');
    to.write_all(&bytes).await.is_ok() && to.flush().await.is_ok()
}
