//! Turns the text of a request into entries that may be stored.
//!
//! Every kind takes the same steps: read, inherit the batch's tags, parse, redact, serialize. A bad entry does not affect
//! the good ones of its batch.

use wire::batch::{Batch, Tags};
use wire::sync::{SyncHead, SyncKind};
use wire::{Sent as _, Timestamp, limits};

use crate::contracts::Call;
use crate::entry::{Action, Arrival, DomSnapshot, Log, PageLoad, Parse, Request, SocketEvent};
use crate::redact::{Redacted, Redactor};
use crate::test_runs::OpenTests;
use crate::whole_characters;

/// Reads a batch of a kind, or the single entry of a kind that is sent without a batch.
macro_rules! read_batch {
    (alone, $text:expr, $unknown:expr) => {
        Batch { entries: vec![serde_json::from_str($text)?], tags: Tags::default(), url: None, batch_id: None }
    };
    ($($batch:ident)::+, $text:expr, $unknown:expr) => {
        read::<wire::$($batch)::+<'_>>($text, $unknown)?.into()
    };
}

macro_rules! define_intake {
    ($(
        $(#[$meta:meta])*
        $kind:ident = $name:literal, $entry:ident, $buffer:ident: $room:ident($($size:ident),*), $how:ident $push:ident, $($batch:ident)::+, $path:literal;
    )*) => {
        /// What a request's body holds.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Content {
            $( $(#[$meta])* $kind, )*
            /// Events of any kind.
            Sync,
        }

        impl Content {
            /// All kinds of bodies.
            pub const ALL: [Self; [$($name,)* "sync"].len()] = [$(Self::$kind,)* Self::Sync];

            /// The route that takes it.
            pub const fn path(self) -> &'static str {
                match self {
                    $(Self::$kind => $path,)*
                    Self::Sync => "/sync",
                }
            }

            fn read<'t>(self, text: &'t str, unknown: &mut dyn FnMut(String)) -> serde_json::Result<Batch<'t>> {
                Ok(match self {
                    $(Self::$kind => read_batch!($($batch)::+, text, unknown),)*
                    Self::Sync => read_batch!(websocket::EventBatch, text, unknown),
                })
            }
        }

        /// An entry that may be stored, and which kind it is.
        #[derive(Debug)]
        pub(crate) enum Item {
            $($kind(Redacted<crate::entry::$entry>),)*
        }

        $(
            impl Kinded for crate::entry::$entry {
                const NAME: &'static str = $name;

                fn item(redacted: Redacted<Self>) -> Item {
                    Item::$kind(redacted)
                }
            }
        )*

        impl Intake<'_> {
            fn prepared(&mut self, content: Content, raw: &str) -> Result<Prepared, String> {
                match content {
                    $(Content::$kind => self.entry::<crate::entry::$entry>(raw),)*
                    Content::Sync => self.event(raw),
                }
            }
        }
    };
}

for_each_kind!(define_intake);

/// A kind of entry: the name that its unknown fields are reported under, and the item it becomes.
trait Kinded: Sized {
    const NAME: &'static str;
    fn item(redacted: Redacted<Self>) -> Item;
}

impl Content {
    /// Splits a body into its entries without reading them. Fields that no batch has are passed to `unknown`.
    pub fn split<'t>(self, text: &'t str, unknown: &mut dyn FnMut(String)) -> serde_json::Result<Arrived<'t>> {
        // Serde would also read a struct from a list.
        if !text.trim_start().starts_with('{') {
            return Err(serde::de::Error::custom("expected an object at line 1 column 1"));
        }
        Ok(Arrived { content: self, batch: self.read(text, unknown)? })
    }
}

/// A batch whose entries have not been read yet.
#[derive(Debug)]
pub struct Arrived<'t> {
    content: Content,
    batch: Batch<'t>,
}

impl Arrived<'_> {
    /// How many entries it has.
    pub fn len(&self) -> usize {
        self.batch.entries.len()
    }

    /// Whether it has no entries.
    pub fn is_empty(&self) -> bool {
        self.batch.entries.is_empty()
    }

    /// The sender's name for it.
    pub fn batch_id(&self) -> Option<&str> {
        self.batch.batch_id.as_deref()
    }

    /// The worker or test that sent it, if it names one.
    pub fn sender(&self) -> Option<&str> {
        self.batch.tags.worker.as_deref().or(self.batch.tags.test_id.as_deref())
    }

    /// Prepares one entry after the other for storage, or says why it cannot be stored, so that the caller decides how many
    /// are held at a time. Entries without a test are attributed to one of the `open` tests if only one can be meant.
    /// Unknown fields are passed to `unknown` as `kind.field`.
    pub fn prepare<'a>(
        &'a self,
        redactor: &'a Redactor,
        open: &'a OpenTests,
        arrival: Timestamp,
        unknown: &'a mut dyn FnMut(String),
    ) -> impl Iterator<Item = Result<Prepared, String>> + 'a {
        let mut intake = Intake { batch: &self.batch, redactor, open, arrival, unknown };
        self.batch.entries.iter().map(move |raw| {
            // Unpaired surrogates are replaced before anything reads the entry. A parser would reject it, and text that is
            // only passed on would be rejected by every later reader.
            let whole = whole_characters(raw.get());
            intake.prepared(self.content, whole.as_ref())
        })
    }
}

/// A redacted entry and its JSON text.
#[derive(Debug)]
pub struct Prepared {
    pub(crate) item: Item,
    /// What its endpoint's contract learns from it. It is read here, before the session is locked.
    pub(crate) call: Option<Call>,
    /// Its JSON text.
    pub text: Vec<u8>,
}

impl Prepared {
    /// Whether it is written to `logs.jsonl`.
    pub fn is_journaled(&self) -> bool {
        match &self.item {
            Item::Logs(_) | Item::NetworkBodies(_) => true,
            Item::WebsocketEvents(event) => !event.entry().is_stats(),
            _ => false,
        }
    }

    /// Whether it is a request.
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
    // Not inlined, because both callers would hold a copy for every kind.
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
