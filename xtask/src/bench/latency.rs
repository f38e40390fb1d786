//! Answers with full buffers: passive tools over stdio, `/snapshot` and `/clear` over HTTP.

use std::path::Path;
use std::time::Instant;

use anyhow::{Result, ensure};
use driver::Server;
use serde_json::{Value, json};

use super::report::{Row, percentile};

const CALLS: usize = 500;

/// Tools that do not query a page, with their arguments.
fn passive() -> Vec<(&'static str, Value)> {
    let plain = [
        "get_status",
        "diagnose",
        "get_browser_errors",
        "get_browser_logs",
        "get_network_bodies",
        "get_websocket_events",
        "get_websocket_status",
        "get_enhanced_actions",
        "get_session_timeline",
        "get_reproduction_script",
        "security_audit",
        "check_performance",
    ];
    let mut tools: Vec<(&str, Value)> = plain.into_iter().map(|tool| (tool, json!({}))).collect();
    tools.push(("validate_api", json!({ "action": "analyze" })));
    tools.push(("diff_sessions", json!({ "action": "capture", "name": "bench" })));
    tools
}

pub(super) fn rows(binary: &Path) -> Result<Vec<Row>> {
    let server = Server::of_build(binary, &["--max-events-per-second", "0"]);
    fill(&server);
    let mut client = server.client();
    let mut rows = Vec::new();
    let mut slowest: f64 = 0.0;
    for (tool, arguments) in passive() {
        let answer = client.call(tool, arguments.clone());
        ensure!(answer["isError"] != true, "{tool}: {answer}");
        let mut times: Vec<f64> = (0..CALLS)
            .map(|_| {
                let began = Instant::now();
                client.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
                client.read_line();
                began.elapsed().as_secs_f64() * 1000.0
            })
            .collect();
        rows.push(Row::at_most(
            format!("`{tool}`, full buffers, over stdio, median"),
            percentile(&mut times, 0.5),
            2.0,
            "ms",
        ));
        slowest = slowest.max(percentile(&mut times, 0.99));
    }
    rows.push(Row::at_most("the slowest of these, 99th percentile", slowest, 10.0, "ms"));

    let list = client.request("tools/list", json!({}));
    rows.push(Row::at_most("`tools/list` answer", list.to_string().len() as f64, 16_000.0, "bytes"));

    let mut snapshots: Vec<f64> = (0..50).map(|_| millis(|| drop(server.get("/snapshot")))).collect();
    rows.push(Row::at_most(
        "`GET /snapshot` with 1,000 logs, 500 socket events, 100 bodies, median",
        percentile(&mut snapshots, 0.5),
        10.0,
        "ms",
    ));
    let mut clears: Vec<f64> = (0..20)
        .map(|_| {
            fill(&server);
            millis(|| drop(server.request("POST", "/clear").send()))
        })
        .collect();
    rows.push(Row::at_most("`POST /clear` of full buffers, median", percentile(&mut clears, 0.5), 2.0, "ms"));
    Ok(rows)
}

pub(super) fn millis(work: impl FnOnce()) -> f64 {
    let began = Instant::now();
    work();
    began.elapsed().as_secs_f64() * 1000.0
}

/// Fills every buffer to its limit in entries, with entries as pages send them.
pub(super) fn fill(server: &Server) {
    let logs: Vec<Value> = (0..1000).map(log).collect();
    server.post("/logs", &json!({ "entries": logs }));
    let events: Vec<Value> = (0..500)
        .map(|n| json!({ "event": "message", "id": format!("c{}", n % 5), "url": "wss://feed.example.com", "direction": "incoming", "size": 60, "data": format!("{{\"sym\":\"ACME\",\"price\":{n},\"volume\":{}}}", n * 3) }))
        .collect();
    server.post("/websocket-events", &json!({ "events": events }));
    let items = "{\"name\":\"a product\",\"price\":12.5,\"tags\":[\"new\",\"sale\"]},".repeat(10);
    let bodies: Vec<Value> = (0..100)
        .map(|n| json!({ "method": "GET", "url": format!("http://localhost:3000/api/products/{n}"), "status": if n % 10 == 0 { 500 } else { 200 }, "duration": 20, "responseBody": format!("{{\"items\":[{items}{{}}]}}") }))
        .collect();
    server.post("/network-bodies", &json!({ "bodies": bodies }));
    let actions: Vec<Value> = (0..50)
        .map(
            |n| json!({ "type": "click", "selectors": { "testId": format!("b{n}") }, "url": "http://localhost:3000/" }),
        )
        .collect();
    server.post("/enhanced-actions", &json!({ "actions": actions }));
    for n in 0..20 {
        let load = json!({
            "url": format!("/shop/{}", n % 10), "timing": { "load": 400 + n * 20, "firstContentfulPaint": 100, "largestContentfulPaint": 120 },
            "network": { "requestCount": 30, "transferSize": 500_000 },
            "longTasks": { "count": 2, "totalBlockingTime": 80, "longest": 90 }, "cumulativeLayoutShift": 0.01,
        });
        server.post("/performance-snapshot", &load);
    }
    let elements: Vec<Value> = (0..50)
        .map(|n| json!({ "role": "heading", "level": 2, "text": format!("Product {n}"), "visible": true }))
        .collect();
    let pages: Vec<Value> =
        (0..20).map(|n| json!({ "url": format!("http://localhost:3000/{n}"), "elements": elements })).collect();
    server.post("/dom-snapshots", &json!({ "snapshots": pages }));
}

/// A log entry of about 340 bytes.
pub(super) fn log(n: usize) -> Value {
    let level = ["log", "log", "info", "warn", "error"][n % 5];
    json!({
        "type": "console", "level": level, "message": format!("Product list refreshed for category {} with {} visible entries after filtering and sorting", n % 17, n),
        "args": ["Product list refreshed", { "category": n % 17, "visible": n, "duration": 12.5 }],
        "url": "http://localhost:3000/shop/products?category=7&sort=price", "timestamp": 1_770_505_200_000_u64 + n as u64, "source": "console", "tabId": 12,
    })
}
