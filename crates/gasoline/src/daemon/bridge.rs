//! The stdio process: a thin pipe between an AI client and the background server.
//!
//! The bridge passes lines on unchanged. It reads only what it needs to recover ([`Conversation`]). When the server
//! stops, the bridge answers pending requests with an error, finds or starts a new server, and replays the handshake.
//! The client notices nothing else.

use std::time::Duration;

use anyhow::{Result, anyhow};
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::sync::mpsc;

use super::conversation::{Conversation, REPLAY_ID, error_line, line_of};
use super::ensure_running;
use crate::state::StateDir;
use crate::terminal::complain;

/// How long the bridge waits for pending answers after the client has closed stdin.
const LAST_ANSWERS: Duration = Duration::from_secs(10);
/// After this many servers stopped without answering anything, the next one is started only for the next request.
const FRUITLESS: usize = 5;

/// Runs until stdin ends. `Err` if there was no usable server at the end.
pub(crate) async fn run(state: Result<(StateDir, String)>, port: u16) -> Result<()> {
    // A separate task reads stdin, so that no line is lost during recovery.
    let (lines, mut from_client) = mpsc::channel::<String>(64);
    tokio::spawn(read_lines(tokio::io::stdin(), lines));
    let mut stdout = tokio::io::stdout();
    let (state, token) = match state {
        Ok(known) => known,
        Err(error) => return refuse_all(&mut from_client, &mut stdout, error).await,
    };
    let mut conversation = Conversation::default();
    let mut fruitless = 0;
    loop {
        let pipe = match fruitless {
            FRUITLESS.. => Err(anyhow!("the Gasoline server keeps stopping; see {}", state.server_log().display())),
            _ => connect(&state, port, &token).await,
        };
        let problem = match pipe {
            Ok(pipe) => {
                let (end, answered) = pump(pipe, &mut conversation, &mut from_client, &mut stdout).await;
                if matches!(end, End::ClientLeft) {
                    return Ok(());
                }
                fruitless = if answered { 0 } else { fruitless + 1 };
                answer_waiting(&mut conversation, &mut stdout).await;
                // A server that was stopped on purpose is started again only for the client's next request. A crashed
                // one is replaced at once, because the browser keeps sending.
                if !conversation.waiting.is_empty() || !state.stop_marker(port).exists() {
                    complain("gasoline: the server stopped; looking for a new one");
                    tokio::time::sleep(Duration::from_millis(20 * fruitless as u64)).await;
                    continue;
                }
                complain("gasoline: the server was stopped; the next request starts it again");
                None
            }
            Err(problem) => {
                fruitless = 0;
                tell_problem(&mut conversation, &mut stdout, &problem).await;
                Some(problem)
            }
        };
        match (from_client.recv().await, problem) {
            (Some(line), _) => conversation.held = Some(line),
            (None, Some(problem)) => return Err(problem),
            (None, None) => return Ok(()),
        }
    }
}

async fn connect(state: &StateDir, port: u16, token: &str) -> Result<TokioIo<Upgraded>> {
    let connection = ensure_running(state, port, token).await?;
    Ok(connection.into_pipe().await?)
}

async fn read_lines(from: impl AsyncRead + Unpin, to: mpsc::Sender<String>) {
    let mut reader = BufReader::with_capacity(64 * 1024, from);
    let mut line = Vec::new();
    while let Ok(1..) = reader.read_until(b'\n', &mut line).await {
        let text = line_of(&line);
        line.clear();
        if let Some(text) = text
            && to.send(text).await.is_err()
        {
            return;
        }
    }
}

enum End {
    ClientLeft,
    ServerLeft,
}

/// Passes lines both ways until one side ends. Also returns whether the server answered anything.
async fn pump(
    pipe: TokioIo<Upgraded>,
    conversation: &mut Conversation,
    from_client: &mut mpsc::Receiver<String>,
    stdout: &mut (impl AsyncWrite + Unpin),
) -> (End, bool) {
    let (from_server, mut to_server) = tokio::io::split(pipe);
    let (lines, mut from_server_lines) = mpsc::channel::<String>(64);
    tokio::spawn(read_lines(from_server, lines));

    if !replay(conversation, &mut to_server, &mut from_server_lines).await {
        return (End::ServerLeft, false);
    }
    // A handshake that the last server did not answer is sent again.
    let mut first: Vec<String> = conversation.waiting.values().map(|waiting| waiting.line.clone()).collect();
    if let Some(line) = conversation.held.take() {
        conversation.sent(&line);
        first.push(line);
    }
    for line in first {
        if !write_line(&mut to_server, &line).await {
            return (End::ServerLeft, false);
        }
    }
    let mut client_left = false;
    let mut answered = false;
    loop {
        if client_left && conversation.waiting.is_empty() {
            return (End::ClientLeft, answered);
        }
        tokio::select! {
            // Poll the server first: a request that arrives after its end must go to the next server.
            biased;
            line = from_server_lines.recv() => match line {
                Some(line) => {
                    answered = true;
                    conversation.answered(&line);
                    if !write_line(stdout, &line).await {
                        return (End::ClientLeft, answered);
                    }
                }
                None if client_left => {
                    answer_waiting(conversation, stdout).await;
                    return (End::ClientLeft, answered);
                }
                None => return (End::ServerLeft, answered),
            },
            line = from_client.recv(), if !client_left => match line {
                Some(line) => {
                    conversation.sent(&line);
                    if !write_line(&mut to_server, &line).await {
                        return (End::ServerLeft, answered);
                    }
                }
                None => client_left = true,
            },
            () = tokio::time::sleep(LAST_ANSWERS), if client_left => return (End::ClientLeft, answered),
        }
    }
}

/// Replays the client's handshake to a new server. The server's answer is for us, not for the client.
async fn replay(
    conversation: &Conversation,
    to_server: &mut (impl AsyncWrite + Unpin),
    from_server: &mut mpsc::Receiver<String>,
) -> bool {
    let Some(introduction) = conversation.replayed() else { return true };
    if !write_line(to_server, &introduction).await {
        return false;
    }
    loop {
        let answer = tokio::time::timeout(Duration::from_secs(5), from_server.recv()).await;
        let Ok(Some(line)) = answer else { return false };
        if line.contains(REPLAY_ID) {
            break;
        }
    }
    match &conversation.confirmation {
        Some(line) => write_line(to_server, line).await,
        None => true,
    }
}

/// Fails the client's pending requests. A pending handshake is kept, because it can be sent again.
async fn answer_waiting(conversation: &mut Conversation, stdout: &mut (impl AsyncWrite + Unpin)) {
    let lost: Vec<String> =
        conversation.waiting.extract_if(|_, waiting| !waiting.is_introduction).map(|(id, _)| id).collect();
    for id in lost {
        let message = "the Gasoline server stopped while it worked on this; a new one is starting, so call again";
        write_line(stdout, &error_line(&id, message)).await;
    }
}

/// Fails all pending requests with the reason why there is no server, so that the AI client can show it. The next
/// request tries again: the reason may no longer apply.
async fn tell_problem(
    conversation: &mut Conversation,
    stdout: &mut (impl AsyncWrite + Unpin),
    problem: &anyhow::Error,
) {
    let message = format!("{problem:#}");
    complain(format!("gasoline: {message}"));
    if let Some(line) = conversation.held.take() {
        conversation.sent(&line);
    }
    for (id, _) in conversation.waiting.drain() {
        write_line(stdout, &error_line(&id, &message)).await;
    }
}

/// Answers every request with an error that waiting does not fix, such as an unusable state directory. Ends with stdin.
async fn refuse_all(
    from_client: &mut mpsc::Receiver<String>,
    stdout: &mut (impl AsyncWrite + Unpin),
    problem: anyhow::Error,
) -> Result<()> {
    let mut conversation = Conversation::default();
    tell_problem(&mut conversation, stdout, &problem).await;
    while let Some(line) = from_client.recv().await {
        conversation.sent(&line);
        for (id, _) in conversation.waiting.drain() {
            write_line(stdout, &error_line(&id, &format!("{problem:#}"))).await;
        }
    }
    Err(problem)
}

async fn write_line(to: &mut (impl AsyncWrite + Unpin), line: &str) -> bool {
    let mut bytes = Vec::with_capacity(line.len() + 1);
    bytes.extend_from_slice(line.as_bytes());
    bytes.push(b'\n');
    to.write_all(&bytes).await.is_ok() && to.flush().await.is_ok()
}
