//! The two macros that every wire struct is written with.

use crate::Timestamp;

/// What every captured entry may carry, whatever its kind, as its sender wrote it.
pub trait Sent {
    /// When it happened: `ts`, else `timestamp`.
    fn time(&self) -> Option<Timestamp>;
    fn tab_id(&self) -> Option<i64>;
    fn test_id(&self) -> Option<&str>;
    /// The page load it belongs to.
    fn page_id(&self) -> Option<&str>;
    fn worker(&self) -> Option<&str>;
    /// Fills tags the entry does not carry itself from those of its batch.
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
                #[serde(rename = "tabId", alias = "tab_id")]
                pub tab_id: i64,
                #[serde(alias = "testId", deserialize_with = "crate::batch::text_or_number", default)]
                pub test_id: String,
                /// One load of a page; of a frame with a dot and the frame's number after it.
                #[serde(alias = "pageId", deserialize_with = "crate::batch::text_or_number", default)]
                pub page_id: String,
                /// The CI worker that sent it.
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
