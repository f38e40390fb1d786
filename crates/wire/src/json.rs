//! JSON that only passes through: kept as compact text, never as a tree.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// A JSON value of any shape, held as its text. A tree of `Value`s would take up to sixteen times the memory.
#[derive(Debug, Clone)]
pub struct Json(Box<RawValue>);

impl Json {
    /// The JSON text, without insignificant whitespace.
    pub fn text(&self) -> &str {
        self.0.get()
    }

    /// Parses the text again. Text that cannot be parsed becomes `null`; a checked value always parses.
    pub fn value(&self) -> serde_json::Value {
        serde_json::from_str(self.text()).unwrap_or_default()
    }

    /// Writes a parsed value as text.
    pub fn from_value(value: &serde_json::Value) -> Self {
        Self::from_text(value.to_string()).unwrap_or_else(Self::null)
    }

    /// `None` when `text` is not one JSON value.
    pub fn from_text(text: String) -> Option<Self> {
        RawValue::from_string(text).ok().map(Self)
    }

    /// The JSON value `null`.
    pub fn null() -> Self {
        Self(RawValue::NULL.to_owned())
    }
}

impl schemars::JsonSchema for Json {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Json".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({})
    }
}

impl PartialEq for Json {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Box::<RawValue>::deserialize(deserializer).map(Self)
    }
}

#[cfg(feature = "typescript")]
impl ts_rs::TS for Json {
    type WithoutGenerics = Self;
    type OptionInnerType = Self;

    fn name(_: &ts_rs::Config) -> String {
        "unknown".to_owned()
    }

    fn inline(config: &ts_rs::Config) -> String {
        Self::name(config)
    }
}
