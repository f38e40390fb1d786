//! Fields we do not know: accepted, counted, and named in `/health`, so that drift between the two sides shows.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use serde::de::DeserializeOwned;
use wire::limits;

use crate::app::App;

#[derive(Debug, Default)]
pub(crate) struct UnknownFields {
    seen: Mutex<UnknownReport>,
}

#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct UnknownReport {
    pub(crate) count: u64,
    pub(crate) names: BTreeMap<String, u64>,
}

impl UnknownFields {
    pub(crate) fn report(&self) -> UnknownReport {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note(&self, name: String) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.count += 1;
        if let Some(count) = seen.names.get_mut(&name) {
            *count += 1;
        } else if seen.names.len() < limits::UNKNOWN_FIELD_NAMES {
            seen.names.insert(name, 1);
        }
    }
}

/// Parses JSON and notes the fields that `T` does not have, as `place.field`.
pub(super) fn parse<T: DeserializeOwned>(app: &App, place: &str, text: &str) -> serde_json::Result<T> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let parsed = serde_ignored::deserialize(&mut deserializer, |path| note(app, place, &path.to_string()))?;
    deserializer.end()?;
    Ok(parsed)
}

/// A field's name comes from outside like everything else: shortened, and without credentials.
pub(super) fn note(app: &App, place: &str, path: &str) {
    let path: String = path.split('.').filter(|part| *part != "?").collect::<Vec<_>>().join(".");
    let short = engine::view::shorten(&path, 64);
    app.unknown_fields.note(app.redactor.text(&format!("{place}.{short}")));
}
