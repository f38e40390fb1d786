//! The extension's own log: its errors and warnings.

use wire::{Json, Level, Timestamp};

use super::{Arrival, Parse, Refusal, time_of};
use crate::redact::{Redact, Scrubber};

entry! {
    /// A line of the extension's own log.
    pub struct ExtensionLog from wire::extension::ExtensionLog {
        #[serde(rename = "ts")]
        at: Timestamp,
        level: Level,
        message: String,
    } optional {
        context: Json,
    } addresses {
        _log => [None, None, None]
    }
}

impl Parse for ExtensionLog {
    type Wire = wire::extension::ExtensionLog;

    fn parse(mut wire: wire::extension::ExtensionLog, arrival: Arrival<'_>) -> Result<Self, Refusal> {
        let message = wire.message.take().ok_or("an extension log needs `message`")?;
        let level = wire.level.unwrap_or(Level::Info);
        Ok(Self::with(time_of(&wire, arrival), level, message, wire))
    }
}

impl Redact for ExtensionLog {
    fn scrub(&mut self, scrubber: &mut Scrubber<'_>) {
        let Self { at: _, level: _, message, context, tab_id: _, test_id, page_id, worker } = self;
        scrubber.text("message", message);
        for (field, text) in [("test_id", test_id), ("page_id", page_id), ("worker", worker)] {
            scrubber.opt_text(field, text);
        }
        scrubber.json("context", context);
    }
}
