//! The way in: a request's text becomes entries that may be stored.
//!
//! Every kind walks the same way: read, inherit the batch's tags, parse, redact, serialize. One bad entry does
//! not take the good ones of its batch along.

use serde_json::value::RawValue;
use wire::batch::{ActionBatch, Batch, BodyBatch, EventBatch, ExtensionLogBatch, LogBatch, SnapshotBatch, Tags};
use wire::sync::{SyncHead, SyncKind};
use wire::{Sent as _, Timestamp, limits};

use crate::contracts::Call;
use crate::entry::{Action, Arrival, DomSnapshot, ExtensionLog, Log, PageLoad, Parse, Request, SocketEvent};
use crate::redact::{Redacted, Redactor};
use crate::test_runs::OpenTests;
use crate::whole_characters;

/// Reads a batch of a kind, or the one entry of a kind that comes alone.
macro_rules! read_batch {
    (alone, $text:expr, $unknown:expr) => {
        Batch { entries: vec![serde_json::from_str($text)?], tags: Tags::default(), url: None, batch_id: None }
    };
    ($batch:ident, $text:expr, $unknown:expr) => {
        read::<$batch<'_>>($text, $unknown)?.into()
    };
}

macro_rules! define_intake {
    ($($kind:ident = $name:literal, $entry:ident, $buffer:ident, $batch:ident;)*) => {
        /// What a request's body holds.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Content {
            $($kind,)*
            /// Events of any kind.
            Sync,
        }

        impl Content {
            pub const ALL: [Self; [$($name,)* "sync"].len()] = [$(Self::$kind,)* Self::Sync];

            fn read<'t>(self, text: &'t str, unknown: &mut dyn FnMut(String)) -> serde_json::Result<Batch<'t>> {
                Ok(match self {
                    $(Self::$kind => read_batch!($batch, text, unknown),)*
                    Self::Sync => read_batch!(EventBatch, text, unknown),
                })
            }
        }

        /// An entry that may be stored, and which kind it is.
        #[derive(Debug)]
        pub(crate) enum Item {
            $($kind(Redacted<$entry>),)*
        }

        $(
            impl Kinded for $entry {
                const NAME: &'static str = $name;

                fn item(redacted: Redacted<Self>) -> Item {
                    Item::$kind(redacted)
                }
            }
        )*

        impl Intake<'_> {
            fn prepared(&mut self, content: Content, raw: &str) -> Result<Prepared, String> {
                match content {
                    $(Content::$kind => self.entry::<$entry>(raw),)*
                    Content::Sync => self.event(raw),
                }
            }
        }
    };
}

for_each_kind!(define_intake);

/// A kind of entry: what its unknown fields are listed under, and which item it becomes.
trait Kinded: Sized {
    const NAME: &'static str;
    fn item(redacted: Redacted<Self>) -> Item;
}

impl Content {
    /// Splits a body into its entries, unread. Fields that no batch has are handed to `unknown`.
    pub fn split<'t>(self, text: &'t str, unknown: &mut dyn FnMut(String)) -> serde_json::Result<Arrived<'t>> {
        // Serde would take a list for a struct too.
        if !text.trim_start().starts_with('{') {
            return Err(serde::de::Error::custom("expected an object at line 1 column 1"));
        }
        Ok(Arrived { content: self, batch: self.read(text, unknown)? })
    }
}

/// A batch whose entries were not looked at yet.
#[derive(Debug)]
pub struct Arrived<'t> {
    content: Content,
    batch: Batch<'t>,
}

impl Arrived<'_> {
    pub fn len(&self) -> usize {
        self.batch.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.batch.entries.is_empty()
    }

    /// The sender's name for it.
    pub fn batch_id(&self) -> Option<&str> {
        self.batch.batch_id.as_deref()
    }

    /// Who sends it, as far as it says.
    pub fn sender(&self) -> Option<&str> {
        self.batch.tags.worker.as_deref().or(self.batch.tags.test_id.as_deref())
    }

    /// Makes every entry ready to be stored, or says why it can't be. What names no test belongs to one of the `open`
    /// ones, where that is certain. `unknown` hears of fields as `kind.field`.
    pub fn prepare<'a>(
        &'a self,
        redactor: &'a Redactor,
        open: &'a OpenTests,
        arrival: Timestamp,
        unknown: &'a mut dyn FnMut(String),
    ) -> Preparing<'a> {
        let intake = Intake { batch: &self.batch, redactor, open, arrival, unknown };
        Preparing { content: self.content, entries: self.batch.entries.iter(), intake }
    }
}

/// Makes one entry after the other ready, so that only as many are held as its user keeps.
///
/// A type of its own: the code of a mapped iterator would be made where it is used, in a crate that is compiled to be
/// small.
pub struct Preparing<'a> {
    content: Content,
    entries: std::slice::Iter<'a, &'a RawValue>,
    intake: Intake<'a>,
}

impl Iterator for Preparing<'_> {
    type Item = Result<Prepared, String>;

    fn next(&mut self) -> Option<Self::Item> {
        let (raw, intake) = (self.entries.next()?.get(), &mut self.intake);
        // Before anything reads it: a parser would refuse the whole entry, and text that only passes through would be
        // refused by every reader after it.
        let whole = whole_characters(raw);
        let raw = whole.as_ref();
        Some(intake.prepared(self.content, raw))
    }
}

/// An entry without credentials, and its serialized form.
#[derive(Debug)]
pub struct Prepared {
    pub(crate) item: Item,
    /// What its endpoint's contract learns from it, read before the session is locked.
    pub(crate) call: Option<Call>,
    pub text: Vec<u8>,
}

impl Prepared {
    /// Whether it belongs into `logs.jsonl`.
    pub fn is_journaled(&self) -> bool {
        match &self.item {
            Item::Logs(_) | Item::NetworkBodies(_) => true,
            Item::WebsocketEvents(event) => !event.entry().is_stats(),
            _ => false,
        }
    }

    pub fn is_network_body(&self) -> bool {
        matches!(self.item, Item::NetworkBodies(_))
    }
}

struct Intake<'a> {
    batch: &'a Batch<'a>,
    redactor: &'a Redactor,
    open: &'a OpenTests,
    arrival: Timestamp,
    unknown: &'a mut dyn FnMut(String),
}

impl Intake<'_> {
    // Kept apart, or both callers would hold a copy for every kind.
    #[inline(never)]
    fn entry<T: Kinded + Parse>(&mut self, raw: &str) -> Result<Prepared, String> {
        if raw.len() > limits::ENTRY_BYTES {
            return Err(format!("larger than {} bytes", limits::ENTRY_BYTES));
        }
        let mut named = |path| (self.unknown)(format!("{}.{path}", T::NAME));
        let mut sent: T::Wire = read(raw, &mut named).map_err(|error| error.to_string())?;
        sent.inherit(&self.batch.tags);
        if sent.test_id().is_none()
            && let Some(test_id) = self.open.test_of(sent.worker())
        {
            sent.inherit(&Tags { test_id: Some(test_id.to_owned()), ..Tags::default() });
        }
        for tag in [sent.test_id(), sent.worker()] {
            if tag.is_some_and(|tag| tag.len() > limits::TEST_ID_CHARS && tag.chars().count() > limits::TEST_ID_CHARS) {
                return Err(format!("a test_id or worker of more than {} characters", limits::TEST_ID_CHARS));
            }
        }
        let entry = T::parse(sent, Arrival { at: self.arrival, page: self.batch.url.as_deref() })?;
        let redacted = self.redactor.redact(entry);
        let mut text = Vec::with_capacity(raw.len() + 64);
        serde_json::to_writer(&mut text, redacted.entry()).map_err(|error| error.to_string())?;
        let item = T::item(redacted);
        let call = match &item {
            Item::NetworkBodies(request) => Call::from_request(request.entry()),
            _ => None,
        };
        Ok(Prepared { item, call, text })
    }

    fn event(&mut self, raw: &str) -> Result<Prepared, String> {
        let head: SyncHead = serde_json::from_str(raw).map_err(|error| error.to_string())?;
        match head.kind {
            SyncKind::Console | SyncKind::Error => self.entry::<Log>(raw),
            SyncKind::Network => self.entry::<Request>(raw),
            SyncKind::WebSocket => self.entry::<SocketEvent>(raw),
            SyncKind::Action => self.entry::<Action>(raw),
            SyncKind::Performance => self.entry::<PageLoad>(raw),
            SyncKind::DomSnapshot => self.entry::<DomSnapshot>(raw),
        }
    }
}

/// Parses a text and names the fields that `T` does not have.
fn read<'t, T: serde::Deserialize<'t>>(text: &'t str, unknown: &mut dyn FnMut(String)) -> serde_json::Result<T> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let parsed = serde_ignored::deserialize(&mut deserializer, |path| {
        // The `?` stands for an `Option` on the way; it says nothing.
        let path = path.to_string();
        unknown(path.split('.').filter(|part| *part != "?").collect::<Vec<_>>().join("."));
    })?;
    deserializer.end()?;
    Ok(parsed)
}
