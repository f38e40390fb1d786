//! `gasoline install` and `gasoline uninstall`.

use std::process::ExitCode;

use anyhow::{Context as _, Result};

use super::{FAILED, WRONG_USAGE};
use crate::embedded::{self, Defaults};
use crate::install::{self, CLIENTS, Change, Client, Launch, Places};
use crate::program;
use crate::state::StateDir;
use crate::terminal::{complain, say};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Only these: claude-code, claude-desktop, cursor, vscode, windsurf, zed, codex, gemini [default: all that are
    /// found].
    #[arg(long, num_args = 1.., value_name = "NAME")]
    client: Vec<String>,
    /// Show what would change without changing anything.
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn install(port: u16, args: &Args) -> Result<ExitCode> {
    let (places, clients) = match chosen(args)? {
        Ok(chosen) => chosen,
        Err(code) => return Ok(code),
    };
    let program = std::env::current_exe().context("the path of this program is unknown")?;
    let launch = Launch::new(program, port);
    let mut failed = false;
    let state = if args.dry_run { StateDir::look()? } else { StateDir::open()? };
    let extension = state.extension();
    let mut is_unpacked = false;
    if args.dry_run {
        say(format!("The extension would be written to {}", extension.display()));
    } else {
        match embedded::unpack(&extension, &Defaults { port, sites: vec!["local".to_owned()], bodies: false }) {
            Ok(()) => {
                is_unpacked = true;
                say(format!("The extension is in {}", extension.display()));
            }
            Err(error) => {
                failed = true;
                complain(format!("The extension could not be unpacked: {error:#}"));
            }
        }
    }
    if clients.is_empty() {
        say("No AI client was found. Name one with --client, or add this program to its MCP servers:");
        say(format!("  {}", launch.program.display()));
    }
    for client in clients {
        let outcome = install::plan_install(client, &places, &launch).and_then(|plan| {
            let said = finish(client, &plan, args.dry_run)?;
            Ok(match install::switched_off(client, &plan) {
                Some(member) => format!("{said}\n  The entry is switched off there ({member}): turn it on."),
                None => said,
            })
        });
        failed |= outcome.is_err();
        tell(client, &places, outcome);
    }
    if std::env::var_os("GASOLINE_STATE_DIR").is_some_and(|dir| !dir.is_empty()) {
        say(
            "GASOLINE_STATE_DIR is set here. Set it for your AI clients, too; otherwise they use ~/.gasoline and another token.",
        );
    }
    if is_unpacked {
        say("");
        say("Chrome needs two clicks, once: open chrome://extensions and");
        say("  1. turn on \"Developer mode\" (top right),");
        say(format!("  2. choose \"Load unpacked\" and pick {}", extension.display()));
        say("Then restart your AI client and ask: \"Is Gasoline connected to my browser?\"");
        say(format!("If it is not: {} doctor", program::called()));
    }
    Ok(if failed { ExitCode::from(FAILED) } else { ExitCode::SUCCESS })
}

pub(super) fn uninstall(args: &Args) -> Result<ExitCode> {
    let (places, clients) = match chosen(args)? {
        Ok(chosen) => chosen,
        Err(code) => return Ok(code),
    };
    let mut failed = false;
    for client in clients {
        let outcome = install::plan_uninstall(client, &places).and_then(|plan| finish(client, &plan, args.dry_run));
        failed |= outcome.is_err();
        tell(client, &places, outcome);
    }
    let extension = StateDir::look()?.extension();
    if args.client.is_empty() && embedded::is_ours(&extension) {
        if args.dry_run {
            say(format!("The extension would be removed from {}", extension.display()));
        } else {
            std::fs::remove_dir_all(&extension).with_context(|| format!("cannot remove {}", extension.display()))?;
            say(format!(
                "The extension was removed from {}; remove it in chrome://extensions, too.",
                extension.display()
            ));
        }
    }
    Ok(if failed { ExitCode::from(FAILED) } else { ExitCode::SUCCESS })
}

/// The clients named on the command line; without any, all that are found.
fn chosen(args: &Args) -> Result<std::result::Result<(Places, Vec<&'static Client>), ExitCode>> {
    let places = Places::of_system().context("no home directory found: set HOME")?;
    let mut clients: Vec<&Client> = Vec::new();
    for name in &args.client {
        let Some(client) = CLIENTS.iter().find(|client| client.name == name) else {
            let names: Vec<&str> = CLIENTS.iter().map(|client| client.name).collect();
            complain(format!("gasoline: unknown client {name}: expected one of {}", names.join(", ")));
            return Ok(Err(ExitCode::from(WRONG_USAGE)));
        };
        clients.push(client);
    }
    if args.client.is_empty() {
        clients = CLIENTS.iter().filter(|client| install::is_found(client, &places)).collect();
    }
    Ok(Ok((places, clients)))
}

/// Applies the plan, or with `--dry-run` describes it. Returns the message for the user.
fn finish(client: &Client, plan: &install::Plan, dry_run: bool) -> std::result::Result<String, String> {
    let path = plan.path.display();
    let Some(text) = plan.change.text() else { return Ok(format!("{}: {path} needs no change", client.title)) };
    if dry_run {
        let lines = install::diff(plan.before.as_deref().unwrap_or_default(), text);
        return Ok(format!("{}: {path} would change:\n{}", client.title, lines.trim_end()));
    }
    let backup = install::apply(plan)?;
    let kept = backup.map(|backup| format!(" (backup: {})", backup.display())).unwrap_or_default();
    Ok(match &plan.change {
        Change::Updated(_, before) => {
            format!(
                "{}: the entry `gasoline` in {path} launched {before} and now launches this program{kept}",
                client.title
            )
        }
        Change::Removed(_) => format!("{}: removed from {path}{kept}", client.title),
        _ => format!("{}: added to {path}{kept}", client.title),
    })
}

fn tell(client: &Client, places: &Places, outcome: std::result::Result<String, String>) {
    match outcome {
        Ok(said) => say(said),
        Err(reason) => {
            let path = client.config(places).unwrap_or_default();
            complain(format!("{}: {} was not changed: {reason}", client.title, path.display()));
        }
    }
}
