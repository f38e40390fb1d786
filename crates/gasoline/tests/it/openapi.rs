//! `docs/openapi.json` describes the interface that there is, and no other.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use crate::support::Server;

/// Sockets, streams and what only our own programs use are not described.
const UNDESCRIBED: &[&str] = &["/extension/socket", "/events/stream", "/shutdown", "/mcp", "/mcp-stdio"];
const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

fn document() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Paths that the sources name in `.route("…"`.
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
    assert!(unknown.is_empty(), "describe these in docs/openapi.json: {unknown:?}");
    // Some paths are constants in the sources; all must be answered.
    let server = Server::start();
    for (path, item) in document["paths"].as_object().unwrap() {
        for method in METHODS {
            let is_described = item.get(method).is_some();
            let status = server.request(&method.to_uppercase(), path).body("{}").send().status;
            assert_eq!(status == 405, !is_described, "{method} {path}: {status}");
            // 404 only where the description has it, for what is not known.
            let may_miss = item[method]["responses"].get("404").is_some();
            assert!(!is_described || status != 404 || may_miss, "{method} {path}");
        }
    }
    assert_eq!(document["info"]["version"], env!("CARGO_PKG_VERSION"));
}
