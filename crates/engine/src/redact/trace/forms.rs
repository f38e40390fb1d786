//! Where a trace contains credentials, and how a known credential may be written elsewhere in it.

use std::ops::Range;

use serde_json::{Map, Value};

use super::{SHORTEST_INSIDE, is_hidden};
use crate::redact::edges::{at, slice};
use crate::redact::{names, scan};

/// Longest name; tags and quoted values have their own limit.
const LONGEST_NAME: usize = 64;
const LONGEST_VALUE: usize = 8 * 1024;

/// Members of an input that contain its typed value.
pub(super) const TYPED: [&str; 2] = ["__playwright_value_", "value"];

/// Calls that store a value under a name.
const SETTERS: [&str; 6] = ["append", "set", "setItem", "setRequestHeader", "fill", "type"];

/// A known value in one notation, and how much of that notation surrounds the value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Form {
    pub(super) written: String,
    pub(super) before: usize,
    pub(super) after: usize,
    pub(super) secret: String,
    pub(super) kind: &'static str,
}

/// A value in each notation that it may have elsewhere: in JSON, in an address, in HTML. A short value is only found in
/// quotes, and one that is also the name of a field only where a value is expected.
pub(super) fn forms(secret: &str, kind: &'static str) -> Vec<Form> {
    let around = |before: &str, after: &str| Form {
        written: format!("{before}{secret}{after}"),
        before: before.len(),
        after: after.len(),
        secret: secret.to_owned(),
        kind,
    };
    if names::is_plain_name(secret) {
        return vec![around("(\"", "\")"), around("Fill \"", "\""), around("Type \"", "\""), around(":\"", "\"")];
    }
    if secret.len() < SHORTEST_INSIDE {
        let quotes = [("\"", "\""), ("'", "'"), ("`", "`"), ("\\\"", "\\\""), ("&quot;", "&quot;")];
        return quotes.iter().map(|(before, after)| around(before, after)).collect();
    }
    let json = Value::from(secret).to_string();
    let json = json.strip_prefix('"').and_then(|json| json.strip_suffix('"')).unwrap_or(secret).to_owned();
    let encode = |space: &str| -> String {
        let byte = |byte| match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => char::from(byte).to_string(),
            b' ' => space.to_owned(),
            byte => format!("%{byte:02X}"),
        };
        secret.bytes().map(byte).collect()
    };
    let html = secret.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    let written = [secret.to_owned(), json, encode("%20"), encode("+"), html];
    written.into_iter().map(|written| Form { written, ..around("", "") }).collect()
}

/// `{"name": …, "value": …}`, as headers, cookies, forms and stores are written.
pub(super) fn pair(fields: &Map<String, Value>) -> Option<(&str, &str)> {
    Some((fields.get("name")?.as_str()?, fields.get("value")?.as_str()?))
}

/// `{"k": …, "v": {"s": …}}`, as arguments of page functions are written.
pub(super) fn argument(fields: &Map<String, Value>) -> Option<(&str, &str)> {
    Some((fields.get("k")?.as_str()?, fields.get("v")?.get("s")?.as_str()?))
}

/// The kind of the value beside this name, if it is a credential.
pub(super) fn kind_of_pair(place: &str, name: &str, value: &str) -> Option<&'static str> {
    match place {
        "cookies" => Some("cookie"),
        "headers" | "extraHTTPHeaders" => match name.to_ascii_lowercase().as_str() {
            "cookie" | "set-cookie" => Some("cookie"),
            name => names::is_sensitive_header(name).then_some("header"),
        },
        "queryString" | "params" | "formData" | "multipartData" => names::parameter_kind(name).or(form_kind(name)),
        "localStorage" | "sessionStorage" => {
            names::field_kind(name).or_else(|| names::opaque_kind(name).map(|(kind, _)| kind))
        }
        // An element says more about its value than by its name.
        ATTRIBUTES => None,
        _ => form_kind(name).filter(|_| names::fits(name, value)),
    }
}

/// The place name for an element's attributes: `["INPUT", {"name": …}]`.
pub(super) const ATTRIBUTES: &str = "attributes of an element";

/// The place name for an item of a list.
pub(super) fn place_in_list<'p>(items: &[Value], index: usize, place: &'p str) -> &'p str {
    let is_element = index == 1 && matches!(items, [Value::String(_), Value::Object(_), ..]);
    if is_element { ATTRIBUTES } else { place }
}

/// The kind of a form's field, judged by its name; `_csrf` contains a token.
fn form_kind(name: &str) -> Option<&'static str> {
    let ends_in = |word: &str| {
        let start = name.len().checked_sub(word.len()).and_then(|start| name.get(start..));
        start.is_some_and(|end| end.eq_ignore_ascii_case(word))
    };
    names::field_kind(name).or_else(|| (ends_in("csrf") || ends_in("xsrf")).then_some("token"))
}

pub(super) fn is_secret_member(name: &str) -> bool {
    matches!(names::field_kind(name), Some("password" | "secret"))
}

/// The credential in an element: its kind, and the attributes that contain it.
pub(super) fn element_kind<'a>(
    tag: &str,
    attribute: impl Fn(&str) -> Option<&'a str>,
) -> Option<(&'static str, &'static [&'static str])> {
    let text = |name: &str| attribute(name).unwrap_or_default().to_ascii_lowercase();
    let name = attribute("name").unwrap_or_default();
    if tag.eq_ignore_ascii_case("meta") {
        return form_kind(name).map(|kind| (kind, ["content"].as_slice()));
    }
    let kind = text("type");
    let is_choice = ["submit", "button", "reset", "image", "checkbox", "radio"].contains(&kind.as_str());
    if !tag.eq_ignore_ascii_case("input") || is_choice {
        return None;
    }
    let is_typed = kind == "password" || text("autocomplete").starts_with("cc-") || names::is_input_name(name);
    let kind = if is_typed { Some("password") } else { form_kind(name) };
    kind.map(|kind| (kind, TYPED.as_slice()))
}

/// The same for an element in a page snapshot: `["INPUT", {"type": "password", "__playwright_value_": …}]`.
pub(super) fn picture_kind(element: &[Value]) -> Option<(&'static str, &'static [&'static str])> {
    let [Value::String(tag), Value::Object(attributes), ..] = element else { return None };
    element_kind(tag, |name| attributes.get(name).and_then(Value::as_str))
}

/// A credential in a text that is recognised by what precedes it.
#[derive(Debug)]
pub(super) struct Placed {
    pub(super) range: Range<usize>,
    pub(super) kind: &'static str,
}

/// In source code: `form.append('password', '…')`. In HTML: `<input name="csrf_token" value="…">`.
pub(super) fn placed(text: &str) -> Vec<Placed> {
    let mut found: Vec<Placed> =
        memchr::memchr_iter(b',', text.as_bytes()).filter_map(|at| argument_at(text, at)).collect();
    memchr::memchr_iter(b'<', text.as_bytes()).for_each(|at| tag_at(text, at, &mut found));
    found.retain(|placed| {
        let value = slice(text, placed.range.start, placed.range.end);
        !is_hidden(value) && !names::is_word(value) && !names::is_no_value(value)
    });
    found.sort_by_key(|placed| placed.range.start);
    let mut end = 0;
    found.retain(|placed| {
        let is_free = placed.range.start >= end;
        if is_free {
            end = placed.range.end;
        }
        is_free
    });
    found
}

/// The value after the comma, if a credential's quoted name precedes it.
fn argument_at(text: &str, comma: usize) -> Option<Placed> {
    let bytes = text.as_bytes();
    let head = text.get(..comma)?.trim_end();
    let quote = *head.as_bytes().last().filter(|byte| b"\"'`".contains(byte))?;
    // Inside JSON, the quotes have a backslash.
    let head = head.get(..head.len() - 1)?;
    let (head, escape) = head.strip_suffix('\\').map_or((head, ""), |head| (head, "\\"));
    let name_start =
        head.bytes().rev().take(LONGEST_NAME).position(|byte| byte == quote).map(|back| head.len() - back)?;
    let name = head.get(name_start..)?;
    let kind = form_kind(name)?;
    let before = head.get(..name_start - 1)?;
    let before = before.strip_suffix(escape)?.trim_end();

    let gap = bytes.iter().skip(comma + 1).take_while(|byte| byte.is_ascii_whitespace()).count();
    let rest = text.get(comma + 1 + gap..)?.strip_prefix(escape)?;
    if !rest.starts_with(['"', '\'', '`']) {
        return None;
    }
    let start = text.len() - rest.len() + 1;
    let end = closing_quote(text, start, at(bytes, start - 1), !escape.is_empty())?;
    let value = slice(text, start, end);
    let called = before.strip_suffix('(')?.trim_end();
    let word = called.rsplit(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    let is_set = SETTERS.contains(&word) || scan::looks_like_credential(value, kind, true);
    is_set.then_some(Placed { range: start..end, kind })
}

/// The index of the quote that ends the value, or of the backslash before an escaped one.
fn closing_quote(text: &str, start: usize, quote: u8, is_escaped: bool) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut index = start;
    while index < bytes.len().min(start + LONGEST_VALUE) {
        match at(bytes, index) {
            b'\\' if is_escaped && at(bytes, index + 1) == quote => return Some(index),
            b'\\' => index += 2,
            byte if byte == quote => return Some(index),
            b'\n' if quote != b'`' => return None,
            _ => index += 1,
        }
    }
    None
}

fn tag_at(text: &str, open: usize, found: &mut Vec<Placed>) {
    let is_tag =
        |tag: &&str| text.get(open + 1..open + 1 + tag.len()).is_some_and(|name| name.eq_ignore_ascii_case(tag));
    let Some(tag) = ["input", "meta"].into_iter().find(is_tag) else { return };
    let attributes = attributes(text, open + 1 + tag.len());
    let range =
        |name: &str| attributes.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, range)| range);
    let value = |name: &str| range(name).map(|range| slice(text, range.start, range.end));
    let Some((kind, members)) = element_kind(tag, value) else { return };
    found.extend(members.iter().filter_map(|name| range(name)).map(|range| Placed { range: range.clone(), kind }));
}

/// A tag's attributes with the ranges of their values.
fn attributes(text: &str, from: usize) -> Vec<(&str, Range<usize>)> {
    let bytes = text.as_bytes();
    let most = bytes.len().min(from + LONGEST_VALUE);
    let run = |from: usize, of: &dyn Fn(u8) -> bool| (from..most).find(|index| !of(at(bytes, *index))).unwrap_or(most);
    let is_space = |byte: u8| byte.is_ascii_whitespace() || byte == b'/';
    let mut found = Vec::new();
    let mut index = run(from, &is_space);
    while index < most && at(bytes, index) != b'>' {
        let name_end = run(index, &|byte| !byte.is_ascii_whitespace() && !b"=>/".contains(&byte)).max(index + 1);
        let equals = run(name_end, &|byte| byte.is_ascii_whitespace());
        let mut next = name_end;
        if at(bytes, equals) == b'=' {
            let start = run(equals + 1, &|byte| byte.is_ascii_whitespace());
            let quote = at(bytes, start);
            let is_quoted = matches!(quote, b'"' | b'\'');
            let start = start + usize::from(is_quoted);
            let end = if is_quoted {
                run(start, &|byte| byte != quote)
            } else {
                run(start, &|byte| !byte.is_ascii_whitespace() && byte != b'>')
            };
            found.push((slice(text, index, name_end), start..end));
            next = end + usize::from(is_quoted);
        }
        index = run(next, &is_space);
    }
    found
}
