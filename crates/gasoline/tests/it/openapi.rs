//! `docs/openapi.json` describes exactly the existing interface.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::Server;

/// Routes that are not described: sockets, streams, and those that only our own programs use.
const UNDESCRIBED: &[&str] = &["/extension/socket", "/events/stream", "/shutdown", "/mcp", "/mcp-stdio"];
const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

fn document() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The paths in `.route("…"` of the sources.
fn routes(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            routes(&path, found);
        } else {
            let text = std::fs::read_to_string(&path).unwrap();
            let named = text.split(".route(").skip(1).filter_map(|rest| rest.trim_start().strip_prefix('"'));
            found.extend(named.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())));
        }
    }
}

#[test]
fn every_route_is_described_and_every_description_is_a_route() {
    let mut found = BTreeSet::new();
    routes(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/http"), &mut found);
    assert!(found.len() > 20, "{found:?}");
    let is_ours =
        |path: &str| UNDESCRIBED.contains(&path) || path.starts_with("/dashboard") || path == "/open" || path == "/";
    let routes: BTreeSet<String> = found.into_iter().filter(|path| !is_ours(path)).collect();
    let document = document();
    let described: BTreeSet<String> = document["paths"].as_object().unwrap().keys().cloned().collect();
    let unknown: Vec<_> = routes.difference(&described).collect();
    assert!(
        unknown.is_empty(),
        "describe these in crates/gasoline/src/http/openapi.json and run `cargo xtask gen`: {unknown:?}"
    );
    // Some paths are constants in the sources; all must be answered.
    let server = Server::start();
    for (path, item) in document["paths"].as_object().unwrap() {
        for method in METHODS {
            let is_described = item.get(method).is_some();
            let status = server.request(&method.to_uppercase(), path).body("{}").send().status;
            assert_eq!(status == 405, !is_described, "{method} {path}: {status}");
            // 404 only where the description has it, for unknown ids.
            let may_miss = item[method]["responses"].get("404").is_some();
            assert!(!is_described || status != 404 || may_miss, "{method} {path}");
        }
    }
    assert_eq!(document["info"]["version"], env!("CARGO_PKG_VERSION"));
}

/// The names of the members in a schema.
fn members(document: &Value, schema: &Value, found: &mut BTreeSet<String>) {
    if let Some(place) = schema["$ref"].as_str() {
        members(document, document.pointer(place.trim_start_matches('#')).unwrap(), found);
    }
    found.extend(schema["properties"].as_object().into_iter().flat_map(|members| members.keys().cloned()));
    for part in ["allOf", "anyOf", "oneOf"] {
        for schema in schema[part].as_array().into_iter().flatten() {
            members(document, schema, found);
        }
    }
}

/// The members of an answer that are not in the schema. Objects without any described member may contain anything.
fn undescribed(document: &Value, schema: &Value, answer: &Value, place: &str, found: &mut Vec<String>) {
    let mut known = BTreeSet::new();
    members(document, schema, &mut known);
    if known.is_empty() {
        return;
    }
    for (name, value) in answer.as_object().into_iter().flatten() {
        if !known.contains(name) {
            found.push(format!("{place}.{name}"));
        }
        undescribed(document, &schema["properties"][name], value, &format!("{place}.{name}"), found);
    }
}

#[test]
fn answers_have_no_member_that_is_not_described() {
    let document = document();
    let server = Server::with(&["--ci"]);
    let bad = json!({ "message": { "not": "text" } });
    let mut missing = Vec::new();
    for (method, path, body) in [
        ("POST", "/test-boundary", json!({ "test_id": "t", "action": "start" })),
        ("POST", "/logs", json!({ "entries": [{ "level": "error", "message": "boom" }, bad] })),
        ("POST", "/network-bodies", json!({ "bodies": [{ "url": "/x", "status": 500 }, { "url": 3 }] })),
        ("POST", "/websocket-events", json!({ "events": [{ "event": "open", "id": "c" }, { "id": {} }] })),
        ("POST", "/enhanced-actions", json!({ "actions": [{ "type": "click" }, 3] })),
        ("POST", "/dom-snapshots", json!({ "snapshots": [{ "url": "/" }] })),
        ("POST", "/performance-snapshot", json!({ "url": "/app", "timing": { "load": 3 } })),
        ("POST", "/extension-logs", json!({ "logs": [{ "level": "info", "message": "m" }, 3] })),
        ("GET", "/performance-snapshot?url=/app", Value::Null),
        ("GET", "/performance-snapshot?url=/unknown", Value::Null),
        ("GET", "/pending-queries?wait=0", Value::Null),
        ("GET", "/health", Value::Null),
        ("GET", "/snapshot", Value::Null),
        ("GET", "/snapshot?test_id=t", Value::Null),
        ("GET", "/logs", Value::Null),
        ("POST", "/clear", json!({})),
        ("DELETE", "/logs", Value::Null),
    ] {
        let request = server.request(method, path);
        let reply = if body.is_null() { request.send() } else { request.body(body.to_string()).send() };
        assert_eq!(reply.status, 200, "{method} {path}: {}", reply.body);
        let route = path.split('?').next().unwrap();
        let schema = &document["paths"][route][method.to_lowercase()]["responses"]["200"]["content"]["application/json"]
            ["schema"];
        assert!(schema.is_object(), "{method} {route} has no schema");
        undescribed(&document, schema, &reply.json(), &format!("{method} {path} "), &mut missing);
    }
    assert!(
        missing.is_empty(),
        "describe these in crates/gasoline/src/http/openapi.json and run `cargo xtask gen`: {missing:#?}"
    );
}
