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
pub(crate) fn entries<'de: 'a, 'a, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<&'a RawValue>, D::Error> {
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
