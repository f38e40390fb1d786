//! The stdio process: a thin pipe between an AI client and the background server.
//!
//! Lines are passed on as they are. All the bridge knows of them is what it needs to heal ([`Conversation`]). When the
//! server goes away, waiting requests are answered with an error, a new server is found or started, and the introduction
//! is replayed; the client notices nothing else.

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

/// After the client closed stdin, answers still under way are waited for so long.
const LAST_ANSWERS: Duration = Duration::from_secs(10);
/// A server that goes away so often without having answered anything is not started again until the next request.
const FRUITLESS: usize = 5;

/// Runs until stdin ends. `Err` when no server could be had at the end.
pub(crate) async fn run(state: Result<(StateDir, String)>, port: u16) -> Result<()> {
    // Stdin is read in a task of its own, so that its lines are not lost while we heal.
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
            FRUITLESS.. => {
                Err(anyhow!("the Gasoline server keeps going away; {} may say why", state.server_log().display()))
            }
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
                // One that was stopped on purpose stays away until the client wants something; one that crashed is
                // replaced at once, because the browser goes on sending.
                if !conversation.waiting.is_empty() || !state.stop_marker(port).exists() {
                    complain("gasoline: the server went away; looking for a new one");
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

/// Passes lines both ways until one side ends. Also tells whether the server answered anything.
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
    // An introduction that the last server took with it is simply made again.
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
            // The server first: what the client asks after its end is for the next one, and not lost with this one.
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

/// Introduces a client that was already introduced to a new server, which answers to us, not to the client.
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

/// Tells the client that what it waits for will not come. Its introduction is kept: that can be made again.
async fn answer_waiting(conversation: &mut Conversation, stdout: &mut (impl AsyncWrite + Unpin)) {
    let lost: Vec<String> =
        conversation.waiting.extract_if(|_, waiting| !waiting.is_introduction).map(|(id, _)| id).collect();
    for id in lost {
        let message = "the Gasoline server went away while it worked on this; it is being replaced, so call again";
        write_line(stdout, &error_line(&id, message)).await;
    }
}

/// No server can be had: everything that waits is told why, so that the AI client can show it. The next request tries
/// again, for the reason may be gone by then.
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

/// What can't be mended by waiting, such as a state directory that can't be used. Ends with stdin.
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
