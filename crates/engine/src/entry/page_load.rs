//! Page loads: how fast a page loaded, and facts about its document.

use wire::network::Cookie;
use wire::performance::{InsecureResource, LongTasks, NetworkSummary, PerformanceSnapshot, Timing};
use wire::time::EpochMillis;
use wire::{Headers, Timestamp, limits};

use super::request::scrub_cookies;
use super::{Arrival, Parse, Refusal, page_of, plausible, time_of};
use crate::redact::{Redact, Scrubber};
use crate::url::path_of;

entry! {
    /// One load of a page, or one route change of a single-page app.
    pub struct PageLoad from PerformanceSnapshot {
        /// The page's path.
        url: String,
        #[serde(rename = "timestamp", serialize_with = "as_millis")]
        at: Timestamp,
        /// A single web vital without its load, which was sent before or is still to come.
        #[serde(skip)]
        is_lone_vital: bool,
    } optional {
        #[serde(rename = "softNavigation")]
        soft_navigation: bool,
        timing: Timing,
        network: NetworkSummary,
        #[serde(rename = "longTasks")]
        long_tasks: LongTasks,
        #[serde(rename = "cumulativeLayoutShift")]
        cumulative_layout_shift: f64,
        #[serde(rename = "interactionToNextPaint")]
        interaction_to_next_paint: f64,
        #[serde(rename = "pageUrl")]
        page_url: String,
        #[serde(rename = "insecureResources")]
        insecure_resources: Vec<InsecureResource>,
        cookies: Vec<Cookie>,
        #[serde(rename = "documentHeaders")]
        document_headers: Headers,
    } addresses {
        load => [Some(&load.url), load.page_url.as_deref(), None]
    }
}

pub(super) fn as_millis<S: serde::Serializer>(at: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    serde::Serialize::serialize(&EpochMillis(*at), serializer)
}

impl Parse for PageLoad {
    type Wire = PerformanceSnapshot;

    fn parse(mut wire: PerformanceSnapshot, arrival: Arrival<'_>) -> Result<Self, Refusal> {
        let url = page_of(&mut wire.url, arrival).ok_or("a performance snapshot needs `url`")?;
        if let Some(resources) = &mut wire.insecure_resources {
            resources.truncate(limits::INSECURE_RESOURCES);
        }
        if let Some(cookies) = &mut wire.cookies {
            cookies.truncate(limits::PAGE_COOKIES);
        }
        let metric = wire.metric.take();
        if let Some(metric) = &metric {
            let value = wire.value.take().ok_or("a metric needs `value`")?;
            let timing = wire.timing.get_or_insert_default();
            match metric.as_str() {
                "LCP" => timing.largest_contentful_paint = Some(value),
                "FCP" => timing.first_contentful_paint = Some(value),
                "TTFB" => timing.time_to_first_byte = Some(value),
                "CLS" => wire.cumulative_layout_shift = Some(value),
                "INP" => wire.interaction_to_next_paint = Some(value),
                "DCL" => timing.dom_content_loaded = Some(value),
                "load" | "Load" => timing.load = Some(value),
                _ => return Err("`metric` is one of LCP, FCP, TTFB, CLS, INP, DCL, load"),
            }
        }
        let load = Self::with(path_of(&url).to_owned(), time_of(&wire, arrival), metric.is_some(), wire);
        plausible::check(&load)?;
        Ok(load)
    }
}

impl Redact for PageLoad {
    fn scrub(&mut self, scrubber: &mut Scrubber<'_>) {
        let Self {
            url,
            at: _,
            is_lone_vital: _,
            soft_navigation: _,
            timing: _,
            network,
            long_tasks: _,
            cumulative_layout_shift: _,
            interaction_to_next_paint: _,
            page_url,
            insecure_resources,
            cookies,
            document_headers,
            tab_id: _,
            test_id,
            page_id,
            worker,
        } = self;
        scrubber.text("url", url);
        scrubber.url("pageUrl", page_url);
        for InsecureResource { url, kind } in insecure_resources.iter_mut().flatten() {
            scrubber.url("insecureResources", url);
            scrubber.opt_text("insecureResources", kind);
        }
        scrub_cookies(cookies, scrubber);
        scrubber.headers("documentHeaders", document_headers);
        for (field, text) in [("test_id", test_id), ("page_id", page_id), ("worker", worker)] {
            scrubber.opt_text(field, text);
        }
        // The other fields are numbers.
        for slow in network.iter_mut().flat_map(|network| network.slowest_requests.iter_mut().flatten()) {
            scrubber.url("slowestRequests", &mut slow.url);
        }
    }
}
