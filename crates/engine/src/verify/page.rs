//! Recognises two visits of the same page.

use crate::contracts::normalize_path;
use crate::text::shorten;
use crate::url::{Url, path_of};

const ORIGIN_CHARS: usize = 200;
const PATH_CHARS: usize = 300;
/// Names of the local machine. Developers use them for the same server.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Origin and path. Identifiers in the path are left out: the next order has another number.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Page {
    pub(super) origin: String,
    pub(super) path: String,
}

impl Page {
    pub(super) fn from_url(url: &str) -> Self {
        let path = match normalize_path(path_of(url)) {
            path if path.is_empty() => "/".to_owned(),
            path => path,
        };
        let path = format!("{path}{}", route_in_hash(url));
        Self { origin: origin(Some(url)), path: shorten(&path, PATH_CHARS) }
    }

    pub(super) fn text(&self) -> String {
        format!("{}{}", self.origin, self.path)
    }

    pub(super) fn bytes(&self) -> usize {
        self.origin.len() + self.path.len()
    }
}

/// The route of an application that keeps it in the fragment: `#/orders/:id` of `http://localhost/#/orders/17?tab=2`.
/// Other fragments name a place on the page.
fn route_in_hash(url: &str) -> String {
    let Some(hash) = Url::new(url).fragment else { return String::new() };
    let is_route = hash.starts_with('/') || hash.starts_with("!/");
    let route = hash.split(['?', '#']).next().unwrap_or_default();
    if is_route && route.len() > 1 { format!("#{}", normalize_path(route)) } else { String::new() }
}

/// The origin of an address, with one name for the local machine; empty if there is none.
pub(super) fn origin(url: Option<&str>) -> String {
    let Some(origin) = url.and_then(|url| Url::new(url).origin()) else { return String::new() };
    let origin = shorten(origin, ORIGIN_CHARS).to_ascii_lowercase();
    let Some((scheme, host)) = origin.split_once("://") else { return origin };
    let name = LOOPBACK
        .iter()
        .find(|name| host.strip_prefix(**name).is_some_and(|rest| rest.is_empty() || rest.starts_with(':')));
    match name {
        Some(name) => format!("{scheme}://localhost{}", host.get(name.len()..).unwrap_or_default()),
        None => origin,
    }
}

/// The origin that a request went to: its own, or its page's if its address is only a path.
pub(super) fn request_origin(url: &str, page: Option<&str>) -> String {
    if Url::new(url).origin().is_some() { origin(Some(url)) } else { origin(page) }
}

#[cfg(test)]
mod tests {
    use super::{Page, origin, request_origin};

    #[test]
    fn a_page_is_its_origin_and_its_path() {
        for (one, other) in [
            ("http://localhost:3000/shop?a=1", "http://127.0.0.1:3000/shop#top"),
            ("http://localhost:3000", "http://LOCALHOST:3000/"),
            ("http://[::1]:3000/orders/17", "http://localhost:3000/orders/18"),
            ("http://localhost/#/orders/17", "http://localhost/#/orders/18?tab=2"),
            ("http://localhost/#/", "http://localhost/"),
        ] {
            assert_eq!(Page::from_url(one), Page::from_url(other));
        }
        for (one, other) in [
            ("http://localhost:3000/shop", "http://localhost:4000/shop"),
            ("http://localhost/shop", "https://localhost/shop"),
            ("http://localhost/shop", "http://localhost/cart"),
            ("http://localhost/#/shop", "http://localhost/#/cart"),
            ("http://localhost/#!/shop", "http://localhost/"),
            ("http://localhost.evil.example/shop", "http://localhost/shop"),
        ] {
            assert_ne!(Page::from_url(one), Page::from_url(other));
        }
    }

    #[test]
    fn a_relative_request_goes_to_its_pages_origin() {
        assert_eq!(request_origin("/api", Some("http://127.0.0.1:3000/shop")), "http://localhost:3000");
        assert_eq!(request_origin("http://api.example/x", Some("http://localhost/")), "http://api.example");
        assert_eq!((request_origin("/api", None), origin(None)), (String::new(), String::new()));
    }
}
