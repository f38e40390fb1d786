//! `cargo xtask test` runs every suite, even after a failed one, and ends with one table.

mod browser;
mod mcp_clients;
mod outcome;
mod rust;
mod select;
mod summary;
mod unit;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, anyhow};

use self::outcome::{Report, Suite};
use self::select::Selection;
use crate::{check, generated, prepare, shell, system};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Run only these: a Rust crate, module or test file, a browser suite, a unit test file, `mcp-clients` or `check`.
    names: Vec<String>,
    /// Also run tests that take minutes or assert how fast the machine is, and retry nothing.
    #[arg(long)]
    all: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let began = Instant::now();
    std::fs::create_dir_all(shell::root().join("target/test-results"))?;
    let mut report = Report::default();
    if args.names.is_empty() {
        whole(args.all, &mut report);
    } else {
        named(&Selection::named(&shell::root(), &args.names, args.all)?, args.all, &mut report);
    }
    println!("{}", summary::text(&report, began.elapsed().as_secs_f64()).trim_end());
    Ok(if report.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs everything. In a bare clone the packages are downloaded while clippy compiles.
fn whole(all: bool, report: &mut Report) {
    let retry = !all;
    // With the packages installed this takes a second, and must end before cargo reads the files that it writes.
    let built_first = prepare::has_npm_packages(".").then(prepare::browser_parts);
    let (programs, parts, packages, mut checks) = std::thread::scope(|scope| {
        let downloads = scope.spawn(|| {
            let programs = system::ensure_test_programs();
            let parts = built_first.unwrap_or_else(prepare::browser_parts);
            (programs, parts, prepare::npm_packages("browser/mcp-clients"))
        });
        let checks = vec![step("check formatting", check::formatting), step("check clippy", check::clippy)];
        let (programs, parts, packages) = joined(downloads);
        (programs, parts, packages, checks)
    });
    let has_parts = parts.is_ok();
    report.add("browser parts", parts.map(|()| Vec::new()));
    let needs_parts = || if has_parts { Ok(()) } else { Err(anyhow!("not run: there are no browser parts")) };
    checks.push(step("check typescript", check::typescript));
    let built = rust::build(&[]);
    checks.push(step("check generated files", || generated::run(true)));
    report.add("check", Ok(checks));
    let clients = packages.and_then(|()| mcp_clients::build());
    // Rust's tests mostly wait, so the others run in parallel.
    let (rust, unit, clients) = std::thread::scope(|scope| {
        let others =
            scope.spawn(|| (needs_parts().and_then(|()| unit::run(&[])), clients.and_then(|()| mcp_clients::run())));
        let options = rust::Options { all, retry, named: false };
        let rust = built.and_then(|built| rust::run(&built, &[], &options));
        let (unit, clients) = joined(others);
        (rust, unit, clients)
    });
    report.add("rust", rust);
    report.add("unit", unit);
    report.add("mcp-clients", clients);
    let browser = needs_parts().and(programs).and_then(|()| browser::run(&[], &browser::Options { all, retry }));
    report.add("browser", browser);
}

/// Runs only the selected suites and builds only what they need.
fn named(selection: &Selection, all: bool, report: &mut Report) {
    if selection.needs_parts() {
        report.add("browser parts", prepare::browser_parts().map(|()| Vec::new()));
    } else if selection.needs_node() {
        report.add("Node packages", prepare::npm_packages(".").map(|()| Vec::new()));
    }
    if selection.check {
        for (name, check) in [
            ("check formatting", check::formatting as fn() -> Result<()>),
            ("check clippy", check::clippy),
            ("check typescript", check::typescript),
            ("check generated files", || generated::run(true)),
        ] {
            report.add(name, Ok(vec![step(name, check)]));
        }
    }
    if !selection.rust.is_empty() {
        let picks = &selection.rust;
        let options = rust::Options { all, retry: false, named: true };
        report.add("rust", rust::build(picks).and_then(|built| rust::run(&built, picks, &options)));
    }
    let binary = || if selection.needs_binary() { prepare::debug_binary(&[]) } else { Ok(()) };
    if !selection.unit.is_empty() {
        report.add("unit", binary().and_then(|()| unit::run(&selection.unit)));
    }
    if selection.mcp_clients {
        let packages = prepare::npm_packages("browser/mcp-clients");
        report.add("mcp-clients", packages.and_then(|()| mcp_clients::build()).and_then(|()| mcp_clients::run()));
    }
    if !selection.browser.is_empty() {
        let options = browser::Options { all, retry: false };
        let ready = binary().and_then(|()| system::ensure_test_programs());
        report.add("browser", ready.and_then(|()| browser::run(&selection.browser, &options)));
    }
}

/// Runs a check as a separate suite. The check's own output says what is wrong.
fn step(name: &str, check: impl FnOnce() -> Result<()>) -> Suite {
    let began = Instant::now();
    // Examples for the docs come from a server that is driven by helpers which panic on errors.
    let result = catch_unwind(AssertUnwindSafe(check)).unwrap_or_else(|_| Err(anyhow!("{name} panicked")));
    if let Err(error) = &result {
        eprintln!("\n{error:#}");
    }
    Suite::of_step(name, began.elapsed().as_secs_f64(), result.is_ok())
}

/// The result of a thread. A panic in it ends the whole run, because it is a bug in this program.
fn joined<T>(thread: std::thread::ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
}
