//! How a person calls this program: by its name where that is enough, else by its path.

use std::path::Path;

/// `gasoline`, if that is what a shell finds; else the path of the file that runs.
pub(crate) fn called() -> String {
    let Ok(own) = std::env::current_exe() else { return "gasoline".to_owned() };
    if is_on_path(&own) {
        return "gasoline".to_owned();
    }
    quoted(&own.display().to_string())
}

/// A path as one types it into a shell.
pub(crate) fn quoted(path: &str) -> String {
    if path.contains(' ') { format!("\"{path}\"") } else { path.to_owned() }
}

/// A text of ours that names commands, with the program as it is called here.
pub(crate) fn as_called(text: &str) -> String {
    text.replace("`gasoline ", &format!("`{} ", called()))
}

fn is_on_path(own: &Path) -> bool {
    let name = if cfg!(windows) { "gasoline.exe" } else { "gasoline" };
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file());
    // A link to it is as good.
    found.and_then(|file| file.canonicalize().ok()) == own.canonicalize().ok()
}
