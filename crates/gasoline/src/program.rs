//! How the user calls this program: by its name if the shell finds it, otherwise by its path.

use std::path::Path;

/// `gasoline` if a shell finds this program by that name, otherwise the path of the running file.
pub(crate) fn called() -> String {
    let Ok(own) = std::env::current_exe() else { return "gasoline".to_owned() };
    if is_on_path(&own) {
        return "gasoline".to_owned();
    }
    quoted(&own.display().to_string())
}

/// A path, quoted for a shell.
pub(crate) fn quoted(path: &str) -> String {
    if path.contains(' ') { format!("\"{path}\"") } else { path.to_owned() }
}

/// A text with commands, in which `gasoline` is replaced by the way the user calls it.
pub(crate) fn as_called(text: &str) -> String {
    text.replace("`gasoline ", &format!("`{} ", called()))
}

fn is_on_path(own: &Path) -> bool {
    let name = if cfg!(windows) { "gasoline.exe" } else { "gasoline" };
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file());
    // A link to this program counts, too.
    found.and_then(|file| file.canonicalize().ok()) == own.canonicalize().ok()
}
