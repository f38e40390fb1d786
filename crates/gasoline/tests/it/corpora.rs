//! The properties of the fuzz targets for the binary's parsers, on their seeds, on inputs that fuzzing found, and on
//! mutations of both.
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
fn lines_of_the_bridge_are_answered_with_their_own_id() {
    holds("json_rpc", 1_000, json_rpc::check);
}

#[test]
fn uploads_do_not_depend_on_how_they_are_split() {
    holds("multipart", 1_000, multipart::check);
}

#[test]
fn traces_are_scrubbed_or_rejected() {
    holds("trace", 200, trace::check);
}
