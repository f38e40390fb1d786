//! Addresses in scripts: without credentials, on the requested origin, and compared by the parts that do not vary.

use super::literal::pattern;
use crate::contracts::is_identifier;
use crate::redact::{HEADER_PLACEHOLDER, INPUT_PLACEHOLDER, is_sensitive_parameter};
use crate::url::Url;

/// Marks a redacted credential; no address contains it.
const CUT: char = '\u{1}';
/// Replaces a redacted part of a path.
const USER_PROVIDED: &str = "user-provided";
const LONGEST: usize = 2_000;

/// Whether a credential was redacted from this text.
pub(super) fn has_placeholder(text: &str) -> bool {
    text.contains("[secret:") || text.contains(INPUT_PLACEHOLDER) || text.contains(HEADER_PLACEHOLDER)
}

/// The text with `mark` in place of every placeholder.
pub(super) fn mark_placeholders(text: &str, mark: char) -> String {
    let mut out = String::with_capacity(text.len());
    let mut pieces = text.split("[secret:");
    out.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        out.push(mark);
        out.push_str(piece.split_once(']').map_or("", |(_, after)| after));
    }
    out.replace(INPUT_PLACEHOLDER, &mark.to_string()).replace(HEADER_PLACEHOLDER, &mark.to_string())
}

/// An address that a script opens or expects.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Address {
    pub(super) text: String,
    /// The source of a regular expression, if the text would differ the next time.
    pub(super) pattern: Option<String>,
    /// Whether credentials were removed.
    pub(super) stripped: bool,
}

/// How addresses are written in one script.
#[derive(Debug, Clone, Default)]
pub(super) struct Addresses<'b> {
    base: Option<&'b str>,
    /// The application's origin; other origins stay as they were.
    origin: String,
    /// Whether short numbers may differ the next time, too.
    numbers_vary: bool,
}

impl<'b> Addresses<'b> {
    pub(super) fn new(base: Option<&'b str>, first_page: Option<&str>) -> Self {
        let first_page = first_page.map(|page| mark_placeholders(page, CUT)).unwrap_or_default();
        let origin = split(&first_page).map(|(origin, _)| origin.to_owned()).unwrap_or_default();
        Self { base: base.map(|base| base.trim_end_matches('/')), origin, numbers_vary: false }
    }

    /// For scripts that repeat a session: the next order gets another number.
    pub(super) fn that_vary(self) -> Self {
        Self { numbers_vary: true, ..self }
    }

    /// `None` for an address that a script cannot open: only web pages can be opened.
    pub(super) fn read(&self, url: &str) -> Option<Address> {
        if url.len() > LONGEST {
            return self.read(url.split(['?', '#']).next().filter(|short| short.len() <= LONGEST)?);
        }
        // This has to come first: a placeholder contains a `#`, which would begin a fragment.
        let url = mark_placeholders(url, CUT);
        let (origin, rest) = split(&url)?;
        let Url { scheme: Some(scheme), authority: Some(authority), .. } = Url::new(&url) else { return None };
        let host = Url::new(&url).host_and_port()?;
        let origin = match self.base {
            Some(base) if origin == self.origin => base.to_owned(),
            _ => format!("{scheme}://{host}"),
        };
        let (rest, fragment) = rest.split_once('#').map_or((rest, None), |(rest, after)| (rest, Some(after)));
        let (path, query) = rest.split_once('?').map_or((rest, None), |(path, query)| (path, Some(query)));
        let path = if path.is_empty() { "/" } else { path };
        let kept_query = query.map(without_credentials);
        let kept_fragment = fragment.map(|fragment| match fragment.split_once('?') {
            Some((route, query)) => {
                let query = without_credentials(query);
                if query.is_empty() { route.to_owned() } else { format!("{route}?{query}") }
            }
            None if fragment.contains('=') => without_credentials(fragment),
            None => fragment.replace(CUT, USER_PROVIDED),
        });
        let stripped = kept_query.as_deref() != query
            || kept_fragment.as_deref() != fragment
            || path.contains(CUT)
            || host != authority;
        let mut tail = String::new();
        for (mark, given, part) in [('?', query, kept_query), ('#', fragment, kept_fragment)] {
            // An empty part stays: browsers keep the mark of a form without fields, or of a link to `#`.
            if let Some(part) = part.filter(|part| !part.is_empty() || given == Some("")) {
                tail.push(mark);
                tail.push_str(&part);
            }
        }
        let text = format!("{origin}{}{tail}", path.replace(CUT, USER_PROVIDED));
        // Test runners read `*` and braces in addresses as wildcards.
        let wild = text.contains(['*', '{', '}', '[', ']', '\\']);
        let is_drawn = |part: &str| is_drawn(part) || (self.numbers_vary && is_identifier(part));
        let tail_varies = self.numbers_vary && tail.split(['?', '&', '=', '#', '/']).any(is_drawn);
        let varies = tail_varies || path.split('/').any(is_drawn);
        let source = (stripped || wild || varies).then(|| {
            let path: Vec<String> =
                path.split('/').map(|part| if is_drawn(part) { "[^/?#]+".to_owned() } else { pattern(part) }).collect();
            let end = if stripped || tail_varies { "(?:[?#]|$)".to_owned() } else { format!("{}$", pattern(&tail)) };
            format!("^{}{}{end}", pattern(&origin), path.join("/"))
        });
        Some(Address { text, pattern: source, stripped })
    }
}

/// The path of an address as the parts that stay the same; the varying parts between them are left out.
pub(super) fn path_parts(url: &str) -> Vec<String> {
    let marked = mark_placeholders(url, CUT);
    let rest = split(&marked).map_or(marked.as_str(), |(_, rest)| rest);
    let path = rest.split(['?', '#']).next().unwrap_or_default();
    let path = if path.is_empty() { "/" } else { path };
    let mut parts = vec![String::new()];
    for (place, piece) in path.split('/').enumerate() {
        if place > 0
            && let Some(last) = parts.last_mut()
        {
            last.push('/');
        }
        if is_drawn(piece) {
            parts.push(String::new());
        } else if let Some(last) = parts.last_mut() {
            last.push_str(piece);
        }
    }
    parts
}

/// The origin and the rest of a web address.
pub(super) fn split(url: &str) -> Option<(&str, &str)> {
    let parts = Url::new(url);
    let origin = parts.origin().filter(|_| parts.is_of_web())?;
    Some((origin, url.get(origin.len()..)?))
}

/// Whether `base_url` accepts this text.
pub(super) fn is_origin(url: &str) -> bool {
    split(url).is_some_and(|(_, rest)| !rest.contains(['?', '#']))
}

fn without_credentials(query: &str) -> String {
    let keep = |pair: &&str| {
        let name = pair.split('=').next().unwrap_or_default();
        !pair.contains(CUT) && !is_sensitive_parameter(name)
    };
    query.split('&').filter(keep).collect::<Vec<_>>().join("&")
}

/// Whether a server generated this part of a path, randomly or by counting: it will differ the next time.
fn is_drawn(part: &str) -> bool {
    let digits = part.bytes().all(|byte| byte.is_ascii_digit());
    let hex = part.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    part.contains(CUT)
        || (digits && part.len() >= 5)
        || (hex && part.len() >= 24 && part.bytes().any(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(url: &str, text: &str, source: Option<&str>, stripped: bool) {
        let read = Addresses::new(None, None).read(url).unwrap_or_else(|| panic!("{url}"));
        let expected = Address { text: text.to_owned(), pattern: source.map(str::to_owned), stripped };
        assert_eq!(read, expected, "{url}");
    }

    #[test]
    fn credentials_are_removed_from_addresses() {
        check("http://a:1/login?x=1#top", "http://a:1/login?x=1#top", None, false);
        check("http://a", "http://a/", None, false);
        check("http://a/x?", "http://a/x?", None, false);
        check("http://a/x#", "http://a/x#", None, false);
        let end = "(?:[?#]|$)";
        let cut = format!("^http://a/cb{end}");
        check("http://a/cb?token=[secret:token#1]&x=1", "http://a/cb?x=1", Some(&cut), true);
        check("http://a/cb?access_token=abc", "http://a/cb", Some(&cut), true);
        check("http://a/cb#access_token=[secret:jwt#12]&b=2", "http://a/cb#b=2", Some(&cut), true);
        check("http://a/cb#/reset?token=abc", "http://a/cb#/reset", Some(&cut), true);
        check("http://u:[secret:password#1]@a/cb", "http://a/cb", Some(&cut), true);
        let inside = format!("^http://a/s/[^/?#]+/x{end}");
        check("http://a/s/[secret:token#1]/x", "http://a/s/user-provided/x", Some(&inside), true);
    }

    #[test]
    fn varying_parts_are_not_compared() {
        check(
            "http://a/orders/81234/edit",
            "http://a/orders/81234/edit",
            Some("^http://a/orders/[^/?#]+/edit$"),
            false,
        );
        check("http://a/products/7", "http://a/products/7", None, false);
        check("http://a/x?y={z}", "http://a/x?y={z}", Some(r"^http://a/x\?y=\{z\}$"), false);
        assert_eq!(path_parts("http://a/orders/81234/edit?x=1"), ["/orders/", "/edit"]);
        assert_eq!(path_parts("/api/pay"), ["/api/pay"]);
    }

    #[test]
    fn short_numbers_vary_where_a_session_is_repeated() {
        let addresses = Addresses::new(None, None).that_vary();
        for (url, source) in [
            ("http://a/orders/41", Some("^http://a/orders/[^/?#]+$")),
            ("http://a/orders?id=41", Some("^http://a/orders(?:[?#]|$)")),
            ("http://a/orders#/41", Some("^http://a/orders(?:[?#]|$)")),
            ("http://a/v2/orders?sort=name", None),
        ] {
            assert_eq!(addresses.read(url).unwrap().pattern.as_deref(), source, "{url}");
        }
    }

    #[test]
    fn the_base_replaces_only_the_applications_origin() {
        let addresses = Addresses::new(Some("http://localhost:9/app/"), Some("http://localhost:3000/login"));
        let text = |url: &str| addresses.read(url).map(|address| address.text);
        assert_eq!(text("http://localhost:3000/cart?a=1").as_deref(), Some("http://localhost:9/app/cart?a=1"));
        assert_eq!(text("https://pay.example/x").as_deref(), Some("https://pay.example/x"));
        for bad in ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "about:blank", "", "http://"] {
            assert_eq!(text(bad), None, "{bad}");
        }
        for (url, good) in
            [("http://localhost:9", true), ("https://x/app", true), ("localhost", false), ("x://y", false)]
        {
            assert_eq!(is_origin(url), good, "{url}");
        }
    }
}
