//! `POST /logs` at full speed, in batches of 50.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpStream};
use std::path::Path;
use std::time::{Duration, Instant};

use driver::{Server, TOKEN};
use serde_json::{Value, json};

use super::latency::log;
use super::process::cpu_seconds;
use super::report::{Row, number};

const BATCH: usize = 50;
const ENTRIES: usize = 500_000;
/// The best round counts, because it was disturbed least. On a busy machine more rounds follow, with a pause before
/// each, until one is undisturbed.
const ROUNDS: usize = 3;
const MOST_ROUNDS: usize = 10;
const PAUSE: Duration = Duration::from_secs(8);
/// The goal for one second of processor time.
const GOAL: f64 = 200_000.0;

pub(super) fn rows(binary: &Path) -> Vec<Row> {
    let mut rows = Vec::new();
    let entries: Vec<Value> = (0..BATCH).map(log).collect();
    let size = entries.iter().map(|entry| entry.to_string().len()).sum::<usize>() / BATCH;
    for connections in [1, 4] {
        let server = Server::of_build(binary, &["--max-events-per-second", "0"]);
        let request = request(&server, &json!({ "entries": entries }).to_string());
        let (mut fastest, mut least_cpu, mut rounds): (f64, f64, usize) = (0.0, f64::INFINITY, 0);
        while rounds < ROUNDS || (rounds < MOST_ROUNDS && ENTRIES as f64 / least_cpu < GOAL) {
            if rounds >= ROUNDS {
                std::thread::sleep(PAUSE);
            }
            rounds += 1;
            let cpu_before = cpu_seconds(server.pid());
            let began = Instant::now();
            std::thread::scope(|scope| {
                for _ in 0..connections {
                    scope.spawn(|| send(server.port, &request, ENTRIES / BATCH / connections));
                }
            });
            let seconds = began.elapsed().as_secs_f64();
            let cpu = cpu_seconds(server.pid()) - cpu_before;
            eprintln!("{connections} connections: {:.0} entries/s, {cpu:.2} s of CPU", ENTRIES as f64 / seconds);
            fastest = fastest.max(ENTRIES as f64 / seconds);
            least_cpu = least_cpu.min(cpu);
        }
        let health = server.health();
        let stored = health["buffers"]["logs"]["received"].as_u64().unwrap_or(0);
        assert_eq!(stored, (rounds * ENTRIES) as u64, "every entry must be stored");
        let what = format!(
            "`POST /logs`, batches of {BATCH}, {size} bytes an entry, {connections} connection{}",
            if connections == 1 { "" } else { "s" }
        );
        let per_cpu_second = ENTRIES as f64 / least_cpu;
        let million = least_cpu * 1_000_000.0 / ENTRIES as f64;
        rows.push(Row::at_least(what.clone(), fastest, 100_000.0, "entries/s"));
        rows.push(Row::at_most(format!("{what}: processor time per million entries"), million, 10.0, "s"));
        // No bound: on a hyperthread that shares its core with other work, the same work takes twice the time.
        let per_core = format!("{what}: entries for one second of processor time (goal: {})", number(GOAL));
        rows.push(Row::for_comparison(per_core, per_cpu_second, "entries/s"));
        // Accepting lines without writing them would be fast, so count missing lines.
        let dropped = health["journal"]["dropped"].as_f64().unwrap_or(f64::NAN);
        rows.push(Row::at_most(format!("{what}: lines missing in `logs.jsonl`"), dropped, 0.0, "lines"));
    }
    rows
}

pub(super) fn request(server: &Server, body: &str) -> Vec<u8> {
    let port = server.port;
    format!("POST /logs HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {TOKEN}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

/// One connection, kept open, one request after the other.
pub(super) fn send(port: u16, request: &[u8], times: usize) {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
    stream.set_nodelay(true).unwrap();
    let mut buffer = vec![0; 4096];
    for _ in 0..times {
        stream.write_all(request).unwrap();
        let mut answer = Vec::new();
        // An answer ends with its one JSON object.
        while !answer.ends_with(b"}") {
            let read = stream.read(&mut buffer).unwrap();
            assert!(read > 0, "the server closed the connection");
            answer.extend_from_slice(&buffer[..read]);
        }
        assert!(answer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&answer));
    }
}
