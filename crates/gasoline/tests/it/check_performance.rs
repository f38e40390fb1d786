//! `check_performance`.

use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::support::{McpProcess, Server, gasoline};

fn load(server: &Server, url: &str, load: u32) {
    let snapshot = json!({
        "url": url, "timing": { "load": load, "firstContentfulPaint": 100, "largestContentfulPaint": 120 },
        "network": { "requestCount": 3, "transferSize": 5_000 },
        "longTasks": { "count": 0, "totalBlockingTime": 0, "longest": 0 }, "cumulativeLayoutShift": 0.01,
    });
    let reply = server.post("/performance-snapshot", &snapshot).json();
    assert_eq!(reply, json!({ "received": true, "baseline_updated": true }));
}

/// The report, and the same facts for programs.
fn check(client: &mut McpProcess, arguments: Value) -> (String, Value) {
    let answer = client.call("check_performance", arguments);
    assert_eq!(answer["content"].as_array().unwrap().len(), 1);
    (answer["content"][0]["text"].as_str().unwrap().to_owned(), answer["structuredContent"].clone())
}

/// A client that was started in this folder.
fn client_in(server: &Server, folder: &Path) -> McpProcess {
    let port = server.port.to_string();
    let mut command = gasoline(server.state.path());
    let mut client = McpProcess::from(command.args(["--port", &port]).current_dir(folder).stderr(Stdio::null()));
    client.initialize();
    client
}

#[test]
fn a_load_is_compared_with_those_before_it() {
    let server = Server::start();
    let mut client = server.client();
    load(&server, "http://localhost:3000/shop?from=mail", 400);
    let (text, facts) = check(&mut client, json!({}));
    assert!(text.starts_with("Performance of /shop (page load, "), "{text}");
    for section in ["Load Timing", "Network", "Main Thread", "Layout Stability", "Regressions"] {
        assert!(text.contains(&format!("\n{section}\n")), "{section}: {text}");
    }
    assert!(text.contains("comparing starts with the next load") && !text.contains("was"), "{text}");
    assert_eq!((&facts["timing"]["load"], &facts["baseline"]["sampleCount"]), (&json!(400.0), &json!(0)));

    load(&server, "/shop", 1_000);
    let (text, facts) = check(&mut client, json!({ "url": "/shop" }));
    // 700 would be the average of both: the slow load must not be part of its own baseline.
    assert!(text.contains("\n  Load: 1 s (was 400 ms, +150%)\n"), "{text}");
    assert_eq!(text.matches("was").count(), 1, "{text}");
    assert_eq!(facts["regressions"], json!([{ "metric": "load", "value": 1_000.0, "was": 400.0, "percent": 150.0 }]));

    load(&server, "/other", 50);
    let (text, facts) = check(&mut client, json!({}));
    assert!(text.starts_with("Performance of /other ") && text.contains("\nAlso measured: /shop\n"), "{text}");
    assert_eq!(facts["other_pages"], json!(["/shop"]));
    for asked in ["/shop", "http://localhost:3000/shop#top", "sho"] {
        let (text, _) = check(&mut client, json!({ "url": asked }));
        assert!(text.starts_with("Performance of /shop "), "{asked}: {text}");
    }
    let (text, facts) = check(&mut client, json!({ "url": "/nowhere" }));
    assert_eq!(text, "Nothing measured: no load of \"/nowhere\" was measured; measured pages: /other, /shop\n");
    assert_eq!(facts["hint"], "no load of \"/nowhere\" was measured; measured pages: /other, /shop");
}

#[test]
fn a_route_change_and_an_interaction_are_part_of_it() {
    let server = Server::start();
    let mut client = server.client();
    load(&server, "/app", 400);
    server.post("/performance-snapshot", &json!({ "url": "/app", "softNavigation": true, "timing": {} }));
    let inp = json!({ "type": "performance", "url": "/app", "metric": "INP", "value": 350, "unit": "ms" });
    server.post("/sync", &json!({ "events": [inp] }));
    let (text, facts) = check(&mut client, json!({}));
    assert!(text.starts_with("Performance of /app (single-page route change, "), "{text}");
    assert!(text.contains("Interaction to next paint: 350 ms  (needs improvement)\n"), "{text}");
    assert_eq!((&facts["kind"], &facts["interactionToNextPaint"]), (&json!("route_change"), &json!(350.0)));
    assert_eq!(facts["other_pages"], json!(["/app"]), "the load of the same page");
}

#[test]
fn the_text_also_has_new_errors_and_hints() {
    let server = Server::start();
    let mut client = server.client();
    let (text, facts) = check(&mut client, json!({}));
    assert!(text.starts_with("Nothing measured: no browser is connected"), "{text}");
    assert_eq!(text, format!("Nothing measured: {}\n", facts["hint"].as_str().unwrap()));
    load(&server, "/shop", 400);
    server.log(json!([{ "level": "error", "message": "Boom" }]));
    let (text, facts) = check(&mut client, json!({}));
    assert!(text.ends_with("New since your last call: errors 1, failed requests 0\n"), "{text}");
    assert_eq!(facts["new_since_last_call"], json!({ "errors": 1, "failed_requests": 0 }));
    let wrong = client.tool("check_performance", json!({ "page": "/" }));
    assert_eq!(wrong["error"], "invalid_params");
    assert!(wrong["message"].as_str().unwrap().contains("`url`"), "{wrong}");
}

#[test]
fn budgets_come_from_the_project_that_the_client_was_started_in() {
    let server = Server::start();
    load(&server, "/checkout", 1_500);
    let (shop, blog) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let file = shop.path().join(".gasoline.json");
    let budgets =
        json!({ "budgets": { "load": 2_000, "requestCount": 50 }, "pages": { "/checkout": { "load": 1_000 } } });
    std::fs::write(&file, budgets.to_string()).unwrap();
    let mut client = client_in(&server, shop.path());
    let (text, facts) = check(&mut client, json!({}));
    assert!(text.contains("\nBudgets (.gasoline.json)\n  over: Load 1.5 s, allowed 1 s\n  1 of 2 kept\n"), "{text}");
    let exceeded = json!([{ "metric": "load", "value": 1_500.0, "budget": 1_000.0 }]);
    assert_eq!(facts["budgets"], json!({ "checked": 2, "exceeded": exceeded }));

    // An edit applies at once. The report names a mistake in the file, but does not quote the file.
    std::fs::write(&file, "{ \"budgets\": { \"load\": hunter2 } }").unwrap();
    let (text, facts) = check(&mut client, json!({}));
    assert!(text.contains("  file: not valid JSON, at line 1 column "), "{text}");
    assert!(!text.contains("hunter2") && facts["budgets"]["faults"].is_array(), "{facts}");
    std::fs::write(&file, "{ \"budgets\": { \"lcp\": 1, \"load\": 2000 } }").unwrap();
    let (text, _) = check(&mut client, json!({}));
    assert!(text.contains("  all 1 kept\n  file: unknown key budgets.lcp; known: "), "{text}");

    let (text, facts) = check(&mut client_in(&server, blog.path()), json!({}));
    assert!(!text.contains("Budgets") && facts.get("budgets").is_none(), "{text}");
}
