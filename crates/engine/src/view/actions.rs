//! What the user did, as the model reads it.

use serde_json::Value;
use wire::Level;

use crate::answer::fit::shorten_texts;
use crate::entry::Action;
use crate::store::Filter;
use crate::store::id::{IdKind, Ids};
use crate::store::{Store, Stored};

const TEXT_CHARS: usize = 300;

/// Matching actions, newest first. A navigation belongs to both addresses.
pub fn actions<'a>(store: &'a Store, filter: &Filter) -> Vec<(Level, &'a Stored<Action>)> {
    store.actions.iter().rev().filter(|stored| filter.admits(stored)).map(|stored| (Level::Log, stored)).collect()
}

/// All of an action, with long texts shortened: every selector may be the one that finds the element again.
pub fn brief(stored: &Stored<Action>, ids: &Ids) -> Value {
    let mut value = Value::Object(super::full(stored, IdKind::Action, ids));
    if let Value::Object(fields) = &mut value {
        fields.shift_remove("redacted");
    }
    shorten_texts(&mut value, TEXT_CHARS);
    value
}
