//! Things break while a load runs. Afterwards the books balance: what was sent was stored or rejected, what was stored is
//! there or was evicted, and the server answers as before.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Server, TOKEN, wait_for};

const SENDERS: usize = 2;
const BATCH: u64 = 20;

/// What the senders know.
#[derive(Debug, Default)]
struct Sent {
    /// Taken, by the server's own word.
    received: AtomicU64,
    rejected: AtomicU64,
    /// Nobody knows what became of these: the answer did not come.
    unanswered: AtomicU64,
}

impl Sent {
    fn received(&self) -> u64 {
        self.received.load(Ordering::SeqCst)
    }

    fn unanswered(&self) -> u64 {
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
        match post(port, request.as_bytes()) {
            Some(reply) => {
                sent.received.fetch_add(reply["received"].as_u64().unwrap(), Ordering::SeqCst);
                sent.rejected.fetch_add(reply["rejected"].as_u64().unwrap(), Ordering::SeqCst);
            }
            None => drop(sent.unanswered.fetch_add(BATCH, Ordering::SeqCst)),
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn post(port: u16, request: &[u8]) -> Option<Value> {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(20))).ok()?;
    stream.write_all(request).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    head.starts_with("HTTP/1.1 200").then(|| serde_json::from_str(body).unwrap())
}

/// Lets `fault` happen while the load runs, then for a while longer.
fn under_load(port: u16, fault: impl FnOnce(&Sent)) -> Sent {
    let sent = Sent::default();
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..SENDERS {
            scope.spawn(|| send(port, &sent, &is_over));
        }
        wait_for("the load to run", || (sent.received() >= 500).then_some(()));
        // However it ends, the senders must.
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

fn server() -> Server {
    Server::with(&["--max-events-per-second", "0"])
}

/// Every entry is in exactly one of the books, and the server is well.
fn assert_balanced(server: &Server, sent: &Sent) {
    let health = server.health();
    let logs = &health["buffers"]["logs"];
    let (received, count, dropped) =
        (logs["received"].as_u64().unwrap(), logs["count"].as_u64().unwrap(), logs["dropped"].as_u64().unwrap());
    assert_eq!(received, count + dropped, "{logs}");
    let certain = sent.received();
    assert!((certain..=certain + sent.unanswered()).contains(&received), "{sent:?}, {logs}");
    let rejected = sent.rejected.load(Ordering::SeqCst);
    assert!(rejected >= certain / BATCH, "one of each batch: {rejected} of {certain}");
    let answer = server.tool("get_browser_logs", json!({ "limit": 1 }));
    assert!(answer["logs"][0]["message"].as_str().unwrap().contains("one of many lines"), "{answer}");
}

#[test]
fn ten_clients_come_and_go() {
    let server = server();
    let sent = under_load(server.port, |_| {
        std::thread::scope(|scope| {
            for _ in 0..10 {
                scope.spawn(|| {
                    for _ in 0..2 {
                        let status = server.client().tool("get_status", json!({}));
                        assert!(status["clients"].as_u64().unwrap() >= 1, "{status}");
                        assert!(status["buffers"]["logs"]["count"].as_u64().unwrap() > 0, "{status}");
                    }
                });
            }
        });
    });
    assert_eq!(sent.unanswered(), 0);
    assert_balanced(&server, &sent);
    wait_for("all clients to be forgotten", || server.health()["clients"].as_array().unwrap().is_empty().then_some(()));
}

#[test]
fn half_sent_requests_and_slow_readers() {
    let server = server();
    let connect = || TcpStream::connect((Ipv4Addr::LOCALHOST, server.port)).unwrap();
    let sent = under_load(server.port, |_| {
        let mut held = Vec::new();
        for n in 0..60 {
            let mut stream = connect();
            let text = match n % 3 {
                0 => "POST /logs HTTP/1.1\r\nHost: 127".to_owned(),
                1 => format!(
                    "POST /logs HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {TOKEN}\r\n\
                     Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n{{\"entries\":[",
                    server.port
                ),
                // Asks for much, and reads none of it.
                _ => format!(
                    "GET /snapshot HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n",
                    server.port
                )
                .repeat(20),
            };
            stream.write_all(text.as_bytes()).unwrap();
            // Half of them go away in the middle, the others stay and do nothing.
            if n % 2 == 0 {
                held.push(stream);
            }
        }
        let began = Instant::now();
        assert_eq!(server.get("/health").status, 200);
        assert!(began.elapsed() < Duration::from_secs(10), "others wait: {:?}", began.elapsed());
    });
    assert_eq!(sent.unanswered(), 0);
    assert_balanced(&server, &sent);
}

#[test]
fn a_thousand_connections() {
    let server = server();
    let sent = under_load(server.port, |_| {
        let held: Vec<TcpStream> =
            (0..1_000).map(|_| TcpStream::connect((Ipv4Addr::LOCALHOST, server.port)).unwrap()).collect();
        assert_eq!(server.get("/health").status, 200);
        assert_eq!(held.len(), 1_000);
    });
    assert_eq!(sent.unanswered(), 0);
    assert_balanced(&server, &sent);
    let descriptors = || std::fs::read_dir(format!("/proc/{}/fd", server.pid())).map_or(0, Iterator::count);
    wait_for("the connections to be given back", || (descriptors() < 100).then_some(()));
}

#[test]
fn the_server_is_killed_and_started_again() {
    let first = server();
    let port = first.port;
    let mut second: Option<Server> = None;
    let mut before = (0, 0);
    let mut first = Some(first);
    let sent = under_load(port, |sent| {
        let killed = first.take().unwrap();
        // What is on disk by now stays there.
        let journaled = sent.received();
        wait_for("the journal", || (lines_of(killed.state.path()) >= journaled).then_some(()));
        killed.signal("-KILL");
        let (_, state) = killed.terminate_after();
        before = (journaled, lines_of(state.path()));
        let port = port.to_string();
        second = Some(Server::in_state(state, &["--port", &port, "--max-events-per-second", "0"]));
    });
    let second = second.unwrap();
    assert_eq!(second.port, port);
    assert!(before.1 >= before.0, "{before:?}");
    assert!(sent.unanswered() > 0, "some were under way");
    let health = second.health();
    let logs = &health["buffers"]["logs"];
    let received = logs["received"].as_u64().unwrap();
    assert_eq!(received, logs["count"].as_u64().unwrap() + logs["dropped"].as_u64().unwrap());
    assert!(received >= 500 && received <= sent.received() + sent.unanswered() - before.0, "{logs}, {sent:?}");
    // Everything that was taken is on disk, from both lives, but for what the first one had no time to write.
    wait_for("the journal", || (lines_of(second.state.path()) >= before.1 + received).then_some(()));
    assert!(lines_of(second.state.path()) <= sent.received() + sent.unanswered());
}

fn lines_of(state: &std::path::Path) -> u64 {
    let count = |name: &str| {
        let text = std::fs::read_to_string(state.join(name)).unwrap_or_default();
        text.lines().filter(|line| line.contains("one of many lines")).count() as u64
    };
    count("logs.jsonl") + count("logs.jsonl.1")
}

#[test]
fn the_disk_is_full_and_then_is_not() {
    let state = TempDir::new().unwrap();
    let server = Server::in_state(state, &["--max-events-per-second", "0"]);
    let mut journal = Value::Null;
    let sent = under_load(server.port, |sent| {
        std::fs::remove_file(server.journal()).unwrap();
        // Every write to /dev/full fails as on a full disk.
        std::os::unix::fs::symlink("/dev/full", server.journal()).unwrap();
        wait_for("the failure to be noticed", || (server.health()["journal"]["ok"] == false).then_some(()));
        let before = sent.received();
        wait_for("memory to go on", || (sent.received() > before + 200).then_some(()));
        std::fs::remove_file(server.journal()).unwrap();
        wait_for("writing to go on", || (server.health()["journal"]["ok"] == true).then_some(()));
        journal = server.health()["journal"].clone();
    });
    assert_eq!(sent.unanswered(), 0);
    assert!(journal["dropped"].as_u64().unwrap() > 0, "{journal}");
    assert_balanced(&server, &sent);
    let (code, _) = server.terminate();
    assert_eq!(code, Some(0));
}

/// A line in a file tells `libfaketime` what time it is.
#[test]
fn the_clock_jumps_back_and_forth() {
    let Some(library) = faketime_library() else {
        eprintln!("skipped: libfaketime, of the package faketime, is not here");
        return;
    };
    let state = TempDir::new().unwrap();
    let clock = state.path().join("clock");
    std::fs::write(&clock, "+0").unwrap();
    let variables = [
        ("LD_PRELOAD", library.as_str()),
        ("FAKETIME_TIMESTAMP_FILE", clock.to_str().unwrap()),
        ("FAKETIME_NO_CACHE", "1"),
        ("FAKETIME_DONT_FAKE_MONOTONIC", "1"),
    ];
    let server = Server::with_variables(&["--max-events-per-second", "0"], &variables);
    let sent = under_load(server.port, |sent| {
        for jump in ["+2d", "-3d", "+1h", "-10", "+0"] {
            std::fs::write(&clock, jump).unwrap();
            let before = sent.received();
            wait_for("the load to go on", || (sent.received() > before + 200).then_some(()));
            let newest = server.tool("get_browser_logs", json!({ "limit": 1 }));
            assert!(newest["logs"][0]["message"].is_string(), "{jump}: {newest}");
        }
    });
    assert_eq!(sent.unanswered(), 0);
    assert_balanced(&server, &sent);
}

fn faketime_library() -> Option<String> {
    let folders = std::fs::read_dir("/usr/lib").ok()?.flatten().map(|entry| entry.path());
    let found = folders.map(|folder| folder.join("faketime/libfaketimeMT.so.1")).find(|file| file.is_file())?;
    Some(found.to_str()?.to_owned())
}

#[test]
fn memory_is_short_and_then_is_not() {
    let filler = "x ".repeat(7_000);
    let bodies: Vec<Value> = (0..90)
        .map(|n| json!({ "url": format!("http://localhost/{n}"), "status": 200, "responseBody": filler }))
        .collect();
    let batch = json!({ "bodies": bodies });
    // What a server takes whose buffers are full differs between builds.
    let usual = {
        let server = server();
        under_load(server.port, |_| drop(server.post("/network-bodies", &batch)));
        server.health()["memory_mb"].as_f64().unwrap() as u64
    };
    let limits = format!("{},1000", usual + 15);
    let server = Server::with(&["--max-events-per-second", "0", "--memory-limits-mb", &limits]);
    let mut refused = 0;
    let sent = under_load(server.port, |_| {
        // Connections that read nothing hold the answers they asked for.
        let mut held = Vec::new();
        wait_for("pressure", || {
            server.post("/network-bodies", &batch);
            let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, server.port)).unwrap();
            // The first few fill the kernel's buffers, the next one stays with the server.
            let ask = format!(
                "GET /snapshot HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n",
                server.port
            )
            .repeat(12);
            stream.write_all(ask.as_bytes()).unwrap();
            held.push(stream);
            (server.health()["memory_mode"] != "normal").then_some(())
        });
        assert!(server.tool("get_status", json!({}))["warnings"].to_string().contains("memory"));
        let reply = server.post("/network-bodies", &batch).json();
        refused = reply["rejected"].as_u64().unwrap();
        drop(held);
        wait_for("the pressure to end", || (server.health()["memory_mode"] == "normal").then_some(()));
    });
    assert_eq!(sent.unanswered(), 0);
    assert!(refused > 0);
    let health = server.health();
    let logs = &health["buffers"]["logs"];
    assert_eq!(
        logs["received"].as_u64().unwrap(),
        logs["count"].as_u64().unwrap() + logs["dropped"].as_u64().unwrap(),
        "{logs}"
    );
}
