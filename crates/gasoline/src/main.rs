//! Gasoline shows AI coding agents what happens in the developer's own browser.
//!
//! This crate does the I/O: HTTP, MCP, the command line, files and clocks. `engine` decides what captured data means,
//! and `wire` defines its JSON.

mod app;
mod audits;
mod cli;
mod clients;
mod clock;
mod daemon;
mod dashboard;
mod demo;
mod directory;
mod embedded;
mod extension;
mod http;
mod install;
mod journal;
mod log;
mod mcp;
mod memory;
mod program;
mod query_broker;
mod recordings;
mod screenshots;
mod snapshot_files;
mod state;
mod streams;
mod terminal;
mod tools;

fn main() -> std::process::ExitCode {
    cli::run()
}
