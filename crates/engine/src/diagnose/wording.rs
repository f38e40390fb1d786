//! What the message of an error says about its cause: a status, an address, a connection, or a bug in the code alone.

use crate::url::Url;

/// A number after one of these words is a status, whatever follows.
const BEFORE_STATUS: [&str; 3] = ["status", "statuscode", "http"];
/// A number after one of these words is a status unless a counted thing follows.
const BEFORE_ANSWER: [&str; 11] =
    ["code", "error", "got", "returned", "answered", "response", "responded", "received", "with", "server", "failed"];
/// Words that may follow a response's status: `500 from the server`.
const AFTER_STATUS: [&str; 5] = ["for", "from", "on", "at", "when"];
/// The first words of the reasons that servers write beside a status.
const REASONS: [&str; 22] = [
    "bad",
    "unauthorized",
    "payment",
    "forbidden",
    "not",
    "method",
    "request",
    "conflict",
    "gone",
    "length",
    "precondition",
    "payload",
    "content",
    "unsupported",
    "too",
    "unprocessable",
    "internal",
    "service",
    "gateway",
    "http",
    "error",
    "(",
];
/// Shortest word of an address that counts when the message contains it.
const TELLING_CHARS: usize = 4;

/// Whether the message names this status of a request to this path. Most numbers in messages are something else.
pub(super) fn names_status(message: &str, status: u16, path: &str) -> bool {
    let number = status.to_string();
    message.match_indices(&number).any(|(at, _)| {
        let before = message.get(..at).unwrap_or_default();
        let after = message.get(at + number.len()..).unwrap_or_default();
        is_status(before, after, message, path)
    })
}

fn is_status(before: &str, after: &str, message: &str, path: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '#' | '%');
    let goes_on = |rest: &str| {
        let mut chars = rest.chars();
        let mark = chars.next();
        matches!(mark, Some('.' | ',')) && chars.next().is_some_and(|c| c.is_ascii_digit())
    };
    let comes_from = before.ends_with(|c| is_part(c) || matches!(c, '.' | ',' | '-'));
    if comes_from || after.starts_with(|c| is_part(c) || c == '-') || goes_on(after) {
        return false;
    }
    let last = before.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '/');
    let last = last.rsplit(|c: char| !(c.is_alphanumeric() || matches!(c, '/' | '.' | '_'))).next().unwrap_or_default();
    let last = last.to_ascii_lowercase().replace('_', "");
    let next = after.trim_start();
    let word = next.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default().to_ascii_lowercase();
    let ends = next.is_empty() || next.starts_with([')', ']', ',', ';', ':', '.', '"', '\'', '-', '!', '|']);
    if BEFORE_STATUS.contains(&last.as_str()) || last.starts_with("http/") {
        return true;
    }
    let is_reason = next.starts_with(|c: char| c.is_ascii_uppercase() || c == '(')
        && REASONS.contains(
            &next.trim_start_matches('(').split(' ').next().unwrap_or_default().to_ascii_lowercase().as_str(),
        );
    if is_reason {
        return true;
    }
    if BEFORE_ANSWER.contains(&last.as_str()) && (ends || AFTER_STATUS.contains(&word.as_str())) {
        return true;
    }
    let is_first = before.trim_matches(|c: char| !c.is_alphanumeric()).is_empty();
    // In brackets or at the end it may be any number, unless the message mentions what was requested.
    ends && (is_first || (before.trim_end().ends_with(['(', '[', ':', '=']) && speaks_of_path(message, path)))
}

/// Whether the message contains a word of the path: `cart` of `/api/cart/7`.
fn speaks_of_path(message: &str, path: &str) -> bool {
    let message = message.to_ascii_lowercase();
    let words = path.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| word.len() >= TELLING_CHARS);
    words.map(|word| word.to_ascii_lowercase()).any(|word| {
        let stem = word.strip_suffix('s').filter(|stem| stem.len() >= TELLING_CHARS).unwrap_or(&word);
        message.contains(stem)
    })
}

/// Whether the message names another address than this path. A status beside it belongs to that address.
pub(super) fn names_another_address(message: &str, path: &str) -> bool {
    let is_edge = |c: char| c.is_whitespace() || "()[]<>'\"`,;".contains(c);
    let words = message.split(is_edge).map(|word| word.trim_end_matches(['.', ':', '!', '?']));
    let named = words.filter_map(|word| {
        let is_address = word.contains("://") && !word.starts_with("://");
        let is_path = word.strip_prefix('/').is_some_and(|rest| rest.starts_with(char::is_alphabetic));
        let named = Url::new(word).path;
        // Source positions are addresses as well.
        let is_file = [".js", ".ts", ".jsx", ".tsx", ".mjs", ".vue", ".svelte"].iter().any(|end| named.contains(end));
        ((is_address || is_path) && named.len() > 1 && !is_file).then_some(named)
    });
    let named: Vec<&str> = named.collect();
    // Pages often leave out the prefix that all their requests share.
    !named.is_empty() && !named.iter().any(|named| path.ends_with(named.trim_end_matches('/')))
}

/// Whether the message names this address: its whole path, and no other host or longer path.
pub(super) fn names_address(message: &str, url: &str) -> bool {
    let Url { authority, path, .. } = Url::new(url);
    let (Some(origin), Some(host)) = (Url::new(url).origin(), authority) else { return false };
    if path.len() <= 1 {
        return false;
    }
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '/' | '-' | '_' | '%' | '~' | '@' | '+');
    message.match_indices(path).any(|(at, _)| {
        let before = message.get(..at).unwrap_or_default();
        let after = message.get(at + path.len()..).unwrap_or_default();
        let goes_on = after.starts_with(is_part)
            || after.strip_prefix(['.', ':']).is_some_and(|rest| rest.starts_with(char::is_alphanumeric));
        let start =
            before.rfind(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '(' | '[' | '<' | ',' | '='));
        let prefix = before.get(start.map_or(0, |start| start + 1)..).unwrap_or_default();
        // Skips the remaining bytes of a multi-byte character.
        let prefix = prefix.trim_start_matches(|c: char| !c.is_ascii());
        let is_whole =
            prefix.is_empty() || prefix == origin || prefix == host || prefix.ends_with(':') && !prefix.contains('/');
        is_whole && !goes_on
    })
}

/// Messages of JavaScript, the document and frameworks about the code alone, whatever a server answered.
pub(super) fn is_of_code_alone(message: &str) -> bool {
    let message = message.strip_prefix("Uncaught ").unwrap_or(message);
    let message = message
        .split_once("Error: ")
        .map_or(message, |(kind, rest)| if kind.chars().all(char::is_alphanumeric) { rest } else { message });
    let is_name = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$');
    message.strip_suffix(" is not defined").is_some_and(is_name)
        || message.strip_prefix("Can't find variable: ").is_some_and(is_name)
        || message.starts_with("Cannot access '") && message.ends_with("before initialization")
        || message.starts_with("can't access lexical declaration")
        || message.starts_with("Assignment to constant variable")
        || message.starts_with("invalid assignment to const")
        || message.starts_with("Attempted to assign to readonly property")
        || FRAMEWORK_RULES.iter().any(|rule| message.starts_with(rule))
        || minified_react_error(message).is_some_and(|number| REACT_RULES.contains(&number))
        || is_refused_by_document(message)
}

/// Messages of frameworks about code that breaks their rules, or that renders something else than the server did.
const FRAMEWORK_RULES: [&str; 9] = [
    "Invalid hook call",
    "Rendered more hooks than",
    "Rendered fewer hooks than",
    "Hydration failed",
    "Text content does not match server-rendered HTML",
    "There was an error while hydrating",
    "ResizeObserver loop",
    "Too many re-renders",
    "inject() can only be used inside setup()",
];
/// The same errors as React's production build numbers them. Others, such as 31, concern what is rendered, which may
/// come from a server.
const REACT_RULES: [u32; 10] = [300, 301, 310, 321, 418, 419, 421, 422, 423, 425];

/// `418` of `Minified React error #418; visit …`.
fn minified_react_error(message: &str) -> Option<u32> {
    let rest = message.strip_prefix("Minified React error #")?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// A call that the document or the browser's storage rejected, whatever a server answered.
fn is_refused_by_document(message: &str) -> bool {
    const ABOUT_REQUESTS: [&str; 8] =
        ["Response", "Request", "XMLHttpRequest", "WebSocket", "EventSource", "Headers", "Blob", "FileReader"];
    let Some((_, rest)) = message.split_once("Failed to execute '") else { return false };
    let Some((_, owner)) = rest.split_once("' on '") else { return false };
    let owner = owner.split('\'').next().unwrap_or_default();
    !owner.is_empty() && !ABOUT_REQUESTS.contains(&owner) && !message.starts_with("Failed to execute 'fetch'")
}

/// What engines write around names in the code; it means nothing by itself.
const AROUND_NAMES: [&str; 9] = [
    "(reading '",
    "(setting '",
    "(evaluating '",
    " is not defined",
    " is not a function",
    " is not iterable",
    " is not a constructor",
    " is undefined",
    " is null",
];
const CONNECTION_WORDS: [&str; 6] = ["socket", "websocket", "connection", "disconnect", "disconnected", "stream"];

/// Whether the message is about a connection, and not only about a variable of that name.
pub(super) fn speaks_of_connection(message: &str) -> bool {
    if AROUND_NAMES.iter().any(|words| message.contains(words)) {
        return false;
    }
    let lower = message.to_ascii_lowercase();
    lower.contains("closing or closed")
        || lower
            .split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
            .any(|word| CONNECTION_WORDS.contains(&word))
}

/// Whether a function's name says that it handles the end of a connection. Dialogs and images have `onClose` and
/// `onerror`, too.
pub(super) fn handles_lost_connection(function: &str) -> bool {
    let (owner, name) = function.rsplit_once('.').unwrap_or(("", function));
    let owner = owner.to_ascii_lowercase();
    if matches!(name, "onclose" | "onerror") {
        return owner.is_empty() && name == "onclose" || owner.contains("socket") || owner.ends_with("ws");
    }
    let name = name.to_ascii_lowercase();
    let event = name.strip_prefix("handle").unwrap_or(&name);
    let event = event.strip_prefix("on").unwrap_or(event);
    let events = ["disconnect", "disconnected", "connectionlost", "connectionclosed", "socketclose", "socketclosed"];
    events.contains(&event) || matches!(event, "socketerror" | "wsclose" | "wserror")
}
