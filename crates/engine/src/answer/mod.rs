//! How answers are assembled and cut to their budget. An answer is a struct that is rendered last.

pub mod fit;

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

/// A count for each name, in a meaningful order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts(Vec<(&'static str, usize)>);

impl FromIterator<(&'static str, usize)> for Counts {
    fn from_iter<I: IntoIterator<Item = (&'static str, usize)>>(counts: I) -> Self {
        Self(counts.into_iter().collect())
    }
}

impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

impl JsonSchema for Counts {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Counts".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object", "additionalProperties": { "type": "integer" } })
    }
}

/// How well the evidence supports an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Confidence {
    /// Only a guess.
    Low,
    /// The evidence fits, but other explanations fit as well.
    Medium,
    /// Message, stack or response point to this and to nothing else.
    High,
}

impl Confidence {
    /// The word that answers and reports use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

impl std::fmt::Display for Confidence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
