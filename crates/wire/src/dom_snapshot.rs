//! What a page showed at one time: its headings and marked elements.

entry! {
    /// The headings and marked elements of a page at one time.
    pub struct DomSnapshot {
        /// The page's address.
        pub url: String,
        /// The page's title.
        pub title: String,
        /// The elements, in document order.
        pub elements: Vec<SnapshotElement>,
        /// Always `dom_snapshot` in `/sync`.
        #[serde(rename = "type")]
        pub kind: String,
    }
}

shape! {
    /// A heading, or an element with a test id.
    pub struct SnapshotElement {
        /// The accessible role, such as `heading`.
        pub role: String,
        /// Headings only: their level, from 1 to 6.
        pub level: u8,
        /// At most 100 characters.
        pub text: String,
        /// The value of the element's `data-testid` or a similar attribute.
        #[serde(rename = "testId", alias = "test_id")]
        pub test_id: String,
        /// Whether the user could see it.
        pub visible: bool,
    }
}

batch!(
    /// The body of `POST /dom-snapshots`.
    SnapshotBatch,
    snapshots
);
