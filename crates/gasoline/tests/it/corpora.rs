//! The fuzz targets' properties for what the binary reads, on their seeds, on what fuzzing found, and on changes of both.
#![allow(unreachable_pub)]

#[path = "../../../../fuzz/client_config.rs"]
mod client_config;
#[path = "../../../../fuzz/corpus.rs"]
mod corpus;
#[path = "../../../../fuzz/json_rpc.rs"]
mod json_rpc;
#[path = "../../../../fuzz/multipart.rs"]
mod multipart;
#[path = "../../../../fuzz/trace.rs"]
mod trace;

fn holds(target: &str, changes: usize, property: fn(&[u8])) {
    let inputs = corpus::inputs(target);
    assert!(inputs.len() >= 3, "{target} has its seeds");
    corpus::hold(&inputs, changes, property);
}

#[test]
fn configs_of_clients_keep_everything_else() {
    holds("client_config", 1_000, client_config::check);
}

#[test]
fn lines_of_the_bridge_are_answered_by_their_own_id() {
    holds("json_rpc", 1_000, json_rpc::check);
}

#[test]
fn uploads_are_the_same_in_pieces() {
    holds("multipart", 1_000, multipart::check);
}

#[test]
fn traces_are_scrubbed_or_refused() {
    holds("trace", 200, trace::check);
}
