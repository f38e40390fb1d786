//! `gasoline doctor`: checks every link of the chain from the page to the AI client, and says how to fix a broken one.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use serde::Serialize;
use serde_json::{Value, json};
use wire::settings::SWITCHES;

use super::{FAILED, light_runtime};
use crate::app::VERSION;
use crate::daemon::{Connection, Problem, port_holder};
use crate::embedded;
use crate::install::{self, CLIENTS, Change, Client, Launch, Places};
use crate::program;
use crate::state::StateDir;
use crate::terminal::say;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Ok,
    /// Works, but not as well as it could.
    Warn,
    Fail,
    /// Cannot be checked until something else works.
    Skip,
}

#[derive(Debug, Serialize)]
struct Check {
    name: &'static str,
    status: Verdict,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    remedy: Option<String>,
}

impl Check {
    fn ok(name: &'static str, message: impl Into<String>) -> Self {
        Self { name, status: Verdict::Ok, message: message.into(), remedy: None }
    }

    fn with(name: &'static str, status: Verdict, message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { name, status, message: message.into(), remedy: Some(remedy.into()) }
    }

    fn fail(name: &'static str, message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::with(name, Verdict::Fail, message, remedy)
    }

    fn warn(name: &'static str, message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::with(name, Verdict::Warn, message, remedy)
    }

    fn skip(name: &'static str) -> Self {
        Self { name, status: Verdict::Skip, message: "not checked: no server is running".to_owned(), remedy: None }
    }
}

pub(super) fn run(port: u16, as_json: bool) -> Result<ExitCode> {
    let checks = examine(port);
    let is_well = checks.iter().all(|check| check.status != Verdict::Fail);
    if as_json {
        say(serde_json::to_string_pretty(&json!({ "ok": is_well, "checks": checks }))?);
    } else {
        checks.iter().for_each(|check| say(line(check)));
        say("");
        say(if is_well {
            "Everything works. Ask your AI client: \"Is Gasoline connected to my browser?\""
        } else {
            "Fix the first line with a ✗, then run this again."
        });
    }
    Ok(if is_well { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
}

fn line(check: &Check) -> String {
    let mark = match check.status {
        Verdict::Ok => '✓',
        Verdict::Warn => '!',
        Verdict::Fail => '✗',
        Verdict::Skip => '·',
    };
    let remedy = check.remedy.as_deref().map(program::as_called);
    let remedy = remedy.map(|remedy| format!("\n               → {remedy}")).unwrap_or_default();
    format!("{mark} {:<12} {}{remedy}", check.name, check.message)
}

fn examine(port: u16) -> Vec<Check> {
    let mut checks = vec![binary()];
    let (state, token) = match StateDir::open().and_then(|state| state.token().map(|token| (state, token))) {
        Ok(found) => found,
        Err(error) => {
            let remedy = "set GASOLINE_STATE_DIR to a folder that you can write to";
            checks.push(Check::fail("state", format!("{error:#}"), remedy));
            checks.extend(clients(port));
            return checks;
        }
    };
    checks.push(Check::ok("state", state.root().display().to_string()));
    let health = light_runtime()
        .ok()
        .map(|runtime| runtime.block_on(async { Connection::open(port, &token).await?.health().await }));
    match health {
        Some(Ok(health)) => {
            checks.push(Check::ok("port", format!("{port}, held by {}", holder(port))));
            checks.push(Check::ok("token", "accepted by the server"));
            checks.push(server(&health));
            checks.extend(journal(&health));
            checks.push(extension_files(&state));
            checks.push(browser(&health, port));
            checks.push(capture(&health));
        }
        Some(Err(problem)) => {
            checks.extend(unreachable(port, &problem));
            checks.push(extension_files(&state));
            checks.push(Check::skip("browser"));
            checks.push(Check::skip("capture"));
        }
        None => checks.push(Check::fail("server", "the server could not be queried", "run this again")),
    }
    checks.extend(clients(port));
    checks
}

fn binary() -> Check {
    let path = std::env::current_exe().map(|path| path.display().to_string()).unwrap_or_default();
    let message = format!("{VERSION}, {path}");
    if embedded::is_here() {
        Check::ok("binary", message)
    } else {
        let remedy = "build it with `cargo xtask build`, which needs Node, and use target/release/gasoline";
        Check::warn("binary", format!("{message}, without the browser extension"), remedy)
    }
}

fn holder(port: u16) -> String {
    port_holder(port).unwrap_or_else(|| "a Gasoline server".to_owned())
}

fn unreachable(port: u16, problem: &Problem) -> Vec<Check> {
    match problem {
        Problem::NotRunning => vec![
            Check::ok("port", format!("{port} is free")),
            Check::fail("server", "not running", "start your AI client, which launches it, or run `gasoline serve`"),
        ],
        Problem::Foreign { .. } | Problem::OtherUser { .. } => {
            let remedy = format!(
                "stop that program, or choose another port: set GASOLINE_PORT (or pass --port), set the same port in the extension's options, then run `gasoline install --port N`, N not {port}"
            );
            vec![Check::fail("port", problem.to_string(), remedy), Check::skip("server")]
        }
        Problem::WrongToken { .. } => {
            let remedy = "set the GASOLINE_STATE_DIR and GASOLINE_TOKEN that the server was started with, or run `gasoline stop` with them";
            vec![
                Check::ok("port", format!("{port}, held by {}", holder(port))),
                Check::fail("token", problem.to_string(), remedy),
            ]
        }
        Problem::Hung { .. } | Problem::Broken(_) => vec![
            Check::ok("port", format!("{port}, held by {}", holder(port))),
            Check::fail("server", problem.to_string(), format!("stop {} and start your AI client again", holder(port))),
        ],
    }
}

fn text<'v>(health: &'v Value, pointer: &str) -> &'v str {
    health.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

fn server(health: &Value) -> Check {
    let version = text(health, "/version");
    if version != VERSION {
        let remedy = "run `gasoline stop`; the next AI client starts this version";
        return Check::warn("server", format!("the server is version {version}, this program is {VERSION}"), remedy);
    }
    match text(health, "/memory_mode") {
        "normal" => {
            Check::ok("server", format!("{version}, {} MB", health.pointer("/memory_mb").unwrap_or(&Value::Null)))
        }
        mode => Check::warn(
            "server",
            format!("memory is low, mode: {mode}"),
            "run `gasoline stop` to start with empty buffers",
        ),
    }
}

fn journal(health: &Value) -> Option<Check> {
    let error = health.pointer("/journal/error").and_then(Value::as_str)?;
    Some(Check::warn("disk", format!("logs are kept in memory only: {error}"), "free space on the disk"))
}

/// The unpacked copy that Chrome loads. Chrome may also have loaded a copy from elsewhere.
fn extension_files(state: &StateDir) -> Check {
    let folder = state.extension();
    if !embedded::is_ours(&folder) {
        return Check::warn(
            "extension",
            "not unpacked on this machine",
            "run `gasoline install`, unless you loaded a copy from elsewhere",
        );
    }
    match embedded::version_of(&folder) {
        Some(version) if version == VERSION => Check::ok("extension", format!("{version}, {}", folder.display())),
        version => Check::fail(
            "extension",
            format!("{} has version {}, this program is {VERSION}", folder.display(), version.unwrap_or_default()),
            "run `gasoline install`, then press the reload arrow of Gasoline in chrome://extensions",
        ),
    }
}

fn browser(health: &Value, port: u16) -> Check {
    if health.pointer("/extension/connected") != Some(&Value::Bool(true)) {
        let seen = match health.pointer("/extension/last_seen").and_then(Value::as_str) {
            Some(seen) => format!("the extension was last seen at {seen}"),
            None => "the extension has not reported to this server".to_owned(),
        };
        let remedy = format!(
            "open Chrome with the extension loaded (chrome://extensions, \"Load unpacked\"); its options must have port {port}"
        );
        return Check::fail("browser", seen, remedy);
    }
    let version = text(health, "/extension/version");
    if version != VERSION {
        let remedy = "run `gasoline install`, then press the reload arrow of Gasoline in chrome://extensions";
        return Check::warn("browser", format!("connected, but with version {version} of the extension"), remedy);
    }
    Check::ok("browser", "connected")
}

fn capture(health: &Value) -> Check {
    if health.pointer("/extension/connected") != Some(&Value::Bool(true)) {
        return Check { message: "not checked: no browser is connected".to_owned(), ..Check::skip("capture") };
    }
    let tabs: Vec<&Value> = health.pointer("/extension/tabs").and_then(Value::as_array).into_iter().flatten().collect();
    let captured = tabs.iter().filter(|tab| tab.get("captured") == Some(&Value::Bool(true))).count();
    let is_off = |name: &str| health.pointer(&format!("/extension/settings/{name}")) == Some(&Value::Bool(false));
    let off: Vec<&str> = SWITCHES
        .iter()
        .filter(|switch| is_off(switch.key))
        .filter_map(|switch| switch.captures.map(|captures| captures.what))
        .collect();
    let without = if off.is_empty() { String::new() } else { format!(", without {}", off.join(", ")) };
    if captured == 0 {
        let remedy = "open your page (localhost is captured by default), or press \"Capture this site\" in the extension's popup";
        return Check::warn("capture", format!("none of {} open tabs is captured", tabs.len()), remedy);
    }
    if is_off("captureConsole") {
        return Check::warn(
            "capture",
            format!("{captured} of {} tabs{without}", tabs.len()),
            "turn on \"Console\" in the extension's popup",
        );
    }
    Check::ok("capture", format!("{captured} of {} tabs{without}", tabs.len()))
}

/// The name of checks about AI clients.
const CLIENT_LINES: &str = "clients";

/// Whether some AI client launches this program.
fn clients(port: u16) -> Vec<Check> {
    let (Some(places), Ok(program)) = (Places::of_system(), std::env::current_exe()) else {
        return vec![Check::fail(CLIENT_LINES, "the home directory is unknown", "set HOME")];
    };
    let launch = Launch::new(program, port);
    let found: Vec<_> = CLIENTS.iter().filter(|client| install::is_found(client, &places)).collect();
    if found.is_empty() {
        return vec![Check::fail(
            CLIENT_LINES,
            "no AI client was found",
            "install one, or name it: `gasoline install --client NAME`",
        )];
    }
    let (launches, mut checks): (Vec<bool>, Vec<Check>) =
        found.into_iter().map(|client| launched_by(client, &places, &launch)).unzip();
    if !launches.contains(&true) && checks.iter().all(|check| check.status != Verdict::Fail) {
        let remedy = "run `gasoline install`, and turn Gasoline on in the clients where it is off";
        checks.push(Check::fail(CLIENT_LINES, "no AI client launches Gasoline", remedy));
    }
    checks
}

/// Whether a client launches Gasoline, be it this program or another copy, and the check that reports it.
fn launched_by(client: &Client, places: &Places, launch: &Launch) -> (bool, Check) {
    let title = client.title;
    let install = format!("run `gasoline install --client {}`", client.name);
    let plan = match install::plan_install(client, places, launch) {
        Ok(plan) => plan,
        Err(reason) => {
            let path = client.config(places).unwrap_or_default();
            let remedy = format!("correct {}, then {install}", path.display());
            return (false, Check::fail(CLIENT_LINES, format!("cannot read the config of {title}: {reason}"), remedy));
        }
    };
    if let Some(member) = install::switched_off(client, &plan) {
        let remedy = format!("turn Gasoline on in {title}, or remove that from {}", plan.path.display());
        return (
            false,
            Check::warn(CLIENT_LINES, format!("{title} has an entry that is switched off ({member})"), remedy),
        );
    }
    match plan.change {
        Change::Nothing => (true, Check::ok(CLIENT_LINES, format!("{title} launches this program"))),
        Change::Updated(_, before) if is_there(&before) => {
            let remedy = format!("{install} to launch this program instead");
            (true, Check::warn(CLIENT_LINES, format!("{title} launches {before}"), remedy))
        }
        Change::Updated(_, before) => {
            (false, Check::fail(CLIENT_LINES, format!("{title} launches {before}, which does not exist"), install))
        }
        _ => (false, Check::warn(CLIENT_LINES, format!("{title} has no entry for Gasoline"), install)),
    }
}

/// Whether a command can be launched: a file that exists, or a name on the PATH.
fn is_there(command: &str) -> bool {
    let command = command.trim_matches('"');
    let has_folder = command.contains(['/', '\\']);
    if has_folder {
        return Path::new(command).is_file();
    }
    std::env::var_os("PATH").is_some_and(|path| {
        std::env::split_paths(&path)
            .any(|folder| folder.join(command).is_file() || folder.join(format!("{command}.exe")).is_file())
    })
}
