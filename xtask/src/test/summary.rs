//! The end of a test run: the table of suites, then what was skipped, flaky or failed, then the slowest tests.

use std::fmt::Write as _;

use super::outcome::{MOST_FLAKY, Report, TestResult};

const SLOWEST: usize = 10;

pub(super) fn text(report: &Report, seconds: f64) -> String {
    let mut text = String::from("\n");
    table(&mut text, report);
    added(&mut text, report);
    skipped(&mut text, report);
    list(&mut text, report, "Flaky: failed, then passed on the second try", &TestResult::Flaky);
    list(&mut text, report, "Failed", &TestResult::Failed);
    if !report.broken.is_empty() {
        let _ = writeln!(text, "\nNot run to the end");
        for reason in &report.broken {
            let _ = writeln!(text, "  {reason}");
        }
    }
    slowest(&mut text, report);
    let flaky = report.count(|result| *result == TestResult::Flaky);
    if flaky > MOST_FLAKY {
        let _ = writeln!(text, "\n{flaky} flaky tests; more than {MOST_FLAKY} fail the run.");
    }
    let passed = report.count(|result| *result == TestResult::Passed) + flaky;
    let failed = report.count(|result| *result == TestResult::Failed) + report.broken.len();
    let skipped = report.count(|result| matches!(result, TestResult::Skipped(_)));
    let _ = writeln!(text, "\nIn {} min {:02} s:", seconds as u64 / 60, seconds as u64 % 60);
    let _ = writeln!(text, "{passed} passed, {failed} failed, {skipped} skipped");
    text
}

fn table(text: &mut String, report: &Report) {
    let width = report.suites.iter().map(|suite| suite.name.chars().count()).max().unwrap_or(0).max(5);
    let _ = writeln!(text, "{:<width$}  passed  failed  flaky  skipped  seconds", "suite");
    for suite in &report.suites {
        let _ = writeln!(
            text,
            "{:<width$}  {:>6}  {:>6}  {:>5}  {:>7}  {:>7.1}",
            suite.name,
            suite.count(|result| *result == TestResult::Passed),
            suite.count(|result| *result == TestResult::Failed),
            suite.count(|result| *result == TestResult::Flaky),
            suite.count(|result| matches!(result, TestResult::Skipped(_))),
            suite.seconds,
        );
    }
}

/// The tests that `--all` ran in addition to those of the quick command.
fn added(text: &mut String, report: &Report) {
    let tests = report.suites.iter().flat_map(|suite| suite.tests.iter().map(move |test| (suite, test)));
    let mut names = tests
        .filter(|(_, test)| test.only_with_all && !matches!(test.result, TestResult::Skipped(_)))
        .map(|(suite, test)| format!("  {} › {}", suite.name, test.name))
        .peekable();
    if names.peek().is_some() {
        let _ = writeln!(text, "\nAdded by --all");
    }
    for name in names {
        let _ = writeln!(text, "{name}");
    }
}

/// Tests that were skipped for the same reason share a line.
fn skipped(text: &mut String, report: &Report) {
    let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
    for suite in &report.suites {
        for test in &suite.tests {
            let TestResult::Skipped(reason) = &test.result else { continue };
            let name = format!("{} › {}", suite.name, test.name);
            match reasons.iter_mut().find(|(known, _)| known == reason) {
                Some((_, names)) => names.push(name),
                None => reasons.push((reason, vec![name])),
            }
        }
    }
    if !reasons.is_empty() {
        let _ = writeln!(text, "\nSkipped");
    }
    for (reason, names) in reasons {
        let _ = writeln!(text, "  {reason}");
        for name in names {
            let _ = writeln!(text, "    {name}");
        }
    }
}

fn list(text: &mut String, report: &Report, title: &str, wanted: &TestResult) {
    let mut is_first = true;
    for suite in &report.suites {
        for test in suite.tests.iter().filter(|test| test.result == *wanted) {
            if std::mem::take(&mut is_first) {
                let _ = writeln!(text, "\n{title}");
            }
            let _ = writeln!(text, "  {} › {}", suite.name, test.name);
        }
    }
}

fn slowest(text: &mut String, report: &Report) {
    let mut tests: Vec<(f64, &str, &str)> = report
        .suites
        .iter()
        .flat_map(|suite| suite.tests.iter().map(move |test| (suite, test)))
        .filter_map(|(suite, test)| Some((test.seconds?, suite.name.as_str(), test.name.as_str())))
        .collect();
    tests.sort_by(|one, two| two.0.total_cmp(&one.0));
    let _ = writeln!(text, "\nThe {} slowest tests", SLOWEST.min(tests.len()));
    for (seconds, suite, test) in tests.into_iter().take(SLOWEST) {
        let _ = writeln!(text, "{seconds:>7.1} s  {suite} › {test}");
    }
}

#[cfg(test)]
mod tests {
    use super::super::outcome::{Suite, Test};
    use super::*;

    #[test]
    fn the_summary_names_every_test_that_did_not_simply_pass_and_ends_with_the_counts() {
        let test = |name: &str, result, seconds| Test::new(name, result, Some(seconds));
        let long = Test { only_with_all: true, ..test("idles", TestResult::Passed, 1.0) };
        let tests = vec![
            test("works", TestResult::Passed, 0.5),
            test("wobbles", TestResult::Flaky, 9.0),
            test("breaks", TestResult::Failed, 2.0),
            test("waits", TestResult::Skipped("takes five minutes".to_owned()), 0.0),
            long,
        ];
        let mut report = Report::default();
        report.add("Rust", Ok(vec![Suite { name: "engine".to_owned(), tests, seconds: 11.5 }]));
        report.add("browser", Err(anyhow::anyhow!("no Chromium")));
        let text = text(&report, 61.0);
        assert!(text.contains("engine       2       1      1        1     11.5"), "{text}");
        assert!(text.contains("Added by --all\n  engine › idles\n"), "{text}");
        assert!(text.contains("second try\n  engine › wobbles\n"), "{text}");
        assert!(text.contains("Failed\n  engine › breaks\n"), "{text}");
        assert!(text.contains("Skipped\n  takes five minutes\n    engine › waits\n"), "{text}");
        assert!(text.contains("Not run to the end\n  browser: no Chromium\n"), "{text}");
        assert!(text.contains("slowest tests\n    9.0 s  engine › wobbles\n    2.0 s  engine › breaks\n"), "{text}");
        assert!(text.ends_with("In 1 min 01 s:\n3 passed, 2 failed, 1 skipped\n"), "{text}");
    }
}
