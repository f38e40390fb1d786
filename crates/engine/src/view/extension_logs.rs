//! Warnings and errors of the extension that someone should know about.

use wire::{Level, Timestamp};

use crate::entry::ExtensionLog;
use crate::store::{Store, Stored};
use crate::text::shorten;

/// Lines older than this are no longer reported.
const RECENT_MILLIS: i64 = 10 * 60 * 1_000;
const SHOWN: usize = 3;
const CONTEXT_CHARS: usize = 240;

/// The latest warnings and errors, one sentence each: newest first, equal ones counted.
pub fn troubles(store: &Store, now: Timestamp) -> Vec<String> {
    let is_recent = |stored: &&Stored<ExtensionLog>| now.millis() - stored.arrived.millis() <= RECENT_MILLIS;
    let is_trouble = |stored: &&Stored<ExtensionLog>| stored.entry.level >= Level::Warn;
    let mut groups: Vec<(&Stored<ExtensionLog>, usize)> = Vec::new();
    for stored in store.extension_logs.iter().rev().filter(is_recent).filter(is_trouble) {
        match groups.iter_mut().find(|(newest, _)| newest.entry.message == stored.entry.message) {
            Some((_, count)) => *count += 1,
            None => groups.push((stored, 1)),
        }
    }
    groups.into_iter().take(SHOWN).map(|(newest, count)| sentence(newest, count)).collect()
}

fn sentence(newest: &Stored<ExtensionLog>, count: usize) -> String {
    let entry = &newest.entry;
    let message = entry.message.as_str();
    let context = entry.context.as_ref().map(|context| format!(" {}", shorten(context.text(), CONTEXT_CHARS)));
    let times = if count > 1 { format!(", {count} times, last") } else { String::new() };
    let at = entry.at;
    format!("the extension reports: {message}{}{times} at {at}", context.unwrap_or_default())
}
