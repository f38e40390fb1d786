//! The command line, one command per file.

mod ci_script;
mod connect;
mod demo;
mod doctor;
mod extension;
mod install;
mod open;
mod report;
#[cfg(debug_assertions)]
mod schemas;
mod scrub;
mod serve;
mod status;
mod stop;
mod token;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use wire::limits;

use crate::daemon::Problem;
use crate::terminal::complain;

/// Exit codes, as documented in the help text.
pub(crate) const FAILED: u8 = 1;
pub(crate) const WRONG_USAGE: u8 = 2;
pub(crate) const UNREACHABLE: u8 = 3;

#[derive(Debug, Parser)]
#[command(
    name = "gasoline",
    version,
    about = "Lets AI coding agents see what happens in your own browser.",
    long_about = "Lets AI coding agents see what happens in your own browser.\n\n\
        Without a command, it speaks MCP on stdin and stdout: AI clients launch it that way. All clients share one \
        background server. Everything stays on this machine.",
    after_help = "Exit codes: 0 success, 1 a check or command failed, 2 wrong usage, 3 the server could not be reached or started.\n\
        Environment: GASOLINE_PORT, GASOLINE_STATE_DIR (~/.gasoline), GASOLINE_TOKEN, \
        GASOLINE_INGEST_TOKEN, GASOLINE_LOG (error, warn, info, debug)."
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// The server's port.
    #[arg(long, global = true, env = "GASOLINE_PORT", default_value_t = limits::DEFAULT_PORT)]
    port: u16,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the server in the foreground until Ctrl-C.
    Serve(serve::Args),
    /// Show whether a server is running, who is connected, and what is buffered.
    Status {
        /// Print the full status as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Open the dashboard in the browser: live timeline, errors, sockets, load times, audit, and what AI clients ask.
    Open(open::Args),
    /// Stop the background server.
    Stop,
    /// Check every link from the page to the AI client, and say how to fix the broken ones.
    Doctor {
        /// Print the checks as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print the access token.
    Token,
    /// Report on a test run: each failure with its cause.
    Report(report::Args),
    /// Remove credentials from Playwright traces: headers, cookies, bodies, storage, typed passwords.
    Scrub(scrub::Args),
    /// Unpack the browser extension and add Gasoline to the AI clients on this machine. Run it again after an update.
    Install(install::Args),
    /// Undo `install`. Everything else in the clients' configs is kept.
    Uninstall(install::Args),
    /// See it work in half a minute: a broken shop in a separate browser, and what an AI client reads about it. Needs
    /// no setup and leaves nothing behind.
    Demo(demo::Args),
    /// Write a copy of the browser extension, with these defaults, to a folder that Chrome can load.
    Extension(extension::Args),
    /// Print the capture script for tests of any runner. It must run in pages before their own code.
    CiScript(ci_script::Args),
    /// Print JSON Schemas of what the server sends.
    #[command(hide = true)]
    #[cfg(debug_assertions)]
    Schemas,
}

pub(crate) fn run() -> ExitCode {
    let cli = Cli::parse();
    let outcome = match cli.command {
        None => connect::run(cli.port),
        Some(Command::Serve(args)) => serve::run(cli.port, args),
        Some(Command::Status { json }) => status::run(cli.port, json),
        Some(Command::Open(args)) => open::run(cli.port, &args),
        Some(Command::Stop) => stop::run(cli.port),
        Some(Command::Doctor { json }) => doctor::run(cli.port, json),
        Some(Command::Token) => token::run(),
        Some(Command::Report(args)) => report::run(cli.port, args),
        Some(Command::Scrub(args)) => scrub::run(args),
        Some(Command::Install(args)) => install::install(cli.port, &args),
        Some(Command::Uninstall(args)) => install::uninstall(&args),
        Some(Command::Demo(args)) => demo::run(args),
        Some(Command::Extension(args)) => extension::run(cli.port, args),
        Some(Command::CiScript(args)) => ci_script::run(args),
        #[cfg(debug_assertions)]
        Some(Command::Schemas) => schemas::run(),
    };
    match outcome {
        Ok(code) => code,
        Err(error) => {
            complain(format!("gasoline: {error:#}"));
            let unreachable = error.chain().any(|cause| cause.is::<Problem>());
            ExitCode::from(if unreachable { UNREACHABLE } else { FAILED })
        }
    }
}

/// A runtime without threads, which starts quickly, for commands that only talk to a server.
fn light_runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    Ok(tokio::runtime::Builder::new_current_thread().enable_all().build()?)
}
