//! HTTP headers as pages send them.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};

/// Header names with their values. A value given as a list is joined with `, `, except `set-cookie`, whose values
/// contain commas themselves and are joined with line breaks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Headers(pub BTreeMap<String, String>);

#[derive(Deserialize)]
#[serde(untagged)]
enum Value {
    One(String),
    Many(Vec<String>),
    Number(serde_json::Number),
    Other(serde::de::IgnoredAny),
}

impl<'de> Deserialize<'de> for Headers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let given = BTreeMap::<String, Value>::deserialize(deserializer)?;
        let read = given.into_iter().filter_map(|(name, value)| {
            let text = match value {
                Value::One(text) => text,
                Value::Many(texts) if name.eq_ignore_ascii_case("set-cookie") => texts.join("\n"),
                Value::Many(texts) => texts.join(", "),
                Value::Number(number) => number.to_string(),
                Value::Other(_) => return None,
            };
            Some((name, text))
        });
        Ok(Self(read.collect()))
    }
}
