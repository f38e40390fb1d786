//! Compares how fast pages loaded before and after.

use std::collections::BTreeMap;

use serde_json::Number;

use super::answer::{FigureChange, LoadSummary, LoadTimes};
use crate::metric::Metric;
use crate::session::Session;
use crate::store::PageLoads;
use crate::text::shorten;
use crate::url::path_of;

const PATH_CHARS: usize = 300;

/// The figures that can get worse, with their names in a comparison.
const FIGURES: [(Metric, &str); 8] = [
    (Metric::Load, "load_time"),
    (Metric::FirstContentfulPaint, "first_contentful_paint"),
    (Metric::LargestContentfulPaint, "largest_contentful_paint"),
    (Metric::RequestCount, "request_count"),
    (Metric::TransferSize, "transfer_size"),
    (Metric::LongTasks, "long_tasks"),
    (Metric::TotalBlockingTime, "total_blocking_time"),
    (Metric::CumulativeLayoutShift, "cumulative_layout_shift"),
];

/// One page's latest load.
#[derive(Debug, Clone, PartialEq)]
pub struct Load {
    pub page: String,
    /// Whether it is a route change. It does less than a load, so the two are not compared.
    is_route_change: bool,
    figures: [Option<f64>; FIGURES.len()],
}

impl Load {
    fn from_page(page: &PageLoads) -> Self {
        Self {
            page: shorten(&page.latest.url, PATH_CHARS),
            is_route_change: page.latest.soft_navigation == Some(true),
            figures: FIGURES.map(|(metric, _)| metric.value_in(&page.latest)),
        }
    }

    fn figure(&self, wanted: Metric) -> Option<f64> {
        let place = FIGURES.iter().position(|(metric, _)| *metric == wanted)?;
        self.figures.get(place).copied().flatten()
    }

    /// `load_time`, `request_count` and `transfer_size`.
    pub(super) fn summary(&self) -> LoadSummary {
        let shown = |metric: Metric| self.figure(metric).and_then(rounded);
        LoadSummary {
            load_time: shown(Metric::Load),
            request_count: shown(Metric::RequestCount),
            transfer_size: shown(Metric::TransferSize),
        }
    }

    fn is_like(&self, other: &Self) -> bool {
        self.page == other.page && self.is_route_change == other.is_route_change
    }
}

/// Page loads, latest first. A load has a path without a host, so a filter is compared by its path if it has one.
pub(super) fn taken(session: &Session, url: Option<&str>, after: u64) -> Vec<Load> {
    let part = url.map(|url| if url.contains("://") { path_of(url) } else { url });
    let is_meant = |page: &&PageLoads| {
        let address = page.latest.url.as_str();
        page.cursor > after && part.is_none_or(|part| address.contains(part))
    };
    session.store.performance.pages().filter(is_meant).map(Load::from_page).collect()
}

/// The latest load of the second side, and a load of the same page on the first.
pub(super) fn pair<'l>(before: &'l [Load], after: &'l [Load]) -> Option<(&'l Load, &'l Load)> {
    after.iter().find_map(|now| Some((before.iter().find(|was| was.is_like(now))?, now)))
}

/// For `verify_fix`: load times alone.
pub(super) fn load_times(before: &[Load], after: &[Load]) -> Option<LoadTimes> {
    let (was, now) = pair(before, after)?;
    let (was, now) = (was.figure(Metric::Load)?, now.figure(Metric::Load)?);
    Some(LoadTimes {
        load_time_before: format!("{}ms", was.round()),
        load_time_after: format!("{}ms", now.round()),
        change: change(was, now),
        regression: Metric::Load.is_regression(was, now).then_some(true),
    })
}

/// For `diff_sessions`: every figure that both sides have, and how many of them got worse.
pub(super) fn figures(before: &[Load], after: &[Load]) -> (BTreeMap<&'static str, FigureChange>, usize) {
    let (mut figures, mut regressions) = (BTreeMap::new(), 0);
    let Some((was, now)) = pair(before, after) else { return (figures, regressions) };
    for (metric, name) in FIGURES {
        let (Some(was), Some(now)) = (was.figure(metric), now.figure(metric)) else { continue };
        let (Some(before), Some(after)) = (rounded(was), rounded(now)) else { continue };
        let regression = metric.is_regression(was, now);
        regressions += usize::from(regression);
        figures.insert(name, FigureChange { before, after, change: change(was, now), regression });
    }
    (figures, regressions)
}

/// Whole numbers without a fraction, scores with three digits.
fn rounded(value: f64) -> Option<Number> {
    if value.abs() >= 10.0 || value.fract() == 0.0 {
        Some(Number::from(value.round() as i64))
    } else {
        Number::from_f64((value * 1_000.0).round() / 1_000.0)
    }
}

/// `+191%`. A change from zero has no percentage.
fn change(was: f64, now: f64) -> Option<String> {
    let percent = (was > 0.0).then(|| ((now - was) * 100.0 / was).round())?;
    Some(if percent == 0.0 { "0%".to_owned() } else { format!("{percent:+}%") })
}

#[cfg(test)]
mod tests {
    use super::change;

    #[test]
    fn changes_have_a_sign_and_zero_has_no_percentage() {
        for (was, now, expected) in [
            (3_200.0, 1_100.0, Some("-66%")),
            (1_100.0, 3_200.0, Some("+191%")),
            (100.0, 100.0, Some("0%")),
            (100.0, 99.9, Some("0%")),
            (0.0, 5.0, None),
        ] {
            assert_eq!(change(was, now).as_deref(), expected);
        }
    }
}
