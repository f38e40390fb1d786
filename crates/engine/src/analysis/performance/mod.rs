//! How fast a page loads, whether it became slower, and whether it keeps to its budgets: as a report for people and as
//! the same facts in JSON.

mod budgets;

use std::fmt::Write as _;

use serde_json::{Map, Value, json};
use wire::Timestamp;
use wire::performance::ByType;

use crate::answer::object;
use crate::entry::PageLoad;
use crate::store::PageLoads;

use crate::metric::{Metric, bytes, millis};
pub use budgets::Budgets;

#[derive(Debug)]
pub struct Report {
    pub text: String,
    pub fields: Map<String, Value>,
}

/// A figure that got worse.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Regression {
    pub metric: Metric,
    pub was: f64,
    pub now: f64,
}

impl Regression {
    /// `None` where there was nothing before: no share of that can be told.
    fn percent(&self) -> Option<f64> {
        (self.was > 0.0).then(|| ((self.now - self.was) * 100.0 / self.was).round())
    }
}

/// What got worse in a page's latest load, compared with the loads before it.
pub fn regressions(page: &PageLoads) -> Vec<Regression> {
    let Some(baseline) = &page.compared_with else { return Vec::new() };
    let worse = Metric::ALL.into_iter().filter_map(|metric| {
        let (was, now) = (metric.of(baseline)?, metric.of(&page.latest)?);
        metric.is_regression(was, now).then_some(Regression { metric, was, now })
    });
    worse.collect()
}

/// `budgets` is `None` where no budgets were found. `others` are further pages that could be asked for.
pub fn report(page: &PageLoads, others: &[String], budgets: Option<&Budgets>, now: Timestamp) -> Report {
    let load = &page.latest;
    let is_route = load.soft_navigation == Some(true);
    let mut report = Report { text: String::new(), fields: Map::new() };
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
        report.put("other_pages", json!(others));
    }
    report
}

impl Report {
    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a text can't fail.
        let _ = writeln!(self.text, "{line}");
    }

    fn section(&mut self, title: &str) {
        self.line(format_args!("\n{title}"));
    }

    fn put(&mut self, name: &str, value: Value) {
        self.fields.insert(name.to_owned(), value);
    }

    /// A line for each figure that is known; returns them as JSON.
    fn figures(&mut self, load: &PageLoad, metrics: &[Metric]) -> Map<String, Value> {
        let mut known = Map::new();
        for metric in metrics {
            let Some(value) = metric.of(load) else { continue };
            let rating = metric.rating(value);
            let shown = metric.show(value);
            let rated = rating.map(|rating| format!("  ({rating})")).unwrap_or_default();
            self.line(format_args!("  {}: {shown}{rated}", metric.title()));
            known.insert(metric.key().to_owned(), json!(value));
            if let Some(rating) = rating {
                let ratings = self.fields.entry("ratings").or_insert_with(|| json!({}));
                if let Value::Object(ratings) = ratings {
                    ratings.insert(metric.key().to_owned(), json!(rating));
                }
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
        self.fields = object([
            ("url", json!(url)),
            ("kind", json!(if is_route { "route_change" } else { "load" })),
            ("captured_at", json!(captured)),
            ("age_seconds", json!(age)),
        ]);
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
        self.put("timing", Value::Object(timing));
    }

    fn network(&mut self, load: &PageLoad) {
        self.section("Network");
        let mut figures = self.figures(load, &[Metric::RequestCount, Metric::TransferSize, Metric::DecodedSize]);
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
            figures.insert("byType".to_owned(), json!(by_type));
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
            figures.insert("slowestRequests".to_owned(), json!(slowest));
        }
        self.put("network", Value::Object(figures));
    }

    fn main_thread(&mut self, load: &PageLoad) {
        self.section("Main Thread");
        let mut figures = self.figures(load, &[Metric::LongTasks, Metric::TotalBlockingTime]);
        if let Some(longest) = load.long_tasks.as_ref().and_then(|tasks| tasks.longest) {
            self.line(format_args!("  Longest task: {}", millis(longest)));
            figures.insert("longest".to_owned(), json!(longest));
        }
        // In a snapshot the number of long tasks stands inside of what is called so.
        if let Some(count) = figures.shift_remove("longTasks") {
            figures.insert("count".to_owned(), count);
        }
        let responsiveness = self.figures(load, &[Metric::InteractionToNextPaint]);
        if responsiveness.is_empty() {
            self.line(format_args!("  Interaction to next paint: nobody interacted yet"));
        }
        self.put("longTasks", Value::Object(figures));
        self.fields.extend(responsiveness);
    }

    fn layout(&mut self, load: &PageLoad) {
        self.section("Layout Stability");
        let figures = self.figures(load, &[Metric::CumulativeLayoutShift]);
        if figures.is_empty() {
            self.line(format_args!("  none captured"));
        }
        self.fields.extend(figures);
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
        let told: Vec<Value> = found
            .iter()
            .map(|regression| {
                Value::Object(object([
                    ("metric", json!(regression.metric.key())),
                    ("value", json!(regression.now)),
                    ("was", json!(regression.was)),
                    ("percent", json!(regression.percent())),
                ]))
            })
            .collect();
        self.put("regressions", json!(told));
    }

    fn budgets(&mut self, load: &PageLoad, budgets: &Budgets) {
        self.section("Budgets (.gasoline.json)");
        let wanted = budgets.of(&load.url);
        let measured: Vec<(Metric, f64, f64)> =
            wanted.into_iter().filter_map(|(metric, most)| Some((metric, metric.of(load)?, most))).collect();
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
        let told: Vec<Value> = exceeded
            .iter()
            .map(|(metric, value, most)| json!({ "metric": metric.key(), "value": value, "budget": most }))
            .collect();
        let mut fields = object([("checked", json!(measured.len())), ("exceeded", json!(told))]);
        if !budgets.faults.is_empty() {
            fields.insert("faults".to_owned(), json!(budgets.faults));
        }
        self.put("budgets", Value::Object(fields));
    }

    fn baseline(&mut self, page: &PageLoads, is_route: bool) {
        let what = if is_route { "change to this route" } else { "load of this page" };
        let samples = page.compared_with.as_ref().and_then(|baseline| baseline.sample_count).unwrap_or(0);
        match samples {
            0 => self.line(format_args!("\nBaseline: none, this is the first {what}")),
            1 => self.line(format_args!("\nBaseline: 1 sample, the {what} before this one")),
            more => self.line(format_args!("\nBaseline: {more} samples before this one")),
        }
        let mut baseline = Map::from_iter([("sampleCount".to_owned(), json!(samples))]);
        if let Some(known) = &page.compared_with {
            let figures =
                Metric::ALL.into_iter().filter_map(|metric| Some((metric.key().to_owned(), json!(metric.of(known)?))));
            baseline.extend(figures);
        }
        self.put("baseline", Value::Object(baseline));
    }
}

/// An address in the report; the whole one is in the JSON.
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
    fn ages_are_spoken() {
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
