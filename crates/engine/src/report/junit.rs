//! The report for dashboards of CI systems: JUnit XML, as Jenkins reads it.
//!
//! Written without a library: the one for it adds attributes that the common schema does not have.

use super::Report;
use super::attempt::{Attempt, Status};

/// Tests are grouped by file.
pub(super) fn write(report: &Report) -> String {
    let mut suites: Vec<(&str, Vec<&Attempt>)> = Vec::new();
    // Of several attempts, the last one counts.
    for attempt in report.tests.iter().filter(|attempt| attempt.is_last) {
        let name = suite_of(attempt);
        match suites.iter_mut().find(|(known, _)| *known == name) {
            Some((_, tests)) => tests.push(attempt),
            None => suites.push((name, vec![attempt])),
        }
    }
    let all: Vec<&Attempt> = suites.iter().flat_map(|(_, tests)| tests.iter().copied()).collect();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    if let Some(note) = &report.note {
        // Two hyphens would end the comment.
        out.push_str(&format!("<!-- {} -->\n", text(note).replace("--", "- -")));
    }
    out.push_str(&format!("<testsuites name=\"gasoline\" {}>\n", counts(&all)));
    for (name, tests) in &suites {
        let skipped = tests.iter().filter(|attempt| attempt.status == Status::Skip).count();
        out.push_str(&format!("  <testsuite name={} {} skipped=\"{skipped}\">\n", attribute(name), counts(tests)));
        tests.iter().for_each(|attempt| case(&mut out, attempt, report));
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

fn suite_of(attempt: &Attempt) -> &str {
    attempt.file.as_deref().unwrap_or("gasoline")
}

fn counts(tests: &[&Attempt]) -> String {
    let of = |status: Status| tests.iter().filter(|attempt| attempt.status == status).count();
    // The sum of an empty list is -0.0.
    let seconds = tests.iter().map(|attempt| seconds(attempt)).fold(0.0, |sum, next| sum + next);
    format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{seconds:.3}\"",
        tests.len(),
        of(Status::Fail),
        of(Status::Error)
    )
}

fn seconds(attempt: &Attempt) -> f64 {
    attempt.duration_ms.filter(|millis| millis.is_finite() && *millis >= 0.0).unwrap_or(0.0) / 1_000.0
}

fn case(out: &mut String, attempt: &Attempt, report: &Report) {
    let (name, class) = (attribute(&attempt.title), attribute(suite_of(attempt)));
    out.push_str(&format!("    <testcase name={name} classname={class} time=\"{:.3}\">\n", seconds(attempt)));
    match attempt.status {
        Status::Pass => {}
        Status::Skip => out.push_str("      <skipped/>\n"),
        Status::Fail | Status::Error => {
            let element = if attempt.status == Status::Fail { "failure" } else { "error" };
            let cause = attempt.cause.as_ref().map(|cause| cause.text.as_str());
            let message = cause.or_else(|| attempt.runner_line()).unwrap_or("failed");
            let kind = attempt.errors.first().map_or("failure", |error| error.kind.as_str());
            let details = text(&super::ai_context::failure(attempt, usize::MAX));
            out.push_str(&format!(
                "      <{element} message={} type={}>{details}</{element}>\n",
                attribute(message),
                attribute(kind)
            ));
        }
    }
    // It passed in the end; why it failed before is worth keeping.
    let failed = report.tests.iter().find(|other| other.is_reported && other.is_same_test(attempt));
    if let Some(failed) = failed.filter(|_| attempt.is_flaky) {
        let details = text(&super::ai_context::failure(failed, usize::MAX));
        out.push_str(&format!("      <system-out>{details}</system-out>\n"));
    }
    out.push_str("    </testcase>\n");
}

fn attribute(value: &str) -> String {
    format!("\"{}\"", text(value).replace('\n', "&#10;"))
}

/// The text, escaped and without characters that XML cannot contain.
fn text(value: &str) -> String {
    let is_allowed =
        |c: char| matches!(c, '\t' | '\n') || (c >= ' ' && c != '\u{7f}' && !matches!(c, '\u{fffe}' | '\u{ffff}'));
    let mut out = String::with_capacity(value.len());
    for c in value.chars().filter(|c| is_allowed(*c)) {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}
