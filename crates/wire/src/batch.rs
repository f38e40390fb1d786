//! The envelopes that entries arrive in.
//!
//! Entries stay raw here, so that one bad entry does not cost the good ones of its batch.

use std::fmt;

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::limits;

shape! {
    /// Tags at the top of a batch. They fill what an entry does not carry itself.
    pub struct Tags {
        /// The browser tab's id.
        #[serde(alias = "tabId")]
        pub tab_id: i64,
        /// The id of the test that caused the entries.
        #[serde(alias = "testId")]
        pub test_id: String,
        /// The page load that the entries belong to.
        #[serde(alias = "pageId")]
        pub page_id: String,
        /// The CI worker that sent the batch.
        #[serde(deserialize_with = "text_or_number", default)]
        pub worker: String,
    }
}

/// Reads a tag as text or as a number: some senders number their tests, pages and workers. An empty tag counts as
/// absent.
pub(crate) fn text_or_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected text or a whole number")]
    enum Tag {
        Text(String),
        Number(i64),
    }
    let tag = Option::<Tag>::deserialize(deserializer)?.map(|tag| match tag {
        Tag::Text(text) => text,
        Tag::Number(number) => number.to_string(),
    });
    Ok(tag.filter(|tag| !tag.is_empty()))
}

/// Reads the list of entries up to the limit. Without it, a body full of the smallest possible entries would take ten
/// times its size in memory.
fn entries<'de: 'a, 'a, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<&'a RawValue>, D::Error> {
    struct Entries;

    impl<'de> Visitor<'de> for Entries {
        type Value = Vec<&'de RawValue>;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("a list")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
            let mut entries = Vec::new();
            while let Some(entry) = list.next_element()? {
                if entries.len() == limits::BATCH_ENTRIES {
                    let most = limits::BATCH_ENTRIES;
                    return Err(serde::de::Error::custom(format!("more than {most} entries; send fewer at once")));
                }
                entries.push(entry);
            }
            Ok(entries)
        }
    }

    deserializer.deserialize_seq(Entries)
}

macro_rules! batch {
    ($(#[$meta:meta])* $name:ident, $list:ident) => {
        $(#[$meta])*
        #[derive(Debug, Deserialize)]
        pub struct $name<'a> {
            /// The entries, unparsed.
            #[serde(borrow, deserialize_with = "entries")]
            pub $list: Vec<&'a RawValue>,
            /// The browser tab's id; an entry's own wins.
            #[serde(alias = "tabId")]
            pub tab_id: Option<i64>,
            /// The test that caused the entries; an entry's own wins.
            #[serde(alias = "testId", deserialize_with = "text_or_number", default)]
            pub test_id: Option<String>,
            /// The page load that the entries belong to; an entry's own wins.
            #[serde(alias = "pageId", deserialize_with = "text_or_number", default)]
            pub page_id: Option<String>,
            /// The CI worker that sent the batch; an entry's own wins.
            #[serde(deserialize_with = "text_or_number", default)]
            pub worker: Option<String>,
            /// The address of the page that the entries come from; an entry's own wins.
            pub url: Option<String>,
            /// The sender's name for this batch. A batch that is sent again under the same name is not stored twice.
            #[serde(alias = "batchId")]
            pub batch_id: Option<String>,
            /// When the batch was sent.
            pub timestamp: Option<crate::Timestamp>,
        }

        impl<'a> From<$name<'a>> for Batch<'a> {
            fn from(batch: $name<'a>) -> Self {
                Self {
                    entries: batch.$list,
                    tags: Tags {
                        tab_id: batch.tab_id,
                        test_id: batch.test_id,
                        page_id: batch.page_id,
                        worker: batch.worker,
                    },
                    url: batch.url,
                    batch_id: batch.batch_id,
                }
            }
        }
    };
}

/// A batch of any kind: the lists have different names on the wire, here they have one.
#[derive(Debug)]
pub struct Batch<'a> {
    /// The entries, unparsed.
    pub entries: Vec<&'a RawValue>,
    /// Tags for entries that carry none.
    pub tags: Tags,
    /// The address of the page that the entries come from.
    pub url: Option<String>,
    /// The sender's name for this batch, by which the server recognises it when it is sent again.
    pub batch_id: Option<String>,
}

batch!(
    /// `POST /logs`
    LogBatch,
    entries
);
batch!(
    /// `POST /websocket-events` and `POST /sync`
    EventBatch,
    events
);
batch!(
    /// `POST /network-bodies`
    BodyBatch,
    bodies
);
batch!(
    /// `POST /enhanced-actions`
    ActionBatch,
    actions
);
batch!(
    /// `POST /dom-snapshots`
    SnapshotBatch,
    snapshots
);
batch!(
    /// `POST /extension-logs`
    ExtensionLogBatch,
    logs
);
