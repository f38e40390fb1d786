//! `gasoline scrub`: Playwright traces without credentials.

mod content;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use engine::Redactor;
use engine::redact::TraceScrubber;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use self::content::Content;
use super::{FAILED, WRONG_USAGE};
use crate::terminal::{complain, say};

/// Larger files are not looked into: they have to be held in memory.
const LARGEST_FILE: u64 = 256 * 1024 * 1024;
/// A folder of test results is not deeper than that.
const DEPTH: usize = 8;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Traces, or folders that hold some. Each is replaced by its clean copy.
    #[arg(required = true, value_name = "TRACE.zip")]
    traces: Vec<PathBuf>,
    /// Change nothing; end with 1 if there is something to remove.
    #[arg(long)]
    check: bool,
    /// Remove the screenshots too: nobody can tell what they show.
    #[arg(long)]
    drop_screenshots: bool,
}

/// What became of a trace.
struct Outcome {
    replaced: BTreeMap<String, usize>,
    counts: Counts,
}

/// What the clean copy differs in, and what nobody looked into.
#[derive(Default)]
struct Counts {
    files: usize,
    screenshots: usize,
    closed: Vec<String>,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let mut traces = Vec::new();
    for path in &args.traces {
        if path.is_dir() {
            let before = traces.len();
            find(path, DEPTH, &mut traces);
            if traces.len() == before {
                complain(format!("gasoline: {} holds no trace", path.display()));
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
                complain(format!("gasoline: {} was left as it is: {error:#}", path.display()));
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
        (count, true) if args.check => format!("; {count} screenshots would go"),
        (count, true) => format!("; removed {count} screenshots"),
        (count, false) => format!("; {count} screenshots stay as they are, look at them or use --drop-screenshots"),
    };
    let closed = match outcome.counts.closed.as_slice() {
        [] => String::new(),
        [one] => format!("; 1 file was not looked into: {one}"),
        names => format!("; {} files were not looked into: {}", names.len(), names.join(", ")),
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
        } else if name.ends_with(".zip") && open(&path).is_ok_and(|archive| is_trace(&archive)) {
            found.push(path);
        }
    }
}

fn open(path: &Path) -> Result<ZipArchive<File>> {
    let file = File::open(path).context("it can't be opened")?;
    ZipArchive::new(file).context("it is no zip file")
}

fn is_trace(archive: &ZipArchive<File>) -> bool {
    archive.file_names().flatten().any(|name| name.ends_with(".trace"))
}

fn is_events(name: &str) -> bool {
    name.ends_with(".trace") || name.ends_with(".network")
}

fn is_screenshot(name: &str) -> bool {
    [".jpeg", ".jpg", ".png"].iter().any(|end| name.ends_with(end))
}

fn scrub(path: &Path, args: &Args) -> Result<Outcome> {
    // A link stays one: it is the file behind it that has the credentials.
    let path = &fs::canonicalize(path).context("it can't be opened")?;
    let before = fs::metadata(path).context("it can't be opened")?;
    let mut archive = open(path)?;
    if !is_trace(&archive) {
        bail!("it is no Playwright trace: there is no .trace file in it");
    }
    let redactor = Redactor::new();
    let mut scrubber = TraceScrubber::new(&redactor);
    for index in 0..archive.len() {
        let name = archive.by_index(index)?.name()?.into_owned();
        if is_screenshot(&name) {
            continue;
        }
        match content_of(&mut archive, index, &name)? {
            Content::Text(text, _) if is_events(&name) => text.lines().for_each(|line| scrubber.learn(line)),
            Content::Text(text, _) => scrubber.learn_text(&text),
            Content::Bytes(_) | Content::Closed => {}
        }
    }
    scrubber.learned();

    let copy = draft_beside(path)?;
    let written = write(&mut archive, &mut scrubber, &copy, args).and_then(|counts| {
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

/// A name that no other run takes, in the folder of the trace: a file can be moved there all at once.
fn draft_beside(path: &Path) -> Result<PathBuf> {
    let mut random = [0; 8];
    getrandom::fill(&mut random).map_err(|error| anyhow::anyhow!("the system gave no random bytes: {error}"))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let draft = format!(".{name}.{}-{:016x}.scrubbed", std::process::id(), u64::from_le_bytes(random));
    Ok(path.with_file_name(draft))
}

/// Puts the clean copy in the place of the trace, unless that is another one by now.
fn replace(path: &Path, copy: &Path, before: &fs::Metadata) -> Result<()> {
    let now = fs::metadata(path).context("it went away meanwhile")?;
    if !is_same(before, &now) {
        bail!("it was changed meanwhile, by another scrub perhaps; run this again");
    }
    let names = names_of(&now);
    if names > 1 {
        bail!(
            "it has {names} names (hard links), and the others would keep the credentials; delete those, or scrub a copy"
        );
    }
    fs::set_permissions(copy, now.permissions())?;
    fs::rename(copy, path).context("the clean copy could not take its place")
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

/// How many names the file has.
fn names_of(file: &fs::Metadata) -> u64 {
    #[cfg(unix)]
    return std::os::unix::fs::MetadataExt::nlink(file);
    #[cfg(not(unix))]
    {
        let _ = file;
        1
    }
}

fn write(archive: &mut ZipArchive<File>, scrubber: &mut TraceScrubber<'_>, copy: &Path, args: &Args) -> Result<Counts> {
    let mut out = ZipWriter::new(File::create_new(copy).context("no copy can be written beside it")?);
    let mut counts = Counts::default();
    for index in 0..archive.len() {
        let entry = archive.by_index(index)?;
        let name = entry.name()?.into_owned();
        let method = if entry.compression() == CompressionMethod::Stored {
            CompressionMethod::Stored
        } else {
            CompressionMethod::Deflated
        };
        let mut options = SimpleFileOptions::default().compression_method(method);
        if let Some(time) = entry.last_modified() {
            options = options.last_modified_time(time);
        }
        drop(entry);
        let is_picture = is_screenshot(&name);
        counts.screenshots += usize::from(is_picture);
        if is_picture && args.drop_screenshots {
            continue;
        }
        let clean = if is_picture { None } else { clean(archive, index, &name, scrubber, &mut counts, args)? };
        match clean {
            Some(clean) => {
                out.start_file(name, options)?;
                out.write_all(&clean)?;
            }
            // What has nothing to hide is copied as it is, still compressed.
            None => out.raw_copy_file(archive.by_index_raw(index)?)?,
        }
    }
    out.finish()?.flush()?;
    Ok(counts)
}

/// A file without its credentials; nothing if it may stay as it is.
fn clean(
    archive: &mut ZipArchive<File>,
    index: usize,
    name: &str,
    scrubber: &mut TraceScrubber<'_>,
    counts: &mut Counts,
    args: &Args,
) -> Result<Option<Vec<u8>>> {
    let clean = match content_of(archive, index, name)? {
        Content::Text(text, encoding) => {
            let clean = if is_events(name) {
                let is_kept = |line: &&str| !(args.drop_screenshots && line.contains("\"type\":\"screencast-frame\""));
                text.lines().filter(is_kept).map(|line| scrubber.event(line) + "\n").collect()
            } else {
                scrubber.text(&text)
            };
            (clean.trim_end() != text.trim_end()).then(|| encoding.bytes(&clean))
        }
        Content::Bytes(bytes) => scrubber.bytes(&bytes),
        Content::Closed => {
            counts.closed.push(name.to_owned());
            None
        }
    };
    counts.files += usize::from(clean.is_some());
    Ok(clean)
}

fn content_of(archive: &mut ZipArchive<File>, index: usize, name: &str) -> Result<Content> {
    let entry = archive.by_index(index)?;
    if entry.size() > LARGEST_FILE {
        return Ok(Content::Closed);
    }
    let mut bytes = Vec::new();
    // The size that it says it has is not to be relied on.
    entry.take(LARGEST_FILE + 1).read_to_end(&mut bytes).context("a file in it can't be read")?;
    Ok(if bytes.len() as u64 > LARGEST_FILE { Content::Closed } else { Content::of(name, bytes) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_that_changed_meanwhile_is_left_alone() {
        let folder = tempfile::TempDir::new().unwrap();
        let (path, copy) = (folder.path().join("trace.zip"), folder.path().join("copy"));
        fs::write(&path, "old").unwrap();
        fs::write(&copy, "clean").unwrap();
        let before = fs::metadata(&path).unwrap();
        fs::write(folder.path().join("other"), "new").unwrap();
        fs::rename(folder.path().join("other"), &path).unwrap();
        let error = replace(&path, &copy, &before).unwrap_err();
        assert!(error.to_string().contains("changed meanwhile"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        replace(&path, &copy, &fs::metadata(&path).unwrap()).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "clean");
    }

    #[test]
    fn no_two_drafts_have_one_name() {
        let path = Path::new("/results/trace.zip");
        assert_ne!(draft_beside(path).unwrap(), draft_beside(path).unwrap());
        assert_eq!(draft_beside(path).unwrap().parent(), path.parent());
    }
}
