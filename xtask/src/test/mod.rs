//! `cargo xtask test` runs every suite, whether or not the ones before passed, and ends with one table.

mod browser;
mod mcp_clients;
mod outcome;
mod rust;
mod select;
mod summary;
mod unit;

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
    /// Also run what takes minutes or asserts how fast the machine is, and try nothing twice.
    #[arg(long)]
    all: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let began = Instant::now();
    std::fs::create_dir_all(shell::root().join("target/test-results"))?;
    let mut report = Report::default();
    if args.names.is_empty() {
        whole(args.all, &mut report)?;
    } else {
        named(&Selection::named(&shell::root(), &args.names)?, args.all, &mut report)?;
    }
    println!("{}", summary::of(&report, began.elapsed().as_secs_f64()).trim_end());
    Ok(if report.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs everything. In a bare clone the packages are downloaded while clippy compiles.
fn whole(all: bool, report: &mut Report) -> Result<()> {
    let retry = !all;
    let mut programs = Ok(());
    let mut checks = Vec::new();
    prepare::both(
        || {
            programs = system::ensure_test_programs();
            prepare::browser_parts()?;
            prepare::npm_packages("browser/mcp-clients")
        },
        || {
            checks.push(step("check formatting", check::formatting));
            checks.push(step("check clippy", check::clippy));
            Ok(())
        },
    )?;
    checks.push(step("check typescript", check::typescript));
    let built = rust::build(&[]);
    checks.push(step("check generated files", || generated::run(true)));
    report.add("check", Ok(checks));
    let clients = mcp_clients::build();
    // Rust's tests mostly wait, so the others run beside them.
    let (rust, unit, clients) = std::thread::scope(|scope| {
        let aside = scope.spawn(|| (unit::run(&[]), clients.and_then(|()| mcp_clients::run())));
        let rust = built.and_then(|built| rust::run(&built, &[], &rust::Options { all, retry }));
        let (unit, clients) = aside.join().unwrap_or_else(|_| (Err(anyhow!("panicked")), Err(anyhow!("panicked"))));
        (rust, unit, clients)
    });
    report.add("rust", rust);
    report.add("unit", unit);
    report.add("mcp-clients", clients);
    let browser = programs.and_then(|()| browser::run(&[], &browser::Options { all, retry }));
    report.add("browser", browser);
    Ok(())
}

/// Runs only the selected suites and builds only what they need.
fn named(selection: &Selection, all: bool, report: &mut Report) -> Result<()> {
    if selection.needs_binary() {
        prepare::browser_parts()?;
    } else if selection.needs_node() {
        prepare::npm_packages(".")?;
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
        let built = rust::build(picks);
        report.add("rust", built.and_then(|built| rust::run(&built, picks, &rust::Options { all, retry: false })));
    }
    if selection.needs_binary() {
        prepare::debug_binary(&[])?;
    }
    if !selection.unit.is_empty() {
        report.add("unit", unit::run(&selection.unit));
    }
    if selection.mcp_clients {
        prepare::npm_packages("browser/mcp-clients")?;
        report.add("mcp-clients", mcp_clients::build().and_then(|()| mcp_clients::run()));
    }
    if !selection.browser.is_empty() {
        let options = browser::Options { all, retry: false };
        let found = system::ensure_test_programs().and_then(|()| browser::run(&selection.browser, &options));
        report.add("browser", found);
    }
    Ok(())
}

/// Runs a check as a suite of its own. The check's own output says what is wrong.
fn step(name: &str, check: impl FnOnce() -> Result<()>) -> Suite {
    let began = Instant::now();
    let result = check();
    if let Err(error) = &result {
        eprintln!("\n{error:#}");
    }
    Suite::of_step(name, began.elapsed().as_secs_f64(), result.is_ok())
}
