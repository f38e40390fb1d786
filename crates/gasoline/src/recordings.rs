//! `<state>/recordings`: videos of tabs, each with a metadata file. They belong to the user: none is ever deleted
//! automatically.

mod draft;
mod name;

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Context as _, Result, bail};
use serde::{Deserialize, Serialize};
use wire::recording::RecordingMetadata;
use wire::{Timestamp, limits};

pub(crate) use draft::Draft;
pub(crate) use name::{Name, unique_name};

use crate::state::{make_private_dir, private_options};

/// The most recordings of one name; more would be a mistake.
const SAME_NAME: usize = 10_000;

/// The limits of a recording. Tests use smaller ones.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RecordingLimits {
    pub(crate) bytes: u64,
    pub(crate) stall: Duration,
}

impl Default for RecordingLimits {
    fn default() -> Self {
        Self { bytes: limits::RECORDING_BYTES as u64, stall: Duration::from_secs(limits::RECORDING_STALL_SECONDS) }
    }
}

#[derive(Debug)]
pub(crate) struct Recordings {
    folder: PathBuf,
    pub(crate) limits: RecordingLimits,
}

#[derive(Debug)]
pub(crate) struct Saved {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) metadata_path: PathBuf,
}

/// The content of `<name>_meta.json`.
#[derive(Debug, Serialize, Deserialize)]
struct About {
    #[serde(flatten)]
    metadata: RecordingMetadata,
    size_bytes: u64,
    recorded_at: Timestamp,
}

/// One recording in a list.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[schemars(inline)]
pub(crate) struct Listed {
    /// Its name.
    pub(crate) name: String,
    /// Where the file is.
    pub(crate) path: PathBuf,
    /// Its size.
    pub(crate) size_bytes: u64,
    /// How long it is.
    pub(crate) duration_seconds: Option<f64>,
    /// The page that was recorded.
    pub(crate) url: Option<String>,
    /// When it was recorded.
    pub(crate) recorded_at: Timestamp,
}

impl Recordings {
    pub(crate) fn new(folder: PathBuf, limits: RecordingLimits) -> Self {
        Self { folder, limits }
    }

    pub(crate) fn begin(&self) -> Result<Draft> {
        make_private_dir(&self.folder)?;
        Draft::begin(&self.folder)
    }

    /// Gives a draft its final name, with a number if the name is taken.
    pub(crate) fn finish(
        &self,
        draft: &Draft,
        name: &Name,
        metadata: RecordingMetadata,
        now: Timestamp,
    ) -> Result<Saved> {
        let mut about = About { metadata, size_bytes: draft.size, recorded_at: now };
        for n in 1..=SAME_NAME {
            let name = name.numbered(n);
            let (path, metadata_path) = (self.video(&name), self.about(&name));
            if path.exists() {
                continue;
            }
            about.metadata.name = Some(name.clone());
            // Create the file only if it does not exist: creating it reserves the name.
            match write_new(&metadata_path, &serde_json::to_vec_pretty(&about)?) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                written => written.with_context(|| format!("could not write {}", metadata_path.display()))?,
            }
            if let Err(error) = fs::rename(&draft.path, &path) {
                let _ = fs::remove_file(&metadata_path);
                return Err(error).with_context(|| format!("could not write {}", path.display()));
            }
            return Ok(Saved { name, path, metadata_path });
        }
        bail!("there are already {SAME_NAME} recordings with the name {}", name.as_str())
    }

    /// The recordings, newest first, at most [`limits::RECORDING_LIST`].
    pub(crate) fn list(&self) -> io::Result<Vec<Listed>> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut found: Vec<(SystemTime, String, u64)> = entries
            .flatten()
            .filter_map(|entry| {
                let name = entry.file_name().to_str()?.strip_suffix(".webm")?.to_owned();
                let metadata = entry.metadata().ok().filter(fs::Metadata::is_file)?;
                Some((metadata.modified().ok()?, name, metadata.len()))
            })
            .collect();
        found.sort_by(|one, other| other.cmp(one));
        found.truncate(limits::RECORDING_LIST);
        Ok(found.into_iter().map(|(written, name, size)| self.listed(written, name, size)).collect())
    }

    /// A video is listed even if its metadata file is unreadable.
    fn listed(&self, written: SystemTime, name: String, size_bytes: u64) -> Listed {
        let about: Option<About> =
            fs::read(self.about(&name)).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let written = written.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Listed {
            path: self.video(&name),
            name,
            size_bytes,
            duration_seconds: about.as_ref().and_then(|about| about.metadata.duration_seconds),
            recorded_at: about
                .as_ref()
                .map_or(Timestamp::from_millis(written.as_millis() as i64), |about| about.recorded_at),
            url: about.and_then(|about| about.metadata.url),
        }
    }

    fn video(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.webm"))
    }

    fn about(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}_meta.json"))
    }
}

fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = private_options().write(true).create_new(true).open(path)?;
    file.write_all(bytes).inspect_err(|_| {
        let _ = fs::remove_file(path);
    })
}

/// Whether the disk was full.
pub(crate) fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_an_override_the_promised_limits_hold() {
        let RecordingLimits { bytes, stall } = RecordingLimits::default();
        assert_eq!((bytes, stall.as_secs()), (512 * 1024 * 1024, 30));
    }

    #[tokio::test]
    async fn the_newest_are_listed_first_and_not_all_of_them() {
        let state = tempfile::tempdir().unwrap();
        let recordings = Recordings::new(state.path().join("recordings"), RecordingLimits::default());
        assert_eq!(recordings.list().unwrap(), []);
        let name = Name::parse("demo").unwrap();
        for n in 0..limits::RECORDING_LIST as u64 + 1 {
            let mut draft = recordings.begin().unwrap();
            draft.write(b"video").await.unwrap();
            draft.flush().await.unwrap();
            let metadata = RecordingMetadata {
                url: Some("http://localhost/".to_owned()),
                duration_seconds: Some(n as f64),
                ..RecordingMetadata::default()
            };
            let saved = recordings.finish(&draft, &name, metadata, Timestamp::from_millis(n as i64)).unwrap();
            let written = SystemTime::UNIX_EPOCH + Duration::from_secs(n);
            fs::File::options().write(true).open(saved.path).unwrap().set_modified(written).unwrap();
        }
        let list = recordings.list().unwrap();
        assert_eq!(list.len(), limits::RECORDING_LIST);
        let newest = &list[0];
        assert_eq!((newest.name.as_str(), newest.duration_seconds, newest.size_bytes), ("demo-51", Some(50.0), 5));
        assert_eq!(
            (newest.url.as_deref(), newest.recorded_at),
            (Some("http://localhost/"), Timestamp::from_millis(50))
        );
        assert_eq!(list[49].name, "demo-2", "the first one is not among them");

        fs::write(state.path().join("recordings/demo-51_meta.json"), "broken").unwrap();
        let newest = &recordings.list().unwrap()[0];
        assert_eq!((newest.duration_seconds, newest.recorded_at), (None, Timestamp::from_millis(50_000)));
    }
}
