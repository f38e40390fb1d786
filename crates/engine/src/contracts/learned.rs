//! The shape of an endpoint's responses, learned from several of them, and how another response differs.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::shape::{Elements, Fields, Shape};

/// The path of the whole response.
pub(super) const WHOLE: &str = "(response)";

#[derive(Debug, Clone, Default)]
pub(super) struct Learned {
    /// `None` while it was always null.
    kind: Option<&'static str>,
    nullable: bool,
    /// The number of responses that had it.
    pub(super) seen: u64,
    fields: BTreeMap<String, Learned>,
    /// There may be more fields than these.
    open: bool,
    element: Option<Box<Learned>>,
    /// Its elements never had one shape, so a different one breaks nothing.
    mixed: bool,
}

/// A way in which a response differs from earlier ones.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Difference {
    Missing { path: String, seen: u64 },
    New { path: String, kind: &'static str },
    Type { path: String, expected: &'static str, actual: &'static str },
    Null { path: String, expected: &'static str },
    Element { path: String, expected: Value, actual: Value, later: bool },
}

impl Difference {
    /// Whether this difference may be learned while nothing is established: some responses have no value, some lists
    /// are mixed.
    fn is_learnable(&self) -> bool {
        match self {
            Self::Null { .. } | Self::Type { actual: "null", .. } | Self::Element { later: true, .. } => true,
            Self::Missing { .. } | Self::New { .. } | Self::Type { .. } | Self::Element { .. } => false,
        }
    }
}

pub(super) fn are_learnable(differences: &[Difference]) -> bool {
    differences.iter().all(Difference::is_learnable)
}

impl Learned {
    pub(super) fn from(shape: &Shape) -> Self {
        let mut learned = Self::default();
        learned.absorb(shape);
        learned
    }

    /// Adds a response that agrees with what is known.
    pub(super) fn absorb(&mut self, shape: &Shape) {
        self.seen += 1;
        match shape {
            Shape::Null => self.nullable = true,
            _ => self.kind = self.kind.or(Some(shape.type_name())),
        }
        match shape {
            Shape::Object(Fields { named, cut }) => {
                self.open |= cut;
                for (name, shape) in named {
                    self.fields.entry(name.clone()).or_default().absorb(shape);
                }
            }
            Shape::Array(Elements { first, other }) => {
                if let Some(first) = first {
                    self.element.get_or_insert_default().absorb(first);
                }
                self.mixed |= other.is_some();
            }
            _ => {}
        }
    }

    pub(super) fn differences(&self, shape: &Shape) -> Vec<Difference> {
        let mut found = Vec::new();
        self.compare(shape, "", false, &mut found);
        found
    }

    fn compare(&self, shape: &Shape, path: &str, in_element: bool, found: &mut Vec<Difference>) {
        // A null says nothing about the value that replaces it.
        let Some(kind) = self.kind else { return };
        let named = || if path.is_empty() { WHOLE.to_owned() } else { path.to_owned() };
        match shape {
            Shape::Null if self.nullable => {}
            // An object or list that becomes null has changed its type; in a list, elements may well be null.
            Shape::Null if matches!(kind, "object" | "array") && !in_element => {
                found.push(Difference::Type { path: named(), expected: kind, actual: "null" });
            }
            Shape::Null => found.push(Difference::Null { path: named(), expected: kind }),
            _ if shape.type_name() != kind => {
                found.push(Difference::Type { path: named(), expected: kind, actual: shape.type_name() });
            }
            Shape::Object(fields) => self.compare_fields(fields, path, in_element, found),
            Shape::Array(elements) => self.compare_elements(elements, path, &named(), found),
            _ => {}
        }
    }

    fn compare_fields(&self, actual: &Fields, path: &str, in_element: bool, found: &mut Vec<Difference>) {
        let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        for (name, learned) in &self.fields {
            match actual.named.get(name) {
                Some(shape) => learned.compare(shape, &below(name), in_element, found),
                None if actual.cut => {}
                None => found.push(Difference::Missing { path: below(name), seen: learned.seen }),
            }
        }
        if !self.open {
            let new = actual.named.iter().filter(|(name, _)| !self.fields.contains_key(*name));
            found.extend(new.map(|(name, shape)| Difference::New { path: below(name), kind: shape.type_name() }));
        }
    }

    fn compare_elements(&self, actual: &Elements, path: &str, named: &str, found: &mut Vec<Difference>) {
        let (Some(expected), false) = (&self.element, self.mixed) else { return };
        for (element, later) in
            actual.first.iter().map(|first| (first, false)).chain(actual.other.iter().map(|other| (other, true)))
        {
            let mut inside = Vec::new();
            expected.compare(element, &format!("{path}[]"), true, &mut inside);
            let (nulls, others): (Vec<_>, Vec<_>) =
                inside.into_iter().partition(|difference| matches!(difference, Difference::Null { .. }));
            found.extend(nulls);
            if !others.is_empty() {
                found.push(Difference::Element {
                    path: named.to_owned(),
                    expected: expected.to_json(),
                    actual: element.to_json(),
                    later,
                });
                return;
            }
        }
    }

    pub(super) fn type_name(&self) -> &'static str {
        self.kind.unwrap_or("null")
    }

    pub(super) fn to_json(&self) -> Value {
        match self.kind {
            None => json!("null"),
            Some("object") if self.fields.is_empty() && self.open => json!("object"),
            Some("object") => {
                let mut fields: Map<String, Value> =
                    self.fields.iter().map(|(name, learned)| (name.clone(), learned.to_json())).collect();
                if self.open {
                    fields.insert("…".to_owned(), json!("more"));
                }
                Value::Object(fields)
            }
            Some("array") => self.element.iter().map(|element| element.to_json()).collect(),
            Some(kind) if self.nullable => json!(format!("{kind} or null")),
            Some(kind) => json!(kind),
        }
    }
}

#[cfg(test)]
mod tests {
    use wire::limits;

    use super::*;

    fn shape(value: &Value) -> Shape {
        Shape::read(&value.to_string(), limits::API_SHAPE_LEVELS).unwrap()
    }

    /// The differences between the last response and those before, in short.
    fn differences(answers: &[Value]) -> Vec<String> {
        let (last, before) = answers.split_last().unwrap();
        let mut learned = Learned::from(&shape(&before[0]));
        for answer in &before[1..] {
            assert!(are_learnable(&learned.differences(&shape(answer))), "{answer}");
            learned.absorb(&shape(answer));
        }
        let short = |difference| match difference {
            Difference::Missing { path, seen } => format!("missing {path} of {seen}"),
            Difference::New { path, kind } => format!("new {path} {kind}"),
            Difference::Type { path, expected, actual } => format!("type {path} {expected} {actual}"),
            Difference::Null { path, expected } => format!("null {path} {expected}"),
            Difference::Element { path, later, .. } => format!("element {path} {later}"),
        };
        learned.differences(&shape(last)).into_iter().map(short).collect()
    }

    #[test]
    fn every_kind_of_difference_is_found() {
        for (answers, expected) in [
            (vec![json!({"a":1}), json!({"a":2})], vec![]),
            (vec![json!({"a":1}), json!({"a":1}), json!({})], vec!["missing a of 2"]),
            (vec![json!({"a":1}), json!({"a":1,"b":"x"})], vec!["new b string"]),
            (vec![json!({"a":1}), json!({"a":"1"})], vec!["type a number string"]),
            (vec![json!({"a":1}), json!({"a":null})], vec!["null a number"]),
            (vec![json!({"a":{"b":1}}), json!({"a":null})], vec!["type a object null"]),
            (vec![json!({"a":[1]}), json!({"a":null})], vec!["type a array null"]),
            (vec![json!({"a":1}), json!([{"a":1}])], vec!["type (response) object array"]),
            (vec![json!({"a":{"b":{"c":1}}}), json!({"a":{"b":{"c":true}}})], vec!["type a.b.c number boolean"]),
            (vec![json!({"a":{"b":1}}), json!({"a":{"c":1}})], vec!["missing a.b of 1", "new a.c number"]),
            // Lists.
            (vec![json!([{"a":1}]), json!([{"a":"x"}])], vec!["element (response) false"]),
            (vec![json!({"l":[{"a":1}]}), json!({"l":[{"a":1},{"b":1}]})], vec!["element l true"]),
            (vec![json!({"l":[{"a":1}]}), json!({"l":[{"a":1,"b":1}]})], vec!["element l false"]),
            (vec![json!({"l":[{"a":1}]}), json!({"l":[{"a":null}]})], vec!["null l[].a number"]),
            (vec![json!({"l":[1]}), json!({"l":["x"]})], vec!["element l false"]),
            (vec![json!({"l":[1]}), json!({"l":[]})], vec![]),
            (vec![json!({"l":[]}), json!({"l":[1]})], vec![]),
            (vec![json!({"l":[{"a":1},{"b":1}]}), json!({"l":[{"c":1}]})], vec![]),
            // Fields that were learned as null, or as sometimes null.
            (vec![json!({"a":1}), json!({"a":null}), json!({"a":null})], vec![]),
            (vec![json!({"a":null}), json!({"a":1})], vec![]),
            (vec![json!({"a":null}), json!({"a":1}), json!({"a":"x"})], vec!["type a number string"]),
            (vec![json!({"a":null}), json!({"a":{"b":1}}), json!({"a":{}})], vec!["missing a.b of 1"]),
            // Beyond the third level only the type counts.
            (vec![json!({"a":{"b":{"c":{"d":1}}}}), json!({"a":{"b":{"c":{}}}})], vec![]),
            (vec![json!({"a":{"b":{"c":{"d":1}}}}), json!({"a":{"b":{"c":1}}})], vec!["type a.b.c object number"]),
        ] {
            assert_eq!(differences(&answers), expected, "{answers:?}");
        }
    }
}
