//! Decides whether two errors, or two requests, are the same, although the code changed between them.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::content::request_kind;
use crate::contracts::Endpoint;
use crate::entry::Request;
use crate::failures::Failure;
use crate::fingerprint::{is_time, normalize_message};
use crate::text::shorten;
use crate::url::{Url, path_of};

/// A number after one of these words is a status.
const BEFORE_STATUS: [&str; 3] = ["status", "statuscode", "http"];
const STATUS_DIGITS: usize = 3;
/// Length of a message that is examined, and that is kept to recognise it.
const LOOKED_AT_CHARS: usize = 400;
const KEPT_CHARS: usize = 200;
/// Length of a path, and of a query, that is kept to recognise it.
const PATH_CHARS: usize = 300;
const QUERY_CHARS: usize = 300;
/// Usual names of parameters that differ each time, and the digits of a time in milliseconds.
const CACHE_BUSTERS: [&str; 9] = ["_", "t", "ts", "timestamp", "cb", "cachebust", "nocache", "nonce", "_rsc"];
const TIME_DIGITS: usize = 12;
/// Endings of addresses that serve many operations.
const SHARED: [&str; 3] = ["graphql", "gql", "rpc"];

/// The start of a placeholder for a credential.
const PLACEHOLDER: &str = "[secret:";
const CREDENTIAL: &str = "<credential>";

const FILE: &str = "<file>";
const NAME: &str = "<name>";
const SCRIPTS: [&str; 14] =
    ["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "vue", "svelte", "astro", "html", "css", "map"];

/// Represents a text that is only compared. It is the same in each run of the program, and need not be hard to guess.
pub(super) fn hash(text: &String) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// A message without its varying parts: UUIDs, timestamps, files with their lines, numbers. Unlike the grouping of
/// errors it also removes the file: an edit moves code, and development servers rename edited files.
pub(super) fn same_message(message: &str) -> String {
    let message = shorten(message, LOOKED_AT_CHARS);
    shorten(&normalize_message(&spelled_statuses(&without_places(&message))), KEPT_CHARS)
}

/// Writes the digits of statuses as letters, so that they are kept: `status code 500` and `status code 404` are
/// different errors, while other numbers vary.
fn spelled_statuses(message: &str) -> Cow<'_, str> {
    let lower = message.to_ascii_lowercase();
    if !BEFORE_STATUS.iter().any(|word| lower.contains(word)) {
        return Cow::Borrowed(message);
    }
    let is_part = |letter: char| letter.is_alphanumeric();
    let mut out = String::with_capacity(message.len());
    // The last words, without what separates them.
    let mut before = String::new();
    for piece in message.split_inclusive(|letter| !is_part(letter)) {
        let word = piece.trim_end_matches(|letter| !is_part(letter));
        let is_number = word.len() == STATUS_DIGITS && word.bytes().all(|byte| byte.is_ascii_digit());
        if is_number && word.starts_with(['1', '2', '3', '4', '5']) && BEFORE_STATUS.contains(&before.as_str()) {
            out.extend(word.bytes().map(|digit| char::from(b'a' + (digit - b'0'))));
            out.push_str(piece.get(word.len()..).unwrap_or_default());
        } else {
            out.push_str(piece);
        }
        let is_status_code = before == "status" && word.eq_ignore_ascii_case("code");
        if !(word.is_empty() || is_status_code) {
            before = word.to_ascii_lowercase();
        }
    }
    Cow::Owned(out)
}

/// A message without names, too: quoted texts, e-mail addresses, words with digits.
pub(super) fn similar_message(message: &str) -> String {
    const QUOTES: [char; 6] = ['"', '\'', '`', '“', '”', '’'];
    let mut out = String::with_capacity(message.len());
    let mut quote = None;
    for word in message.split_inclusive(char::is_whitespace) {
        let text = word.trim();
        let opens = quote.is_none().then(|| text.trim_start_matches(['(', '[']).chars().next()).flatten();
        let opens = opens.filter(|letter| QUOTES.contains(letter));
        let is_inside = quote.is_some();
        let is_name = opens.is_some() || text.contains(['@', '<']);
        let is_number = text.contains(|letter: char| letter.is_ascii_digit());
        if let Some(mark) = opens.or(quote) {
            let rest = text.trim_end_matches([')', ']', '.', ',', ':', ';', '!', '?']);
            let is_closed = rest.ends_with(mark) && (quote.is_some() || rest.chars().count() > 1);
            quote = (!is_closed).then_some(mark);
        }
        // A quoted text is one name.
        if !is_inside {
            out.push_str(if is_name || is_number { NAME } else { text });
            out.push(' ');
        }
    }
    out
}

/// Replaces each source position such as `file.js:12:5` by a mark.
fn without_places(message: &str) -> Cow<'_, str> {
    if !message.contains(':') {
        return Cow::Borrowed(message);
    }
    let is_edge = |letter: char| letter.is_whitespace() || "()[]<>'\"`,;".contains(letter);
    let mut out = String::with_capacity(message.len());
    for piece in message.split_inclusive(is_edge) {
        let word = piece.trim_end_matches(is_edge);
        let edge = piece.get(word.len()..).unwrap_or_default();
        out.push_str(if is_place(word) { FILE } else { word });
        out.push_str(edge);
    }
    Cow::Owned(out)
}

/// `src/App.jsx:12`, `http://localhost:5173/src/App.jsx?t=17:12:5`; not `localhost:3000`.
fn is_place(word: &str) -> bool {
    let word = word.trim_end_matches([':', '.']);
    let Some(file) = without_number(word) else { return false };
    let file = without_number(file).unwrap_or(file);
    let file = file.split(['?', '#']).next().unwrap_or(file);
    file.rsplit_once('.').is_some_and(|(_, ending)| SCRIPTS.contains(&ending))
}

/// `a:12` without its `:12`.
fn without_number(word: &str) -> Option<&str> {
    let (before, number) = word.rsplit_once(':')?;
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(before)
}

/// The endpoint of a failed request, from its body if known: only the body distinguishes GraphQL operations.
pub(super) fn endpoint_of(failure: &Failure<'_>) -> Option<(Endpoint, String)> {
    match failure {
        Failure::Log(_, Some(body)) => Some(endpoint(&body.entry)),
        Failure::Request(body) => Some(endpoint(&body.entry)),
        Failure::Log(_, None) => {
            let (method, url, _) = failure.request()?;
            Some((Endpoint::of_address(&method.to_ascii_uppercase(), url), url.to_owned()))
        }
    }
}

/// An endpoint and the called address. A purpose that the request states itself counts as an operation.
pub(super) fn endpoint(body: &Request) -> (Endpoint, String) {
    let mut endpoint = Endpoint::from_request(body);
    if endpoint.operation.is_none()
        && let Some(kind) = body.request_body.as_deref().and_then(request_kind)
    {
        endpoint.name = format!("{} {kind}", endpoint.name);
        endpoint.operation = Some(kind);
    }
    (endpoint, body.url.clone())
}

/// Whether one address serves many operations.
pub(super) fn is_shared(path: &str) -> bool {
    let path = path.trim_end_matches('/').to_ascii_lowercase();
    SHARED.iter().any(|ending| path.ends_with(ending))
}

pub(super) fn body_of<'f>(failure: &Failure<'f>) -> Option<&'f Request> {
    match *failure {
        Failure::Log(_, body) => body.map(|body| &body.entry),
        Failure::Request(body) => Some(&body.entry),
    }
}

/// Identifies a request: method, path, and the operation where one path serves many. Unlike API contracts it keeps
/// identifiers: that `/users/1` works proves nothing about `/users/2`.
pub(super) fn same_request(endpoint: &Endpoint, url: &str) -> String {
    let url = without_credentials(url);
    let path = shorten(path_of(&url), PATH_CHARS);
    match &endpoint.operation {
        Some(operation) => format!("{} {path} {operation}", endpoint.method),
        None => format!("{} {path}", endpoint.method),
    }
}

/// The part of a query that says what is requested: sorted, and without parameters that only defeat caches.
pub(super) fn same_query(url: &str) -> String {
    let url = without_credentials(url);
    let mut pairs: Vec<&str> = Url::new(&url)
        .query
        .unwrap_or_default()
        .split('&')
        .filter(|pair| !pair.is_empty() && !is_cache_buster(pair))
        .collect();
    pairs.sort_unstable();
    shorten(&pairs.join("&"), QUERY_CHARS)
}

/// A path with its identifiers and its query, and the route in its fragment. Its origin is compared separately.
pub(super) fn same_address(url: &str) -> u64 {
    let route = Url::new(url).fragment.unwrap_or_default();
    let route = if route.starts_with('/') || route.starts_with("!/") { route } else { "" };
    let path = without_credentials(url);
    let path = match path_of(&path) {
        "" => "/",
        path => path,
    };
    hash(&format!("{path}?{}#{route}", same_query(url)))
}

fn is_cache_buster(pair: &str) -> bool {
    let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
    let is_number = value.len() >= TIME_DIGITS && value.bytes().all(|byte| byte.is_ascii_digit());
    let is_moment = is_number || is_time(&value.replace("%3A", ":").replace("%3a", ":"));
    is_moment || CACHE_BUSTERS.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// A credential differs after the next login, and its placeholder contains a `#` that begins no fragment.
fn without_credentials(url: &str) -> Cow<'_, str> {
    let mut parts = url.split(PLACEHOLDER);
    let first = parts.next().unwrap_or_default();
    let rest = parts.map(|part| part.split_once(']').map_or("", |(_, rest)| rest));
    let rest: String = rest.map(|rest| format!("{CREDENTIAL}{rest}")).collect();
    if rest.is_empty() { Cow::Borrowed(url) } else { Cow::Owned(format!("{first}{rest}")) }
}

#[cfg(test)]
mod tests {

    use serde_json::json;

    use super::{endpoint, same_message, same_request, similar_message};
    use crate::entry::from_test;

    #[test]
    fn requests_are_compared_by_method_and_path() {
        let key = |method: &str, url: &str| {
            let (endpoint, url) = endpoint(&from_test(json!({ "method": method, "url": url })));
            same_request(&endpoint, &url)
        };
        for (one, other) in [
            ("http://localhost/a?x=1", "http://localhost/a?x=2#top"),
            ("http://localhost/a", "/a"),
            ("/reset/[secret:jwt#1]/done?x=1", "/reset/[secret:jwt#2]/done"),
        ] {
            assert_eq!(key("GET", one), key("GET", other));
        }
        for (one, other) in
            [("/users/1", "/users/2"), ("/a", "/a/b"), ("/reset/[secret:jwt#1]/a", "/reset/[secret:jwt#1]/b")]
        {
            assert_ne!(key("GET", one), key("GET", other));
        }
        assert_ne!(key("GET", "/a"), key("POST", "/a"));
    }

    #[test]
    fn messages_are_compared_without_varying_parts() {
        for (one, other) in [
            ("order 3f2504e0-4f89-11d3-9a0c-0305e82c3301 lost", "order 9c5b94b1-35ad-49bb-b118-8e8fc24abf80 lost"),
            ("expired at 2026-02-07T10:00:00.123Z", "expired at 2026-11-30T09:09:09Z"),
            ("expired at 1707346800000", "expired at 1707346899999"),
            ("x of undefined at line 42", "x of undefined at line 45"),
            ("bad (src/a.js:42:15)", "bad (src/b.ts:7:1)"),
            (
                "in App (http://localhost:5173/src/App.jsx:12:5)",
                "in App (http://localhost:5173/src/App.jsx?t=1770505200000:99:1)",
            ),
            ("at webpack-internal:///./src/App.tsx:3:9: broken", "at webpack-internal:///./src/App.tsx:4:9: broken"),
            ("got 3 of 7", "got 12 of 40"),
            ("status of order 404 unknown", "status of order 500 unknown"),
            ("error: 500", "error: 404"),
            ("bearer [secret:jwt#1] refused", "bearer [secret:jwt#2] refused"),
        ] {
            assert_eq!(same_message(one), same_message(other));
        }
        for (one, other) in [
            ("reading 'id'", "reading 'name'"),
            ("a.js is missing", "b.js is missing"),
            ("Request failed with status code 500", "Request failed with status code 404"),
            ("HTTP error! status: 500", "HTTP error! status: 404"),
            ("HTTP 500 from /api", "HTTP 404 from /api"),
            ("could not reach localhost:3000", "could not reach staging:3000"),
            ("could not reach shop.test:80", "could not reach blog.test:80"),
        ] {
            assert_ne!(same_message(one), same_message(other));
        }
    }

    #[test]
    fn similar_messages_differ_only_in_names() {
        for (one, other) in [
            ("user bob@shop.test not found", "user ann@shop.test not found"),
            ("no stock of SKU-A17", "no stock of SKU-B9"),
            ("cannot find 'red shoes' here", "cannot find 'blue' here"),
            ("cannot find \"red\"", "cannot find \"red-shoes (v2)\""),
        ] {
            assert_eq!(similar_message(one), similar_message(other));
        }
        for (one, other) in
            [("no stock left", "price is missing"), ("'a' is not here", "'a' is there"), ("it's lost", "it's here")]
        {
            assert_ne!(similar_message(one), similar_message(other));
        }
    }

    #[test]
    fn parts_are_removed_in_a_fixed_order() {
        for (message, expected) in [
            // Numbers come last, so that no part of a UUID, a time or a position is taken for one.
            ("3f2504e0-4f89-11d3-9a0c-0305e82c3301", "<uuid>"),
            ("2026-02-07T10:00:00Z", "<time>"),
            ("app.js:1:2", "<file>"),
            ("app.js:1", "<file>"),
            ("app.js:1:", "<file>"),
            ("app.js:x", "app.js:x"),
            ("42", "<n>"),
            ("", ""),
            ("größe: 7", "größe: <n>"),
        ] {
            assert_eq!(same_message(message), expected, "{message}");
        }
    }

    #[test]
    fn a_long_message_is_recognised_by_its_start() {
        let long = |end: &str| format!("{}{end}", "broken ".repeat(10_000));
        assert_eq!(same_message(&long("a")), same_message(&long("b")));
        assert!(same_message(&long("")).chars().count() <= super::KEPT_CHARS + 1);
    }
}
