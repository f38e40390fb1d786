//! A lost connection.

use super::Cause;
use super::request::is_just_before;
use super::scene::{Scene, time_of};
use super::wording::{handles_lost_connection, is_of_code_alone, speaks_of_connection};
use crate::code_changes::{dev_server, hot_update};
use crate::store::Stored;
use crate::text::shorten;
use crate::url::without_query;

const BEFORE_MILLIS: i64 = 10_000;
/// A lower score than any request that is named.
const LEAST_SCORE: u32 = 2;

pub(super) fn cause<'a>(scene: &Scene<'a>) -> Option<Cause<'a>> {
    if is_of_code_alone(&scene.message) {
        return None;
    }
    let lost = scene
        .session
        .store
        .websocket
        .iter()
        .rev()
        .filter(|stored| scene.is_of_test(*stored))
        .filter(|stored| stored.entry.tab_id == scene.tab && stored.entry.is_unexpected_close())
        .find(|stored| {
            (0..=BEFORE_MILLIS).contains(&scene.before(time_of(stored))) && !is_of_dev_server(scene, stored)
        })?;
    let event = &lost.entry;
    let code = event.code.unwrap_or(1006);
    let meaning = match code {
        1006 => "the connection broke without a closing message: the server went away, or a proxy cut it",
        1002 => "a protocol error",
        1003 => "the server does not accept this kind of data",
        1008 => "the server's policy forbids it",
        1009 => "a message was too large",
        1011 => "the server failed",
        1012 => "the server restarts",
        1013 => "the server is too busy",
        4000.. => "a code defined by the application",
        _ => "not a normal end",
    };
    let url = shorten(without_query(event.url.as_deref().unwrap_or("the socket")), 120);
    let reason =
        event.reason.as_deref().filter(|reason| !reason.is_empty()).map(|reason| format!(" ({})", shorten(reason, 80)));
    let closed = time_of(lost);
    let before = scene.before(closed);
    let mut because = vec![format!("it closed {before} ms before the error")];
    let mut score = match before {
        0..=100 => 4,
        101..=1_000 => 3,
        _ => 2,
    };
    // A close that the application chose is hardly the cause.
    if code >= 4_000 {
        score -= 2;
    }
    let only_near = score;
    if speaks_of_connection(&scene.message) {
        score += 3;
        because.push("the message mentions the connection".to_owned());
    }
    if scene.frames().first().is_some_and(|frame| handles_lost_connection(frame.function)) {
        score += 4;
        because.push("it was thrown where the end of the connection is handled".to_owned());
    }
    // The server had already failed, and the connection was lost with it.
    let is_consequence = score == only_near
        && scene.requests.iter().any(|stored| is_just_before(scene, stored) && scene.ended(stored) <= closed);
    // A user action after the close is more likely.
    let is_older_than_action = score == only_near && scene.has_action_since(closed);
    if is_consequence || is_older_than_action {
        score = score.min(LEAST_SCORE);
    }
    let text = format!("the WebSocket {url} was closed with {code}{}: {meaning}", reason.unwrap_or_default());
    Some(Cause { score, because, at: Some(closed), ..Cause::new(text) })
}

/// A development server's own connection ends whenever that server restarts.
fn is_of_dev_server(scene: &Scene<'_>, lost: &Stored<crate::entry::SocketEvent>) -> bool {
    let of_tab = |tab: Option<i64>| tab == scene.tab;
    let has_sent_code = scene.session.store.websocket.iter().any(|stored| {
        of_tab(stored.entry.tab_id)
            && stored.entry.connection_id == lost.entry.connection_id
            && stored.entry.data.as_deref().and_then(hot_update::of_socket).is_some()
    });
    let page_said = |starts: &[&str]| {
        scene.session.store.logs.iter().filter(|stored| of_tab(stored.entry.tab_id)).any(|stored| {
            let message = stored.entry.message.as_str();
            starts.iter().any(|start| message.starts_with(start))
        })
    };
    has_sent_code || dev_server::is_dev_socket(lost.entry.url.as_deref().unwrap_or_default(), page_said)
}
