//! The content of a file in a trace: text, which keeps its encoding, or bytes. Also writes it without credentials.

use std::path::Path;

use engine::redact::TraceScrubber;

/// In text, at most one byte in this many is a control character other than a line break or tab.
const CONTROLS_IN_TEXT: usize = 50;

/// File name extensions of text files.
const TEXT_ENDINGS: &[&str] = &[
    "txt", "html", "htm", "json", "js", "mjs", "cjs", "ts", "tsx", "jsx", "css", "xml", "svg", "csv", "md", "yaml",
    "yml", "map", "log", "stacks",
];

/// Files that are always read as events: one stray byte must not stop the scrubber from learning from the rest.
const EVENTS_ENDINGS: &[&str] = &["trace", "network"];

/// Magic numbers of files whose content is compressed.
const COMPRESSED: &[&[u8]] =
    &[b"\x1f\x8b", b"PK\x03\x04", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ\0", b"BZh", b"7z\xbc\xaf\x27\x1c", b"%PDF-"];

pub(super) enum Content {
    Text(String, Encoding),
    Bytes(Vec<u8>),
    /// A trace inside a blob report.
    Archive(Vec<u8>),
    /// Too large to hold in memory, or compressed.
    Closed,
}

#[derive(Clone, Copy)]
pub(super) enum Encoding {
    Utf8,
    Utf16 { is_big_endian: bool },
    Latin1,
}

impl Content {
    pub(super) fn from_file(name: &str, bytes: Vec<u8>) -> Self {
        if COMPRESSED.iter().any(|start| bytes.starts_with(start)) {
            return Self::Closed;
        }
        if let Some((text, encoding)) = utf16(&bytes) {
            return Self::Text(text, encoding);
        }
        let ending = ending_of(name);
        let is_control = |byte: &u8| byte.is_ascii_control() && !b"\t\n\r\x0c\x1b".contains(byte);
        let is_text = EVENTS_ENDINGS.contains(&ending.as_str())
            || is_rare(&bytes, is_control)
            || (TEXT_ENDINGS.contains(&ending.as_str()) && is_rare(&bytes, |byte| *byte == 0));
        if !is_text {
            return Self::Bytes(bytes);
        }
        match String::from_utf8(bytes) {
            Ok(text) => Self::Text(text, Encoding::Utf8),
            // Every byte maps to a character and back.
            Err(other) => {
                let text = other.as_bytes().iter().map(|byte| char::from(*byte)).collect();
                Self::Text(text, Encoding::Latin1)
            }
        }
    }
}

impl Content {
    /// Learns which values in the file are secret.
    pub(super) fn learn(&self, name: &str, scrubber: &mut TraceScrubber<'_>) {
        match self {
            Self::Text(text, _) if is_events(name) => text.lines().for_each(|line| scrubber.learn(line)),
            Self::Text(text, _) => scrubber.learn_text(text),
            Self::Bytes(_) | Self::Archive(_) | Self::Closed => {}
        }
    }

    /// The file without its credentials, or `None` if it can stay unchanged or cannot be scanned.
    pub(super) fn clean(
        &self,
        name: &str,
        scrubber: &mut TraceScrubber<'_>,
        drop_screenshots: bool,
    ) -> Option<Vec<u8>> {
        let (text, encoding) = match self {
            Self::Text(text, encoding) => (text, encoding),
            Self::Bytes(bytes) => return scrubber.bytes(bytes),
            Self::Archive(_) | Self::Closed => return None,
        };
        let clean = if is_events(name) {
            let is_kept = |line: &&str| !(drop_screenshots && line.contains("\"type\":\"screencast-frame\""));
            text.lines().filter(is_kept).map(|line| scrubber.event(line) + "\n").collect()
        } else {
            scrubber.text(text)
        };
        let changed = (clean.trim_end() != text.trim_end()).then(|| encoding.bytes(&clean));
        match encoding {
            // Whatever its first bytes say: what was written into it in another encoding goes, too.
            Encoding::Utf16 { .. } => scrubber.bytes(&encoding.bytes(&clean)).or(changed),
            Encoding::Utf8 | Encoding::Latin1 => changed,
        }
    }
}

fn is_events(name: &str) -> bool {
    EVENTS_ENDINGS.contains(&ending_of(name).as_str())
}

fn ending_of(name: &str) -> String {
    Path::new(name).extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
}

impl Encoding {
    fn bytes(self, text: &str) -> Vec<u8> {
        match self {
            Self::Utf8 => text.as_bytes().to_vec(),
            Self::Latin1 => text.chars().map(|character| u8::try_from(character).unwrap_or(b'?')).collect(),
            Self::Utf16 { is_big_endian } => {
                let units = std::iter::once(0xfeff).chain(text.encode_utf16());
                units.flat_map(|unit| if is_big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
            }
        }
    }
}

/// Whether few enough of the bytes are such ones.
fn is_rare(bytes: &[u8], is_such: impl Fn(&u8) -> bool) -> bool {
    let most = bytes.len() / CONTROLS_IN_TEXT;
    bytes.iter().filter(|byte| is_such(byte)).take(most + 1).count() <= most
}

/// The text, if the file starts with a UTF-16 byte order mark and is valid UTF-16.
fn utf16(bytes: &[u8]) -> Option<(String, Encoding)> {
    let (is_big_endian, rest) = match bytes {
        [0xfe, 0xff, rest @ ..] => (true, rest),
        [0xff, 0xfe, rest @ ..] => (false, rest),
        _ => return None,
    };
    let (pairs, []) = rest.as_chunks::<2>() else { return None };
    let unit = |pair: &[u8; 2]| if is_big_endian { u16::from_be_bytes(*pair) } else { u16::from_le_bytes(*pair) };
    let text = char::decode_utf16(pairs.iter().map(unit)).collect::<Result<String, _>>().ok()?;
    Some((text, Encoding::Utf16 { is_big_endian }))
}
