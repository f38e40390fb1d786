//! Minutes of mixed load: the server's memory and latency stay flat.
#![cfg(target_os = "linux")]

use std::io::Write as _;
use std::net::{Ipv4Addr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{McpProcess, Server, TOKEN, resident_kilobytes};

const SECONDS: u64 = 120;
/// How much two quarters of the time may differ without counting as growth.
const SLACK_MB: f64 = 4.0;
const SLACK_DESCRIPTORS: usize = 20;
const SLACK_MILLIS: f64 = 5.0;

/// The server's figures in one second.
struct Sample {
    resident_mb: f64,
    descriptors: usize,
}

#[test]
#[ignore = "only with --all: takes two minutes, or as long as GASOLINE_SOAK_SECONDS says"]
fn memory_descriptors_and_latency_stay_flat() {
    let seconds = std::env::var("GASOLINE_SOAK_SECONDS").map_or(SECONDS, |text| text.parse().unwrap());
    let server = Server::with(&["--max-events-per-second", "0"]);
    let is_over = AtomicBool::new(false);
    let (samples, latencies) = std::thread::scope(|scope| {
        scope.spawn(|| send(&server, &is_over));
        scope.spawn(|| come_and_go(&server, &is_over));
        let asking = scope.spawn(|| ask(&server, &is_over));
        let samples: Vec<Sample> = (0..seconds)
            .map(|_| {
                std::thread::sleep(Duration::from_secs(1));
                sample(&server)
            })
            .collect();
        is_over.store(true, Ordering::SeqCst);
        (samples, asking.join().unwrap())
    });
    // The buffers fill in the first quarter. After that nothing may grow.
    let [_, second, _, last] = quarters(&samples);
    let highest = |of: &[Sample]| of.iter().map(|sample| sample.resident_mb).fold(0.0, f64::max);
    let most = |of: &[Sample]| of.iter().map(|sample| sample.descriptors).max().unwrap();
    let [_, early, _, late] = quarters(&latencies);
    let quick = |of: &[Call], time: fn(&Call) -> f64| lower_quartile(of.iter().map(time).collect());
    let (early, early_ping) = (quick(early, |call| call.tool), quick(early, |call| call.ping));
    let (late, late_ping) = (quick(late, |call| call.tool), quick(late, |call| call.ping));
    let told = format!(
        "{seconds} s: memory {:.1} then {:.1} MB, descriptors {} then {}, a tool call {early:.2} then {late:.2} ms, an empty one {early_ping:.2} then {late_ping:.2} ms ({} calls)",
        highest(second),
        highest(last),
        most(second),
        most(last),
        latencies.len()
    );
    eprintln!("{told}");
    assert!(highest(last) <= highest(second) + SLACK_MB, "{told}");
    assert!(most(last) <= most(second) + SLACK_DESCRIPTORS, "{told}");
    // Other programs cause delays, too: a tool call may lose as much time to them as an empty call.
    let others = (late_ping / early_ping).clamp(1.0, 3.0);
    assert!(late <= early * others * 2.0 + SLACK_MILLIS, "{told}");
    let health = server.health();
    assert_eq!(health["status"], "ok", "{health}");
    for (kind, buffer) in health["buffers"].as_object().unwrap() {
        let Some(received) = buffer["received"].as_u64() else { continue };
        let held = buffer["count"].as_u64().unwrap() + buffer["dropped"].as_u64().unwrap();
        // A connection is one entry that many events change.
        assert!(held == received || kind == "connections", "{kind}: {buffer}");
    }
}

fn quarters<T>(all: &[T]) -> [&[T]; 4] {
    let size = all.len() / 4;
    std::array::from_fn(|n| &all[n * size..(n + 1) * size])
}

/// A disturbance shows in the upper values only; growth shows in all of them.
fn lower_quartile(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 4]
}

fn sample(server: &Server) -> Sample {
    let descriptors = std::fs::read_dir(format!("/proc/{}/fd", server.pid())).unwrap().count();
    Sample { resident_mb: resident_kilobytes(server, "VmRSS") as f64 / 1024.0, descriptors }
}

/// All kinds, of sizes that vary but do not grow.
fn send(server: &Server, is_over: &AtomicBool) {
    let mut round: usize = 0;
    while !is_over.load(Ordering::SeqCst) {
        round += 1;
        let size = round * 7_919;
        let logs: Vec<Value> = (0..20)
            .map(|n| {
                let level = if n % 7 == 0 { "error" } else { "log" };
                json!({ "level": level, "message": format!("line {} of a page that goes on and on", (round + n) % 300) })
            })
            .collect();
        let page = format!("http://localhost:3000/page/{}", round % 40);
        server.post("/logs", &json!({ "entries": logs }));
        server.post("/network-bodies", &json!({ "bodies": [{ "url": format!("http://localhost:3000/api/{}", round % 50),
            "status": if round.is_multiple_of(9) { 500 } else { 200 }, "contentType": "application/json", "pageUrl": page,
            "responseBody": json!({ "id": round, "text": "y".repeat(size % 12_000) }).to_string() }] }));
        server.post("/websocket-events", &json!({ "events": [
            { "event": "open", "id": format!("c{}", round % 60), "url": "ws://localhost:3000/live" },
            { "event": "message", "id": format!("c{}", round % 60), "direction": "incoming", "data": "z".repeat(size % 4_000) },
            { "event": "close", "id": format!("c{}", round % 60) },
        ] }));
        server.post(
            "/enhanced-actions",
            &json!({ "actions": [{ "type": "click", "url": page,
            "selectors": { "testId": format!("b{}", round % 10) } }] }),
        );
        std::thread::sleep(Duration::from_millis(40));
    }
}

/// The milliseconds of a tool call, and of a call that reads nothing.
struct Call {
    tool: f64,
    ping: f64,
}

fn ask(server: &Server, is_over: &AtomicBool) -> Vec<Call> {
    let mut client = server.client();
    let mut found = Vec::new();
    let tools = ["get_browser_errors", "diagnose", "get_session_timeline", "security_audit", "get_websocket_status"];
    for tool in tools.into_iter().cycle() {
        if is_over.load(Ordering::SeqCst) {
            return found;
        }
        let mut time = |asked: &dyn Fn(&mut McpProcess)| {
            let began = Instant::now();
            asked(&mut client);
            began.elapsed().as_secs_f64() * 1_000.0
        };
        found.push(Call {
            tool: time(&|client| drop(client.tool(tool, json!({})))),
            ping: time(&|client| drop(client.request("ping", json!({})))),
        });
        std::thread::sleep(Duration::from_millis(50));
    }
    found
}

/// Clients, streams and broken connections.
fn come_and_go(server: &Server, is_over: &AtomicBool) {
    while !is_over.load(Ordering::SeqCst) {
        server.tool("get_status", json!({}));
        for path in ["/events/stream", "/snapshot", "/nowhere"] {
            let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, server.port)).unwrap();
            let head = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n", server.port);
            let rest =
                if path == "/nowhere" { String::new() } else { format!("Authorization: Bearer {TOKEN}\r\n\r\n") };
            stream.write_all((head + &rest).as_bytes()).unwrap();
        }
        std::thread::sleep(Duration::from_millis(700));
    }
}
