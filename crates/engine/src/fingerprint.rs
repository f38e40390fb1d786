//! Decides whether two messages are the same, after removing the parts that vary.

use crate::symbolicate::original_path::is_dependency;

/// Removes, in this order: UUIDs, timestamps, `file:line` positions, numbers.
pub fn normalize_message(message: &str) -> String {
    let mut out = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(first) = rest.chars().next() {
        let starts_word = out.chars().next_back().is_none_or(|c| !c.is_alphanumeric());
        if let Some((mark, len)) = variable_part(rest, starts_word) {
            out.push_str(mark);
            rest = rest.get(len..).unwrap_or_default();
        } else {
            out.push(first);
            rest = rest.get(first.len_utf8()..).unwrap_or_default();
        }
    }
    out
}

fn variable_part(text: &str, starts_word: bool) -> Option<(&'static str, usize)> {
    let bytes = text.as_bytes();
    if starts_word && is_uuid(bytes) {
        return Some(("<uuid>", 36));
    }
    if starts_word && let Some(len) = timestamp_len(bytes) {
        return Some(("<time>", len));
    }
    // In `app.js:12:5` the file's name stays and its position is removed.
    if bytes.first() == Some(&b':') {
        let len = position_len(bytes);
        if len > 1 {
            return Some((":<line>", len));
        }
    }
    if bytes.first().is_some_and(u8::is_ascii_digit) {
        let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
        return Some(("<n>", digits));
    }
    None
}

fn is_uuid(bytes: &[u8]) -> bool {
    bytes.len() >= 36
        && bytes.iter().take(36).enumerate().all(|(place, byte)| match place {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
        && bytes.get(36).is_none_or(|byte| !byte.is_ascii_alphanumeric())
}

/// Whether the text is exactly a UUID.
pub(crate) fn is_only_uuid(text: &str) -> bool {
    text.len() == 36 && is_uuid(text.as_bytes())
}

/// Whether the text is exactly a time such as `2026-11-18T23:00:00Z`.
pub(crate) fn is_time(text: &str) -> bool {
    timestamp_len(text.as_bytes()) == Some(text.len())
}

/// The length of an ISO 8601 date with a time, or of 13 digits of epoch milliseconds, at the start.
fn timestamp_len(bytes: &[u8]) -> Option<usize> {
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 13 {
        return Some(13);
    }
    let pattern = b"dddd-dd-ddTdd:dd:dd";
    let fits = bytes.len() >= pattern.len()
        && pattern.iter().zip(bytes).all(|(expected, byte)| match expected {
            b'd' => byte.is_ascii_digit(),
            b'T' => matches!(byte, b'T' | b' '),
            other => other == byte,
        });
    let rest = bytes.get(pattern.len()..).unwrap_or_default();
    fits.then(|| {
        pattern.len()
            + rest.iter().take_while(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'Z' | b'+')).count()
    })
}

/// `:12` or `:12:5`; 0 or 1 when no digits follow.
fn position_len(bytes: &[u8]) -> usize {
    let mut len = 0;
    for _ in 0..2 {
        if bytes.get(len) != Some(&b':') {
            break;
        }
        let digits = bytes.get(len + 1..).unwrap_or_default().iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 {
            break;
        }
        len += 1 + digits;
    }
    len
}

/// The first frame of a stack that names a file, without its position: `at save (app.js`.
pub fn top_frame(stack: &str) -> Option<&str> {
    let frame = stack.lines().map(str::trim).find(|line| line.starts_with("at ") || line.contains('@'))?;
    let place = frame.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, ':' | ')'));
    Some(place.split('?').next().unwrap_or(place))
}

/// The first frame of a mapped stack, by function and file. Lines are ignored: they move with every edit above them.
pub fn top_mapped_frame(stack: &[String]) -> Option<&str> {
    let own = stack.iter().find(|frame| !is_dependency(frame.rsplit_once(" (").map_or(frame.as_str(), |(_, at)| at)));
    let frame = own.or(stack.first())?;
    Some(frame.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, ':' | ')')))
}

#[cfg(test)]
mod tests {
    use super::normalize_message;

    #[test]
    fn varying_parts_are_removed() {
        for (message, normal) in [
            ("User 3f2504e0-4f89-11d3-9a0c-0305e82c3301 not found", "User <uuid> not found"),
            ("at 2026-02-07T10:00:00.123Z it broke", "at <time> it broke"),
            ("expired 1707346800000", "expired <time>"),
            ("bad thing at app.js:42:15", "bad thing at app.js:<line>"),
            ("Item 42 of 100", "Item <n> of <n>"),
            ("plain words: none", "plain words: none"),
            ("übergröße 7", "übergröße <n>"),
        ] {
            assert_eq!(normalize_message(message), normal);
        }
    }
}
