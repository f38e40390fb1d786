//! Endpoints that return personal data without authentication.

use std::collections::HashSet;

use wire::sensitive::AUTH_HEADERS;

use super::evidence::Evidence;
use super::scope::Scope;
use super::{Check, Issue, Severity, address, evidence};
use crate::entry::Request;

pub(super) const CHECK: Check = Check { name: "auth_patterns", reads_bodies: true, run };

fn run(scope: &Scope<'_>) -> Vec<Issue> {
    let asked_with: HashSet<String> = scope
        .requests
        .iter()
        .filter(|stored| is_authenticated(&stored.entry))
        .map(|stored| address::endpoint(&stored.entry))
        .collect();
    let mut issues = Vec::new();
    for (stored, personal) in scope.answers() {
        let request = &stored.entry;
        if is_authenticated(request) || !is_success(request) || !tells_of_people(request) {
            continue;
        }
        let personal = personal();
        if personal.is_empty() {
            continue;
        }
        let url = address::absolute(request);
        let endpoint = address::endpoint(request);
        let fields: Vec<&str> = personal.fields.iter().copied().collect();
        let who = format!("{} {}", address::method(request), address::path(&evidence::shown(&url, &stored.findings)));
        let is_known = authentication(request).is_some();
        let without = if is_known {
            "but no Authorization header was present in the request"
        } else {
            "and it is not known whether the request carried an Authorization header"
        };
        let other_calls = match (asked_with.contains(&endpoint), is_known) {
            (true, true) => "Other calls of this endpoint carry one, so the endpoint does not require it.",
            (true, false) => "Other calls of this endpoint carry one.",
            (false, _) => {
                "It was never called with one in this session. Cookies can't be seen here: if a session cookie protects it, all is well."
            }
        };
        let evidence = Evidence {
            status: request.status,
            auth_header_present: Some(authentication(request)),
            response_contains_pii: Some(true),
            pii_fields: Some(fields.clone()),
            ..evidence::of_request(scope, stored)
        };
        issues.push(Issue {
            // Users who sign in or register receive their own data.
            severity: if personal.is_real && is_known && !address::is_sign_in(&url) {
                Severity::Warning
            } else {
                Severity::Info
            },
            title: if is_known {
                "Endpoint returns user data without authentication"
            } else {
                "Endpoint returns user data, perhaps without authentication"
            }
            .to_owned(),
            description: format!(
                "{who} returned user PII ({}) {without}. {other_calls}",
                fields.join(", ")
            ),
            evidence,
            recommendation: "Ensure this endpoint requires authentication. If public by design, verify no sensitive data is exposed.".to_owned(),
            cwe: Some("CWE-306"),
            key: endpoint,
            address: Some(url),
            secret: None,
        });
    }
    issues
}

pub(super) fn is_authenticated(request: &Request) -> bool {
    authentication(request) == Some(true)
}

/// Whether the request carried an authentication header. Its value is redacted, its presence is known unless the sender
/// did not capture headers.
pub(super) fn authentication(request: &Request) -> Option<bool> {
    let has_header = request.request_headers.as_ref().is_some_and(|headers| {
        let is_known =
            |name: &str| AUTH_HEADERS.iter().chain(&["cookie"]).any(|known| name.eq_ignore_ascii_case(known));
        headers.0.keys().any(|name| is_known(name))
    });
    if has_header { Some(true) } else { request.has_auth_header }
}

pub(super) fn is_success(request: &Request) -> bool {
    request.status.is_none_or(|status| (200..300).contains(&status))
}

/// Whether the response could expose people. Pages, scripts and styles name authors and contacts, which is not a leak.
fn tells_of_people(request: &Request) -> bool {
    let kind = request.content_type.as_deref().unwrap_or_default().to_ascii_lowercase();
    let is_code = ["html", "javascript", "ecmascript", "css", "font", "image", "wasm", "source-map"];
    let is_markup = request.response_body.as_deref().unwrap_or_default().trim_start().starts_with('<');
    (!is_markup || kind.contains("xml")) && !is_code.iter().any(|code| kind.contains(code))
}
