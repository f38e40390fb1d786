//! Reads saved snapshots: from files, folders of test results, or the blob reports of a sharded run.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use engine::report::Snapshot;

/// The name that the Playwright fixture gives its files. In blob reports they have other names.
const FILE_NAME: &str = "gasoline-snapshot";
/// Folders of test results are not nested deeper than this.
const DEPTH: usize = 8;
const LARGEST_BYTES: u64 = 64 * 1024 * 1024;

/// All snapshots in these files and folders. A named file must be readable; unrelated files in a folder are skipped.
pub(crate) fn read(paths: &[PathBuf]) -> Result<Vec<Snapshot>, String> {
    let mut found = Vec::new();
    for path in paths {
        let about = fs::metadata(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        let before = found.len();
        if about.is_dir() {
            search(path, DEPTH, &mut found);
            if found.len() == before {
                return Err(format!(
                    "{} contains no {FILE_NAME}.json and no blob report with one: was `gasoline-playwright` used, and did a test fail?",
                    path.display()
                ));
            }
        } else if is_zip(path) {
            read_zip(path, &mut found).map_err(|reason| format!("cannot read {}: {reason}", path.display()))?;
        } else {
            let text = fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
            found.push(Snapshot::read(&text).map_err(|reason| format!("cannot use {}: {reason}", path.display()))?);
        }
    }
    Ok(found)
}

/// Finds snapshots in a fixed order, so that two runs over the same files give the same report.
fn search(folder: &Path, depth: usize, found: &mut Vec<Snapshot>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        // A link could lead anywhere, even back to this folder.
        if path.is_symlink() {
            continue;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            if depth > 0 && name != "node_modules" {
                search(&path, depth - 1, found);
            }
        } else if is_zip(&path) {
            // Traces are zip files, too.
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

/// Every snapshot in a zip file.
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
