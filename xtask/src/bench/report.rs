//! Figures as a table: the promised bounds and the measured values.

use std::fmt::Write as _;

#[derive(Debug, serde::Deserialize)]
pub(super) struct Row {
    pub(super) what: String,
    pub(super) measured: f64,
    /// `None` for a figure that is only for comparison.
    #[serde(default)]
    bound: Option<f64>,
    pub(super) unit: String,
    #[serde(default)]
    pub(super) at_least: bool,
    /// The samples behind the figure.
    #[serde(default)]
    note: Option<String>,
}

impl Row {
    pub(super) fn at_most(what: impl Into<String>, measured: f64, bound: f64, unit: &str) -> Self {
        Self { what: what.into(), measured, bound: Some(bound), unit: unit.to_owned(), at_least: false, note: None }
    }

    pub(super) fn at_least(what: impl Into<String>, measured: f64, bound: f64, unit: &str) -> Self {
        Self { what: what.into(), measured, bound: Some(bound), unit: unit.to_owned(), at_least: true, note: None }
    }

    /// A figure without a bound.
    pub(super) fn for_comparison(what: impl Into<String>, measured: f64, unit: &str) -> Self {
        Self { what: what.into(), measured, bound: None, unit: unit.to_owned(), at_least: false, note: None }
    }

    /// The bound, and whether it holds.
    fn verdict(&self) -> (String, &'static str) {
        let Some(bound) = self.bound else { return ("–".to_owned(), "–") };
        let sign = if self.at_least { "≥" } else { "≤" };
        (format!("{sign} {} {}", number(bound), self.unit), if self.is_broken() { "**no**" } else { "yes" })
    }

    /// Whether it breaks its bound.
    pub(super) fn is_broken(&self) -> bool {
        self.bound.is_some_and(|bound| if self.at_least { self.measured < bound } else { self.measured > bound })
    }
}

pub(super) fn page(
    server: &[Row],
    browser: &[Row],
    args: &super::Args,
    version: &str,
    yardstick_ms: f64,
    compared: Option<&str>,
) -> String {
    let mut page = String::from(
        "# Benchmarks\n\n<!-- Written by `cargo xtask bench`. Do not edit. -->\n\n\
         Measured from outside on the release binary: a real process, real sockets, redaction and `logs.jsonl` on. \
         Times are of one run on a small machine and vary with it; the bounds are the promise.\n\n",
    );
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let reused = if args.reuse_browser_rows { " --reuse-browser-rows" } else { "" };
    let _ = writeln!(page, "- Command: `cargo xtask bench{reused} --soak-seconds {}`", args.soak_seconds);
    let _ =
        writeln!(page, "- Machine: {cores} cores, {}; load generator and server share them", std::env::consts::ARCH);
    let _ = writeln!(page, "- Version: {version}");
    let _ = writeln!(
        page,
        "- Yardstick: {yardstick_ms:.0} ms for a fixed piece of work, to compare machines by; earlier runs are in \
         [benchmarks.json](benchmarks.json)"
    );
    page.push_str("\n## Server\n\n");
    table(&mut page, server);
    page.push_str(
        "\n## Browser\n\nReal Chromium, with and without the extension in the same run, in turns; network bodies are \
         captured. \"Added\" is the difference of the medians: a negative one is the machine's noise.\n\n",
    );
    if args.reuse_browser_rows {
        page.push_str("These are of the run before this one (`--reuse-browser-rows`).\n\n");
    }
    table(&mut page, browser);
    if let Some(compared) = compared {
        let _ = write!(page, "\n## Since the run before\n\n{compared}");
    }
    page
}

fn table(page: &mut String, rows: &[Row]) {
    page.push_str("| what | measured | bound | holds |\n|---|---:|---:|---|\n");
    for row in rows {
        let (bound, holds) = row.verdict();
        let _ = writeln!(
            page,
            "| {}{} | {} {} | {bound} | {holds} |",
            row.what,
            row.note.as_ref().map(|note| format!(" ({note})")).unwrap_or_default(),
            number(row.measured),
            row.unit,
        );
    }
}

pub(super) fn number(value: f64) -> String {
    let digits = match value.abs() {
        1_000.0.. => {
            let whole = format!("{value:.0}");
            let split = whole.len() - 3;
            return format!("{},{}", &whole[..split], &whole[split..]);
        }
        100.0.. => 0,
        10.0.. => 1,
        0.1.. => 2,
        _ => 4,
    };
    format!("{value:.digits$}")
}

/// The value below which this share of the samples lies.
pub(super) fn percentile(samples: &mut [f64], share: f64) -> f64 {
    samples.sort_by(f64::total_cmp);
    let index = ((samples.len() as f64 - 1.0) * share).round() as usize;
    samples[index]
}
