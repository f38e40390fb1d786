//! Whether anything is being captured, and what to do if not.

use std::collections::BTreeMap;

use engine::Kind;
use engine::store::Pressure;
use engine::text::counted;
use engine::view::extension_logs::troubles;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use wire::extension::{ExtensionCounts, Tab};
use wire::limits;
use wire::settings::Settings;

use super::{Context, Effect, Outcome, Tool, hint};
use crate::app::VERSION;
use crate::clock;
use crate::program;
use crate::state::StateDir;

pub(super) struct GetStatus;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {}

#[skip_serializing_none]
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Status {
    /// Whether a browser with the extension is connected.
    connected: bool,
    /// Version of the server.
    version: &'static str,
    /// The extension, if one has connected.
    extension: Option<ExtensionStatus>,
    /// Tabs of the browser, and whether they are captured.
    tabs: Vec<Tab>,
    /// How many tabs are open, if not all are listed.
    tabs_total: Option<usize>,
    /// The extension's switches.
    settings: Settings,
    /// What is buffered, by kind.
    buffers: BTreeMap<&'static str, Buffered>,
    /// AI clients that are connected.
    clients: usize,
    /// Problems that keep data from being captured or stored.
    warnings: Vec<String>,
    /// What to do now.
    next_steps: Vec<String>,
}

/// The extension.
#[skip_serializing_none]
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline)]
struct ExtensionStatus {
    /// The extension's version.
    version: Option<String>,
    /// How many entries it captured, sent and lost.
    counts: Option<ExtensionCounts>,
}

/// One buffer.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline)]
struct Buffered {
    /// Entries in the buffer.
    count: usize,
    /// Entries that were dropped because the buffer was full.
    dropped: u64,
}

impl Tool for GetStatus {
    const NAME: &'static str = "get_status";
    const TITLE: &'static str = "Status";
    const DESCRIPTION: &'static str = "Start here: whether a browser is connected, which tabs are captured, what is \
        buffered, what to do next.";
    const EFFECT: Effect = Effect::Reads;
    const READS: &'static [Kind] = &Kind::ALL;
    type Params = Params;
    type Answer = Status;

    async fn call(context: &Context, _: Params) -> Outcome<Status> {
        let app = &context.app;
        let browser = app.extension.report();
        let mut buffers = BTreeMap::new();
        let (errors, pressure, refused) = {
            let mut session = app.session();
            session.forget(clock::now());
            for kind in Kind::ALL {
                let report = session.store.report(kind);
                buffers.insert(kind.name(), Buffered { count: report.count, dropped: report.dropped });
            }
            (engine::failures::count_since(&session, 0), session.store.pressure(), session.store.refused())
        };
        let captured = browser.tabs.iter().filter(|tab| tab.captured == Some(true)).count();

        let mut warnings = Vec::new();
        match pressure {
            Pressure::Normal => {}
            Pressure::NoBodies => warnings.push("memory is low: new network bodies are rejected".to_owned()),
            Pressure::Minimal => {
                warnings.push("memory ran out: buffers were emptied, only warnings and errors are kept".to_owned())
            }
        }
        if refused > 0 {
            warnings.push(format!("{refused} entries were rejected because memory was low"));
        }
        let journal = app.journal.report();
        if let Some(error) = &journal.error {
            warnings.push(format!("logs are kept in memory only because their file cannot be written: {error}"));
        }
        let unknown = app.unknown_fields.report();
        if unknown.count > 0 {
            warnings.push(format!(
                "{} unknown fields were received; extension and server may have different versions",
                unknown.count
            ));
        }

        let counts = browser.counts.clone().unwrap_or_default();
        if let dropped @ 1.. = counts.dropped.unwrap_or(0) {
            warnings.push(format!("{dropped} entries were dropped in the browser because its queue was full"));
        }
        if let rejected @ 1.. = counts.rejected.unwrap_or(0) {
            warnings.push(format!(
                "the server rejected {rejected} entries of the extension; GET /extension-logs has the reasons"
            ));
        }
        warnings.extend(troubles(&app.session().store, clock::now()));
        warnings.extend(hint::level(&browser.settings));

        let mut next_steps = Vec::new();
        let (errors, failed) = errors;
        if errors + failed > 0 {
            next_steps.push(format!(
                "{} and {} are buffered: call diagnose for the cause of the latest, get_browser_errors for the list",
                counted(errors, "error"),
                counted(failed, "failed request")
            ));
        }
        if !browser.connected {
            next_steps.push(how_to_connect_a_browser());
        } else if captured == 0 {
            next_steps.push(match hint::blocked_site(&browser.settings, &browser.tabs) {
                Some(site) => {
                    format!("the user switched off capture for {site}: ask the user to enable it again in the popup")
                }
                None => "no captured tab is open: ask the user to open the app, or to enable its site in the popup"
                    .to_owned(),
            });
        } else if errors + failed == 0 {
            next_steps.push("no errors yet: ask the user to reproduce the problem, then call diagnose".to_owned());
        }

        let extension = ExtensionStatus { version: browser.version, counts: browser.counts };
        let is_known = extension.version.is_some() || extension.counts.is_some();
        let all_tabs = browser.tabs.len();
        let mut tabs = browser.tabs;
        tabs.truncate(limits::TAB_LIST);
        Ok(Status {
            connected: browser.connected,
            version: VERSION,
            extension: is_known.then_some(extension),
            tabs_total: (tabs.len() < all_tabs).then_some(all_tabs),
            tabs,
            settings: browser.settings,
            buffers,
            clients: app.clients.count(),
            warnings,
            next_steps,
        }
        .into())
    }
}

/// Where the extension is, or how to get it, in words that the model can pass on to the user unchanged.
fn how_to_connect_a_browser() -> String {
    let program = program::called();
    let folder = StateDir::look().map(|state| state.extension()).ok().filter(|folder| folder.is_dir());
    let load = match folder {
        Some(folder) => format!("load the Gasoline extension from {}", folder.display()),
        None => format!("run `{program} install`, then load the Gasoline extension from the folder it names"),
    };
    format!(
        "no browser is connected: ask the user to {load} (chrome://extensions, Developer mode, Load unpacked) and reload \
         the page; `{program} doctor` shows what else is missing"
    )
}
