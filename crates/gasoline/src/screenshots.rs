//! `<state>/screenshots`: screenshots of pages under names that we choose. The newest hundred are kept.

use std::fs;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context as _, Result};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use wire::{Timestamp, limits};

use crate::state::{make_private_dir, private_options, random_hex};

/// The accepted image formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Png,
    Jpeg,
    Webp,
}

impl Format {
    pub(crate) const ALL: [Self; 3] = [Self::Png, Self::Jpeg, Self::Webp];

    pub(crate) const fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Webp => "image/webp",
        }
    }

    const fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpg",
            Self::Webp => "webp",
        }
    }

    /// Whether the bytes start like an image of this format, so that no other file is saved as an image.
    pub(crate) fn fits(self, bytes: &[u8]) -> bool {
        match self {
            Self::Png => bytes.starts_with(b"\x89PNG\r\n\x1a\n"),
            Self::Jpeg => bytes.starts_with(b"\xff\xd8\xff"),
            Self::Webp => bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP".as_slice()),
        }
    }
}

#[derive(Debug)]
pub(crate) struct Screenshots {
    folder: PathBuf,
    /// Locked while a screenshot is saved, so that there are never more than the limit.
    saving: Mutex<()>,
}

impl Screenshots {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder, saving: Mutex::new(()) }
    }

    /// Saves an image under a name that we choose, and deletes the oldest ones over the limit.
    pub(crate) fn save(&self, bytes: &[u8], format: Format, now: Timestamp) -> Result<PathBuf> {
        let _saving = self.saving.lock().unwrap_or_else(PoisonError::into_inner);
        make_private_dir(&self.folder)?;
        // Names begin with the time, so their order is the order of age.
        let time = now.to_string().replace([':', '.'], "-");
        let path = self.folder.join(format!("{time}-{}.{}", random_hex(4)?, format.extension()));
        let written =
            private_options().write(true).create_new(true).open(&path).and_then(|mut file| file.write_all(bytes));
        if let Err(error) = written {
            let _ = fs::remove_file(&path);
            return Err(error).with_context(|| format!("could not write {}", path.display()));
        }
        self.remove_oldest()?;
        Ok(path)
    }

    fn remove_oldest(&self) -> io::Result<()> {
        let is_picture = |path: &PathBuf| {
            let extension = path.extension().and_then(|extension| extension.to_str());
            Format::ALL.iter().any(|format| extension == Some(format.extension()))
        };
        let files: io::Result<Vec<PathBuf>> =
            fs::read_dir(&self.folder)?.map(|entry| entry.map(|entry| entry.path())).collect();
        let mut files: Vec<PathBuf> = files?.into_iter().filter(is_picture).collect();
        files.sort();
        let surplus = files.len().saturating_sub(limits::SCREENSHOT_FILES);
        files.iter().take(surplus).try_for_each(fs::remove_file)
    }
}

/// Reads a data URL. Its content must match its media type.
pub(crate) fn read_data_url(data_url: &str) -> std::result::Result<(Format, Vec<u8>), String> {
    const WANTED: &str = "invalid `data_url`: expected data:image/png, image/jpeg or image/webp, in base64";
    let (head, data) =
        data_url.strip_prefix("data:").and_then(|rest| rest.split_once(',')).ok_or_else(|| WANTED.to_owned())?;
    let media_type = head.strip_suffix(";base64").ok_or_else(|| WANTED.to_owned())?;
    let format =
        Format::ALL.into_iter().find(|format| format.media_type() == media_type).ok_or_else(|| WANTED.to_owned())?;
    let bytes = STANDARD.decode(data).map_err(|error| format!("`data_url` is not valid base64: {error}"))?;
    if !format.fits(&bytes) {
        return Err(format!("the content of `data_url` is not {media_type}"));
    }
    Ok((format, bytes))
}
