//! Which program holds a port: an error that names it can be acted on.

/// `node (pid 1234)`, where the system lets us look.
#[cfg(target_os = "linux")]
pub(crate) fn port_holder(port: u16) -> Option<String> {
    let inode = ["/proc/net/tcp", "/proc/net/tcp6"].into_iter().find_map(|table| listening_inode(table, port))?;
    let link = format!("socket:[{inode}]");
    for process in std::fs::read_dir("/proc").ok()?.flatten() {
        let Some(pid) = process.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
        let Ok(files) = std::fs::read_dir(process.path().join("fd")) else { continue };
        let holds = files
            .flatten()
            .any(|file| std::fs::read_link(file.path()).is_ok_and(|target| target.as_os_str() == link.as_str()));
        if holds {
            let name = std::fs::read_to_string(process.path().join("comm")).unwrap_or_default();
            return Some(format!("{} (pid {pid})", name.trim()));
        }
    }
    None
}

#[cfg(target_os = "linux")]
fn listening_inode(table: &str, port: u16) -> Option<String> {
    const LISTENING: &str = "0A";
    let suffix = format!(":{port:04X}");
    std::fs::read_to_string(table).ok()?.lines().skip(1).find_map(|line| {
        let columns: Vec<&str> = line.split_ascii_whitespace().collect();
        let listens = columns.get(1)?.ends_with(&suffix) && columns.get(3) == Some(&LISTENING);
        listens.then(|| columns.get(9).map(|inode| (*inode).to_owned()))?
    })
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn port_holder(_: u16) -> Option<String> {
    None
}
