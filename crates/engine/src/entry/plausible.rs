//! Rejects impossible numbers of a page load. They would spoil the baseline that later loads are compared with.

use wire::limits;
use wire::performance::{ByType, LongTasks, NetworkSummary, SlowRequest, Timing, TypeTotal};

use super::{PageLoad, Refusal};

/// Names the number that is impossible.
pub(crate) fn check(snapshot: &PageLoad) -> Result<(), Refusal> {
    // A new field does not compile until this function decides its range.
    let PageLoad {
        timing,
        network,
        long_tasks,
        cumulative_layout_shift,
        interaction_to_next_paint,
        url: _,
        at: _,
        is_lone_vital: _,
        soft_navigation: _,
        page_url: _,
        insecure_resources: _,
        cookies: _,
        document_headers: _,
        tab_id: _,
        test_id: _,
        page_id: _,
        worker: _,
    } = snapshot;
    if let Some(timing) = timing {
        check_timing(timing)?;
    }
    if let Some(network) = network {
        check_network(network)?;
    }
    if let Some(LongTasks { count, total_blocking_time, longest }) = long_tasks {
        within(*count, limits::LOAD_COUNT, "`longTasks.count` is not a plausible count")?;
        within(*total_blocking_time, MILLIS, "`longTasks.totalBlockingTime` is not a plausible time in milliseconds")?;
        within(*longest, MILLIS, "`longTasks.longest` is not a plausible time in milliseconds")?;
    }
    within(*cumulative_layout_shift, limits::LOAD_LAYOUT_SHIFT, "`cumulativeLayoutShift` is not a plausible score")?;
    within(*interaction_to_next_paint, MILLIS, "`interactionToNextPaint` is not a plausible time in milliseconds")
}

const MILLIS: u64 = limits::LOAD_MILLIS;

fn check_timing(timing: &Timing) -> Result<(), Refusal> {
    let Timing {
        dom_content_loaded,
        load,
        first_contentful_paint,
        largest_contentful_paint,
        time_to_first_byte,
        dom_interactive,
    } = timing;
    for (time, refusal) in [
        (dom_content_loaded, "`timing.domContentLoaded` is not a plausible time in milliseconds"),
        (load, "`timing.load` is not a plausible time in milliseconds"),
        (first_contentful_paint, "`timing.firstContentfulPaint` is not a plausible time in milliseconds"),
        (largest_contentful_paint, "`timing.largestContentfulPaint` is not a plausible time in milliseconds"),
        (time_to_first_byte, "`timing.timeToFirstByte` is not a plausible time in milliseconds"),
        (dom_interactive, "`timing.domInteractive` is not a plausible time in milliseconds"),
    ] {
        within(*time, MILLIS, refusal)?;
    }
    Ok(())
}

fn check_network(network: &NetworkSummary) -> Result<(), Refusal> {
    let NetworkSummary { request_count, transfer_size, decoded_size, by_type, slowest_requests } = network;
    within(*request_count, limits::LOAD_COUNT, "`network.requestCount` is not a plausible count")?;
    within(*transfer_size, limits::LOAD_BYTES, "`network.transferSize` is not a plausible size in bytes")?;
    within(*decoded_size, limits::LOAD_BYTES, "`network.decodedSize` is not a plausible size in bytes")?;
    if let Some(ByType { script, style, image, font, fetch, other }) = by_type {
        for TypeTotal { count, size } in [script, style, image, font, fetch, other].into_iter().flatten() {
            within(*count, limits::LOAD_COUNT, "a count in `network.byType` is not plausible")?;
            within(*size, limits::LOAD_BYTES, "a size in `network.byType` is not a plausible size in bytes")?;
        }
    }
    for SlowRequest { url: _, duration, size } in slowest_requests.iter().flatten() {
        within(*duration, MILLIS, "a duration in `network.slowestRequests` is not a plausible time in milliseconds")?;
        within(*size, limits::LOAD_BYTES, "a size in `network.slowestRequests` is not a plausible size in bytes")?;
    }
    Ok(())
}

fn within(number: Option<f64>, most: u64, refusal: Refusal) -> Result<(), Refusal> {
    // NaN is outside every range.
    let is_plausible = number.is_none_or(|number| (0.0..=most as f64).contains(&number));
    if is_plausible { Ok(()) } else { Err(refusal) }
}
