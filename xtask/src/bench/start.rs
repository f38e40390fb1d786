//! From launching the stdio process to its answer to `initialize`.

use std::path::Path;
use std::process::Stdio;
use std::time::Instant;

use driver::{McpProcess, free_port, gasoline_of};
use tempfile::TempDir;

use super::report::{Row, percentile};

const WARM: usize = 60;
const COLD: usize = 25;

pub(super) fn rows(binary: &Path) -> Vec<Row> {
    let mut warm = Vec::new();
    let mut cold = Vec::new();
    let state = TempDir::new().unwrap();
    let port = free_port();
    cold.push(millis(binary, state.path(), port));
    for _ in 0..WARM {
        warm.push(millis(binary, state.path(), port));
    }
    for _ in 1..COLD {
        stop(binary, state.path(), port);
        cold.push(millis(binary, state.path(), port));
    }
    stop(binary, state.path(), port);
    vec![
        Row::at_most(
            "stdio start to `initialize` answered, server running, median",
            percentile(&mut warm, 0.5),
            10.0,
            "ms",
        ),
        Row::at_most("the same, server not running, median", percentile(&mut cold, 0.5), 60.0, "ms"),
    ]
}

fn millis(binary: &Path, state: &Path, port: u16) -> f64 {
    let began = Instant::now();
    let mut client =
        McpProcess::from(gasoline_of(binary, state).args(["--port", &port.to_string()]).stderr(Stdio::null()));
    client.initialize();
    began.elapsed().as_secs_f64() * 1000.0
}

fn stop(binary: &Path, state: &Path, port: u16) {
    let _ = gasoline_of(binary, state).args(["stop", "--port", &port.to_string()]).output();
}
