//! A request or a script that the page's own security policy blocks.

use super::Cause;
use super::scene::{Scene, time_of};
use crate::entry::LogKind;
use crate::text::shorten;

/// The browser reports a violation this close to the request that it blocked.
const NEAR_MILLIS: i64 = 1_000;

pub(super) fn cause<'a>(scene: &Scene<'a>) -> Option<Cause<'a>> {
    let violations = scene
        .session
        .store
        .logs
        .iter()
        .rev()
        .filter(|stored| stored.entry.kind == LogKind::Csp && scene.before(time_of(stored)).abs() <= NEAR_MILLIS);
    let is_own = scene.entry.is_some_and(|entry| entry.kind == LogKind::Csp);
    let stopped = scene.requests.iter().copied().find(|stored| stored.entry.status == Some(0));
    let address = if is_own { None } else { scene.request_address().or_else(|| Some(stopped?.entry.url.as_str())) };
    let (message, directive) = violations
        .map(|stored| stored.entry.message.as_str())
        .filter(|message| is_own || address.is_some_and(|address| message.contains(address)))
        .find_map(|message| Some((message, message.split_once('(')?.1.split_once(')')?.0)))?;
    let what = message.rsplit_once("blocked ").map_or("it", |(_, what)| what.trim());
    let text = format!(
        "the page's content security policy forbids {}: allow it in `{directive}`, where the server sets the policy",
        shorten(what, 160)
    );
    // More than any request can score: the browser itself gave the reason.
    let because = vec![format!("the browser reported: {}", shorten(message, 160))];
    Some(Cause { score: 12, because, request: stopped.filter(|_| !is_own), ..Cause::new(text) })
}
