//! Hints that explain an empty answer, in one line.

use engine::Kind;
use engine::url::Url;
use wire::extension::Tab;
use wire::settings::{SWITCHES, Settings};

use super::Context;

/// For answers whose requests have no bodies because the user turned bodies off.
pub(super) const BODIES_OFF: &str = "bodies are off: only method, URL, status and sizes are captured; ask the user to turn on \"Network bodies\" in the extension's popup";

pub(super) fn bodies_are_off(context: &Context) -> bool {
    let browser = context.app.extension.report();
    browser.connected && browser.settings.capture_network_bodies == Some(false)
}

/// `known` is how many entries there were before the filter.
pub(super) fn for_empty(context: &Context, reads: &[Kind], known: usize, filtered: bool) -> String {
    if known > 0 && filtered {
        return format!("the filter matched none of {known} entries; widen it or leave it out");
    }
    let app = &context.app;
    let browser = app.extension.report();
    let (logs_cleared, cleared) = {
        let session = app.session();
        (session.store.logs_cleared(), session.store.cleared())
    };
    let emptied = match (logs_cleared, cleared) {
        (Some((at, _)), _) if reads.contains(&Kind::Logs) => {
            Some(format!("the logs were cleared at {at} and nothing was captured since"))
        }
        (_, Some(at)) => Some(format!("the buffers were cleared at {at} and nothing of this kind was captured since")),
        _ => None,
    };
    if !browser.connected {
        return emptied.unwrap_or_else(|| {
            "no browser is connected, so nothing was captured; load the Gasoline extension and reload the page"
                .to_owned()
        });
    }
    let settings = &browser.settings;
    if browser.tabs.iter().all(|tab| tab.captured != Some(true)) {
        return match blocked_site(settings, &browser.tabs) {
            Some(site) => format!("the user switched off capture for {site}; it can be enabled again in the extension's popup"),
            None => "the browser is connected, but capture is off for every open site; enable the site in the extension's popup".to_owned(),
        };
    }
    // A switch that keeps entries away for good matters more than a clearing in the past.
    let off = reads.iter().find_map(|kind| switched_off(*kind, settings));
    off.or(emptied).unwrap_or_else(|| "capture is on, but nothing of this kind has happened yet".to_owned())
}

/// The switch or capture level that keeps entries of this kind from being captured.
pub(super) fn switched_off(kind: Kind, settings: &Settings) -> Option<String> {
    let off = SWITCHES.iter().filter(|switch| settings.is_on(switch) == Some(false)).find_map(|switch| {
        let captures = switch.captures.filter(|captures| captures.buffers.contains(&kind.name()))?;
        Some(format!("{} is switched off in the extension's popup", captures.capture))
    });
    off.or_else(|| level(settings).filter(|_| kind == Kind::Logs))
}

/// A hint if the capture level keeps entries from being captured.
pub(super) fn level(settings: &Settings) -> Option<String> {
    let captured = match settings.capture_level.as_deref() {
        Some("error") => "only errors are captured",
        Some("warn") => "only warnings and errors are captured",
        _ => return None,
    };
    Some(format!("{captured}: the user can set the capture level to all in the extension's popup"))
}

/// An open site that the user switched off. The active tab comes first.
pub(super) fn blocked_site(settings: &Settings, tabs: &[Tab]) -> Option<String> {
    let blocked = settings.blocked_sites.as_ref()?.value();
    let blocked: Vec<&str> = blocked.as_array()?.iter().filter_map(serde_json::Value::as_str).collect();
    let mut tabs: Vec<&Tab> = tabs.iter().filter(|tab| tab.captured != Some(true)).collect();
    tabs.sort_by_key(|tab| tab.active != Some(true));
    let site = tabs.iter().find_map(|tab| {
        let host = Url::new(tab.url.as_deref()?).host_and_port()?;
        let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
        blocked.contains(&host).then_some(host).or_else(|| blocked.contains(&name).then_some(name))
    });
    site.map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_switch_names_an_existing_buffer() {
        for buffer in SWITCHES.iter().filter_map(|switch| switch.captures).flat_map(|captures| captures.buffers) {
            assert!(Kind::ALL.iter().any(|kind| kind.name() == *buffer), "{buffer}");
        }
    }
}
