//! The folder that an AI client was started from: how a header carries it, and the one file that we read there.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use engine::analysis::performance::Budgets;
use wire::limits;

/// A project's own settings.
const FILE_NAME: &str = ".gasoline.json";

/// A path as a header's value: every byte that is not a plain letter becomes `%` and two digits.
pub(crate) fn write(path: &Path) -> String {
    let mut out = String::new();
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'%' | ..=b' ' | 0x7f.. => out.push_str(&format!("%{byte:02x}")),
            letter => out.push(char::from(*letter)),
        }
    }
    out
}

/// Reads a path from a header's value. `None` if it is not an absolute path.
pub(crate) fn read(value: &[u8]) -> Option<Arc<Path>> {
    let mut bytes = Vec::with_capacity(value.len());
    let mut rest = value.iter().copied();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            letter => letter,
        });
    }
    path_of(bytes).filter(|path| path.is_absolute()).map(Arc::from)
}

#[cfg(unix)]
fn path_of(bytes: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt as _;
    Some(std::ffi::OsString::from_vec(bytes).into())
}

#[cfg(not(unix))]
fn path_of(bytes: Vec<u8>) -> Option<PathBuf> {
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

/// The budgets of the project in this folder, or `None` if it has none.
pub(crate) fn budgets(directory: &Path) -> Option<Budgets> {
    let path = directory.join(FILE_NAME);
    // Check the kind of file before opening it: opening a pipe would wait for its writer.
    let about = match std::fs::metadata(&path) {
        Ok(about) => about,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
        Err(error) => return Some(Budgets::unreadable(format!("could not be read: {}", error.kind()))),
    };
    if !about.is_file() {
        return Some(Budgets::unreadable("not a regular file"));
    }
    let mut text = String::new();
    let most = limits::PROJECT_FILE_BYTES as u64;
    let read = File::open(&path).and_then(|file| file.take(most + 1).read_to_string(&mut text));
    Some(match read {
        Err(error) => Budgets::unreadable(format!("could not be read: {}", error.kind())),
        Ok(_) if text.len() as u64 > most => {
            Budgets::unreadable(format!("larger than {most} bytes, so it is not read"))
        }
        Ok(_) => Budgets::read(text.trim_start_matches('\u{feff}')),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_survives_a_header() {
        for path in ["/home/ann/shop", "/with space/100%/ünïcode", "/new\nline", "/%41"] {
            let header = write(Path::new(path));
            assert!(header.bytes().all(|byte| (b'!'..=b'~').contains(&byte)), "{header}");
            assert_eq!(read(header.as_bytes()).as_deref(), Some(Path::new(path)));
        }
        for bad in ["", "relative", "%", "%4", "%zz", "/a%"] {
            assert_eq!(read(bad.as_bytes()), None, "{bad}");
        }
    }

    #[test]
    fn the_file_is_read_with_care() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(FILE_NAME);
        assert_eq!(budgets(folder.path()), None);
        assert_eq!(budgets(&folder.path().join("gone")), None);
        let fault = || budgets(folder.path()).unwrap().faults.join("; ");
        let padded = |bytes: usize| format!("{{\"budgets\":{{}}}}{}", " ".repeat(bytes - 14));
        for (bytes, expected) in [
            (limits::PROJECT_FILE_BYTES - 1, ""),
            (limits::PROJECT_FILE_BYTES, ""),
            (limits::PROJECT_FILE_BYTES + 1, "larger than 65536 bytes, so it is not read"),
        ] {
            std::fs::write(&file, padded(bytes)).unwrap();
            assert_eq!(fault(), expected);
        }
        std::fs::write(&file, [0xff, 0xfe]).unwrap();
        assert!(fault().starts_with("could not be read"), "{}", fault());
        std::fs::write(&file, "\u{feff}{}").unwrap();
        assert_eq!(fault(), "");
        std::fs::remove_file(&file).unwrap();
        std::fs::create_dir(&file).unwrap();
        assert_eq!(fault(), "not a regular file");
    }
}
