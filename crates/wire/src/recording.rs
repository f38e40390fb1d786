//! `POST /recordings/save`: a video of a tab.

use serde::{Deserialize, Serialize};

shape! {
    /// What a video shows: the part `metadata` beside the part `video`.
    pub struct RecordingMetadata {
        /// Letters, digits, `.`, `_` and `-`; the server makes one up when there is none.
        pub name: String,
        #[serde(alias = "durationSeconds")]
        pub duration_seconds: f64,
        /// `1280x720`
        pub resolution: String,
        #[serde(alias = "frameRate")]
        pub frame_rate: f64,
        #[serde(alias = "mimeType")]
        pub mime_type: String,
        /// The page's address when the recording began.
        pub url: String,
        #[serde(alias = "tabId")]
        pub tab_id: i64,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum RecordingStatus {
    Saved,
}

/// The reply to `POST /recordings/save`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RecordingReply {
    pub status: RecordingStatus,
    /// The name that was asked for, with a number behind it when it was taken.
    pub name: String,
    pub path: String,
    pub metadata_path: String,
    pub size_bytes: u64,
    pub duration_seconds: Option<f64>,
}
