//! What a finding beside an entry contains, and what it does not.

use serde_json::json;
use wire::limits::FINDINGS_PER_ENTRY;

use crate::support::{Kind, redact};

#[test]
fn a_finding_has_kind_field_name_and_placeholder() {
    let (_, findings) = redact(Kind::Network, &json!({ "responseBody": r#"{"access_token":"abcdefghijklmno"}"# }));
    let [finding] = findings.as_slice() else { panic!("{findings:?}") };
    assert_eq!((finding.kind, finding.field, finding.name.as_deref()), ("token", "responseBody", Some("access_token")));
    assert_eq!(finding.placeholder, "[secret:token#1]");
    assert_eq!(finding.preview.as_deref(), Some("abcdef…mno"));
    assert_eq!(finding.expires, None);
    assert!(!finding.example);
}

#[test]
fn a_preview_needs_twelve_characters() {
    for (secret, preview) in [
        ("x", None),
        ("abcdefghijk", None),
        ("abcdefghijkl", Some("abcdef…jkl")),
        ("abcdefghijklm", Some("abcdef…klm")),
        ("äöüäöüäöüäö", None),
        ("äöüäöüäöüäöü", Some("äöüäöü…äöü")),
    ] {
        for entry in [
            json!({ "args": [{ "password": secret }] }),
            json!({ "message": json!({ "password": secret }).to_string() }),
        ] {
            let (_, findings) = redact(Kind::Log, &entry);
            assert_eq!(findings.len(), 1, "{entry}");
            assert_eq!(findings[0].preview.as_deref(), preview, "{entry}");
        }
    }
}

#[test]
fn a_jwt_has_an_expiry_time() {
    // {"alg":"HS256"} and {"exp":1893456000}
    let jwt = ["eyJhbGciOiJIUzI1NiJ9", "eyJleHAiOjE4OTM0NTYwMDB9", "c2lnbmF0dXJlLW9mLWl0"].join(".");
    for entry in [
        json!({ "message": format!("got {jwt}") }),
        json!({ "message": format!("Authorization: Bearer {jwt}") }),
        json!({ "url": format!("/?token={jwt}") }),
    ] {
        let (_, findings) = redact(Kind::Log, &entry);
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert_eq!(findings[0].kind, "jwt", "{entry}");
        assert_eq!(
            findings[0].expires.map(|at| serde_json::to_value(at).unwrap()),
            Some(json!("2030-01-01T00:00:00.000Z"))
        );
    }
}

#[test]
fn made_up_secrets_are_marked() {
    let (_, findings) = redact(Kind::Log, &json!({ "args": [{ "token": "my-test-value" }, { "token": "serious" }] }));
    assert_eq!(findings.iter().map(|finding| finding.example).collect::<Vec<_>>(), [true, false]);
}

#[test]
fn findings_do_not_exceed_the_limit() {
    for count in [FINDINGS_PER_ENTRY - 1, FINDINGS_PER_ENTRY, FINDINGS_PER_ENTRY + 1, 200] {
        let items: Vec<_> = (0..count).map(|n| json!({ "password": format!("p{n}") })).collect();
        let (stored, findings) = redact(Kind::Log, &json!({ "message": "m", "args": items }));
        assert_eq!(findings.len(), count.min(FINDINGS_PER_ENTRY));
        let cut = stored["args"].as_array().unwrap().iter();
        assert!(
            cut.clone().all(|item| item["password"].as_str().unwrap().starts_with("[secret:password#")),
            "{stored}"
        );
        assert_eq!(cut.count(), count);
    }
}

#[test]
fn a_field_named_after_a_secret_is_not_recorded() {
    let name = ["gh", "p_0123456789abcdefghijABCDEFGHIJ012345"].concat();
    let (stored, findings) = redact(Kind::Log, &json!({ "args": [{ format!("{name}.token"): "value" }] }));
    assert!(!stored.to_string().contains(&name), "{stored}");
    assert!(!serde_json::to_string(&findings).unwrap().contains(&name), "{findings:?}");
}
