//! Cookies without the flags that protect them. Only names and flags: values are never captured.

use wire::network::Cookie;

use super::evidence::Evidence;
use super::scope::Scope;
use super::{Check, Issue, Severity, address, evidence};
use crate::text::shorten;

pub(super) const CHECK: Check = Check { name: "cookie_security", reads_bodies: false, run };

const NAME_CHARS: usize = 60;

fn run(scope: &Scope<'_>) -> Vec<Issue> {
    let mut issues = Vec::new();
    for stored in &scope.requests {
        let Some(cookies) = stored.entry.cookies.as_ref().filter(|cookies| !cookies.is_empty()) else { continue };
        let url = address::absolute(&stored.entry);
        let base = evidence::of_request(scope, stored);
        for cookie in cookies {
            judge(cookie, &url, &base, &mut issues);
        }
    }
    for load in &scope.loads {
        let url = load.latest.page_url.as_deref().unwrap_or_default();
        let base = Evidence { page_url: Some(evidence::url(url, &[])), ..Evidence::default() };
        for cookie in load.latest.cookies.iter().flatten() {
            judge(cookie, url, &base, &mut issues);
        }
    }
    issues
}

/// A flag that was not reported is not judged.
fn judge(cookie: &Cookie, url: &str, base: &Evidence, issues: &mut Vec<Issue>) {
    let Some(name) = cookie.name.as_deref().filter(|name| !name.is_empty()) else { return };
    let shown = shorten(name, NAME_CHARS);
    let is_session = is_session(name);
    let is_local = address::is_loopback(url);
    let weight = if is_session { Severity::Warning } else { Severity::Info };
    let mut push = |severity: Severity, flag: &'static str, why: String, recommendation: &str, cwe: &'static str| {
        let evidence = Evidence {
            cookie: Some(shown.clone()),
            missing: Some(flag),
            secure: cookie.secure,
            http_only: cookie.http_only,
            same_site: cookie.same_site.clone(),
            ..base.clone()
        };
        issues.push(Issue {
            severity,
            title: format!("{} without {flag}", if is_session { "Session cookie" } else { "Cookie" }),
            description: format!("The cookie '{shown}' {why}."),
            evidence,
            recommendation: recommendation.to_owned(),
            cwe: Some(cwe),
            key: format!("{:?} {name}", address::host(url)),
            address: Some(url.to_owned()),
            secret: None,
        });
    };
    // Scripts have to read the cookies that guard against forged requests.
    if cookie.http_only == Some(false) && !is_forgery_guard(name) {
        let why = "can be read by scripts, and so by an injected one".to_owned();
        push(weight, "HttpOnly", why, "Set HttpOnly, unless scripts need to read it.", "CWE-1004");
    }
    let is_cross_site = cookie.same_site.as_deref().is_some_and(|value| value.eq_ignore_ascii_case("none"));
    let promises = name.starts_with("__Secure-") || name.starts_with("__Host-");
    if cookie.secure == Some(false) {
        let severity = match () {
            () if promises || is_cross_site => Severity::Warning,
            () if is_local => Severity::Info,
            () => weight,
        };
        let why = match () {
            () if promises => "has a name that only secure cookies may have: browsers refuse it",
            () if is_cross_site => "is SameSite=None without Secure: browsers refuse it",
            () => "is also sent over unencrypted connections",
        };
        push(severity, "Secure", why.to_owned(), "Set Secure.", "CWE-614");
    }
    if cookie.same_site.is_none() && cookie.secure.is_some() {
        let why = "leaves it to the browser whether other sites' requests carry it".to_owned();
        push(weight, "SameSite", why, "Set SameSite=Lax, or Strict.", "CWE-1275");
    }
}

/// Whether possession of the cookie means being signed in.
fn is_session(name: &str) -> bool {
    const WORDS: &[&str] =
        &["sid", "sess", "session", "auth", "token", "jwt", "login", "remember", "access", "refresh", "sso"];
    const PARTS: &[&str] = &["sessid", "sessionid", "session", "token", "auth", "jwt"];
    let lower = name.to_ascii_lowercase();
    !is_forgery_guard(name)
        && (PARTS.iter().any(|part| lower.contains(part))
            || lower.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| WORDS.contains(&word)))
}

fn is_forgery_guard(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    lower.contains("csrf") || lower.contains("xsrf")
}
