//! The limits of an audit: findings per check, the answer's size, severities, filters, and what is never shown.

use engine::analysis::security::{CHECKS, Check, Scope, Severity, audit, checks_named};
use engine::store::{Filter, Since};
use serde_json::{Value, json};

use crate::support::{audited, logs, requests};

fn leaks(count: usize) -> Value {
    (0..count)
        .map(|n| json!({ "url": format!("https://a.example/{n}?api_key=Q7w2X9r4K1z8{n}"), "status": 200 }))
        .collect()
}

#[test]
fn each_check_shows_its_worst_twenty() {
    for count in [19, 20, 21, 60] {
        let mut bodies = leaks(count);
        // Milder and newer findings must not displace the severe ones.
        for n in 0..5 {
            bodies
                .as_array_mut()
                .unwrap()
                .push(json!({ "url": format!("https://a.example/m{n}?sig=Q7w2X9r4K1z8Q7w2X9r4K{n}") }));
        }
        let answer = audited(&requests(bodies), &["credentials"], Severity::Info);
        let findings = answer["findings"].as_array().unwrap();
        assert_eq!(findings.len(), (count + 5).min(20));
        assert_eq!(answer["summary"]["total"], count + 5);
        assert_eq!((&answer["summary"]["critical"], &answer["summary"]["warning"]), (&json!(count), &json!(5)));
        let critical = findings.iter().filter(|finding| finding["severity"] == "critical").count();
        assert_eq!(critical, count.min(20));
        let left_out = (count + 5).saturating_sub(20);
        assert_eq!(answer["left_out"]["credentials"], if left_out > 0 { json!(left_out) } else { json!(null) });
    }
}

#[test]
fn the_answer_keeps_to_its_budget() {
    let long = "x".repeat(280);
    let bodies: Value = (0..90)
        .map(|n| json!({ "url": format!("http://a{n}.example/{long}?api_key=Q7w2X9r4K1z8{n}"), "pageUrl": format!("https://a{n}.example/{long}"), "hasAuthHeader": false, "status": 200,
            "responseBody": format!(r#"{{"email":"ada{n}@lovelace.org","access_token":"Q7w2X9r4K1z8-{n}"}}"#), "responseHeaders": { "Set-Cookie": format!("sid{n}=1") } }))
        .collect();
    let store = requests(bodies);
    let checks: Vec<&Check> = CHECKS.iter().collect();
    for bytes in [10_000, 49 * 1024] {
        let answer = json!(audit(&Scope::from_session(&store, &Filter::default()), &checks, Severity::Info, bytes));
        assert!(answer.to_string().len() <= bytes + 64, "{}", answer.to_string().len());
        assert!(answer["left_out_for_size"].as_u64().unwrap() > 0);
        assert!(answer["summary"]["total"].as_u64().unwrap() > 200);
        let first = answer["findings"][0]["severity"].clone();
        assert_eq!(first, "critical");
    }
}

#[test]
fn severities_are_filtered() {
    let store = requests(json!([
        { "url": "https://a.example/?api_key=Q7w2X9r4K1z8" },
        { "url": "https://a.example/?sig=Q7w2X9r4K1z8Q7w2X9r4" },
        { "url": "https://a.example/?code=Q7w2X9r4K1z8Q7w2X9r4" },
    ]));
    for (least, shown, below) in
        [(Severity::Info, 3, json!(null)), (Severity::Warning, 2, json!(1)), (Severity::Critical, 1, json!(2))]
    {
        let answer = audited(&store, &["credentials"], least);
        assert_eq!(answer["findings"].as_array().unwrap().len(), shown, "{least:?}");
        assert_eq!((&answer["summary"]["total"], &answer["summary"]["below_severity_min"]), (&json!(shown), &below));
    }
    assert_eq!(Severity::of_name("critical"), Some(Severity::Critical));
    assert_eq!(Severity::of_name("high"), None);
}

#[test]
fn a_repeated_finding_is_counted() {
    let same = json!({ "url": "https://a.example/x?page=1&api_key=Q7w2X9r4K1z8" });
    let other_page = json!({ "url": "https://a.example/x?page=2&api_key=Q7w2X9r4K1z8" });
    let other_key = json!({ "url": "https://a.example/x?page=1&api_key=Q7w2X9r4K1z9" });
    let answer = audited(&requests(json!([same, same, other_page, other_key])), &["credentials"], Severity::Info);
    let counts: Vec<_> =
        answer["findings"].as_array().unwrap().iter().map(|finding| finding["evidence"]["count"].clone()).collect();
    assert_eq!(counts, [json!(null), json!(3)]);
    assert_eq!(answer["summary"]["scanned"]["unique_endpoints"], 1);
}

#[test]
fn filters_narrow_the_scope() {
    let store = requests(json!([
        { "url": "https://a.example/?api_key=Q7w2X9r4K1z8", "tabId": 1, "test_id": "t", "ts": "2026-01-01T00:00:00Z" },
        { "url": "https://b.example/?api_key=Q7w2X9r4K1z8", "pageUrl": "https://shop.example/", "ts": "2026-01-02T00:00:00Z" },
    ]));
    let count = |filter: Filter| {
        let answer =
            audit(&Scope::from_session(&store, &filter), &checks_named(&[]).unwrap(), Severity::Critical, 50_000);
        json!(answer)["summary"]["scanned"]["network_requests"].clone()
    };
    assert_eq!(count(Filter::default()), 2);
    assert_eq!(count(Filter { url: Some("shop".to_owned()), ..Filter::default() }), 1);
    assert_eq!(count(Filter { url: Some("nowhere".to_owned()), ..Filter::default() }), 0);
    assert_eq!(count(Filter { tab_id: Some(1), ..Filter::default() }), 1);
    assert_eq!(count(Filter { test_id: Some("t".to_owned()), ..Filter::default() }), 1);
    assert_eq!(count(Filter { since: Since::Cursor(1), ..Filter::default() }), 1);
    let since = wire::Timestamp::parse_iso("2026-01-02T00:00:00Z").unwrap();
    assert_eq!(count(Filter { since: Since::Time(since), ..Filter::default() }), 1);
}

#[test]
fn checks_are_selected_by_name() {
    let names = |wanted: &[&str]| {
        let wanted: Vec<String> = wanted.iter().map(|name| (*name).to_owned()).collect();
        checks_named(&wanted)
            .map(|checks| checks.iter().map(|check| check.name).collect::<Vec<_>>())
            .map_err(str::to_owned)
    };
    assert_eq!(names(&[]).unwrap().len(), 6);
    assert_eq!(names(&["transport", "credentials", "transport"]).unwrap(), ["credentials", "transport"]);
    assert_eq!(names(&["transport", "nonsense"]).unwrap_err(), "nonsense");
}

#[test]
fn short_secrets_are_not_shown_at_all() {
    for (secret, shown) in
        [("Q7w2X9r4K1z", "***"), ("Q7w2X9r4K1z8", "Q7w2X9…1z8"), ("Q7w2X9r4K1z8Q7w2X9r4", "Q7w2X9…9r4")]
    {
        let answer = audited(&requests(json!([{ "url": format!("/x?password={secret}&a=1") }])), &[], Severity::Info);
        assert_eq!(answer["findings"][0]["evidence"]["redacted_value"], shown);
        assert_eq!(answer["findings"][0]["evidence"]["url"], format!("/x?password={shown}&a=1"));
        assert!(!answer.to_string().contains(secret));
    }
}

#[test]
fn only_the_ends_of_secrets_and_personal_data_are_shown() {
    let token = ["eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiIxMjM0NTY3ODkwIn0", "c2lnbmF0dXJlLW9mLWl0cw"].join(".");
    let message = format!(
        "{} user ada.lovelace@mail.org ssn 123-45-6789 card 4111 1111 1111 1111 token {token} end",
        "before ".repeat(30)
    );
    let answer = audited(
        &logs(json!([{ "level": "log", "type": "console", "message": message, "args": [message] }])),
        &[],
        Severity::Info,
    );
    assert_eq!(answer["findings"].as_array().unwrap().len(), 4, "{answer}");
    for whole in ["lovelace", "45-6789", "1111 1111", "IUzI1NiJ9", "[secret:"] {
        assert!(!answer.to_string().contains(whole), "{whole}: {answer}");
    }
}

#[test]
#[ignore = "only with --all: asserts how fast this machine is"]
fn hostile_texts_are_audited_in_time() {
    for piece in ["@", "a@", "a@b.", "+1", "(555)", "1-", "{\"a\":", "[", "\"", "\\", "{\"email\":\"a@b.co\"},"] {
        let body = format!("[{}", piece.repeat(16 * 1024 / piece.len()));
        let bodies: Value = (0..60)
            .map(|n| json!({ "url": format!("/{n}"), "responseBody": body, "contentType": "application/json" }))
            .collect();
        let began = std::time::Instant::now();
        audited(&requests(bodies), &[], Severity::Info);
        assert!(began.elapsed().as_secs() < 20, "{piece}: {:?}", began.elapsed());
    }
}
