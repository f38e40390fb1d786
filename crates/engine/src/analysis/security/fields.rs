//! The fields of a JSON text, which may be cut anywhere: the part of a response that fits the limit still names its
//! fields.

use std::borrow::Cow;

/// A value in an object or list.
#[derive(Debug, PartialEq)]
pub(super) struct Field<'t> {
    /// How many objects surround it; 1 is the outermost.
    pub(super) depth: usize,
    /// Its own name, or that of the list it is in.
    pub(super) name: Option<Cow<'t, str>>,
    pub(super) content: Content<'t>,
}

#[derive(Debug, PartialEq)]
pub(super) enum Content<'t> {
    Text(Cow<'t, str>),
    Number(&'t str),
    /// `true`, `null` and the like.
    Word,
    /// An object or a list; its parts follow.
    Nested,
}

pub(super) fn is_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
}

/// The fields in order. A text that is not JSON gives whatever looks like a field; nothing fails.
pub(super) fn fields(text: &str) -> Vec<Field<'_>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    // For each surrounding object and list: whether it is an object, and the name of its items.
    let mut around: Vec<(bool, Option<Cow<'_, str>>)> = Vec::new();
    let mut depth = 0;
    let mut name: Option<Cow<'_, str>> = None;
    let mut index = 0;
    while let Some(&byte) = bytes.get(index) {
        let list_name = || around.last().and_then(|(_, name)| name.clone());
        match byte {
            b'"' => {
                let (end, has_escapes) = string_end(bytes, index);
                let string = unescaped(text.get(index..end).unwrap_or_default(), has_escapes);
                let after = end + whitespace(bytes, end);
                if bytes.get(after) == Some(&b':') {
                    name = Some(string);
                    index = after + 1;
                } else {
                    let name = name.take().or_else(list_name);
                    found.push(Field { depth, name, content: Content::Text(string) });
                    index = end;
                }
                continue;
            }
            b'{' | b'[' => {
                let is_object = byte == b'{';
                let name = name.take().or_else(list_name);
                if name.is_some() {
                    found.push(Field { depth, name: name.clone(), content: Content::Nested });
                }
                around.push((is_object, name.filter(|_| !is_object)));
                depth += usize::from(is_object);
            }
            b'}' | b']' => {
                if let Some((was_object, _)) = around.pop() {
                    depth -= usize::from(was_object);
                }
                name = None;
            }
            b'-' | b'0'..=b'9' | b'a'..=b'z' => {
                let rest = bytes.get(index..).unwrap_or_default();
                let length =
                    rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte)).count();
                let scalar = text.get(index..index + length).unwrap_or_default();
                let content = if byte.is_ascii_lowercase() { Content::Word } else { Content::Number(scalar) };
                let name = name.take().or_else(list_name);
                found.push(Field { depth, name, content });
                index += length.max(1);
                continue;
            }
            _ => {}
        }
        index += 1;
    }
    found
}

/// The index after the closing quote, or the text's end; and whether the string contains a backslash.
fn string_end(bytes: &[u8], start: usize) -> (usize, bool) {
    let mut index = start + 1;
    let mut has_escapes = false;
    while let Some(&byte) = bytes.get(index) {
        match byte {
            b'\\' => {
                has_escapes = true;
                index += 2;
            }
            b'"' => return (index + 1, has_escapes),
            _ => index += 1,
        }
    }
    (bytes.len(), has_escapes)
}

fn whitespace(bytes: &[u8], from: usize) -> usize {
    bytes.get(from..).unwrap_or_default().iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// The text that a quoted string stands for.
fn unescaped(quoted: &str, has_escapes: bool) -> Cow<'_, str> {
    let inner = quoted.strip_prefix('"').unwrap_or(quoted);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    if !has_escapes {
        return Cow::Borrowed(inner);
    }
    serde_json::from_str::<String>(quoted).map_or(Cow::Borrowed(inner), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<String> {
        let content = |content: &Content<'_>| match content {
            Content::Text(text) => format!("\"{text}\""),
            Content::Number(number) => (*number).to_owned(),
            Content::Word => "word".to_owned(),
            Content::Nested => "nested".to_owned(),
        };
        fields(text)
            .iter()
            .map(|field| {
                format!("{} {}={}", field.depth, field.name.as_deref().unwrap_or("-"), content(&field.content))
            })
            .collect()
    }

    #[test]
    fn fields_have_names_values_and_depth() {
        assert_eq!(
            told(r#"{"a": "x", "b": {"c": -1.5e3, "d": [true, "y", {"e": null}]}, "f\n": "\u0041"}"#),
            [
                "1 a=\"x\"",
                "1 b=nested",
                "2 c=-1.5e3",
                "2 d=nested",
                "2 d=word",
                "2 d=\"y\"",
                "2 d=nested",
                "3 e=word",
                "1 f\n=\"A\""
            ]
        );
        assert_eq!(told(r#"[{"a":1},{"a":2}]"#), ["1 a=1", "1 a=2"]);
    }

    #[test]
    fn cut_and_broken_texts_still_give_fields() {
        assert_eq!(told(r#"{"a": "x", "b": "cut he"#), ["1 a=\"x\"", "1 b=\"cut he\""]);
        assert_eq!(told(r#"{"a": "#), [""; 0]);
        assert_eq!(told(r#"{"a": "\"#), [r#"1 a="\""#]);
        assert_eq!(told("}}]]"), [""; 0]);
        assert_eq!(told(""), [""; 0]);
        assert_eq!(told("\"é"), ["0 -=\"é\""]);
    }
}
