//! Recognises a socket message when it is received again.

use super::content::{About, same_shape};
use super::page::origin;
use crate::code_changes::hot_update;
use crate::entry::SocketEvent;
use crate::text::shorten;
use crate::url::path_of;

const ADDRESS_CHARS: usize = 200;

/// The socket's address without its query, and the message's purpose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Heard {
    socket: String,
    about: About,
    /// A hash of its shape: names and types, not values.
    pub(super) content: u64,
    /// Whether it is received again and again, whatever the user does.
    pub(super) is_frequent: bool,
}

impl Heard {
    /// `None` for sent messages, for heartbeats, and for the hot updates of development servers.
    pub(super) fn from_event(event: &SocketEvent) -> Option<Self> {
        let data = event.data.as_deref().unwrap_or_default();
        if !event.is_incoming_message() || hot_update::of_socket(data).is_some() {
            return None;
        }
        let url = event.url.as_deref()?;
        let about = Some(About::from_message(data)).filter(|about| *about != About::Nothing)?;
        let socket = shorten(&format!("{}{}", origin(Some(url)), path_of(url)), ADDRESS_CHARS);
        Some(Self { socket, about, content: same_shape(data), is_frequent: false })
    }

    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.socket == other.socket && self.about == other.about
    }

    /// Whether the socket's messages cannot be told apart.
    pub(super) fn is_vague(&self) -> bool {
        self.about == About::Unknown
    }

    pub(super) fn text(&self) -> String {
        format!("{} send {}", self.socket, self.message())
    }

    pub(super) fn message(&self) -> String {
        match &self.about {
            About::Kind(kind) => format!("a \"{kind}\" message"),
            About::Fields(names) => format!("a message with {names}"),
            About::Nothing | About::Unknown => "a message".to_owned(),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let about = match &self.about {
            About::Kind(text) | About::Fields(text) => text.len(),
            About::Nothing | About::Unknown => 0,
        };
        self.socket.len() + about
    }
}
