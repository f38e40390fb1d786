//! Snapshots that were saved: as files, in a folder of test results, or inside the blob reports of a sharded run.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use engine::report::Snapshot;

/// How the Playwright fixture names its files; in blob reports they have other names.
const FILE_NAME: &str = "gasoline-snapshot";
/// Folders of test results are not deeper than that.
const DEPTH: usize = 8;
const LARGEST_BYTES: u64 = 64 * 1024 * 1024;

/// All snapshots of these files and folders. A file that was named must be readable; what else lies in a folder is
/// passed over.
pub(crate) fn read(paths: &[PathBuf]) -> Result<Vec<Snapshot>, String> {
    let mut found = Vec::new();
    for path in paths {
        let about = fs::metadata(path).map_err(|error| format!("{} can't be read: {error}", path.display()))?;
        let before = found.len();
        if about.is_dir() {
            search(path, DEPTH, &mut found);
            if found.len() == before {
                return Err(format!(
                    "{} holds no {FILE_NAME}.json and no blob report with one: was `gasoline-playwright` used, and did a test fail?",
                    path.display()
                ));
            }
        } else if is_zip(path) {
            read_zip(path, &mut found).map_err(|reason| format!("{} can't be read: {reason}", path.display()))?;
        } else {
            let text =
                fs::read_to_string(path).map_err(|error| format!("{} can't be read: {error}", path.display()))?;
            found.push(Snapshot::read(&text).map_err(|reason| format!("{} can't be used: {reason}", path.display()))?);
        }
    }
    Ok(found)
}

/// In a fixed order, so that two runs over the same files say the same.
fn search(folder: &Path, depth: usize, found: &mut Vec<Snapshot>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        // A link could lead anywhere, and back here.
        if path.is_symlink() {
            continue;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            if depth > 0 && name != "node_modules" {
                search(&path, depth - 1, found);
            }
        } else if is_zip(&path) {
            // Traces are zips too.
            let _ = read_zip(&path, found);
        } else if name.starts_with(FILE_NAME) && name.ends_with(".json") {
            let text = fs::read_to_string(&path).unwrap_or_default();
            found.extend(Snapshot::read(&text));
        }
    }
}

fn is_zip(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zip"))
}

/// Whatever lies in it and is a snapshot.
fn read_zip(path: &Path, found: &mut Vec<Snapshot>) -> Result<(), String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    let mut archive = zip::ZipArchive::new(file).map_err(|error| error.to_string())?;
    let names = archive.file_names().flatten().filter(|name| name.ends_with(".json"));
    let mut names: Vec<String> = names.map(std::borrow::Cow::into_owned).collect();
    names.sort();
    for name in names {
        let Ok(entry) = archive.by_name(&name) else { continue };
        let mut text = String::new();
        if entry.take(LARGEST_BYTES).read_to_string(&mut text).is_ok() {
            found.extend(Snapshot::read(&text));
        }
    }
    Ok(())
}
