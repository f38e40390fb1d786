//! Keeps the description of a violation short, however wide the response is: one violation must not take the room of
//! all others.

use serde_json::{Map, Value, json};

use crate::answer::fit::json_len;
use crate::text::shorten;

/// Names that a sentence lists.
const SAID: usize = 3;
const SAID_CHARS: usize = 80;
/// Names that a list shows.
const LISTED: usize = 10;
const LISTED_BYTES: usize = 600;
/// Size of each of the two shapes that are shown side by side.
pub(super) const SHAPE_BYTES: usize = 400;

/// `'a', 'b', 'c' and 147 more`.
pub(super) fn said<'n>(names: impl ExactSizeIterator<Item = &'n str>) -> String {
    let more = names.len().saturating_sub(SAID);
    let said: Vec<String> = names.take(SAID).map(|name| format!("'{}'", shorten(name, SAID_CHARS))).collect();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", said.join(", "))
}

/// How many of these names are listed, and how many are not.
pub(super) fn listed<'n>(names: impl ExactSizeIterator<Item = &'n str>) -> (usize, usize) {
    let (all, mut bytes) = (names.len(), 0);
    let fits = |name: &&str| {
        bytes += name.len();
        bytes <= LISTED_BYTES
    };
    let shown = names.take(LISTED).take_while(fits).count().max(1).min(all);
    (shown, all - shown)
}

/// A shape in about this many bytes: first without its deeper levels, then without its last fields.
pub(super) fn bounded(shape: &Value, bytes: usize) -> Value {
    if json_len(shape) <= bytes {
        return shape.clone();
    }
    match shape {
        Value::Object(fields) => {
            let (mut shown, mut used) = (Map::new(), 0);
            for (name, field) in fields {
                let field = match field {
                    Value::Object(_) => json!("object"),
                    Value::Array(_) => json!("array"),
                    scalar => scalar.clone(),
                };
                used += name.len() + json_len(&field) + 4;
                if used > bytes {
                    shown.insert("…".to_owned(), json!("more"));
                    break;
                }
                shown.insert(name.clone(), field);
            }
            Value::Object(shown)
        }
        Value::Array(elements) => {
            elements.iter().map(|element| bounded(element, bytes / elements.len().max(1))).collect()
        }
        scalar => scalar.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_list_some_names_and_count_the_rest() {
        assert_eq!(said(["a"].into_iter()), "'a'");
        assert_eq!(said(["a", "b", "c"].into_iter()), "'a', 'b', 'c'");
        assert_eq!(said(["a", "b", "c", "d"].into_iter()), "'a', 'b', 'c' and 1 more");
        let long = "x".repeat(LISTED_BYTES + 1);
        assert_eq!(listed([long.as_str(), "b"].into_iter()), (1, 1));
        assert_eq!(listed(["a"; LISTED].into_iter()), (LISTED, 0));
        assert_eq!(listed(["a"; LISTED + 1].into_iter()), (LISTED, 1));
    }

    #[test]
    fn shapes_lose_depth_before_fields() {
        let deep = json!({ "a": { "b": "number", "c": "string" }, "d": ["string"], "e": "number" });
        assert_eq!(bounded(&deep, 1_000), deep);
        assert_eq!(bounded(&deep, 50), json!({ "a": "object", "d": "array", "e": "number" }));
        assert_eq!(bounded(&deep, 30), json!({ "a": "object", "d": "array", "…": "more" }));
        assert_eq!(bounded(&json!([deep]), 30), json!([{ "a": "object", "d": "array", "…": "more" }]));
    }
}
