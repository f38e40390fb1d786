//! Small functions that look at bytes around a position and never panic.

/// The byte at the index, or 0 past the end. No credential contains a zero byte.
pub(crate) fn at(bytes: &[u8], index: usize) -> u8 {
    bytes.get(index).copied().unwrap_or(0)
}

/// The byte before the index, or 0 at the start.
pub(crate) fn before(bytes: &[u8], index: usize) -> u8 {
    index.checked_sub(1).map_or(0, |previous| at(bytes, previous))
}

/// The index after the run of bytes for which `of` holds, from `from` on and at most `most` bytes long.
pub(super) fn run_end(bytes: &[u8], from: usize, most: usize, of: impl Fn(u8) -> bool) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from + rest.iter().take(most).take_while(|byte| of(**byte)).count()
}

/// The start of the run of bytes for which `of` holds that ends before `to`.
pub(super) fn run_start(bytes: &[u8], to: usize, most: usize, of: impl Fn(u8) -> bool) -> usize {
    let head = bytes.get(..to).unwrap_or_default();
    to - head.iter().rev().take(most).take_while(|byte| of(**byte)).count()
}

/// Whether `of` holds for the byte before, and that byte does not end an escape such as `\n` or `%92`.
pub(super) fn follows(bytes: &[u8], index: usize, of: impl Fn(u8) -> bool) -> bool {
    let back = |count: usize| index.checked_sub(count).map_or(0, |index| at(bytes, index));
    let is_escape = back(2) == b'\\' && matches!(back(1), b'n' | b'r' | b't' | b'b' | b'f');
    let is_percent = back(3) == b'%' && back(2).is_ascii_hexdigit() && back(1).is_ascii_hexdigit();
    of(back(1)) && !is_escape && !is_percent
}

pub(super) fn slice(text: &str, start: usize, end: usize) -> &str {
    text.get(start..end).unwrap_or_default()
}

pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

pub(super) fn is_base64url(byte: u8) -> bool {
    is_word(byte) || byte == b'-'
}

pub(super) fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// Bytes that opaque tokens consist of, whatever issued them.
pub(super) fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'~' | b'+' | b'/' | b'=')
}
