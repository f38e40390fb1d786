//! The report for the summary page of a CI job.

use super::attempt::Attempt;
use super::plain::one_line;
use super::{Report, text};
use crate::text::shorten;

const CELL_CHARS: usize = 240;
/// A job's summary has room for a megabyte, which nobody reads.
const FAILURES: usize = 50;

pub(super) fn write(report: &Report) -> String {
    let mut out = vec![
        "## Gasoline: what the browser saw".to_owned(),
        String::new(),
        report.note.clone().map_or_else(|| text::headline(&report.summary), |note| cell(&note)),
    ];
    if !report.causes.is_empty() {
        out.extend([String::new(), "| Cause | Confidence | Tests |".to_owned(), "|---|---|---|".to_owned()]);
        for group in &report.causes {
            let tests: Vec<String> = group.tests.iter().map(|test| cell(test)).collect();
            out.push(format!("| {} | {} | {} |", cell(&group.cause), group.confidence, tests.join("<br>")));
        }
    }
    let failures: Vec<&Attempt> = report.failures().collect();
    for attempt in failures.iter().take(FAILURES) {
        let mark = if attempt.is_flaky { "⚠️ flaky: " } else { "❌ " };
        out.push(String::new());
        out.push(format!(
            "<details><summary>{mark}{}</summary>",
            html(&shorten(&one_line(&attempt.title), CELL_CHARS))
        ));
        out.push(String::new());
        out.extend(fenced(super::ai_context::failure(attempt, usize::MAX)));
        out.extend([String::new(), "</details>".to_owned()]);
    }
    if failures.len() > FAILURES {
        out.extend([String::new(), format!("… and {} more.", failures.len() - FAILURES)]);
    }
    for attempt in report.warned().take(FAILURES) {
        out.push(String::new());
        out.extend(fenced(super::ai_context::warned(attempt, usize::MAX)));
    }
    out.join("\n") + "\n"
}

/// Fences the text, so that nothing in captured text becomes markup of the summary.
fn fenced(text: String) -> [String; 3] {
    let fence = "`".repeat(longest_fence(&text).max(2) + 1);
    [format!("{fence}text"), text, fence]
}

fn longest_fence(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

fn cell(text: &str) -> String {
    let escaped = html(&shorten(&one_line(text), CELL_CHARS));
    // Markdown's special characters, and those that would end a cell.
    escaped
        .chars()
        .flat_map(|c| match c {
            '|' | '`' | '*' | '_' | '[' | ']' | '\\' | '~' | '@' => vec!['\\', c],
            c => vec![c],
        })
        .collect()
}

fn html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
