//! Finds the credentials in a text: one pass of an automaton over all literals and names, then a bounded look around
//! each hit.

use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::edges::{at, before, follows, is_token, is_word, run_end, run_start, slice};
use super::formats::FORMATS;
use super::names;
use super::views;

/// The position and kind of a credential.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) kind: &'static str,
    /// The name of the field or parameter whose value it is.
    pub(super) name: Option<String>,
    /// For a bare number in JSON: the number of backslashes before the quotes that its placeholder needs, so that the
    /// text stays JSON.
    pub(super) quotes: Option<usize>,
    rank: Rank,
}

/// How much a rule knows about its match. A scheme such as `Bearer` says less than the format of the token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Name,
    Scheme,
    Format,
}

impl Span {
    pub(super) fn by_name(start: usize, end: usize, kind: &'static str, name: Option<String>) -> Self {
        Self { start, end, kind, name, quotes: None, rank: Rank::Name }
    }
}

/// A longer text is not a name.
const LONGEST_NAME: usize = 64;
/// No scanned text is longer, so a value is always followed to its end.
const LONGEST_VALUE: usize = 32 * 1024;
/// How far away the other attributes of a tag, or the other members of a pair, may be.
const LONGEST_TAG: usize = 200;
/// How much of an element's CDATA is scanned.
const LONGEST_CDATA: usize = 4096;
/// Most headers that follow the naming header in a part of a multipart form.
const MOST_PART_HEADERS: usize = 6;

fn automaton() -> Option<&'static AhoCorasick> {
    static AUTOMATON: OnceLock<Option<AhoCorasick>> = OnceLock::new();
    AUTOMATON
        .get_or_init(|| {
            let literals = FORMATS.iter().map(|format| format.literal).chain(names::clues());
            AhoCorasick::builder()
                .ascii_case_insensitive(true)
                .match_kind(MatchKind::Standard)
                .kind(Some(AhoCorasickKind::DFA))
                .build(literals)
                .ok()
        })
        .as_ref()
}

/// Whether anything in the text could belong to a credential. Cheap, and reliable when the answer is no.
pub(super) fn is_suspicious(text: &str) -> bool {
    let Some(automaton) = automaton() else { return true };
    // Every address contains `://`, few a credential. Checking that hit at once spares most texts the rest.
    let is_suspect = |hit: aho_corasick::Match| match FORMATS.get(hit.pattern().as_usize()) {
        Some(format) if format.is_common() => format.span(text, hit.start(), hit.end()).is_some(),
        _ => true,
    };
    automaton.find_overlapping_iter(text).any(is_suspect) || views::is_encoded(text)
}

/// Every credential in the text, in order and without overlaps.
pub(super) fn spans(text: &str) -> Vec<Span> {
    let Some(automaton) = automaton() else {
        // Without the automaton nothing can be checked: redact everything rather than leak.
        return vec![Span::by_name(0, text.len(), "secret", None)];
    };
    let mut found = plain_spans(automaton, text);
    for view in views::views(text) {
        found.extend(plain_spans(automaton, &view.text).into_iter().map(|span| Span {
            start: view.origin(span.start),
            end: view.origin(span.end),
            quotes: None,
            ..span
        }));
    }
    found.extend(encoded_names(text));
    found.retain(|span| span.start < span.end);
    found.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
    merge(found)
}

/// The positions of these literals in the text, in order and without overlaps.
pub(super) fn echoes(text: &str, secrets: &[(String, &'static str)]) -> Vec<Span> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    for (secret, kind) in secrets.iter().filter(|(secret, _)| secret.len() <= text.len()) {
        // A word or a number can be part of a longer one that means something else.
        let plain =
            secret.bytes().all(|byte| byte.is_ascii_alphabetic()) || secret.bytes().all(|byte| byte.is_ascii_digit());
        for start in memchr::memmem::find_iter(bytes, secret.as_bytes()) {
            let end = start + secret.len();
            let inside = plain && (follows(bytes, start, is_word) || is_word(at(bytes, end)));
            let of_placeholder = slice(text, 0, start).ends_with("[secret:");
            if !inside && !of_placeholder {
                found.push(Span::by_name(start, end, kind, None));
            }
        }
    }
    found.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
    merge(found)
}

/// Finds credentials in the text as it is written.
fn plain_spans(automaton: &AhoCorasick, text: &str) -> Vec<Span> {
    let mut found: Vec<Span> = Vec::new();
    // The same rule does not look again at what an earlier hit settled: this keeps hostile text linear.
    let mut settled = [0; FORMATS.len()];
    let mut names_to = 0;
    let mut containers_to = 0;
    for hit in automaton.find_overlapping_iter(text) {
        let index = hit.pattern().as_usize();
        match FORMATS.get(index).zip(settled.get_mut(index)) {
            Some((format, settled_to)) if hit.start() >= *settled_to => {
                if let Some((start, end)) = format.span(text, hit.start(), hit.end()) {
                    *settled_to = end;
                    let rank = if matches!(format.kind, "bearer" | "basic_auth") { Rank::Scheme } else { Rank::Format };
                    found.push(Span { start, end, kind: format.kind, name: None, quotes: None, rank });
                } else if let Some(end) = format.hopeless_to(text, hit.end()) {
                    *settled_to = end;
                }
            }
            None if hit.end() > names_to => {
                let (name_start, name_end) = whole_name(text.as_bytes(), hit.start(), hit.end());
                let (looked_to, spans) = by_name(text, name_start, name_end, &mut containers_to);
                names_to = looked_to;
                found.extend(spans);
            }
            _ => {}
        }
    }
    found
}

/// Finds values of parameters with a percent-encoded name. The value extends to the parameter's end; in a view, where
/// an encoded `&` is a `&`, it would seem to end too early.
fn encoded_names(text: &str) -> Vec<Span> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    if memchr::memchr(b'%', bytes).is_none() {
        return found;
    }
    let mut looked_to = 0;
    for equals in memchr::memchr_iter(b'=', bytes) {
        if equals < looked_to {
            continue;
        }
        let of_name = |byte: u8| is_name(byte) || matches!(byte, b'%' | b'[' | b']' | b'+');
        let name = slice(text, run_start(bytes, equals, 3 * LONGEST_NAME, of_name), equals);
        let Some(name) = views::percent_decoded(name) else { continue };
        let Some(kind) = names::parameter_kind(&name) else { continue };
        if let Some(value) = Value::of_parameter(text, equals + 1) {
            looked_to = value.end;
            if !value.is_placeholder() {
                found.push(value.span(kind, &name));
            }
        }
    }
    found
}

/// Merges overlapping spans. Two rules may find the same credential: everything that either found is redacted, under
/// the name of the rule with the higher rank.
fn merge(found: Vec<Span>) -> Vec<Span> {
    let mut merged: Vec<Span> = Vec::with_capacity(found.len());
    for span in found {
        match merged.last_mut() {
            Some(last) if span.start < last.end => {
                if span.start != last.start || span.end != last.end {
                    last.quotes = None;
                }
                last.end = last.end.max(span.end);
                if span.rank > last.rank {
                    last.kind = span.kind;
                    last.rank = span.rank;
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
    let from = run_start(bytes, start, LONGEST_NAME, is_name);
    // The `n` of an escaped line break does not belong to the name after it.
    let is_escape = before(bytes, from) == b'\\' && matches!(at(bytes, from), b'n' | b'r' | b't') && from < start;
    (from + usize::from(is_escape), run_end(bytes, end, LONGEST_NAME, is_name))
}

/// Finds the value of `"name": "value"`, `name=value`, `name: 'value'` or `name: value`, escaped or not. Also returns
/// up to where names need not be searched again. Lists and objects before `containers_to` are already processed.
fn by_name(text: &str, name_start: usize, name_end: usize, containers_to: &mut usize) -> (usize, Vec<Span>) {
    let bytes = text.as_bytes();
    let name = slice(text, name_start, name_end);
    // Forms nest names as `user[password]=…`; in JSON such a name is `"user[password]"`.
    let bracket = |index: usize| if at(bytes, index) == b']' { index + 1 } else { index };
    let name_close = bracket(name_end);
    let after_escapes = run_end(bytes, name_close, 16, |byte| byte == b'\\');
    let closes_quote = matches!(at(bytes, after_escapes), b'"' | b'\'' | b'`');
    let quoted_name =
        closes_quote && (matches!(before(bytes, name_start), b'"' | b'\'' | b'`') || name_close > name_end);
    let escapes = quoted_name.then_some(after_escapes - name_close);
    let after_name = if closes_quote { bracket(after_escapes + 1) } else { name_close };
    let separator = run_end(bytes, after_name, 8, |byte| byte.is_ascii_whitespace());
    let value_start = run_end(bytes, separator + 1, 8, |byte| byte.is_ascii_whitespace());
    let spaced = value_start > separator + 1 || separator > after_name;

    match (at(bytes, separator), at(bytes, separator + 1)) {
        (b':', _) => {
            let Some(rule) = NameRule::of_field(text, name, name_start) else { return (name_end, Vec::new()) };
            of_field(text, value_start, &rule, name_end, escapes, containers_to)
        }
        // Ruby and PHP print maps as `"password"=>"…"`; without quotes it is a function.
        (b'=', b'>') if quoted_name => {
            let Some(rule) = NameRule::of_field(text, name, name_start) else { return (name_end, Vec::new()) };
            let value_start = run_end(bytes, separator + 2, 8, |byte| byte.is_ascii_whitespace());
            of_field(text, value_start, &rule, name_end, escapes, containers_to)
        }
        (b'=', next) if !matches!(next, b'=' | b'>' | b'~') => {
            // `map[key]=…` is code, `user[password]=…` a form.
            let in_brackets = before(bytes, name_start) == b'[';
            let in_query = !spaced && is_query_edge(bytes, name_start);
            let rule = if in_brackets {
                NameRule::of_field(text, name, name_start)
            } else {
                NameRule::of_parameter(text, name, name_start, in_query)
            };
            let Some(rule) = rule else { return (name_end, Vec::new()) };
            let value = match at(bytes, value_start) {
                b'"' | b'\'' | b'\\' => quoted(text, value_start).map(|(value, _)| value),
                _ if in_query => Value::of_parameter(text, value_start),
                _ => Value::bare(text, value_start, is_opaque),
            };
            let joins: &[u8] = if in_query { b"&" } else { PASSWORD_JOINS };
            let value = value.map(|value| if rule.kind == "password" { value.with_rest(text, joins) } else { value });
            settle(value.into_iter().collect(), &rule, name_end, |value| {
                if in_query {
                    !value.is_placeholder() && rule.fits(value.text)
                } else {
                    rule.is_credential(value, false)
                }
            })
        }
        _ => {
            let found = if is_tag(bytes, name_start) {
                of_element(text, name, name_start, name_end)
            } else if closes_quote {
                of_pair(text, name, name_start, after_name)
                    .or_else(|| of_listed_pair(text, name, name_start, after_name))
            } else if let Some((value, kind)) = of_sentence(text, name, name_start, separator) {
                return (value.end, vec![value.span(kind, name)]);
            } else {
                of_bare_type(text, name, name_start, name_end)
            };
            settle_one(found, name, name_end)
        }
    }
}

/// What a name requires of its value.
struct NameRule<'n> {
    name: &'n str,
    kind: &'static str,
    /// For a name that alone says too little: the length from which an opaque value counts.
    opaque: Option<usize>,
}

impl<'n> NameRule<'n> {
    fn of_field(text: &str, name: &'n str, name_start: usize) -> Option<Self> {
        let (kind, opaque) = match names::field_or_opaque_kind(name) {
            Some((kind, None)) => (kind, None),
            weak => spaced_key(text, name, name_start).map(|kind| (kind, None)).or(weak)?,
        };
        Some(Self { name, kind, opaque })
    }

    fn of_parameter(text: &str, name: &'n str, name_start: usize, in_query: bool) -> Option<Self> {
        if let Some(kind) = names::parameter_kind(name) {
            return Some(Self { name, kind, opaque: None });
        }
        let opaque = names::opaque_parameter_kind(name).filter(|_| in_query);
        opaque
            .map(|(kind, min)| Self { name, kind, opaque: Some(min) })
            .or_else(|| Self::of_field(text, name, name_start))
    }

    /// Whether this can be a value of the name at all.
    fn fits(&self, value: &str) -> bool {
        self.opaque.is_none_or(|min| names::is_opaque(value, min)) && fits(value, self.name, self.kind)
    }

    fn is_credential(&self, value: &Value<'_>, quoted_name: bool) -> bool {
        if names::is_symbol(self.kind, value.text) {
            return false;
        }
        // A cookie's pairs are separated by spaces, which no other bare credential contains.
        let is_cookie = self.kind == "cookie" && !value.is_placeholder();
        self.fits(value.text) && (is_cookie || value.is_credential(self.kind, self.name, quoted_name))
    }
}

/// Whether a value of this kind can look like this: cookies are pairs, or opaque.
pub(super) fn fits(value: &str, name: &str, kind: &str) -> bool {
    let is_nothing = kind != "password" && names::is_no_value(value);
    names::fits(name, value)
        && !is_nothing
        && !names::is_about(name, value, kind)
        && (kind != "cookie" || is_cookie(value))
}

/// Whether this sets or sends a cookie: `theme=dark`, but not only its attributes or a deleted value.
pub(super) fn is_cookie(text: &str) -> bool {
    let is_pair = |pair: &str| {
        let Some((name, value)) = pair.trim().split_once('=') else { return false };
        let is_attribute = ["expires", "path", "domain", "max-age", "samesite", "priority"]
            .iter()
            .any(|attribute| name.eq_ignore_ascii_case(attribute));
        let is_name = !name.is_empty() && name.bytes().all(|byte| byte > b' ');
        let value = value.trim_matches(['"', '\'', '\\']);
        is_name && !is_attribute && !value.is_empty() && !value.starts_with(['=', ' ', '>']) && !is_placeholder(value)
    };
    text.split(';').any(is_pair) || looks_like_credential(text, "cookie", false)
}

/// A name with a space in it: `api key: …`.
fn spaced_key(text: &str, name: &str, name_start: usize) -> Option<&'static str> {
    let bytes = text.as_bytes();
    if !name.eq_ignore_ascii_case("key") || before(bytes, name_start) != b' ' {
        return None;
    }
    let end = name_start - 1;
    let word = slice(text, run_start(bytes, end, 12, |byte| byte.is_ascii_alphabetic()), end).to_ascii_lowercase();
    ["api", "access", "secret", "private", "auth", "license"].contains(&word.as_str()).then_some("api_key")
}

/// The value of a field whose name may be in quotes with `escapes` backslashes.
fn of_field(
    text: &str,
    value_start: usize,
    rule: &NameRule<'_>,
    name_end: usize,
    escapes: Option<usize>,
    containers_to: &mut usize,
) -> (usize, Vec<Span>) {
    let bytes = text.as_bytes();
    let is_credential = |value: &Value<'_>| rule.is_credential(value, escapes.is_some());
    let is_container =
        matches!(at(bytes, value_start), b'[' | b'{') && placeholder_len(slice(text, value_start, bytes.len())) == 0;
    if !is_container {
        let of = if escapes.is_some() { is_json_scalar } else { is_opaque };
        if let Some((value, _)) = quoted(text, value_start) {
            return settle(vec![value], rule, name_end, is_credential);
        }
        // A scheme whose token is already redacted is not a value itself.
        let after_scheme = if rule.kind == "bearer" { any_scheme_end(bytes, value_start) } else { None };
        if after_scheme.is_some_and(|from| placeholder_len(slice(text, from, bytes.len())) > 0) {
            return (name_end, Vec::new());
        }
        if let Some(value) = of_header_line(text, value_start, rule.kind) {
            return (value.end, vec![value.span(rule.kind, rule.name)]);
        }
        let bare = Value::bare(text, value_start, of).map(|value| Value { scalar: escapes, ..value });
        return settle(bare.into_iter().collect(), rule, name_end, is_credential);
    }
    // A container's members have their own names; a name that says little says nothing about them.
    if value_start < *containers_to || rule.opaque.is_some() {
        return (name_end, Vec::new());
    }
    let is_weak = names::is_weak(rule.name);
    let (values, end) = match escapes {
        Some(escapes) => contained(text, value_start, escapes, is_weak),
        None => listed(text, value_start),
    };
    *containers_to = end;
    // Names in the container are searched as well: it may only look like JSON.
    let credentials = values.iter().filter(|value| is_credential(value) && !names::is_complaint(value.text));
    (name_end, credentials.map(|value| value.span(rule.kind, rule.name)).collect())
}

/// The value of `Cookie: a=b; c=d` or `Authorization: Scheme value`, as texts write headers.
fn of_header_line<'t>(text: &'t str, start: usize, kind: &str) -> Option<Value<'t>> {
    let bytes = text.as_bytes();
    // Only a pair right at the start makes the scan follow the line to its end.
    let has_pair = |from: usize| {
        let equals = run_end(bytes, from, LONGEST_NAME, |byte| is_token(byte) && byte != b'=');
        let next = at(bytes, equals + 1);
        equals > from && at(bytes, equals) == b'=' && next > b' ' && !matches!(next, b'=' | b';' | b'[' | b'>')
    };
    match kind {
        "cookie" if has_pair(start) => {
            let end = line_end(bytes, start);
            let value = Value { start, end, text: slice(text, start, end), quoted: false, scalar: None };
            is_cookie(value.text).then_some(value)
        }
        "bearer" => {
            let from = any_scheme_end(bytes, start)?;
            let token_end = run_end(bytes, from, LONGEST_VALUE, is_opaque);
            let token = slice(text, from, token_end);
            // Padding ends a token, too, and so does the quote of the string that contains it.
            let after_quote = run_end(bytes, token_end, 16, |byte| matches!(byte, b'\\' | b'"' | b'\''));
            let is_parameters = has_pair(from) && (!token.ends_with('=') || is_word(at(bytes, after_quote)));
            let end = if is_parameters { line_end(bytes, from) } else { token_end };
            let is_secret = is_parameters || looks_like_credential(token, kind, false) || token.len() >= 24;
            is_secret.then(|| Value { start: from, end, text: slice(text, from, end), quoted: false, scalar: None })
        }
        _ => None,
    }
}

/// The start of the value that follows a word and a space.
fn any_scheme_end(bytes: &[u8], start: usize) -> Option<usize> {
    let scheme = run_end(bytes, start, 32, |byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let from = run_end(bytes, scheme, 4, |byte| matches!(byte, b' ' | b'\t'));
    (scheme > start && from > scheme).then_some(from)
}

/// The end of a header's value that consists of pairs: the end of its line, or of the string that contains it. Quoted
/// values belong to it.
fn line_end(bytes: &[u8], start: usize) -> usize {
    let mut from = start;
    loop {
        let stop = run_end(bytes, from, LONGEST_VALUE, |byte| {
            !matches!(byte, b'\n' | b'\r' | b'"' | b'\'' | b'`' | b'\\' | b'<')
        });
        let quote_at = run_end(bytes, stop, 16, |byte| byte == b'\\');
        let quote = at(bytes, quote_at);
        if !matches!(quote, b'"' | b'\'') || before(bytes, stop) != b'=' {
            return stop;
        }
        let rest = bytes.get(quote_at + 1..).unwrap_or_default();
        let Some(length) = memchr::memchr(quote, rest) else { return stop };
        from = quote_at + 1 + length + 1;
    }
}

fn is_json_scalar(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'+')
}

/// Whether the name, with or without a namespace, is a tag's name.
fn is_tag(bytes: &[u8], name_start: usize) -> bool {
    before(bytes, tag_start(bytes, name_start)) == b'<'
}

fn tag_start(bytes: &[u8], name_start: usize) -> usize {
    run_start(bytes, name_start, LONGEST_NAME, |byte| is_name(byte) || byte == b':')
}

/// `<password>…</password>`, with a namespace, attributes or CDATA.
fn of_element<'t>(text: &'t str, name: &str, name_start: usize, name_end: usize) -> Option<(Value<'t>, &'static str)> {
    let bytes = text.as_bytes();
    let kind = names::field_kind(name)?;
    let tag = slice(text, tag_start(bytes, name_start), name_end);
    let attributes = run_end(bytes, name_end, LONGEST_TAG, |byte| !matches!(byte, b'>' | b'<'));
    let has_attributes = attributes == name_end || at(bytes, name_end).is_ascii_whitespace();
    if at(bytes, attributes) != b'>' || before(bytes, attributes) == b'/' || !has_attributes {
        return None;
    }
    let start = attributes + 1;
    let first = run_end(bytes, start, 16, |byte| byte.is_ascii_whitespace());
    const CDATA: &str = "<![CDATA[";
    if slice(text, first, first + CDATA.len()) == CDATA {
        let start = first + CDATA.len();
        let within = bytes.get(start..(start + LONGEST_CDATA).min(bytes.len())).unwrap_or_default();
        let length = memchr::memmem::find(within, b"]]>").unwrap_or(within.len());
        // The limit may lie inside a multi-byte character.
        let end = (start..=start + length).rev().find(|end| text.is_char_boundary(*end))?;
        return Some((Value::new(text, start, end, true), kind));
    }
    let end = run_end(bytes, start, LONGEST_VALUE, |byte| byte != b'<');
    let closing = slice(text, end, end + tag.len() + 2).strip_prefix("</")?;
    let value = slice(text, start, end);
    (closing == tag && !value.trim().is_empty()).then(|| (Value::new(text, start, end, true), kind))
}

/// `["Cookie", "…"]`, as lists of headers are written.
fn of_listed_pair<'t>(
    text: &'t str,
    name: &str,
    name_start: usize,
    after_name: usize,
) -> Option<(Value<'t>, &'static str)> {
    let bytes = text.as_bytes();
    let is_space = |byte: u8| byte.is_ascii_whitespace();
    let kind = names::field_kind(name).or_else(|| names::is_sensitive_header(name).then_some("token"))?;
    let quote_at = run_start(bytes, name_start, 17, |byte| matches!(byte, b'"' | b'\'' | b'\\'));
    let comma = run_end(bytes, after_name, 8, is_space);
    if before(bytes, run_start(bytes, quote_at, 8, is_space)) != b'[' || at(bytes, comma) != b',' {
        return None;
    }
    let (value, _) = quoted(text, run_end(bytes, comma + 1, 8, is_space))?;
    // Lists of names look the same: `["token", "password"]`.
    is_labelled(value.text, kind).then_some((value, kind))
}

/// Whether the text after a label of this kind is a credential rather than the next word.
pub(super) fn is_labelled(text: &str, kind: &str) -> bool {
    let token = slice(text, scheme_len(text), text.len());
    match kind {
        _ if is_placeholder(token) => false,
        "cookie" => is_cookie(token),
        "bearer" => token.split([' ', '\t', ',']).any(|word| looks_like_credential(word, kind, true)),
        _ => looks_like_credential(token, kind, false),
    }
}

/// Phrases by which log lines state a value.
const VERBS: [&str; 8] = ["is ", "was ", "is: ", "is now ", "set to ", "was set to ", "changed to ", "was changed to "];
/// Least digits of a password without other characters, in a sentence.
const PASSWORD_DIGITS: usize = 6;
/// Characters that end other values but may be inside a password.
const PASSWORD_JOINS: &[u8] = b"&#;";
const SENTENCE_TOKEN_CHARS: usize = 16;

/// `password is hunter2`, `got token 8f14e45f…`, as in log lines.
fn of_sentence<'t>(
    text: &'t str,
    name: &str,
    name_start: usize,
    separator: usize,
) -> Option<(Value<'t>, &'static str)> {
    let kind = names::field_kind(name).or_else(|| spaced_key(text, name, name_start))?;
    let rest = slice(text, separator, text.len());
    let is_said = |verb: &&&str| rest.get(..verb.len()).is_some_and(|start| start.eq_ignore_ascii_case(verb));
    let verb = VERBS.iter().filter(is_said).map(|verb| verb.len()).max();
    let start = separator + verb.unwrap_or_default();
    let start = run_end(text.as_bytes(), start, 4, |byte| matches!(byte, b' ' | b'"' | b'\'' | b'`' | b'\\'));
    // A sentence has a space or a quote between name and value. Without this check, hostile text such as
    // `bearer+bearer+…` would be read to its end at every name.
    if start == name_start + name.len() {
        return None;
    }
    let value = Value::bare(text, start, is_opaque)?;
    let value = if kind == "password" { value.with_rest(text, PASSWORD_JOINS) } else { value };
    // The full stop ends the sentence.
    let word = value.text.trim_end_matches('.');
    let is_credential = match kind {
        "password" => {
            let is_number = word.len() >= PASSWORD_DIGITS && word.bytes().all(|byte| byte.is_ascii_digit());
            let is_mixed = looks_like_credential(word, kind, false) && !names::is_encoding(word);
            verb.is_some() && (is_number || is_mixed)
        }
        "token" | "api_key" | "secret" | "bearer" => is_token_of_sentence(word),
        _ => false,
    };
    is_credential.then(|| (Value { end: value.start + word.len(), text: word, ..value }, kind))
}

/// Whether the word is long and machine-made: not words, a path or an id.
fn is_token_of_sentence(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let letters = word.bytes().filter(u8::is_ascii_alphabetic).count();
    let is_plain = word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    // Hyphens separate words.
    let longest = word.split(['-', '_']).map(str::len).max().unwrap_or_default();
    is_plain && word.len() >= SENTENCE_TOKEN_CHARS && longest >= SENTENCE_TOKEN_CHARS && digits >= 3 && letters >= 3
}

/// `<input type=password value=…>`, without quotes.
fn of_bare_type<'t>(
    text: &'t str,
    name: &str,
    name_start: usize,
    name_end: usize,
) -> Option<(Value<'t>, &'static str)> {
    let is_type = slice(text, name_start.saturating_sub(5), name_start).eq_ignore_ascii_case("type=");
    (is_type && name.eq_ignore_ascii_case("password"))
        .then(|| of_tag(text, name_start.saturating_sub(5), name_end))
        .flatten()
        .map(|value| (value, "password"))
}

/// Finds the value where the name itself is a value: `<input name="password" value="…">`,
/// `{"name":"password","value":"…"}`, or a part of a multipart form.
fn of_pair<'t>(text: &'t str, name: &str, name_start: usize, after_name: usize) -> Option<(Value<'t>, &'static str)> {
    let bytes = text.as_bytes();
    let kind = names::field_kind(name).or_else(|| names::opaque_kind(name).map(|(kind, _)| kind))?;
    let quote_at = run_start(bytes, name_start, 17, |byte| matches!(byte, b'"' | b'\'' | b'\\'));
    let key_end = run_start(bytes, quote_at, 8, |byte| {
        byte.is_ascii_whitespace() || matches!(byte, b':' | b'=' | b'"' | b'\'' | b'\\')
    });
    let key_start = run_start(bytes, key_end, 8, |byte| byte.is_ascii_alphabetic());
    let is_name = matches!(slice(text, key_start, key_end), "name" | "key" | "id" | "field");
    let is_type = slice(text, key_start, key_end) == "type" && name.eq_ignore_ascii_case("password");
    if !is_name && !is_type {
        return None;
    }
    // The value of a multipart form's part follows an empty line.
    for line in ["\r\n", "\\r\\n", "\n", "\\n"] {
        let rest = slice(text, after_name, bytes.len());
        if let Some(rest) = rest.strip_prefix(line).and_then(|rest| after_part_headers(rest, line)) {
            let end = memchr::memmem::find(rest.as_bytes(), line.as_bytes()).unwrap_or(rest.len());
            let start = bytes.len() - rest.len();
            return Some((Value::new(text, start, start + end, true), kind));
        }
    }
    of_tag(text, key_start, after_name).map(|value| (value, kind))
}

/// What follows the empty line that ends the headers of a part; `rest` begins with a line.
fn after_part_headers<'t>(mut rest: &'t str, line: &str) -> Option<&'t str> {
    for _ in 0..MOST_PART_HEADERS {
        if let Some(value) = rest.strip_prefix(line) {
            return Some(value);
        }
        let header = rest.as_bytes();
        let header = header.get(..header.len().min(LONGEST_TAG)).unwrap_or_default();
        let length = memchr::memmem::find(header, line.as_bytes())?;
        // Headers have a name; in anything else, the next line is not a value.
        header.get(..length)?.contains(&b':').then_some(())?;
        rest = rest.get(length + line.len()..)?;
    }
    None
}

/// The value in the same tag or object as the attribute at `key_start..after_name`.
fn of_tag(text: &str, key_start: usize, after_name: usize) -> Option<Value<'_>> {
    let bytes = text.as_bytes();
    let is_tag_end = |byte: u8| matches!(byte, b'>' | b'}' | b'{' | b'<');
    let end = run_end(bytes, after_name, LONGEST_TAG, |byte| !is_tag_end(byte));
    let start = run_start(bytes, key_start, LONGEST_TAG, |byte| !is_tag_end(byte));
    value_attribute(text, after_name, end).or_else(|| value_attribute(text, start, key_start))
}

/// The value of the attribute or member called `value` or `content` that begins in `start..end`.
fn value_attribute(text: &str, start: usize, end: usize) -> Option<Value<'_>> {
    let bytes = text.as_bytes();
    let within = slice(text, start, end);
    let key_end = ["value", "content"].iter().find_map(|key| {
        let offset = within.find(key)?;
        (!is_name(before(bytes, start + offset))).then_some(start + offset + key.len())
    })?;
    let is_space = |byte: u8| byte.is_ascii_whitespace();
    let after_key = run_end(bytes, key_end, 17, |byte| matches!(byte, b'"' | b'\'' | b'\\'));
    let separator = run_end(bytes, after_key, 8, is_space);
    if !matches!(at(bytes, separator), b':' | b'=') {
        return None;
    }
    let value_start = run_end(bytes, separator + 1, 8, is_space);
    let is_bare = |byte: u8| is_query_value(byte) && !matches!(byte, b'{' | b'}' | b'[' | b']' | b',' | b'(' | b')');
    match quoted(text, value_start) {
        Some((value, _)) => Some(value),
        // HTML needs no quotes; in code, an expression follows a colon.
        None if at(bytes, separator) == b'=' => Value::bare(text, value_start, is_bare),
        None => None,
    }
}

fn settle_one(found: Option<(Value<'_>, &'static str)>, name: &str, name_end: usize) -> (usize, Vec<Span>) {
    // A name that says little needs a value that says more.
    let opaque = if names::field_kind(name).is_none() { names::opaque_kind(name) } else { None };
    let is_value = |value: &Value<'_>, kind| {
        let is_opaque = opaque.is_none_or(|(_, min)| names::is_opaque(value.text, min));
        !value.text.is_empty() && !value.is_placeholder() && is_opaque && fits(value.text, name, kind)
    };
    match found.filter(|(value, kind)| is_value(value, kind)) {
        Some((value, kind)) => (name_end, vec![value.span(kind, name)]),
        None => (name_end, Vec::new()),
    }
}

/// The credentials among the values. A bare value contains no further names; a quoted one may, and in hostile text its
/// end is a guess. That stays linear: the next quote of the same kind ends it.
fn settle(
    values: Vec<Value<'_>>,
    rule: &NameRule<'_>,
    name_end: usize,
    is_credential: impl Fn(&Value<'_>) -> bool,
) -> (usize, Vec<Span>) {
    let mut looked_to = name_end;
    let mut spans = Vec::new();
    for value in values {
        if is_credential(&value) {
            spans.push(value.span(rule.kind, rule.name));
        }
        if !value.quoted {
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
    // Forms nest names in brackets; the start of the outermost name counts.
    let name_start = match before(bytes, name_start) {
        b'[' => run_start(bytes, name_start, LONGEST_NAME, |byte| is_name(byte) || matches!(byte, b'[' | b']')),
        _ => name_start,
    };
    match before(bytes, name_start) {
        0 => true,
        b'?' | b'#' => true,
        b'&' => before(bytes, name_start.saturating_sub(1)) != b'&',
        b';' => before(bytes, name_start.saturating_sub(1)) == b'p', // `&amp;`
        _ => false,
    }
}

struct Value<'a> {
    start: usize,
    end: usize,
    text: &'a str,
    quoted: bool,
    /// For a bare JSON value: how the quotes around it are escaped.
    scalar: Option<usize>,
}

impl<'a> Value<'a> {
    fn new(text: &'a str, start: usize, end: usize, quoted: bool) -> Self {
        let start = start + scheme_len(slice(text, start, end));
        Self { start, end, text: slice(text, start, end), quoted, scalar: None }
    }

    fn bare(text: &'a str, start: usize, of: fn(u8) -> bool) -> Option<Self> {
        let end = run_end(text.as_bytes(), start, LONGEST_VALUE, of);
        (end > start).then(|| Self::new(text, start, end, false))
    }

    /// The value of a parameter. An apostrophe belongs to it, as in `it's`, unless it ends a quoted text.
    fn of_parameter(text: &'a str, start: usize) -> Option<Self> {
        let bytes = text.as_bytes();
        let mut end = run_end(bytes, start, LONGEST_VALUE, is_query_value);
        while at(bytes, end) == b'\'' && end > start && (is_word(at(bytes, end + 1)) || at(bytes, end + 1) == b'%') {
            end = run_end(bytes, end + 1, LONGEST_VALUE, is_query_value);
        }
        (end > start).then(|| Self::new(text, start, end, false))
    }

    /// The same up to the next space, unless another parameter begins before it: `Tr0ub4dor&3` is one password.
    fn with_rest(self, text: &'a str, joins: &[u8]) -> Self {
        let bytes = text.as_bytes();
        let mut end = self.end;
        while !self.quoted && joins.contains(&at(bytes, end)) && end - self.start < LONGEST_VALUE {
            let part_end = run_end(bytes, end + 1, LONGEST_VALUE, is_opaque);
            let begins_parameter = at(bytes, run_end(bytes, end + 1, LONGEST_NAME, is_name)) == b'=';
            let is_entity = slice(text, end + 1, end + 5) == "amp;";
            if part_end == end + 1 || begins_parameter || is_entity {
                break;
            }
            end = part_end;
        }
        Self { end, text: slice(text, self.start, end), ..self }
    }

    fn is_placeholder(&self) -> bool {
        is_placeholder(self.text)
    }

    fn is_credential(&self, kind: &str, name: &str, quoted_name: bool) -> bool {
        if self.text.is_empty() || self.is_placeholder() {
            return false;
        }
        if self.quoted && quoted_name {
            return true;
        }
        if quoted_name {
            // For a bare JSON value: numbers can be passwords and codes; `true` and `null` cannot.
            return self.text.bytes().any(|byte| byte.is_ascii_digit()) && names::may_be_number(name);
        }
        looks_like_credential(self.text, kind, self.quoted)
    }

    fn span(&self, kind: &'static str, name: &str) -> Span {
        Span { quotes: self.scalar, ..Span::by_name(self.start, self.end, kind, Some(name.to_owned())) }
    }
}

/// In prose and code a name says little, so the value has to look like a credential, too.
pub(super) fn looks_like_credential(value: &str, kind: &str, quoted: bool) -> bool {
    let has = |test: fn(&u8) -> bool| value.as_bytes().iter().any(test);
    let opaque = has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic);
    let is_part = |byte: u8| kind == "password" && PASSWORD_JOINS.contains(&byte);
    let token_like = value.bytes().all(|byte| is_opaque(byte) || is_part(byte) || (quoted && byte != b' '));
    opaque && token_like && value.len() >= if quoted || kind == "password" { 6 } else { 8 }
}

/// The length in bytes of the authentication scheme before a token. The scheme is not secret, and `x` in `Bearer x`
/// must get the placeholder that `x` has elsewhere.
pub(super) fn scheme_len(value: &str) -> usize {
    ["bearer ", "basic ", "token "]
        .iter()
        .find(|scheme| value.get(..scheme.len()).is_some_and(|head| head.eq_ignore_ascii_case(scheme)))
        .map_or(0, |scheme| scheme.len())
}

/// Whether this was redacted before: it is a placeholder, or a placeholder that was cut. The mark of a cut in place of
/// a value is not a value either.
pub(super) fn is_placeholder(text: &str) -> bool {
    let is_end = |rest: &str| rest.is_empty() || rest.starts_with('…');
    // A parameter's value seems to end at the `#` of its placeholder.
    let is_head = |head: &str| head.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    is_end(slice(text, placeholder_len(text), text.len())) || text.strip_prefix("[secret:").is_some_and(is_head)
}

/// The length of the placeholder that the text begins with; 0 if there is none.
pub(crate) fn placeholder_len(text: &str) -> usize {
    let fixed = [super::HEADER_PLACEHOLDER, "%5BREDACTED%5D"];
    let is_head = |head: &&&str| text.get(..head.len()).is_some_and(|start| start.eq_ignore_ascii_case(head));
    if let Some(head) = fixed.iter().find(is_head) {
        return head.len();
    }
    let bytes = text.as_bytes();
    if !bytes.starts_with(b"[secret:") {
        return 0;
    }
    let kind_end = run_end(bytes, 8, 32, |byte| byte.is_ascii_lowercase() || byte == b'_');
    let number_end = run_end(bytes, kind_end + 1, 10, |byte| byte.is_ascii_digit());
    let whole = at(bytes, kind_end) == b'#' && number_end > kind_end + 1 && at(bytes, number_end) == b']';
    if whole { number_end + 1 } else { 0 }
}

/// Every quoted string of a list, and where the scan stopped.
fn listed(text: &str, start: usize) -> (Vec<Value<'_>>, usize) {
    let bytes = text.as_bytes();
    let mut list = Vec::new();
    let mut from = run_end(bytes, start + 1, 16, |byte| byte.is_ascii_whitespace());
    while let Some((value, after)) = quoted(text, from) {
        list.push(value);
        from = run_end(bytes, after, 16, |byte| byte.is_ascii_whitespace() || byte == b',');
    }
    (list, from)
}

/// Every string and number of a JSON list or object, except the object's own names; and where it ends. Nested
/// containers are covered, so they are not scanned again. A quote with fewer than `escapes` backslashes ends the text
/// that contains the container, and so the container.
///
/// In an object under a weak name, such as `auth`, only values that look like a token are returned.
fn contained(text: &str, start: usize, escapes: usize, is_weak: bool) -> (Vec<Value<'_>>, usize) {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut depth = 0_usize;
    let mut from = start;
    let mut harmless = false;
    let mut member = None;
    let is_meant =
        |member: Option<&str>, value: &str| !is_weak || member.is_none() || names::is_token_member(member, value);
    while from < bytes.len() {
        match at(bytes, from) {
            b'[' if placeholder_len(slice(text, from, bytes.len())) > 0 => {
                from += placeholder_len(slice(text, from, bytes.len()));
            }
            b'[' | b'{' => {
                depth += 1;
                from += 1;
            }
            b']' | b'}' => {
                depth -= 1;
                from += 1;
                if depth == 0 {
                    break;
                }
            }
            b',' => {
                harmless = false;
                from += 1;
            }
            b'"' | b'\'' | b'\\' => {
                let Some((value, after)) = quoted(text, from) else {
                    from += 1;
                    continue;
                };
                if run_end(bytes, from, 16, |byte| byte == b'\\') - from < escapes {
                    break;
                }
                let next = run_end(bytes, after, 8, |byte| byte.is_ascii_whitespace());
                if at(bytes, next) == b':' {
                    harmless = names::is_harmless_member(value.text);
                    member = Some(value.text);
                } else if !harmless && is_meant(member, value.text) {
                    found.push(value);
                }
                from = after;
            }
            byte if byte.is_ascii_digit() => {
                let Some(value) = Value::bare(text, from, is_json_scalar) else { break };
                let value = Value { scalar: Some(escapes), ..value };
                from = value.end;
                if !harmless && is_meant(member, value.text) {
                    found.push(value);
                }
            }
            _ => from += 1,
        }
    }
    (found, from)
}

/// A quoted string, whose quotes may be escaped any number of times, and the index after it.
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
            // The text was cut before the string's end, so all of the rest belongs to it.
            return Some((Value::new(text, value_start, bytes.len(), true), bytes.len()));
        };
        let closing = from + offset;
        let escapes = closing - run_start(bytes, closing, 64, |byte| byte == b'\\').max(value_start);
        // In a string inside `n` strings, quotes have `depth` = 2ⁿ-1 backslashes; a backslash or quote in its content
        // has twice as many. Quotes with fewer backslashes end an outer string.
        let period = 2 * (depth + 1);
        let closes = if (depth + 1).is_power_of_two() { escapes % period == depth } else { escapes == depth };
        if closes || escapes < depth {
            let end = closing - escapes.min(depth);
            return Some((Value::new(text, value_start, end.max(value_start), true), closing + 1));
        }
        from = closing + 1;
    }
}
