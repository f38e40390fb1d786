//! The figures of a page load: their names, when they are good, and when they got worse.

use schemars::JsonSchema;
use serde::Serialize;
use wire::performance::{LongTasks, NetworkSummary, PerformanceBaseline, Timing};

use crate::entry::PageLoad;

/// A figure of a page load.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
#[allow(missing_docs, reason = "schemars lists the keys of a map by its key type only if the variants have no docs")]
pub enum Metric {
    // Milliseconds to the first byte of the document.
    TimeToFirstByte,
    // Milliseconds to the first painted content.
    FirstContentfulPaint,
    // Milliseconds to the largest painted content.
    LargestContentfulPaint,
    // Milliseconds until the document is interactive.
    DomInteractive,
    // Milliseconds to the `DOMContentLoaded` event.
    DomContentLoaded,
    // Milliseconds to the `load` event.
    Load,
    // How many requests.
    RequestCount,
    // Bytes over the network.
    TransferSize,
    // Bytes after decompression.
    DecodedSize,
    // How many tasks of more than 50 ms.
    LongTasks,
    // Milliseconds of long tasks beyond 50 ms each.
    TotalBlockingTime,
    // Milliseconds of the slowest response to an interaction.
    InteractionToNextPaint,
    // The layout-shift score, without a unit.
    CumulativeLayoutShift,
}

/// How good a figure is, by the thresholds of web vitals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Rating {
    /// As it should be.
    Good,
    /// In between.
    #[serde(rename = "needs improvement")]
    NeedsImprovement,
    /// Users notice.
    Poor,
}

impl std::fmt::Display for Rating {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Good => "good",
            Self::NeedsImprovement => "needs improvement",
            Self::Poor => "poor",
        })
    }
}

/// The source of figures: a load, or a baseline.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Figures<'f> {
    timing: Option<&'f Timing>,
    network: Option<&'f NetworkSummary>,
    long_tasks: Option<&'f LongTasks>,
    cumulative_layout_shift: Option<f64>,
    interaction_to_next_paint: Option<f64>,
}

impl<'f> From<&'f PageLoad> for Figures<'f> {
    fn from(load: &'f PageLoad) -> Self {
        Self {
            timing: load.timing.as_ref(),
            network: load.network.as_ref(),
            long_tasks: load.long_tasks.as_ref(),
            cumulative_layout_shift: load.cumulative_layout_shift,
            interaction_to_next_paint: load.interaction_to_next_paint,
        }
    }
}

impl<'f> From<&'f PerformanceBaseline> for Figures<'f> {
    fn from(baseline: &'f PerformanceBaseline) -> Self {
        Self {
            timing: baseline.timing.as_ref(),
            network: baseline.network.as_ref(),
            long_tasks: baseline.long_tasks.as_ref(),
            cumulative_layout_shift: baseline.cumulative_layout_shift,
            interaction_to_next_paint: baseline.interaction_to_next_paint,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Millis,
    Bytes,
    Count,
    Score,
}

const KB: f64 = 1_024.0;

impl Metric {
    pub(crate) const ALL: [Self; 13] = [
        Self::TimeToFirstByte,
        Self::FirstContentfulPaint,
        Self::LargestContentfulPaint,
        Self::DomInteractive,
        Self::DomContentLoaded,
        Self::Load,
        Self::RequestCount,
        Self::TransferSize,
        Self::DecodedSize,
        Self::LongTasks,
        Self::TotalBlockingTime,
        Self::InteractionToNextPaint,
        Self::CumulativeLayoutShift,
    ];

    /// The figures that are followed from load to load.
    pub(crate) const VITALS: [Self; 6] = [
        Self::LargestContentfulPaint,
        Self::FirstContentfulPaint,
        Self::InteractionToNextPaint,
        Self::CumulativeLayoutShift,
        Self::TimeToFirstByte,
        Self::Load,
    ];

    /// The figure's name in snapshots and budgets.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::TimeToFirstByte => "timeToFirstByte",
            Self::FirstContentfulPaint => "firstContentfulPaint",
            Self::LargestContentfulPaint => "largestContentfulPaint",
            Self::DomInteractive => "domInteractive",
            Self::DomContentLoaded => "domContentLoaded",
            Self::Load => "load",
            Self::RequestCount => "requestCount",
            Self::TransferSize => "transferSize",
            Self::DecodedSize => "decodedSize",
            Self::LongTasks => "longTasks",
            Self::TotalBlockingTime => "totalBlockingTime",
            Self::InteractionToNextPaint => "interactionToNextPaint",
            Self::CumulativeLayoutShift => "cumulativeLayoutShift",
        }
    }

    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::TimeToFirstByte => "Time to first byte",
            Self::FirstContentfulPaint => "First contentful paint",
            Self::LargestContentfulPaint => "Largest contentful paint",
            Self::DomInteractive => "DOM interactive",
            Self::DomContentLoaded => "DOM content loaded",
            Self::Load => "Load",
            Self::RequestCount => "Requests",
            Self::TransferSize => "Transferred",
            Self::DecodedSize => "Decoded",
            Self::LongTasks => "Long tasks",
            Self::TotalBlockingTime => "Total blocking time",
            Self::InteractionToNextPaint => "Interaction to next paint",
            Self::CumulativeLayoutShift => "Cumulative layout shift",
        }
    }

    pub(super) const fn unit(self) -> Unit {
        match self {
            Self::RequestCount | Self::LongTasks => Unit::Count,
            Self::TransferSize | Self::DecodedSize => Unit::Bytes,
            Self::CumulativeLayoutShift => Unit::Score,
            _ => Unit::Millis,
        }
    }

    pub(crate) fn value_in<'f>(self, figures: impl Into<Figures<'f>>) -> Option<f64> {
        let Figures { timing, network, long_tasks, cumulative_layout_shift, interaction_to_next_paint } =
            figures.into();
        match self {
            Self::TimeToFirstByte => timing?.time_to_first_byte,
            Self::FirstContentfulPaint => timing?.first_contentful_paint,
            Self::LargestContentfulPaint => timing?.largest_contentful_paint,
            Self::DomInteractive => timing?.dom_interactive,
            Self::DomContentLoaded => timing?.dom_content_loaded,
            Self::Load => timing?.load,
            Self::RequestCount => network?.request_count,
            Self::TransferSize => network?.transfer_size,
            Self::DecodedSize => network?.decoded_size,
            Self::LongTasks => long_tasks?.count,
            Self::TotalBlockingTime => long_tasks?.total_blocking_time,
            Self::InteractionToNextPaint => interaction_to_next_paint,
            Self::CumulativeLayoutShift => cumulative_layout_shift,
        }
    }

    /// The rating of a web vital: good up to the first threshold, poor above the second.
    pub(super) fn rating(self, value: f64) -> Option<Rating> {
        let (good, poor) = match self {
            Self::TimeToFirstByte => (800.0, 1_800.0),
            Self::FirstContentfulPaint => (1_800.0, 3_000.0),
            Self::LargestContentfulPaint => (2_500.0, 4_000.0),
            Self::InteractionToNextPaint => (200.0, 500.0),
            Self::CumulativeLayoutShift => (0.1, 0.25),
            _ => return None,
        };
        Some(match value {
            value if value <= good => Rating::Good,
            value if value <= poor => Rating::NeedsImprovement,
            _ => Rating::Poor,
        })
    }

    /// Whether a figure is so much worse than usual that it is not chance. The rise must be large both as a share and
    /// absolutely, so that neither small nor large pages fail too easily.
    pub(crate) fn is_regression(self, was: f64, now: f64) -> bool {
        let rise = now - was;
        let is_share = |share: f64| rise > was * share;
        match self {
            Self::Load | Self::FirstContentfulPaint | Self::LargestContentfulPaint => is_share(0.5) && rise > 200.0,
            Self::RequestCount => is_share(0.5) && rise > 5.0,
            Self::TransferSize => is_share(1.0) && rise > 100.0 * KB,
            Self::LongTasks => is_share(1.0),
            Self::TotalBlockingTime => rise > 100.0,
            // Scores have four digits; rounding errors must not decide.
            Self::CumulativeLayoutShift => (rise * 10_000.0).round() > 500.0,
            Self::TimeToFirstByte
            | Self::DomInteractive
            | Self::DomContentLoaded
            | Self::DecodedSize
            | Self::InteractionToNextPaint => false,
        }
    }

    /// A value with its unit, as people write it.
    pub(super) fn show(self, value: f64) -> String {
        match self.unit() {
            Unit::Millis => millis(value),
            Unit::Bytes => bytes(value),
            Unit::Count => short(value, 1),
            Unit::Score => short(value, 3),
        }
    }
}

pub(crate) fn millis(value: f64) -> String {
    if value.round() >= 1_000.0 { format!("{} s", short(value / 1_000.0, 2)) } else { format!("{} ms", value.round()) }
}

pub(super) fn bytes(value: f64) -> String {
    match value {
        value if value >= KB * KB => format!("{} MB", short(value / KB / KB, 1)),
        value if value >= KB => format!("{} KB", short(value / KB, 1)),
        value => format!("{} B", value.round()),
    }
}

/// At most this many digits after the point, without trailing zeros.
fn short(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_regression_needs_every_condition() {
        use Metric::*;
        for (metric, was, now, expected) in [
            // Load and paints: over 50 % and over 200 ms.
            (Load, 1_000.0, 1_501.0, true),
            (Load, 1_000.0, 1_500.0, false),
            (Load, 400.0, 600.0, false),
            (Load, 300.0, 501.0, true),
            (Load, 100.0, 300.0, false),
            (Load, 100.0, 301.0, true),
            (Load, 2_000.0, 2_900.0, false),
            (FirstContentfulPaint, 400.0, 601.0, true),
            (FirstContentfulPaint, 400.0, 600.0, false),
            (LargestContentfulPaint, 1_000.0, 1_501.0, true),
            (LargestContentfulPaint, 1_000.0, 1_499.0, false),
            // Requests: over 50 % and over 5.
            (RequestCount, 10.0, 16.0, true),
            (RequestCount, 10.0, 15.0, false),
            (RequestCount, 2.0, 7.0, false),
            (RequestCount, 2.0, 8.0, true),
            (RequestCount, 100.0, 120.0, false),
            // Transfer: over 100 % and over 100 KB.
            (TransferSize, 200_000.0, 400_000.0, false),
            (TransferSize, 200_000.0, 400_001.0, true),
            (TransferSize, 1_000.0, 103_400.0, false),
            (TransferSize, 1_000.0, 103_401.0, true),
            // Long tasks: any from none, or over 100 %.
            (LongTasks, 0.0, 0.0, false),
            (LongTasks, 0.0, 1.0, true),
            (LongTasks, 2.0, 4.0, false),
            (LongTasks, 2.0, 5.0, true),
            // Blocking time: over 100 ms. Layout shift: over 0.05.
            (TotalBlockingTime, 50.0, 150.0, false),
            (TotalBlockingTime, 50.0, 151.0, true),
            (CumulativeLayoutShift, 0.1, 0.15, false),
            (CumulativeLayoutShift, 0.1, 0.1501, true),
            (CumulativeLayoutShift, 0.0, 0.0499, false),
            // An improvement is never a regression.
            (Load, 5_000.0, 100.0, false),
            // The other figures are shown and not judged.
            (TimeToFirstByte, 10.0, 10_000.0, false),
            (InteractionToNextPaint, 10.0, 10_000.0, false),
        ] {
            assert_eq!(metric.is_regression(was, now), expected, "{metric:?} {was} {now}");
        }
    }

    #[test]
    fn web_vitals_are_rated_at_their_bounds() {
        use Metric::*;
        for (metric, good, fair, poor) in [
            (TimeToFirstByte, 800.0, 1_800.0, 1_801.0),
            (FirstContentfulPaint, 1_800.0, 3_000.0, 3_001.0),
            (LargestContentfulPaint, 2_500.0, 4_000.0, 4_001.0),
            (InteractionToNextPaint, 200.0, 500.0, 501.0),
            (CumulativeLayoutShift, 0.1, 0.25, 0.251),
        ] {
            assert_eq!(metric.rating(good), Some(Rating::Good));
            assert_eq!(metric.rating(good * 1.01), Some(Rating::NeedsImprovement));
            assert_eq!(metric.rating(fair), Some(Rating::NeedsImprovement));
            assert_eq!(metric.rating(poor), Some(Rating::Poor));
        }
        assert_eq!(Load.rating(1.0), None);
    }

    #[test]
    fn values_are_written_with_their_units() {
        use Metric::*;
        for (metric, value, expected) in [
            (Load, 0.4, "0 ms"),
            (Load, 999.4, "999 ms"),
            (Load, 999.6, "1 s"),
            (Load, 2_345.0, "2.35 s"),
            (TransferSize, 1_023.0, "1023 B"),
            (TransferSize, 1_024.0, "1 KB"),
            (TransferSize, 350_000.0, "341.8 KB"),
            (TransferSize, 3_000_000.0, "2.9 MB"),
            (RequestCount, 12.0, "12"),
            (RequestCount, 10.5, "10.5"),
            (LongTasks, 100.0, "100"),
            (CumulativeLayoutShift, 0.0, "0"),
            (CumulativeLayoutShift, 0.1234, "0.123"),
        ] {
            assert_eq!(metric.show(value), expected);
        }
    }
}
