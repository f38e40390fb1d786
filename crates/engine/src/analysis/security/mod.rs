//! Security issues that are visible in what a page sent, received and logged.
//!
//! Each check is one file and one line in [`CHECKS`]. Credentials are redacted before a check sees a text. It reads the
//! findings beside each entry ([`crate::Finding`]), which keep at most six and three characters of a secret. Data that
//! stays in the texts, such as e-mail addresses, is searched for here ([`personal`]).

mod address;
mod auth_patterns;
mod cookie_security;
mod credentials;
mod evidence;
mod fields;
mod personal;
mod pii_exposure;
mod scope;
mod security_headers;
mod transport;

use std::collections::{BTreeMap, HashMap, HashSet};

use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;
use wire::limits;

use crate::answer::Counts;
use crate::answer::fit::fit_list;
use crate::redact::Finding;

pub(crate) use credentials::exposed_in_request;
pub use evidence::Evidence;
pub use scope::Scope;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Should be fixed.
    Warning,
    /// Must be fixed: it exposes credentials or personal data.
    Critical,
}

impl Severity {
    /// Every severity, the mildest first.
    pub const ALL: [Self; 3] = [Self::Info, Self::Warning, Self::Critical];

    /// The severity as it is written in answers and parameters.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Critical => "critical",
        }
    }

    /// The severity of that name; `None` for an unknown name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|severity| severity.name() == name)
    }
}

/// A check: one kind of issue to look for.
pub struct Check {
    /// The check's name, which is its file's name.
    pub name: &'static str,
    /// Whether it finds little when bodies are not captured.
    pub reads_bodies: bool,
    /// The issues it finds, of the newest entries first.
    run: fn(&Scope<'_>) -> Vec<Issue>,
}

/// Every check, in the order they run.
pub const CHECKS: &[Check] = &[
    credentials::CHECK,
    auth_patterns::CHECK,
    pii_exposure::CHECK,
    transport::CHECK,
    security_headers::CHECK,
    cookie_security::CHECK,
];

/// Something that the developer should look at.
#[derive(Debug, Clone)]
struct Issue {
    severity: Severity,
    title: String,
    description: String,
    evidence: Evidence,
    recommendation: String,
    cwe: Option<&'static str>,
    /// Issues with the same title and key are one issue, and are counted.
    key: String,
    /// The address where it was seen, which may name the environment.
    address: Option<String>,
    /// The secret that the issue is about, if any.
    secret: Option<Seen>,
}

/// Where a secret was seen.
#[derive(Debug, Clone)]
struct Seen {
    /// The id of the request, message, action or console line.
    entry: String,
    placeholder: String,
    /// Where in it: `query_param`, `request_body`, `console`.
    places: Vec<&'static str>,
}

/// The findings of an audit.
#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Audit {
    /// The most severe and newest first.
    pub findings: Vec<Found>,
    /// Counts of findings, and of what was scanned.
    pub summary: AuditSummary,
    /// Findings beyond a check's limit, by check.
    pub left_out: Option<Counts>,
    /// Findings that exceeded the response budget.
    pub left_out_for_size: Option<usize>,
}

/// Something that the developer should look at.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Found {
    /// How bad it is.
    pub severity: Severity,
    /// The check that found it.
    pub category: &'static str,
    /// The issue.
    pub title: String,
    /// Where and why it matters.
    pub description: String,
    /// What proves it.
    pub evidence: Evidence,
    /// What to do.
    pub recommendation: String,
    /// The weakness in MITRE's CWE list.
    pub cwe: Option<&'static str>,
}

/// Counts of an audit's findings.
#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct AuditSummary {
    /// All findings.
    pub total: usize,
    /// Critical ones.
    pub critical: usize,
    /// Warnings.
    pub warning: usize,
    /// Hints.
    pub info: usize,
    /// Findings below `severity_min`.
    pub below_severity_min: Option<usize>,
    /// What was scanned.
    pub scanned: Scanned,
}

/// What an audit scanned.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct Scanned {
    /// Requests.
    pub network_requests: usize,
    /// Console lines and errors.
    pub console_entries: usize,
    /// Different endpoints.
    pub unique_endpoints: usize,
}

/// Runs these checks. The answer has at most this many bytes.
pub fn audit(scope: &Scope<'_>, checks: &[&Check], least: Severity, bytes: usize) -> Audit {
    let mut findings: Vec<Found> = Vec::new();
    let mut counts: HashMap<Severity, usize> = HashMap::new();
    let mut left_out: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut below = 0;
    let found = checks.iter().flat_map(|check| (check.run)(scope).into_iter().map(|issue| (check.name, issue)));
    let mut found = each_secret_once(found);
    for check in checks {
        let of_check = found.extract_if(.., |(name, _)| *name == check.name).map(|(_, issue)| issue).collect();
        let (mut issues, mild): (Vec<_>, Vec<_>) =
            counted(of_check).into_iter().partition(|issue| issue.severity >= least);
        below += mild.len();
        // The sort is stable: among equally severe issues the newest stay first.
        issues.sort_by_key(|issue| std::cmp::Reverse(issue.severity));
        for (place, issue) in issues.into_iter().enumerate() {
            *counts.entry(issue.severity).or_default() += 1;
            if place < limits::SECURITY_FINDINGS_PER_CHECK {
                findings.push(issue.found_by(check.name));
            } else {
                *left_out.entry(check.name).or_default() += 1;
            }
        }
    }
    findings.sort_by_key(|found| std::cmp::Reverse(found.severity));
    let count = |severity: Severity| counts.get(&severity).copied().unwrap_or(0);
    let summary = AuditSummary {
        total: counts.values().sum(),
        critical: count(Severity::Critical),
        warning: count(Severity::Warning),
        info: count(Severity::Info),
        below_severity_min: (below > 0).then_some(below),
        scanned: Scanned {
            network_requests: scope.requests.len(),
            console_entries: scope.logs.len(),
            unique_endpoints: scope.endpoints(),
        },
    };
    let left_out = (!left_out.is_empty()).then(|| left_out.into_iter().collect());
    let mut audit = Audit { findings, summary, left_out, left_out_for_size: None };
    let cut = fit_list(&mut audit, |audit| &mut audit.findings, bytes);
    audit.left_out_for_size = (cut > 0).then_some(cut);
    audit
}

/// Makes one issue of a secret that is in several places of one request or console line: the worst, with a list of the
/// places.
fn each_secret_once(found: impl Iterator<Item = (&'static str, Issue)>) -> Vec<(&'static str, Issue)> {
    let mut issues: Vec<(&'static str, Issue)> = Vec::new();
    let mut known: HashMap<(String, String), usize> = HashMap::new();
    for (check, mut issue) in found {
        let Some(seen) = &issue.secret else {
            issues.push((check, issue));
            continue;
        };
        let place = *known.entry((seen.entry.clone(), seen.placeholder.clone())).or_insert(issues.len());
        let Some((worst_check, worst)) = issues.get_mut(place) else {
            issues.push((check, issue));
            continue;
        };
        let mut places = worst.secret.as_ref().map(|seen| seen.places.clone()).unwrap_or_default();
        places.extend(seen.places.iter().filter(|place| !places.contains(place)).collect::<Vec<_>>());
        if issue.severity > worst.severity {
            std::mem::swap(worst, &mut issue);
            *worst_check = check;
        }
        if places.len() > 1 {
            worst.evidence.places = Some(places.clone());
        }
        if let Some(seen) = &mut worst.secret {
            seen.places = places;
        }
    }
    issues
}

/// Each issue once, with its count.
fn counted(found: Vec<Issue>) -> Vec<Issue> {
    let mut issues: Vec<(Issue, usize)> = Vec::new();
    let mut known: HashMap<(String, String), usize> = HashMap::new();
    for issue in found {
        let place = *known.entry((issue.title.clone(), issue.key.clone())).or_insert(issues.len());
        match issues.get_mut(place) {
            Some((worst, count)) => {
                *count += 1;
                if issue.severity > worst.severity {
                    *worst = issue;
                }
            }
            None => issues.push((issue, 1)),
        }
    }
    let counted = issues.into_iter().map(|(mut issue, count)| {
        if count > 1 {
            issue.evidence.count = Some(count);
        }
        issue
    });
    counted.collect()
}

impl Issue {
    /// The same issue, about a secret of this entry. A secret that reads as words is most likely not one.
    fn about(self, entry: Option<String>, finding: &Finding) -> Self {
        let place = match finding.field {
            "requestBody" => "request_body",
            "responseBody" => "response_body",
            "data" => "message",
            "message" | "args" | "metadata" => "console",
            "stack" => "stack",
            _ => "url",
        };
        let seen = entry.map(|entry| Seen { entry, placeholder: finding.placeholder.clone(), places: vec![place] });
        let severity = if finding.words { Severity::Info } else { self.severity };
        Self { secret: seen.filter(|_| !finding.placeholder.is_empty()), severity, ..self }
    }

    fn found_by(self, category: &'static str) -> Found {
        let mut recommendation = self.recommendation;
        if self.address.as_deref().is_some_and(address::is_development) {
            recommendation.push_str(
                " The address looks like a staging or development environment: check whether production does the same.",
            );
        }
        Found {
            severity: self.severity,
            category,
            title: self.title,
            description: self.description,
            evidence: self.evidence,
            recommendation,
            cwe: self.cwe,
        }
    }
}

/// The names of those checks that need bodies, for an answer that says what the audit could not see.
pub fn blind_without_bodies<'c>(checks: &[&'c Check]) -> Vec<&'c str> {
    checks.iter().filter(|check| check.reads_bodies).map(|check| check.name).collect()
}

/// The checks of these names, each once and in the order of the list; or the first unknown name.
pub fn checks_named(names: &[String]) -> Result<Vec<&'static Check>, &str> {
    if let Some(unknown) = names.iter().find(|name| CHECKS.iter().all(|check| check.name != name.as_str())) {
        return Err(unknown);
    }
    let wanted: HashSet<&str> = names.iter().map(String::as_str).collect();
    Ok(CHECKS.iter().filter(|check| wanted.is_empty() || wanted.contains(check.name)).collect())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Files that are not checks.
    const HELPERS: &[&str] = &["mod", "address", "evidence", "fields", "personal", "scope"];

    #[test]
    #[allow(clippy::disallowed_methods, reason = "a test may look into its own folder")]
    fn every_file_of_the_folder_is_a_check() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/analysis/security");
        let files: BTreeSet<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
            .filter(|name| !HELPERS.contains(&name.as_str()))
            .collect();
        let listed: BTreeSet<String> = CHECKS.iter().map(|check| check.name.to_owned()).collect();
        assert_eq!(files, listed);
    }
}
