//! The client that called a tool, for snapshots and verifications that belong to their creator.

use engine::text::shorten;
use engine::verify::{Caller, Owner};

use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::Context;

const NAME_CHARS: usize = 60;

pub(super) struct Asking<'c> {
    owner: Owner,
    is_here: Box<dyn Fn(u64) -> bool + Send + Sync + 'c>,
}

impl<'c> Asking<'c> {
    pub(super) fn new(context: &'c Context) -> Self {
        let name = context.client.name().map(|name| shorten(&one_line(&context.app.redactor.text(&name)), NAME_CHARS));
        Self {
            owner: Owner { client: context.client.id, name },
            is_here: Box::new(|client| context.app.clients.is_here(client)),
        }
    }

    pub(super) fn caller(&self) -> Caller<'_> {
        Caller { owner: self.owner.clone(), is_here: &*self.is_here }
    }
}

/// What an action on a snapshot or verification did.
#[skip_serializing_none]
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Hinted<D> {
    #[serde(flatten)]
    pub(super) done: D,
    /// What to do next, or what is missing.
    pub(super) hint: Option<String>,
}

/// A name or label on one line, ready to stand in a sentence.
pub(super) fn one_line(text: &str) -> String {
    let breaks = |letter: char| letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}');
    text.replace(breaks, " ").trim().to_owned()
}
