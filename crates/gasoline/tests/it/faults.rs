//! Faults while a load runs. Afterwards the accounting balances: every sent entry was stored or rejected, every stored
//! entry is present or was evicted, and the server answers as before.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use tempfile::TempDir;
use wire::limits;

use crate::load::{
    BATCH, SENDERS, assert_balanced, assert_buffers_balanced, assert_journal_balanced, counter, rejected_by, server,
    under_load,
};
use crate::support::{
    Server, TOKEN, allow_many_open_files, freeze, resident_kilobytes, server_of_ordinary_user, wait_for,
};

#[test]
fn cleared_replaced_expired_and_rate_limited_entries_are_accounted_for() {
    let server = server();
    let load = |url: String| json!({ "url": url, "timing": { "load": 400 } });
    let fill = || {
        for test_id in ["one", "two"] {
            let logs = vec![json!({ "message": "line" }); 600];
            assert_eq!(server.post("/logs", &json!({ "entries": logs, "test_id": test_id })).status, 200);
            let events = json!([{ "event": "open", "id": test_id }, { "event": "close", "id": test_id }]);
            server.post("/websocket-events", &json!({ "events": events, "test_id": test_id }));
            server.post("/network-bodies", &json!({ "bodies": [{ "url": "/x", "status": 200 }], "test_id": test_id }));
            server.post("/enhanced-actions", &json!({ "actions": [{ "type": "click" }], "test_id": test_id }));
        }
        for number in 0..33 {
            server.post("/performance-snapshot", &load(format!("/page/{}", 2_u32.max(number))));
        }
    };
    fill();
    let buffers = assert_buffers_balanced(&server);
    assert_eq!(buffers["performance"]["removed"], 2, "two loads of the same page were replaced");
    assert_eq!(buffers["logs"]["dropped"], 200);
    assert_eq!(server.request("POST", "/clear?test_id=one").send().status, 200);
    let buffers = assert_buffers_balanced(&server);
    assert_eq!((&buffers["logs"]["removed"], &buffers["enhanced_actions"]["removed"]), (&json!(400), &json!(1)));
    assert_eq!(server.request("DELETE", "/logs").send().status, 200);
    assert_eq!(assert_buffers_balanced(&server)["logs"]["removed"], 1_000);
    fill();
    assert_eq!(server.request("POST", "/clear").send().status, 200);
    let buffers = assert_buffers_balanced(&server);
    assert!(buffers.as_object().unwrap().values().all(|kind| kind["count"] == 0), "{buffers}");

    // A burst of five seconds' worth, and a second one at once.
    let limited = Server::with(&["--max-events-per-second", "10"]);
    let burst = json!({ "entries": vec![json!({ "message": "line" }); 50] });
    let statuses = [limited.post("/logs", &burst).status, limited.post("/logs", &burst).status];
    assert_eq!(statuses, [200, 429]);
    assert_eq!(counter(&limited, "gasoline_events_rate_limited_total"), 50);
    assert_eq!(counter(&limited, "gasoline_batches_rate_limited_total"), 1);
}

/// Each entry has three bytes in the request and a thousand once it is prepared.
#[test]
fn the_smallest_entries_are_bounded_in_memory_and_number() {
    let server = server();
    server.log(Value::Array(vec![json!({ "level": "error", "message": "kept" }); 500]));
    let post = |entry: &str, count: usize| {
        let body = format!("{{\"entries\":[{}]}}", vec![entry; count].join(","));
        server.request("POST", "/logs").body(body).send()
    };
    let before = resident_kilobytes(&server, "VmRSS");
    for entry in ["{}", "0"] {
        let reply = post(entry, limits::BATCH_ENTRIES);
        assert_eq!((reply.status, reply.json()["rejected"].as_u64()), (200, Some(limits::BATCH_ENTRIES as u64)));
    }
    let kept = server.health()["buffers"]["logs"].clone();
    assert_eq!((&kept["count"], &kept["dropped"]), (&json!(500), &json!(0)), "nothing left for them: {kept}");
    assert_eq!(post(r#"{"message":"x"}"#, limits::BATCH_ENTRIES).json()["received"], limits::BATCH_ENTRIES);
    let most = resident_kilobytes(&server, "VmHWM");
    assert!(most < before + 20 * 1024, "{before} KB before, {most} KB at most");
    let over = post("0", limits::BATCH_ENTRIES + 1);
    assert_eq!(over.status, 400);
    assert!(over.json()["error"].as_str().unwrap().contains("send fewer at once"), "{over:?}");
    assert_eq!(server.health()["memory_mode"], "normal");
    assert_buffers_balanced(&server);
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
    // Without a bound on unread answers, the answers below would take several hundred.
    let server = Server::with(&["--max-events-per-second", "0", "--memory-limits-mb", "100,200"]);
    // In a buffer from which the load does not evict it.
    let message = json!({ "event": "message", "id": "c", "direction": "incoming", "data": "y ".repeat(2_000) });
    assert_eq!(server.post("/websocket-events", &json!({ "events": vec![message; 500] })).status, 200);
    let body = json!({ "url": "http://localhost/large", "status": 200, "responseBody": "y ".repeat(8_000) });
    assert_eq!(server.post("/network-bodies", &json!({ "bodies": vec![body; 100] })).status, 200);
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
                // Requests large answers and reads none of them.
                _ => format!(
                    "GET /snapshot HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n",
                    server.port
                )
                .repeat(20),
            };
            stream.write_all(text.as_bytes()).unwrap();
            // Half of them disconnect in the middle of a request, the others stay and do nothing.
            if n % 2 == 0 {
                held.push(stream);
            }
        }
        // Checked first, because the server disconnects clients that read nothing for half a minute.
        let refusal = wait_for("unread answers to fill their room", || {
            Some(server.get("/snapshot")).filter(|answer| answer.status == 503)
        });
        assert!(refusal.body.contains("close their connections, then try again"), "{}", refusal.body);
        for _ in 0..4 {
            let began = Instant::now();
            let health = server.health();
            assert!(began.elapsed() < Duration::from_secs(10), "others wait: {:?}", began.elapsed());
            assert_eq!(health["memory_mode"], "normal", "{}", health["memory_mb"]);
            std::thread::sleep(Duration::from_millis(500));
        }
        drop(held);
        wait_for("room for the next", || (server.get("/snapshot").status == 200).then_some(()));
    });
    assert_eq!(sent.unanswered(), 0);
    assert_balanced(&server, &sent);
}

/// Both clients request more than fits into the buffers between us. One starts reading in time, the other does not.
/// Each has its own server, because they would wait for each other's response budget.
#[test]
#[ignore = "only with --all: waits for half a minute"]
fn clients_that_stop_reading_are_disconnected_after_the_deadline() {
    // Complete answers that are read after this many seconds.
    let read_after = |seconds: u64| {
        let server = server();
        let large = json!({ "level": "log", "message": "y ".repeat(4_000) });
        for _ in 0..10 {
            server.log(Value::Array(vec![large.clone(); 100]));
        }
        let (port, asked) = (server.port, 3);
        let ask = format!("GET /snapshot HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n");
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
        stream.write_all(ask.repeat(asked).as_bytes()).unwrap();
        std::thread::sleep(Duration::from_secs(seconds));
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let (mut read, mut whole, mut chunk) = (Vec::new(), 0, vec![0; 1 << 20]);
        while whole < asked {
            match stream.read(&mut chunk) {
                Ok(0) => break,
                Ok(length) => read.extend_from_slice(&chunk[..length]),
                Err(error) => {
                    assert_ne!(error.kind(), std::io::ErrorKind::WouldBlock, "it still waits");
                    break;
                }
            }
            whole = String::from_utf8_lossy(&read).matches("\"stats\":").count();
        }
        whole
    };
    std::thread::scope(|scope| {
        let in_time = scope.spawn(|| read_after(limits::UNREAD_SECONDS - 8));
        let too_late = scope.spawn(|| read_after(limits::UNREAD_SECONDS + 5));
        assert_eq!(in_time.join().unwrap(), 3, "a client that reads late is not disconnected");
        assert!(too_late.join().unwrap() < 3, "cut off in the middle of an answer");
    });
}

#[test]
fn a_thousand_connections() {
    allow_many_open_files();
    let server = server();
    let sent = under_load(server.port, |_| {
        let mut held: Vec<TcpStream> =
            (0..1_000).map(|_| TcpStream::connect((Ipv4Addr::LOCALHOST, server.port)).unwrap()).collect();
        let ask = format!("GET /health HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", server.port);
        for stream in &mut held {
            stream.write_all(ask.as_bytes()).unwrap();
        }
        for stream in &mut held {
            stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
            let mut status = [0; 15];
            stream.read_exact(&mut status).unwrap();
            assert_eq!(&status, b"HTTP/1.1 200 OK");
        }
        assert_eq!(server.get("/health").status, 200);
    });
    assert_eq!(sent.unanswered(), 0);
    assert_balanced(&server, &sent);
    let descriptors = || std::fs::read_dir(format!("/proc/{}/fd", server.pid())).map_or(0, Iterator::count);
    wait_for("the connections to be given back", || (descriptors() < 100).then_some(()));
}

#[test]
fn idle_connections_keep_others_out_only_briefly() {
    allow_many_open_files();
    let server = server_of_ordinary_user(&["--max-events-per-second", "0"]);
    let connect = || TcpStream::connect((Ipv4Addr::LOCALHOST, server.port)).unwrap();
    let held: Vec<TcpStream> = (0..limits::CONNECTIONS + 100).map(|_| connect()).collect();
    let began = Instant::now();
    let mut stream = connect();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let ask = format!("GET /health HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", server.port);
    stream.write_all(ask.as_bytes()).unwrap();
    let mut status = [0; 15];
    stream.read_exact(&mut status).unwrap();
    assert_eq!(&status, b"HTTP/1.1 200 OK");
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    drop(held);
}

/// Each request states the size of a large body and sends none of it.
#[test]
fn stalled_uploads_delay_others_for_a_few_seconds_only() {
    let server = server();
    let head = |bytes: usize| {
        format!(
            "POST /logs HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {TOKEN}\r\n\
             Content-Type: application/json\r\nContent-Length: {bytes}\r\n\r\n",
            server.port
        )
    };
    let mut held: Vec<TcpStream> =
        (0..8).map(|_| TcpStream::connect((Ipv4Addr::LOCALHOST, server.port)).unwrap()).collect();
    for stream in &mut held {
        stream.write_all(head(limits::REQUEST_BYTES).as_bytes()).unwrap();
    }
    std::thread::sleep(Duration::from_millis(200));
    let began = Instant::now();
    let large = Value::Array(vec![json!({ "message": "z ".repeat(4_000) }); 50]);
    let reply = server.post("/logs", &json!({ "entries": large }));
    assert_eq!(reply.json()["received"], 50, "{reply:?}");
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    let first = held.first_mut().unwrap();
    first.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let mut answer = [0; 12];
    first.read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"HTTP/1.1 408");
}

#[test]
fn the_server_is_killed_and_started_again() {
    let first = server();
    let port = first.port;
    let mut second: Option<Server> = None;
    let mut before = (0, 0, 0);
    let mut first = Some(first);
    let sent = under_load(port, |sent| {
        let killed = first.take().unwrap();
        // What is on disk by now stays there.
        let journaled = sent.received();
        wait_for("the journal", || (lines_of(killed.state.path()) >= journaled).then_some(()));
        // Requests in flight will fail, and one certainly does: the one that is sent while no server runs.
        freeze(killed.pid());
        let mut unlucky = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
        unlucky.write_all(format!("GET /health HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n").as_bytes()).unwrap();
        wait_for("requests under way", || (sent.posting.load(Ordering::SeqCst) == SENDERS).then_some(()));
        killed.signal("-KILL");
        let (_, state) = killed.terminate_after();
        let mut answer = Vec::new();
        let _ = unlucky.read_to_end(&mut answer);
        assert!(answer.is_empty(), "{answer:?}");
        // What it answered at the very end may not have been read yet.
        wait_for("its last answers", || (sent.posting.load(Ordering::SeqCst) == 0).then_some(()));
        before = (journaled, lines_of(state.path()), sent.received());
        let port = port.to_string();
        second = Some(Server::in_state(state, &["--port", &port, "--max-events-per-second", "0"]));
    });
    let second = second.unwrap();
    assert_eq!(second.port, port);
    assert!(before.1 >= before.0, "{before:?}");
    let health = second.health();
    let logs = &health["buffers"]["logs"];
    let received = logs["received"].as_u64().unwrap();
    assert_eq!(received, logs["count"].as_u64().unwrap() + logs["dropped"].as_u64().unwrap());
    // Answers after the first server was killed came from the second.
    let by_second = sent.received() - before.2;
    assert!(by_second >= 500, "{sent:?}");
    assert!((by_second..=by_second + sent.unanswered()).contains(&received), "{logs}, {sent:?}");
    assert!(sent.unanswered() <= SENDERS as u64 * BATCH * 10, "{sent:?}");
    // Every accepted entry of both servers is on disk, except those that the first had no time to write.
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
fn writing_resumes_after_a_full_disk() {
    let state = TempDir::new().unwrap();
    let server = Server::in_state(state, &["--max-events-per-second", "0"]);
    let mut journal = Value::Null;
    let sent = under_load(server.port, |sent| {
        // Every write to /dev/full fails as on a full disk. In one step: the server makes a new file when there is
        // none.
        let full = server.state.path().join("full");
        std::os::unix::fs::symlink("/dev/full", &full).unwrap();
        std::fs::rename(&full, server.journal()).unwrap();
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
    assert_journal_balanced(&server, sent.received());
    let (code, _) = server.terminate();
    assert_eq!(code, Some(0));
}

/// The journal is a pipe that is read slowly, then not at all for a while, then quickly.
#[test]
fn writing_recovers_after_a_slow_disk() {
    let state = TempDir::new().unwrap();
    let pipe = state.path().join("logs.jsonl");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let is_slow = Arc::new(AtomicBool::new(true));
    let reader = {
        let is_slow = Arc::clone(&is_slow);
        std::thread::spawn(move || {
            let mut pipe = std::fs::File::open(pipe).unwrap();
            let (mut text, mut piece) = (Vec::new(), [0; 4_096]);
            loop {
                let read = pipe.read(&mut piece).unwrap();
                if read == 0 {
                    return String::from_utf8(text).unwrap();
                }
                text.extend_from_slice(&piece[..read]);
                if is_slow.load(Ordering::SeqCst) {
                    std::thread::sleep(Duration::from_millis(300));
                }
            }
        })
    };
    let server = Server::in_state(state, &["--max-events-per-second", "0"]);
    let large = json!({ "entries": vec![json!({ "message": "z ".repeat(4_000) }); 100] });
    let mut more = 0;
    let sent = under_load(server.port, |_| {
        wait_for("the disk to be called slow", || {
            assert_eq!(server.post("/logs", &large).status, 200);
            more += 100;
            let journal = &server.health()["journal"];
            (journal["slow"] == true && journal["dropped"].as_u64().unwrap() > 0).then_some(())
        });
        is_slow.store(false, Ordering::SeqCst);
        wait_for("the disk to be quick again", || {
            let health = server.health();
            (health["journal"]["slow"] == false && health["status"] == "ok").then_some(())
        });
    });
    assert_eq!(sent.unanswered(), 0);
    sent.received.fetch_add(more, Ordering::SeqCst);
    sent.rejected.fetch_add(more / BATCH, Ordering::SeqCst);
    let rejected = rejected_by(&server);
    assert_eq!(rejected * BATCH + more, sent.received());
    let journal = assert_journal_balanced(&server, sent.received());
    let (code, _) = server.terminate();
    assert_eq!(code, Some(0));
    assert_eq!(reader.join().unwrap().lines().count() as u64, journal["written"].as_u64().unwrap());
}

/// `libfaketime` reads the time from a file.
#[test]
fn the_clock_jumps_back_and_forth() {
    let Some(library) = faketime_library() else {
        eprintln!("skipped: libfaketime, of the package faketime, is not installed");
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
        const HOUR: i64 = 3_600;
        for (jump, seconds) in [("+2d", 48 * HOUR), ("-3d", -72 * HOUR), ("+1h", HOUR), ("-600", -600), ("+0", 0)] {
            std::fs::write(&clock, jump).unwrap();
            let before = sent.received();
            wait_for("the load to go on", || (sent.received() > before + 200).then_some(()));
            let newest = server.tool("get_browser_logs", json!({ "limit": 1 }));
            let told = wire::Timestamp::parse_iso(newest["logs"][0]["ts"].as_str().unwrap()).unwrap().millis();
            let real = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as i64;
            let off = told - real - seconds * 1_000;
            assert!(off.abs() < 60_000, "{jump}: {off} ms off, {newest}");
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

/// Sends a byte now and then, because a stalled body is given up.
struct Trickle {
    stream: Arc<TcpStream>,
    is_over: Arc<AtomicBool>,
}

impl Trickle {
    fn of(stream: TcpStream) -> Self {
        let (stream, is_over) = (Arc::new(stream), Arc::new(AtomicBool::new(false)));
        let trickle = Self { stream: Arc::clone(&stream), is_over: Arc::clone(&is_over) };
        std::thread::spawn(move || {
            while !is_over.load(Ordering::SeqCst) && (&*stream).write_all(b" ").is_ok() {
                std::thread::sleep(Duration::from_millis(500));
            }
        });
        trickle
    }
}

impl Drop for Trickle {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
        let _ = self.stream.shutdown(std::net::Shutdown::Both);
    }
}

#[test]
fn the_server_recovers_from_low_memory() {
    // The memory of a server with almost empty buffers differs between builds.
    let usual = {
        let server = server();
        under_load(server.port, |_| ());
        server.health()["memory_mb"].as_f64().unwrap() as u64
    };
    let limits = format!("{},{}", usual + 12, usual + 20);
    let server = Server::with(&["--max-events-per-second", "0", "--memory-limits-mb", &limits]);
    let body = json!({ "url": "http://localhost/page", "status": 200, "responseBody": "words" });
    let bodies = json!({ "bodies": vec![body; 90] });
    let post = || {
        let reply = server.post("/network-bodies", &bodies).json();
        (reply["received"].as_u64().unwrap(), reply["rejected"].as_u64().unwrap())
    };
    let sent = under_load(server.port, |_| {
        assert_eq!(post(), (90, 0));
        // Requests whose last byte arrives late. No more than these three are read at once.
        let held: Vec<Trickle> = (0..3)
            .map(|_| {
                let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, server.port)).unwrap();
                let head = format!(
                    "POST /logs HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {TOKEN}\r\n\
                     Content-Type: application/json\r\nContent-Length: 9000060\r\n\r\n",
                    server.port
                );
                stream.write_all(head.as_bytes()).unwrap();
                stream.write_all(&vec![b' '; 9_000_000]).unwrap();
                Trickle::of(stream)
            })
            .collect();
        wait_for("the last stage", || (server.health()["memory_mode"] == "minimal").then_some(()));
        assert!(server.tool("get_status", json!({}))["warnings"].to_string().contains("memory"));
        assert_eq!(post(), (0, 90), "bodies are rejected");
        drop(held);
        wait_for("the pressure to end", || (server.health()["memory_mode"] == "normal").then_some(()));
        assert_eq!(post(), (90, 0), "bodies are taken again");
    });
    assert_eq!(sent.unanswered(), 0);
    let health = server.health();
    for (kind, received) in [("logs", sent.received()), ("network_bodies", 180)] {
        let buffer = &health["buffers"][kind];
        let number = |name: &str| buffer[name].as_u64().unwrap();
        assert_eq!(number("received"), received, "{kind}: {buffer}");
        assert_eq!(number("received"), number("count") + number("dropped"), "{kind}: {buffer}");
    }
    assert_eq!(rejected_by(&server), sent.rejected.load(Ordering::SeqCst) + 90);
}
