//! A user's file: read as it is, replaced all at once, with a copy of what was there before.

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

const BACKUP: &str = "gasoline-backup";

/// Its text; nothing when there is no such file.
pub(super) fn read(path: &Path) -> Result<Option<String>, String> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("it can't be read: {error}")),
    }
}

/// Writes beside the file and puts it in its place; a link stays a link. Returns the copy of what was there.
pub(super) fn write(path: &Path, before: Option<&str>, text: &str) -> Result<Option<PathBuf>, String> {
    let failed = |error: std::io::Error| format!("it can't be written: {error}");
    let target = match fs::canonicalize(path) {
        Ok(target) => target,
        // To replace it would take the user's link away; what it leads to may be on a disk that is not there now.
        Err(_) if path.is_symlink() => {
            let to = fs::read_link(path).unwrap_or_default();
            return Err(format!(
                "it is a link to {}, which is not there: make that file, or remove the link",
                to.display()
            ));
        }
        Err(_) => path.to_owned(),
    };
    let folder = target.parent().ok_or("it has no folder")?;
    fs::create_dir_all(folder).map_err(failed)?;
    // A file that its owner made read-only is not to be replaced by another one.
    if fs::metadata(&target).is_ok_and(|about| about.permissions().readonly()) {
        return Err("it is read-only".to_owned());
    }
    // It may have changed since it was looked at.
    if read(&target)?.as_deref() != before {
        return Err("it was changed meanwhile; try again".to_owned());
    }
    let backup = match before {
        Some(before) => Some(back_up(&target, before).map_err(failed)?),
        None => None,
    };
    let mut draft = tempfile_in(folder, &target).map_err(failed)?;
    draft.1.write_all(text.as_bytes()).and_then(|()| draft.1.sync_all()).map_err(failed)?;
    if let Ok(about) = fs::metadata(&target) {
        fs::set_permissions(&draft.0, about.permissions()).map_err(failed)?;
    }
    fs::rename(&draft.0, &target).map_err(|error| {
        let _ = fs::remove_file(&draft.0);
        failed(error)
    })?;
    Ok(backup)
}

/// The first copy is the one worth keeping: later ones have our entry in them. What changed since gets a number.
fn back_up(path: &Path, text: &str) -> std::io::Result<PathBuf> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    for number in 0..1_000 {
        let end = if number == 0 { String::new() } else { format!("-{number}") };
        let backup = path.with_file_name(format!("{name}.{BACKUP}{end}"));
        match fs::read_to_string(&backup) {
            Ok(known) if known == text => return Ok(backup),
            Ok(_) => {}
            Err(_) => {
                fs::copy(path, &backup)?;
                return Ok(backup);
            }
        }
    }
    Err(std::io::Error::other("there are too many copies already"))
}

fn tempfile_in(folder: &Path, target: &Path) -> std::io::Result<(PathBuf, fs::File)> {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let path = folder.join(format!(".{name}.gasoline-{}", std::process::id()));
    let file = fs::OpenOptions::new().write(true).create_new(true).open(&path)?;
    Ok((path, file))
}
