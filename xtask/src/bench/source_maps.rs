//! The cost of a bundle's source map: reading it, and explaining errors with it.

use std::path::Path;
use std::time::Instant;

use driver::Server;
use serde_json::json;

use super::process::resident_mb;
use super::report::{Row, percentile};

const SCRIPT: &str = "http://localhost:3000/assets/index.js";
const SOURCES: usize = 300;
const SEGMENTS: usize = 400_000;

pub(super) fn rows(binary: &Path) -> Vec<Row> {
    let server = Server::of_build(binary, &["--max-events-per-second", "0"]);
    let before = resident_mb(server.pid());
    let map = bundle_map();
    let megabytes = map.len() as f64 / 1024.0 / 1024.0;
    let body = json!({ "url": SCRIPT, "map": map }).to_string();
    let began = Instant::now();
    let reply = server.request("POST", "/source-maps").body(body).send();
    assert_eq!(reply.status, 200, "{reply:?}");
    let taken = began.elapsed().as_secs_f64() * 1000.0;
    let mut times: Vec<f64> = (0..200)
        .map(|n| {
            let frames: String =
                (0..10).map(|f| format!("    at f{f} ({SCRIPT}:1:{})\n", (n * 1_009 + f * 7_919) % (SEGMENTS * 4) + 1)).collect();
            let entry = json!({ "type": "exception", "message": format!("broken {n}"), "stack": format!("Error: broken {n}\n{frames}") });
            let body = json!({ "entries": [entry] }).to_string();
            let began = Instant::now();
            server.request("POST", "/logs").body(body).send();
            began.elapsed().as_secs_f64() * 1000.0
        })
        .collect();
    // The memory guard runs once a second and returns the memory that reading the map left behind.
    std::thread::sleep(std::time::Duration::from_millis(2_500));
    let after = resident_mb(server.pid());
    vec![
        Row::at_most(format!("source map of {megabytes:.1} MB with {SEGMENTS} places taken in"), taken, 500.0, "ms"),
        Row::at_most(
            "an error with ten frames stored and explained by it, over HTTP, median",
            percentile(&mut times, 0.5),
            50.0,
            "ms",
        ),
        Row::for_comparison("memory that it takes", after - before, "MB"),
    ]
}

/// A map in the shape that bundlers write: one long line, a mapping every four columns.
fn bundle_map() -> String {
    let content = "export function work(input) {\n  return input.map((item) => item.value * 2);\n}\n".repeat(60);
    let sources: Vec<String> = (0..SOURCES).map(|n| format!("../../src/part{n}.ts")).collect();
    let contents: Vec<&str> = sources.iter().map(|_| content.as_str()).collect();
    let each = SEGMENTS / SOURCES;
    let mut mappings = String::with_capacity(SEGMENTS * 5);
    for source in 0..SOURCES {
        // Column +4; the next source, its first line; then along the line.
        mappings.push_str(if source == 0 { "AAAA" } else { "ICAA" });
        for place in 1..each {
            mappings.push_str(if place % 20 == 0 { ",IACA" } else { ",IAAC" });
        }
        mappings.push(',');
    }
    mappings.pop();
    json!({ "version": 3, "sources": sources, "sourcesContent": contents, "names": [], "mappings": mappings })
        .to_string()
}
