//! A video that is still arriving. It has no final name yet, and is deleted if it is never finished.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::Result;
use tokio::fs::File;
use tokio::io::AsyncWriteExt as _;

use crate::state::{private_options, random_hex};

/// No recording's name begins with a dot.
const PREFIX: &str = ".upload-";
/// A killed server leaves its drafts behind. Uploads may not pause for long, so a draft this old is abandoned; a
/// younger one may belong to another server.
const ABANDONED: Duration = Duration::from_secs(3_600);

#[derive(Debug)]
pub(crate) struct Draft {
    pub(super) path: PathBuf,
    file: File,
    pub(crate) size: u64,
}

impl Draft {
    pub(super) fn begin(folder: &Path) -> Result<Self> {
        sweep(folder);
        let path = folder.join(format!("{PREFIX}{}", random_hex(8)?));
        let file = private_options().write(true).create_new(true).open(&path)?;
        Ok(Self { path, file: File::from_std(file), size: 0 })
    }

    pub(crate) async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes).await?;
        self.size += bytes.len() as u64;
        Ok(())
    }

    /// Writes happen in the background; only this reports whether all of them succeeded.
    pub(crate) async fn flush(&mut self) -> io::Result<()> {
        self.file.flush().await
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // A finished draft no longer has a file of this name.
        let _ = fs::remove_file(&self.path);
    }
}

fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let is_draft = entry.file_name().to_string_lossy().starts_with(PREFIX);
        let age = |metadata: fs::Metadata| SystemTime::now().duration_since(metadata.modified().ok()?).ok();
        if is_draft && entry.metadata().ok().and_then(age).is_some_and(|age| age > ABANDONED) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_unfinished_draft_is_deleted_together_with_abandoned_ones() {
        let folder = tempfile::tempdir().unwrap();
        for (name, hours) in [(".upload-old", 2), (".upload-young", 0), ("old.webm", 2)] {
            let file = fs::File::create(folder.path().join(name)).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(hours * 3_600)).unwrap();
        }
        let mut draft = Draft::begin(folder.path()).unwrap();
        draft.write(b"abc").await.unwrap();
        draft.flush().await.unwrap();
        assert_eq!((draft.size, fs::read(&draft.path).unwrap().as_slice()), (3, b"abc".as_slice()));
        drop(draft);
        let mut left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, [".upload-young", "old.webm"]);
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn a_full_disk_is_noticed() {
        let file = fs::File::options().write(true).open("/dev/full").unwrap();
        let mut draft = Draft { path: PathBuf::from("/nonexistent/draft"), file: File::from_std(file), size: 0 };
        let written = match draft.write(b"abc").await {
            Ok(()) => draft.flush().await,
            failed => failed,
        };
        assert!(crate::recordings::is_full(&written.unwrap_err()));
    }
}
