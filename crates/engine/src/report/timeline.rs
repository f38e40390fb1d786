//! What happened in order: requests, user actions, and failures.

use serde::Serialize;
use wire::{Level, Timestamp};

use crate::entry::{ActionKind, SocketEventKind};
use crate::moments::{Include, Moment, MomentKind, What, is_failed, moments};
use crate::session::Session;
use crate::store::Filter;
use crate::text::shorten;

const LINES: usize = 200;
const TEXT_CHARS: usize = 160;

#[derive(Debug, Clone, Serialize)]
pub struct Line {
    /// Milliseconds since the start.
    pub at: i64,
    pub text: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub failure: bool,
    /// The noise rule that matches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub noise: Option<String>,
}

impl Line {
    pub fn text(&self) -> String {
        let mark = match (&self.noise, self.failure) {
            (Some(rule), _) => format!(" [likely noise: {rule}]"),
            (None, true) => " ← FAILURE".to_owned(),
            (None, false) => String::new(),
        };
        format!("{}ms: {}{mark}", self.at, self.text)
    }
}

/// Requests, actions, errors and ends of sockets; socket messages and console lines would be too many.
pub(super) fn lines(session: &Session, filter: &Filter, started: Option<Timestamp>) -> Vec<Line> {
    let all = moments(session, filter, Include::ALL);
    let is_shown = |moment: &&Moment<'_>| match moment.what {
        What::Request(_) => true,
        What::Action(stored) => stored.entry.kind != ActionKind::Scroll,
        What::Console(_) => moment.severity() >= Level::Error || moment.kind() == MomentKind::Network,
        What::Socket(stored) => stored.entry.event != SocketEventKind::Message,
        What::Update(_) => false,
    };
    let shown: Vec<&Moment<'_>> = all.iter().filter(is_shown).collect();
    let begin = started.into_iter().chain(shown.first().map(|moment| moment.at)).min().unwrap_or_default();
    // The last ones matter most: they lead to the end.
    let skipped = shown.len().saturating_sub(LINES);
    let line = |moment: &&Moment<'_>| Line {
        at: moment.at.millis() - begin.millis(),
        text: shorten(&moment.text(), TEXT_CHARS),
        failure: match moment.what {
            What::Request(stored) => is_failed(&stored.entry),
            _ => moment.severity() >= Level::Warn,
        },
        noise: match moment.what {
            What::Request(stored) if is_failed(&stored.entry) => {
                session.noise.rule_for(&stored.entry).map(str::to_owned)
            }
            What::Console(stored) => session.noise.rule_for(&stored.entry).map(str::to_owned),
            _ => None,
        },
    };
    shown.iter().skip(skipped).map(line).collect()
}
