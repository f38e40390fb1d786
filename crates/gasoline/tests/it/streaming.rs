//! Notifications over stdio and HTTP, `/events/stream`, watched resources, prompts.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{McpProcess, Server, TOKEN};

/// How long to wait for a message that must arrive.
const SOON: Duration = Duration::from_secs(30);
/// How long to wait for a message that must not arrive.
const WHILE: Duration = Duration::from_millis(700);
const EVENT: &str = "notifications/gasoline/event";

fn error(server: &Server, message: &str) {
    server
        .log(json!([{ "level": "error", "type": "console", "message": message, "url": "http://localhost:3000/shop" }]));
}

fn listening(server: &Server, settings: Value) -> McpProcess {
    let mut client = server.client();
    let answer = client.tool("configure_streaming", settings);
    assert_eq!(answer["enabled"], true, "{answer}");
    client
}

fn event(client: &McpProcess) -> Value {
    let message = client.read_within(SOON).expect("no notification came");
    assert_eq!((&message["jsonrpc"], &message["method"]), (&json!("2.0"), &json!(EVENT)), "{message}");
    assert!(message.get("id").is_none());
    message["params"].clone()
}

#[test]
fn streaming_is_off_until_it_is_enabled_and_can_be_disabled_again() {
    let server = Server::start();
    let mut client = server.client();
    error(&server, "before");
    assert!(client.read_within(WHILE).is_none());
    let state = client.tool("configure_streaming", json!({}));
    assert_eq!((&state["enabled"], &state["throttle_seconds"]), (&json!(false), &json!(5.0)), "asking changes nothing");
    assert!(state["hint"].as_str().unwrap().contains("enabled true"));
    let on = client.tool("configure_streaming", json!({ "enabled": true }));
    assert_eq!(on["events"], json!(["errors", "network_errors", "performance", "user_frustration", "security"]));
    error(&server, "before");
    error(&server, "Cannot read properties of undefined");
    let told = event(&client);
    assert_eq!(told["message"], "New error: Cannot read properties of undefined", "earlier errors are not new");
    assert_eq!((&told["category"], &told["severity"]), (&json!("errors"), &json!("error")));
    assert!(told["timestamp"].is_string());
    assert_eq!(told["context"]["url"], "http://localhost:3000/shop");
    client.tool("configure_streaming", json!({ "enabled": false }));
    error(&server, "after");
    assert!(client.read_within(WHILE).is_none());
}

#[test]
fn each_client_gets_the_events_it_subscribed_to() {
    let server = Server::start();
    let security = listening(&server, json!({ "enabled": true, "events": ["security"], "throttle_seconds": 1 }));
    let cart = listening(&server, json!({ "enabled": true, "url_filter": "/cart", "throttle_seconds": 1 }));
    let nothing = server.client();
    error(&server, "in the shop");
    let key = ["Q7w2X9r4", "K1z8Vb3N"].concat();
    let bodies = json!([
        { "method": "GET", "url": format!("http://localhost:3000/api/rates?api_key={key}"), "status": 200 },
        { "method": "POST", "url": "http://localhost:3000/cart/add", "status": 503 },
    ]);
    server.post("/network-bodies", &json!({ "bodies": bodies }));
    let told = event(&security);
    assert_eq!(told["message"], "Possible credential exposure in GET /api/rates");
    assert!(!told.to_string().contains(&key));
    assert_eq!(event(&cart)["message"], "Server error: POST /cart/add → 503");
    for client in [&security, &cart, &nothing] {
        assert!(client.read_within(WHILE).is_none());
    }
}

#[test]
fn clients_that_set_a_level_get_log_messages() {
    let server = Server::start();
    let mut client = listening(&server, json!({ "enabled": true, "throttle_seconds": 1 }));
    let set = client.request("logging/setLevel", json!({ "level": "error" }));
    assert!(set["result"].is_object(), "{set}");
    error(&server, "one");
    let params = event(&client);
    let log = client.read_within(SOON).unwrap();
    assert_eq!(log["method"], "notifications/message");
    assert_eq!((&log["params"]["level"], &log["params"]["logger"]), (&json!("error"), &json!("gasoline")));
    assert_eq!(log["params"]["data"], params);
    // Below the level: only as an event.
    let load = |time: u32| json!({ "url": "/shop", "timing": { "load": time } });
    server.post("/performance-snapshot", &load(400));
    server.post("/performance-snapshot", &load(4_000));
    assert_eq!(event(&client)["category"], "performance");
    assert!(client.read_within(WHILE).is_none());
}

#[test]
fn throttled_events_are_combined_and_none_is_lost() {
    let server = Server::with(&["--max-events-per-second", "0"]);
    let mut client = listening(&server, json!({ "enabled": true, "throttle_seconds": 1 }));
    let quiet = server.client();
    for word in ["alpha", "beta", "gamma", "delta"] {
        error(&server, &format!("{word} is broken"));
    }
    // Meanwhile the pipe carries other messages, each on one line.
    let mut asked: Vec<i64> =
        (0..20).map(|_| client.ask("tools/call", json!({ "name": "get_browser_logs", "arguments": {} }))).collect();
    let mut heard = Vec::new();
    let mut notifications = 0;
    while heard.len() < 4 || !asked.is_empty() {
        let message = client.read();
        if let Some(id) = message["id"].as_i64() {
            asked.retain(|asked| *asked != id);
            continue;
        }
        notifications += 1;
        let params = &message["params"];
        match params["context"]["events"].as_array() {
            Some(events) => {
                assert!(params["message"].as_str().unwrap().starts_with(&format!("{} events: ", events.len())));
                heard.extend(events.iter().map(|event| event["message"].as_str().unwrap().to_owned()));
            }
            None => heard.push(params["message"].as_str().unwrap().to_owned()),
        }
    }
    let expected = ["alpha", "beta", "gamma", "delta"].map(|word| format!("New error: {word} is broken"));
    assert_eq!(heard, expected);
    assert!(notifications < 4, "each event arrived separately");
    assert!(quiet.read_within(Duration::from_millis(10)).is_none());
}

#[test]
fn invalid_settings_are_rejected_with_the_valid_ones() {
    let server = Server::start();
    let mut client = server.client();
    for (settings, word) in [
        (json!({ "enabled": true, "events": ["earthquakes"] }), "user_frustration"),
        (json!({ "enabled": true, "events": [] }), "user_frustration"),
        (json!({ "enabled": true, "throttle_seconds": 0.99 }), "1 to 60"),
        (json!({ "enabled": true, "throttle_seconds": 60.5 }), "1 to 60"),
    ] {
        let result = client.call("configure_streaming", settings);
        assert_eq!(result["isError"], true);
        let failed = &result["structuredContent"];
        assert_eq!(failed["error"], "invalid_params");
        assert!(failed["message"].as_str().unwrap().contains(word), "{failed}");
    }
    for seconds in [1, 60] {
        let set = client.tool("configure_streaming", json!({ "throttle_seconds": seconds, "enabled": true }));
        assert_eq!(set["throttle_seconds"], f64::from(seconds));
    }
}

/// A streaming response: its headers have been read, its lines follow.
struct Lines(BufReader<TcpStream>);

impl Lines {
    fn open(server: &Server, head: &str) -> (Self, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
        stream.set_read_timeout(Some(SOON)).unwrap();
        let host = format!("127.0.0.1:{}", server.port);
        stream.write_all(format!("{head}Host: {host}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n").as_bytes()).unwrap();
        let mut lines = Self(BufReader::new(stream));
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            lines.0.read_line(&mut head).unwrap();
        }
        (lines, head)
    }

    /// The rest of the next line that has this prefix.
    fn next(&mut self, beginning: &str) -> String {
        loop {
            let mut line = String::new();
            assert!(self.0.read_line(&mut line).unwrap() > 0, "it ended");
            if let Some(rest) = line.trim_end().strip_prefix(beginning) {
                return rest.to_owned();
            }
        }
    }
}

#[test]
fn server_sent_events_carry_the_same_events() {
    let server = Server::start();
    let (mut lines, head) = Lines::open(&server, "GET /events/stream?events=errors&url_filter=shop HTTP/1.1\r\n");
    assert!(head.starts_with("HTTP/1.1 200") && head.contains("text/event-stream"), "{head}");
    server.post("/network-bodies", &json!({ "bodies": [{ "url": "http://localhost/shop", "status": 500 }] }));
    error(&server, "for all who listen");
    assert_eq!(lines.next("event: "), "gasoline");
    let data: Value = serde_json::from_str(&lines.next("data: ")).unwrap();
    assert_eq!((&data["category"], &data["message"]), (&json!("errors"), &json!("New error: for all who listen")));
    for (query, word) in
        [("events=nothing", "expected any of errors"), ("throttle_seconds=0", "1 to 60"), ("flavour=1", "flavour")]
    {
        let reply = server.get(&format!("/events/stream?{query}"));
        assert_eq!(reply.status, 400);
        assert!(reply.json()["error"].as_str().unwrap().contains(word), "{}", reply.body);
    }
    let refused = server.request("GET", "/events/stream").token(None).send();
    assert_eq!(refused.status, 401);
    let page = server.request("GET", "/events/stream").header("Origin", "http://localhost:3000").send();
    assert_eq!(page.status, 403);
}

#[test]
fn an_http_session_gets_notifications_on_its_own_stream() {
    let server = Server::start();
    let ask = |session: Option<&str>, message: Value| {
        let mut request = server
            .request("POST", "/mcp")
            .header("Accept", "application/json, text/event-stream")
            .body(message.to_string());
        if let Some(session) = session {
            request = request.header("Mcp-Session-Id", session);
        }
        request.header("Content-Type", "application/json").send()
    };
    let hello = ask(
        None,
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "protocolVersion": "2025-06-18",
            "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } } }),
    );
    let session = hello.head.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).unwrap().to_owned();
    ask(Some(&session), json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    let call = json!({ "name": "configure_streaming", "arguments": { "enabled": true } });
    let on = ask(Some(&session), json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call }));
    assert!(on.body.contains("\\\"enabled\\\":true"), "{}", on.body);
    let head = format!("GET /mcp HTTP/1.1\r\nAccept: text/event-stream\r\nMcp-Session-Id: {session}\r\n");
    let (mut lines, head) = Lines::open(&server, &head);
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    error(&server, "over HTTP");
    let told = loop {
        let line = lines.next("data: ");
        if line.contains(EVENT) {
            break serde_json::from_str::<Value>(&line).unwrap();
        }
    };
    assert_eq!(told["params"]["message"], "New error: over HTTP");
}

#[test]
fn a_client_that_stops_reading_is_disconnected_without_affecting_others() {
    for streams in [true, false] {
        let server = Server::with(&["--max-events-per-second", "0"]);
        let_go(&server, streams);
        // Whatever it requested, the other clients still get their data.
        assert_eq!(server.health()["buffers"]["logs"]["dropped"], 0);
    }
}

fn let_go(server: &Server, streams: bool) {
    let long: Vec<Value> =
        (0..200).map(|n| json!({ "level": "log", "message": format!("{n} {}", "x".repeat(400)) })).collect();
    server.log(json!(long));
    let head = format!(
        "GET /mcp-stdio HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {TOKEN}\r\nConnection: upgrade\r\nUpgrade: gasoline-stdio\r\n\r\n",
        server.port
    );
    let mut deaf = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
    deaf.write_all(head.as_bytes()).unwrap();
    let mut say = |message: Value| deaf.write_all(format!("{message}\n").as_bytes());
    say(json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "protocolVersion": "2025-06-18",
        "capabilities": {}, "clientInfo": { "name": "deaf", "version": "1" } } }))
    .unwrap();
    say(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).unwrap();
    let call = |id: u32, name: &str, arguments: Value| json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": name, "arguments": arguments } });
    say(call(2, "configure_streaming", json!({ "enabled": streams, "throttle_seconds": 1 }))).unwrap();
    let hearing = listening(server, json!({ "enabled": true, "throttle_seconds": 1 }));
    // More answers than all buffers between us can hold.
    for id in 0..1_500 {
        say(call(10 + id, "get_browser_logs", json!({ "limit": 200 }))).unwrap();
    }
    let is_attached = || server.health()["clients"].to_string().contains("deaf");
    assert!(is_attached());
    let began = Instant::now();
    let mut words = 0;
    while is_attached() && began.elapsed() < Duration::from_secs(30) {
        words += 1;
        error(server, &format!("still here {}", "abcdefghijklmnopqrstuvwxyz".get(..words % 26 + 1).unwrap()));
        std::thread::sleep(Duration::from_millis(500));
    }
    assert!(!is_attached(), "it is still there");
    // The other client got events all the time, and still does.
    error(server, "the last word");
    let mut heard = String::new();
    while !heard.contains("the last word") {
        heard.push_str(&hearing.read().to_string());
    }
    assert!(heard.contains("still here a"), "{heard}");
    // The unread data is still in its socket, followed by the end of the stream.
    deaf.set_read_timeout(Some(SOON)).unwrap();
    let mut rest = Vec::new();
    let _ = deaf.read_to_end(&mut rest);
    assert!(!rest.is_empty());
}

#[test]
fn resources_are_listed_read_and_watched() {
    let server = Server::start();
    let mut client = server.client();
    let list = client.request("resources/list", json!({}));
    let uris: Vec<&str> =
        list["result"]["resources"].as_array().unwrap().iter().map(|of| of["uri"].as_str().unwrap()).collect();
    assert_eq!(uris, ["gasoline://errors", "gasoline://timeline", "gasoline://status"]);
    error(&server, "broken");
    for (uri, field) in
        [("gasoline://errors", "errors"), ("gasoline://timeline", "timeline"), ("gasoline://status", "buffers")]
    {
        let read = client.request("resources/read", json!({ "uri": uri }));
        let contents = &read["result"]["contents"][0];
        assert_eq!((&contents["uri"], &contents["mimeType"]), (&json!(uri), &json!("application/json")));
        let text: Value = serde_json::from_str(contents["text"].as_str().unwrap()).unwrap();
        assert!(!text[field].is_null(), "{text}");
    }
    // Reading a resource is not a call: the error is still new to the next call.
    let status = client.tool("get_status", json!({}));
    assert_eq!(status["new_since_last_call"]["errors"], 1, "{status}");
    let unknown = client.request("resources/read", json!({ "uri": "gasoline://weather" }));
    assert!(unknown["error"]["message"].as_str().unwrap().contains("gasoline://timeline"), "{unknown}");

    client.request("resources/subscribe", json!({ "uri": "gasoline://errors" }));
    assert!(client.read_within(WHILE).is_none(), "nothing changed yet");
    server.log(json!([{ "level": "log", "message": "no error" }]));
    assert!(client.read_within(WHILE).is_none());
    error(&server, "broken again");
    let told = client.read_within(SOON).unwrap();
    assert_eq!(told["method"], "notifications/resources/updated");
    assert_eq!(told["params"]["uri"], "gasoline://errors");
    client.request("resources/unsubscribe", json!({ "uri": "gasoline://errors" }));
    error(&server, "and again");
    assert!(client.read_within(WHILE).is_none());
    client.request("resources/subscribe", json!({ "uri": "gasoline://timeline" }));
    server.log(json!([{ "level": "log", "message": "something" }]));
    assert_eq!(client.read_within(SOON).unwrap()["params"]["uri"], "gasoline://timeline");
}

#[test]
fn prompts_are_listed_and_filled_in() {
    let server = Server::start();
    let mut client = server.client();
    let list = client.request("prompts/list", json!({}));
    let names: Vec<&str> =
        list["result"]["prompts"].as_array().unwrap().iter().map(|of| of["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["debug_this_page", "verify_my_fix"]);
    let mut text = |name: &str, arguments: Value| {
        let prompt = client.request("prompts/get", json!({ "name": name, "arguments": arguments }));
        prompt["result"]["messages"][0]["content"]["text"]
            .as_str()
            .map(str::to_owned)
            .unwrap_or_else(|| prompt.to_string())
    };
    let debug = text("debug_this_page", json!({ "symptom": "the cart stays empty" }));
    assert!(debug.contains("What I see: the cart stays empty") && debug.contains("diagnose"));
    assert!(!text("debug_this_page", json!({})).contains("What I see"));
    assert!(text("verify_my_fix", json!({})).contains("verify_fix"));
    assert!(text("make_coffee", json!({})).contains("known: debug_this_page, verify_my_fix"));
    // Every tool that a prompt names exists.
    let tools = client.request("tools/list", json!({})).to_string();
    for name in ["get_status", "diagnose", "get_browser_errors", "get_session_timeline", "verify_fix"] {
        assert!(tools.contains(&format!("\"{name}\"")));
    }
}
