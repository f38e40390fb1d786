//! Which program holds a port: an error that names it can be acted on.

/// Whether the program that listens there is one of our user's; where the system does not tell, it counts as ours.
#[cfg(target_os = "linux")]
pub(super) fn is_held_by_us(port: u16) -> bool {
    let us = rustix::process::geteuid().as_raw();
    listener(port).is_none_or(|listener| listener.owner == us || listener.owner == 0)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn is_held_by_us(_: u16) -> bool {
    true
}

/// `node (pid 1234)`, where the system lets us look.
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
        std::fs::read_to_string(table).ok()?.lines().skip(1).find_map(|line| {
            let columns: Vec<&str> = line.split_ascii_whitespace().collect();
            let listens = columns.get(1)?.ends_with(&suffix) && columns.get(3) == Some(&LISTENING);
            let listener =
                || Some(Listener { owner: columns.get(7)?.parse().ok()?, inode: (*columns.get(9)?).to_owned() });
            listens.then(listener)?
        })
    };
    ["/proc/self/net/tcp", "/proc/self/net/tcp6"].into_iter().find_map(in_table)
}
