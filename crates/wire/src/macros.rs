//! The macros that wire structs and batches are written with.

use crate::Timestamp;

/// The time and the tags that an entry of any kind may carry, as its sender wrote them.
pub trait Sent {
    /// When it happened: `ts`, else `timestamp`.
    fn time(&self) -> Option<Timestamp>;
    /// The browser tab's id.
    fn tab_id(&self) -> Option<i64>;
    /// The test that caused the entry.
    fn test_id(&self) -> Option<&str>;
    /// The page load that the entry belongs to.
    fn page_id(&self) -> Option<&str>;
    /// The CI worker that sent the entry.
    fn worker(&self) -> Option<&str>;
    /// Copies tags from the batch where the entry has none.
    fn inherit(&mut self, tags: &crate::batch::Tags);
}

/// A struct whose fields are all optional on the wire: absent and `null` mean the same, and absent stays absent.
macro_rules! shape {
    (
        $(#[$meta:meta])*
        pub struct $name:ident { $( $(#[$field_meta:meta])* pub $field:ident : $ty:ty, )* }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        #[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields = nullable))]
        pub struct $name {
            $(
                $(#[$field_meta])*
                #[serde(skip_serializing_if = "Option::is_none")]
                pub $field: Option<$ty>,
            )*
        }
    };
}

/// A [`shape!`] with the time and the tags that every captured entry has.
macro_rules! entry {
    (
        $(#[$meta:meta])*
        pub struct $name:ident { $( $(#[$field_meta:meta])* pub $field:ident : $ty:ty, )* }
    ) => {
        shape! {
            $(#[$meta])*
            pub struct $name {
                /// When it happened, by the page's clock.
                pub ts: crate::Timestamp,
                /// Another name of `ts` on input.
                pub timestamp: crate::time::EpochMillis,
                $( $(#[$field_meta])* pub $field : $ty, )*
                /// The browser tab's id.
                #[serde(rename = "tabId", alias = "tab_id")]
                pub tab_id: i64,
                /// The test that caused the entry; absent outside of test runs.
                #[serde(alias = "testId", deserialize_with = "crate::batch::text_or_number", default)]
                pub test_id: String,
                /// The page load that the entry belongs to. For a frame, a dot and the frame's number follow.
                #[serde(alias = "pageId", deserialize_with = "crate::batch::text_or_number", default)]
                pub page_id: String,
                /// The CI worker that sent the entry.
                #[serde(deserialize_with = "crate::batch::text_or_number", default)]
                pub worker: String,
            }
        }

        impl crate::Sent for $name {
            fn time(&self) -> Option<crate::Timestamp> {
                self.ts.or(self.timestamp.map(|at| at.0))
            }

            fn tab_id(&self) -> Option<i64> {
                self.tab_id
            }

            fn test_id(&self) -> Option<&str> {
                self.test_id.as_deref()
            }

            fn page_id(&self) -> Option<&str> {
                self.page_id.as_deref()
            }

            fn worker(&self) -> Option<&str> {
                self.worker.as_deref()
            }

            fn inherit(&mut self, tags: &crate::batch::Tags) {
                if self.tab_id.is_none() {
                    self.tab_id = tags.tab_id;
                }
                for (own, batch) in [
                    (&mut self.test_id, &tags.test_id),
                    (&mut self.page_id, &tags.page_id),
                    (&mut self.worker, &tags.worker),
                ] {
                    if own.is_none() && batch.is_some() {
                        own.clone_from(batch);
                    }
                }
            }
        }
    };
}

/// A batch of one kind of entry, whose list has a name of its own.
macro_rules! batch {
    ($(#[$meta:meta])* $name:ident, $list:ident) => {
        $(#[$meta])*
        #[derive(Debug, serde::Deserialize)]
        pub struct $name<'a> {
            /// The entries, unparsed.
            #[serde(borrow, deserialize_with = "crate::batch::entries")]
            pub $list: Vec<&'a serde_json::value::RawValue>,
            /// The browser tab's id; an entry's own wins.
            #[serde(alias = "tabId")]
            pub tab_id: Option<i64>,
            /// The test that caused the entries; an entry's own wins.
            #[serde(alias = "testId", deserialize_with = "crate::batch::text_or_number", default)]
            pub test_id: Option<String>,
            /// The page load that the entries belong to; an entry's own wins.
            #[serde(alias = "pageId", deserialize_with = "crate::batch::text_or_number", default)]
            pub page_id: Option<String>,
            /// The CI worker that sent the batch; an entry's own wins.
            #[serde(deserialize_with = "crate::batch::text_or_number", default)]
            pub worker: Option<String>,
            /// The address of the page that the entries come from; an entry's own wins.
            pub url: Option<String>,
            /// The sender's name for this batch. A batch that is sent again under the same name is not stored twice.
            #[serde(alias = "batchId")]
            pub batch_id: Option<String>,
            /// When the batch was sent.
            pub timestamp: Option<crate::Timestamp>,
        }

        impl<'a> From<$name<'a>> for crate::batch::Batch<'a> {
            fn from(batch: $name<'a>) -> Self {
                Self {
                    entries: batch.$list,
                    tags: crate::batch::Tags {
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
