//! Lists of entries in answers, serialized from the buffers without a copy.

use engine::entry::Log;
use engine::store::Stored;
use engine::store::id::IdKind;
use serde::{Serialize, Serializer};
use serde_with::skip_serializing_none;

use crate::app::App;

/// A list whose items are created while it is serialized.
pub(super) struct Each<F>(pub(super) F);

impl<F, I> Serialize for Each<F>
where
    F: Fn() -> I,
    I: Iterator<Item: Serialize>,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

/// An entry with our id as the first field, unless it has its own.
#[skip_serializing_none]
#[derive(Serialize)]
pub(super) struct Named<'e, E> {
    pub(super) id: Option<String>,
    #[serde(flatten)]
    pub(super) entry: &'e E,
}

/// Our id for a log entry, unless the entry has its own.
pub(super) fn added_id(app: &App, stored: &Stored<Log>) -> Option<String> {
    stored.entry.id.is_none().then(|| app.ids.format(IdKind::Log, stored.cursor))
}
