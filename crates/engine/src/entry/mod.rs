//! Captured entries as types: one file for each kind.
//!
//! Senders differ, so every field of a wire struct is optional. A wire struct is parsed here, once: kinds become enums,
//! the time is always present, and different spellings become one. All later code matches on types.
//! A kind's file also says which of its fields hold text that must be redacted.

#[macro_use]
mod macros;

pub mod action;
mod ai_context;
mod dom_snapshot;
mod extension_log;
mod log;
mod marks;
mod page_load;
mod plausible;
mod request;
mod sensitive_input;
mod socket_event;

use serde::Serialize;
use serde::de::DeserializeOwned;
use wire::{Sent, Timestamp};

use crate::redact::Redact;

pub use action::{Action, ActionKind};
pub(crate) use ai_context::merge_context;
pub use dom_snapshot::DomSnapshot;
pub use extension_log::ExtensionLog;
pub use log::{Log, LogKind};
pub(crate) use marks::complete as complete_marks;
pub use page_load::PageLoad;
pub use request::Request;
pub use socket_event::{Direction, SocketEvent, SocketEventKind};

/// Why an entry cannot be stored.
pub type Refusal = &'static str;

/// The time and the tags of an entry, whatever its kind.
pub trait Entry {
    /// When it happened, by the page's clock.
    fn at(&self) -> Timestamp;
    /// The browser tab's id. Absent when the sender gave none.
    fn tab_id(&self) -> Option<i64>;
    /// The test that caused it. Absent outside of test runs.
    fn test_id(&self) -> Option<&str>;
    /// The page load that it belongs to.
    fn page_id(&self) -> Option<&str>;
    /// The CI worker that sent it. Absent outside of test runs.
    fn worker(&self) -> Option<&str>;
    /// The addresses that a URL filter matches.
    fn addresses(&self) -> [Option<&str>; 3];
}

/// Values of a batch for entries that lack them.
#[derive(Debug, Clone, Copy)]
pub struct Arrival<'a> {
    /// Replaces a missing time.
    pub at: Timestamp,
    /// Replaces a missing page address.
    pub page: Option<&'a str>,
}

impl Arrival<'_> {
    /// For a batch that names no page for all of its entries.
    pub fn at(at: Timestamp) -> Self {
        Self { at, page: None }
    }
}

/// An entry that is parsed from what a sender wrote.
pub trait Parse: Entry + Redact + Serialize + Sized {
    /// The wire struct that the entry is parsed from.
    type Wire: Sent + DeserializeOwned;

    /// Parses a wire struct, or says why the entry is refused.
    fn parse(wire: Self::Wire, arrival: Arrival<'_>) -> Result<Self, Refusal>;

    /// The same for a value inside a larger document.
    fn from_json(value: serde_json::Value, arrival: Arrival<'_>) -> Result<Self, String> {
        let wire = serde_json::from_value(value).map_err(|error| error.to_string())?;
        Ok(Self::parse(wire, arrival)?)
    }
}

/// The entry's own time, else the time of its arrival.
fn time_of(wire: &impl Sent, arrival: Arrival<'_>) -> Timestamp {
    wire.time().unwrap_or(arrival.at)
}

/// The page that the entry names, else that of its batch.
fn page_of(own: &mut Option<String>, arrival: Arrival<'_>) -> Option<String> {
    own.take().or_else(|| arrival.page.map(str::to_owned))
}

/// An entry for a test, which leaves out irrelevant fields.
#[cfg(test)]
pub(crate) fn from_test<T: Parse>(value: serde_json::Value) -> T {
    T::from_json(value, Arrival::at(Timestamp::from_millis(0))).unwrap()
}
