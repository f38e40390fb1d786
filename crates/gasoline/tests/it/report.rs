//! `gasoline report` and the routes behind it, from a server and from files.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Server, gasoline};

const TOKEN: &str = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

/// A test that fails because of a request, and one that passes.
fn play(server: &Server) {
    let boundary = |fields: Value| assert_eq!(server.post("/test-boundary", &fields).status, 200);
    boundary(
        json!({ "test_id": "pay-0", "action": "start", "worker": "1", "title": "shop › pay", "file": "shop.spec.ts", "line": 7 }),
    );
    boundary(json!({ "test_id": "fine-0", "action": "start", "worker": "2", "title": "shop › fine" }));
    let body = json!({
        "method": "POST", "url": "http://shop.test/api/orders", "pageUrl": "http://shop.test/", "status": 500,
        "duration": 20, "responseBody": format!("{{\"error\":\"user.address is null\",\"note\":\"{TOKEN}\"}}"),
    });
    assert_eq!(server.post("/network-bodies", &json!({ "worker": "1", "bodies": [body] })).json()["received"], 1);
    let log = json!({ "level": "warn", "message": "slow day" });
    assert_eq!(server.post("/logs", &json!({ "worker": "2", "entries": [log] })).json()["received"], 1);
    boundary(
        json!({ "test_id": "pay-0", "action": "end", "status": "failed", "error": "Error: expect(locator).toBeVisible()" }),
    );
    boundary(json!({ "test_id": "fine-0", "action": "end", "status": "passed" }));
}

fn report_of(server: &Server, args: &[&str]) -> Output {
    gasoline(server.state.path()).args(["report", "--port", &server.port.to_string()]).args(args).output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn a_server_reports_its_run_in_every_format() {
    let server = Server::start();
    play(&server);
    for (format, parts) in [
        (
            "text",
            &["2 tests: 1 failed, 1 passed; 1 failed request", "✗ shop › pay  (shop.spec.ts:7 · ", "Cause (high)"][..],
        ),
        ("json", &["\"summary\"", "\"failed\": 1", "\"network_failures\""]),
        ("ai-context", &["## Test Failure: shop › pay", "### Diagnosis Hints", "user.address is null"]),
        ("junit", &["<testsuites name=\"gasoline\" tests=\"2\" failures=\"1\"", "<failure message=\"POST"]),
        ("markdown", &["| Cause | Confidence | Tests |", "<details><summary>❌ shop › pay</summary>"]),
    ] {
        let output = report_of(&server, &["--format", format]);
        assert_eq!(output.status.code(), Some(0), "{format}: {}", said(&output));
        for part in parts {
            assert!(text(&output).contains(part), "{part} is not in\n{}", text(&output));
        }
        assert!(!text(&output).contains(TOKEN), "{format}");
        let reply = server.get(&format!("/report?format={format}"));
        assert_eq!(reply.status, 200);
        assert_eq!(reply.body, text(&output), "{format}: the route says the same");
    }
    assert!(text(&report_of(&server, &[])).starts_with("2 tests"), "text is the default");
    assert_eq!(
        text(&report_of(&server, &["--test-id", "fine", "--format", "ai-context"])),
        "No failures in 1 tests.\n"
    );
    assert!(!text(&report_of(&server, &["--test-id", "fine"])).contains("slow day"));
    let far = report_of(&server, &["--since", "2099-01-01T00:00:00Z", "--format", "ai-context"]);
    assert!(text(&far).contains("Nothing was captured from a browser since 2099"), "{}", text(&far));
}

#[test]
fn saved_snapshots_need_no_server() {
    let server = Server::start();
    play(&server);
    let folder = TempDir::new().unwrap();
    let snapshot = server.get("/snapshot?test_id=pay-0").body;
    let results = folder.path().join("test-results/shop-pay-chromium");
    fs::create_dir_all(&results).unwrap();
    fs::write(results.join("gasoline-snapshot.json"), &snapshot).unwrap();
    fs::write(results.join("error-context.md"), "# not ours").unwrap();
    // The blob report of another shard, with the attachment under its hash.
    let blob = folder.path().join("blob-report");
    fs::create_dir_all(&blob).unwrap();
    let renamed = snapshot.replace("pay-0", "later-0").replace("shop › pay", "shop › later");
    zip_of(
        &blob.join("report-2.zip"),
        &[("report.jsonl", b"{}\n"), ("resources/4f2a.json", renamed.as_bytes()), ("resources/1.json", b"[]")],
    );
    let whole = folder.path().to_str().unwrap();
    server.terminate();

    let offline = |args: &[&str]| gasoline(folder.path()).args(["report"]).args(args).output().unwrap();
    let output = offline(&["--input", whole]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(text(&output).contains("2 tests: 2 failed"), "{}", text(&output));
    assert!(text(&output).contains("2 tests: POST"), "the same cause in both shards: {}", text(&output));
    let one = offline(&["--input", results.join("gasoline-snapshot.json").to_str().unwrap(), "--format", "json"]);
    let read: Value = serde_json::from_slice(&one.stdout).unwrap();
    assert_eq!(read["tests"][0]["status"], "fail");
    let zip = offline(&["--input", blob.join("report-2.zip").to_str().unwrap()]);
    assert!(text(&zip).contains("shop › later"), "{}", text(&zip));

    let file = folder.path().join("out.md");
    let output = offline(&["--input", whole, "--format", "markdown", "--output", file.to_str().unwrap()]);
    assert_eq!((output.status.code(), text(&output).as_str()), (Some(0), ""));
    assert!(fs::read_to_string(&file).unwrap().contains("shop › pay"));
}

fn zip_of(path: &Path, files: &[(&str, &[u8])]) {
    let mut zip = zip::ZipWriter::new(File::create(path).unwrap());
    for (name, content) in files {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap();
}

#[test]
fn an_unreadable_input_is_wrong_usage_and_says_why() {
    let folder = TempDir::new().unwrap();
    let (broken, other) = (folder.path().join("broken.json"), folder.path().join("other.json"));
    fs::write(&broken, "{\"logs\":").unwrap();
    fs::write(&other, "{\"suites\":[]}").unwrap();
    let missing = folder.path().join("missing.json");
    let run = |args: &[&str]| gasoline(folder.path()).args(["report"]).args(args).output().unwrap();
    for (path, reason) in [
        (&broken, "not valid JSON"),
        (&other, "save what /snapshot answers"),
        (&missing, "cannot read"),
        (&folder.path().to_path_buf(), "contains no gasoline-snapshot.json"),
    ] {
        let output = run(&["--input", path.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(2), "{}", path.display());
        assert!(said(&output).contains(reason), "{}", said(&output));
        assert!(text(&output).is_empty());
    }
    for (args, reason) in [
        (["--format", "html"], "text, json, ai-context, junit, markdown"),
        (["--severity", "loud"], "error, warn or info"),
        (["--since", "yesterday"], "ISO 8601"),
    ] {
        let output = run(&args);
        assert_eq!(output.status.code(), Some(2));
        assert!(said(&output).contains(reason), "{}", said(&output));
    }
    let unwritable = run(&["--input", broken.to_str().unwrap(), "--output", "/nowhere/at/all"]);
    assert_ne!(unwritable.status.code(), Some(0));
    let no_server = run(&["--port", "1"]);
    assert_eq!(no_server.status.code(), Some(3), "{}", said(&no_server));
}

#[test]
fn two_attempts_are_compared() {
    let server = Server::start();
    for (id, retry, status, answer) in [("buy-0", 0, "failed", 503), ("buy-1", 1, "passed", 200)] {
        let record = json!({ "test_id": id, "title": "shop › buy", "retry": retry });
        let with = |more: Value| {
            let mut fields = record.clone();
            fields.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            assert_eq!(server.post("/test-boundary", &fields).status, 200);
        };
        with(json!({ "action": "start" }));
        let body = json!({ "method": "GET", "url": "http://shop.test/api/stock", "status": answer, "duration": 5 });
        server.post("/network-bodies", &json!({ "bodies": [body] }));
        with(json!({ "action": "end", "status": status }));
    }
    let reply = server.get("/report/difference?failed=buy-0&passed=buy-1");
    let text = reply.body;
    assert!(text.contains("http://shop.test/api/stock → 503 (5 ms); when it passed: 200 (5 ms)"), "{text}");
    let unknown = server.get("/report/difference?failed=nobody&passed=buy-1");
    assert_eq!(unknown.status, 404);
    assert!(unknown.json()["error"].as_str().unwrap().contains("/test-boundary"));
    assert_eq!(server.get("/report/difference?failed=buy-0").status, 400);
    assert_eq!(server.get("/report?format=html").status, 400);
    assert_eq!(server.get("/report?severity=loud").status, 400);
    assert_eq!(server.get("/report?sinse=1").status, 400, "a misspelt parameter must not mean all");
}

/// A response that differs from what other tests got from the endpoint is reported.
#[test]
fn a_response_that_differs_from_the_others_is_reported() {
    let server = Server::start();
    let answer = |test: &str, body: Value| {
        let body = json!({ "method": "GET", "url": "http://shop.test/api/user", "status": 200, "contentType": "application/json", "responseBody": body.to_string() });
        server.post("/network-bodies", &json!({ "test_id": test, "bodies": [body] }));
    };
    for test in ["a", "b", "c"] {
        answer(test, json!({ "name": "Ann", "address": "Main St" }));
    }
    answer("odd", json!({ "name": "Ann" }));
    server.post(
        "/test-boundary",
        &json!({ "test_id": "odd", "action": "end", "status": "failed", "title": "shop › odd" }),
    );
    let snapshot = server.get("/snapshot?test_id=odd").json();
    assert_eq!(snapshot["odd_answers"][0]["description"], "lacks 'address', which 3 other answers had");
    assert_eq!(server.get("/snapshot?test_id=a").json()["odd_answers"], json!([]));
    let told = server.get("/report?format=ai-context&test_id=odd").body;
    assert!(told.contains("GET /api/user was answered unlike before: lacks 'address'"), "{told}");
}

/// Senders without timestamps send a request when it has ended, so it did not end a whole duration later.
#[test]
fn a_request_without_a_time_can_cause_an_error_that_arrived_after_it() {
    let server = Server::start();
    let request = json!({ "method": "GET", "url": "http://shop.test/api/cart", "pageUrl": "http://shop.test/", "status": 500,
        "duration": 20_000, "responseBody": r#"{"error":"database is locked"}"# });
    server.post("/network-bodies", &json!({ "test_id": "t", "bodies": [request] }));
    let thrown = json!({ "type": "exception", "level": "error", "message": "cart is undefined", "url": "http://shop.test/",
        "stack": "TypeError: cart is undefined\n    at show (http://shop.test/app.js:3:9)" });
    server.post("/logs", &json!({ "test_id": "t", "entries": [thrown] }));
    let told: Value = serde_json::from_str(&text(&report_of(&server, &["--format", "json"]))).unwrap();
    let cause = &told["tests"][0]["cause"];
    assert!(cause["text"].as_str().unwrap().contains("GET /api/cart failed on the server with 500"), "{told:#}");
    let timeline: Vec<&str> =
        told["tests"][0]["timeline"].as_array().unwrap().iter().map(|line| line["text"].as_str().unwrap()).collect();
    assert!(timeline[0].starts_with("GET /api/cart") && timeline[1].contains("cart is undefined"), "{timeline:?}");
}
