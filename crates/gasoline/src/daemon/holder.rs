//! Which program uses a port, so that errors can name it.

#[cfg(target_os = "linux")]
use std::fs::File;
#[cfg(target_os = "linux")]
use std::io::{BufRead as _, BufReader};

/// Whether the program that listens on the port runs as our user. True if the system does not report it.
#[cfg(target_os = "linux")]
pub(super) fn is_held_by_us(port: u16) -> bool {
    let us = rustix::process::geteuid().as_raw();
    listener(port).is_none_or(|listener| listener.owner == us || listener.owner == 0)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn is_held_by_us(_: u16) -> bool {
    true
}

/// `node (pid 1234)`, if the system reports it.
#[cfg(target_os = "linux")]
pub(crate) fn port_holder(port: u16) -> Option<String> {
    let link = format!("socket:[{}]", listener(port)?.inode);
    for process in std::fs::read_dir("/proc").ok()?.flatten() {
        let Some(pid) = process.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
        let Ok(files) = std::fs::read_dir(process.path().join("fd")) else { continue };
        let is_socket =
            |file: &std::path::Path| std::fs::read_link(file).is_ok_and(|target| target.as_os_str() == link.as_str());
        if files.flatten().any(|file| is_socket(&file.path())) {
            let name = std::fs::read_to_string(process.path().join("comm")).unwrap_or_default();
            return Some(format!("{} (pid {pid})", name.trim()));
        }
    }
    None
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn port_holder(_: u16) -> Option<String> {
    None
}

/// A listening socket, as the kernel lists it.
#[cfg(target_os = "linux")]
struct Listener {
    owner: u32,
    inode: String,
}

#[cfg(target_os = "linux")]
fn listener(port: u16) -> Option<Listener> {
    const LISTENING: &str = "0A";
    let suffix = format!(":{port:04X}");
    let in_table = |table: &str| {
        // Listening sockets come first. The thousands of others that may follow on a busy machine need not be read.
        let lines = BufReader::new(File::open(table).ok()?).lines().skip(1).map_while(Result::ok);
        let columns = lines.map(|line| line.split_ascii_whitespace().map(str::to_owned).collect::<Vec<_>>());
        columns.take_while(|columns| columns.get(3).is_some_and(|state| state == LISTENING)).find_map(|columns| {
            let is_it = columns.get(1)?.ends_with(&suffix);
            let listener = || Some(Listener { owner: columns.get(7)?.parse().ok()?, inode: columns.get(9)?.clone() });
            is_it.then(listener)?
        })
    };
    ["/proc/self/net/tcp", "/proc/self/net/tcp6"].into_iter().find_map(in_table)
}
