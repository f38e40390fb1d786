//! What pages do, as typed entries: one file for each kind.
//!
//! Senders differ, so every field of a wire struct is optional. Here a wire struct is parsed once: kinds become enums,
//! the time is always there, and what senders spell differently is settled. Everything after this matches on types.
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

/// Why an entry can't be kept.
pub type Refusal = &'static str;

/// What every entry carries, whatever its kind.
pub trait Entry {
    /// When it happened, by the page's clock.
    fn at(&self) -> Timestamp;
    fn tab_id(&self) -> Option<i64>;
    fn test_id(&self) -> Option<&str>;
    /// The page load it belongs to.
    fn page_id(&self) -> Option<&str>;
    fn worker(&self) -> Option<&str>;
    /// What a filter by address looks at.
    fn addresses(&self) -> [Option<&str>; 3];
}

/// How a batch arrived, as far as its entries leave it out.
#[derive(Debug, Clone, Copy)]
pub struct Arrival<'a> {
    /// Stands in for a missing time.
    pub at: Timestamp,
    /// Stands in for a missing page address.
    pub page: Option<&'a str>,
}

impl Arrival<'_> {
    /// Of what names no page for all of its entries.
    pub fn at(at: Timestamp) -> Self {
        Self { at, page: None }
    }
}

/// An entry that is parsed from what a sender wrote.
pub trait Parse: Entry + Redact + Serialize + Sized {
    type Wire: Sent + DeserializeOwned;

    fn parse(wire: Self::Wire, arrival: Arrival<'_>) -> Result<Self, Refusal>;

    /// The same for what lies in a larger document.
    fn from_json(value: serde_json::Value, arrival: Arrival<'_>) -> Result<Self, String> {
        let wire = serde_json::from_value(value).map_err(|error| error.to_string())?;
        Ok(Self::parse(wire, arrival)?)
    }
}

/// The time an entry states, else that of its arrival.
fn time_of(wire: &impl Sent, arrival: Arrival<'_>) -> Timestamp {
    wire.time().unwrap_or(arrival.at)
}

/// The page an entry names, else that of its batch.
fn page_of(own: &mut Option<String>, arrival: Arrival<'_>) -> Option<String> {
    own.take().or_else(|| arrival.page.map(str::to_owned))
}

/// An entry as it stands in a test, which leaves out what it is not about.
#[cfg(test)]
pub(crate) fn from_test<T: Parse>(value: serde_json::Value) -> T {
    T::from_json(value, Arrival::at(Timestamp::from_millis(0))).unwrap()
}
