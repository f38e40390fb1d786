//! Response headers that protect a page and are missing. Only names and presence: values are not shown.

use wire::Headers;

use super::evidence::Evidence;
use super::scope::Scope;
use super::{Check, Issue, Severity, address, evidence};
use crate::entry::Request;

pub(super) const CHECK: Check = Check { name: "security_headers", reads_bodies: false, run };

struct Rule {
    title: &'static str,
    header: &'static str,
    severity: Severity,
    /// Whether this response should have the header.
    applies: fn(&Answer<'_>) -> bool,
    is_fine: fn(&Headers) -> bool,
    why: &'static str,
    recommendation: &'static str,
    cwe: &'static str,
}

const RULES: &[Rule] = &[
    Rule {
        title: "No Content-Security-Policy",
        header: "content-security-policy",
        severity: Severity::Warning,
        applies: |answer| answer.is_page,
        is_fine: |headers| value(headers, "content-security-policy").is_some(),
        why: "an injected script can do whatever the page can",
        recommendation: "Send a Content-Security-Policy, at least with script-src and object-src.",
        cwe: "CWE-693",
    },
    Rule {
        title: "Page can be framed by any site",
        header: "x-frame-options",
        severity: Severity::Warning,
        applies: |answer| answer.is_page,
        is_fine: |headers| {
            let policy = value(headers, "content-security-policy").unwrap_or_default();
            value(headers, "x-frame-options").is_some() || policy.contains("frame-ancestors")
        },
        why: "another site can place it invisibly over its own and hijack clicks",
        recommendation: "Send X-Frame-Options: DENY, or frame-ancestors in the Content-Security-Policy.",
        cwe: "CWE-1021",
    },
    Rule {
        title: "No Strict-Transport-Security",
        header: "strict-transport-security",
        severity: Severity::Warning,
        applies: |answer| address::has_scheme(&answer.url, "https") && !address::is_loopback(&answer.url),
        is_fine: |headers| value(headers, "strict-transport-security").is_some(),
        why: "the next visit may begin over plain HTTP",
        recommendation: "Send Strict-Transport-Security with a max-age of a year.",
        cwe: "CWE-319",
    },
    Rule {
        title: "No X-Content-Type-Options: nosniff",
        header: "x-content-type-options",
        severity: Severity::Warning,
        applies: |_| true,
        is_fine: |headers| {
            value(headers, "x-content-type-options").is_some_and(|value| value.eq_ignore_ascii_case("nosniff"))
        },
        why: "browsers may treat an answer as a script or a page although it is not one",
        recommendation: "Send X-Content-Type-Options: nosniff with every answer.",
        cwe: "CWE-693",
    },
    Rule {
        title: "No Referrer-Policy",
        header: "referrer-policy",
        severity: Severity::Info,
        applies: |answer| answer.is_page,
        is_fine: |headers| value(headers, "referrer-policy").is_some(),
        why: "page addresses are sent to other sites as far as the browser's default policy allows",
        recommendation: "Send Referrer-Policy: strict-origin-when-cross-origin, or stricter.",
        cwe: "CWE-200",
    },
    Rule {
        title: "Any site may read answers with credentials",
        header: "access-control-allow-origin",
        severity: Severity::Warning,
        applies: |_| true,
        is_fine: |headers| {
            // The value is redacted, like that of all headers with such a name; `true` is the only valid one.
            let with_credentials = value(headers, "access-control-allow-credentials").is_some();
            !(with_credentials
                && value(headers, "access-control-allow-origin").is_some_and(|value| value == "*" || value == "null"))
        },
        why: "it allows every origin together with credentials",
        recommendation: "Allow the origins that need it by name.",
        cwe: "CWE-942",
    },
    Rule {
        title: "Server tells what it runs",
        header: "x-powered-by",
        severity: Severity::Info,
        applies: |_| true,
        is_fine: |headers| value(headers, "x-powered-by").is_none(),
        why: "it names its software, which tells attackers what to try",
        recommendation: "Leave X-Powered-By out.",
        cwe: "CWE-200",
    },
];

/// A response whose headers are known.
struct Answer<'a> {
    url: String,
    origin: String,
    is_page: bool,
    headers: &'a Headers,
    evidence: Evidence,
}

fn run(scope: &Scope<'_>) -> Vec<Issue> {
    let documents = scope.loads.iter().filter_map(|load| {
        let url = load.latest.page_url.clone()?;
        let evidence = Evidence { page_url: Some(evidence::url(&url, &[])), ..Evidence::default() };
        let headers = load.latest.document_headers.as_ref()?;
        Some(Answer { origin: address::origin(&url)?, url, is_page: true, headers, evidence })
    });
    let requests = scope.requests.iter().filter_map(|stored| {
        let request = &stored.entry;
        let headers = request.response_headers.as_ref().filter(|headers| !headers.0.is_empty())?;
        let url = address::absolute(request);
        let origin = address::origin(&url).filter(|origin| sees_headers(request, origin))?;
        Some(Answer { url, origin, is_page: is_page(request), headers, evidence: evidence::of_request(scope, stored) })
    });
    documents.chain(requests).flat_map(|answer| judge(&answer)).collect()
}

fn judge(answer: &Answer<'_>) -> Vec<Issue> {
    let Answer { url, origin, headers, .. } = answer;
    let broken = RULES.iter().filter(|rule| (rule.applies)(answer) && !(rule.is_fine)(headers));
    let issues = broken.map(|rule| {
        let evidence = Evidence {
            origin: Some(origin.clone()),
            header: Some(rule.header),
            present: Some(value(headers, rule.header).is_some()),
            ..answer.evidence.clone()
        };
        // Nobody attacks a development server on this machine, and production may be configured differently.
        let is_local = address::is_loopback(url);
        Issue {
            severity: if is_local { Severity::Info } else { rule.severity },
            title: rule.title.to_owned(),
            description: format!("Answers of {origin} have this weakness: {}.", rule.why),
            evidence,
            recommendation: rule.recommendation.to_owned(),
            cwe: Some(rule.cwe),
            // One issue for each origin, with the newest response as its example.
            key: origin.clone(),
            address: Some(url.clone()),
            secret: None,
        }
    });
    issues.collect()
}

/// Scripts see few headers of another origin's responses, so a missing one proves nothing there.
fn sees_headers(request: &Request, origin: &str) -> bool {
    request.page_url.as_deref().and_then(address::origin).is_none_or(|page| page == origin)
}

fn is_page(request: &Request) -> bool {
    let kind = request.content_type.as_deref().or_else(|| value(request.response_headers.as_ref()?, "content-type"));
    kind.is_some_and(|kind| kind.to_ascii_lowercase().contains("text/html"))
}

fn value<'h>(headers: &'h Headers, name: &str) -> Option<&'h str> {
    headers.0.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
}
