//! How often one client is notified: at most once every few seconds and twelve a minute, and never twice with the same
//! message within half a minute. Events in between are gathered into one notification, so only repeats are lost.

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use wire::limits;

use super::watcher::known_errors;
use super::{Category, Event, Notification, Severity};
use crate::session::Session;

/// What one client wants to be notified of.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The categories of events that it wants.
    pub categories: Vec<Category>,
    /// The shortest time between two notifications.
    pub throttle_seconds: f64,
    /// A part that an event's address must contain.
    pub url_filter: Option<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            categories: Category::ALL.to_vec(),
            throttle_seconds: limits::STREAM_THROTTLE_SECONDS as f64,
            url_filter: None,
        }
    }
}

/// Decides what one client is sent, and when. Times are milliseconds of any monotonic clock.
#[derive(Debug)]
pub struct Throttle {
    settings: Settings,
    /// When the notifications of the last minute were sent.
    sent: VecDeque<u64>,
    /// Messages of the last half minute, and when each was sent.
    recent: HashMap<String, u64>,
    waiting: Vec<Event>,
    waiting_since: u64,
    /// Wanted events that did not fit: their category and severity, by the hash of their message.
    left_out: HashMap<u64, (Category, Severity)>,
    /// The `once` keys of events that were sent, or that were in the store before.
    known: HashSet<String>,
}

impl Throttle {
    /// A throttle for a new client. Errors that are already in the session are not sent.
    pub fn new(settings: Settings, session: &Session) -> Self {
        let mut throttle = Self {
            settings,
            sent: VecDeque::new(),
            recent: HashMap::new(),
            waiting: Vec::new(),
            waiting_since: 0,
            left_out: HashMap::new(),
            known: HashSet::new(),
        };
        for (error, addresses) in known_errors(session) {
            if throttle.fits(&addresses) {
                throttle.known.insert(error);
            }
        }
        throttle
    }

    /// The current settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes the settings. Events that the client no longer wants are removed from the queue.
    pub fn change(&mut self, settings: Settings) {
        self.settings = settings;
        let waiting = std::mem::take(&mut self.waiting);
        self.waiting = waiting.into_iter().filter(|event| self.is_wanted(event)).collect();
        self.left_out.retain(|_, (category, _)| self.settings.categories.contains(category));
    }

    /// Takes new events. The caller must send the result now.
    pub fn offer(&mut self, events: &[Event], now: u64) -> Option<Notification> {
        self.recent.retain(|_, sent| now.saturating_sub(*sent) < limits::STREAM_REPEAT_MILLIS);
        for event in events.iter().filter(|event| self.is_wanted(event)).collect::<Vec<_>>() {
            if let Some(once) = &event.once {
                if self.known.len() >= limits::STREAM_KNOWN {
                    self.known.clear();
                }
                if !self.known.insert(once.clone()) {
                    continue;
                }
            }
            let is_repeat = self.recent.contains_key(&event.message)
                || self.waiting.iter().any(|waiting| waiting.message == event.message);
            if is_repeat {
                continue;
            }
            if self.waiting.is_empty() {
                self.waiting_since = now;
            }
            self.waiting.push(event.clone());
            if self.waiting.len() > limits::STREAM_BATCH_EVENTS {
                self.leave_one_out();
            }
        }
        self.flush(now)
    }

    /// Leaves out the oldest of the least severe events, so that the most severe ones are always listed.
    fn leave_one_out(&mut self) {
        let mildest = self.waiting.iter().enumerate().min_by_key(|(place, event)| (event.severity, *place));
        let Some((place, _)) = mildest else { return };
        let event = self.waiting.remove(place);
        let mut hasher = DefaultHasher::new();
        event.message.hash(&mut hasher);
        if self.left_out.len() < limits::STREAM_KNOWN {
            self.left_out.insert(hasher.finish(), (event.category, event.severity));
        }
    }

    /// When [`Self::flush`] will have something.
    pub fn due(&self) -> Option<u64> {
        if self.waiting.is_empty() {
            return None;
        }
        let Some(last) = self.sent.back() else { return Some(self.waiting_since) };
        let gap = (self.settings.throttle_seconds * 1_000.0) as u64;
        // Right after a notification, wait a little longer, so that events that follow closely are sent together.
        let after_gap = if last + gap > self.waiting_since {
            (last + gap).max(self.waiting_since + limits::STREAM_BATCH_MILLIS)
        } else {
            self.waiting_since
        };
        let full = self.sent.len() >= limits::STREAM_PER_MINUTE;
        let after_minute = self.sent.front().filter(|_| full).map_or(0, |first| first + 60_000);
        Some(after_gap.max(after_minute))
    }

    /// What is due at this time, if anything. The caller must send it now.
    pub fn flush(&mut self, now: u64) -> Option<Notification> {
        while self.sent.front().is_some_and(|sent| now.saturating_sub(*sent) >= 60_000) {
            self.sent.pop_front();
        }
        if self.due().is_none_or(|due| due > now) {
            return None;
        }
        self.sent.push_back(now);
        let events = std::mem::take(&mut self.waiting);
        self.recent.extend(events.iter().map(|event| (event.message.clone(), now)));
        let left_out = std::mem::take(&mut self.left_out);
        let gravest_left_out = left_out.values().map(|(_, severity)| *severity).max();
        Some(Notification { events, left_out: left_out.len(), gravest_left_out })
    }

    fn is_wanted(&self, event: &Event) -> bool {
        self.settings.categories.contains(&event.category) && self.fits(&event.addresses)
    }

    fn fits(&self, addresses: &[String]) -> bool {
        let filter = self.settings.url_filter.as_deref();
        filter.is_none_or(|filter| addresses.iter().any(|address| address.contains(filter)))
    }
}
