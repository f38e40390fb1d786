//! Data that travels unencrypted.

use super::evidence::Evidence;
use super::scope::Scope;
use super::{Check, Issue, Severity, address, evidence};
use crate::entry::LogKind;
use crate::redact::Finding;
use crate::store::id::IdKind;
use crate::url::without_query;

pub(super) const CHECK: Check = Check { name: "transport", reads_bodies: false, run };

fn run(scope: &Scope<'_>) -> Vec<Issue> {
    let mut issues = Vec::new();
    for stored in &scope.requests {
        let request = &stored.entry;
        let url = address::absolute(request);
        if !is_plain(&url, "http") {
            continue;
        }
        let evidence = Evidence {
            page_url: request.page_url.as_deref().map(|page| evidence::url(page, &stored.findings)),
            ..evidence::of_request(scope, stored)
        };
        let carried = if request.has_auth_header == Some(true) || !stored.findings.is_empty() {
            " It carries credentials."
        } else {
            ""
        };
        issues.push(Issue {
            severity: Severity::Warning,
            title: "API call over unencrypted HTTP".to_owned(),
            description: format!(
                "{} {} goes over http://: anyone on the network path can read and change it.{carried}",
                address::method(request),
                evidence::url(without_query(&url), &stored.findings)
            ),
            evidence,
            recommendation: "Use HTTPS.".to_owned(),
            cwe: Some("CWE-319"),
            key: address::endpoint(request),
            address: Some(url.clone()),
            secret: None,
        });
        let page = request.page_url.as_deref().unwrap_or_default();
        let kind = kind_of(request.initiator.as_deref(), request.content_type.as_deref());
        let seen = Seen { page, url: &url, kind: &kind, id: Some(scope.id(IdKind::Network, stored)), failed: false };
        issues.extend(mixed(&seen, &stored.findings));
    }
    for stored in &scope.logs {
        let entry = &stored.entry;
        if entry.kind != LogKind::Resource {
            continue;
        }
        // `Failed to load <script> http://…`
        let tag = entry.message.split_once('<').and_then(|(_, rest)| rest.split_once('>')).map(|(tag, _)| tag);
        let seen = Seen {
            page: entry.url.as_deref().unwrap_or_default(),
            url: entry.request_url.as_deref().unwrap_or_default(),
            kind: of_tag(tag.unwrap_or_default()),
            id: Some(scope.id(IdKind::Log, stored)),
            failed: true,
        };
        issues.extend(mixed(&seen, &stored.findings));
    }
    for load in &scope.loads {
        let page = load.latest.page_url.as_deref().unwrap_or_default();
        for resource in load.latest.insecure_resources.iter().flatten() {
            let kind = of_tag(resource.kind.as_deref().unwrap_or_default());
            let url = resource.url.as_deref().unwrap_or_default();
            issues.extend(mixed(&Seen { page, url, kind, id: None, failed: false }, &[]));
        }
    }
    let of_events = scope
        .sockets
        .iter()
        .filter_map(|stored| Some((stored.entry.url.as_deref()?, stored.findings.as_slice(), Some(stored))));
    let of_connections =
        scope.connections.iter().filter_map(|connection| Some((connection.url.as_deref()?, [].as_slice(), None)));
    let mut seen = std::collections::HashSet::new();
    for (url, findings, event) in of_events.chain(of_connections) {
        // One issue for each address, however many messages it carried.
        if !is_plain(url, "ws") || !seen.insert(without_query(url)) {
            continue;
        }
        let shown = evidence::url(url, findings);
        let id = event.map(|stored| scope.id(IdKind::WebSocket, stored));
        issues.push(Issue {
            severity: Severity::Warning,
            title: "WebSocket over unencrypted ws://".to_owned(),
            description: format!(
                "The socket {shown} is not encrypted: anyone on the network path can read and change its messages."
            ),
            evidence: Evidence { id, url: Some(shown.clone()), ..Evidence::default() },
            recommendation: "Use wss://.".to_owned(),
            cwe: Some("CWE-319"),
            key: without_query(url).to_owned(),
            address: Some(url.to_owned()),
            secret: None,
        });
    }
    issues
}

/// Unencrypted, and over a network.
fn is_plain(url: &str, scheme: &str) -> bool {
    address::has_scheme(url, scheme) && !address::is_loopback(url)
}

struct Seen<'a> {
    page: &'a str,
    url: &'a str,
    /// `script`, `image` and the like.
    kind: &'a str,
    id: Option<String>,
    /// The browser blocked it, or it was not found.
    failed: bool,
}

fn mixed(seen: &Seen<'_>, findings: &[Finding]) -> Option<Issue> {
    if !address::has_scheme(seen.page, "https") || !is_plain(seen.url, "http") {
        return None;
    }
    let (page, resource) = (evidence::url(seen.page, findings), evidence::url(seen.url, findings));
    let outcome = if seen.failed { " It did not load: browsers block or upgrade such resources." } else { "" };
    Some(Issue {
        severity: if seen.kind == "script" { Severity::Critical } else { Severity::Warning },
        title: "Mixed content: HTTPS page loading HTTP resource".to_owned(),
        description: format!("Page at {page} loads {} from {resource}.{outcome}", with_article(seen.kind)),
        evidence: Evidence {
            id: seen.id.clone(),
            page_url: Some(page),
            resource_url: Some(resource),
            resource_type: Some(seen.kind.to_owned()),
            ..Evidence::default()
        },
        recommendation: "Use HTTPS for all resources. Mixed content can be intercepted by network attackers."
            .to_owned(),
        cwe: Some("CWE-319"),
        key: format!("{} {}", without_query(seen.page), without_query(seen.url)),
        address: Some(seen.page.to_owned()),
        secret: None,
    })
}

fn with_article(kind: &str) -> String {
    format!("{} {kind}", if kind.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" })
}

/// What a request loads, judged by its initiator and its content type.
fn kind_of(initiator: Option<&str>, content_type: Option<&str>) -> String {
    let content_type = content_type.unwrap_or_default().to_ascii_lowercase();
    let by_content = [
        ("javascript", "script"),
        ("ecmascript", "script"),
        ("text/css", "style"),
        ("image/", "image"),
        ("font", "font"),
    ];
    if let Some((_, kind)) = by_content.iter().find(|(part, _)| content_type.contains(part)) {
        return (*kind).to_owned();
    }
    of_tag(initiator.unwrap_or("request")).to_owned()
}

fn of_tag(tag: &str) -> &str {
    match tag {
        "img" | "image" | "picture" => "image",
        "css" | "link" | "style" => "style",
        "fetch" | "xhr" | "xmlhttprequest" | "beacon" => "request",
        "iframe" | "frame" => "frame",
        "" => "resource",
        other => other,
    }
}
