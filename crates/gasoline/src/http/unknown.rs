//! Unknown fields: accepted, counted, and listed in `/health`, so that version drift between the two sides is visible.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use engine::Redactor;
use engine::text::shorten;
use serde::Serialize;
use wire::limits;

const NAME_CHARS: usize = 64;

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

    /// A field's name also comes from outside, so it is shortened and redacted.
    pub(super) fn note(&self, redactor: &Redactor, name: &str) {
        let name = redactor.text(&shorten(name, NAME_CHARS));
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.count += 1;
        if let Some(count) = seen.names.get_mut(&name) {
            *count += 1;
        } else if seen.names.len() < limits::UNKNOWN_FIELD_NAMES {
            seen.names.insert(name, 1);
        }
    }
}
