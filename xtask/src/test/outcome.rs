//! The results of a test run, whichever program ran the tests.

/// A run fails if more tests than this passed only on the second try.
pub(super) const MOST_FLAKY: usize = 2;

pub(super) struct Suite {
    pub(super) name: String,
    pub(super) tests: Vec<Test>,
    /// Wall time if the suite runs alone; the sum of its tests if suites share workers.
    pub(super) seconds: f64,
}

pub(super) struct Test {
    pub(super) name: String,
    pub(super) result: TestResult,
    /// `None` if the runner does not report it.
    pub(super) seconds: Option<f64>,
    /// Whether the quick command leaves it out.
    pub(super) only_with_all: bool,
}

impl Test {
    pub(super) fn new(name: impl Into<String>, result: TestResult, seconds: Option<f64>) -> Self {
        Self { name: name.into(), result, seconds, only_with_all: false }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum TestResult {
    Passed,
    Failed,
    /// Failed, then passed on the second try.
    Flaky,
    /// Skipped, with the reason.
    Skipped(String),
}

impl Suite {
    /// A suite of one step, such as a linter.
    pub(super) fn of_step(name: &str, seconds: f64, is_ok: bool) -> Self {
        let result = if is_ok { TestResult::Passed } else { TestResult::Failed };
        Self { name: name.to_owned(), tests: vec![Test::new(name, result, Some(seconds))], seconds }
    }

    pub(super) fn count(&self, wanted: impl Fn(&TestResult) -> bool) -> usize {
        self.tests.iter().filter(|test| wanted(&test.result)).count()
    }
}

/// The suites of a run, in the order in which they ended.
#[derive(Default)]
pub(super) struct Report {
    pub(super) suites: Vec<Suite>,
    /// Suites that could not be run at all, with the reason.
    pub(super) broken: Vec<String>,
}

impl Report {
    /// Adds a runner's results. A broken runner is recorded, and the others still run.
    pub(super) fn add(&mut self, name: &str, found: anyhow::Result<Vec<Suite>>) {
        match found {
            Ok(suites) => self.suites.extend(suites),
            Err(error) => {
                eprintln!("\n{name}: {error:#}");
                self.broken.push(format!("{name}: {error:#}"));
            }
        }
    }

    pub(super) fn count(&self, wanted: impl Fn(&TestResult) -> bool) -> usize {
        self.suites.iter().map(|suite| suite.count(&wanted)).sum()
    }

    /// A run in which no test ran proves nothing, so it is not fine either.
    pub(super) fn is_ok(&self) -> bool {
        self.broken.is_empty()
            && self.count(|result| !matches!(result, TestResult::Skipped(_))) > 0
            && self.count(|result| *result == TestResult::Failed) == 0
            && self.count(|result| *result == TestResult::Flaky) <= MOST_FLAKY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(results: &[TestResult]) -> Report {
        let tests = results.iter().map(|result| Test::new("t", result.clone(), None));
        Report { suites: vec![Suite { name: "s".into(), tests: tests.collect(), seconds: 0.0 }], broken: Vec::new() }
    }

    #[test]
    fn two_flaky_tests_pass_and_three_fail_the_run() {
        let flaky = |count| report(&vec![TestResult::Flaky; count]).is_ok();
        assert!(flaky(2));
        assert!(!flaky(3));
    }

    #[test]
    fn a_failed_test_or_a_runner_that_broke_fails_the_run() {
        assert!(report(&[TestResult::Passed, TestResult::Skipped("why".into())]).is_ok());
        assert!(!report(&[TestResult::Passed, TestResult::Failed]).is_ok());
        assert!(!report(&[TestResult::Skipped("why".into())]).is_ok(), "nothing ran");
        let mut broken = report(&[TestResult::Passed]);
        broken.add("browser", Err(anyhow::anyhow!("no Chromium")));
        assert!(!broken.is_ok());
    }
}
