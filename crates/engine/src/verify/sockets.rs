//! Compares WebSocket connections before and after.

use wire::Timestamp;

use super::answer::SocketChange;
use crate::session::Session;
use crate::text::shorten;
use crate::url::without_query;

const ADDRESS_CHARS: usize = 300;

/// All connections to one address together: connections come and go, the link to a server stays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Socket {
    pub url: String,
    pub state: &'static str,
    /// How many of them are open.
    pub live: usize,
}

pub(super) fn taken(session: &Session, url: Option<&str>, now: Timestamp) -> Vec<Socket> {
    let mut sockets: Vec<Socket> = Vec::new();
    // Newest first: it decides the state, unless an older one is still open.
    for connection in session.store.connections.iter().rev().filter(|connection| !connection.is_over(now)) {
        let Some(address) = connection.url.as_deref() else { continue };
        if url.is_some_and(|part| !address.contains(part)) {
            continue;
        }
        let live = usize::from(!connection.is_closed());
        let (address, state) = (shorten(without_query(address), ADDRESS_CHARS), connection.state.name());
        match sockets.iter_mut().find(|socket| socket.url == address) {
            Some(known) => {
                if known.live == 0 && live > 0 {
                    known.state = state;
                }
                known.live += live;
            }
            None => sockets.push(Socket { url: address, state, live }),
        }
    }
    sockets
}

/// The sockets whose state changed, with both states.
pub(super) fn changes(before: &[Socket], after: &[Socket]) -> Vec<SocketChange> {
    const NONE: &str = "none";
    let state =
        |sockets: &[Socket], url: &str| sockets.iter().find(|socket| socket.url == url).map_or(NONE, |s| s.state);
    let gone = before.iter().filter(|was| !after.iter().any(|now| now.url == was.url));
    let all = after.iter().chain(gone).map(|socket| socket.url.as_str());
    all.map(|url| (url, state(before, url), state(after, url)))
        .filter(|(_, was, now)| was != now)
        .map(|(url, before, after)| SocketChange { url: url.to_owned(), before, after })
        .collect()
}
