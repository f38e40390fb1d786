//! Repairs JSON with half a character. JavaScript's strings may contain half of a surrogate pair, `JSON.stringify`
//! writes it as an escape, and Rust's strings cannot hold it.

use std::borrow::Cow;

/// Length of `\u` and four digits.
const ESCAPE_BYTES: usize = 6;
const REPLACEMENT: &str = "\\ufffd";

/// The JSON text with U+FFFD in place of every half of a surrogate pair.
pub fn whole_characters(json: &str) -> Cow<'_, str> {
    if !json.contains("\\ud") && !json.contains("\\uD") {
        return Cow::Borrowed(json);
    }
    let bytes = json.as_bytes();
    let mut whole = String::new();
    let (mut kept, mut at) = (0, 0);
    while let Some(found) = bytes.get(at..).and_then(|rest| rest.iter().position(|byte| *byte == b'\\')) {
        at += found;
        match (surrogate(bytes, at), surrogate(bytes, at + ESCAPE_BYTES)) {
            (Some(Half::First), Some(Half::Second)) => at += 2 * ESCAPE_BYTES,
            (Some(_), _) => {
                whole.push_str(json.get(kept..at).unwrap_or_default());
                whole.push_str(REPLACEMENT);
                at += ESCAPE_BYTES;
                kept = at;
            }
            // Any other escape, such as `\\`, together with the character that it escapes.
            (None, _) => at += 2,
        }
    }
    if kept == 0 {
        return Cow::Borrowed(json);
    }
    whole.push_str(json.get(kept..).unwrap_or_default());
    Cow::Owned(whole)
}

enum Half {
    First,
    Second,
}

/// Which half of a pair the escape at this index is.
fn surrogate(bytes: &[u8], at: usize) -> Option<Half> {
    let digits = bytes.get(at..at + ESCAPE_BYTES)?.strip_prefix(b"\\u")?;
    let digits = std::str::from_utf8(digits).ok()?;
    match u16::from_str_radix(digits, 16).ok()? {
        0xd800..=0xdbff => Some(Half::First),
        0xdc00..=0xdfff => Some(Half::Second),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_characters_are_replaced_and_the_rest_stays() {
        for (json, whole) in [
            (r#""plain""#, r#""plain""#),
            (r#""😀 \ud83d\ude00 \uD83D\uDE00""#, r#""😀 \ud83d\ude00 \uD83D\uDE00""#),
            (r#""\ud83d""#, r#""\ufffd""#),
            (r#""\ude00""#, r#""\ufffd""#),
            (r#""a\ud83d b\uDE00c""#, r#""a\ufffd b\ufffdc""#),
            (r#""\ud83d\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#),
            (r#""\ude00\ud83d""#, r#""\ufffd\ufffd""#),
            // A literal backslash, not an escape.
            (r#""\\ud83d""#, r#""\\ud83d""#),
            (r#""\\\ud83d\\""#, r#""\\\ufffd\\""#),
            (r#"{"\ud83d":["\n\ud800\n","\ud7ff\ue000"]}"#, r#"{"\ufffd":["\n\ufffd\n","\ud7ff\ue000"]}"#),
            // Invalid JSON is left to the parser.
            (r#""\ud83"#, r#""\ud83"#),
            ("\"\\ud8é9", "\"\\ud8é9"),
            ("\\ud800\\", "\\ufffd\\"),
        ] {
            assert_eq!(whole_characters(json), whole, "{json}");
        }
    }
}
