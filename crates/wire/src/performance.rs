//! How fast a page loaded, and the baseline that it is compared with.

entry! {
    /// One page load, or one route change of a single-page app.
    pub struct PerformanceSnapshot {
        /// The page's path.
        pub url: String,
        /// A route change inside the page, not a load.
        #[serde(rename = "softNavigation", alias = "soft_navigation")]
        pub soft_navigation: bool,
        /// When the parts of the load were done.
        pub timing: Timing,
        /// What was requested and transferred.
        pub network: NetworkSummary,
        /// Tasks that blocked the page.
        #[serde(rename = "longTasks", alias = "long_tasks")]
        pub long_tasks: LongTasks,
        /// Cumulative Layout Shift, a score without a unit.
        #[serde(rename = "cumulativeLayoutShift", alias = "cumulative_layout_shift")]
        pub cumulative_layout_shift: f64,
        /// Interaction to Next Paint, in milliseconds. Absent until the user interacts.
        #[serde(rename = "interactionToNextPaint", alias = "interaction_to_next_paint")]
        pub interaction_to_next_paint: f64,
        /// The page's whole address, where one of the next three fields needs it.
        #[serde(rename = "pageUrl", alias = "page_url")]
        pub page_url: String,
        /// Resources that an encrypted page loads unencrypted.
        #[serde(rename = "insecureResources", alias = "insecure_resources")]
        pub insecure_resources: Vec<InsecureResource>,
        /// The page's cookies, by name, as far as their flags are known.
        pub cookies: Vec<crate::network::Cookie>,
        /// Those headers of the page's own document that protect a page.
        #[serde(rename = "documentHeaders", alias = "document_headers")]
        pub document_headers: crate::Headers,
        /// Always `performance` in `/sync`.
        #[serde(rename = "type")]
        pub kind: String,
        /// In `/sync`: one web vital by itself, such as `LCP`.
        pub metric: String,
        /// In `/sync`: that metric's value.
        pub value: f64,
        /// In `/sync`: that metric's unit.
        pub unit: String,
    }
}

shape! {
    /// A resource that an encrypted page loads over plain HTTP.
    pub struct InsecureResource {
        /// The resource's address.
        pub url: String,
        /// The element that requests it: `script`, `img` and the like.
        #[serde(rename = "type")]
        pub kind: String,
    }
}

shape! {
    /// Milliseconds from the start of the navigation.
    pub struct Timing {
        /// The `DOMContentLoaded` event.
        #[serde(rename = "domContentLoaded", alias = "dom_content_loaded")]
        pub dom_content_loaded: f64,
        /// The `load` event.
        pub load: f64,
        /// First Contentful Paint.
        #[serde(rename = "firstContentfulPaint", alias = "first_contentful_paint")]
        pub first_contentful_paint: f64,
        /// Largest Contentful Paint so far.
        #[serde(rename = "largestContentfulPaint", alias = "largest_contentful_paint")]
        pub largest_contentful_paint: f64,
        /// The first byte of the document.
        #[serde(rename = "timeToFirstByte", alias = "time_to_first_byte")]
        pub time_to_first_byte: f64,
        /// The document became interactive.
        #[serde(rename = "domInteractive", alias = "dom_interactive")]
        pub dom_interactive: f64,
    }
}

shape! {
    /// The requests of one load.
    pub struct NetworkSummary {
        /// How many requests.
        #[serde(rename = "requestCount", alias = "request_count")]
        pub request_count: f64,
        /// Transferred bytes.
        #[serde(rename = "transferSize", alias = "transfer_size")]
        pub transfer_size: f64,
        /// Bytes after decompression.
        #[serde(rename = "decodedSize", alias = "decoded_size")]
        pub decoded_size: f64,
        /// The requests by type.
        #[serde(rename = "byType", alias = "by_type")]
        pub by_type: ByType,
        /// The slowest requests, the slowest first.
        #[serde(rename = "slowestRequests", alias = "slowest_requests")]
        pub slowest_requests: Vec<SlowRequest>,
    }
}

shape! {
    /// Count and size of the requests of each type.
    pub struct ByType {
        /// Scripts.
        pub script: TypeTotal,
        /// Style sheets.
        pub style: TypeTotal,
        /// Images.
        pub image: TypeTotal,
        /// Fonts.
        pub font: TypeTotal,
        /// Calls of `fetch` and `XMLHttpRequest`.
        pub fetch: TypeTotal,
        /// Everything else.
        pub other: TypeTotal,
    }
}

shape! {
    /// The requests of one type, added up.
    pub struct TypeTotal {
        /// How many requests.
        pub count: f64,
        /// Transferred bytes.
        pub size: f64,
    }
}

shape! {
    /// One of the slowest requests of a load.
    pub struct SlowRequest {
        /// The request's address.
        pub url: String,
        /// Milliseconds.
        pub duration: f64,
        /// Transferred bytes.
        pub size: f64,
    }
}

shape! {
    /// Tasks of 50 ms and more, which block the page.
    pub struct LongTasks {
        /// How many tasks.
        pub count: f64,
        /// Milliseconds beyond the first 50 of each task, added up.
        #[serde(rename = "totalBlockingTime", alias = "total_blocking_time")]
        pub total_blocking_time: f64,
        /// The longest task, in milliseconds.
        pub longest: f64,
    }
}

shape! {
    /// What a page's load usually looks like: the average of its first five loads, then a moving average.
    pub struct PerformanceBaseline {
        /// The page's path.
        pub url: String,
        /// How many loads it is made from.
        #[serde(rename = "sampleCount", alias = "sample_count")]
        pub sample_count: u32,
        /// When the last of them happened.
        #[serde(rename = "lastUpdated", alias = "last_updated")]
        pub last_updated: crate::Timestamp,
        /// Average times.
        pub timing: Timing,
        /// Average requests and sizes.
        pub network: NetworkSummary,
        /// Average long tasks.
        #[serde(rename = "longTasks", alias = "long_tasks")]
        pub long_tasks: LongTasks,
        /// Average Cumulative Layout Shift.
        #[serde(rename = "cumulativeLayoutShift", alias = "cumulative_layout_shift")]
        pub cumulative_layout_shift: f64,
        /// Average Interaction to Next Paint, in milliseconds.
        #[serde(rename = "interactionToNextPaint", alias = "interaction_to_next_paint")]
        pub interaction_to_next_paint: f64,
    }
}
