//! Secrets where they do not belong: in addresses, bodies, messages and the console.

use std::collections::HashSet;

use super::evidence::Evidence;
use super::scope::Scope;
use super::{Check, Issue, Severity, address, evidence};
use crate::entry::{Direction, Request};
use crate::redact::Finding;
use crate::store::Stored;
use crate::store::id::IdKind;
use crate::url::without_query;

pub(super) const CHECK: Check = Check { name: "credentials", reads_bodies: true, run };

/// A shorter value under a name such as `api_key` is hardly a credential.
const SHORTEST_NAMED: usize = 8;

/// A shorter word after `password=` describes a password rather than being one.
const SHORTEST_PASSWORD: usize = 6;

/// The same under a name that says even less: `auth`, `bearer`.
const SHORTEST_AUTH: usize = 20;

/// A text that may contain a secret.
#[derive(Clone, Copy)]
struct Place {
    title: &'static str,
    field: &'static str,
    verb: &'static str,
}

const REQUEST_BODY: Place = Place { title: "request body", field: "request_body", verb: "sends" };
const RESPONSE_BODY: Place = Place { title: "response body", field: "response_body", verb: "answers with" };
const SENT_MESSAGE: Place = Place { title: "socket message", field: "data", verb: "sends" };
const RECEIVED_MESSAGE: Place = Place { title: "socket message", field: "data", verb: "receives" };

fn run(scope: &Scope<'_>) -> Vec<Issue> {
    let mut issues = Vec::new();
    // Almost no entry contained a secret; the others need no work.
    for stored in scope.requests.iter().filter(|stored| !stored.findings.is_empty()) {
        let request = &stored.entry;
        let page = request.page_url.as_deref().unwrap_or_default();
        let url = request.url.as_str();
        let base = evidence::of_request(scope, stored);
        let who = format!("{} {}", address::method(request), address::path(&evidence::shown(url, &stored.findings)));
        for finding in once(&stored.findings) {
            let issue = match finding.field {
                "url" => in_address(finding, Address { method: Some(address::method(request)), url }, &stored.findings),
                "pageUrl" => in_address(finding, Address { method: None, url: page }, &stored.findings),
                "requestBody" => sent(finding, REQUEST_BODY, &who, url),
                "responseBody" => received(finding, RESPONSE_BODY, &who, url),
                _ => None,
            };
            // All requests of a page share its address.
            let entry = if finding.field == "pageUrl" { None } else { Some(scope.id(IdKind::Network, stored)) };
            issues.extend(issue.map(|issue| beside(issue, &base).about(entry, finding)));
        }
    }
    for stored in scope.actions.iter().filter(|stored| !stored.findings.is_empty()) {
        let action = &stored.entry;
        let base = Evidence {
            id: Some(scope.id(IdKind::Action, stored)),
            action: Some(action.kind.clone()),
            ..Evidence::default()
        };
        for finding in once(&stored.findings) {
            let address = match finding.field {
                "url" => &action.url,
                "fromUrl" => &action.from_url,
                "toUrl" => &action.to_url,
                "formAction" => &action.form_action,
                _ => continue,
            };
            let url = address.as_deref().unwrap_or_default();
            let issue = in_address(finding, Address { method: None, url }, &stored.findings);
            let entry = scope.id(IdKind::Action, stored);
            issues.extend(issue.map(|issue| beside(issue, &base).about(Some(entry), finding)));
        }
    }
    for stored in scope.sockets.iter().filter(|stored| !stored.findings.is_empty()) {
        let event = &stored.entry;
        let url = event.url.as_deref().unwrap_or_default();
        let base = Evidence {
            id: Some(scope.id(IdKind::WebSocket, stored)),
            url: Some(evidence::url(url, &stored.findings)),
            ..Evidence::default()
        };
        let what = format!("The socket {}", address::path(&evidence::shown(url, &stored.findings)));
        for finding in once(&stored.findings) {
            let issue = match (finding.field, event.direction) {
                ("url", _) => in_address(finding, Address { method: None, url }, &stored.findings),
                ("data", Some(Direction::Outgoing)) => sent(finding, SENT_MESSAGE, &what, url),
                ("data", _) => received(finding, RECEIVED_MESSAGE, &what, url),
                _ => None,
            };
            let entry = scope.id(IdKind::WebSocket, stored);
            issues.extend(issue.map(|issue| beside(issue, &base).about(Some(entry), finding)));
        }
    }
    for stored in scope.logs.iter().filter(|stored| !stored.findings.is_empty()) {
        let entry = &stored.entry;
        if scope.is_known_request(entry) {
            continue;
        }
        let base = Evidence { id: Some(scope.id(IdKind::Log, stored)), ..Evidence::default() };
        for finding in once(&stored.findings) {
            let issue = match finding.field {
                "url" => {
                    let url = entry.url.as_deref().unwrap_or_default();
                    in_address(finding, Address { method: None, url }, &stored.findings)
                }
                "requestUrl" => {
                    let url = entry.request_url.as_deref().unwrap_or_default();
                    let method = Some(entry.method.as_deref().unwrap_or("GET"));
                    in_address(finding, Address { method, url }, &stored.findings)
                }
                "message" | "args" | "stack" | "metadata" if evidence::is_format(finding.kind) => {
                    Some(logged(finding, entry, &stored.findings))
                }
                _ => None,
            };
            let entry = scope.id(IdKind::Log, stored);
            issues.extend(issue.map(|issue| beside(issue, &base).about(Some(entry), finding)));
        }
    }
    issues
}

/// The kind of credential in a request's address or body that deserves a warning, if there is one.
pub(crate) fn exposed_in_request(stored: &Stored<Request>) -> Option<&'static str> {
    let url = stored.entry.url.as_str();
    once(&stored.findings).find_map(|finding| {
        let issue = match finding.field {
            "url" => in_address(finding, Address { method: None, url }, &stored.findings),
            "requestBody" => sent(finding, REQUEST_BODY, "", url),
            _ => None,
        };
        issue.filter(|issue| issue.severity >= Severity::Warning).map(|_| finding.kind)
    })
}

/// Each secret of an entry once for each place, without made-up ones.
fn once(findings: &[Finding]) -> impl Iterator<Item = &Finding> {
    let mut seen = HashSet::new();
    findings.iter().filter(move |finding| {
        // The text of a console entry is both in its message and in its arguments.
        let place = if finding.field == "args" { "message" } else { finding.field };
        !finding.example && seen.insert((place, &finding.placeholder))
    })
}

/// Puts what the issue shows before what is known about its entry.
fn beside(issue: Issue, base: &Evidence) -> Issue {
    Issue { evidence: issue.evidence.beside(base), ..issue }
}

struct Address<'a> {
    /// The method of a request; a page's own address has none.
    method: Option<&'a str>,
    url: &'a str,
}

fn in_address(finding: &Finding, Address { method, url }: Address<'_>, findings: &[Finding]) -> Option<Issue> {
    let bare = bare_name(finding.name.as_deref().unwrap_or_default());
    if is_too_short(finding, &bare) {
        return None;
    }
    let is_signature = matches!(bare.as_str(), "sig" | "signature" | "xamzsignature" | "xgoogsignature");
    let is_by_design = !evidence::is_format(finding.kind) && is_meant_for_addresses(&bare, url);
    let severity = match bare.as_str() {
        _ if is_by_design => Severity::Info,
        // Signed addresses and authorization codes are meant to be sent like this, and expire soon.
        _ if is_signature => Severity::Warning,
        "code" => Severity::Info,
        _ => Severity::Critical,
    };
    let label = if is_signature { "Signature".to_owned() } else { evidence::generic_label(finding.kind) };
    let path = address::path(&evidence::shown(url, findings));
    let who = match method {
        Some(method) => format!("{method} request to {path}"),
        None if url.starts_with("ws") => format!("The socket address {path}"),
        None => format!("The page's address {path}"),
    };
    let is_in_fragment = is_in_fragment(url, &finding.placeholder);
    let (place, field) = match &finding.name {
        Some(name) if is_in_fragment => (format!(" as '{name}' in its fragment"), "fragment"),
        None if is_in_fragment => (" in its fragment".to_owned(), "fragment"),
        Some(name) => (format!(" as query parameter '{name}'"), "query_param"),
        None if finding.kind == "url_password" => (" before its host".to_owned(), "userinfo"),
        None => (String::new(), "url"),
    };
    let title = match &finding.name {
        _ if is_in_fragment => format!("{label} exposed in URL fragment"),
        Some(_) => format!("{label} exposed in URL query parameter"),
        None => format!("{label} exposed in URL"),
    };
    let why = if is_in_fragment {
        "Fragments stay in the browser's history, and every script of the page can read them."
    } else {
        "Addresses are logged in server access logs, browser history, and may be cached by proxies."
    };
    let recommendation = if is_by_design {
        "This is how such tokens are used: nothing has to change, as long as it opens nothing by itself."
    } else {
        "Move it to the Authorization header or the request body, and replace it: it has been seen. Never include secrets in URLs."
    };
    Some(Issue {
        severity,
        title,
        description: format!("{who} includes {} {}{place}. {why}", article(finding.kind), evidence::noun(finding.kind),),
        evidence: Evidence {
            method: method.map(str::to_owned),
            url: Some(evidence::url(url, findings)),
            field: Some(field),
            param_name: finding.name.clone(),
            pattern: Some(finding.kind),
            redacted_value: Some(evidence::value(finding)),
            expires: finding.expires,
            ..Evidence::default()
        },
        recommendation: recommendation.to_owned(),
        cwe: Some("CWE-598"),
        key: format!("{} {} {}", method.unwrap_or("page"), without_query(url), finding.placeholder),
        address: Some(url.to_owned()),
        secret: None,
    })
}

/// Whether a value is too short for a credential under such a vague name: `auth=google`, `csrf_token_on=1`.
fn is_too_short(finding: &Finding, bare: &str) -> bool {
    let is_by_name = matches!(finding.kind, "token" | "bearer" | "password" | "secret" | "api_key");
    let least = match bare {
        "apikey" | "key" | "token" | "secret" | "password" => 0,
        "auth" | "bearer" => SHORTEST_AUTH,
        _ if ["token", "secret", "password", "passwd"].iter().any(|word| bare.contains(word)) => SHORTEST_NAMED,
        _ => 0,
    };
    is_by_name && finding.length < least
}

/// Whether a console line hardly contains a credential: the value is too short for one, and only its name suggests it.
/// Storage redacts it all the same.
pub(super) fn is_hardly_one(finding: &Finding) -> bool {
    let Some(name) = &finding.name else { return false };
    let bare = bare_name(name);
    let least = match (finding.kind, bare.as_str()) {
        // The key of a list, of a map, or on the keyboard.
        ("api_key", "key" | "keys") => SHORTEST_AUTH,
        ("token" | "bearer" | "secret" | "api_key", _) => SHORTEST_NAMED,
        ("password", _) => SHORTEST_PASSWORD,
        _ => return false,
    };
    turns_pages(&bare) || finding.length < least || is_too_short(finding, &bare)
}

fn bare_name(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

fn turns_pages(bare: &str) -> bool {
    ["pagetoken", "continuationtoken"].iter().any(|end| bare.ends_with(end))
}

/// Tokens that belong in addresses: against forged requests, for pagination, and of a polling Socket.IO session.
fn is_meant_for_addresses(bare: &str, url: &str) -> bool {
    let is_socket_io = || url.split(['?', '&']).any(|part| part.starts_with("EIO="));
    bare.contains("csrf") || bare.contains("xsrf") || turns_pages(bare) || (bare == "sid" && is_socket_io())
}

/// Whether the placeholder is in the address's fragment. Placeholders contain a `#` themselves.
fn is_in_fragment(url: &str, placeholder: &str) -> bool {
    let Some((before, _)) = url.split_once(placeholder).filter(|_| !placeholder.is_empty()) else { return false };
    let mut parts = before.split("[secret:");
    parts.next().is_some_and(|first| first.contains('#'))
        || parts.any(|part| part.split_once(']').is_some_and(|(_, rest)| rest.contains('#')))
}

fn sent(finding: &Finding, place: Place, by: &str, url: &str) -> Option<Issue> {
    let is_named_key = matches!(finding.kind, "api_key" | "secret") && finding.length >= SHORTEST_NAMED;
    let (severity, cwe, recommendation) = match finding.kind {
        kind if evidence::is_format(kind) => (
            Severity::Critical,
            "CWE-798",
            "Keep this key on your server and let it make the call: whatever the page sends, every visitor has. Replace the key.",
        ),
        "url_password" => (
            Severity::Warning,
            "CWE-522",
            "Keep addresses with passwords on your server, such as a database's: whatever the page sends, every visitor has. Replace the password.",
        ),
        "jwt" | "bearer" | "basic_auth" => {
            (Severity::Warning, "CWE-522", "Send it in the Authorization header, which servers and proxies do not log.")
        }
        _ if is_named_key => (
            Severity::Warning,
            "CWE-522",
            "If this key is meant to be secret, keep it on your server. If it is public by design, nothing has to change.",
        ),
        _ => return None,
    };
    Some(in_text(finding, Weight { severity, cwe, recommendation }, place, by, url))
}

fn received(finding: &Finding, place: Place, by: &str, url: &str) -> Option<Issue> {
    let is_named_key = matches!(finding.kind, "api_key" | "secret") && finding.length >= SHORTEST_NAMED;
    let severity = match finding.kind {
        kind if evidence::is_format(kind) => Severity::Critical,
        // Such as a database's address, which opens the database.
        "url_password" => Severity::Critical,
        _ if is_named_key => Severity::Warning,
        // Sign-ins return one; where the endpoint is not a sign-in, `pii_exposure` reports it.
        "jwt" => Severity::Info,
        _ => return None,
    };
    let recommendation =
        "Leave it out of the answer: whatever the page receives, every visitor can read. Replace it if it is in use.";
    Some(in_text(finding, Weight { severity, cwe: "CWE-200", recommendation }, place, by, url))
}

struct Weight {
    severity: Severity,
    cwe: &'static str,
    recommendation: &'static str,
}

fn in_text(finding: &Finding, weight: Weight, place: Place, by: &str, url: &str) -> Issue {
    // A password in an address is worse than one that the user types.
    let label =
        if finding.kind == "url_password" { "URL with password".to_owned() } else { evidence::label(finding.kind) };
    let name = finding.name.as_deref().map(|name| format!(" in '{name}'")).unwrap_or_default();
    let who = format!("{by} {}", place.verb);
    Issue {
        severity: weight.severity,
        title: format!("{label} in {}", place.title),
        description: format!("{who} {} {}{name}.", article(finding.kind), evidence::noun(finding.kind)),
        evidence: Evidence {
            field: Some(place.field),
            name: finding.name.clone(),
            pattern: Some(finding.kind),
            redacted_value: Some(evidence::value(finding)),
            expires: finding.expires,
            ..Evidence::default()
        },
        recommendation: weight.recommendation.to_owned(),
        cwe: Some(weight.cwe),
        key: format!("{who} {} {}", without_query(url), finding.placeholder),
        address: Some(url.to_owned()),
        secret: None,
    }
}

fn logged(finding: &Finding, entry: &crate::entry::Log, findings: &[Finding]) -> Issue {
    let label = evidence::label(finding.kind);
    Issue {
        severity: Severity::Critical,
        title: format!("{label} in console output"),
        description: format!(
            "The page logs {} {}: it has the key itself, and so has every visitor.",
            article(finding.kind),
            evidence::noun(finding.kind)
        ),
        evidence: Evidence {
            kind: Some("console"),
            level: Some(entry.level),
            pattern: Some(finding.kind),
            redacted_value: Some(evidence::value(finding)),
            redacted_preview: Some(evidence::around(entry, findings, &finding.placeholder)),
            source: evidence::source(entry),
            ..Evidence::default()
        },
        recommendation: "Keep the key on your server, remove the log statement, and replace the key.".to_owned(),
        cwe: Some("CWE-532"),
        key: format!("{:?} {}", evidence::source(entry), finding.placeholder),
        address: entry.url.clone(),
        secret: None,
    }
}

fn article(kind: &str) -> &'static str {
    let label = evidence::label(kind);
    // The article goes by sound: `an npm token`, `an xAI key`.
    if label == "Basic credentials" {
        "its"
    } else if label.starts_with(['A', 'E', 'I', 'O']) || label.starts_with("npm") || label.starts_with("xAI") {
        "an"
    } else {
        "a"
    }
}
