//! Decides which requests call the same endpoint: by method and path without the parts that change from call to call,
//! and by the operation where one address serves many.

use std::borrow::Cow;

use serde::Deserialize;
use wire::limits;

use crate::entry::Request;
use crate::text::shorten;
use crate::url::{Url, path_of};

/// Replaces a part of a path that identifies one of many things.
const IDENTIFIER: &str = ":id";
/// Replaces a field's name that is a value.
const KEY: &str = ":key";
const PLACEHOLDER: &str = "[secret:";
const NAME_CHARS: usize = 64;
const PATH_CHARS: usize = 300;
/// Operations of a batch that the name lists; more are only counted.
const BATCH_NAMES: usize = 5;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Endpoint {
    pub(crate) method: String,
    /// `GET /users/:id`, and for GraphQL `POST /graphql GetUser`.
    pub(crate) name: String,
    /// Host and port, if the request or its page names them: the same path on two servers is two endpoints.
    pub(super) host: String,
    /// The address that filters match: without its query, with identifiers replaced.
    pub(super) address: String,
    /// The operation of a GraphQL request.
    pub(crate) operation: Option<String>,
}

impl Endpoint {
    pub(crate) fn from_request(request: &Request) -> Self {
        let asked = Asked {
            method: &request.method,
            url: &request.url,
            page_url: request.page_url.as_deref(),
            body: request.request_body.as_deref(),
        };
        Self::asked(&asked)
    }

    /// The endpoint of a request of which only the address is known.
    pub(crate) fn of_address(method: &str, url: &str) -> Self {
        Self::asked(&Asked { method, url, page_url: None, body: None })
    }

    fn asked(asked: &Asked<'_>) -> Self {
        let url = &*without_placeholders(asked.url);
        let method = asked.method.to_owned();
        let path = shorten(&normalize_path(path_of(url)), PATH_CHARS);
        let authority = Url::new(url).authority;
        let origin = authority.unwrap_or_default();
        let host = match authority {
            None if url.starts_with('/') => asked.page_url.and_then(|page| Url::new(page).host_and_port()),
            _ => Url::new(url).host_and_port(),
        };
        let host = host.unwrap_or_default().to_ascii_lowercase();
        let operation = operation(asked.body, url, &path);
        let name = match &operation {
            Some(operation) => format!("{method} {path} {operation}"),
            None => format!("{method} {path}"),
        };
        Self { method, name, host, address: format!("{origin}{path}"), operation }
    }
}

/// The parts of a request that identify its endpoint.
struct Asked<'r> {
    method: &'r str,
    url: &'r str,
    page_url: Option<&'r str>,
    body: Option<&'r str>,
}

/// Replaces identifiers segment by segment: `/users/123/posts` is `/users/:id/posts`.
pub(crate) fn normalize_path(path: &str) -> String {
    let segments = path.split('/').map(|segment| if is_identifier(segment) { IDENTIFIER } else { segment });
    segments.collect::<Vec<_>>().join("/")
}

/// The same for a key of an object whose keys are values.
pub(super) fn normalize_key(key: &str) -> &str {
    if is_identifier(key) {
        IDENTIFIER
    } else if is_value(key) {
        KEY
    } else {
        key
    }
}

/// Whether no programmer would name a field like this: an address, several words, a date, a phone number, a long text.
fn is_value(key: &str) -> bool {
    // `@type` is a name, `ada@mail.org` is not.
    let is_address = key.char_indices().any(|(at, letter)| letter == '@' && at > 0) || key.contains("://");
    let is_prose = key.chars().any(|letter| letter.is_whitespace() || letter.is_control());
    let is_figures = key.bytes().any(|byte| byte.is_ascii_digit())
        && key.bytes().all(|byte| byte.is_ascii_digit() || b"+-:./TZ()".contains(&byte));
    let is_long = key.chars().nth(limits::API_NAME_CHARS).is_some();
    is_address || is_prose || is_figures || is_long || key.contains(PLACEHOLDER)
}

/// A number, a UUID or a long hexadecimal number.
pub(crate) fn is_identifier(segment: &str) -> bool {
    let is_hex = |part: &str| part.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_number = !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit());
    let is_uuid = || {
        let lengths = segment.split('-').map(|part| if is_hex(part) { part.len() } else { 0 });
        lengths.eq([8, 4, 4, 4, 12])
    };
    is_number || (segment.len() >= 8 && is_hex(segment)) || is_uuid()
}

/// The address without placeholders: one that replaces a credential differs each time, and contains a `#`.
fn without_placeholders(url: &str) -> Cow<'_, str> {
    if !url.contains(PLACEHOLDER) {
        return Cow::Borrowed(url);
    }
    let mut parts = url.split(PLACEHOLDER);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str(IDENTIFIER);
        out.push_str(part.split_once(']').map_or("", |(_, rest)| rest));
    }
    Cow::Owned(out)
}

#[derive(Deserialize)]
struct GraphQl {
    #[serde(rename = "operationName")]
    operation_name: Option<String>,
    query: Option<String>,
}

/// The GraphQL operation of a request, if it is one.
fn operation(body: Option<&str>, url: &str, path: &str) -> Option<String> {
    let by_path = path.to_ascii_lowercase().contains("graphql");
    let Some(text) = body.map(str::trim_start) else {
        return if by_path { operation_of_address(url) } else { None };
    };
    if !text.contains("\"query\"") && !text.contains("\"operationName\"") {
        return None;
    }
    if text.starts_with('[') {
        let batch: Vec<GraphQl> = serde_json::from_str(text).ok()?;
        let names: Vec<String> = batch.iter().take(BATCH_NAMES).filter_map(|one| name_of(one, by_path)).collect();
        let more = batch.len().saturating_sub(BATCH_NAMES);
        let more = if more > 0 { format!("+{more} more") } else { String::new() };
        return (!names.is_empty()).then(|| format!("[{}{more}]", names.join("+")));
    }
    match serde_json::from_str::<GraphQl>(text) {
        Ok(request) => name_of(&request, by_path),
        // A long query is cut where bodies are cut; its name usually comes before the cut.
        Err(_) if by_path => text
            .split_once("\"operationName\"")
            .and_then(|(_, rest)| {
                rest.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?.split('"').next()
            })
            .filter(|name| is_name(name))
            .map(|name| shorten(name, NAME_CHARS)),
        Err(_) => None,
    }
}

fn operation_of_address(url: &str) -> Option<String> {
    let query = Url::new(url).query?;
    let name = query.split('&').find_map(|pair| pair.strip_prefix("operationName="))?;
    is_name(name).then(|| shorten(name, NAME_CHARS))
}

fn name_of(request: &GraphQl, by_path: bool) -> Option<String> {
    let query = request.query.as_deref().map(str::trim_start).filter(|query| is_document(query));
    if query.is_none() && !by_path {
        return None;
    }
    let given = request.operation_name.as_deref().filter(|name| is_name(name));
    let written = || query.and_then(written_name);
    let name = given.or_else(written).map(|name| shorten(name, NAME_CHARS));
    // Without a name, the text of the query identifies the operation.
    name.or_else(|| query.map(|query| format!("{{{}}}#{:04x}", root_field(query), checksum(query))))
}

/// A search may also have a field `query`; a GraphQL document has braces.
fn is_document(query: &str) -> bool {
    let starts = ["{", "query", "mutation", "subscription", "fragment", "#"];
    starts.iter().any(|start| query.starts_with(start)) && query.contains('{') && query.contains('}')
}

fn written_name(query: &str) -> Option<&str> {
    let rest = ["query", "mutation", "subscription"].iter().find_map(|word| query.strip_prefix(word))?;
    let end = rest.trim_start().find(|letter: char| !is_name_letter(letter))?;
    rest.trim_start().get(..end).filter(|name| !name.is_empty())
}

fn root_field(query: &str) -> String {
    let inside = query.split_once('{').map_or("", |(_, inside)| inside).trim_start();
    inside.chars().take_while(|letter| is_name_letter(*letter)).take(NAME_CHARS).collect()
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(is_name_letter)
}

fn is_name_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// Tells queries apart; it need not be hard to guess.
fn checksum(text: &str) -> u16 {
    let words = text.split_whitespace().flat_map(str::bytes);
    let hash = words.fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    (hash ^ (hash >> 16)) as u16
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::entry::from_test;

    fn name(method: &str, url: &str, request: Option<&str>) -> String {
        Endpoint::from_request(&from_test(json!({ "method": method, "url": url, "requestBody": request }))).name
    }

    #[test]
    fn calls_are_grouped_by_method_and_path() {
        for (url, expected) in [
            ("http://localhost:3000/users/123", "GET /users/:id"),
            ("http://localhost:3000/users/123/posts", "GET /users/:id/posts"),
            ("/users/1/posts/2/3", "GET /users/:id/posts/:id/:id"),
            ("/items/550e8400-e29b-41d4-a716-446655440000", "GET /items/:id"),
            ("/items/550E8400-E29B-41D4-A716-446655440000/", "GET /items/:id/"),
            ("/items/550e8400-e29b-41d4-a716-44665544000", "GET /items/550e8400-e29b-41d4-a716-44665544000"),
            ("/assets/a1b2c3d4e5", "GET /assets/:id"),
            ("/assets/a1b2c3d4", "GET /assets/:id"),
            ("/assets/a1b2c3d", "GET /assets/a1b2c3d"),
            ("/v2/users", "GET /v2/users"),
            ("/reset/[secret:token#1]/now", "GET /reset/:id/now"),
            ("/users?page=2&sort=name#top", "GET /users"),
            ("https://api.example.com", "GET /"),
        ] {
            assert_eq!(name("GET", url, None), expected, "{url}");
        }
        assert_eq!(name("POST", "/users", Some("{\"name\":\"x\"}")), "POST /users");
    }

    #[test]
    fn graphql_calls_are_grouped_by_their_operation() {
        let ask = |request: serde_json::Value| name("POST", "/graphql", Some(&request.to_string()));
        for (request, expected) in [
            (json!({ "operationName": "GetUser", "query": "query GetUser { user { id } }" }), "POST /graphql GetUser"),
            (json!({ "query": "mutation Save($a: Int) { save(a: $a) }" }), "POST /graphql Save"),
            (json!({ "query": "query { user { id } }" }), "POST /graphql {user}#"),
            (json!({ "query": "{ user { id } }" }), "POST /graphql {user}#"),
            (json!({ "operationName": "Persisted", "extensions": {} }), "POST /graphql Persisted"),
            (json!([{ "query": "query A { a }" }, { "query": "query B { b }" }]), "POST /graphql [A+B]"),
        ] {
            let named = ask(request.clone());
            assert!(
                named == expected || (expected.ends_with('#') && named.starts_with(expected)),
                "{request}: {named}"
            );
        }
        let same = ask(json!({ "query": "{ user { id } }" }));
        assert_eq!(ask(json!({ "query": "{\n  user { id }\n}" })), same, "spaces do not matter");
        assert_ne!(ask(json!({ "query": "{ user { id name } }" })), same);
        // Cut in the middle of the query.
        assert_eq!(
            name("POST", "/graphql", Some("{\"operationName\": \"Long\", \"query\": \"query Long { a")),
            "POST /graphql Long"
        );
        assert_eq!(name("GET", "/graphql?operationName=Me&query=x", None), "GET /graphql Me");
        // A search is not an operation.
        assert_eq!(name("POST", "/search", Some("{\"query\":\"query for shoes\"}")), "POST /search");
        assert_eq!(name("POST", "/api", Some("{\"query\":\"query Q { a }\"}")), "POST /api Q");
    }
}
