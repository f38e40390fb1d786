//! The one door to everything one does with this repository.

mod bench;
mod chromium;
mod demo;
mod docs;
mod generated;
mod shell;
mod suites;

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
    /// Install what the tests need and run all of them.
    Test,
    /// Build everything and run `gasoline demo --headless`: a broken shop in a browser, and what an AI client reads of it.
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

fn main() -> Result<()> {
    std::env::set_current_dir(shell::root())?;
    match Cli::parse().task {
        Task::Build => suites::build(),
        Task::Test => suites::test(),
        Task::Demo => demo::run(),
        Task::Bench(args) => bench::run(&args),
        Task::Gen { check } => generated::run(check),
        Task::Check => suites::check(),
    }
}
