//! Credentials in addresses, where names and values may be percent-encoded.

use super::edges::slice;
use super::names;
use super::scan::{self, Span};

/// Spans of parameter values whose name or decoded value gives them away. What is plain, the text scan finds.
pub(super) fn encoded_spans(url: &str) -> Vec<(Span, String)> {
    let mut found = Vec::new();
    if !url.contains('%') {
        return found;
    }
    let Some(query) = url.find(['?', '#']) else { return found };
    let mut start = query + 1;
    while start < url.len() {
        let end =
            url.get(start..).and_then(|rest| rest.find(['&', '#', '?'])).map_or(url.len(), |offset| start + offset);
        let pair = slice(url, start, end);
        if let Some((name, value)) = pair.split_once('=')
            && pair.contains('%')
            && !value.is_empty()
        {
            let value_start = start + name.len() + 1;
            let decoded = decode(value);
            let kind = names::parameter_kind(&decode(name))
                .or_else(|| scan::spans(&decoded).first().map(|span| span.kind))
                .filter(|_| !scan::is_placeholder(&decoded));
            if let Some(kind) = kind {
                found.push((Span::by_name(value_start, end, kind, Some(decode(name))), decoded));
            }
        }
        start = end + 1;
    }
    found
}

/// Percent-decoding, once; what is not UTF-8 is replaced.
fn decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut ahead = rest.clone();
        let digits = [ahead.next(), ahead.next()].map(|digit| digit.and_then(|digit| char::from(digit).to_digit(16)));
        if let [Some(high), Some(low)] = digits {
            bytes.push((high * 16 + low) as u8);
            rest = ahead;
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
