//! Finds the credentials in a text: one pass of an automaton over all literals and names, then a bounded look around
//! each hit.

use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::edges::{at, before, is_token, run_end, run_start, slice};
use super::formats::FORMATS;
use super::names;

/// Where a credential stands, and what it is.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) kind: &'static str,
    /// The field or parameter it is the value of.
    pub(super) name: Option<String>,
    by_format: bool,
}

impl Span {
    pub(super) fn by_name(start: usize, end: usize, kind: &'static str, name: Option<String>) -> Self {
        Self { start, end, kind, name, by_format: false }
    }
}

/// Words that may be part of a sensitive name. Separators vary, so compound names are found by one half.
const NAME_WORDS: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pwd",
    "pass",
    "pw",
    "secret",
    "token",
    "key",
    "credential",
    "authorization",
    "auth",
    "bearer",
    "jwt",
    "sid",
    "sessid",
    "sessionid",
    "session_id",
    "otp",
    "cvv",
    "cvc",
    "sig",
    "signature",
];

/// A name longer than this is no name.
const LONGEST_NAME: usize = 64;
/// A quoted value is looked at so far; the end of a longer one is not worth finding.
const LONGEST_VALUE: usize = 16 * 1024;

fn automaton() -> Option<&'static AhoCorasick> {
    static AUTOMATON: OnceLock<Option<AhoCorasick>> = OnceLock::new();
    AUTOMATON
        .get_or_init(|| {
            let literals = FORMATS.iter().map(|format| format.literal).chain(NAME_WORDS.iter().copied());
            AhoCorasick::builder()
                .ascii_case_insensitive(true)
                .match_kind(MatchKind::Standard)
                .kind(Some(AhoCorasickKind::DFA))
                .build(literals)
                .ok()
        })
        .as_ref()
}

/// Whether anything in the text could belong to a credential. Cheap, and never wrong when it says no.
pub(super) fn is_suspicious(text: &str) -> bool {
    automaton().is_none_or(|automaton| automaton.is_match(text))
        || memchr::memmem::find(text.as_bytes(), b"\\u").is_some()
}

/// Every credential of the text, in order, none overlapping another.
pub(super) fn spans(text: &str) -> Vec<Span> {
    let Some(automaton) = automaton() else {
        // Without the automaton nothing could be checked: hide all rather than leak.
        return vec![Span { start: 0, end: text.len(), kind: "secret", name: None, by_format: false }];
    };
    let mut found: Vec<Span> = Vec::new();
    // What an earlier hit already settled is not looked at again: this is what keeps hostile text linear.
    let mut formats_to = 0;
    let mut names_to = 0;
    for hit in automaton.find_overlapping_iter(text) {
        match FORMATS.get(hit.pattern().as_usize()) {
            Some(format) if hit.start() >= formats_to => {
                if let Some((start, end)) = format.span(text, hit.start(), hit.end()) {
                    formats_to = end;
                    found.push(Span { start, end, kind: format.kind, name: None, by_format: true });
                } else if let Some(end) = format.hopeless_to(text, hit.end()) {
                    formats_to = end;
                }
            }
            None if hit.end() > names_to => {
                let (name_start, name_end) = whole_name(text.as_bytes(), hit.start(), hit.end());
                let (looked_to, spans) = by_name(text, name_start, name_end);
                names_to = looked_to;
                found.extend(spans);
            }
            _ => {}
        }
    }
    found.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
    merge(found)
}

/// Two rules may see the same credential; what either saw is cut, and the format knows best what it was.
fn merge(found: Vec<Span>) -> Vec<Span> {
    let mut merged: Vec<Span> = Vec::with_capacity(found.len());
    for span in found {
        match merged.last_mut() {
            Some(last) if span.start < last.end => {
                last.end = last.end.max(span.end);
                if span.by_format && !last.by_format {
                    last.kind = span.kind;
                    last.by_format = true;
                }
                if last.name.is_none() {
                    last.name = span.name;
                }
            }
            _ => merged.push(span),
        }
    }
    merged
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'$')
}

fn whole_name(bytes: &[u8], start: usize, end: usize) -> (usize, usize) {
    (run_start(bytes, start, LONGEST_NAME, is_name), run_end(bytes, end, LONGEST_NAME, is_name))
}

/// The value of `"name": "value"`, `name=value`, `name: 'value'` or `name: value`, escaped or not; with how far names
/// need not be looked for again.
fn by_name(text: &str, name_start: usize, name_end: usize) -> (usize, Vec<Span>) {
    let bytes = text.as_bytes();
    let name = slice(text, name_start, name_end);
    let after_escapes = run_end(bytes, name_end, 16, |byte| byte == b'\\');
    let closes_quote = matches!(at(bytes, after_escapes), b'"' | b'\'');
    let quoted_name = closes_quote && matches!(before(bytes, name_start), b'"' | b'\'');
    let after_name = if closes_quote { after_escapes + 1 } else { name_end };
    // `user[password]=…` is how forms nest.
    let after_name = if at(bytes, after_name) == b']' { after_name + 1 } else { after_name };
    let separator = run_end(bytes, after_name, 8, |byte| byte.is_ascii_whitespace());
    let value_start = run_end(bytes, separator + 1, 8, |byte| byte.is_ascii_whitespace());
    let spaced = value_start > separator + 1 || separator > after_name;

    match at(bytes, separator) {
        b':' => {
            let Some(kind) = names::field_kind(name) else { return (name_end, Vec::new()) };
            settle(values(text, value_start, quoted_name), kind, name, name_end, |value| {
                value.is_credential(kind, quoted_name)
            })
        }
        b'=' if !matches!(at(bytes, separator + 1), b'=' | b'>' | b'~') => {
            let Some(kind) = names::parameter_kind(name) else { return (name_end, Vec::new()) };
            let in_query = !spaced && is_query_edge(bytes, name_start);
            let value = match at(bytes, value_start) {
                b'"' | b'\'' | b'\\' => values(text, value_start, false).into_iter().next(),
                _ if in_query => Value::bare(text, value_start, is_query_value),
                _ => Value::bare(text, value_start, is_opaque),
            };
            settle(value.into_iter().collect(), kind, name, name_end, |value| {
                if in_query { !value.is_placeholder() } else { value.is_credential(kind, false) }
            })
        }
        _ => (name_end, Vec::new()),
    }
}

/// The credentials among the values. A bare value holds no further names worth a look; a quoted one may.
fn settle(
    values: Vec<Value<'_>>,
    kind: &'static str,
    name: &str,
    name_end: usize,
    is_credential: impl Fn(&Value<'_>) -> bool,
) -> (usize, Vec<Span>) {
    let mut looked_to = name_end;
    let mut spans = Vec::new();
    for value in values {
        let credential = is_credential(&value);
        if credential {
            spans.push(value.span(kind, name));
        }
        if credential || !value.quoted {
            looked_to = looked_to.max(value.end);
        }
    }
    (looked_to, spans)
}

fn is_query_value(byte: u8) -> bool {
    byte > b' ' && !matches!(byte, b'&' | b';' | b'#' | b'"' | b'\'' | b'<' | b'>' | b'\\' | b'`')
}

fn is_opaque(byte: u8) -> bool {
    is_token(byte) || matches!(byte, b'!' | b'@' | b'$' | b'%' | b'^' | b'*')
}

/// Whether a parameter begins here: after `?`, `&` or `#`, or at the start of the text. `a && key=…` is code.
fn is_query_edge(bytes: &[u8], name_start: usize) -> bool {
    match before(bytes, name_start) {
        0 => true,
        b'?' | b'#' => true,
        b'&' => before(bytes, name_start.saturating_sub(1)) != b'&',
        b'[' => true,
        b';' => before(bytes, name_start.saturating_sub(1)) == b'p', // `&amp;`
        _ => false,
    }
}

struct Value<'a> {
    start: usize,
    end: usize,
    text: &'a str,
    quoted: bool,
}

impl<'a> Value<'a> {
    fn new(text: &'a str, start: usize, end: usize, quoted: bool) -> Self {
        // The scheme before a token is no secret, and `Bearer x` must get the placeholder that `x` has elsewhere.
        let value = slice(text, start, end);
        let scheme = ["bearer ", "basic ", "token "]
            .iter()
            .find(|scheme| value.get(..scheme.len()).is_some_and(|head| head.eq_ignore_ascii_case(scheme)))
            .map_or(0, |scheme| scheme.len());
        Self { start: start + scheme, end, text: slice(text, start + scheme, end), quoted }
    }

    fn bare(text: &'a str, start: usize, of: fn(u8) -> bool) -> Option<Self> {
        let end = run_end(text.as_bytes(), start, LONGEST_VALUE, of);
        (end > start).then(|| Self::new(text, start, end, false))
    }

    fn is_placeholder(&self) -> bool {
        is_placeholder(self.text)
    }

    fn is_credential(&self, kind: &str, quoted_name: bool) -> bool {
        if self.text.is_empty() || self.is_placeholder() {
            return false;
        }
        let has = |test: fn(&u8) -> bool| self.text.as_bytes().iter().any(test);
        if self.quoted && quoted_name {
            return true;
        }
        if quoted_name {
            // A bare JSON value: numbers can be passwords and codes; `true` and `null` cannot.
            return has(u8::is_ascii_digit) && matches!(kind, "password" | "secret");
        }
        // In prose and code a name says little; the value has to look like a credential too.
        let opaque = has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic);
        let token_like = self.text.bytes().all(|byte| is_opaque(byte) || (self.quoted && byte != b' '));
        opaque && token_like && self.text.len() >= if self.quoted { 6 } else { 8 }
    }

    fn span(&self, kind: &'static str, name: &str) -> Span {
        Span { start: self.start, end: self.end, kind, name: Some(name.to_owned()), by_format: false }
    }
}

pub(super) fn is_placeholder(text: &str) -> bool {
    text.starts_with("[secret:") || text.eq_ignore_ascii_case(super::HEADER_PLACEHOLDER) || text == "%5BREDACTED%5D"
}

/// The value that begins here: quoted, bare, or every quoted string of a list.
fn values(text: &str, start: usize, quoted_name: bool) -> Vec<Value<'_>> {
    let bytes = text.as_bytes();
    if at(bytes, start) == b'[' && !is_placeholder(slice(text, start, start + 16)) {
        let mut list = Vec::new();
        let mut from = run_end(bytes, start + 1, 16, |byte| byte.is_ascii_whitespace());
        while list.len() < 100
            && let Some((value, after)) = quoted(text, from)
        {
            list.push(value);
            from = run_end(bytes, after, 16, |byte| byte.is_ascii_whitespace() || byte == b',');
        }
        return list;
    }
    if let Some((value, _)) = quoted(text, start) {
        return vec![value];
    }
    let of = if quoted_name {
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'+')
    } else {
        is_opaque
    };
    Value::bare(text, start, of).into_iter().collect()
}

/// A quoted string, whose quotes may be escaped any number of times, and where the text goes on after it.
fn quoted(text: &str, start: usize) -> Option<(Value<'_>, usize)> {
    let bytes = text.as_bytes();
    let quote_at = run_end(bytes, start, 16, |byte| byte == b'\\');
    let quote = at(bytes, quote_at);
    if !matches!(quote, b'"' | b'\'' | b'`') {
        return None;
    }
    let depth = quote_at - start;
    let value_start = quote_at + 1;
    let mut from = value_start;
    loop {
        let rest = bytes.get(from..(from + LONGEST_VALUE).min(bytes.len())).unwrap_or_default();
        let Some(offset) = memchr::memchr(quote, rest) else {
            // Cut before its end: all that is left belongs to it.
            return Some((Value::new(text, value_start, bytes.len(), true), bytes.len()));
        };
        let closing = from + offset;
        let escapes = closing - run_start(bytes, closing, 16, |byte| byte == b'\\').max(value_start);
        if escapes <= depth {
            let end = closing - escapes;
            return Some((Value::new(text, value_start, end.max(value_start), true), closing + 1));
        }
        from = closing + 1;
    }
}
