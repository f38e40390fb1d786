//! What a JSON parser's error message says about the text that it could not parse.

use crate::entry::Request;

/// The engines' messages about text that is not JSON.
const MESSAGES: [&str; 5] =
    ["is not valid JSON", "Unexpected end of JSON input", AT_POSITION, "JSON.parse: ", "JSON Parse error: "];
const ENDS: [&str; 4] =
    ["Unexpected end of JSON input", "Unterminated string in JSON", "unexpected end of data", "Unexpected EOF"];
const AT_POSITION: &str = " JSON at position ";
/// What JavaScript makes of values that are not strings: no server sent them.
const MADE_BY_THE_PAGE: [&str; 3] = ["undefined", "[object Object]", "NaN"];

/// A parser's message, as far as it distinguishes texts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Complaint<'m> {
    /// The text is empty, or ends in the middle of a value.
    TooShort,
    /// Chrome quotes all of a short text.
    Whole(&'m str),
    /// Chrome quotes ten characters on either side of the position in a longer text.
    Quoted(&'m str),
    /// Chrome quotes the start of the text.
    BeginsWith(&'m str),
    /// Chrome gives the position in a text that begins like JSON.
    At(usize),
    /// Safari quotes the character or the word.
    Unexpected(&'m str),
    Unknown,
}

pub(super) fn complaint(message: &str) -> Option<Complaint<'_>> {
    if !MESSAGES.iter().any(|words| message.contains(words)) {
        return None;
    }
    if ENDS.iter().any(|words| message.contains(words)) {
        return Some(Complaint::TooShort);
    }
    if let Some((_, rest)) = message.split_once(AT_POSITION) {
        let digits = rest.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
        return Some(digits.parse().map_or(Complaint::Unknown, Complaint::At));
    }
    if let Some((head, _)) = message.split_once(" is not valid JSON") {
        // Without a quoted text, these are the page's own words.
        let (before, rest) = head.split_once('"')?;
        let (text, after) = rest.rsplit_once('"').filter(|(_, after)| after.is_empty() || *after == "...")?;
        return Some(match (before.ends_with("..."), after.is_empty()) {
            (false, true) => Complaint::Whole(text),
            (false, false) => Complaint::BeginsWith(text),
            (true, _) => Complaint::Quoted(text),
        });
    }
    if let Some((_, rest)) = message.split_once("JSON Parse error: ") {
        let marks = ['\'', '"'];
        let word = rest.split_once(marks).and_then(|(_, rest)| rest.rsplit_once(marks)).map(|(word, _)| word);
        return Some(word.map_or(Complaint::Unknown, Complaint::Unexpected));
    }
    Some(Complaint::Unknown)
}

impl Complaint<'_> {
    /// Whether this response can be the text that the parser read. A body that was not kept is judged by its type and
    /// size.
    pub(super) fn can_be_of(self, request: &Request) -> bool {
        let body = request.response_body.as_deref().filter(|_| request.truncated != Some(true));
        match body {
            Some(body) => self.can_be_of_text(body),
            None => self.can_be_of_unread(request),
        }
    }

    fn can_be_of_text(self, body: &str) -> bool {
        let body = body.trim();
        let error = match serde_json::from_str::<serde::de::IgnoredAny>(body) {
            Ok(_) => return false,
            Err(error) => error,
        };
        match self {
            Self::TooShort => error.is_eof(),
            _ if error.is_eof() => false,
            Self::Whole(text) => body == text.trim(),
            Self::Quoted(text) => body.contains(text),
            Self::BeginsWith(text) => body.starts_with(text.trim_start()),
            Self::At(place) => body.encode_utf16().count() > place && body.starts_with(['{', '[', '"']),
            Self::Unexpected(word) => body.contains(word),
            Self::Unknown => true,
        }
    }

    fn can_be_of_unread(self, request: &Request) -> bool {
        let kind = request.content_type.as_deref().unwrap_or_default();
        let is_empty = request.response_size == Some(0) || matches!(request.status, Some(204 | 205));
        let is_markup = kind.contains("html") || kind.contains("xml");
        // Nobody parses these as JSON.
        let is_other = ["image/", "font/", "audio/", "video/", "text/css"].iter().any(|start| kind.starts_with(start))
            || ["javascript", "zip", "pdf", "wasm"].iter().any(|part| kind.contains(part));
        match self {
            Self::TooShort => is_empty,
            _ if is_empty || is_other || kind.is_empty() || kind.contains("json") => false,
            Self::Whole(text) if request.response_size.is_some_and(|size| size != text.len() as u64) => false,
            Self::Whole(text) | Self::Quoted(text) | Self::BeginsWith(text) | Self::Unexpected(text) => {
                if is_markup {
                    text.trim_start().starts_with('<')
                } else {
                    !MADE_BY_THE_PAGE.contains(&text)
                }
            }
            // Servers hardly send a text that begins like JSON under another type.
            Self::At(_) => false,
            Self::Unknown => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Complaint, complaint};

    #[test]
    fn parser_messages_are_understood() {
        for (message, expected) in [
            ("Unexpected token '<', \"<!doctype \"... is not valid JSON", Some(Complaint::BeginsWith("<!doctype "))),
            ("Unexpected token 'b', \"busy\" is not valid JSON", Some(Complaint::Whole("busy"))),
            ("Unexpected token 'x', ...\"{\"a\":x}bc\"... is not valid JSON", Some(Complaint::Quoted("{\"a\":x}bc"))),
            ("Expected double-quoted property name in JSON at position 7 (line 1 column 8)", Some(Complaint::At(7))),
            ("Unterminated string in JSON at position 7", Some(Complaint::TooShort)),
            ("\"undefined\" is not valid JSON", Some(Complaint::Whole("undefined"))),
            ("The configuration you entered is not valid JSON", None),
            ("\"theme\" in your settings is not valid JSON", None),
            ("SyntaxError: Unexpected end of JSON input", Some(Complaint::TooShort)),
            ("JSON Parse error: Unrecognized token '<'", Some(Complaint::Unexpected("<"))),
            ("JSON Parse error: Unexpected identifier \"undefined\"", Some(Complaint::Unexpected("undefined"))),
            ("JSON.parse: unexpected character at line 1 column 1 of the JSON data", Some(Complaint::Unknown)),
            ("Cannot read properties of undefined (reading 'a')", None),
        ] {
            assert_eq!(complaint(message), expected, "{message}");
        }
    }
}
