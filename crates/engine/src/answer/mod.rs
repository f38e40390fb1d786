//! How answers are put together, and cut to the size they may have.

pub mod fit;

use serde_json::{Map, Value};

/// An object of what is known; what is not is left out.
pub(crate) fn object<const N: usize>(fields: [(&str, Value); N]) -> Map<String, Value> {
    fields.into_iter().filter(|(_, value)| !value.is_null()).map(|(name, value)| (name.to_owned(), value)).collect()
}
