//! How often one client is disturbed: at most every few seconds and twelve times a minute, and never twice with the same
//! message within half a minute. What comes in between gathers and is told together: nothing is lost but repeats.

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use wire::limits;

use super::watcher::known_errors;
use super::{Category, Event, Notification, Severity};
use crate::session::Session;

#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    pub categories: Vec<Category>,
    pub throttle_seconds: f64,
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

/// Times are milliseconds of any clock that only goes forward.
#[derive(Debug)]
pub struct Throttle {
    settings: Settings,
    /// When the latest notifications went out, those of the last minute.
    sent: VecDeque<u64>,
    /// Messages of the last half minute, and when they were told.
    told: HashMap<String, u64>,
    waiting: Vec<Event>,
    waiting_since: u64,
    /// What is wanted and does not fit: its category and severity, by its message's hash.
    left_out: HashMap<u64, (Category, Severity)>,
    /// What is told once and was, or was there before.
    known: HashSet<String>,
}

impl Throttle {
    /// `store`: what is in it is no news.
    pub fn new(settings: Settings, session: &Session) -> Self {
        let mut throttle = Self {
            settings,
            sent: VecDeque::new(),
            told: HashMap::new(),
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

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What was told stays told, and what waits goes on waiting, unless it is no longer wanted.
    pub fn change(&mut self, settings: Settings) {
        self.settings = settings;
        let waiting = std::mem::take(&mut self.waiting);
        self.waiting = waiting.into_iter().filter(|event| self.is_wanted(event)).collect();
        self.left_out.retain(|_, (category, _)| self.settings.categories.contains(category));
    }

    /// Takes what happened. The result is to be sent now.
    pub fn offer(&mut self, events: &[Event], now: u64) -> Option<Notification> {
        self.told.retain(|_, told| now.saturating_sub(*told) < limits::STREAM_REPEAT_MILLIS);
        for event in events.iter().filter(|event| self.is_wanted(event)).collect::<Vec<_>>() {
            if let Some(once) = &event.once {
                if self.known.len() >= limits::STREAM_KNOWN {
                    self.known.clear();
                }
                if !self.known.insert(once.clone()) {
                    continue;
                }
            }
            let is_repeat = self.told.contains_key(&event.message)
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

    /// The oldest of the least grave: what matters most is always listed.
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
        // Whoever was just told something is told the next together with what follows on its heels.
        let after_gap = if last + gap > self.waiting_since {
            (last + gap).max(self.waiting_since + limits::STREAM_BATCH_MILLIS)
        } else {
            self.waiting_since
        };
        let full = self.sent.len() >= limits::STREAM_PER_MINUTE;
        let after_minute = self.sent.front().filter(|_| full).map_or(0, |first| first + 60_000);
        Some(after_gap.max(after_minute))
    }

    pub fn flush(&mut self, now: u64) -> Option<Notification> {
        while self.sent.front().is_some_and(|sent| now.saturating_sub(*sent) >= 60_000) {
            self.sent.pop_front();
        }
        if self.due().is_none_or(|due| due > now) {
            return None;
        }
        self.sent.push_back(now);
        let events = std::mem::take(&mut self.waiting);
        self.told.extend(events.iter().map(|event| (event.message.clone(), now)));
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
