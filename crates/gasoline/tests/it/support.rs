//! Helpers of the tests. The code that drives the binary is shared with the benchmarks.

use std::time::Duration;

pub(crate) use driver::*;

/// Checks a promise of speed several times: other work on the machine only makes it slower, never faster.
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

/// Raises this process's limit of open files to the maximum. The default of 1,024 is shared by all tests that run at
/// once.
pub(crate) fn allow_many_open_files() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).unwrap();
}

/// A server that is started with an ordinary user's limit of open files.
pub(crate) fn server_of_ordinary_user(args: &[&str]) -> Server {
    let folder = tempfile::TempDir::new().unwrap();
    let script = folder.path().join("gasoline");
    write_program(&script, &format!("ulimit -Sn 1024\nexec '{}' \"$@\"", binary().display()));
    Server::of_build(&script, args)
}

/// `VmRSS` is the server's current memory, `VmHWM` its highest.
pub(crate) fn resident_kilobytes(server: &Server, field: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.pid())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(&format!("{field}:"))).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}
