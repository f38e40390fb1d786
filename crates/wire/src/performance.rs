//! How fast a page loaded, and what that is compared with.

entry! {
    /// One page load, or one route change of a single-page app.
    pub struct PerformanceSnapshot {
        /// The page's path.
        pub url: String,
        /// A route change inside the page, not a load.
        #[serde(rename = "softNavigation", alias = "soft_navigation")]
        pub soft_navigation: bool,
        pub timing: Timing,
        pub network: NetworkSummary,
        #[serde(rename = "longTasks", alias = "long_tasks")]
        pub long_tasks: LongTasks,
        #[serde(rename = "cumulativeLayoutShift", alias = "cumulative_layout_shift")]
        pub cumulative_layout_shift: f64,
        #[serde(rename = "interactionToNextPaint", alias = "interaction_to_next_paint")]
        pub interaction_to_next_paint: f64,
        /// The page's whole address, where one of the next three needs it.
        #[serde(rename = "pageUrl", alias = "page_url")]
        pub page_url: String,
        /// What an encrypted page loads unencrypted.
        #[serde(rename = "insecureResources", alias = "insecure_resources")]
        pub insecure_resources: Vec<InsecureResource>,
        /// The page's cookies, by name, as far as their flags are known.
        pub cookies: Vec<crate::network::Cookie>,
        /// What the page's own document came with, of the headers that protect one.
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
    pub struct InsecureResource {
        pub url: String,
        /// The element that asks for it: `script`, `img` and the like.
        #[serde(rename = "type")]
        pub kind: String,
    }
}

shape! {
    /// Milliseconds from the start of the navigation.
    pub struct Timing {
        #[serde(rename = "domContentLoaded", alias = "dom_content_loaded")]
        pub dom_content_loaded: f64,
        pub load: f64,
        #[serde(rename = "firstContentfulPaint", alias = "first_contentful_paint")]
        pub first_contentful_paint: f64,
        #[serde(rename = "largestContentfulPaint", alias = "largest_contentful_paint")]
        pub largest_contentful_paint: f64,
        #[serde(rename = "timeToFirstByte", alias = "time_to_first_byte")]
        pub time_to_first_byte: f64,
        #[serde(rename = "domInteractive", alias = "dom_interactive")]
        pub dom_interactive: f64,
    }
}

shape! {
    pub struct NetworkSummary {
        #[serde(rename = "requestCount", alias = "request_count")]
        pub request_count: f64,
        #[serde(rename = "transferSize", alias = "transfer_size")]
        pub transfer_size: f64,
        #[serde(rename = "decodedSize", alias = "decoded_size")]
        pub decoded_size: f64,
        #[serde(rename = "byType", alias = "by_type")]
        pub by_type: ByType,
        #[serde(rename = "slowestRequests", alias = "slowest_requests")]
        pub slowest_requests: Vec<SlowRequest>,
    }
}

shape! {
    pub struct ByType {
        pub script: TypeTotal,
        pub style: TypeTotal,
        pub image: TypeTotal,
        pub font: TypeTotal,
        pub fetch: TypeTotal,
        pub other: TypeTotal,
    }
}

shape! {
    pub struct TypeTotal {
        pub count: f64,
        pub size: f64,
    }
}

shape! {
    pub struct SlowRequest {
        pub url: String,
        pub duration: f64,
        pub size: f64,
    }
}

shape! {
    pub struct LongTasks {
        pub count: f64,
        #[serde(rename = "totalBlockingTime", alias = "total_blocking_time")]
        pub total_blocking_time: f64,
        pub longest: f64,
    }
}

shape! {
    /// What a page's load usually looks like: the average of its first five loads, then a slow-moving one.
    pub struct PerformanceBaseline {
        pub url: String,
        #[serde(rename = "sampleCount", alias = "sample_count")]
        pub sample_count: u32,
        #[serde(rename = "lastUpdated", alias = "last_updated")]
        pub last_updated: crate::Timestamp,
        pub timing: Timing,
        pub network: NetworkSummary,
        #[serde(rename = "longTasks", alias = "long_tasks")]
        pub long_tasks: LongTasks,
        #[serde(rename = "cumulativeLayoutShift", alias = "cumulative_layout_shift")]
        pub cumulative_layout_shift: f64,
        #[serde(rename = "interactionToNextPaint", alias = "interaction_to_next_paint")]
        pub interaction_to_next_paint: f64,
    }
}
