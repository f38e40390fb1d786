//! A trace is a zip file. The first pass reads all of it to learn its secrets; the second copies it file by file
//! without them. A blob report is a zip file of traces, which are treated the same way.

use std::io::{Cursor, Read, Seek, Write};

use anyhow::{Context as _, Result};
use engine::redact::TraceScrubber;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::content::Content;

/// Larger files are not scanned, because they would have to be held in memory.
const LARGEST_FILE: u64 = 256 * 1024 * 1024;

/// What changed in the clean copy, and which files could not be scanned.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) files: usize,
    pub(super) screenshots: usize,
    pub(super) closed: Vec<String>,
}

pub(super) fn open<R: Read + Seek>(file: R) -> Result<ZipArchive<R>> {
    ZipArchive::new(file).context("not a zip file")
}

pub(super) fn is_trace<R: Read + Seek>(archive: &ZipArchive<R>) -> bool {
    archive.file_names().flatten().any(|name| name.ends_with(".trace"))
}

/// One run of a shard, as Playwright's blob reporter writes it.
pub(super) fn is_blob_report<R: Read + Seek>(archive: &ZipArchive<R>) -> bool {
    archive.file_names().flatten().any(|name| name == "report.jsonl")
}

fn is_screenshot(name: &str) -> bool {
    [".jpeg", ".jpg", ".png"].iter().any(|end| name.ends_with(end))
}

/// Learns which values in the archive are secret.
pub(super) fn learn<R: Read + Seek>(archive: &mut ZipArchive<R>, scrubber: &mut TraceScrubber<'_>) -> Result<()> {
    learn_files(archive, scrubber)?;
    scrubber.learned();
    Ok(())
}

fn learn_files<R: Read + Seek>(archive: &mut ZipArchive<R>, scrubber: &mut TraceScrubber<'_>) -> Result<()> {
    for index in 0..archive.len() {
        let name = archive.by_index(index)?.name()?.into_owned();
        if is_screenshot(&name) {
            continue;
        }
        match content_of(archive, index, &name)? {
            Content::Archive(bytes) => learn_files(&mut open(Cursor::new(bytes))?, scrubber)?,
            content => content.learn(&name, scrubber),
        }
    }
    Ok(())
}

/// Writes the clean copy.
pub(super) fn write<R: Read + Seek, W: Write + Seek>(
    archive: &mut ZipArchive<R>,
    scrubber: &mut TraceScrubber<'_>,
    copy: W,
    drop_screenshots: bool,
) -> Result<Counts> {
    let mut out = ZipWriter::new(copy);
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
        if is_picture && drop_screenshots {
            continue;
        }
        let clean =
            if is_picture { None } else { clean(archive, index, &name, scrubber, &mut counts, drop_screenshots)? };
        match clean {
            Some(clean) => {
                out.start_file(name, options)?;
                out.write_all(&clean)?;
            }
            // A file without secrets is copied unchanged, still compressed.
            None => out.raw_copy_file(archive.by_index_raw(index)?)?,
        }
    }
    out.finish()?.flush()?;
    Ok(counts)
}

/// A file without its credentials, or `None` if it can stay unchanged.
fn clean<R: Read + Seek>(
    archive: &mut ZipArchive<R>,
    index: usize,
    name: &str,
    scrubber: &mut TraceScrubber<'_>,
    counts: &mut Counts,
    drop_screenshots: bool,
) -> Result<Option<Vec<u8>>> {
    let content = content_of(archive, index, name)?;
    match &content {
        Content::Closed => counts.closed.push(name.to_owned()),
        Content::Archive(bytes) => {
            let mut copy = Cursor::new(Vec::new());
            let inner = write(&mut open(Cursor::new(bytes))?, scrubber, &mut copy, drop_screenshots)?;
            let is_changed = inner.files > 0 || (drop_screenshots && inner.screenshots > 0);
            counts.files += inner.files;
            counts.screenshots += inner.screenshots;
            counts.closed.extend(inner.closed.into_iter().map(|inner| format!("{name}/{inner}")));
            return Ok(is_changed.then(|| copy.into_inner()));
        }
        Content::Text(..) | Content::Bytes(_) => {}
    }
    let clean = content.clean(name, scrubber, drop_screenshots);
    counts.files += usize::from(clean.is_some());
    Ok(clean)
}

fn content_of<R: Read + Seek>(archive: &mut ZipArchive<R>, index: usize, name: &str) -> Result<Content> {
    let entry = archive.by_index(index)?;
    if entry.size() > LARGEST_FILE {
        return Ok(Content::Closed);
    }
    let mut bytes = Vec::new();
    // The size in the zip entry cannot be trusted.
    entry.take(LARGEST_FILE + 1).read_to_end(&mut bytes).context("cannot read a file in it")?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Ok(Content::Closed);
    }
    // A trace never contains another trace, so recursion ends at a blob report's traces.
    let is_blob_report = is_blob_report(archive);
    let holds_trace = || open(Cursor::new(&bytes)).is_ok_and(|inner| is_trace(&inner) && !self::is_blob_report(&inner));
    if is_blob_report && name.ends_with(".zip") && holds_trace() {
        return Ok(Content::Archive(bytes));
    }
    Ok(Content::from_file(name, bytes))
}
