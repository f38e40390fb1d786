//! What a page showed at a moment: its headings and marked elements.

entry! {
    pub struct DomSnapshot {
        pub url: String,
        pub title: String,
        pub elements: Vec<SnapshotElement>,
        /// Always `dom_snapshot` in `/sync`.
        #[serde(rename = "type")]
        pub kind: String,
    }
}

shape! {
    pub struct SnapshotElement {
        pub role: String,
        pub level: u8,
        /// At most 100 characters.
        pub text: String,
        #[serde(rename = "testId", alias = "test_id")]
        pub test_id: String,
        pub visible: bool,
    }
}
