//! `POST /source-maps`: what the browser found out about a script that an error points into.

use serde::{Deserialize, Serialize};

shape! {
    /// A source map, the script itself, or the reason why there is neither.
    pub struct SourceMapUpload {
        /// The script's address, as stacks show it.
        pub url: String,
        /// The source map, as text.
        pub map: String,
        /// Where the map came from, unless the script itself contains it.
        #[serde(alias = "mapUrl")]
        pub map_url: String,
        /// The script itself, where it has no map because it runs as it was written.
        pub script: String,
        /// Why there is neither, for a person to read.
        pub missing: String,
        /// The page load that ran the script, as its entries name it. The map serves every entry that waits for it.
        pub page_id: String,
    }
}

/// The reply to `POST /source-maps`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SourceMapReply {
    /// Always true: a refused upload is an HTTP error.
    pub received: bool,
    /// How many source files the map lists.
    pub sources: usize,
}
