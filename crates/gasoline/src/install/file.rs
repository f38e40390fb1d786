//! A user's config file: read unchanged, replaced atomically, with a backup of what was there before.

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

const BACKUP: &str = "gasoline-backup";

/// The file's text, or `None` if it does not exist.
pub(super) fn read(path: &Path) -> Result<Option<String>, String> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("cannot read it: {error}")),
    }
}

/// Writes a draft beside the file and renames it into place; a link stays a link. Returns the path of the backup.
pub(super) fn write(path: &Path, before: Option<&str>, text: &str) -> Result<Option<PathBuf>, String> {
    let failed = |error: std::io::Error| format!("cannot write it: {error}");
    let target = match fs::canonicalize(path) {
        Ok(target) => target,
        // Replacing the path would delete the user's link. Its target may be on a disk that is not mounted now.
        Err(_) if path.is_symlink() => {
            let to = fs::read_link(path).unwrap_or_default();
            return Err(format!(
                "it is a link to {}, which does not exist: create that file, or remove the link",
                to.display()
            ));
        }
        Err(_) => path.to_owned(),
    };
    let folder = target.parent().ok_or("it has no parent folder")?;
    fs::create_dir_all(folder).map_err(failed)?;
    // A file that its owner made read-only must not be replaced.
    if fs::metadata(&target).is_ok_and(|about| about.permissions().readonly()) {
        return Err("it is read-only".to_owned());
    }
    // The file may have changed since it was read.
    if read(&target)?.as_deref() != before {
        return Err("it changed in the meantime; try again".to_owned());
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

/// The first backup keeps the plain name: later ones already contain our entry, so they get a number.
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
    Err(std::io::Error::other("there are already too many backups"))
}

fn tempfile_in(folder: &Path, target: &Path) -> std::io::Result<(PathBuf, fs::File)> {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let path = folder.join(format!(".{name}.gasoline-{}", std::process::id()));
    let file = fs::OpenOptions::new().write(true).create_new(true).open(&path)?;
    Ok((path, file))
}
