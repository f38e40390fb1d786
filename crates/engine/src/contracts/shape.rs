//! The shape of a JSON text: names and types, never values. It is read in one pass that builds nothing else.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserialize as _, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value, json};
use wire::limits;

use super::endpoint::normalize_key;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shape {
    Null,
    Boolean,
    Number,
    Text,
    Object(Fields),
    Array(Elements),
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Fields {
    pub(super) named: BTreeMap<String, Shape>,
    /// There may be more fields: too many to keep, or too deep to look at.
    pub(super) cut: bool,
}

/// The first element represents all.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Elements {
    pub(super) first: Option<Box<Shape>>,
    /// A later element with another shape.
    pub(super) other: Option<Box<Shape>>,
}

impl Shape {
    /// `None` for text that is not JSON. `levels` is how many objects deep it is read.
    pub(super) fn read(text: &str, levels: usize) -> Option<Self> {
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let room = Cell::new(limits::API_SHAPE_FIELDS);
        let shape = Look { levels, room: &room, is_element: false }.deserialize(&mut deserializer).ok()?;
        deserializer.end().ok()?;
        Some(shape)
    }

    pub(super) fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "boolean",
            Self::Number => "number",
            Self::Text => "string",
            Self::Object(_) => "object",
            Self::Array(_) => "array",
        }
    }

    /// The shape as it is shown: `{"id":"number","tags":["string"]}`.
    pub(super) fn to_json(&self) -> Value {
        match self {
            Self::Object(Fields { named, cut: true }) if named.is_empty() => json!("object"),
            Self::Object(Fields { named, cut }) => {
                let mut fields: Map<String, Value> =
                    named.iter().map(|(name, shape)| (name.clone(), shape.to_json())).collect();
                if *cut {
                    fields.insert("…".to_owned(), json!("more"));
                }
                Value::Object(fields)
            }
            Self::Array(Elements { first, other }) => {
                first.iter().chain(other).map(|element| element.to_json()).collect()
            }
            scalar => json!(scalar.type_name()),
        }
    }

    /// Whether two elements of one list have the same shape. What is null or empty in one may be anything in the other.
    fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, _) | (_, Self::Null) => true,
            (Self::Object(own), Self::Object(others)) => {
                let is_within = |named: &BTreeMap<String, Self>, fields: &Fields| {
                    fields.cut || named.keys().all(|name| fields.named.contains_key(name))
                };
                is_within(&own.named, others)
                    && is_within(&others.named, own)
                    && own.named.iter().all(|(name, shape)| others.named.get(name).is_none_or(|one| shape.is_like(one)))
            }
            (Self::Array(own), Self::Array(others)) => match (&own.first, &others.first) {
                (Some(own), Some(others)) => own.is_like(others),
                _ => true,
            },
            _ => self.type_name() == other.type_name(),
        }
    }
}

#[derive(Clone, Copy)]
struct Look<'r> {
    levels: usize,
    /// How many more fields may be kept.
    room: &'r Cell<usize>,
    /// A list in a list is a separate level.
    is_element: bool,
}

impl<'de> DeserializeSeed<'de> for Look<'_> {
    type Value = Shape;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Shape, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Look<'_> {
    type Value = Shape;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Shape, E> {
        Ok(Shape::Null)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Shape, E> {
        Ok(Shape::Boolean)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Shape, E> {
        Ok(Shape::Number)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Shape, E> {
        Ok(Shape::Number)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Shape, E> {
        Ok(Shape::Number)
    }

    fn visit_str<E>(self, _: &str) -> Result<Shape, E> {
        Ok(Shape::Text)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Shape, A::Error> {
        let mut fields = Fields::default();
        let Some(levels) = self.levels.checked_sub(1) else {
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            return Ok(Shape::Object(Fields { cut: true, ..fields }));
        };
        while let Some(key) = map.next_key_seed(Key)? {
            let name = normalize_key(&key).to_owned();
            // The first of those that share a name represents all, as in a list.
            if fields.named.contains_key(&name) {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            let Some(room) = self.room.get().checked_sub(1) else {
                fields.cut = true;
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            self.room.set(room);
            let shape = map.next_value_seed(Look { levels, is_element: false, ..self })?;
            fields.named.insert(name, shape);
        }
        Ok(Shape::Object(fields))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Shape, A::Error> {
        let levels = if self.is_element { self.levels.checked_sub(1) } else { Some(self.levels) };
        let Some(levels) = levels else {
            while list.next_element::<IgnoredAny>()?.is_some() {}
            return Ok(Shape::Array(Elements::default()));
        };
        let look = Look { levels, is_element: true, ..self };
        let Some(first) = list.next_element_seed(look)? else { return Ok(Shape::Array(Elements::default())) };
        let mut other = None;
        while other.is_none() {
            let room = Cell::new(limits::API_SHAPE_FIELDS);
            let Some(later) = list.next_element_seed(Look { room: &room, ..look })? else { break };
            other = (!first.is_like(&later)).then(|| Box::new(later));
        }
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Shape::Array(Elements { first: Some(Box::new(first)), other }))
    }
}

/// A name, borrowed from the text where that is possible.
struct Key;

impl<'de> DeserializeSeed<'de> for Key {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Cow<'de, str>, D::Error> {
        Cow::<str>::deserialize(deserializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Value {
        Shape::read(text, limits::API_SHAPE_LEVELS).unwrap().to_json()
    }

    #[test]
    fn a_shape_has_names_and_types_and_no_values() {
        for (text, expected) in [
            (
                r#"{"id":1,"name":"Ann","on":true,"gone":null}"#,
                json!({"id":"number","name":"string","on":"boolean","gone":"null"}),
            ),
            (r#"[{"id":1.5},{"id":-2}]"#, json!([{"id":"number"}])),
            (r#"{"tags":["a","b"],"none":[]}"#, json!({"tags":["string"],"none":[]})),
            (r#"[1,"two"]"#, json!(["number", "string"])),
            (r#"{"byId":{"1":{"n":1},"2":{"n":2}}}"#, json!({"byId":{":id":{"n":"number"}}})),
            ("5", json!("number")),
            ("{}", json!({})),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
        for bad in ["", "{", "{\"a\":1} x", "<html>", "{\"a\":1"] {
            assert_eq!(Shape::read(bad, 3), None, "{bad}");
        }
    }

    #[test]
    fn names_that_are_values_are_not_kept() {
        let long = |chars: usize| "x".repeat(chars);
        for value in [
            "dave@corp.io",
            "Dave Smith",
            "line\nbreak",
            "https://corp.io/dave",
            "2024-01-31",
            "2024-01-31T10:20:30Z",
            "+49 30 901820",
            "+4930901820",
            "[secret:token#1]",
            &long(limits::API_NAME_CHARS + 1),
        ] {
            let text = json!({ "byName": { value: 1, "other@corp.io": 2 } }).to_string();
            assert_eq!(shown(&text), json!({ "byName": { ":key": "number" } }), "{value}");
        }
        for name in [
            "@type",
            "$ref",
            "content-type",
            "dc:title",
            "a.b",
            "first_name",
            "größe",
            "v2",
            "",
            &long(limits::API_NAME_CHARS),
        ] {
            assert_eq!(shown(&json!({ name: 1 }).to_string()), json!({ name: "number" }), "{name}");
        }
    }

    #[test]
    fn three_levels_are_read() {
        assert_eq!(shown(r#"{"a":{"b":{"c":1}}}"#), json!({"a":{"b":{"c":"number"}}}));
        assert_eq!(shown(r#"{"a":{"b":{"c":{"d":1}}}}"#), json!({"a":{"b":{"c":"object"}}}));
        assert_eq!(shown(r#"{"a":{"b":[{"c":{"d":1}}]}}"#), json!({"a":{"b":[{"c":"object"}]}}));
        assert_eq!(shown("[[[[1]]]]"), json!([[[["number"]]]]));
        assert_eq!(shown("[[[[[1]]]]]"), json!([[[[[]]]]]), "a list in a list is a level");
        let deep = format!("{}1{}", "{\"a\":".repeat(100), "}".repeat(100));
        assert_eq!(shown(&deep), json!({"a":{"a":{"a":"object"}}}));
    }

    #[test]
    fn fields_are_limited_and_the_rest_left_open() {
        let with = |fields: usize| {
            let text: Vec<String> = (0..fields).map(|n| format!("\"f{n}x\":1")).collect();
            let Some(Shape::Object(fields)) = Shape::read(&format!("{{{}}}", text.join(",")), 3) else { panic!() };
            (fields.named.len(), fields.cut)
        };
        let most = limits::API_SHAPE_FIELDS;
        assert_eq!(with(most - 1), (most - 1, false));
        assert_eq!(with(most), (most, false));
        assert_eq!(with(most + 1), (most, true));
    }

    #[test]
    fn a_later_element_that_differs_is_kept_unless_null_or_empty() {
        let other = |text: &str| match Shape::read(text, 3) {
            Some(Shape::Array(elements)) => elements.other.map(|other| other.to_json()),
            _ => panic!(),
        };
        for (text, expected) in [
            (r#"[{"a":1},{"a":2}]"#, None),
            (r#"[{"a":1},{"a":null}]"#, None),
            (r#"[{"a":[]},{"a":[1]}]"#, None),
            (r#"[{"a":1},{"a":2},{"a":"3"}]"#, Some(json!({"a":"string"}))),
            (r#"[{"a":1},{"a":1,"b":1}]"#, Some(json!({"a":"number","b":"number"}))),
            (r#"[{"a":1},{}]"#, Some(json!({}))),
        ] {
            assert_eq!(other(text), expected, "{text}");
        }
    }
}
