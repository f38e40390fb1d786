//! `POST /source-maps`: what the browser found out about a script that an error points into.

use serde::{Deserialize, Serialize};

shape! {
    pub struct SourceMapUpload {
        /// The script's address, as it stands in stacks.
        pub url: String,
        /// The source map, as text.
        pub map: String,
        /// Where the map came from, if it does not stand in the script itself.
        #[serde(alias = "mapUrl")]
        pub map_url: String,
        /// The script itself, where it has no map and was written as it runs.
        pub script: String,
        /// Why there is neither, for a person to read.
        pub missing: String,
        /// The page load that ran the script, as its entries name it. Whoever waits for the map gets it all the same.
        pub page_id: String,
    }
}

/// The reply to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SourceMapReply {
    pub received: bool,
    /// How many source files the map speaks of.
    pub sources: usize,
}
