//! The browser suites: Chromium with the extension, the binary, an MCP client. Playwright runs them.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;

use super::outcome::{Suite, Test, TestResult};
use crate::shell::{announce, command, not_started, root};

const FOLDER: &str = "browser/e2e";
const REPORT: &str = "target/test-results/browser.json";

/// Endings of test files that the quick command leaves out, with the reason.
pub(super) const LEFT_OUT: [(&str, &str); 2] = [
    (".slow.test.ts", "only with --all: takes minutes"),
    (".timed.test.ts", "only with --all: asserts how fast this machine is"),
];

pub(super) struct Options {
    pub(super) all: bool,
    pub(super) retry: bool,
}

/// `files`: the test files to run, as Playwright's arguments; empty for all.
pub(super) fn run(files: &[String], options: &Options) -> Result<Vec<Suite>> {
    let mut suites = Vec::new();
    if !files.is_empty() {
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        playwright(&files, options.retry, &mut suites)?;
    } else {
        let slow: &[&str] = if options.all { &["--project", "slow"] } else { &[] };
        playwright(&[slow, &["--project", "quick"]].concat(), options.retry, &mut suites)?;
        if options.all {
            // Tests that assert speed run alone, even if other tests failed.
            playwright(&["--project", "timed", "--workers", "1"], options.retry, &mut suites)?;
        } else {
            for (file, reason) in left_out(&root().join(FOLDER).join("suites"))? {
                add(&mut suites, &file, Test::new(test_file(&file), TestResult::Skipped(reason), None));
            }
        }
    }
    suites.sort_by(|one, two| one.name.cmp(&two.name));
    Ok(suites)
}

/// One run of Playwright's runner.
fn playwright(args: &[&str], retry: bool, suites: &mut Vec<Suite>) -> Result<()> {
    let report = root().join(REPORT);
    let _ = std::fs::remove_file(&report);
    let retries = if retry { "1" } else { "0" };
    let args = [&["playwright", "test", "--reporter", "list,json", "--retries", retries], args].concat();
    announce(&format!("npx {} (in {FOLDER})", args.join(" ")));
    let status = command(FOLDER, "npx", &args)
        .env("PLAYWRIGHT_JSON_OUTPUT_NAME", &report)
        .status()
        .with_context(|| not_started("npx"))?;
    let Ok(text) = std::fs::read_to_string(&report) else {
        bail!("Playwright ended without a report: {status}");
    };
    let read: Run = serde_json::from_str(&text).context("cannot read Playwright's report")?;
    read_suites(&read, suites);
    let failed = suites.iter().any(|suite| suite.count(|result| *result == TestResult::Failed) > 0);
    // An error outside of any test, such as a file that does not compile.
    let errors = read.errors.iter().map(|error| error.message.lines().next().unwrap_or_default().to_owned());
    let unexplained = (!status.success() && !failed && read.errors.is_empty()).then(|| format!("ended with {status}"));
    for problem in errors.chain(unexplained) {
        add(suites, "suites/runner/", Test::new(problem, TestResult::Failed, None));
    }
    Ok(())
}

/// Playwright's JSON report, as far as we read it.
#[derive(Deserialize)]
struct Run {
    suites: Vec<Group>,
    #[serde(default)]
    errors: Vec<RunError>,
}

#[derive(Deserialize)]
struct RunError {
    message: String,
}

#[derive(Deserialize)]
struct Group {
    title: String,
    file: String,
    #[serde(default)]
    suites: Vec<Group>,
    #[serde(default)]
    specs: Vec<Spec>,
}

#[derive(Deserialize)]
struct Spec {
    title: String,
    tests: Vec<SpecTest>,
}

#[derive(Deserialize)]
struct SpecTest {
    status: String,
    annotations: Vec<Annotation>,
    results: Vec<Attempt>,
}

#[derive(Deserialize)]
struct Annotation {
    #[serde(rename = "type")]
    kind: String,
    description: Option<String>,
}

#[derive(Deserialize)]
struct Attempt {
    duration: f64,
}

fn read_suites(run: &Run, suites: &mut Vec<Suite>) {
    for file in &run.suites {
        visit(file, &test_file(&file.file), suites);
    }
}

fn visit(group: &Group, path: &str, suites: &mut Vec<Suite>) {
    for spec in &group.specs {
        for test in &spec.tests {
            let result = match test.status.as_str() {
                "expected" => TestResult::Passed,
                "flaky" => TestResult::Flaky,
                "skipped" => TestResult::Skipped(skip_reason(test)),
                _ => TestResult::Failed,
            };
            let millis: f64 = test.results.iter().map(|attempt| attempt.duration).sum();
            let name = format!("{path} › {}", spec.title);
            let only_with_all = LEFT_OUT.iter().any(|(ending, _)| group.file.ends_with(ending));
            let test = Test { only_with_all, ..Test::new(name, result, Some(millis / 1_000.0)) };
            add(suites, &group.file, test);
        }
    }
    for inner in &group.suites {
        visit(inner, &format!("{path} › {}", inner.title), suites);
    }
}

fn skip_reason(test: &SpecTest) -> String {
    match test.annotations.iter().find(|annotation| annotation.kind == "skip" || annotation.kind == "fixme") {
        Some(annotation) => annotation.description.clone().unwrap_or_else(|| "without a reason".to_owned()),
        None => "did not run, because of a failure before it".to_owned(),
    }
}

/// Adds a test to the suite of its folder.
fn add(suites: &mut Vec<Suite>, file: &str, test: Test) {
    let folder = file.rsplit('/').nth(1).unwrap_or("other");
    let name = format!("browser {folder}");
    let place = suites.iter().position(|suite| suite.name == name).unwrap_or_else(|| {
        suites.push(Suite { name, tests: Vec::new(), seconds: 0.0 });
        suites.len() - 1
    });
    if let Some(suite) = suites.get_mut(place) {
        suite.seconds += test.seconds.unwrap_or(0.0);
        suite.tests.push(test);
    }
}

fn test_file(path: &str) -> String {
    let name = Path::new(path).file_name().and_then(|name| name.to_str()).unwrap_or(path);
    name.trim_end_matches(".test.ts").to_owned()
}

fn left_out(suites: &Path) -> Result<Vec<(String, String)>> {
    let mut found = Vec::new();
    for suite in std::fs::read_dir(suites)? {
        let suite = suite?.path();
        if !suite.is_dir() {
            continue;
        }
        for file in std::fs::read_dir(suite)? {
            let path = file?.path().display().to_string();
            if let Some((_, reason)) = LEFT_OUT.iter().find(|(ending, _)| path.ends_with(ending)) {
                found.push((path, (*reason).to_owned()));
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn playwrights_report_is_read() {
        let report = serde_json::json!({
            "suites": [{
                "title": "suites/live/screenshot.test.ts", "file": "suites/live/screenshot.test.ts",
                "specs": [
                    { "title": "in view", "tests": [{ "status": "expected", "annotations": [], "results": [{ "duration": 1500 }] }] },
                    { "title": "twice", "tests": [{ "status": "flaky", "annotations": [], "results": [{ "duration": 1000 }, { "duration": 500 }] }] },
                ],
                "suites": [{
                    "title": "with a window", "file": "suites/live/screenshot.test.ts",
                    "specs": [
                        { "title": "shown", "tests": [{ "status": "unexpected", "annotations": [], "results": [] }] },
                        { "title": "hidden", "tests": [{ "status": "skipped", "annotations": [{ "type": "skip", "description": "no screen" }], "results": [] }] },
                        { "title": "after", "tests": [{ "status": "skipped", "annotations": [], "results": [] }] },
                    ],
                }],
            }],
            "errors": [],
        });
        let mut suites = Vec::new();
        read_suites(&serde_json::from_value(report).unwrap(), &mut suites);
        let [suite] = suites.as_slice() else { panic!("one folder, one suite") };
        assert_eq!((suite.name.as_str(), suite.seconds), ("browser live", 3.0));
        let found: Vec<_> = suite.tests.iter().map(|test| (test.name.as_str(), test.result.clone())).collect();
        assert_eq!(
            found,
            [
                ("screenshot › in view", TestResult::Passed),
                ("screenshot › twice", TestResult::Flaky),
                ("screenshot › with a window › shown", TestResult::Failed),
                ("screenshot › with a window › hidden", TestResult::Skipped("no screen".to_owned())),
                (
                    "screenshot › with a window › after",
                    TestResult::Skipped("did not run, because of a failure before it".to_owned())
                ),
            ]
        );
    }
}
