//! Copies of a text with its escapes decoded, so that `\u0041KIA…`, `https:\/\/`, `pass%77ord=` or `&quot;token&quot;`
//! hide nothing. The text itself is never changed: what is found in a view is redacted at its place in the original.

use super::edges::{at, run_end};

/// What an escape at some index decodes to.
pub(super) struct Undone {
    /// The escape's length in bytes.
    len: usize,
    byte: u8,
    /// A quote or backslash that was escaped stays so; otherwise it would end its string.
    escaped: bool,
}

type Step = fn(&[u8], usize) -> Option<Undone>;

/// A decoded text that knows where each of its bytes came from.
pub(super) struct View {
    pub(super) text: String,
    /// For each byte, and for the end, the offset in the original.
    origins: Vec<u32>,
}

impl View {
    /// The offset in the original of `index` in this view.
    pub(super) fn origin(&self, index: usize) -> usize {
        self.origins.get(index).or(self.origins.last()).map_or(0, |origin| *origin as usize)
    }

    /// `None` when there is nothing to decode. `inner` is the view that `text` belongs to, if it is not the original.
    fn new(text: &str, inner: Option<&View>, step: Step, plus_is_space: bool) -> Option<Self> {
        let bytes = text.as_bytes();
        // Most texts contain nothing to decode, and need no copy to find that out.
        let first = memchr::memchr3_iter(b'\\', b'%', b'&', bytes).find(|index| step(bytes, *index).is_some())?;
        let origin = |index: usize| u32::try_from(inner.map_or(index, |view| view.origin(index))).unwrap_or(u32::MAX);
        let mut out = Vec::with_capacity(bytes.len());
        let mut origins = Vec::with_capacity(bytes.len() + 1);
        let mut index = 0;
        while let Some(&byte) = bytes.get(index) {
            let undone = if index >= first && matches!(byte, b'\\' | b'%' | b'&') { step(bytes, index) } else { None };
            if let Some(undone) = undone {
                if undone.escaped {
                    out.push(b'\\');
                    origins.push(origin(index));
                }
                out.push(undone.byte);
                origins.push(origin(index));
                index += undone.len;
            } else {
                out.push(if byte == b'+' && plus_is_space { b' ' } else { byte });
                origins.push(origin(index));
                index += 1;
            }
        }
        origins.push(origin(bytes.len()));
        // ASCII was only replaced by ASCII.
        let text = String::from_utf8(out).ok()?;
        Some(Self { text, origins })
    }
}

/// Whether the text has a view besides itself.
pub(super) fn is_encoded(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr::memchr3_iter(b'\\', b'%', b'&', bytes)
        .any(|index| unescape(bytes, index).is_some() || percent(bytes, index).is_some())
}

/// The text with escapes decoded; then with percent-encoding decoded, once and twice.
pub(super) fn views(text: &str) -> Vec<View> {
    let mut views: Vec<View> = Vec::new();
    for (step, plus_is_space) in [(unescape as Step, false), (percent, true), (percent, false)] {
        let inner = views.last();
        if let Some(view) = View::new(inner.map_or(text, |view| view.text.as_str()), inner, step, plus_is_space) {
            views.push(view);
        }
    }
    views
}

/// The secret itself, whatever notation it was written in: it must get one placeholder in a query, a body and a header.
pub(super) fn canonical(secret: &str) -> String {
    let mut text = secret.to_owned();
    // JSON within JSON within JSON: each layer is a string literal without its quotes.
    for _ in 0..3 {
        match serde_json::from_str(&format!("\"{text}\"")) {
            Ok(inner) if text.contains('\\') => text = inner,
            _ => break,
        }
    }
    if let Some(view) = View::new(&text, None, unescape, false) {
        text = view.text;
    }
    for _ in 0..2 {
        if let Some(decoded) = percent_bytes(&text) {
            text = decoded;
        }
    }
    text
}

/// Percent-decodes all bytes; `None` if the result is not text, or is unchanged.
fn percent_bytes(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let first = memchr::memchr(b'%', bytes)?;
    let mut out = bytes.get(..first)?.to_vec();
    let mut index = first;
    while let Some(&byte) = bytes.get(index) {
        let decoded = if byte == b'%' { hex(bytes, index + 1) } else { None };
        out.push(decoded.unwrap_or(byte));
        index += if decoded.is_some() { 3 } else { 1 };
    }
    String::from_utf8(out).ok()
}

/// Percent-decoding of a name.
pub(super) fn percent_decoded(text: &str) -> Option<String> {
    View::new(text, None, percent, true).map(|view| view.text)
}

/// `\u0041`, `\x41` and `\/`, with any number of backslashes; `&quot;`, `&amp;` and `&#65;`.
fn unescape(bytes: &[u8], index: usize) -> Option<Undone> {
    match at(bytes, index) {
        b'\\' => {
            let after = run_end(bytes, index, 32, |byte| byte == b'\\');
            let (digits, end) = match at(bytes, after) {
                b'/' => return Some(Undone { len: after + 1 - index, byte: b'/', escaped: false }),
                b'u' if at(bytes, after + 1) == b'0' && at(bytes, after + 2) == b'0' => (after + 3, after + 5),
                b'x' => (after + 1, after + 3),
                _ => return None,
            };
            let byte = hex(bytes, digits).filter(is_text)?;
            Some(Undone { len: end - index, byte, escaped: matches!(byte, b'"' | b'\'' | b'\\') })
        }
        b'&' => entity(bytes, index),
        _ => None,
    }
}

fn entity(bytes: &[u8], index: usize) -> Option<Undone> {
    let end = run_end(bytes, index + 1, 8, |byte| byte.is_ascii_alphanumeric() || byte == b'#');
    if at(bytes, end) != b';' {
        return None;
    }
    let name = bytes.get(index + 1..end).and_then(|name| std::str::from_utf8(name).ok())?;
    let byte = match name {
        "quot" => b'"',
        "apos" => b'\'',
        "amp" => b'&',
        _ => {
            let digits = name.strip_prefix('#')?;
            let code = match digits.strip_prefix(['x', 'X']) {
                Some(digits) => u8::from_str_radix(digits, 16),
                None => digits.parse(),
            };
            code.ok().filter(is_text)?
        }
    };
    Some(Undone { len: end + 1 - index, byte, escaped: false })
}

/// `%41`, where it encodes ASCII; other characters do not occur in names and formats.
fn percent(bytes: &[u8], index: usize) -> Option<Undone> {
    if at(bytes, index) != b'%' {
        return None;
    }
    let byte = hex(bytes, index + 1).filter(is_text)?;
    Some(Undone { len: 3, byte, escaped: false })
}

fn is_text(byte: &u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r' | 0x20..0x7f)
}

fn hex(bytes: &[u8], index: usize) -> Option<u8> {
    let digit = |index| char::from(at(bytes, index)).to_digit(16);
    u8::try_from(digit(index)? * 16 + digit(index + 1)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_map_back_to_the_original() {
        let text = r"é \u0041\\u0042=https:\/\/a";
        let view = views(text).remove(0);
        assert_eq!(view.text, "é AB=https://a");
        assert_eq!(view.origin(3), text.find(r"\u0041").unwrap());
        assert_eq!(view.origin(4), text.find(r"\\u0042").unwrap());
        assert_eq!(view.origin(5), text.find('=').unwrap());
        assert_eq!(view.origin(view.text.len()), text.len());
    }

    #[test]
    fn a_view_of_a_view_maps_back_to_the_original() {
        let text = "a%2541&quot;b";
        let views = views(text);
        assert_eq!(views.iter().map(|view| view.text.as_str()).collect::<Vec<_>>(), ["a%2541\"b", "a%41\"b", "aA\"b"]);
        assert_eq!(views[2].origin(3), text.find('b').unwrap());
    }

    #[test]
    fn plain_text_has_no_views() {
        for text in ["plain", "100% sure", r"C:\dir\name", "a & b; c", "\\", "%", "%4", r"\u00", "&#;", r"\u00e9"] {
            assert!(!is_encoded(text), "{text}");
            assert!(views(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn a_secret_has_one_canonical_form() {
        for written in ["a/b\"c", r#"a\/b\"c"#, "a%2Fb%22c", "a%252Fb%2522c", r#"a\u002fb\u0022c"#, r#"a\\\/b\\\"c"#] {
            assert_eq!(canonical(written), "a/b\"c", "{written}");
        }
        for written in ["pä", "p%C3%A4", r"p\u00e4", r"p\\u00e4"] {
            assert_eq!(canonical(written), "pä", "{written}");
        }
    }
}
