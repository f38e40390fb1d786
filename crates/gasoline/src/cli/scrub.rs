//! `gasoline scrub`: Playwright traces without credentials.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use engine::Redactor;
use engine::redact::TraceScrubber;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::{FAILED, WRONG_USAGE};
use crate::terminal::{complain, say};

/// Larger files in a trace are videos and pictures.
const LARGEST_TEXT: u64 = 256 * 1024 * 1024;
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
    files: usize,
    screenshots: usize,
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
    let mut found = 0;
    for path in &traces {
        match scrub(path, &args) {
            Ok(outcome) => {
                found += outcome.replaced.values().sum::<usize>();
                say(told(path, &outcome, &args));
            }
            Err(error) => {
                complain(format!("gasoline: {} was left as it is: {error:#}", path.display()));
                return Ok(ExitCode::from(WRONG_USAGE));
            }
        }
    }
    Ok(if args.check && found > 0 { ExitCode::from(FAILED) } else { ExitCode::SUCCESS })
}

fn told(path: &Path, outcome: &Outcome, args: &Args) -> String {
    let total: usize = outcome.replaced.values().sum();
    let kinds: Vec<String> = outcome.replaced.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    let what = match (total, args.check) {
        (0, _) => "no credentials".to_owned(),
        (_, true) => format!("{} to remove from {} files", kinds.join(", "), outcome.files),
        (_, false) => format!("removed {} from {} files", kinds.join(", "), outcome.files),
    };
    let pictures = match (outcome.screenshots, args.drop_screenshots) {
        (0, _) => String::new(),
        (count, true) if args.check => format!("; {count} screenshots would go"),
        (count, true) => format!("; removed {count} screenshots"),
        (count, false) => format!("; {count} screenshots stay as they are, look at them or use --drop-screenshots"),
    };
    format!("{}: {what}{pictures}", path.display())
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
    let mut archive = open(path)?;
    if !is_trace(&archive) {
        bail!("it is no Playwright trace: there is no .trace file in it");
    }
    let redactor = Redactor::new();
    let mut scrubber = TraceScrubber::new(&redactor);
    for index in 0..archive.len() {
        let name = archive.by_index(index)?.name()?.into_owned();
        if is_events(&name) {
            text_of(&mut archive, index)?.unwrap_or_default().lines().for_each(|line| scrubber.learn(line));
        }
    }
    scrubber.learned();

    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let copy = folder.join(format!(".{}.scrubbed", path.file_name().unwrap_or_default().to_string_lossy()));
    let written = write(&mut archive, &mut scrubber, &copy, args);
    let (files, screenshots) = match written {
        Ok(counts) => counts,
        Err(error) => {
            let _ = fs::remove_file(&copy);
            return Err(error);
        }
    };
    let is_changed = files > 0 || (args.drop_screenshots && screenshots > 0);
    if args.check || !is_changed {
        fs::remove_file(&copy)?;
    } else {
        // The same file to everyone else, all at once.
        fs::set_permissions(&copy, fs::metadata(path)?.permissions())?;
        fs::rename(&copy, path).context("the clean copy could not take its place")?;
    }
    Ok(Outcome { replaced: scrubber.replaced().clone(), files, screenshots })
}

/// Writes the clean copy; returns how many files changed, and how many pictures there were.
fn write(
    archive: &mut ZipArchive<File>,
    scrubber: &mut TraceScrubber<'_>,
    copy: &Path,
    args: &Args,
) -> Result<(usize, usize)> {
    let mut out = ZipWriter::new(File::create(copy).context("no copy can be written beside it")?);
    let (mut files, mut screenshots) = (0, 0);
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
        screenshots += usize::from(is_picture);
        if is_picture && args.drop_screenshots {
            continue;
        }
        let text = if is_picture { None } else { text_of(archive, index)? };
        // What is no text is copied as it is, still compressed.
        let Some(text) = text else {
            out.raw_copy_file(archive.by_index_raw(index)?)?;
            continue;
        };
        let clean = if is_events(&name) {
            let lines =
                text.lines().filter(|line| !(args.drop_screenshots && line.contains("\"type\":\"screencast-frame\"")));
            lines.map(|line| scrubber.event(line) + "\n").collect()
        } else {
            scrubber.text(&text)
        };
        files += usize::from(clean.trim_end() != text.trim_end());
        out.start_file(name, options)?;
        out.write_all(clean.as_bytes())?;
    }
    let mut file = out.finish()?;
    file.flush()?;
    file.rewind()?;
    Ok((files, screenshots))
}

/// A file's content, unless it is no text.
fn text_of(archive: &mut ZipArchive<File>, index: usize) -> Result<Option<String>> {
    let entry = archive.by_index(index)?;
    if entry.size() > LARGEST_TEXT {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    entry.take(LARGEST_TEXT + 1).read_to_end(&mut bytes).context("a file in it can't be read")?;
    Ok(String::from_utf8(bytes).ok().filter(|text| !text.contains('\0')))
}
