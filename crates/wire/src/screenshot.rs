//! `POST /screenshots`: a screenshot of the page.

use serde::{Deserialize, Serialize};

shape! {
    /// A screenshot and what it belongs to.
    pub struct Screenshot {
        /// `data:image/png;base64,…`; also JPEG and WebP.
        #[serde(alias = "dataUrl")]
        pub data_url: String,
        /// The page's address.
        pub url: String,
        /// The sender's id of the log entry that it belongs to. The entry may still be on its way.
        #[serde(alias = "errorId")]
        pub error_id: String,
    }
}

/// The reply to `POST /screenshots`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ScreenshotReply {
    /// Name of the file below the screenshot folder.
    pub filename: String,
    /// Path of the file.
    pub path: String,
}
