//! Adds and removes our entry in the configs of AI clients, and keeps everything else in them.

mod clients;
mod diff;
mod file;
mod json;
mod toml;

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use wire::limits;

pub(crate) use clients::{CLIENTS, Client, Places};
pub(crate) use diff::diff;

/// The name of our entry.
const NAME: &str = "gasoline";
/// The name of our npm package, see `npm/`.
const NPM_PACKAGE: &str = "gasoline-eyes";

/// How clients should launch us.
#[derive(Debug, Clone)]
pub(crate) struct Launch {
    pub(crate) program: PathBuf,
    pub(crate) args: Vec<String>,
}

impl Launch {
    /// This program, at this port.
    pub(crate) fn new(program: PathBuf, port: u16) -> Self {
        let mut args = Vec::new();
        // `npx` runs us from a cache that may be emptied; the entry must be able to fetch us again.
        let is_cached = program.components().any(|part| part.as_os_str() == "_npx");
        let program = if is_cached {
            args.extend(["-y".to_owned(), format!("{NPM_PACKAGE}@{}", env!("CARGO_PKG_VERSION"))]);
            PathBuf::from("npx")
        } else {
            program
        };
        if port != limits::DEFAULT_PORT {
            args.extend(["--port".to_owned(), port.to_string()]);
        }
        Self { program, args }
    }

    fn program(&self) -> String {
        self.program.display().to_string()
    }
}

/// The format of a config.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// JSON with comments and trailing commas, as editors allow them.
    Json,
    Toml,
}

/// The planned change of a config.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// Nothing to do: our entry already exists, or there is none to remove.
    Nothing,
    Added(String),
    /// An entry with our name launched another program, which is the second value.
    Updated(String, String),
    Removed(String),
}

impl Change {
    /// The config's new text.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Nothing => None,
            Self::Added(text) | Self::Updated(text, _) | Self::Removed(text) => Some(text),
        }
    }
}

/// A config before and after the change.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) path: PathBuf,
    pub(crate) before: Option<String>,
    pub(crate) change: Change,
}

/// Plans adding our entry to a client's config. Writes nothing.
pub(crate) fn plan_install(client: &Client, places: &Places, launch: &Launch) -> Result<Plan, String> {
    plan(client, places, |text| installed(client, text, launch))
}

/// Plans removing our entry from a client's config. Writes nothing.
pub(crate) fn plan_uninstall(client: &Client, places: &Places) -> Result<Plan, String> {
    plan(client, places, |text| uninstalled(client, text))
}

/// The config with our entry.
pub(crate) fn installed(client: &Client, text: &str, launch: &Launch) -> Result<Change, String> {
    match client.syntax {
        Syntax::Json => json::install(text, client.section, NAME, &entry(client, launch)),
        Syntax::Toml => toml::install(text, client.section, NAME, launch),
    }
}

/// The config without our entry.
pub(crate) fn uninstalled(client: &Client, text: &str) -> Result<Change, String> {
    match client.syntax {
        Syntax::Json => json::uninstall(text, client.section, NAME),
        Syntax::Toml => toml::uninstall(text, client.section, NAME),
    }
}

/// The member of the config that keeps the client from launching our entry, quoted from the file.
pub(crate) fn switched_off(client: &Client, plan: &Plan) -> Option<String> {
    let (text, (member, value)) = (plan.before.as_deref()?, client.off?);
    let (told, shown) = match client.syntax {
        Syntax::Json => (json::flag(text, client.section, NAME, member)?, format!("\"{member}\": {value}")),
        Syntax::Toml => (toml::flag(text, client.section, NAME, member)?, format!("{member} = {value}")),
    };
    (told == value).then_some(shown)
}

fn plan(client: &Client, places: &Places, work: impl Fn(&str) -> Result<Change, String>) -> Result<Plan, String> {
    let path = client.config(places).ok_or("the location of its config on this system is unknown")?;
    let before = file::read(&path)?;
    let change = work(before.as_deref().unwrap_or_default())?;
    Ok(Plan { path, before, change })
}

/// Writes the planned config. Returns the path of the backup.
pub(crate) fn apply(plan: &Plan) -> Result<Option<PathBuf>, String> {
    match plan.change.text() {
        Some(text) => file::write(&plan.path, plan.before.as_deref(), text),
        None => Ok(None),
    }
}

/// Whether a client is installed on this machine.
pub(crate) fn is_found(client: &Client, places: &Places) -> bool {
    client.config(places).is_some_and(|path| path.exists())
        || client.folder(places).is_some_and(|folder: PathBuf| folder.is_dir() && folder != Path::new(""))
}

fn entry(client: &Client, launch: &Launch) -> Map<String, Value> {
    let mut entry = Map::new();
    for (name, value) in client.members {
        entry.insert((*name).to_owned(), json!(value));
    }
    entry.insert("command".to_owned(), json!(launch.program()));
    entry.insert("args".to_owned(), json!(launch.args));
    entry
}
