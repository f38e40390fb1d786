//! Resident memory, at each stage.

use std::io::Write as _;
use std::net::{Ipv4Addr, TcpStream};
use std::path::Path;
use std::time::{Duration, Instant};

use driver::{Server, TOKEN};
use serde_json::{Value, json};

use super::latency::{fill, log};
use super::process::resident_mb;
use super::report::Row;

pub(super) fn rows(binary: &Path, soak_seconds: u64) -> Vec<Row> {
    let server = Server::of_build(binary, &["--max-events-per-second", "0"]);
    std::thread::sleep(Duration::from_millis(500));
    let idle = resident_mb(server.pid());
    fill(&server);
    let usual = resident_mb(server.pid());
    fill_to_the_brim(&server);
    let full = resident_mb(server.pid());
    let unread = with_unread_answers(&server);

    let body = "{\"name\":\"a product\",\"price\":12.5},".repeat(16 * 1024 / 34);
    for batch in 0..50 {
        let bodies: Vec<Value> = (0..20)
            .map(
                |n| json!({ "method": "GET", "url": format!("/api/{batch}/{n}"), "status": 200, "responseBody": body }),
            )
            .collect();
        server.post("/network-bodies", &json!({ "bodies": bodies }));
    }
    let with_bodies = resident_mb(server.pid());

    // Measure whether memory keeps growing once everything has been used.
    let before = soak(&server, Duration::from_secs(soak_seconds / 2));
    let after = soak(&server, Duration::from_secs(soak_seconds));
    vec![
        Row::at_most("resident memory, idle", idle, 8.0, "MB"),
        Row::at_most("resident memory, buffers full of ordinary entries", usual, 40.0, "MB"),
        Row::at_most("resident memory, buffers full of the largest entries", full, 40.0, "MB"),
        Row::at_most("the same, while four clients ask for all of it and read nothing", unread, 50.0, "MB"),
        Row::at_most("resident memory after 1,000 bodies of 16 KB", with_bodies, 50.0, "MB"),
        Row::at_most(format!("growth over {soak_seconds} s of mixed load"), after - before, 2.0, "MB"),
    ]
}

/// Every buffer to its limit in bytes.
fn fill_to_the_brim(server: &Server) {
    let text = "one two three ".repeat(16 * 1024 / 14);
    for _ in 0..10 {
        server.post("/logs", &json!({ "entries": vec![json!({ "level": "error", "message": text }); 100] }));
        let message = json!({ "event": "message", "id": "c", "direction": "incoming", "data": &text[..4_000] });
        server.post("/websocket-events", &json!({ "events": vec![message; 100] }));
        let body = json!({ "url": "/api/large", "status": 200, "requestBody": &text[..8_000], "responseBody": text });
        server.post("/network-bodies", &json!({ "bodies": vec![body; 50] }));
    }
}

fn with_unread_answers(server: &Server) -> f64 {
    let ask =
        format!("GET /snapshot HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n", server.port);
    let connect = || TcpStream::connect((Ipv4Addr::LOCALHOST, server.port)).unwrap();
    let mut held: Vec<TcpStream> = (0..4).map(|_| connect()).collect();
    for stream in &mut held {
        // Twice: requests in flight do not count.
        stream.write_all(ask.repeat(2).as_bytes()).unwrap();
    }
    let mut most: f64 = 0.0;
    for _ in 0..30 {
        std::thread::sleep(Duration::from_millis(100));
        most = most.max(resident_mb(server.pid()));
    }
    assert_eq!(server.health()["memory_mode"], "normal", "it accepts what pages send");
    most
}

/// Mixed load for a while, of sizes that vary but do not grow; returns the resident memory at its end.
fn soak(server: &Server, time: Duration) -> f64 {
    let mut client = server.client();
    let began = Instant::now();
    let mut round = 0;
    while began.elapsed() < time {
        round += 1;
        let logs: Vec<Value> = (0..50).map(|n| log(n + round)).collect();
        server.post("/logs", &json!({ "entries": logs }));
        server.post("/network-bodies", &json!({ "bodies": [{ "url": format!("/api/{round}"), "status": 200, "responseBody": "y".repeat(round * 7_919 % 16_000) }] }));
        server.post(
            "/websocket-events",
            &json!({ "events": [{ "event": "message", "id": "c", "data": "z".repeat(round * 7_919 % 4_000) }] }),
        );
        if round % 10 == 0 {
            client.call("get_browser_logs", json!({}));
            client.call("get_browser_errors", json!({}));
        }
    }
    resident_mb(server.pid())
}
