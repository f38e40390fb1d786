//! TypeScript's unit tests, and those of the npm packages. Vitest runs them.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;

use super::outcome::{Suite, Test, TestResult};
use crate::shell::{root, show_aside};

const REPORT: &str = "target/test-results/unit.json";

/// `files`: the test files to run, as Vitest's arguments; empty for all.
pub(super) fn run(files: &[String]) -> Result<Vec<Suite>> {
    let report = root().join(REPORT);
    let _ = std::fs::remove_file(&report);
    let mut args = vec!["vitest", "run", "--reporter=default", "--reporter=json", "--outputFile.json", REPORT];
    args.extend(files.iter().map(String::as_str));
    let status = show_aside(".", "npx", &args)?.status;
    let Ok(text) = std::fs::read_to_string(&report) else {
        bail!("Vitest ended without a report: {status}");
    };
    let read: Run = serde_json::from_str(&text).context("cannot read Vitest's report")?;
    let suites = suites_of(&read, &root());
    if !status.success() && suites.iter().all(|suite| suite.count(|result| *result == TestResult::Failed) == 0) {
        bail!("Vitest ended with {status}, and no test failed");
    }
    Ok(suites)
}

/// Vitest's JSON report, as far as we read it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    test_results: Vec<File>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct File {
    name: String,
    status: String,
    #[serde(default)]
    message: String,
    start_time: f64,
    end_time: f64,
    assertion_results: Vec<Assertion>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Assertion {
    full_name: String,
    status: String,
    duration: Option<f64>,
}

fn suites_of(run: &Run, root: &Path) -> Vec<Suite> {
    let mut suites: Vec<Suite> = Vec::new();
    for file in &run.test_results {
        let path = Path::new(&file.name);
        let path = path.strip_prefix(root).unwrap_or(path);
        // `browser/capture/test/x.test.ts` is the package `capture`.
        let package = path.components().map(|part| part.as_os_str().to_string_lossy()).find(|part| part != "browser");
        let name = format!("unit {}", package.unwrap_or_default());
        let test_file = path.file_name().map(|name| name.to_string_lossy().replace(".test.ts", "")).unwrap_or_default();
        let mut tests: Vec<Test> = file.assertion_results.iter().map(|assertion| test(&test_file, assertion)).collect();
        if file.status == "failed" && tests.iter().all(|test| test.result != TestResult::Failed) {
            let name = format!("{test_file}: {}", file.message.lines().next().unwrap_or_default());
            tests.push(Test::new(name, TestResult::Failed, None));
        }
        let seconds = (file.end_time - file.start_time) / 1_000.0;
        match suites.iter_mut().find(|suite| suite.name == name) {
            Some(suite) => {
                suite.tests.extend(tests);
                suite.seconds += seconds;
            }
            None => suites.push(Suite { name, tests, seconds }),
        }
    }
    suites.sort_by(|one, two| one.name.cmp(&two.name));
    suites
}

fn test(file: &str, assertion: &Assertion) -> Test {
    let result = match assertion.status.as_str() {
        "passed" => TestResult::Passed,
        "failed" => TestResult::Failed,
        other => TestResult::Skipped(other.to_owned()),
    };
    let seconds = assertion.duration.map(|millis| millis / 1_000.0);
    Test::new(format!("{file} › {}", assertion.full_name), result, seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vitests_report_is_read() {
        let report = serde_json::json!({ "testResults": [
            { "name": "/r/browser/capture/test/url.test.ts", "status": "failed", "message": "", "startTime": 0, "endTime": 500,
              "assertionResults": [
                { "fullName": "a works", "status": "passed", "duration": 20 },
                { "fullName": "b breaks", "status": "failed", "duration": 30 },
              ] },
            { "name": "/r/browser/capture/test/broken.test.ts", "status": "failed", "message": "SyntaxError: x\nat y",
              "startTime": 0, "endTime": 500, "assertionResults": [] },
        ] });
        let suites = suites_of(&serde_json::from_value(report).unwrap(), Path::new("/r"));
        let [suite] = suites.as_slice() else { panic!("one package, one suite") };
        assert_eq!((suite.name.as_str(), suite.seconds), ("unit capture", 1.0));
        let found: Vec<_> = suite.tests.iter().map(|test| (test.name.as_str(), test.result.clone())).collect();
        assert_eq!(
            found,
            [
                ("url › a works", TestResult::Passed),
                ("url › b breaks", TestResult::Failed),
                ("broken: SyntaxError: x", TestResult::Failed),
            ]
        );
    }
}
