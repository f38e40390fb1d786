//! Harmless text stays as it is, and redacted text is not redacted again.

use serde_json::{Value, json};

use crate::support::{Kind, benign, corpus, fields_of, places, redact};

#[test]
fn benign_texts_come_through_unchanged() {
    let texts = benign();
    assert!(texts.len() >= 150);
    let mut wrong = Vec::new();
    // A message without text is refused.
    for text in texts.iter().filter(|text| !text.is_empty()) {
        for (kind, entry) in [
            (Kind::Log, json!({ "message": text, "args": [text], "stack": text, "metadata": { "m": text } })),
            (Kind::Network, json!({ "requestBody": text, "responseBody": text, "error": text })),
            (Kind::Network, json!({ "responseBody": json!({ "text": text }).to_string() })),
            (Kind::WebSocket, json!({ "data": text })),
            (Kind::Action, json!({ "value": text, "text": text })),
            (Kind::Snapshot, json!({ "title": text })),
        ] {
            let (stored, findings) = redact(kind, &entry);
            if fields_of(&entry, &stored) != entry || !findings.is_empty() {
                wrong.push(format!("{text} became {stored}"));
                break;
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {} benign texts were changed: {wrong:#?}", wrong.len(), texts.len());
}

#[test]
fn benign_json_stays_as_arguments() {
    for text in benign() {
        let Ok(value @ Value::Object(_)) = serde_json::from_str::<Value>(&text) else { continue };
        let entry = json!({ "message": "m", "args": [value] });
        let (stored, findings) = redact(Kind::Log, &entry);
        assert_eq!(fields_of(&entry, &stored), entry);
        assert_eq!(findings, []);
    }
}

#[test]
fn redacting_again_changes_nothing() {
    let corpus = corpus();
    for secret in &corpus.secrets {
        for (place, kind, entry) in places(&corpus.contexts[1].replace("{}", &secret.carrier())) {
            let (once, _) = redact(kind, &entry);
            let (twice, findings) = redact(kind, &once);
            assert_eq!(once, twice, "{place}");
            assert_eq!(findings, [], "{place}: {once}");
        }
    }
}

#[test]
fn redacting_again_changes_nothing_at_the_limits() {
    for filler in ["a ", "é", "eyJhbGci", "\"pw\":\"x\",", "token=abc123def&", "🎉", "ghp_"] {
        for length in [4_000, 4_096, 8_190, 8_200, 16_380, 16_390, 20_000] {
            let text: String = filler
                .chars()
                .cycle()
                .scan(0, |size, c| {
                    *size += c.len_utf8();
                    (*size <= length).then_some(c)
                })
                .collect();
            for (kind, field) in [
                (Kind::Log, "message"),
                (Kind::Network, "requestBody"),
                (Kind::Network, "responseBody"),
                (Kind::WebSocket, "data"),
            ] {
                let (once, _) = redact(kind, &json!({ field: text }));
                let (twice, findings) = redact(kind, &once);
                assert_eq!(once[field], twice[field], "{filler} × {length} in {field}");
                assert_eq!(findings, [], "{filler} × {length} in {field}");
            }
        }
    }
}
