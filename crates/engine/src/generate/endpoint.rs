//! Recognises a request when it is made again: by method and path, and by the operation where one path serves many.

use serde_json::Value;

use super::address::{mark_placeholders, split};
use super::literal::{pattern, quoted};
use crate::contracts::is_identifier;
use crate::entry::Request;

/// Marks a redacted credential; no address contains it.
const CUT: char = '\u{1}';
const METHOD_CHARS: usize = 20;
const OPERATION_CHARS: usize = 100;
const PATH_BYTES: usize = 1_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Endpoint {
    pub(super) method: String,
    /// The parts of the path that stay the same; server-generated parts between them are left out.
    parts: Vec<String>,
    /// The GraphQL operation.
    pub(super) operation: Option<String>,
}

impl Endpoint {
    /// `None` for a request that a test could not recognise.
    pub(super) fn from_request(request: &Request) -> Option<Self> {
        let path = path_of(&request.url)?;
        let mut parts = vec![String::new()];
        for (place, segment) in path.split('/').enumerate() {
            if place > 0
                && let Some(last) = parts.last_mut()
            {
                last.push('/');
            }
            if segment.contains(CUT) || is_identifier(segment) {
                parts.push(String::new());
            } else if let Some(last) = parts.last_mut() {
                last.push_str(segment);
            }
        }
        Some(Self { method: method_of(request)?, parts, operation: operation_of(request, &path) })
    }

    /// `GET /users/:id`, for people.
    pub(super) fn label(&self) -> String {
        let operation = self.operation.as_ref().map(|name| format!(" {name}")).unwrap_or_default();
        format!("{} {}{operation}", self.method, self.parts.join(":id"))
    }

    /// Arguments of the script's helper that recognises its response.
    pub(super) fn arguments(&self) -> String {
        let path = match self.parts.as_slice() {
            [whole] => quoted(whole),
            parts => {
                let parts: Vec<String> = parts.iter().map(|part| pattern(part)).collect();
                format!("new RegExp({})", quoted(&format!("^{}$", parts.join("[^/]+"))))
            }
        };
        let operation = self.operation.as_ref().map(|name| format!(", {}", quoted(name))).unwrap_or_default();
        format!("{}, {path}{operation}", quoted(&self.method))
    }
}

/// The key of a response among the fixtures: `GET /users/7`. `None` where its path was cut.
pub(super) fn fixture_key(request: &Request) -> Option<String> {
    let path = path_of(&request.url).filter(|path| !path.contains(CUT))?;
    let operation = operation_of(request, &path).map(|name| format!(" {name}")).unwrap_or_default();
    Some(format!("{} {path}{operation}", method_of(request)?))
}

fn path_of(url: &str) -> Option<String> {
    let marked = mark_placeholders(url, CUT);
    let rest = match split(&marked) {
        Some((_, rest)) => rest,
        None if marked.starts_with('/') => &marked,
        None => return None,
    };
    let path = rest.split(['?', '#']).next().unwrap_or_default();
    (path.len() <= PATH_BYTES).then(|| if path.is_empty() { "/".to_owned() } else { path.to_owned() })
}

fn method_of(request: &Request) -> Option<String> {
    let method = request.method.as_str().to_ascii_uppercase();
    (!method.is_empty() && method.len() <= METHOD_CHARS && method.bytes().all(|byte| byte.is_ascii_alphabetic()))
        .then_some(method)
}

/// The `operationName` of a request: a test can read it as well.
fn operation_of(request: &Request, path: &str) -> Option<String> {
    let body = request.request_body.as_deref()?;
    if !path.to_ascii_lowercase().contains("graphql") && !body.contains("\"query\"") {
        return None;
    }
    let body: Value = serde_json::from_str(body).ok()?;
    let name = body.get("operationName")?.as_str()?;
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    (!name.is_empty() && name.len() <= OPERATION_CHARS && is_name).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn request(method: &str, url: &str, body: Option<&str>) -> Request {
        crate::entry::from_test(json!({ "method": method, "url": url, "requestBody": body }))
    }

    #[test]
    fn paths_are_compared_without_varying_parts() {
        for (url, label, arguments) in [
            ("http://a:1/api/cart?x=1#y", "GET /api/cart", "'GET', '/api/cart'"),
            ("http://a", "GET /", "'GET', '/'"),
            ("/api/cart", "GET /api/cart", "'GET', '/api/cart'"),
            ("http://a/users/7/posts", "GET /users/:id/posts", r"'GET', new RegExp('^/users/[^/]+/posts$')"),
            ("http://a/r/[secret:token#1]/x.y", "GET /r/:id/x.y", r"'GET', new RegExp('^/r/[^/]+/x\\.y$')"),
        ] {
            let endpoint = Endpoint::from_request(&request("get", url, None)).unwrap();
            assert_eq!((endpoint.label().as_str(), endpoint.arguments().as_str()), (label, arguments), "{url}");
        }
        for bad in ["data:text/plain,x", "blob:http://a/1", "nothing"] {
            assert_eq!(Endpoint::from_request(&request("GET", bad, None)), None, "{bad}");
        }
        assert_eq!(Endpoint::from_request(&request("G'T", "/a", None)), None);
    }

    #[test]
    fn operations_distinguish_requests_of_one_path() {
        let body = r#"{"operationName":"GetCart","query":"query GetCart { cart { id } }"}"#;
        let endpoint = Endpoint::from_request(&request("POST", "http://a/graphql", Some(body))).unwrap();
        assert_eq!(endpoint.arguments(), "'POST', '/graphql', 'GetCart'");
        assert_eq!(fixture_key(&request("POST", "/graphql", Some(body))).as_deref(), Some("POST /graphql GetCart"));
        assert_eq!(fixture_key(&request("GET", "http://a/users/7?x=1", None)).as_deref(), Some("GET /users/7"));
        assert_eq!(fixture_key(&request("GET", "http://a/r/[secret:token#1]", None)), None);
    }
}
