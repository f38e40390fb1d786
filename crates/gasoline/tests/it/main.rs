//! Tests against the real binary: real ports, real files, real processes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

mod support;

mod actions;
mod answers;
mod check_performance;
mod ci;
mod ci_script;
mod cli;
mod daemon;
mod dashboard;
mod diagnose;
mod diff_sessions;
mod disk;
mod doctor;
mod extension;
mod generate_test;
mod guard;
mod hostile;
mod hot_updates;
mod ingest;
mod ingest_token;
mod install;
mod limits;
mod memory;
mod metrics;
mod network_bodies;
mod noise;
mod queries;
mod recordings;
mod repeats;
mod report;
mod reproduction;
mod screenshots;
mod scrub;
mod security_audit;
mod socket;
mod source_maps;
mod stdio;
mod streaming;
mod test_boundary;
mod validate_api;
mod verify_fix;
mod websocket;
