//! What drives the binary is shared with the benchmarks.

use std::time::Duration;

pub(crate) use driver::*;

/// A promise of speed, tried several times: whatever else the machine does makes things slower, never quicker.
pub(crate) fn once_within(promised: Duration, mut time: impl FnMut() -> Duration) {
    const TRIES: usize = 20;
    let mut times = Vec::new();
    while times.len() < TRIES {
        times.push(time());
        if times.last().is_some_and(|time| *time < promised) {
            return;
        }
    }
    panic!("never within {promised:?}: {times:?}");
}

/// `VmRSS` is what the server takes now, `VmHWM` the most that it ever took.
pub(crate) fn resident_kilobytes(server: &Server, field: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.pid())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(&format!("{field}:"))).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}
