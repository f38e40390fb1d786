//! `GET /metrics`

use serde_json::json;

use crate::support::Server;

#[test]
fn counters_count() {
    let server = Server::with(&["--max-events-per-second", "10"]);
    server.post("/logs", &json!({ "entries": [{ "message": "a" }, { "message": "b" }, {}] }));
    server.post("/logs", &json!({ "entries": vec![json!({ "message": "c" }); 60] }));
    server.request("GET", "/logs").token(None).send();
    let mut client = server.client();
    client.tool("get_status", json!({}));
    client.tool("get_browser_logs", json!({ "limit": 0 }));
    let text = server.get("/metrics").body;
    for line in [
        "gasoline_events_ingested_total 2",
        "gasoline_events_rejected_total 1",
        "gasoline_batches_rate_limited_total 1",
        "gasoline_requests_refused_total 1",
        "gasoline_buffer_entries{kind=\"logs\"} 2",
        "gasoline_tool_calls_total{tool=\"get_status\"} 1",
        "gasoline_tool_errors_total{tool=\"get_browser_logs\"} 1",
        "gasoline_clients 1",
    ] {
        assert!(text.lines().any(|found| found == line), "{line} is not in\n{text}");
    }
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (name, value) = line.rsplit_once(' ').unwrap();
        assert!(name.starts_with("gasoline_") && value.parse::<f64>().is_ok(), "{line}");
    }
}
