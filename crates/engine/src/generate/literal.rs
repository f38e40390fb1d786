//! Captured text inside a script: as a string, as a comment, as part of a pattern or of a CSS selector.

use std::fmt::Write as _;

/// A single-quoted JavaScript string on one line with exactly this value, whatever the text is.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('\'');
    let mut previous = ' ';
    for c in text.chars() {
        match c {
            '\'' => out.push_str("\\'"),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            // A script may be shown inside a page, so nothing in it may end a script element or begin a comment.
            '/' | '!' if previous == '<' => {
                out.push('\\');
                out.push(c);
            }
            _ if misleads(c) => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
            _ => out.push(c),
        }
        previous = c;
    }
    out.push('\'');
    out
}

/// A JSON value as a JavaScript literal that is also JSON. The value must not contain a field named `__proto__`, which
/// JavaScript would not treat as a field.
pub(super) fn json(value: &serde_json::Value) -> String {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    let mut out = String::with_capacity(text.len());
    let mut previous = ' ';
    for c in text.chars() {
        match c {
            '/' if previous == '<' => out.push_str("\\/"),
            '!' if previous == '<' => out.push_str("\\u0021"),
            // Between values, line ends are the only such characters.
            _ if misleads(c) && c != '\n' => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
            _ => out.push(c),
        }
        previous = c;
    }
    out
}

/// A name in an object, quoted where necessary.
pub(super) fn property(name: &str) -> String {
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '$');
    let plain = starts && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$');
    if plain { name.to_owned() } else { quoted(name) }
}

/// At most this many characters of a text, on one line, without characters that hide or reorder others. It still has to
/// be quoted.
pub(super) fn one_line(text: &str, most: usize) -> String {
    let words = text.split(|c: char| c.is_whitespace() || misleads(c)).filter(|word| !word.is_empty());
    let line = words.collect::<Vec<_>>().join(" ");
    crate::text::shorten(&line, most)
}

/// The same, safe to put after `//`.
pub(super) fn comment(text: &str, most: usize) -> String {
    one_line(text, most).replace("</", "<\\/")
}

/// The text of a comment.
pub(super) fn of_comment(comment: &str) -> String {
    comment.replace("<\\/", "</")
}

/// Whether a character ends a line, is invisible, or makes text look different from what it is.
fn misleads(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// A regular expression's source that matches exactly this text.
pub(super) fn pattern(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '\\' | '^' | '$' | '.' | '|' | '?' | '*' | '+' | '(' | ')' | '[' | ']' | '{' | '}') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Escapes like `CSS.escape`.
pub(super) fn css_identifier(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let only = text.chars().count() == 1;
    let mut second_after_dash = false;
    for (place, c) in text.chars().enumerate() {
        let leading_digit = c.is_ascii_digit() && (place == 0 || (place == 1 && second_after_dash));
        second_after_dash = place == 0 && c == '-';
        match c {
            '\0' => out.push('\u{fffd}'),
            _ if c.is_ascii_control() || leading_digit => {
                let _ = write!(out, "\\{:x} ", u32::from(c));
            }
            '-' if place == 0 && only => out.push_str("\\-"),
            _ if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') || !c.is_ascii() => out.push(c),
            _ => {
                out.push('\\');
                out.push(c);
            }
        }
    }
    out
}

/// A CSS string in double quotes.
pub(super) fn css_string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            '\0' => out.push('\u{fffd}'),
            _ if c.is_control() => {
                let _ = write!(out, "\\{:x} ", u32::from(c));
            }
            _ => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_keep_their_value() {
        for (text, expected) in [
            ("plain `${x}` \"words\"", "'plain `${x}` \"words\"'"),
            ("it's", r"'it\'s'"),
            (r"\'", r"'\\\''"),
            ("a\nb\r\t\0", r"'a\nb\r\t\u0000'"),
            ("\u{2028}\u{2029}\u{85}", r"'\u2028\u2029\u0085'"),
            ("</script><!--", r"'<\/script><\!--'"),
            ("\u{202e}abc\u{feff}", r"'\u202eabc\ufeff'"),
            ("\u{e0041}", r"'\udb40\udc41'"),
            ("🎉 ü \u{fffd}", "'🎉 ü \u{fffd}'"),
        ] {
            assert_eq!(quoted(text), expected);
        }
    }

    #[test]
    fn json_values_keep_their_value() {
        let value =
            serde_json::json!({ "a\u{2028}": ["</script><!--\u{202e}", 1.5, null, true, "it's `${x}` \"\\\n"] });
        let text = json(&value);
        assert!(text.is_ascii() && !text.contains("</") && !text.contains("<!"), "{text}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
        for (name, expected) in
            [("id", "id"), ("$a_1", "$a_1"), ("1a", "'1a'"), ("a-b", "'a-b'"), ("", "''"), ("é", "'é'")]
        {
            assert_eq!(property(name), expected);
        }
    }

    #[test]
    fn comments_stay_on_their_line() {
        for (text, expected) in [
            ("one\ntwo\r\nthree\u{2028}four\u{2029}five\u{85}six\0seven", "one two three four five six seven"),
            ("*/ alert(1) /* // </script>", "*/ alert(1) /* // <\\/script>"),
            ("\u{202e}evil", "evil"),
            (" \t ", ""),
        ] {
            assert_eq!(comment(text, 100), expected);
        }
        assert_eq!(comment("abcdef", 3), "abc…");
    }

    #[test]
    fn selectors_are_escaped_like_in_browsers() {
        for (text, expected) in
            [("a.b:c", r"a\.b\:c"), ("1x", r"\31 x"), ("-1x", r"-\31 x"), ("-", r"\-"), ("ü_-9", "ü_-9")]
        {
            assert_eq!(css_identifier(text), expected);
        }
        assert_eq!(css_string("a\"b\\c\nd"), r#""a\"b\\c\a d""#);
        assert_eq!(pattern("a.b(c)*[d]"), r"a\.b\(c\)\*\[d\]");
    }
}
