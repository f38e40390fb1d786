//! The rules that every tool's answer follows.

use serde_json::{Value, json};

use crate::support::Server;

fn error(message: &str) -> Value {
    json!({ "type": "exception", "level": "error", "message": message, "url": "http://localhost:3000/shop", "stack": format!("Error: {message}\n    at pay (http://localhost:3000/app.js:10:5)") })
}

#[test]
fn the_same_error_is_one_group_with_a_count() {
    let server = Server::start();
    server.log(json!([
        { "type": "exception", "level": "error", "message": "item 17 not found", "ts": "2026-01-01T00:00:00Z" },
        { "type": "exception", "level": "error", "message": "item 18 not found", "ts": "2026-01-01T00:00:05Z", "count": 3 },
        { "type": "exception", "level": "error", "message": "something else" },
        { "level": "warn", "message": "no error" },
    ]));
    let answer = server.tool("get_browser_errors", json!({}));
    assert_eq!((&answer["total"], &answer["returned"]), (&json!(2), &json!(2)));
    assert!(answer.get("truncated").is_none());
    let group = &answer["errors"][1];
    assert_eq!((&group["message"], &group["count"]), (&json!("item 18 not found"), &json!(4)));
    assert_eq!(
        (&group["first_seen"], &group["last_seen"]),
        (&json!("2026-01-01T00:00:00.000Z"), &json!("2026-01-01T00:00:05.000Z"))
    );
}

#[test]
fn one_failed_request_is_one_issue() {
    let server = Server::start();
    let at = "2026-01-01T00:00:00Z";
    server.log(json!([
        { "type": "network", "level": "error", "message": "POST /api/pay → 500", "method": "POST", "requestUrl": "http://localhost/api/pay", "status": 500, "ts": at },
        { "source": "network", "level": "warn", "message": "GET /api/me → 404", "metadata": { "status": 404 }, "ts": at },
    ]));
    server.post(
        "/network-bodies",
        &json!({ "bodies": [
        { "method": "POST", "url": "http://localhost/api/pay", "status": 500, "responseBody": "no stock", "ts": at },
        { "method": "GET", "url": "/api/me", "status": 404, "ts": at },
        { "method": "GET", "url": "/api/only-here", "status": 0, "error": "TypeError: Failed to fetch", "ts": at },
        { "method": "GET", "url": "/api/fine", "status": 200, "ts": at },
    ] }),
    );
    let mut client = server.client();
    let answer = client.tool("get_browser_errors", json!({}));
    assert_eq!(answer["total"], 3, "{answer}");
    let paid = answer["errors"].as_array().unwrap().iter().find(|error| error["status"] == 500).unwrap();
    assert_eq!(paid["responseBody"], "no stock", "what the server said is part of the failure");
    let body = client.tool("get_browser_errors", json!({ "id": paid["body_id"] }));
    assert_eq!(body["entry"]["responseBody"], "no stock");
    let only_body =
        answer["errors"].as_array().unwrap().iter().find(|error| error["requestUrl"] == "/api/only-here").unwrap();
    assert_eq!(only_body["message"], "GET /api/only-here → failed: TypeError: Failed to fetch");
    let full = client.tool("get_browser_errors", json!({ "id": only_body["id"] }));
    assert_eq!(full["entry"]["url"], "/api/only-here");
    // After clearing, none of them remains because of the bodies.
    assert_eq!(client.tool("clear_browser_logs", json!({})), json!({ "cleared": true, "entries_removed": 2 }));
    assert_eq!(client.tool("get_browser_errors", json!({}))["total"], 0);
}

#[test]
fn different_requests_are_different_failures() {
    let server = Server::start();
    let at = "2026-01-01T00:00:00Z";
    server.log(json!([{ "type": "network", "level": "error", "message": "GET / → 500", "method": "GET", "requestUrl": "/", "status": 500, "ts": at }]));
    server.post(
        "/network-bodies",
        &json!({ "bodies": [
        { "method": "GET", "url": "https://a.test/", "status": 500, "ts": at },
        { "method": "GET", "url": "https://a.test/api/users/", "status": 500, "ts": at },
        { "method": "GET", "url": "https://a.test/x", "status": 500, "ts": at },
        { "method": "GET", "url": "https://b.test/x?q=1", "status": 500, "ts": at },
        { "method": "GET", "url": "https://b.test/x?q=2", "status": 500, "ts": at },
    ] }),
    );
    let answer = server.tool("get_browser_errors", json!({}));
    let mut found: Vec<_> = answer["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|error| (error["requestUrl"].as_str().unwrap(), error["count"].as_u64().unwrap()))
        .collect();
    found.sort_unstable();
    assert_eq!(
        found,
        [("/", 1), ("https://a.test/api/users/", 1), ("https://a.test/x", 1), ("https://b.test/x?q=2", 2)]
    );
}

#[test]
fn lists_are_newest_first_and_say_what_was_left_out() {
    let server = Server::start();
    let entries: Vec<Value> = (0..150)
        .map(|n| json!({ "level": if n % 50 == 0 { "error" } else { "log" }, "message": format!("m{n}") }))
        .collect();
    server.log(Value::Array(entries));
    let mut client = server.client();
    let answer = client.tool("get_browser_logs", json!({}));
    assert_eq!((&answer["total"], &answer["returned"], &answer["truncated"]), (&json!(150), &json!(100), &json!(true)));
    assert_eq!(answer["logs"][0]["message"], "m149");
    assert_eq!(answer["left_out"], json!({ "log": 49, "error": 1 }));
    let few = client.tool("get_browser_logs", json!({ "limit": 2 }));
    assert_eq!((few["logs"][0]["message"].clone(), few["logs"][1]["message"].clone()), (json!("m149"), json!("m148")));
    assert_eq!(client.tool("get_browser_logs", json!({ "limit": 150 })).get("truncated"), None);
    let short = client.tool("get_browser_logs", json!({ "max_tokens": 150 }));
    assert!(short.to_string().len() <= 600, "{}", short.to_string().len());
    assert!(
        short["left_out"].get("error").is_none() && short["left_out"]["log"].as_u64().unwrap() > 140,
        "severe ones first: {short}"
    );
    assert_eq!(client.tool("get_browser_logs", json!({ "limit": 0 }))["error"], "invalid_params");
}

#[test]
fn answers_stay_under_fifty_kilobytes() {
    let server = Server::start();
    let entries: Vec<Value> = (0..400).map(|n| json!({ "level": "error", "message": format!("{}{n}", "é\"".repeat(2_000)), "stack": "at x (y)\n".repeat(500) })).collect();
    server.log(Value::Array(entries));
    let mut client = server.client();
    for arguments in [json!({ "limit": 400 }), json!({})] {
        let result = client.call("get_browser_logs", arguments);
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.len() <= 50 * 1024, "{}", text.len());
        assert_eq!(result["structuredContent"]["truncated"], true);
    }
    let huge = json!({ "level": "error", "message": "huge", "args": [(0..12).map(|_| "w ".repeat(7_000)).collect::<Vec<_>>()] });
    server.log(json!([huge]));
    let id = client.tool("get_browser_logs", json!({ "limit": 1 }))["logs"][0]["id"].clone();
    let one = client.call("get_browser_logs", json!({ "id": id }));
    assert!(one["content"][0]["text"].as_str().unwrap().len() <= 50 * 1024);
    assert!(one["structuredContent"]["cut"].is_string(), "the answer says what was cut");
    let rich: Vec<Value> = (0..3_000).map(|n| json!({ "file": format!("src/{n}.ts"), "line": n })).collect();
    server.log(json!([{ "level": "error", "message": "rich", "_aiContext": { "sourceSnippets": rich, "summary": "s ".repeat(7_000) } }]));
    for arguments in [json!({}), json!({ "limit": 1 })] {
        let text = client.call("get_browser_errors", arguments)["content"][0]["text"].as_str().unwrap().len();
        assert!(text <= 50 * 1024, "{text}");
    }
    for tokens in [50, 200, 1_000] {
        let list = client.call("get_browser_errors", json!({ "max_tokens": tokens }))["content"][0]["text"]
            .as_str()
            .unwrap()
            .len();
        assert!(list <= (tokens * 4).max(650), "{tokens} tokens, {list} bytes");
        let id = client.tool("get_browser_errors", json!({ "max_tokens": 200 }))["errors"][0]["id"].clone();
        let entry = client.call("get_browser_errors", json!({ "id": id, "max_tokens": tokens }))["content"][0]["text"]
            .as_str()
            .unwrap()
            .len();
        assert!(entry <= (tokens * 4).max(650), "{tokens} tokens, {entry} bytes");
    }
}

#[test]
fn filters_narrow_every_list() {
    let server = Server::start();
    server.log(json!([
        { "level": "error", "message": "A", "url": "http://localhost/cart", "tab_id": 1, "test_id": "t", "ts": "2026-01-01T00:00:00Z" },
        { "level": "error", "message": "B", "url": "http://localhost/home", "tab_id": 2, "ts": "2026-01-02T00:00:00Z" },
        { "level": "info", "message": "a whisper", "url": "http://localhost/home", "tab_id": 2, "ts": "2026-01-03T00:00:00Z" },
    ]));
    let mut client = server.client();
    for (arguments, expected) in [
        (json!({ "url_filter": "cart" }), vec!["A"]),
        (json!({ "url": "cart" }), vec!["A"]),
        (json!({ "tab_id": 2 }), vec!["a whisper", "B"]),
        (json!({ "test_id": "t" }), vec!["A"]),
        (json!({ "since": "2026-01-02T00:00:00Z" }), vec!["a whisper", "B"]),
        (json!({ "level": "info" }), vec!["a whisper"]),
        (json!({ "level": "error", "search": "b" }), vec!["B"]),
        (json!({ "search": "WHISPER" }), vec!["a whisper"]),
    ] {
        let answer = client.tool("get_browser_logs", arguments.clone());
        let messages: Vec<_> =
            answer["logs"].as_array().unwrap().iter().map(|entry| entry["message"].as_str().unwrap()).collect();
        assert_eq!(messages, expected, "{arguments}");
    }
    let errors = client.tool("get_browser_errors", json!({ "tab_id": 2 }));
    assert_eq!((&errors["total"], &errors["errors"][0]["message"]), (&json!(1), &json!("B")));
    let bad = client.call("get_browser_logs", json!({ "since": "last week" }));
    assert_eq!((&bad["isError"], &bad["structuredContent"]["error"]), (&json!(true), &json!("invalid_params")));
    assert!(bad["structuredContent"]["hint"].as_str().unwrap().contains("20"), "{bad}");
}

#[test]
fn checkpoint_means_since_this_clients_last_call_of_the_same_tool() {
    let server = Server::start();
    let (mut one, mut two) = (server.client(), server.client());
    server.log(json!([{ "message": "first" }]));
    assert_eq!(
        one.tool("get_browser_logs", json!({ "since": "checkpoint" }))["total"],
        1,
        "the first time, everything"
    );
    server.log(json!([{ "message": "second" }]));
    one.tool("get_browser_errors", json!({}));
    let answer = one.tool("get_browser_logs", json!({ "since": "checkpoint" }));
    assert_eq!((&answer["total"], &answer["logs"][0]["message"]), (&json!(1), &json!("second")));
    assert_eq!(one.tool("get_browser_logs", json!({ "since": "checkpoint" }))["total"], 0);
    assert_eq!(two.tool("get_browser_logs", json!({ "since": "checkpoint" }))["total"], 2);
}

#[test]
fn an_id_returns_one_entry_in_full() {
    let server = Server::start();
    server.log(json!([error("boom"), { "id": "from-the-page", "level": "error", "message": "named", "_context": { "release": 7 } }]));
    let mut client = server.client();
    let list = client.tool("get_browser_errors", json!({}));
    let named = client.tool("get_browser_errors", json!({ "id": "from-the-page" }));
    assert_eq!(named["entry"]["_context"]["release"], 7);
    let boom = client.tool("get_browser_logs", json!({ "id": list["errors"][1]["id"] }));
    assert!(boom["entry"]["stack"].as_str().unwrap().contains("app.js:10:5"));
    let gone = client.call("get_browser_logs", json!({ "id": "log-zzzz-1" }));
    assert_eq!((&gone["isError"], &gone["structuredContent"]["error"]), (&json!(true), &json!("not_found")));
    assert!(gone["structuredContent"]["hint"].is_string());
}

#[test]
fn every_answer_reports_new_errors() {
    let server = Server::start();
    server.log(json!([error("before the client came")]));
    let mut client = server.client();
    assert!(client.tool("get_status", json!({})).get("new_since_last_call").is_none());
    server.log(json!([error("one"), error("two"), { "level": "warn", "message": "no" }]));
    server.post("/network-bodies", &json!({ "bodies": [{ "url": "/x", "status": 503 }] }));
    let answer = client.tool("get_browser_logs", json!({ "level": "debug" }));
    assert_eq!(answer["new_since_last_call"], json!({ "errors": 2, "failed_requests": 1 }));
    assert!(client.tool("get_status", json!({})).get("new_since_last_call").is_none());
    server.log(json!([error("three")]));
    let failed = client.tool("get_browser_logs", json!({ "nonsense": 1 }));
    assert_eq!(failed["new_since_last_call"]["errors"], 1, "failed calls report it, too");
}

#[test]
fn an_empty_answer_says_why() {
    let server = Server::start();
    let mut client = server.client();
    let hint = |answer: Value| answer["hint"].as_str().unwrap_or_else(|| panic!("no hint: {answer}")).to_owned();
    assert!(hint(client.tool("get_browser_logs", json!({}))).contains("no browser is connected"));
    assert!(hint(client.tool("get_browser_errors", json!({}))).contains("no browser is connected"));
    server.log(json!([{ "level": "log", "message": "fine" }]));
    assert!(hint(client.tool("get_browser_logs", json!({ "search": "missing" }))).contains("none of 1"));
    assert!(hint(client.tool("get_browser_errors", json!({}))).contains("no errors among 1"));
    server.log(json!([error("boom")]));
    assert!(hint(client.tool("get_browser_errors", json!({ "url_filter": "nowhere" }))).contains("none of 1 errors"));
    client.tool("clear_browser_logs", json!({}));
    assert!(hint(client.tool("get_browser_logs", json!({}))).contains("cleared at"));
}

#[test]
fn status_says_what_to_do_next() {
    let server = Server::start();
    let mut client = server.client();
    let quiet = client.tool("get_status", json!({}));
    assert_eq!((&quiet["connected"], &quiet["clients"], &quiet["warnings"]), (&json!(false), &json!(1), &json!([])));
    assert!(quiet["next_steps"].to_string().contains("load the Gasoline extension"));
    server.log(json!([error("boom"), { "message": "x", "strange": 1 }]));
    let busy = client.tool("get_status", json!({}));
    assert_eq!(busy["buffers"]["logs"], json!({ "count": 2, "dropped": 0 }));
    assert!(busy["next_steps"][0].as_str().unwrap().contains("get_browser_errors"), "{busy}");
    assert!(busy["warnings"].to_string().contains("unknown fields"));
}

#[test]
fn the_tool_list_is_small_and_annotated() {
    let server = Server::start();
    let answer = server.client().request("tools/list", json!({}));
    assert!(answer.to_string().len() < wire::limits::TOOLS_LIST_BYTES);
    for tool in answer["result"]["tools"].as_array().unwrap() {
        let annotations = &tool["annotations"];
        assert!(annotations["title"].is_string() && annotations["openWorldHint"] == false, "{tool}");
        let name = tool["name"].as_str().unwrap();
        assert_eq!(annotations["destructiveHint"], ["clear_browser_logs", "execute_js"].contains(&name), "{name}");
        let changes = [
            "clear_browser_logs",
            "configure_noise",
            "configure_streaming",
            "diff_sessions",
            "execute_js",
            "record_video",
            "validate_api",
            "verify_fix",
        ]
        .contains(&name);
        assert_eq!(annotations["readOnlyHint"], !changes, "{name}");
    }
}

#[test]
fn an_unknown_parameter_is_rejected_with_the_known_ones() {
    let server = Server::start();
    let mut client = server.client();
    let answer = client.request("tools/list", json!({}));
    for tool in answer["result"]["tools"].as_array().unwrap() {
        let name = tool["name"].as_str().unwrap();
        let result = client.call(name, json!({ "flavour": 1 }));
        let failed = &result["structuredContent"];
        assert_eq!(failed["error"], "invalid_params", "{name}: {failed}");
        let message = failed["message"].as_str().unwrap();
        for known in tool["inputSchema"]["properties"].as_object().unwrap().keys() {
            assert!(message.contains(&format!("`{known}`")), "{name}: {message}");
        }
    }
}
