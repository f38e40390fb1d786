//! Texts at, below and above their limits.

use serde_json::json;
use wire::limits::{REQUEST_BODY_BYTES, RESPONSE_BODY_BYTES, TEXT_BYTES, WEBSOCKET_MESSAGE_BYTES};

use crate::support::{Kind, redact};

/// `length` bytes that end with as many of `last` as fit.
fn text(length: usize, last: char) -> String {
    let tail = last.to_string().repeat(8);
    format!("{}{tail}", "a".repeat(length - tail.len()))
}

#[test]
fn bodies_and_messages_are_cut_at_their_limits() {
    for (kind, field, limit) in [
        (Kind::Network, "requestBody", REQUEST_BODY_BYTES),
        (Kind::Network, "responseBody", RESPONSE_BODY_BYTES),
        (Kind::WebSocket, "data", WEBSOCKET_MESSAGE_BYTES),
    ] {
        for last in ['z', 'é', '→', '🎉'] {
            for length in [limit - 1, limit, limit + 1, limit + 2, limit + 3, 3 * limit] {
                let given = text(length, last);
                let (stored, findings) = redact(kind, &json!({ field: given }));
                let kept = stored[field].as_str().unwrap();
                assert_eq!(stored["truncated"] == true, length > limit, "{field} {length}");
                assert!(given.starts_with(kept) && kept.len() <= limit, "{field} {length}");
                assert!(kept.len() + last.len_utf8() > length.min(limit), "{field} {length} {last}: {}", kept.len());
                assert_eq!(findings, []);
            }
        }
    }
}

#[test]
fn other_texts_end_with_a_mark() {
    for last in ['z', 'é', '→', '🎉'] {
        for length in [TEXT_BYTES - 1, TEXT_BYTES, TEXT_BYTES + 1, TEXT_BYTES + 2, 2 * TEXT_BYTES] {
            let given = text(length, last);
            let (stored, _) = redact(Kind::Log, &json!({ "message": given, "args": [given] }));
            for kept in [&stored["message"], &stored["args"][0]] {
                let kept = kept.as_str().unwrap();
                assert!(kept.len() <= TEXT_BYTES, "{length}: {}", kept.len());
                match kept.strip_suffix("… [truncated]") {
                    Some(head) => {
                        assert!(length > TEXT_BYTES && given.starts_with(head) && head.len() > TEXT_BYTES - 20)
                    }
                    None => assert!(length <= TEXT_BYTES && kept == given),
                }
            }
        }
    }
}

#[test]
fn placeholders_longer_than_their_secrets_do_not_break_a_limit() {
    let body = "{\"pw\":\"x\"},".repeat(1_000);
    let (stored, _) = redact(Kind::Network, &json!({ "responseBody": body[..RESPONSE_BODY_BYTES.min(body.len())] }));
    let kept = stored["responseBody"].as_str().unwrap();
    assert_eq!(stored["truncated"], true);
    assert!(kept.len() <= RESPONSE_BODY_BYTES && kept.len() > RESPONSE_BODY_BYTES - 40);
    assert_eq!(kept.matches("[secret:").count(), kept.matches("#1]").count());
}

#[test]
fn a_text_that_the_sender_marked_as_cut_stays_marked() {
    for given in [true, false] {
        let (stored, _) = redact(Kind::Network, &json!({ "responseBody": "short", "truncated": given }));
        assert_eq!(stored["truncated"], given);
    }
}
