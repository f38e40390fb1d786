//! Names of recordings. They become file names, so only characters that are known to be harmless are allowed.

use wire::{Timestamp, limits};

/// How many characters of the wanted name are used; the time follows.
const SLUG_CHARS: usize = 60;
/// Under these names Windows opens a device instead of a file, whatever the extension.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];
const NUMBERED_DEVICES: [&str; 2] = ["com", "lpt"];

/// A name that is safe as a file name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Name(String);

impl Name {
    /// Checks a name from outside. The error says what is allowed.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
        let fits = (1..=limits::RECORDING_NAME_CHARS).contains(&text.len())
            && text.bytes().all(allowed)
            && !text.starts_with('.')
            && !text.contains("..")
            && !is_device(text);
        fits.then(|| Self(text.to_owned())).ok_or_else(|| {
            format!(
                "invalid `name`: expected 1 to {} of A-Z, a-z, 0-9, `.`, `_` and `-`, without a leading dot or `..`, and \
                 not a Windows device such as `con`",
                limits::RECORDING_NAME_CHARS
            )
        })
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// This name, with a number if others already have it.
    pub(super) fn numbered(&self, n: usize) -> String {
        if n == 1 { self.0.clone() } else { format!("{}-{n}", self.0) }
    }
}

fn is_device(text: &str) -> bool {
    let stem = text.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let numbered = NUMBERED_DEVICES.iter().any(|device| {
        stem.strip_prefix(device).is_some_and(|number| number.len() == 1 && number.bytes().all(|b| b.is_ascii_digit()))
    });
    numbered || DEVICES.contains(&stem.as_str())
}

/// A name for a recording that begins now: the wanted name and the time.
pub(crate) fn unique_name(wish: Option<&str>, now: Timestamp) -> Name {
    let slug = slug(wish.unwrap_or_default());
    let topic = if slug.is_empty() { "recording" } else { &slug };
    let time: String = now.to_string().chars().take("YYYY-MM-DDTHH:MM".len()).collect();
    Name(format!("{topic}--{}", time.replace(':', "").replace('T', "-")))
}

fn slug(text: &str) -> String {
    let mut slug = String::new();
    for char in text.chars() {
        if slug.len() == SLUG_CHARS {
            break;
        }
        if char.is_ascii_alphanumeric() {
            slug.push(char.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_harmless_names_are_accepted() {
        let longest = "x".repeat(limits::RECORDING_NAME_CHARS);
        for name in ["a", "login-bug_2.final", "-", "con-1", "console", "com10", "lpt", "CONSOLE.1", longest.as_str()] {
            assert!(Name::parse(name).is_ok(), "{name}");
        }
        let long = "x".repeat(limits::RECORDING_NAME_CHARS + 1);
        for name in [
            "",
            ".",
            "..",
            ".hidden",
            "a..b",
            "../x",
            "/etc/x",
            "a/b",
            "a\\b",
            "C:x",
            "a\0b",
            "a b",
            "a\n",
            "a%2fb",
            "..%2fx",
            "na\u{ef}ve",
            "a\u{202e}b",
            "\u{ff0e}\u{ff0e}\u{ff0f}x",
            "a\u{2215}b",
            "con",
            "CON",
            "nul.txt",
            "com1",
            "LPT9.log",
            "a:b",
            "a*",
            "~",
            "$HOME",
            long.as_str(),
        ] {
            assert!(Name::parse(name).unwrap_err().contains("A-Z"), "{name:?}");
        }
    }

    #[test]
    fn the_wanted_name_gets_the_time_appended() {
        let now = Timestamp::from_millis(1_770_505_265_123);
        let long = "word ".repeat(100);
        for (wish, topic) in [
            (None, "recording"),
            (Some(""), "recording"),
            (Some("../../.."), "recording"),
            (Some("\u{1f600}"), "recording"),
            (Some("  Login: fails twice! "), "login-fails-twice"),
            (Some("con"), "con"),
            (Some(long.as_str()), "word-word-word-word-word-word-word-word-word-word-word-word"),
        ] {
            let name = unique_name(wish, now);
            assert_eq!(name.as_str(), format!("{topic}--2026-02-07-2301"));
            assert_eq!(Name::parse(name.as_str()), Ok(name));
        }
    }
}
