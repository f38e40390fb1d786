//! Lists of user actions for the model.

use wire::Level;

use super::Whole;
use crate::answer::fit::Shortened;
use crate::entry::Action;
use crate::store::Filter;
use crate::store::id::{IdKind, Ids};
use crate::store::{Store, Stored};

const TEXT_CHARS: usize = 300;

/// Matching actions, newest first. A navigation belongs to both addresses.
pub fn actions<'a>(store: &'a Store, filter: &Filter) -> Vec<(Level, &'a Stored<Action>)> {
    store.actions.iter().rev().filter(|stored| filter.admits(stored)).map(|stored| (Level::Log, stored)).collect()
}

/// An action, as lists show it.
pub type ActionBrief = Shortened<Whole<Action>>;

/// All of an action, with long texts shortened: every selector may be the one that finds the element again.
pub fn brief(stored: &Stored<Action>, ids: &Ids) -> ActionBrief {
    let id = ids.format(IdKind::Action, stored.cursor);
    Shortened { value: Whole { id, entry: stored.entry.clone(), redacted: None }, most_chars: TEXT_CHARS }
}
