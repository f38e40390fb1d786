//! The envelopes that entries arrive in.
//!
//! Entries stay raw here: one bad entry must not take the good ones of its batch along.

use std::fmt;

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::limits;

shape! {
    /// Tags that may stand at the top of any batch; an entry's own win.
    pub struct Tags {
        #[serde(alias = "tabId")]
        pub tab_id: i64,
        #[serde(alias = "testId")]
        pub test_id: String,
        #[serde(alias = "pageId")]
        pub page_id: String,
        #[serde(deserialize_with = "text_or_number", default)]
        pub worker: String,
    }
}

/// Some number their tests, pages and workers, others name them. An empty name is none.
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

/// No more of them than are good for memory: a body of the smallest entries there are would take ten times its size.
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
            #[serde(borrow, deserialize_with = "entries")]
            pub $list: Vec<&'a RawValue>,
            #[serde(alias = "tabId")]
            pub tab_id: Option<i64>,
            #[serde(alias = "testId", deserialize_with = "text_or_number", default)]
            pub test_id: Option<String>,
            #[serde(alias = "pageId", deserialize_with = "text_or_number", default)]
            pub page_id: Option<String>,
            #[serde(deserialize_with = "text_or_number", default)]
            pub worker: Option<String>,
            /// The page all entries come from; an entry's own wins.
            pub url: Option<String>,
            /// The sender's name for this batch: sent again after a lost answer, it is not stored twice.
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

/// Any batch, once its own name for the list no longer matters.
#[derive(Debug)]
pub struct Batch<'a> {
    pub entries: Vec<&'a RawValue>,
    pub tags: Tags,
    pub url: Option<String>,
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
