//! Parts of addresses that checks need.

use crate::entry::Request;
use crate::url::{Url, path_of, without_query};

/// Whether the address has this scheme: `https` of `HTTPS://a.example/`.
pub(super) fn has_scheme(url: &str, wanted: &str) -> bool {
    Url::new(url).has_scheme(wanted)
}

/// The host in lower case, without user and port.
pub(super) fn host(url: &str) -> Option<String> {
    Url::new(url).host().map(|host| host.trim_end_matches('.').to_ascii_lowercase())
}

/// Scheme, host and port, in lower case.
pub(super) fn origin(url: &str) -> Option<String> {
    let url = Url::new(url);
    Some(format!("{}://{}", url.scheme?, url.host_and_port()?).to_ascii_lowercase())
}

/// Data that never leaves the machine needs no encryption.
pub(super) fn is_loopback(url: &str) -> bool {
    host(url).is_some_and(|host| {
        host == "localhost"
            || host.ends_with(".localhost")
            || host == "::1"
            || host == "0.0.0.0"
            || (host.starts_with("127.") && host.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'))
    })
}

/// The request's address. A mere path gets the page's origin.
pub(super) fn absolute(request: &Request) -> String {
    let url = request.url.as_str();
    match request.page_url.as_deref().and_then(origin) {
        Some(origin) if url.starts_with('/') && !url.starts_with("//") => format!("{origin}{url}"),
        _ => url.to_owned(),
    }
}

pub(super) fn method(request: &Request) -> &str {
    request.method.as_str()
}

/// Only the path, for sentences.
pub(super) fn path(url: &str) -> String {
    crate::text::shorten(path_of(url), 120)
}

/// Method and address without the query: the same for all calls of an endpoint.
pub(super) fn endpoint(request: &Request) -> String {
    format!("{} {}", method(request), without_query(&absolute(request)))
}

/// Whether users sign in at this address. Taking and returning credentials is its purpose.
pub(super) fn is_sign_in(url: &str) -> bool {
    const WORDS: &[&str] = &[
        "login",
        "signin",
        "logon",
        "signup",
        "register",
        "registration",
        "auth",
        "oauth",
        "oauth2",
        "token",
        "tokens",
        "session",
        "sessions",
        "refresh",
        "password",
        "sso",
        "authenticate",
    ];
    let path = path_of(url).to_ascii_lowercase();
    path.split('/').any(|segment| {
        let bare: String = segment.chars().filter(char::is_ascii_alphanumeric).collect();
        WORDS.contains(&bare.as_str()) || segment.split(['-', '_', '.']).any(|word| WORDS.contains(&word))
    })
}

/// Whether the address contains `staging`, or `dev` as a separate word.
pub(super) fn is_development(url: &str) -> bool {
    let url = url.to_ascii_lowercase();
    url.contains("staging")
        || url.split(|c: char| !c.is_ascii_alphabetic()).any(|word| matches!(word, "dev" | "develop" | "development"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_and_origins_are_found() {
        for (url, host_of, origin_of) in [
            ("http://a.example/x?y", Some("a.example"), Some("http://a.example")),
            ("HTTPS://A.example:8443", Some("a.example"), Some("https://a.example:8443")),
            ("http://u:p@a.example/", Some("a.example"), Some("http://a.example")),
            ("ws://[::1]:9/x", Some("::1"), Some("ws://[::1]:9")),
            ("/path", None, None),
            ("", None, None),
        ] {
            assert_eq!(host(url).as_deref(), host_of, "{url}");
            assert_eq!(origin(url).as_deref(), origin_of, "{url}");
        }
    }

    #[test]
    fn loopback_addresses_are_recognised() {
        for url in [
            "http://localhost",
            "http://LOCALHOST:3000/x",
            "http://127.0.0.1/",
            "http://[::1]:80/",
            "ws://app.localhost/",
            "http://127.8.9.1:1",
        ] {
            assert!(is_loopback(url), "{url}");
        }
        for url in [
            "http://localhost.example/",
            "http://127.0.0.1.example/",
            "http://192.168.0.1/",
            "http://a/localhost",
            "/x",
        ] {
            assert!(!is_loopback(url), "{url}");
        }
    }

    #[test]
    fn development_environments_are_recognised() {
        for url in [
            "https://staging.a.example/",
            "https://api-staging2.a.example",
            "https://dev.a.example/",
            "https://a-dev.example/x",
            "https://a.example/dev/x",
            "https://a.dev/",
        ] {
            assert!(is_development(url), "{url}");
        }
        for url in ["https://a.example/devices", "https://developer.a.example", "https://a.example/"] {
            assert!(!is_development(url), "{url}");
        }
    }

    #[test]
    fn sign_in_addresses_are_recognised() {
        for url in [
            "https://a.example/login",
            "/api/auth/callback",
            "/oauth/token?x=1",
            "/sign-in",
            "/v1/user_login",
            "/users/register",
        ] {
            assert!(is_sign_in(url), "{url}");
        }
        for url in ["/api/users", "/authors", "/tokenizer", "/"] {
            assert!(!is_sign_in(url), "{url}");
        }
    }
}
