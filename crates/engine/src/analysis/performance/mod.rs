//! How fast a page loads, whether it became slower, and whether it keeps its budgets: as a report for people and as the
//! same facts in JSON.

mod budgets;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;
use wire::Timestamp;
use wire::performance::{ByType, SlowRequest};

use crate::entry::PageLoad;
use crate::store::PageLoads;

use crate::metric::{Metric, Rating, bytes, millis};
pub use budgets::Budgets;

/// A page's latest load, as text for people and as the same facts for programs.
#[derive(Debug)]
pub struct Report {
    /// The report for people.
    pub text: String,
    /// The same facts for programs.
    pub facts: Facts,
}

/// A page's latest load. Times are milliseconds, sizes bytes.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Facts {
    /// Path of the page.
    pub url: String,
    /// Whether the page was loaded, or its address changed without a load.
    pub kind: LoadKind,
    /// When it was measured.
    pub captured_at: Timestamp,
    /// How long ago that is.
    pub age_seconds: Option<i64>,
    /// How good each figure is, as web vitals are rated.
    pub ratings: Option<BTreeMap<Metric, Rating>>,
    /// When the page reached each step of its load.
    pub timing: BTreeMap<Metric, f64>,
    /// What was loaded.
    pub network: Loaded,
    /// What blocked the main thread.
    #[serde(rename = "longTasks")]
    pub long_tasks: MainThread,
    /// How long the page took to respond to the user's slowest interaction.
    #[serde(rename = "interactionToNextPaint")]
    pub interaction_to_next_paint: Option<f64>,
    /// How much the layout shifted unexpectedly.
    #[serde(rename = "cumulativeLayoutShift")]
    pub cumulative_layout_shift: Option<f64>,
    /// Figures that got worse compared with earlier loads.
    pub regressions: Vec<Worse>,
    /// How the page keeps the budgets of `.gasoline.json`.
    pub budgets: Option<Kept>,
    /// Earlier loads, combined.
    pub baseline: BaselineFigures,
    /// Other pages that were measured.
    pub other_pages: Option<Vec<String>>,
}

/// How the page was entered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum LoadKind {
    /// The page was loaded.
    #[default]
    Load,
    /// Its address changed without a load.
    RouteChange,
}

/// What a page loaded.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
pub struct Loaded {
    /// How many requests.
    pub request_count: Option<f64>,
    /// Bytes over the network.
    pub transfer_size: Option<f64>,
    /// Bytes after decompression.
    pub decoded_size: Option<f64>,
    /// The same by type of resource.
    pub by_type: Option<ByType>,
    /// What took longest.
    pub slowest_requests: Option<Vec<SlowRequest>>,
}

/// What blocked the main thread.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
pub struct MainThread {
    /// Tasks of more than 50 ms.
    pub count: Option<f64>,
    /// Their time beyond 50 ms each, added up.
    pub total_blocking_time: Option<f64>,
    /// The longest of them.
    pub longest: Option<f64>,
}

/// A figure that got worse, as answers show it.
#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct Worse {
    /// Which figure.
    pub metric: Metric,
    /// Its value now.
    pub value: f64,
    /// Its value in earlier loads.
    pub was: f64,
    /// The increase in percent.
    pub percent: Option<f64>,
}

/// How a page keeps its budgets.
#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct Kept {
    /// Budgets for figures that this load measured.
    pub checked: usize,
    /// Budgets that it exceeds.
    pub exceeded: Vec<Exceeded>,
    /// Faults of the budgets file.
    pub faults: Option<Vec<String>>,
}

/// A budget that a load exceeds.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct Exceeded {
    /// Which figure.
    pub metric: Metric,
    /// Its value.
    pub value: f64,
    /// Its budget.
    pub budget: f64,
}

/// Earlier loads, combined.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct BaselineFigures {
    /// How many.
    #[serde(rename = "sampleCount")]
    pub sample_count: u32,
    /// Their figures.
    #[serde(flatten)]
    pub figures: BTreeMap<Metric, f64>,
}

/// A figure that got worse.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Regression {
    /// Which figure.
    pub metric: Metric,
    /// Its value in earlier loads.
    pub was: f64,
    /// Its value now.
    pub now: f64,
}

impl Regression {
    /// The increase in percent. `None` where the earlier value was zero.
    fn percent(&self) -> Option<f64> {
        (self.was > 0.0).then(|| ((self.now - self.was) * 100.0 / self.was).round())
    }
}

/// What got worse in a page's latest load, compared with the loads before it.
pub fn regressions(page: &PageLoads) -> Vec<Regression> {
    let Some(baseline) = &page.compared_with else { return Vec::new() };
    let worse = Metric::ALL.into_iter().filter_map(|metric| {
        let (was, now) = (metric.value_in(baseline)?, metric.value_in(&page.latest)?);
        metric.is_regression(was, now).then_some(Regression { metric, was, now })
    });
    worse.collect()
}

/// Reports on a page's latest load. `budgets` is `None` where no budgets were found; `others` are further pages that
/// the caller can ask for.
pub fn report(page: &PageLoads, others: &[String], budgets: Option<&Budgets>, now: Timestamp) -> Report {
    let load = &page.latest;
    let is_route = load.soft_navigation == Some(true);
    let mut report = Report { text: String::new(), facts: Facts::default() };
    report.head(load, is_route, now);
    report.load_timing(load, is_route);
    report.network(load);
    report.main_thread(load);
    report.layout(load);
    report.regressions(page, is_route);
    if let Some(budgets) = budgets {
        report.budgets(load, budgets);
    }
    report.baseline(page, is_route);
    if !others.is_empty() {
        report.line(format_args!("Also measured: {}", others.join(", ")));
        report.facts.other_pages = Some(others.to_vec());
    }
    report
}

impl Report {
    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a `String` cannot fail.
        let _ = writeln!(self.text, "{line}");
    }

    fn section(&mut self, title: &str) {
        self.line(format_args!("\n{title}"));
    }

    /// Writes a line for each figure that is known, and returns the known figures.
    fn figures(&mut self, load: &PageLoad, metrics: &[Metric]) -> BTreeMap<Metric, f64> {
        let mut known = BTreeMap::new();
        for &metric in metrics {
            let Some(value) = metric.value_in(load) else { continue };
            let rating = metric.rating(value);
            let shown = metric.show(value);
            let rated = rating.map(|rating| format!("  ({rating})")).unwrap_or_default();
            self.line(format_args!("  {}: {shown}{rated}", metric.title()));
            known.insert(metric, value);
            if let Some(rating) = rating {
                self.facts.ratings.get_or_insert_default().insert(metric, rating);
            }
        }
        known
    }

    fn head(&mut self, load: &PageLoad, is_route: bool, now: Timestamp) {
        let url = load.url.as_str();
        let kind = if is_route { "single-page route change" } else { "page load" };
        let captured = load.at;
        let age = now.millis().saturating_sub(captured.millis()).max(0) / 1_000;
        self.line(format_args!("Performance of {url} ({kind}, {} ago)", spoken(age)));
        self.facts.url = url.to_owned();
        self.facts.kind = if is_route { LoadKind::RouteChange } else { LoadKind::Load };
        self.facts.captured_at = captured;
        self.facts.age_seconds = Some(age);
    }

    fn load_timing(&mut self, load: &PageLoad, is_route: bool) {
        self.section("Load Timing");
        let timing = self.figures(
            load,
            &[
                Metric::TimeToFirstByte,
                Metric::FirstContentfulPaint,
                Metric::LargestContentfulPaint,
                Metric::DomInteractive,
                Metric::DomContentLoaded,
                Metric::Load,
            ],
        );
        if timing.is_empty() {
            let why = if is_route { "none: the address changed without a load" } else { "none captured" };
            self.line(format_args!("  {why}"));
        }
        self.facts.timing = timing;
    }

    fn network(&mut self, load: &PageLoad) {
        self.section("Network");
        let figures = self.figures(load, &[Metric::RequestCount, Metric::TransferSize, Metric::DecodedSize]);
        if figures.is_empty() {
            self.line(format_args!("  none captured"));
        }
        let summary = load.network.as_ref();
        if let Some(by_type) = summary.and_then(|summary| summary.by_type.as_ref()) {
            let ByType { script, style, image, font, fetch, other } = by_type;
            let types = [
                ("script", script),
                ("style", style),
                ("image", image),
                ("font", font),
                ("fetch", fetch),
                ("other", other),
            ];
            let known: Vec<String> = types
                .into_iter()
                .filter_map(|(name, total)| {
                    let total = total.as_ref()?;
                    let (count, size) = (total.count.filter(|count| *count > 0.0)?, total.size.unwrap_or(0.0));
                    Some(format!("{count} {name} ({})", bytes(size)))
                })
                .collect();
            if !known.is_empty() {
                self.line(format_args!("  By type: {}", known.join(", ")));
            }
            self.facts.network.by_type = Some(by_type.clone());
        }
        if let Some(slowest) =
            summary.and_then(|summary| summary.slowest_requests.as_ref()).filter(|all| !all.is_empty())
        {
            self.line(format_args!("  Slowest:"));
            for request in slowest.iter().take(wire::limits::SLOWEST_REQUESTS) {
                let (duration, size) = (request.duration.unwrap_or(0.0), request.size.unwrap_or(0.0));
                let url = crate::text::shorten(request.url.as_deref().unwrap_or("?"), URL_CHARS);
                self.line(format_args!("    {} {url} ({})", millis(duration), bytes(size)));
            }
            self.facts.network.slowest_requests = Some(slowest.clone());
        }
        let known = |metric: Metric| figures.get(&metric).copied();
        self.facts.network.request_count = known(Metric::RequestCount);
        self.facts.network.transfer_size = known(Metric::TransferSize);
        self.facts.network.decoded_size = known(Metric::DecodedSize);
    }

    fn main_thread(&mut self, load: &PageLoad) {
        self.section("Main Thread");
        let figures = self.figures(load, &[Metric::LongTasks, Metric::TotalBlockingTime]);
        let longest = load.long_tasks.as_ref().and_then(|tasks| tasks.longest);
        if let Some(longest) = longest {
            self.line(format_args!("  Longest task: {}", millis(longest)));
        }
        let responsiveness = self.figures(load, &[Metric::InteractionToNextPaint]);
        if responsiveness.is_empty() {
            self.line(format_args!("  Interaction to next paint: nobody interacted yet"));
        }
        self.facts.long_tasks = MainThread {
            count: figures.get(&Metric::LongTasks).copied(),
            total_blocking_time: figures.get(&Metric::TotalBlockingTime).copied(),
            longest,
        };
        self.facts.interaction_to_next_paint = responsiveness.into_values().next();
    }

    fn layout(&mut self, load: &PageLoad) {
        self.section("Layout Stability");
        let figures = self.figures(load, &[Metric::CumulativeLayoutShift]);
        if figures.is_empty() {
            self.line(format_args!("  none captured"));
        }
        self.facts.cumulative_layout_shift = figures.into_values().next();
    }

    fn regressions(&mut self, page: &PageLoads, is_route: bool) {
        self.section("Regressions");
        let found = regressions(page);
        if page.compared_with.is_none() {
            let next = if is_route { "the next change to this route" } else { "the next load of this page" };
            self.line(format_args!("  no baseline yet: comparing starts with {next}"));
        } else if found.is_empty() {
            self.line(format_args!("  none"));
        }
        for regression in &found {
            let Regression { metric, was, now } = regression;
            let percent = regression.percent().map(|percent| format!(", +{percent}%")).unwrap_or_default();
            self.line(format_args!("  {}: {} (was {}{percent})", metric.title(), metric.show(*now), metric.show(*was)));
        }
        self.facts.regressions = found
            .iter()
            .map(|&Regression { metric, was, now }| {
                let percent = Regression { metric, was, now }.percent();
                Worse { metric, value: now, was, percent }
            })
            .collect();
    }

    fn budgets(&mut self, load: &PageLoad, budgets: &Budgets) {
        self.section("Budgets (.gasoline.json)");
        let wanted = budgets.for_page(&load.url);
        let measured: Vec<(Metric, f64, f64)> =
            wanted.into_iter().filter_map(|(metric, most)| Some((metric, metric.value_in(load)?, most))).collect();
        let exceeded: Vec<&(Metric, f64, f64)> = measured.iter().filter(|(_, value, most)| value > most).collect();
        for (metric, value, most) in &exceeded {
            self.line(format_args!(
                "  over: {} {}, allowed {}",
                metric.title(),
                metric.show(*value),
                metric.show(*most)
            ));
        }
        match (measured.len(), exceeded.len()) {
            (0, _) if budgets.faults.is_empty() => self.line(format_args!("  none for what this page measured")),
            (0, _) => {}
            (all, 0) => self.line(format_args!("  all {all} kept")),
            (all, over) => self.line(format_args!("  {} of {all} kept", all - over)),
        }
        for fault in &budgets.faults {
            self.line(format_args!("  file: {fault}"));
        }
        let exceeded = exceeded.iter().map(|&&(metric, value, budget)| Exceeded { metric, value, budget }).collect();
        let faults = Some(budgets.faults.clone()).filter(|faults| !faults.is_empty());
        self.facts.budgets = Some(Kept { checked: measured.len(), exceeded, faults });
    }

    fn baseline(&mut self, page: &PageLoads, is_route: bool) {
        let what = if is_route { "change to this route" } else { "load of this page" };
        let samples = page.compared_with.as_ref().and_then(|baseline| baseline.sample_count).unwrap_or(0);
        match samples {
            0 => self.line(format_args!("\nBaseline: none, this is the first {what}")),
            1 => self.line(format_args!("\nBaseline: 1 sample, the {what} before this one")),
            more => self.line(format_args!("\nBaseline: {more} samples before this one")),
        }
        let known = page.compared_with.iter();
        let figures = known.flat_map(|known| {
            Metric::ALL.into_iter().filter_map(move |metric| Some((metric, metric.value_in(known)?)))
        });
        self.facts.baseline = BaselineFigures { sample_count: samples, figures: figures.collect() };
    }
}

/// Length of an address in the report; the JSON has the whole address.
const URL_CHARS: usize = 120;

fn spoken(seconds: i64) -> String {
    let of = |count: i64, unit: &str| format!("{count} {unit}{}", if count == 1 { "" } else { "s" });
    match seconds {
        ..60 => of(seconds, "second"),
        60..3_600 => of(seconds / 60, "minute"),
        3_600..86_400 => of(seconds / 3_600, "hour"),
        _ => of(seconds / 86_400, "day"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_written_in_words() {
        for (seconds, expected) in [
            (0, "0 seconds"),
            (1, "1 second"),
            (59, "59 seconds"),
            (60, "1 minute"),
            (3_599, "59 minutes"),
            (3_600, "1 hour"),
            (86_399, "23 hours"),
            (86_400, "1 day"),
            (200_000, "2 days"),
        ] {
            assert_eq!(spoken(seconds), expected);
        }
    }
}
