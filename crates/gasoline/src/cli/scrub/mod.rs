//! `gasoline scrub`: removes credentials from Playwright traces and blob reports.

mod archive;
mod content;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use engine::Redactor;
use engine::redact::TraceScrubber;
use zip::ZipArchive;

use self::archive::Counts;
use super::{FAILED, WRONG_USAGE};
use crate::terminal::{complain, say};

/// Folders of test results are not nested deeper than this.
const DEPTH: usize = 8;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Traces, blob reports, or folders that contain some. Each is replaced by its clean copy.
    #[arg(required = true, value_name = "TRACE.zip")]
    traces: Vec<PathBuf>,
    /// Change nothing; exit with 1 if there is something to remove.
    #[arg(long)]
    check: bool,
    /// Remove screenshots, too: their content cannot be scanned.
    #[arg(long)]
    drop_screenshots: bool,
}

/// What was replaced in a trace.
struct Outcome {
    replaced: BTreeMap<String, usize>,
    counts: Counts,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let mut traces = Vec::new();
    for path in &args.traces {
        if path.is_dir() {
            let before = traces.len();
            find(path, DEPTH, &mut traces);
            if traces.len() == before {
                complain(format!("gasoline: {} contains no trace or blob report", path.display()));
                return Ok(ExitCode::from(WRONG_USAGE));
            }
        } else {
            traces.push(path.clone());
        }
    }
    let mut is_clean = true;
    for path in &traces {
        match scrub(path, &args) {
            Ok(outcome) => {
                is_clean &= outcome.replaced.is_empty() && outcome.counts.closed.is_empty();
                say(told(path, &outcome, &args));
            }
            Err(error) => {
                complain(format!("gasoline: {} was not changed: {error:#}", path.display()));
                return Ok(ExitCode::from(WRONG_USAGE));
            }
        }
    }
    Ok(if args.check && !is_clean { ExitCode::from(FAILED) } else { ExitCode::SUCCESS })
}

fn told(path: &Path, outcome: &Outcome, args: &Args) -> String {
    let total: usize = outcome.replaced.values().sum();
    let kinds: Vec<String> = outcome.replaced.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    let what = match (total, args.check) {
        (0, _) => "no credentials".to_owned(),
        (_, true) => format!("{} to remove from {} files", kinds.join(", "), outcome.counts.files),
        (_, false) => format!("removed {} from {} files", kinds.join(", "), outcome.counts.files),
    };
    let pictures = match (outcome.counts.screenshots, args.drop_screenshots) {
        (0, _) => String::new(),
        (count, true) if args.check => format!("; {count} screenshots would be removed"),
        (count, true) => format!("; removed {count} screenshots"),
        (count, false) => format!("; {count} screenshots were kept: check them, or use --drop-screenshots"),
    };
    let closed = match outcome.counts.closed.as_slice() {
        [] => String::new(),
        [one] => format!("; 1 file was not scanned: {one}"),
        names => format!("; {} files were not scanned: {}", names.len(), names.join(", ")),
    };
    format!("{}: {what}{pictures}{closed}", path.display())
}

fn find(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| !path.is_symlink()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && depth > 0 && name != "node_modules" {
            find(&path, depth - 1, found);
        } else if name.ends_with(".zip") && open(&path).is_ok_and(|archive| holds_traces(&archive)) {
            found.push(path);
        }
    }
}

fn holds_traces(archive: &ZipArchive<File>) -> bool {
    archive::is_trace(archive) || archive::is_blob_report(archive)
}

fn open(path: &Path) -> Result<ZipArchive<File>> {
    archive::open(File::open(path).context("cannot open it")?)
}

fn scrub(path: &Path, args: &Args) -> Result<Outcome> {
    // Replace the target of a link, not the link: the target has the credentials.
    let path = &fs::canonicalize(path).context("cannot open it")?;
    let before = fs::metadata(path).context("cannot open it")?;
    let mut archive = open(path)?;
    if !holds_traces(&archive) {
        bail!("not a Playwright trace or blob report: it contains neither a .trace file nor report.jsonl");
    }
    let redactor = Redactor::new();
    let mut scrubber = TraceScrubber::new(&redactor);
    archive::learn(&mut archive, &mut scrubber)?;

    let copy = draft_beside(path)?;
    let file = File::create_new(&copy).context("cannot write a copy beside it")?;
    let written = archive::write(&mut archive, &mut scrubber, file, args.drop_screenshots).and_then(|counts| {
        let is_changed = counts.files > 0 || (args.drop_screenshots && counts.screenshots > 0);
        if args.check || !is_changed {
            fs::remove_file(&copy)?
        } else {
            replace(path, &copy, &before)?
        }
        Ok(counts)
    });
    let counts = written.inspect_err(|_| {
        let _ = fs::remove_file(&copy);
    })?;
    Ok(Outcome { replaced: scrubber.replaced().clone(), counts })
}

/// A unique name in the trace's folder, from where a file can be renamed into place atomically.
fn draft_beside(path: &Path) -> Result<PathBuf> {
    let mut random = [0; 8];
    getrandom::fill(&mut random).map_err(|error| anyhow::anyhow!("the system returned no random bytes: {error}"))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let draft = format!(".{name}.{}-{:016x}.scrubbed", std::process::id(), u64::from_le_bytes(random));
    Ok(path.with_file_name(draft))
}

/// Replaces the trace with the clean copy, unless the trace has changed since it was read.
fn replace(path: &Path, copy: &Path, before: &fs::Metadata) -> Result<()> {
    let now = fs::metadata(path).context("it was deleted in the meantime")?;
    if !is_same(before, &now) {
        bail!("it changed in the meantime, perhaps by another scrub; run this again");
    }
    let names = names_of(&now);
    if names > 1 {
        bail!("it has {names} hard links, and the others would keep the credentials; delete them, or scrub a copy");
    }
    fs::set_permissions(copy, now.permissions())?;
    fs::rename(copy, path).context("cannot replace it with the clean copy")
}

fn is_same(before: &fs::Metadata, now: &fs::Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        if (before.dev(), before.ino()) != (now.dev(), now.ino()) {
            return false;
        }
    }
    before.len() == now.len() && before.modified().ok() == now.modified().ok()
}

/// How many hard links the file has.
fn names_of(file: &fs::Metadata) -> u64 {
    #[cfg(unix)]
    return std::os::unix::fs::MetadataExt::nlink(file);
    #[cfg(not(unix))]
    {
        let _ = file;
        1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_that_changed_in_the_meantime_is_not_replaced() {
        let folder = tempfile::TempDir::new().unwrap();
        let (path, copy) = (folder.path().join("trace.zip"), folder.path().join("copy"));
        fs::write(&path, "old").unwrap();
        fs::write(&copy, "clean").unwrap();
        let before = fs::metadata(&path).unwrap();
        fs::write(folder.path().join("other"), "new").unwrap();
        fs::rename(folder.path().join("other"), &path).unwrap();
        let error = replace(&path, &copy, &before).unwrap_err();
        assert!(error.to_string().contains("changed in the meantime"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        replace(&path, &copy, &fs::metadata(&path).unwrap()).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "clean");
    }

    #[test]
    fn every_draft_has_a_unique_name() {
        let path = Path::new("/results/trace.zip");
        assert_ne!(draft_beside(path).unwrap(), draft_beside(path).unwrap());
        assert_eq!(draft_beside(path).unwrap().parent(), path.parent());
    }
}
