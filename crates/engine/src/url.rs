//! Addresses, split without copying.
//!
//! A captured address is whole (`https://shop.example/cart?a=1`), only a path (`/cart`), or whatever a page uses as
//! one. Placeholders in it contain a `#`, which does not begin a fragment. Nothing here can fail: a part that an
//! address lacks is `None` or empty.

use crate::redact::placeholder_len;

/// An address and its parts, as they are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Url<'u> {
    text: &'u str,
    /// `https`; `None` for a mere path.
    pub scheme: Option<&'u str>,
    /// `user@shop.example:8443`.
    pub authority: Option<&'u str>,
    /// `/cart`. Empty if it is left out; the whole text if it is not an address.
    pub path: &'u str,
    /// What follows the `?`. `None` without one.
    pub query: Option<&'u str>,
    /// What follows the `#`. `None` without one.
    pub fragment: Option<&'u str>,
}

impl<'u> Url<'u> {
    /// Splits an address.
    pub fn new(text: &'u str) -> Self {
        let (scheme, authority, rest) = match split_scheme(text) {
            Some((scheme, after)) => {
                let end = find(after, &['/', '?', '#']).unwrap_or(after.len());
                let (authority, rest) = after.split_at_checked(end).unwrap_or((after, ""));
                (Some(scheme), Some(authority), rest)
            }
            None => (None, None, text),
        };
        let (rest, fragment) = split_off(rest, '#');
        let (path, query) = split_off(rest, '?');
        Self { text, scheme, authority, path, query, fragment }
    }

    /// `https://user@shop.example:8443`
    pub fn origin(self) -> Option<&'u str> {
        let end = self.scheme?.len() + "://".len() + self.authority?.len();
        self.text.get(..end)
    }

    /// `shop.example:8443`, without the user.
    pub fn host_and_port(self) -> Option<&'u str> {
        let authority = self.authority?;
        let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        (!host.is_empty()).then_some(host)
    }

    /// `shop.example`; for `[::1]:80`, `::1`.
    pub fn host(self) -> Option<&'u str> {
        let host = self.host_and_port()?;
        let name = match host.strip_prefix('[') {
            Some(six) => six.split(']').next()?,
            None => host.split(':').next()?,
        };
        (!name.is_empty()).then_some(name)
    }

    /// The port, if the address names one.
    pub fn port(self) -> Option<u16> {
        self.host_and_port()?.rsplit_once(':')?.1.parse().ok()
    }

    /// `/cart`; an address without a path has the path `/`.
    pub fn path_or_root(self) -> &'u str {
        if self.path.is_empty() && self.authority.is_some() { "/" } else { self.path }
    }

    /// `/cart?a=1`
    pub fn path_and_query(self) -> &'u str {
        let from = self.origin().map_or(0, str::len);
        let end = self.text.len() - self.fragment.map_or(0, |fragment| fragment.len() + 1);
        match self.text.get(from..end) {
            Some("") if self.authority.is_some() => "/",
            part => part.unwrap_or_default(),
        }
    }

    /// `https://shop.example/cart`: the same for all queries of a resource.
    pub fn without_query(self) -> &'u str {
        let end = self.origin().map_or(0, str::len) + self.path.len();
        self.text.get(..end).unwrap_or(self.text)
    }

    /// Whether the address has this scheme, ignoring case.
    pub fn has_scheme(self, wanted: &str) -> bool {
        self.scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case(wanted))
    }

    /// `http` or `https`, with a host.
    pub fn is_of_web(self) -> bool {
        let is_clean = |host: &str| !host.contains(|c: char| c.is_whitespace() || c.is_control());
        (self.has_scheme("http") || self.has_scheme("https")) && self.host_and_port().is_some_and(is_clean)
    }
}

/// `/cart` of `https://shop.example/cart?a=1`.
pub fn path_of(url: &str) -> &str {
    Url::new(url).path_or_root()
}

/// `https://shop.example` of an address.
pub fn origin_of(url: &str) -> Option<&str> {
    Url::new(url).origin()
}

/// Everything before the query: the same for all requests of an endpoint.
pub fn without_query(url: &str) -> &str {
    Url::new(url).without_query()
}

/// The scheme, and what follows `://`. The address of a blob contains that of its page.
fn split_scheme(text: &str) -> Option<(&str, &str)> {
    let (scheme, after) = text.split_once("://")?;
    let name = scheme.strip_prefix("blob:").unwrap_or(scheme);
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    is_name.then_some((scheme, after))
}

/// The index of the first of these characters, ignoring those in placeholders.
fn find(text: &str, marks: &[char]) -> Option<usize> {
    let mut from = 0;
    loop {
        let at = from + text.get(from..)?.find(|c: char| c == '[' || marks.contains(&c))?;
        let rest = text.get(at..)?;
        if rest.starts_with('[') && !marks.contains(&'[') {
            from = at + placeholder_len(rest).max(1);
        } else {
            return Some(at);
        }
    }
}

fn split_off(text: &str, mark: char) -> (&str, Option<&str>) {
    match find(text, &[mark]) {
        Some(at) => (text.get(..at).unwrap_or(text), text.get(at + mark.len_utf8()..)),
        None => (text, None),
    }
}

#[cfg(test)]
mod tests {
    use super::{Url, origin_of, path_of, without_query};

    #[test]
    fn an_address_is_split_into_its_parts() {
        let url = Url::new("HTTPS://ada:pw@Shop.example:8443/cart/a?b=1&c#top");
        assert_eq!(url.origin(), Some("HTTPS://ada:pw@Shop.example:8443"));
        assert_eq!((url.host(), url.port()), (Some("Shop.example"), Some(8443)));
        assert_eq!((url.path, url.query, url.fragment), ("/cart/a", Some("b=1&c"), Some("top")));
        assert_eq!(url.path_and_query(), "/cart/a?b=1&c");
        assert_eq!(url.without_query(), "HTTPS://ada:pw@Shop.example:8443/cart/a");
        assert!(url.is_of_web() && url.has_scheme("https"));
    }

    #[test]
    fn missing_parts_of_an_address_are_empty() {
        for (text, origin, path, query, rest) in [
            ("http://a", Some("http://a"), "/", None, "/"),
            ("http://a?x=/y", Some("http://a"), "/", Some("x=/y"), "?x=/y"),
            ("http://a/?", Some("http://a"), "/", Some(""), "/?"),
            ("/cart", None, "/cart", None, "/cart"),
            ("/go?to=http://b/c", None, "/go", Some("to=http://b/c"), "/go?to=http://b/c"),
            ("ws://[::1]:9/x", Some("ws://[::1]:9"), "/x", None, "/x"),
            ("blob:http://a/1-2", Some("blob:http://a"), "/1-2", None, "/1-2"),
            ("about:blank", None, "about:blank", None, "about:blank"),
            ("", None, "", None, ""),
            ("é://a", None, "é://a", None, "é://a"),
        ] {
            let url = Url::new(text);
            assert_eq!((origin_of(text), path_of(text)), (origin, path), "{text}");
            assert_eq!((url.query, url.path_and_query()), (query, rest), "{text}");
        }
    }

    #[test]
    fn hosts_are_found() {
        for (text, host, port, is_of_web) in [
            ("http://a:80/", Some("a"), Some(80), true),
            ("http://[::1]:80/", Some("::1"), Some(80), true),
            ("http://u@a", Some("a"), None, true),
            ("ws://a/", Some("a"), None, false),
            ("http://", None, None, false),
            ("http://a b/", Some("a b"), None, false),
            ("/x", None, None, false),
        ] {
            let url = Url::new(text);
            assert_eq!((url.host(), url.port(), url.is_of_web()), (host, port, is_of_web), "{text}");
        }
    }

    #[test]
    fn the_hash_of_a_placeholder_begins_no_fragment() {
        let url = Url::new("http://a/s/[secret:token#1]/x?t=[secret:jwt#12]&b#end");
        assert_eq!(url.path, "/s/[secret:token#1]/x");
        assert_eq!((url.query, url.fragment), (Some("t=[secret:jwt#12]&b"), Some("end")));
        assert_eq!(Url::new("http://[secret:password#1]@a/x").host(), Some("a"));
        assert_eq!(without_query("/x[0]?a"), "/x[0]");
    }
}
