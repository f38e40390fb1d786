//! A load that runs while something breaks, and the accounting that must balance afterwards.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Server, TOKEN, wait_for};

pub(crate) const SENDERS: usize = 2;
pub(crate) const BATCH: u64 = 20;

/// What the senders know.
#[derive(Debug, Default)]
pub(crate) struct Sent {
    /// Accepted, according to the server's answers.
    pub(crate) received: AtomicU64,
    pub(crate) rejected: AtomicU64,
    /// Entries whose result is unknown, because the answer did not arrive.
    unanswered: AtomicU64,
    /// Entries that could not be sent, because no server was running.
    refused: AtomicU64,
    /// How many senders have a request in flight.
    pub(crate) posting: AtomicUsize,
}

impl Sent {
    pub(crate) fn received(&self) -> u64 {
        self.received.load(Ordering::SeqCst)
    }

    pub(crate) fn unanswered(&self) -> u64 {
        self.unanswered.load(Ordering::SeqCst)
    }
}

/// Posts batches, a bad entry in each, until told to stop.
fn send(port: u16, sent: &Sent, is_over: &AtomicBool) {
    let mut entries =
        vec![json!({ "level": "log", "message": "one of many lines while things break" }); BATCH as usize];
    entries.push(json!({ "level": "log", "message": { "not": "text" } }));
    let body = json!({ "entries": entries }).to_string();
    let request = format!(
        "POST /logs HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {TOKEN}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    while !is_over.load(Ordering::SeqCst) {
        let Ok(stream) = TcpStream::connect((Ipv4Addr::LOCALHOST, port)) else {
            sent.refused.fetch_add(BATCH, Ordering::SeqCst);
            std::thread::sleep(Duration::from_millis(20));
            continue;
        };
        sent.posting.fetch_add(1, Ordering::SeqCst);
        match post(stream, request.as_bytes()) {
            Some(reply) => {
                sent.received.fetch_add(reply["received"].as_u64().unwrap(), Ordering::SeqCst);
                sent.rejected.fetch_add(reply["rejected"].as_u64().unwrap(), Ordering::SeqCst);
            }
            None => drop(sent.unanswered.fetch_add(BATCH, Ordering::SeqCst)),
        }
        // Accounted for by now.
        sent.posting.fetch_sub(1, Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn post(mut stream: TcpStream, request: &[u8]) -> Option<Value> {
    stream.set_read_timeout(Some(Duration::from_secs(20))).ok()?;
    stream.write_all(request).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    head.starts_with("HTTP/1.1 200").then(|| serde_json::from_str(body).unwrap())
}

/// Runs `fault` during the load, and continues the load for a while after it.
pub(crate) fn under_load(port: u16, fault: impl FnOnce(&Sent)) -> Sent {
    let sent = Sent::default();
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..SENDERS {
            scope.spawn(|| send(port, &sent, &is_over));
        }
        wait_for("the load to run", || (sent.received() >= 500).then_some(()));
        // The senders must stop, however the fault ends.
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            fault(&sent);
            let before = sent.received();
            wait_for("the load to go on", || (sent.received() >= before + 500).then_some(()));
        }));
        is_over.store(true, Ordering::SeqCst);
        if let Err(problem) = outcome {
            std::panic::resume_unwind(problem);
        }
    });
    sent
}

pub(crate) fn server() -> Server {
    Server::with(&["--max-events-per-second", "0"])
}

/// Checks that every entry is accounted for exactly once, and that the server works.
pub(crate) fn assert_balanced(server: &Server, sent: &Sent) {
    let logs = &assert_buffers_balanced(server)["logs"];
    let received = logs["received"].as_u64().unwrap();
    let certain = sent.received();
    assert!((certain..=certain + sent.unanswered()).contains(&received), "{sent:?}, {logs}");
    let rejected = sent.rejected.load(Ordering::SeqCst);
    assert_eq!(rejected * BATCH, certain, "one of each batch");
    let counted = rejected_by(server);
    assert!((rejected..=rejected + sent.unanswered() / BATCH).contains(&counted), "{counted} of {rejected}");
    let answer = server.tool("get_browser_logs", json!({ "limit": 1 }));
    assert!(answer["logs"][0]["message"].as_str().unwrap().contains("one of many lines"), "{answer}");
}

/// Checks for every kind that each received entry is present, was evicted, or was removed.
pub(crate) fn assert_buffers_balanced(server: &Server) -> Value {
    let buffers = server.health()["buffers"].clone();
    for (kind, buffer) in buffers.as_object().unwrap() {
        let number = |name: &str| buffer[name].as_u64().unwrap();
        assert_eq!(number("received"), number("count") + number("dropped") + number("removed"), "{kind}: {buffer}");
    }
    buffers
}

/// The entries that the server reports as not stored.
pub(crate) fn rejected_by(server: &Server) -> u64 {
    counter(server, "gasoline_events_rejected_total")
}

pub(crate) fn counter(server: &Server, name: &str) -> u64 {
    let metrics = server.get("/metrics").body;
    let line = metrics.lines().find_map(|line| line.strip_prefix(&format!("{name} ")));
    line.unwrap().trim().parse().unwrap()
}

/// Checks that every journal line was written or is counted as lost, once none is waiting. There is one line more than
/// received entries: the first line marks the server's start.
pub(crate) fn assert_journal_balanced(server: &Server, received: u64) -> Value {
    let number = |journal: &Value, name: &str| journal[name].as_u64().unwrap();
    let journal = wait_for("the journal to be done", || {
        let journal = server.health()["journal"].clone();
        (number(&journal, "waiting") == 0).then_some(journal)
    });
    assert_eq!(number(&journal, "written") + number(&journal, "dropped"), received + 1, "{journal}");
    journal
}
