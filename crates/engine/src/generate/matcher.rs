//! The shape of a response, written so that a test can compare the next response with it.

use serde_json::Value;
use wire::limits;

use super::address::has_placeholder;
use super::literal::property;
use crate::contracts::is_identifier;

/// A shape up to this length is written on one line.
const LINE_CHARS: usize = 90;
/// A longer text is not a field's name.
const NAME_CHARS: usize = 100;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shape {
    /// It was null, so nothing is known.
    Unknown,
    /// A part of any type was redacted from it.
    Something,
    Text,
    Number,
    Boolean,
    /// The known fields.
    Object(Vec<(String, Shape)>),
    /// The shape of its first element, if it had one.
    Array(Option<Box<Shape>>),
}

impl Shape {
    /// `None` for text that is not JSON, or that says nothing about the next response.
    pub(super) fn read(text: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(text).ok()?;
        let mut room = limits::TEST_SHAPE_FIELDS;
        let shape = Self::from_value(&value, limits::TEST_SHAPE_LEVELS, &mut room);
        (shape != Self::Unknown).then_some(shape)
    }

    fn from_value(value: &Value, levels: usize, room: &mut usize) -> Self {
        match value {
            Value::Null => Self::Unknown,
            Value::Bool(_) => Self::Boolean,
            Value::Number(_) => Self::Number,
            Value::String(text) if has_placeholder(text) => Self::Something,
            Value::String(_) => Self::Text,
            Value::Object(fields) => {
                let Some(levels) = levels.checked_sub(1) else { return Self::Object(Vec::new()) };
                let mut known = Vec::new();
                for (name, value) in fields.iter().filter(|(name, _)| is_steady_name(name)) {
                    let Some(left) = room.checked_sub(1) else { break };
                    *room = left;
                    let shape = Self::from_value(value, levels, room);
                    if shape != Self::Unknown {
                        known.push((name.clone(), shape));
                    }
                }
                Self::Object(known)
            }
            Value::Array(elements) => {
                // A list in a list is a separate level.
                let first = elements.first();
                let levels = if first.is_some_and(Value::is_array) { levels.checked_sub(1) } else { Some(levels) };
                let element = first.zip(levels).map(|(first, levels)| Self::from_value(first, levels, room));
                Self::Array(element.filter(|element| *element != Self::Unknown).map(Box::new))
            }
        }
    }

    /// The shape that two responses have in common.
    pub(super) fn meet(self, other: Self) -> Self {
        match (self, other) {
            (Self::Object(own), Self::Object(mut others)) => {
                let both = own.into_iter().filter_map(|(name, shape)| {
                    let place = others.iter().position(|(others_name, _)| *others_name == name)?;
                    let (_, other) = others.swap_remove(place);
                    Some((name, shape.meet(other))).filter(|(_, shape)| *shape != Self::Unknown)
                });
                Self::Object(both.collect())
            }
            (Self::Array(Some(own)), Self::Array(Some(other))) => {
                Self::Array(Some(own.meet(*other)).filter(|element| *element != Self::Unknown).map(Box::new))
            }
            (Self::Array(_), Self::Array(_)) => Self::Array(None),
            (own, other) if own == other => own,
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            _ => Self::Something,
        }
    }

    /// The shape as Playwright's matchers, indented for a line that begins with `indent` spaces.
    pub(super) fn matcher(&self, indent: usize) -> String {
        match self {
            Self::Unknown | Self::Something => "expect.anything()".to_owned(),
            Self::Text => "expect.any(String)".to_owned(),
            Self::Number => "expect.any(Number)".to_owned(),
            Self::Boolean => "expect.any(Boolean)".to_owned(),
            Self::Object(fields) if fields.is_empty() => "expect.any(Object)".to_owned(),
            Self::Object(fields) => {
                let lines: Vec<String> = fields
                    .iter()
                    .map(|(name, shape)| format!("{}: {}", property(name), shape.matcher(indent + 2)))
                    .collect();
                let short = format!("expect.objectContaining({{ {} }})", lines.join(", "));
                if short.len() + indent <= LINE_CHARS && !short.contains('\n') {
                    return short;
                }
                let inner = " ".repeat(indent + 2);
                let lines: String = lines.iter().map(|line| format!("{inner}{line},\n")).collect();
                format!("expect.objectContaining({{\n{lines}{}}})", " ".repeat(indent))
            }
            Self::Array(None) => "expect.any(Array)".to_owned(),
            Self::Array(Some(first)) => format!("expect.arrayContaining([{}])", first.matcher(indent)),
        }
    }
}

/// Whether this is a field's name and not a key that is a value. `__proto__` is not a field in JavaScript.
fn is_steady_name(name: &str) -> bool {
    !is_identifier(name) && name != "__proto__" && name.len() <= NAME_CHARS && !has_placeholder(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(Shape::read(text).map(|shape| shape.matcher(0)).as_deref().unwrap_or("none"), expected, "{text}");
    }

    #[test]
    fn types_are_asserted_and_values_are_not() {
        check(
            r#"{"id":1,"name":"Ann","on":true}"#,
            "expect.objectContaining({\n  id: expect.any(Number),\n  name: expect.any(String),\n  on: expect.any(Boolean),\n})",
        );
        check(
            r#"[{"id":1},{"other":2}]"#,
            "expect.arrayContaining([expect.objectContaining({ id: expect.any(Number) })])",
        );
        check(r#"{"a-b":[],"o":{}}"#, "expect.objectContaining({ 'a-b': expect.any(Array), o: expect.any(Object) })");
        check("[]", "expect.any(Array)");
        check("{}", "expect.any(Object)");
        check("\"x\"", "expect.any(String)");
        check("5", "expect.any(Number)");
        for nothing in ["null", "", "<html>", "{\"a\":1"] {
            check(nothing, "none");
        }
    }

    #[test]
    fn varying_parts_are_left_out() {
        check(r#"{"a":null,"b":1}"#, "expect.objectContaining({ b: expect.any(Number) })");
        check(r#"{"pin":"[secret:password#1]"}"#, "expect.objectContaining({ pin: expect.anything() })");
        check(r#"{"12":{"n":1},"b":1,"__proto__":1}"#, "expect.objectContaining({ b: expect.any(Number) })");
        check(r#"[null,1]"#, "expect.any(Array)");
        let both = |one: &str, other: &str| Shape::read(one).unwrap().meet(Shape::read(other).unwrap()).matcher(0);
        assert_eq!(
            both(r#"{"a":1,"b":1,"c":1}"#, r#"{"c":"x","b":2,"d":1}"#),
            "expect.objectContaining({ b: expect.any(Number), c: expect.anything() })"
        );
        assert_eq!(both("[1]", "[]"), "expect.any(Array)");
        assert_eq!(both("[1]", "[2]"), "expect.arrayContaining([expect.any(Number)])");
        assert_eq!(both("[1]", "[\"x\"]"), "expect.arrayContaining([expect.anything()])");
    }

    #[test]
    fn levels_and_fields_are_limited() {
        let deep = Shape::read(r#"{"a":{"b":{"c":{"d":1}}}}"#).unwrap().matcher(0);
        assert!(deep.contains("c: expect.any(Object)") && !deep.contains("d:"), "{deep}");
        let exact = Shape::read(r#"{"a":{"b":{"c":1}}}"#).unwrap().matcher(0);
        assert!(exact.contains("c: expect.any(Number)"), "{exact}");
        assert!(!Shape::read("[[[[[1]]]]]").unwrap().matcher(0).contains("Number"));
        for (count, kept) in [
            (limits::TEST_SHAPE_FIELDS - 1, limits::TEST_SHAPE_FIELDS - 1),
            (limits::TEST_SHAPE_FIELDS, limits::TEST_SHAPE_FIELDS),
            (limits::TEST_SHAPE_FIELDS + 1, limits::TEST_SHAPE_FIELDS),
        ] {
            let fields: Vec<String> = (0..count).map(|place| format!("\"field{place}\":1")).collect();
            let matcher = Shape::read(&format!("{{{}}}", fields.join(","))).unwrap().matcher(0);
            assert_eq!(matcher.matches("expect.any(Number)").count(), kept, "{count}");
        }
    }
}
