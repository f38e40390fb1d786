//! `POST /recordings/save`: a video of a tab.

use serde::{Deserialize, Serialize};

shape! {
    /// What a video shows: the part `metadata` beside the part `video`.
    pub struct RecordingMetadata {
        /// Letters, digits, `.`, `_` and `-`; the server makes up a name when this is absent.
        pub name: String,
        /// Length of the video in seconds.
        #[serde(alias = "durationSeconds")]
        pub duration_seconds: f64,
        /// Width and height in pixels: `1280x720`.
        pub resolution: String,
        /// Frames a second.
        #[serde(alias = "frameRate")]
        pub frame_rate: f64,
        /// The video's MIME type.
        #[serde(alias = "mimeType")]
        pub mime_type: String,
        /// The page's address when the recording began.
        pub url: String,
        /// The tab that was recorded.
        #[serde(alias = "tabId")]
        pub tab_id: i64,
    }
}

/// What happened to an upload. Failures are HTTP errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum RecordingStatus {
    /// The video is on disk.
    Saved,
}

/// The reply to `POST /recordings/save`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RecordingReply {
    /// Always `saved`.
    pub status: RecordingStatus,
    /// The requested name, with a number appended when it was taken.
    pub name: String,
    /// Path of the video.
    pub path: String,
    /// Path of the JSON file beside it.
    pub metadata_path: String,
    /// Size of the video in bytes.
    pub size_bytes: u64,
    /// Length of the video in seconds, if the sender gave one.
    pub duration_seconds: Option<f64>,
}
