//! An error that is not a failed request, with its occurrences and their triggers.

use super::answer::Listed;
use super::asked::Asked;
use super::calls::times;
use super::exercise::Exercise;
use super::missing::Missing;
use super::places::Places;
use super::repetition::{Between, Repeated, Repetition};
use super::same::similar_message;
use super::step::Step;
use super::tries::Tries;
use super::trigger::Trigger;
use crate::text::shorten;

/// Length of a message in answers; warnings have their own limit.
const MESSAGE_CHARS: usize = 200;
const DOUBT_CHARS: usize = 80;
/// A shorter message may be contained in unrelated lines.
const TELLING_CHARS: usize = 20;
/// The same for a message after the name of the error.
const TELLING_NAMED_CHARS: usize = 12;
/// Different triggers that are kept for each error, the latest; and how many are examined.
const TRIGGERS: usize = 10;
const LOOKED_AT_TRIGGERS: usize = 50;
/// Triggers that an answer names.
const SHOWN_WAYS: usize = 5;
/// An error that followed a request this often, and nearly every time, was caused by that request.
const OCCURRENCES: u64 = 3;
const OTHER_SHARE: u64 = 5;

/// An error with its occurrences.
#[derive(Debug, Clone, PartialEq)]
pub struct Issue {
    pub(super) key: String,
    pub(super) origin: String,
    /// The message without its varying parts.
    pub(super) words: String,
    /// The message of the latest occurrence, as it is shown.
    pub message: String,
    /// How often it happened.
    pub count: u64,
    /// The cursor of the latest occurrence.
    pub(super) newest: u64,
    pub(super) places: Places,
    /// Its different triggers, the latest first.
    pub(super) triggers: Vec<Trigger>,
    /// Whether there were more triggers than are kept.
    has_more_triggers: bool,
}

impl Issue {
    pub(super) fn new(key: String, origin: String, words: String, message: &str) -> Self {
        Self {
            key,
            origin,
            words,
            message: shorten(message, MESSAGE_CHARS),
            count: 0,
            newest: 0,
            places: Places::default(),
            triggers: Vec::new(),
            has_more_triggers: false,
        }
    }

    /// Adds an occurrence. They come newest first.
    pub(super) fn came(&mut self, times: u64, trigger: Trigger) {
        self.count += times;
        if let Some(known) = self.triggers.iter_mut().find(|known| known.is_same(&trigger)) {
            known.add(trigger);
        } else if self.triggers.len() < LOOKED_AT_TRIGGERS {
            self.triggers.push(trigger);
        } else {
            self.has_more_triggers = true;
        }
    }

    pub(super) fn keep_latest_triggers(&mut self) {
        self.keep_triggers(TRIGGERS);
    }

    /// Removes unrelated steps. If the error followed each request of a kind, at least once without any step, then
    /// other steps at that time were not its cause.
    pub(super) fn leave_out_chance_steps(&mut self, tries: &Tries<'_>) {
        let is_common = |asked: &&Asked| {
            let has = |trigger: &Trigger| trigger.traffic.iter().any(|known| known.is_same(asked));
            self.triggers.iter().all(has)
        };
        let count = self.triggers.iter().map(|trigger| trigger.count).sum::<u64>();
        let is_of_each = |asked: &&Asked| {
            let (first, last) = (
                self.triggers.iter().map(|trigger| trigger.first).min(),
                self.triggers.iter().map(|trigger| trigger.at).max(),
            );
            let sent = first.zip(last).map_or(0, |(first, last)| tries.requests_between(asked, first, last));
            sent.abs_diff(count) <= (sent / OTHER_SHARE).max(1)
        };
        let alone = self.triggers.iter().position(|trigger| trigger.steps.is_empty() && !trigger.is_cut);
        let mut traffic = alone.and_then(|place| self.triggers.get(place)).into_iter().flat_map(|one| &one.traffic);
        let is_caused = count >= OCCURRENCES && traffic.any(|asked| is_common(&asked) && is_of_each(&asked));
        if let Some(place) = alone.filter(|_| is_caused && self.triggers.len() > 1) {
            let mut alone = self.triggers.swap_remove(place);
            self.triggers.drain(..).for_each(|other| alone.add(other));
            self.triggers.push(alone);
        }
    }

    pub(super) fn keep_triggers(&mut self, most: usize) {
        self.has_more_triggers |= self.triggers.len() > most;
        self.triggers.truncate(most);
    }

    pub(super) fn count_tries(&mut self, tries: &Tries<'_>) {
        for trigger in &mut self.triggers {
            trigger.tries = tries.count(trigger);
        }
    }

    pub(super) fn brief(&self) -> Listed {
        Listed {
            kind: Some("console"),
            message: Some(self.message.clone()),
            count: Some(self.count),
            ..Listed::default()
        }
    }

    /// The error with its count.
    pub(super) fn text(&self) -> String {
        times(self.message.clone(), self.count)
    }

    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.is_known_as(&other.origin, &other.words)
    }

    pub(super) fn is_known_as(&self, origin: &str, words: &str) -> bool {
        self.words == words && self.is_of_origin(origin)
    }

    /// Whether a line reports this error: it has the same words, or contains the error's message literally. `words` is
    /// the line without its varying parts.
    pub(super) fn is_mentioned_in(&self, origin: &str, words: &str, line: &str) -> bool {
        if !self.is_of_origin(origin) {
            return false;
        }
        // Both may have been cut.
        let message = self.message.trim_end_matches('…');
        let end_of_name = ["Error: ", "Exception: "].iter().find_map(|name| Some(message.find(name)? + name.len()));
        let (before, core) = message.split_at_checked(end_of_name.unwrap_or(0)).unwrap_or(("", message));
        // The name in `Unhandled Promise Rejection: TypeError: …` is `TypeError`.
        let name = before.trim_end().rsplit(' ').next().unwrap_or_default();
        let named = message.get(before.trim_end().len() - name.len()..).unwrap_or(message);
        let stands = |text: &str, least: usize| text.chars().count() >= least && line.contains(text);
        self.words == words || stands(core, TELLING_CHARS) || !name.is_empty() && stands(named, TELLING_NAMED_CHARS)
    }

    fn is_of_origin(&self, origin: &str) -> bool {
        self.origin.is_empty() || origin.is_empty() || self.origin == origin
    }

    /// The page of the latest occurrence, as far as that is known.
    pub(super) fn page(&self) -> Option<&str> {
        self.triggers.iter().find_map(|trigger| trigger.page.as_ref()).map(|page| page.path.as_str())
    }

    /// Whether the two differ only in names, so that the cause may be the same.
    pub(super) fn is_similar(&self, other: &Self) -> bool {
        similar_message(&self.words) == similar_message(&other.words)
    }

    /// The error's name in warnings.
    pub(super) fn name(&self) -> String {
        format!("\"{}\"", shorten(&self.message, DOUBT_CHARS))
    }

    /// Why it may persist, although it is absent and what led to it was repeated.
    pub(super) fn doubts(&self, exercise: &Exercise, between: &Between) -> Vec<String> {
        let name = self.name();
        let mut doubts = Vec::new();
        if self.has_more_triggers {
            doubts.push(format!("{name} had more causes: only the latest of them are compared"));
        }
        if self.triggers.iter().any(|trigger| trigger.has_more_steps) {
            doubts.push(format!("more steps led to {name}: only the latest of them are compared"));
        }
        let reasons = self.triggers.iter().flat_map(|trigger| Repetition::compare(trigger, exercise, between).doubts);
        for reason in reasons {
            let doubt = format!("{name} may still be there: {reason}");
            if !doubts.contains(&doubt) {
                doubts.push(doubt);
            }
        }
        doubts
    }

    /// What has to be done, in one go, before it can be called resolved.
    pub(super) fn missing(&self, exercise: &Exercise, between: &Between) -> Option<Missing> {
        let known: Vec<&Step> = self.triggers.iter().flat_map(|trigger| &trigger.steps).collect();
        let missing = self.triggers.iter().filter_map(|trigger| match Repetition::compare(trigger, exercise, between) {
            Repetition { state: Repeated::Yes, .. } => None,
            Repetition { left_early: Some(millis), .. } => Some(Missing::Repeat(format!(
                "{}, and stay on it for at least {} s: the page was left before the error could come (if the fixed page goes on by itself, this session cannot show more)",
                trigger.instruction(),
                millis.saturating_add(999) / 1_000
            ))),
            Repetition { state: Repeated::No, .. } if trigger.is_unprovable() => {
                Some(Missing::Unprovable(trigger.instruction()))
            }
            Repetition { state: Repeated::No, .. } => {
                Some(Missing::Repeat(trigger.instruction_after(exercise, &known)))
            }
            Repetition { state: Repeated::Just(millis), .. } => Some(Missing::of_wait(millis)),
        });
        let missing: Vec<Missing> = missing.collect();
        let mut ways: Vec<&str> = Vec::new();
        for one in &missing {
            if let Missing::Repeat(way) = one
                && !ways.contains(&way.as_str())
            {
                ways.push(way);
            }
        }
        if ways.is_empty() {
            let waits = missing.iter().filter_map(Missing::wait_seconds).max();
            let unprovable = missing.iter().find(|one| one.is_unprovable()).cloned();
            return unprovable.or(waits.map(|seconds| Missing::Wait { seconds }));
        }
        let more = ways.len().saturating_sub(SHOWN_WAYS);
        ways.truncate(SHOWN_WAYS);
        let more = if more > 0 { format!("; and {more} more ways") } else { String::new() };
        Some(Missing::Repeat(format!("{}{more}", ways.join("; and "))))
    }

    /// What to do so that it happens again.
    pub(super) fn instruction(&self) -> Option<String> {
        self.triggers.first().map(Trigger::instruction)
    }

    pub(super) fn bytes(&self) -> usize {
        let triggers = self.triggers.iter().map(Trigger::bytes).sum::<usize>();
        self.key.len() + self.origin.len() + self.words.len() + self.message.len() + self.places.bytes() + triggers
    }
}
