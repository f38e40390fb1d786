//! `POST /screenshots`: a picture of the page.

use serde::{Deserialize, Serialize};

shape! {
    /// A picture, and what it shows.
    pub struct Screenshot {
        /// `data:image/png;base64,…`; also JPEG and WebP.
        #[serde(alias = "dataUrl")]
        pub data_url: String,
        /// The page's address.
        pub url: String,
        /// The id of the log entry that it belongs to, as its sender gave it; the entry may still be on its way.
        #[serde(alias = "errorId")]
        pub error_id: String,
    }
}

/// The reply to `POST /screenshots`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ScreenshotReply {
    pub filename: String,
    pub path: String,
}
