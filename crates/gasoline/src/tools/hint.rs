//! Why an answer is empty, in one line.

use engine::Kind;

use super::Context;

/// `known` is how many entries there were before the filter.
pub(super) fn for_empty(context: &Context, reads: &[Kind], known: usize, filtered: bool) -> String {
    if known > 0 && filtered {
        return format!("the filter matched none of {known} entries; widen it or leave it out");
    }
    let app = &context.app;
    let browser = app.extension.report();
    let cleared = app.store().logs_cleared();
    if let Some((at, _)) = cleared
        && reads.contains(&Kind::Logs)
    {
        return format!("the logs were cleared at {at} and nothing came in since");
    }
    if !browser.connected {
        return "no browser is connected, so nothing was captured; load the Gasoline extension and reload the page"
            .to_owned();
    }
    if browser.tabs.iter().all(|tab| tab.captured != Some(true)) {
        return "the browser is connected, but none of its open sites is enabled; enable the site in the extension's popup".to_owned();
    }
    let settings = &browser.settings;
    let off = reads.iter().find_map(|kind| match kind {
        Kind::WebsocketEvents => (settings.capture_web_sockets == Some(false)).then_some("WebSocket capture"),
        Kind::NetworkBodies => (settings.capture_network_bodies == Some(false)).then_some("network body capture"),
        Kind::EnhancedActions => (settings.capture_actions == Some(false)).then_some("action capture"),
        Kind::Logs => (settings.capture_console == Some(false)).then_some("console capture"),
        _ => None,
    });
    match off {
        Some(what) => format!("{what} is switched off in the extension's popup"),
        None => "capturing, and nothing of this kind has happened yet".to_owned(),
    }
}
