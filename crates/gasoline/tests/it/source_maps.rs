//! `POST /source-maps`, and its effect on errors.

use serde_json::{Value, json};

use crate::support::Server;

const SCRIPT: &str = "http://localhost:4173/assets/shop.js";
const MAP: &str = include_str!("../../../../fixtures/source-maps/shop.js.map");
const MESSAGE: &str = "Cannot read properties of undefined (reading 'lines')";

/// The stack that Chrome writes for `fixtures/source-maps/shop.js`.
fn broken_cart(id: &str, page: &str) -> Value {
    json!({
        "id": id, "type": "exception", "message": MESSAGE, "page_id": page, "url": "http://localhost:4173/",
        "stack": format!("TypeError: {MESSAGE}\n    at n ({SCRIPT}:1:44)\n    at a ({SCRIPT}:1:204)"),
    })
}

fn post_log(server: &Server, entry: Value) -> Value {
    let reply = server.post("/logs", &json!({ "entries": [entry] }));
    assert_eq!(reply.status, 200, "{reply:?}");
    reply.json()
}

fn post_map(server: &Server, map: &str) -> Value {
    let reply = server.post("/source-maps", &json!({ "url": SCRIPT, "map": map, "map_url": format!("{SCRIPT}.map") }));
    assert_eq!(reply.status, 200, "{reply:?}");
    reply.json()
}

fn context(server: &Server) -> Value {
    server.tool("get_browser_errors", json!({}))["errors"][0]["_aiContext"].clone()
}

#[test]
fn a_map_explains_errors_before_and_after_it() {
    let server = Server::start();
    let reply = post_log(&server, broken_cart("e1", "p1"));
    assert_eq!(reply["source_maps_wanted"], json!([SCRIPT]));
    let unmapped = context(&server);
    assert_eq!(unmapped.as_object().unwrap().keys().collect::<Vec<_>>(), ["summary"], "no more is known yet");
    assert_eq!(post_map(&server, MAP), json!({ "received": true, "sources": 2 }));
    let explained = context(&server);
    let listed = server.tool("get_browser_errors", json!({}))["errors"][0].clone();
    assert_eq!(
        (&listed["at"], &listed["stack"]),
        (&json!("src/cart.ts:13:28"), &json!("totalOf (src/cart.ts:13:28)\na (src/shop.ts:11:17)"))
    );
    let whole = server.tool("get_browser_errors", json!({ "id": "e1" }))["entry"].clone();
    assert_eq!(whole["_aiContext"]["mappedStack"], json!(["totalOf (src/cart.ts:13:28)", "a (src/shop.ts:11:17)"]));
    assert!(whole["stack"].as_str().unwrap().contains(SCRIPT), "the browser's own");
    let snippet = &explained["sourceSnippets"][0];
    assert_eq!((&snippet["file"], &snippet["line"]), (&json!("src/cart.ts"), &json!(13)));
    let lines = snippet["snippet"].as_array().unwrap();
    assert_eq!(lines.len(), 10, "five before, the line, four after: the file ends there");
    let error: Vec<&Value> = lines.iter().filter(|line| line["isError"] == true).collect();
    assert_eq!(error, [&json!({ "line": 13, "text": "  for (const line of cart!.lines) {", "isError": true })]);
    assert_eq!(
        explained["summary"],
        "TypeError in src/cart.ts:13 — `cart!` is undefined when reading `lines` in `for (const line of cart!.lines) {`."
    );
    // The next error is explained at once, and the map is not requested again for this page.
    let reply = post_log(&server, broken_cart("e2", "p1"));
    assert_eq!(reply.get("source_maps_wanted"), None);
    let entry = server.tool("get_browser_errors", json!({ "id": "e2" }));
    assert!(entry["entry"]["_aiContext"]["summary"].as_str().unwrap().contains("src/cart.ts:13"));
    assert_eq!(entry["entry"]["_enrichments"], json!(["sourceMap", "aiContext"]));
    // After a reload the code may be different.
    let reply = post_log(&server, broken_cart("e3", "p2"));
    assert_eq!(reply["source_maps_wanted"], json!([SCRIPT]));
}

#[test]
fn pages_that_fail_at_once_are_all_explained_by_one_map() {
    let server = Server::start();
    // Two tabs in one batch, and a third page that reports before the map has arrived.
    let both = json!({ "entries": [broken_cart("e1", "p1"), broken_cart("e2", "p2")] });
    let reply = server.post("/logs", &both).json();
    assert_eq!(reply["source_maps_wanted"], json!([SCRIPT]), "once for both");
    assert_eq!(post_log(&server, broken_cart("e3", "p3"))["source_maps_wanted"], json!([SCRIPT]));
    post_map(&server, MAP);
    // A page that failed to fetch the map does not remove it for the others.
    server.post("/source-maps", &json!({ "url": SCRIPT, "missing": "it could not be fetched" }));
    for id in ["e1", "e2", "e3"] {
        let entry = server.tool("get_browser_errors", json!({ "id": id }));
        assert_eq!(entry["entry"]["_aiContext"]["mappedStack"][0], "totalOf (src/cart.ts:13:28)", "{id}: {entry}");
    }
    assert_eq!(post_log(&server, broken_cart("e4", "p1")).get("source_maps_wanted"), None);
    let entry = server.tool("get_browser_errors", json!({ "id": "e4" }));
    assert!(entry["entry"]["_aiContext"]["summary"].as_str().unwrap().contains("src/cart.ts:13"), "{entry}");
}

#[test]
fn a_map_that_was_not_requested_belongs_to_the_page_it_names() {
    let server = Server::start();
    let bring = |map: &str, page: &str| {
        let upload = json!({ "url": SCRIPT, "map": map, "map_url": format!("{SCRIPT}.map"), "page_id": page });
        assert_eq!(server.post("/source-maps", &upload).status, 200);
    };
    post_log(&server, broken_cart("e1", "p1"));
    bring(MAP, "p1");
    let mapped = |id: &str| {
        let entry = server.tool("get_browser_errors", json!({ "id": id }))["entry"].clone();
        entry["_aiContext"]["mappedStack"][0].as_str().unwrap_or("not mapped").to_owned()
    };
    // After an edit and a reload the browser uploads the map for other reasons.
    bring(&MAP.replace("src/cart.ts", "src/card.ts"), "p2");
    assert_eq!(post_log(&server, broken_cart("e2", "p2")).get("source_maps_wanted"), None);
    assert_eq!(mapped("e2"), "totalOf (src/card.ts:13:28)");
    assert_eq!(mapped("e1"), "totalOf (src/cart.ts:13:28)", "an earlier page ran another file");
}

#[test]
fn credentials_in_source_code_are_removed_too() {
    let server = Server::start();
    let key = concat!("sk_live", "_4eC39HqLyjWDarjtT1zdp7dcXX");
    let map = MAP.replace("replaced-by-the-test-with-a-key-12", key);
    assert_ne!(map, MAP);
    post_log(&server, broken_cart("e1", "p1"));
    post_map(&server, &map);
    let text = server.tool("get_browser_errors", json!({})).to_string();
    assert!(text.contains("src/shop.ts") && !text.contains("4eC39HqLy"), "{text}");
}

#[test]
fn the_same_error_is_one_group_across_builds() {
    let server = Server::start();
    post_log(&server, broken_cart("e1", "p1"));
    post_map(&server, MAP);
    // Another build: other names and places, the same source.
    let other = "http://localhost:4173/assets/shop-2.js";
    let mut entry = broken_cart("e2", "p2");
    entry["stack"] = json!(format!("TypeError: {MESSAGE}\n    at q ({other}:1:44)\n    at b ({other}:1:204)"));
    entry["url"] = json!("http://localhost:4173/cart");
    post_log(&server, entry);
    assert_eq!(server.tool("get_browser_errors", json!({}))["total"], 2);
    server.post("/source-maps", &json!({ "url": other, "map": MAP }));
    let answer = server.tool("get_browser_errors", json!({}));
    assert_eq!((&answer["total"], &answer["errors"][0]["count"]), (&json!(1), &json!(2)), "{answer}");
    assert_eq!(answer["errors"][0]["pages"], json!(["http://localhost:4173/cart", "http://localhost:4173/"]));
}

#[test]
fn changed_code_at_the_same_address_is_mapped_by_its_own_map() {
    let server = Server::start();
    let summary =
        |id: &str| server.tool("get_browser_errors", json!({ "id": id }))["entry"]["_aiContext"]["summary"].clone();
    post_log(&server, broken_cart("e1", "p1"));
    post_map(&server, MAP);
    post_log(&server, broken_cart("e2", "p2"));
    assert!(summary("e2").as_str().unwrap().contains("assets/shop.js:1"), "the map belongs to the earlier page");
    post_map(&server, &MAP.replace("src/cart.ts", "src/basket.ts"));
    assert!(summary("e2").as_str().unwrap().contains("src/basket.ts:13"));
    assert!(summary("e1").as_str().unwrap().contains("src/cart.ts:13"), "the errors of that time do not change");
    post_log(&server, broken_cart("e3", "p2"));
    assert!(summary("e3").as_str().unwrap().contains("src/basket.ts:13"));
}

#[test]
fn multi_line_keys_and_secrets_in_any_quotes_are_removed() {
    let server = Server::start();
    let script = "http://localhost:4173/js/config.js";
    let key = format!(
        "-----BEGIN RSA {0} KEY-----\n{1}-----END RSA {0} KEY-----",
        "PRIVATE",
        "MIIEowIBAAKCAQEAxyz0123456789abcdefghij\n".repeat(49)
    );
    let secret = "hunter2hunter2hunter2";
    let text =
        format!("const key = `{key}`;\nconst a = {{ client_secret: `{secret}` }};\nconst b = 'x';\nfail(a.b.c);\n");
    let line = 54;
    assert!(text.lines().nth(line - 1).unwrap().starts_with("fail("));
    let message = "Cannot read properties of undefined (reading 'c')";
    post_log(
        &server,
        json!({ "id": "e1", "type": "exception", "message": message, "stack": format!("TypeError: {message}\n    at {script}:{line}:10") }),
    );
    assert_eq!(server.post("/source-maps", &json!({ "url": script, "script": text })).status, 200);
    let answer = server.tool("get_browser_errors", json!({})).to_string();
    assert!(answer.contains("fail(a.b.c)") && answer.contains("js/config.js:54"), "the line is where it was: {answer}");
    assert!(!answer.contains("MIIEowIB") && !answer.contains(secret), "{answer}");
    let snapshot = server.get("/snapshot").body;
    assert!(!snapshot.contains("MIIEowIB") && !snapshot.contains(secret));
}

#[test]
fn a_hostile_map_is_rejected_and_evicts_nothing() {
    let server = Server::start();
    post_log(&server, broken_cart("e1", "p1"));
    server.post("/network-bodies", &json!({ "bodies": [{ "url": "http://localhost/a", "status": 200 }] }));
    let many = |entry: &str| format!("[{}{entry}]", format!("{entry},").repeat(8 * 1024 * 1024 / (entry.len() + 1)));
    for map in [
        format!(r#"{{"version":3,"sources":[],"mappings":"","names":{}}}"#, many("0")),
        format!(r#"{{"version":3,"sources":{},"mappings":""}}"#, many("null")),
        format!(r#"{{"version":3,"sources":[],"mappings":"","ignoreList":{}}}"#, many("1")),
        format!(
            r#"{{"version":3,"sections":{}}}"#,
            many(r#"{"offset":{"line":0,"column":0},"map":{"version":3,"mappings":""}}"#)
        ),
        format!(r#"{{"version":3,"sources":["a.js"],"names":[],"mappings":"{}"}}"#, "AAAA,".repeat(3 * 1024 * 1024)),
    ] {
        let reply = server.post("/source-maps", &json!({ "url": SCRIPT, "map": map }));
        assert_eq!(reply.status, 400, "{reply:?}");
    }
    std::thread::sleep(std::time::Duration::from_millis(1_500));
    let health = server.health();
    assert_eq!(
        (&health["buffers"]["network_bodies"]["count"], &health["buffers"]["logs"]["count"]),
        (&json!(1), &json!(1)),
        "{health}"
    );
}

#[test]
fn a_long_line_is_shown_where_it_broke() {
    let server = Server::start();
    let script = "http://localhost:4173/js/long.js";
    let text = format!("{}boom();{}\n", "a();".repeat(500), "b();".repeat(500));
    post_log(
        &server,
        json!({ "type": "exception", "message": "x", "stack": format!("Error: x\n    at {script}:1:2001") }),
    );
    server.post("/source-maps", &json!({ "url": script, "script": text }));
    let explained = context(&server);
    let shown = explained["sourceSnippets"][0]["snippet"][0]["text"].as_str().unwrap();
    assert!(shown.contains("boom();") && shown.chars().count() <= 202, "{shown}");
}

#[test]
fn an_unbundled_script_is_its_own_source() {
    let server = Server::start();
    let script = "http://localhost:4173/js/plain.js";
    let text = "function pay(order) {\n  return order.total.toFixed(2);\n}\npay({});\n";
    let message = "Cannot read properties of undefined (reading 'toFixed')";
    post_log(
        &server,
        json!({ "type": "exception", "message": message, "stack": format!("TypeError: {message}\n    at pay ({script}:2:22)") }),
    );
    assert_eq!(server.post("/source-maps", &json!({ "url": script, "script": text })).status, 200);
    let explained = context(&server);
    assert_eq!(
        explained["summary"],
        "TypeError in js/plain.js:2 — `order.total` is undefined when reading `toFixed` in `return order.total.toFixed(2);`."
    );
}

#[test]
fn an_invalid_map_is_rejected_and_changes_nothing() {
    let server = Server::start();
    post_log(&server, broken_cart("e1", "p1"));
    post_map(&server, MAP);
    let before = context(&server);
    for (body, says) in [
        (json!({ "url": SCRIPT, "map": "<html>" }), "not a source map"),
        (json!({ "url": SCRIPT, "map": r#"{"version":3,"mappings":"!"}"# }), "base 64"),
        (json!({ "url": SCRIPT }), "`map`, `script` and `missing`"),
        (json!({ "map": MAP }), "`url`"),
        (json!({ "url": SCRIPT, "map": 7 }), "not the JSON expected"),
        (json!([]), "not the JSON expected"),
    ] {
        let reply = server.post("/source-maps", &body);
        assert_eq!(reply.status, 400, "{body} {reply:?}");
        assert!(reply.json()["error"].as_str().unwrap().contains(says), "{reply:?}");
    }
    assert_eq!(context(&server), before);
    post_log(&server, broken_cart("e2", "p1"));
    assert_eq!(context(&server)["summary"], before["summary"]);
}

#[test]
fn an_error_that_is_not_mapped_says_why() {
    let server = Server::start();
    let told = || server.tool("get_browser_errors", json!({}))["errors"][0]["source_map"].clone();
    post_log(&server, broken_cart("e1", "p1"));
    assert_eq!(told(), Value::Null, "no map was looked for yet");
    server.post("/source-maps", &json!({ "url": SCRIPT, "missing": "the script names no source map" }));
    assert_eq!(told(), "none for shop.js: the script names no source map");
    // Inline scripts of the page have nothing to map.
    let page = "http://localhost:4173/plain";
    let inline = json!({
        "type": "exception", "message": "inline", "page_id": "p2", "url": page, "stack": format!("Error: inline\n    at {page}:7:9"),
    });
    post_log(&server, inline);
    server.post("/source-maps", &json!({ "url": page, "missing": "the code stands in the page itself" }));
    assert_eq!(told(), Value::Null);
    // An error that is mapped later needs no reason.
    post_log(&server, broken_cart("e3", "p3"));
    post_map(&server, MAP);
    assert_eq!(server.tool("get_browser_errors", json!({}))["errors"][0]["at"], "src/cart.ts:13:28");
    assert_eq!(told(), Value::Null);
}

#[test]
fn the_map_of_a_script_without_one_is_not_requested_again() {
    let server = Server::start();
    post_log(&server, broken_cart("e1", "p1"));
    let reply = server.post("/source-maps", &json!({ "url": SCRIPT, "missing": "the map answered 404" }));
    assert_eq!(reply.json(), json!({ "received": true, "sources": 0 }));
    assert_eq!(post_log(&server, broken_cart("e2", "p1")).get("source_maps_wanted"), None);
    assert!(context(&server)["summary"].as_str().unwrap().starts_with("TypeError in assets/shop.js:1 — "));
    assert_eq!(context(&server).get("mappedStack"), None);
}

#[test]
fn a_large_map_is_accepted_and_a_larger_one_is_rejected() {
    let server = Server::start();
    post_log(&server, broken_cart("e1", "p1"));
    server.post("/network-bodies", &json!({ "bodies": [{ "url": "http://localhost/a", "status": 200 }] }));
    let limit = 32 * 1024 * 1024;
    let filled = |bytes: usize| {
        let body = |padding: usize| {
            let map = json!({ "version": 3, "sources": ["node_modules/x.js"], "mappings": "AAAA", "sourcesContent": ["x".repeat(padding)] });
            json!({ "url": SCRIPT, "map": map.to_string() }).to_string()
        };
        body(bytes - body(0).len())
    };
    let at = filled(limit);
    assert_eq!(at.len(), limit);
    let reply = server.request("POST", "/source-maps").body(at).send();
    assert_eq!(reply.status, 200, "{reply:?}");
    let reply = server.request("POST", "/source-maps").body(filled(limit + 1)).send();
    assert_eq!(reply.status, 413, "{reply:?}");
    // Earlier entries are still there: reading a map must not count as low memory.
    std::thread::sleep(std::time::Duration::from_millis(1_500));
    let health = server.health();
    assert_eq!(health["buffers"]["network_bodies"]["count"], 1, "{health}");
    assert_eq!(health["buffers"]["logs"]["count"], 1, "{health}");
}

#[test]
fn component_names_are_restored() {
    let server = Server::start();
    post_log(&server, broken_cart("e1", "p1"));
    post_map(&server, &MAP.replace("totalOf", "TotalOf"));
    let bundle = include_str!("../../../../fixtures/source-maps/shop.js");
    let column = bundle.find("function n(").unwrap() + "function ".len() + 1;
    post_log(
        &server,
        json!({ "id": "e1", "_aiContext": { "componentAncestry": { "framework": "react", "components": [
            { "name": "App", "propKeys": ["theme"] },
            { "name": "n", "at": format!("{SCRIPT}:1:{column}") },
        ] } } }),
    );
    let explained = context(&server);
    let components = &explained["componentAncestry"]["components"];
    assert_eq!(
        components,
        &json!([{ "name": "App", "propKeys": ["theme"] }, { "name": "TotalOf", "source": "src/cart.ts:11" }])
    );
    assert!(explained["summary"].as_str().unwrap().ends_with("Component tree: App > TotalOf."), "{explained}");
}

#[test]
fn component_names_are_restored_from_a_map_that_arrives_late() {
    let server = Server::start();
    let bundle = include_str!("../../../../fixtures/source-maps/shop.js");
    let column = bundle.find("function n(").unwrap() + "function ".len() + 1;
    let at = format!("{SCRIPT}:1:{column}");
    let ancestry = |server: &Server| context(server)["componentAncestry"]["components"].clone();
    let tell = |error: Value, id: &str| {
        post_log(&server, error);
        let told = json!({ "framework": "react", "components": [{ "name": "n", "at": at }] });
        post_log(&server, json!({ "id": id, "_aiContext": { "componentAncestry": told } }));
    };
    tell(broken_cart("e1", "p1"), "e1");
    assert_eq!(ancestry(&server), json!([{ "name": "n", "at": at }]), "the map is on its way");
    post_map(&server, &MAP.replace("totalOf", "TotalOf"));
    assert_eq!(ancestry(&server), json!([{ "name": "TotalOf", "source": "src/cart.ts:11" }]));

    // The component's script is not in the stack of the error.
    server.post("/clear", &json!({}));
    let elsewhere = json!({
        "id": "e2", "type": "exception", "message": "lost", "page_id": "p2", "stack": "Error: lost\n    at f (http://localhost:4173/f.js:1:2)",
    });
    let map = json!({ "url": SCRIPT, "map": MAP.replace("totalOf", "Totals"), "page_id": "p2" });
    tell(elsewhere, "e2");
    assert_eq!(server.post("/source-maps", &map).status, 200);
    assert_eq!(ancestry(&server), json!([{ "name": "Totals", "source": "src/cart.ts:11" }]));

    // A script without a map keeps its short names, and the position is dropped.
    server.post("/clear", &json!({}));
    post_log(&server, broken_cart("e3", "p3"));
    server
        .post("/source-maps", &json!({ "url": SCRIPT, "missing": "the script names no source map", "page_id": "p3" }));
    tell(broken_cart("e4", "p3"), "e4");
    assert_eq!(ancestry(&server), json!([{ "name": "n" }]));
}

#[test]
fn values_of_state_and_props_may_be_secrets_but_their_names_are_not() {
    let server = Server::start();
    post_log(&server, broken_cart("e1", "p1"));
    let keys =
        json!({ "auth": { "type": "object", "keys": ["user", "token", "password"] }, "apiKeys": { "type": "array" } });
    let secret = concat!("ghp", "_", "16C7e42F292c6912E7710c838347Ae178B4a");
    post_log(
        &server,
        json!({ "id": "e1", "_aiContext": {
            "componentAncestry": { "framework": "react", "components": [
                { "name": "Login", "propKeys": ["token", "apiKey", "password"], "stateKeys": ["secret"], "hasState": true },
            ] },
            "stateSnapshot": { "source": "redux", "keys": keys, "relevantSlice": {
                "payment.cardNumber": "4111111111111111", "payment.cvc": 987, "user.sessionCookie": "abc", "user.idJwt": "x.y.z",
                "order.status": "4111 1111 1111 1111", "auth.token": "abcdefgh12345678", "auth.error": format!("refused {secret}"), "auth.loading": false,
            } },
        } }),
    );
    let explained = context(&server);
    let login = &explained["componentAncestry"]["components"][0];
    assert_eq!(
        (&login["propKeys"], &login["stateKeys"]),
        (&json!(["token", "apiKey", "password"]), &json!(["secret"]))
    );
    let state = &explained["stateSnapshot"];
    assert_eq!(state["keys"], keys);
    assert_eq!(state["relevantSlice"]["auth.loading"], false);
    let text = explained.to_string();
    for hidden in ["abcdefgh12345678", secret, "4111", "987", "\"abc\"", "x.y.z"] {
        assert!(!text.contains(hidden), "{hidden} in {text}");
    }
}

/// A page without source maps: the file that the browser ran is better than none.
#[test]
fn a_summary_names_file_and_line_without_a_map() {
    let thrown = |message: &str, stack: &str| json!({ "type": "exception", "level": "error", "url": "http://localhost:3000/shop", "message": message, "stack": stack });
    for (entry, summary) in [
        (
            thrown(
                "total is not a function",
                "TypeError: total is not a function\n    at pay (http://localhost:3000/app.js:42:7)\n    at http://localhost:3000/main.js:3:1",
            ),
            "TypeError in app.js:42 — total is not a function.",
        ),
        // The developer's own code before a library's.
        (
            thrown(
                "no",
                "Error: no\n    at lib (http://localhost:3000/node_modules/lib/x.js:9:9)\n    at save (http://localhost:3000/static/js/main.8f3a.js:7:12)",
            ),
            "Error in static/js/main.8f3a.js:7 — no.",
        ),
        (
            json!({ "type": "exception", "level": "error", "message": "boom", "filename": "http://localhost:3000/app.js?v=3", "lineno": 5, "colno": 2 }),
            "Error in app.js:5 — boom.",
        ),
        (thrown("inline", "Error: inline\n    at http://localhost:3000/:12:3"), "Error in /:12 — inline."),
    ] {
        let server = Server::start();
        server.log(json!([entry]));
        let listed = server.tool("get_browser_errors", json!({}));
        assert_eq!(context(&server)["summary"], summary, "{listed:#}");
        let listed = server.tool("get_browser_errors", json!({}))["errors"][0].clone();
        let whole = server.tool("get_browser_errors", json!({ "id": listed["id"] }))["entry"].clone();
        assert_eq!(whole["_enrichments"], json!(["aiContext"]), "{whole}");
    }
    // An error without a place has no summary, which would only repeat the message.
    let server = Server::start();
    server.log(json!([{ "type": "exception", "level": "error", "message": "boom" }]));
    assert_eq!(context(&server), Value::Null);
}

#[test]
fn every_applicable_mark_is_listed_once() {
    let server = Server::start();
    let mut error = broken_cart("e1", "p1");
    error["_context"] = json!({ "cart": 3 });
    error["_actions"] = json!([{ "type": "click", "target": "go" }]);
    error["metadata"] = json!({ "networkWaterfall": [], "performanceMarks": [] });
    error["_enrichments"] = json!(["context"]);
    post_log(&server, error);
    let marks = || server.tool("get_browser_errors", json!({ "id": "e1" }))["entry"]["_enrichments"].clone();
    let own = ["context", "userActions", "networkWaterfall", "performanceMarks"];
    assert_eq!(marks(), json!([&own[..], &["aiContext"]].concat()));
    post_map(&server, MAP);
    assert_eq!(marks(), json!([&own[..], &["sourceMap", "aiContext"]].concat()));
    // Only errors are enriched.
    server.log(json!([{ "id": "l1", "level": "log", "message": "hello", "_context": { "cart": 3 } }]));
    let line = server.tool("get_browser_logs", json!({ "id": "l1" }))["entry"].clone();
    assert_eq!((line.get("_enrichments"), line["message"].as_str()), (None, Some("hello")), "{line}");
}
