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

/// What a request's body holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    Logs,
    WebSocketEvents,
    NetworkBodies,
    EnhancedActions,
    DomSnapshots,
    ExtensionLogs,
    /// Events of any kind.
    Sync,
    /// One object, without a batch around it.
    PerformanceSnapshot,
}

impl Content {
    pub const ALL: [Self; 8] = [
        Self::Logs,
        Self::WebSocketEvents,
        Self::NetworkBodies,
        Self::EnhancedActions,
        Self::DomSnapshots,
        Self::ExtensionLogs,
        Self::Sync,
        Self::PerformanceSnapshot,
    ];

    /// Splits a body into its entries, unread. Fields that no batch has are handed to `unknown`.
    pub fn split<'t>(self, text: &'t str, unknown: &mut dyn FnMut(String)) -> serde_json::Result<Arrived<'t>> {
        // Serde would take a list for a struct too.
        if !text.trim_start().starts_with('{') {
            return Err(serde::de::Error::custom("expected an object at line 1 column 1"));
        }
        let batch = match self {
            Self::Logs => read::<LogBatch<'t>>(text, unknown)?.into(),
            Self::WebSocketEvents | Self::Sync => read::<EventBatch<'t>>(text, unknown)?.into(),
            Self::NetworkBodies => read::<BodyBatch<'t>>(text, unknown)?.into(),
            Self::EnhancedActions => read::<ActionBatch<'t>>(text, unknown)?.into(),
            Self::DomSnapshots => read::<SnapshotBatch<'t>>(text, unknown)?.into(),
            Self::ExtensionLogs => read::<ExtensionLogBatch<'t>>(text, unknown)?.into(),
            Self::PerformanceSnapshot => {
                Batch { entries: vec![serde_json::from_str(text)?], tags: Tags::default(), url: None, batch_id: None }
            }
        };
        Ok(Arrived { content: self, batch })
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
        Some(match self.content {
            Content::Logs => intake.entry::<Log>(raw),
            Content::WebSocketEvents => intake.entry::<SocketEvent>(raw),
            Content::NetworkBodies => intake.entry::<Request>(raw),
            Content::EnhancedActions => intake.entry::<Action>(raw),
            Content::DomSnapshots => intake.entry::<DomSnapshot>(raw),
            Content::ExtensionLogs => intake.entry::<ExtensionLog>(raw),
            Content::PerformanceSnapshot => intake.entry::<PageLoad>(raw),
            Content::Sync => intake.event(raw),
        })
    }
}

/// An entry without credentials, and its serialized form.
#[derive(Debug)]
pub struct Prepared {
    pub(crate) item: Item,
    pub text: Vec<u8>,
}

impl Prepared {
    /// Whether it belongs into `logs.jsonl`.
    pub fn is_journaled(&self) -> bool {
        match &self.item {
            Item::Log(_) | Item::Network(..) => true,
            Item::WebSocket(event) => !event.entry().is_stats(),
            Item::Action(_) | Item::Dom(_) | Item::Performance(_) | Item::Extension(_) => false,
        }
    }

    pub fn is_network_body(&self) -> bool {
        matches!(self.item, Item::Network(..))
    }
}

/// Which kind it is.
#[derive(Debug)]
pub(crate) enum Item {
    Log(Redacted<Log>),
    WebSocket(Redacted<SocketEvent>),
    Network(Redacted<Request>, Option<Call>),
    Action(Redacted<Action>),
    Dom(Redacted<DomSnapshot>),
    Performance(Redacted<PageLoad>),
    Extension(Redacted<ExtensionLog>),
}

/// A kind of entry: what its unknown fields are listed under, and which item it becomes.
trait Kinded: Sized {
    const PLACE: &'static str;
    fn item(redacted: Redacted<Self>) -> Item;
}

macro_rules! kinds {
    ($($ty:ident => $place:literal, $item:ident;)*) => {
        $(
            impl Kinded for $ty {
                const PLACE: &'static str = $place;

                fn item(redacted: Redacted<Self>) -> Item {
                    Item::$item(redacted)
                }
            }
        )*
    };
}

kinds! {
    Log => "logs", Log;
    SocketEvent => "websocket_events", WebSocket;
    Action => "enhanced_actions", Action;
    DomSnapshot => "dom_snapshots", Dom;
    PageLoad => "performance", Performance;
    ExtensionLog => "extension_logs", Extension;
}

impl Kinded for Request {
    const PLACE: &'static str = "network_bodies";

    fn item(redacted: Redacted<Self>) -> Item {
        let call = Call::of(redacted.entry());
        Item::Network(redacted, call)
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
        let mut named = |path| (self.unknown)(format!("{}.{path}", T::PLACE));
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
        Ok(Prepared { item: T::item(redacted), text })
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
