//! What drives the binary is shared with the benchmarks.

pub(crate) use driver::*;

/// `VmRSS` is what the server takes now, `VmHWM` the most that it ever took.
pub(crate) fn resident_kilobytes(server: &Server, field: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.pid())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(&format!("{field}:"))).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}
