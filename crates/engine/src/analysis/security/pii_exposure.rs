//! Sensitive data in the console, and in responses to unauthenticated requests.

use std::collections::HashSet;

use wire::limits;

use super::auth_patterns::{authentication, is_success};
use super::evidence::Evidence;
use super::personal::Personal;
use super::scope::Scope;
use super::{Check, Issue, Severity, address, credentials, evidence, fields, personal};
use crate::entry::{Log, LogKind, Request};
use crate::redact::Finding;
use crate::store::Stored;
use crate::store::id::IdKind;

pub(super) const CHECK: Check = Check { name: "pii_exposure", reads_bodies: true, run };

fn run(scope: &Scope<'_>) -> Vec<Issue> {
    let mut issues = Vec::new();
    for stored in &scope.logs {
        // A failed request is known as a request; the browser wrote its console line, not the page.
        if !matches!(stored.entry.kind, LogKind::Network | LogKind::Resource | LogKind::Csp) {
            console(scope, stored, &mut issues);
        }
    }
    for (stored, personal) in scope.answers() {
        if stored.entry.response_body.as_deref().is_some_and(fields::is_json) {
            secrets_in_answer(scope, stored, &mut issues);
            if is_success(&stored.entry) {
                personal_data_in_answer(scope, stored, personal(), &mut issues);
            }
        }
    }
    issues
}

fn console(scope: &Scope<'_>, stored: &Stored<Log>, issues: &mut Vec<Issue>) {
    let entry = &stored.entry;
    let mut seen = HashSet::new();
    let said = |finding: &&Finding| matches!(finding.field, "message" | "args" | "metadata");
    for finding in stored.findings.iter().filter(said) {
        if finding.example || credentials::is_hardly_one(finding) || !seen.insert(&finding.placeholder) {
            continue;
        }
        let (severity, title, pattern) = match finding.kind {
            "jwt" => (Severity::Critical, "Auth token logged to console", "jwt_token"),
            "bearer" => (Severity::Critical, "Auth token logged to console", "bearer_token"),
            "token" => (Severity::Critical, "Auth token logged to console", "token"),
            "cookie" => (Severity::Critical, "Cookie logged to console", "cookie"),
            "basic_auth" => (Severity::Critical, "Credentials logged to console", "basic_auth"),
            "password" | "url_password" => (Severity::Warning, "Password logged to console", "password"),
            kind => (Severity::Critical, "API key logged to console", kind),
        };
        let level = entry.level.name();
        let issue = Issue {
            severity,
            title: title.to_owned(),
            description: format!("console.{level}() call includes what appears to be a {}.", evidence::noun(finding.kind)),
            evidence: Evidence {
                id: Some(scope.id(IdKind::Log, stored)),
                kind: Some("console"),
                level: Some(entry.level),
                pattern: Some(pattern),
                redacted_value: Some(evidence::value(finding)),
                redacted_preview: Some(evidence::around(entry, &stored.findings, &finding.placeholder)),
                source: evidence::source(entry),
                expires: finding.expires,
                ..Evidence::default()
            },
            recommendation: "Remove console.log statements that output tokens, keys or passwords. Use structured logging that redacts sensitive fields.".to_owned(),
            cwe: Some("CWE-532"),
            key: format!("{:?} {}", evidence::source(entry), finding.placeholder),
            address: entry.url.clone(),
            secret: None,
        };
        issues.push(issue.about(Some(scope.id(IdKind::Log, stored)), finding));
    }
    personal_data_in_console(scope, stored, issues);
}

fn personal_data_in_console(scope: &Scope<'_>, stored: &Stored<Log>, issues: &mut Vec<Issue>) {
    let entry = &stored.entry;
    let message = entry.message.as_str();
    let end = message.char_indices().nth(limits::SECURITY_SCAN_BYTES).map_or(message.len(), |(end, _)| end);
    let text = message.get(..end).unwrap_or(message);
    let mut sorts = HashSet::new();
    for match_ in personal::matches(text, limits::SECURITY_MATCHES_PER_BODY) {
        if !sorts.insert(match_.sort.name()) {
            continue;
        }
        let value = match_.text(text);
        let (severity, title) = match match_.sort {
            personal::Sort::Email => (Severity::Info, "Email address logged to console"),
            personal::Sort::Phone => (Severity::Info, "Phone number logged to console"),
            personal::Sort::SocialSecurity => (Severity::Warning, "Social security number logged to console"),
            personal::Sort::CreditCard => (Severity::Warning, "Card number logged to console"),
        };
        let severity = if personal::is_mock(value) { Severity::Info } else { severity };
        let level = entry.level.name();
        issues.push(Issue {
            severity,
            title: title.to_owned(),
            description: format!("console.{level}() call includes personal data. It may be intentional while debugging."),
            evidence: Evidence {
                id: Some(scope.id(IdKind::Log, stored)),
                kind: Some("console"),
                level: Some(entry.level),
                pattern: Some(match_.sort.name()),
                redacted_value: Some(personal::ends(value)),
                redacted_preview: Some(evidence::around(entry, &stored.findings, value)),
                source: evidence::source(entry),
                ..Evidence::default()
            },
            recommendation: "Remove the log statement before release: the console is read by extensions, error trackers and screenshots.".to_owned(),
            cwe: Some("CWE-532"),
            key: format!("{:?} {value}", evidence::source(entry)),
            address: entry.url.clone(),
            secret: None,
        });
    }
}

fn secrets_in_answer(scope: &Scope<'_>, stored: &Stored<Request>, issues: &mut Vec<Issue>) {
    let request = &stored.entry;
    let mut seen = HashSet::new();
    for finding in stored.findings.iter().filter(|finding| finding.field == "responseBody" && !finding.example) {
        let what = match finding.kind {
            "password" => "Password",
            "jwt" | "token" | "bearer" | "cookie" => "Token",
            // `credentials` reports keys of known formats.
            _ => continue,
        };
        if !seen.insert(&finding.placeholder) || is_harmless(finding.name.as_deref()) {
            continue;
        }
        let url = address::absolute(request);
        let evidence = Evidence {
            status: request.status,
            field: Some("response_body"),
            name: finding.name.clone(),
            pattern: Some(finding.kind),
            redacted_value: Some(evidence::value(finding)),
            expires: finding.expires,
            ..evidence::of_request(scope, stored)
        };
        let note = match what {
            "Token" if address::is_sign_in(&url) => {
                " Sign-ins usually return one; an HttpOnly cookie would hide it from scripts."
            }
            _ => "",
        };
        let issue = Issue {
            severity: Severity::Critical,
            title: format!("{what} in response body"),
            description: format!("{} answers with a {}.{note}", who(stored, &url), evidence::noun(finding.kind)),
            evidence,
            recommendation: match what {
                "Password" => "Never send passwords or their hashes to the browser.",
                _ => "Hand tokens out once, at sign-in, in an HttpOnly cookie if you can, and leave them out of all other answers.",
            }
            .to_owned(),
            cwe: Some("CWE-200"),
            // Each response of an endpoint may contain a new token; it is one issue all the same.
            key: format!("{} {:?} {}", address::endpoint(request), finding.name, finding.kind),
            address: Some(url),
            secret: None,
        };
        issues.push(issue.about(Some(scope.id(IdKind::Network, stored)), finding));
    }
}

fn personal_data_in_answer(scope: &Scope<'_>, stored: &Stored<Request>, personal: &Personal, issues: &mut Vec<Issue>) {
    let request = &stored.entry;
    let fields: Vec<&str> =
        personal.fields.iter().copied().filter(|field| !matches!(*field, "jwt" | "password")).collect();
    if fields.is_empty() {
        return;
    }
    let url = address::absolute(request);
    let is_sign_in = address::is_sign_in(&url);
    let authentication = authentication(request);
    let (severity, title) = match authentication {
        Some(true) => (Severity::Info, "Personal data in authenticated response"),
        Some(false) => (Severity::Warning, "Personal data in unauthenticated response"),
        None => (Severity::Info, "Personal data in response"),
    };
    let evidence = Evidence {
        status: request.status,
        pii_fields: Some(fields.clone()),
        auth_header_present: Some(authentication),
        ..evidence::of_request(scope, stored)
    };
    issues.push(Issue {
        // Users who sign in or register receive their own data.
        severity: if personal.is_real && !is_sign_in { severity } else { Severity::Info },
        title: title.to_owned(),
        description: format!("{} answers with personal data: {}.", who(stored, &url), fields.join(", ")),
        evidence,
        recommendation: "Answer with no more than the page shows, and only to whom it concerns.".to_owned(),
        cwe: Some("CWE-359"),
        key: address::endpoint(request),
        address: Some(url),
        secret: None,
    });
}

/// Method and path, for sentences.
fn who(stored: &Stored<Request>, url: &str) -> String {
    format!("{} {}", address::method(&stored.entry), address::path(&evidence::shown(url, &stored.findings)))
}

/// Tokens that are not secret: against forged requests, and for pagination.
fn is_harmless(name: Option<&str>) -> bool {
    let name = name.unwrap_or_default().to_ascii_lowercase();
    ["csrf", "xsrf", "page", "next", "continuation", "cursor", "sync"].iter().any(|word| name.contains(word))
}
