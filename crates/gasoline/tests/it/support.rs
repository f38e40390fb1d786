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

/// Lets this process open as many files as it may. Ordinary users start with 1,024, which the tests that run at once share.
pub(crate) fn allow_many_open_files() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).unwrap();
}

/// A server that is started with the limit of open files that ordinary users have.
pub(crate) fn server_of_ordinary_user(args: &[&str]) -> Server {
    let folder = tempfile::TempDir::new().unwrap();
    let script = folder.path().join("gasoline");
    write_program(&script, &format!("ulimit -Sn 1024\nexec '{}' \"$@\"", binary().display()));
    Server::of_build(&script, args)
}

/// `VmRSS` is what the server takes now, `VmHWM` the most that it ever took.
pub(crate) fn resident_kilobytes(server: &Server, field: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.pid())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(&format!("{field}:"))).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}
