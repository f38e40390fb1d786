//! Rust's tests: cargo builds them, and we run each test program.
//!
//! `cargo test` would stop at the first program with a failed test, or bury the failures in the output of all others,
//! and it does not report how long a test took.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use super::outcome::{Suite, Test, TestResult};
use crate::shell::{announce, command, not_started, root};

/// How `#[ignore = "…"]` begins on tests that take too long for the quick command.
pub(super) const ONLY_WITH_ALL: &str = "only with --all";

/// Most tests wait for processes that they started, so more of them than the machine has cores run at a time.
const THREADS: &str = "10";

/// With more failures than this, retrying would only take time.
const MOST_RETRIED: usize = 5;

/// The exit code of libtest's programs after a failed test.
const FAILED_TESTS: i32 = 101;

/// A test program that runs longer than this is stuck. The nightly soak test alone takes half an hour.
const PATIENCE: Duration = Duration::from_secs(15 * 60);
const PATIENCE_WITH_ALL: Duration = Duration::from_secs(75 * 60);

/// The part of the workspace to build and run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pick {
    pub(super) target: Target,
    /// Only tests whose path contains this.
    pub(super) module: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Target {
    /// Unit tests, in the folder of this crate.
    Unit(String),
    /// An integration test of this name.
    Integration(String),
}

/// A test executable.
struct Program {
    path: PathBuf,
    folder: PathBuf,
    suite: String,
    target: Target,
}

pub(super) struct Options {
    pub(super) all: bool,
    pub(super) retry: bool,
    /// The user named these tests: run them even if all of them belong to `--all`.
    pub(super) named: bool,
}

/// Builds the tests and the binary that they start. Without picks: the whole workspace.
pub(super) fn build(picks: &[Pick]) -> Result<Built> {
    let mut args = vec!["test", "--no-run", "--locked", "--workspace", "--message-format=json-render-diagnostics"];
    if picks.iter().any(|pick| matches!(pick.target, Target::Unit(_))) {
        args.extend(["--lib", "--bins"]);
    }
    for pick in picks {
        if let Target::Integration(name) = &pick.target {
            args.extend(["--test", name]);
        }
    }
    announce(&format!("cargo {}", args.join(" ")));
    let began = Instant::now();
    let output =
        command(".", "cargo", &args).stderr(Stdio::inherit()).output().with_context(|| not_started("cargo"))?;
    if !output.status.success() {
        bail!("`cargo test --no-run` failed; its errors are above");
    }
    eprintln!("── done in {:.1} s", began.elapsed().as_secs_f64());
    let mut programs = String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| program(&serde_json::from_str(line).ok()?))
        .filter(|program| picks.is_empty() || picks.iter().any(|pick| pick.target == program.target))
        .collect::<Vec<_>>();
    programs.sort_by(|one, two| (&one.suite, &one.path).cmp(&(&two.suite, &two.path)));
    Ok(Built { programs })
}

pub(super) struct Built {
    programs: Vec<Program>,
}

fn program(message: &Value) -> Option<Program> {
    if message["reason"] != "compiler-artifact" || message["profile"]["test"] != true {
        return None;
    }
    let path = PathBuf::from(message["executable"].as_str()?);
    let folder = PathBuf::from(message["manifest_path"].as_str()?).parent()?.to_owned();
    let name = folder.file_name()?.to_str()?.to_owned();
    let is_integration = message["target"]["kind"].as_array()?.iter().any(|kind| kind == "test");
    let target = message["target"]["name"].as_str()?.to_owned();
    let target = if is_integration { Target::Integration(target) } else { Target::Unit(name.clone()) };
    Some(Program { path, folder, suite: format!("rust {name}"), target })
}

/// Runs the test programs; those of one crate share a suite.
pub(super) fn run(built: &Built, picks: &[Pick], options: &Options) -> Result<Vec<Suite>> {
    let mut suites: BTreeMap<&str, Suite> = BTreeMap::new();
    for program in &built.programs {
        let began = Instant::now();
        let modules: Vec<&str> = picks
            .iter()
            .filter(|pick| pick.target == program.target)
            .map(|pick| pick.module.as_deref().unwrap_or(""))
            .collect();
        let tests = program.run(&modules, options)?;
        let suite = suites.entry(&program.suite).or_insert_with(|| Suite {
            name: program.suite.clone(),
            tests: Vec::new(),
            seconds: 0.0,
        });
        suite.tests.extend(tests);
        suite.seconds += began.elapsed().as_secs_f64();
    }
    Ok(suites.into_values().filter(|suite| !suite.tests.is_empty()).collect())
}

impl Program {
    fn run(&self, modules: &[&str], options: &Options) -> Result<Vec<Test>> {
        // An empty name is the whole program.
        let modules = if modules.contains(&"") { &[] } else { modules };
        let (mut tests, mut crash) = self.pass(&[&["--test-threads", THREADS], modules].concat(), PATIENCE)?;
        let failed: Vec<String> = named(&tests, |result| *result == TestResult::Failed);
        if options.retry && !failed.is_empty() && failed.len() <= MOST_RETRIED {
            let exact: Vec<&str> = failed.iter().map(String::as_str).collect();
            let (again, _) = self.pass(&[&["--test-threads", "1", "--exact"], exact.as_slice()].concat(), PATIENCE)?;
            for name in named(&again, |result| *result == TestResult::Passed) {
                if let Some(test) = tests.iter_mut().find(|test| test.name == name) {
                    test.result = TestResult::Flaky;
                }
            }
        }
        let is_all_left = !tests.is_empty() && tests.iter().all(|test| matches!(test.result, TestResult::Skipped(_)));
        if options.all || (options.named && is_all_left) {
            let left = named(
                &tests,
                |result| matches!(result, TestResult::Skipped(reason) if reason.starts_with(ONLY_WITH_ALL)),
            );
            if !left.is_empty() {
                let exact: Vec<&str> = left.iter().map(String::as_str).collect();
                let alone = ["--test-threads", "1", "--show-output", "--ignored", "--exact"];
                let (more, crash_of_more) = self.pass(&[&alone, exact.as_slice()].concat(), PATIENCE_WITH_ALL)?;
                crash = crash.or(crash_of_more);
                tests.retain(|test| !left.contains(&test.name));
                tests.extend(more.into_iter().map(|test| Test { only_with_all: true, ..test }));
            }
        }
        // Tests that ran at the time of a crash have no result, whatever a second try says about the rest.
        tests.extend(crash.map(|name| Test::new(name, TestResult::Failed, None)));
        Ok(tests)
    }

    /// Runs the program once and shows its output immediately. Returns its tests, and the reason if it did not end
    /// normally.
    fn pass(&self, args: &[&str], patience: Duration) -> Result<(Vec<Test>, Option<String>)> {
        let shown = self.path.strip_prefix(root()).unwrap_or(&self.path).display();
        announce(&format!("{shown} {}", args.join(" ")));
        let mut child = Command::new(&self.path)
            .args(["-Zunstable-options", "--report-time"])
            .args(args)
            .current_dir(&self.folder)
            // `--report-time` is unstable; a stable toolchain accepts it only with this.
            .env("RUSTC_BOOTSTRAP", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("could not start {shown}"))?;
        let output = BufReader::new(child.stdout.take().context("no output")?);
        let guard = Guard::over(&child, patience);
        let mut tests = Vec::new();
        let mut has_summary = false;
        for line in output.split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line);
            println!("{line}");
            tests.extend(test(&line));
            has_summary |= line.starts_with("test result: ");
        }
        let status = child.wait()?;
        drop(guard);
        let has_failed = tests.iter().any(|test| test.result == TestResult::Failed);
        let is_expected = has_summary && status.code() == Some(if has_failed { FAILED_TESTS } else { 0 });
        Ok((tests, (!is_expected).then(|| format!("{shown} ended early: {status}"))))
    }
}

/// Kills a test program that is stuck.
struct Guard {
    done: std::sync::mpsc::Sender<()>,
}

impl Guard {
    fn over(child: &std::process::Child, patience: Duration) -> Self {
        let pid = child.id();
        let (done, is_done) = std::sync::mpsc::channel::<()>();
        std::thread::spawn(move || {
            if is_done.recv_timeout(patience) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
                eprintln!("still running after {} minutes: killed", patience.as_secs() / 60);
                let _ = Command::new("kill").args(["-KILL", &pid.to_string()]).status();
            }
        });
        Self { done }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let _ = self.done.send(());
    }
}

fn named(tests: &[Test], wanted: impl Fn(&TestResult) -> bool) -> Vec<String> {
    tests.iter().filter(|test| wanted(&test.result)).map(|test| test.name.clone()).collect()
}

/// `test module::name ... ok <0.012s>`, `… FAILED <…>` or `… ignored, the reason`.
fn test(line: &str) -> Option<Test> {
    let (name, end) = line.strip_prefix("test ")?.split_once(" ... ")?;
    let (word, seconds) = match end.split_once(" <") {
        Some((word, time)) => (word, time.strip_suffix("s>").and_then(|seconds| seconds.parse().ok())),
        None => (end, None),
    };
    let result = match word {
        "ok" => TestResult::Passed,
        "FAILED" => TestResult::Failed,
        _ => TestResult::Skipped(word.strip_prefix("ignored")?.trim_start_matches(", ").to_owned()),
    };
    // libtest appends this to the names of `#[should_panic]` tests.
    let name = name.split(" - should panic").next().unwrap_or(name).to_owned();
    Some(Test::new(name, result, seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUICK: Options = Options { all: false, retry: true, named: false };

    /// Runs a script instead of a test program. It gets the arguments of each pass.
    fn results(script: &str, options: &Options) -> Vec<(String, TestResult)> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tests");
        driver::write_program(&path, script);
        let target = Target::Unit("x".to_owned());
        let program = Program { path, folder: folder.path().to_owned(), suite: "x".to_owned(), target };
        program.run(&[], options).unwrap().into_iter().map(|test| (test.name, test.result)).collect()
    }

    #[test]
    fn a_test_that_passes_on_the_second_try_is_flaky() {
        let script = r#"case "$*" in
            *--exact*) echo 'test a ... ok'; echo 'test b ... FAILED'; echo 'test result: FAILED.'; exit 101;;
            *) echo 'test a ... FAILED'; echo 'test b ... FAILED'; echo 'test result: FAILED.'; exit 101;;
        esac"#;
        let both = [("a".to_owned(), TestResult::Flaky), ("b".to_owned(), TestResult::Failed)];
        assert_eq!(results(script, &QUICK), both);
        let without = results(script, &Options { retry: false, ..QUICK });
        assert!(without.iter().all(|(_, result)| *result == TestResult::Failed), "{without:?}");
    }

    #[test]
    fn a_crash_fails_the_run_whatever_the_second_try_says() {
        let script = r#"case "$*" in
            *--exact*) echo 'test a ... ok'; echo 'test result: ok.';;
            *) echo 'test a ... FAILED'; kill -ABRT $$;;
        esac"#;
        let found = results(script, &QUICK);
        let [(_, TestResult::Flaky), (crash, TestResult::Failed)] = found.as_slice() else { panic!("{found:?}") };
        assert!(crash.contains("ended early"), "{crash}");
    }

    #[test]
    fn ignored_tests_run_with_all_and_by_name_if_nothing_else_matches() {
        let script = r#"case "$*" in
            *--ignored*) echo 'test long ... ok'; echo 'test result: ok.';;
            *) echo 'test long ... ignored, only with --all: takes long'; echo 'test result: ok.';;
        esac"#;
        let passed = [("long".to_owned(), TestResult::Passed)];
        assert_ne!(results(script, &QUICK), passed);
        assert_eq!(results(script, &Options { all: true, ..QUICK }), passed);
        assert_eq!(results(script, &Options { named: true, ..QUICK }), passed);
    }

    #[test]
    fn lines_of_libtest_are_read() {
        let read = |line: &str| test(line).map(|test| (test.name, test.result, test.seconds));
        assert_eq!(read("test a::b ... ok <0.012s>"), Some(("a::b".into(), TestResult::Passed, Some(0.012))));
        assert_eq!(read("test a::b ... FAILED <1.5s>"), Some(("a::b".into(), TestResult::Failed, Some(1.5))));
        assert_eq!(read("test a::b ... ok"), Some(("a::b".into(), TestResult::Passed, None)));
        assert_eq!(
            read("test soak ... ignored, only with --all: two minutes"),
            Some(("soak".into(), TestResult::Skipped("only with --all: two minutes".into()), None))
        );
        assert_eq!(read("test p - should panic ... ok"), Some(("p".into(), TestResult::Passed, None)));
        assert_eq!(read("test result: ok. 44 passed; 0 failed"), None);
        assert_eq!(read("running 3 tests"), None);
    }
}
