//! The entry point for all tasks of this repository.

mod answers;
mod bench;
mod check;
mod demo;
mod docs;
mod generated;
mod openapi;
mod prepare;
mod shell;
mod system;
mod test;
mod typescript;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Build, test, show and measure Gasoline.")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Build the release binary into target/release/gasoline.
    Build,
    /// Install what the tests need and run them.
    Test(test::Args),
    /// Build everything and run `gasoline demo --headless`: a broken shop in a browser, and what an AI client reads
    /// about it.
    Demo,
    /// Measure the server and write docs/benchmarks.md.
    Bench(bench::Args),
    /// Write what is generated: TypeScript from the wire types, docs from the tools.
    Gen {
        /// Write nothing; fail if something is out of date.
        #[arg(long)]
        check: bool,
    },
    /// Formatting, lints, types and freshness of generated files.
    Check,
}

fn main() -> ExitCode {
    // Say what failed, not where in this program.
    std::panic::set_hook(Box::new(|panic| eprintln!("\nxtask: {panic}")));
    match run(Cli::parse().task) {
        Ok(code) => code,
        // No backtrace: the failure is that of a program that we ran, and its own output is above.
        Err(error) => {
            eprintln!("\nerror: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: Task) -> Result<ExitCode> {
    std::env::set_current_dir(shell::root())?;
    match task {
        Task::Build => prepare::release_binary()?,
        Task::Test(args) => return test::run(&args),
        Task::Demo => demo::run()?,
        Task::Bench(args) => bench::run(&args)?,
        Task::Gen { check } => generated::run(check)?,
        Task::Check => check::run()?,
    }
    Ok(ExitCode::SUCCESS)
}
