//! A store with a test's entries, and the audit of it.

use engine::analysis::security::{CHECKS, Check, Scope, Severity, audit};
use engine::intake::Content;
use engine::store::Filter;
use engine::test_runs::OpenTests;
use engine::{Redactor, Session};
use serde_json::{Value, json};
use wire::Timestamp;

pub(crate) const NOW: Timestamp = Timestamp::from_millis(1_770_600_000_000);

/// Uses the server's own path: a batch becomes entries that may be stored.
pub(crate) fn store(kinds: &[(Content, Value)]) -> Session {
    let mut session = Session::new("t");
    let redactor = Redactor::new();
    for (content, body) in kinds {
        let text = body.to_string();
        let arrived = content.split(&text, &mut |_| {}).unwrap();
        for entry in arrived.prepare(&redactor, &OpenTests::default(), NOW, &mut |_| {}) {
            session.add(entry.unwrap(), NOW).unwrap();
        }
    }
    session
}

pub(crate) fn requests(bodies: Value) -> Session {
    store(&[(Content::NetworkBodies, json!({ "bodies": bodies }))])
}

pub(crate) fn logs(entries: Value) -> Session {
    store(&[(Content::Logs, json!({ "entries": entries }))])
}

pub(crate) fn audited(session: &Session, checks: &[&str], least: Severity) -> Value {
    let checks: Vec<&Check> = CHECKS.iter().filter(|check| checks.is_empty() || checks.contains(&check.name)).collect();
    json!(audit(&Scope::from_session(session, &Filter::default()), &checks, least, 49 * 1024))
}

/// `severity: title` of each finding of this check.
pub(crate) fn told(session: &Session, check: &str) -> Vec<String> {
    let answer = audited(session, &[check], Severity::Info);
    let findings = answer["findings"].as_array().unwrap().iter();
    findings
        .map(|finding| {
            assert_eq!(finding["category"], check);
            for field in ["title", "description", "recommendation"] {
                assert!(finding[field].as_str().is_some_and(|text| !text.is_empty()), "{finding}");
            }
            assert!(finding["evidence"].is_object());
            assert!(finding["cwe"].as_str().is_none_or(|cwe| cwe.starts_with("CWE-")));
            format!("{}: {}", finding["severity"].as_str().unwrap(), finding["title"].as_str().unwrap())
        })
        .collect()
}
