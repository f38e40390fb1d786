//! Decides whether what led to an error was repeated, and lists reasons why it may not have been the same.

use std::collections::HashSet;

use wire::{Timestamp, limits};

use super::asked::Asked;
use super::chance;
use super::exercise::{Again, Exercise, Sent, Taken, Visit};
use super::likeness::Likeness;
use super::page::Page;
use super::trigger::Trigger;

/// Errors travel for about a second, and machines stall.
const MARGIN_MILLIS: i64 = 1_000;
/// How long to wait for the response to a repeated step. The fix may have removed the request.
const ANSWER_MILLIS: i64 = 10_000;
/// How long to wait for an error that happened long after its page was opened.
const OPENED_MILLIS: i64 = 30_000;
/// Pages report a repeated error once within this time.
const HELD_BACK_MILLIS: i64 = limits::DEDUPE_MILLIS as i64;

/// Describes a repetition that may have run the code that failed.
pub(super) const OLD_CODE: &str = "may still run the old code";

const VAGUE: &str = "messages without a type cannot be told apart";

/// The facts about the time between two summaries, besides what was exercised.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Between {
    /// Page loads that were already running before.
    pub(super) known_loads: HashSet<String>,
    /// Those of them that ran the code that failed, if newer code has arrived since.
    pub(super) old_loads: HashSet<String>,
    /// Tabs that received new code without being reloaded, and when.
    pub(super) updates: Vec<(Option<i64>, Timestamp)>,
}

impl Between {
    fn has_new_code(&self, tab: Option<i64>, by: Timestamp) -> bool {
        let is_of_tab = |updated: &Option<i64>| tab.is_none() || updated.is_none() || *updated == tab;
        self.updates.iter().any(|(updated, at)| *at <= by && is_of_tab(updated))
    }

    fn is_new(&self, load: &str) -> bool {
        !self.known_loads.contains(load)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Repeated {
    No,
    /// It was repeated, and the error may still happen: this many milliseconds are left.
    Just(i64),
    Yes,
}

impl Repeated {
    /// The one with more time left.
    fn min(self, other: Self) -> Self {
        match (self, other) {
            (Self::No, _) | (_, Self::No) => Self::No,
            (Self::Just(one), Self::Just(other)) => Self::Just(one.max(other)),
            (Self::Just(left), Self::Yes) | (Self::Yes, Self::Just(left)) => Self::Just(left),
            (Self::Yes, Self::Yes) => Self::Yes,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Repetition {
    pub(super) state: Repeated,
    /// Reasons why it may not have been the same.
    pub(super) doubts: Vec<String>,
    /// It was repeated, but the page was left before the error could happen. The page has to stay for this many
    /// milliseconds.
    pub(super) left_early: Option<i64>,
}

impl Repetition {
    const NONE: Self = Self { state: Repeated::No, doubts: Vec::new(), left_early: None };

    fn left_early(needed: i64) -> Self {
        Self { left_early: Some(needed), ..Self::NONE }
    }

    /// Orders repetitions by what they prove: first those that resolve the issue without doubt, then those that only
    /// need time.
    fn worth(&self) -> (bool, bool, bool, usize) {
        let is_done = self.state != Repeated::No;
        (is_done, self.doubts.is_empty(), self.state == Repeated::Yes, usize::MAX - self.doubts.len())
    }

    /// Compares `trigger` with what was exercised later.
    pub(super) fn compare(trigger: &Trigger, exercise: &Exercise, between: &Between) -> Self {
        let judge = Judge { trigger, exercise, between };
        if !trigger.steps.is_empty() {
            return judge.of_steps().or_else(|| judge.by_another_step()).unwrap_or(Self::NONE);
        }
        // Evicted entries may have been part of the trigger.
        if trigger.is_cut {
            return Self::NONE;
        }
        let is_by_itself = trigger.requests.is_empty() && trigger.messages.is_empty();
        let found = if is_by_itself { judge.of_opening() } else { judge.of_traffic() };
        found.unwrap_or(Self::NONE)
    }

    /// Milliseconds for which a response to its repeated steps may still arrive.
    pub(super) fn answer_in(trigger: &Trigger, exercise: &Exercise) -> Option<i64> {
        let latest = exercise.steps_again(trigger).next()?.last;
        let until = latest.at.millis().saturating_add(ANSWER_MILLIS);
        Some(until.saturating_sub(exercise.now.millis()))
    }

    /// Considers only the steps.
    pub(super) fn of_steps(trigger: &Trigger, exercise: &Exercise) -> Self {
        let judge = Judge { trigger, exercise, between: &Between::default() };
        judge.of_steps().unwrap_or(Self::NONE)
    }

    fn doubt(&mut self, words: String) {
        if !self.doubts.contains(&words) {
            self.doubts.push(words);
        }
    }
}

struct Judge<'j> {
    trigger: &'j Trigger,
    exercise: &'j Exercise,
    between: &'j Between,
}

impl Judge<'_> {
    /// The user's steps were taken again, in order. Of several times, the one that proves most.
    fn of_steps(&self) -> Option<Repetition> {
        let mut times = 0;
        let mut best: Option<Repetition> = None;
        for again in self.exercise.steps_again(self.trigger) {
            times += 1;
            let Some(found) = self.of_steps_at(&again) else { continue };
            // The latest among equals.
            if best.as_ref().is_none_or(|best| found.worth() > best.worth()) {
                best = Some(found);
            }
        }
        let mut best = best?;
        best.doubts.extend(self.by_chance(times, "the steps were taken"));
        Some(best)
    }

    fn of_steps_at(&self, again: &Again<'_>) -> Option<Repetition> {
        let (trigger, last) = (self.trigger, again.last);
        let mut found = self.since(last.at, last.load.as_deref());
        if trigger.opened_page {
            let opened = self.opened_by(last)?;
            let age = trigger.age.unwrap_or(0).min(OPENED_MILLIS);
            if let Some(needed) = self.is_left(opened.load.as_deref(), opened.first, age) {
                return Some(Repetition::left_early(needed));
            }
            let until = opened.first.millis().saturating_add(age).saturating_add(MARGIN_MILLIS);
            found.state = found.state.min(self.until(until));
        } else if let Some(needed) = self.is_left(last.load.as_deref(), last.at, self.needed_after(last.at)) {
            return Some(Repetition::left_early(needed));
        }
        if self.runs_old_code(last.load.as_deref(), last.at) {
            found.doubt(format!("the steps were repeated in a page that {OLD_CODE}"));
        }
        for step in &again.near {
            found.doubt(format!(
                "{} was repeated on what is not quite the same: a name, a number, a place or the page's address differs",
                step.text()
            ));
        }
        again.other_fields.iter().for_each(|doubt| found.doubt(doubt.clone()));
        trigger.hidden_fields().for_each(|doubt| found.doubt(doubt));
        Some(found)
    }

    /// The load of the error's page that this step opened.
    fn opened_by(&self, last: &Taken) -> Option<&Visit> {
        let tab = last.load.as_deref().and_then(|load| self.exercise.tab_of(load));
        let after = self.exercise.visits(&self.trigger.page).iter().filter(|visit| {
            let is_of_tab = tab.is_none() || visit.tab.is_none() || visit.tab == tab;
            visit.first >= last.at && is_of_tab
        });
        after.min_by_key(|visit| visit.first)
    }

    /// How long after a step its page had to stay, at most, for the error to happen: if its requests got responses, as
    /// long after these as it took before.
    fn needed_after(&self, at: Timestamp) -> i64 {
        let Trigger { delay, settle, requests, followed, .. } = self.trigger;
        let mut last = at;
        for asked in requests.iter().chain(followed) {
            let Some(sent) = self.exercise.request(asked, |sent| sent.last >= at) else { return *delay };
            last = last.max(if sent.first >= at { sent.first } else { sent.last });
        }
        let answered = last.millis().saturating_sub(at.millis());
        if requests.is_empty() && followed.is_empty() { *delay } else { answered.saturating_add(*settle).min(*delay) }
    }

    /// Whether a page load left the trigger's pages within this many milliseconds: then the error's absence proves
    /// nothing. Returns how long the page has to stay.
    fn is_left(&self, load: Option<&str>, from: Timestamp, needed: i64) -> Option<i64> {
        let pages: Vec<&Page> = self.trigger.pages().collect();
        let left = self.exercise.left(load?, &pages, from)?;
        (left.millis().saturating_sub(from.millis()) < needed).then_some(needed)
    }

    /// A button may have been renamed; the request that it sends is the same.
    fn by_another_step(&self) -> Option<Repetition> {
        let mut last: Option<Timestamp> = None;
        for asked in self.trigger.requests.iter() {
            let sent = self.exercise.request_by_user(asked).filter(|sent| sent.likeness(asked) == Likeness::Same)?;
            if asked.is_shared {
                return None;
            }
            last = last.max(Some(sent.last));
        }
        if self.trigger.opened_page {
            return None;
        }
        let mut found = self.since(last?, None);
        for asked in &self.trigger.requests {
            found.doubt(format!("{} was sent by another step", asked.text()));
        }
        Some(found)
    }

    /// Requests and messages without a user action were repeated.
    fn of_traffic(&self) -> Option<Repetition> {
        let needs_opening = self.trigger.is_of_load() && self.trigger.page_id.is_some();
        let (opened, left) = self.opened();
        if let Some(needed) = left.filter(|_| needs_opening) {
            return Some(Repetition::left_early(needed));
        }
        if needs_opening && opened.is_none() {
            return None;
        }
        let is_of_new_load = |load: &Option<String>| load.as_deref().is_none_or(|load| self.between.is_new(load));
        let (mut last, mut times): (Option<Timestamp>, u64) = (None, 0);
        let (mut near, mut unsent, mut shared, mut failed) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut is_of_old_code = false;
        for asked in &self.trigger.requests {
            let is_meant = |sent: &Sent| !needs_opening || is_of_new_load(&sent.load);
            let stays = |sent: &Sent| self.is_left(sent.load.as_deref(), sent.first, self.trigger.delay).is_none();
            let stayed = self.exercise.request(asked, |sent| is_meant(sent) && stays(sent));
            if stayed.is_none() && self.exercise.request(asked, is_meant).is_some() {
                return Some(Repetition::left_early(self.trigger.delay));
            }
            let Some(sent) = stayed else {
                // A page that is reopened may request less: the fix removed a request, or the user is still signed in.
                opened.filter(|_| needs_opening)?;
                unsent.push(asked);
                continue;
            };
            if sent.likeness(asked) == Likeness::Near {
                near.push(asked);
            }
            if sent.is_failed() && !asked.is_failed {
                failed.push(asked);
            }
            if asked.is_shared {
                shared.push(asked);
            }
            is_of_old_code |= self.runs_old_code(sent.load.as_deref(), sent.last);
            last = last.max(Some(sent.first));
            times = times.max(sent.times);
        }
        let mut other = Vec::new();
        for heard in &self.trigger.messages {
            let came = self.exercise.message(heard)?;
            if !came.has_content_of(heard) {
                other.push(heard);
            }
            last = last.max(Some(came.last));
        }
        let opened_at = opened.filter(|_| needs_opening).map(|visit| visit.first);
        let mut found = self.since(last.or(opened_at)?, None);
        if let (false, Some(at), Some(age)) = (unsent.is_empty(), opened_at, self.trigger.age) {
            found.state = found.state.min(self.until(at.millis().saturating_add(age).saturating_add(MARGIN_MILLIS)));
        }
        for asked in unsent {
            found.doubt(self.unanswered(asked));
        }
        for asked in failed {
            found.doubt(format!("{} failed this time", asked.text()));
        }
        for asked in shared {
            found.doubt(format!("without bodies the operations of {} cannot be told apart", asked.text()));
        }
        for heard in other {
            found.doubt(format!("{} came with other content", heard.message()));
        }
        if is_of_old_code {
            found.doubt(format!("the page {OLD_CODE}"));
        }
        for asked in near {
            let what = "was sent again, though not quite the same: its address or its content differs";
            found.doubt(format!("{} {what}", asked.text()));
        }
        if self.trigger.messages.iter().any(|heard| heard.is_vague()) {
            found.doubt(VAGUE.to_owned());
        }
        if !self.trigger.requests.is_empty() {
            found.doubts.extend(self.by_chance(times, "the requests were sent"));
        }
        Some(found)
    }

    /// The only trigger was that its page was opened.
    fn of_opening(&self) -> Option<Repetition> {
        let Trigger { page, tab, .. } = self.trigger;
        // Without a known page, any activity would count.
        page.as_ref()?;
        let mut found = Repetition { state: Repeated::Yes, ..Repetition::NONE };
        let (opened, left) = self.opened();
        if let Some(needed) = left {
            return Some(Repetition::left_early(needed));
        }
        let Some(visit) = opened else {
            let is_used = !self.exercise.visits(page).is_empty();
            if !is_used || !self.between.has_new_code(*tab, self.exercise.now) {
                return None;
            }
            found.doubt("the page was hot-updated, not opened again".to_owned());
            return Some(found);
        };
        let age = self.age();
        if let Some(age) = &age {
            let until = visit.first.millis().saturating_add((*age).min(OPENED_MILLIS)).saturating_add(MARGIN_MILLIS);
            found.state = self.until(until);
            if *age > limits::VERIFY_TRIGGER_MILLIS {
                found.doubt(format!(
                    "it came {} s after its page was opened, and what led to it is not known",
                    age / 1_000
                ));
            }
        }
        let is_known_new = visit.load.as_deref().is_some_and(|load| self.between.is_new(load));
        if self.trigger.page_id.is_none() && !is_known_new {
            found.doubt("its sender names no page loads, so whether its page was opened again is not known".to_owned());
        }
        if visit.tab.is_some() && tab.is_some() && visit.tab != *tab {
            found.doubt("its page was opened again in another tab".to_owned());
        }
        if self.trigger.address.is_some_and(|address| !visit.addresses.contains(&address)) {
            let what = "its page was opened again, though not quite the same: the address differs";
            found.doubt(what.to_owned());
        }
        let times = self.exercise.visits(page).iter().filter(|visit| self.is_new(visit)).count();
        found.doubts.extend(self.by_chance(times as u64, "the page was opened"));
        Some(found)
    }

    /// The time from the opening of its page to the error. If unknown, it exceeds the time in which triggers are
    /// searched for.
    fn age(&self) -> Option<i64> {
        let Trigger { age, page_id, .. } = self.trigger;
        age.or(page_id.is_none().then_some(limits::VERIFY_TRIGGER_MILLIS))
    }

    /// The new load of the error's page that is most like the original one, if it was not left before the error could
    /// happen; else how long it has to stay.
    fn opened(&self) -> (Option<&Visit>, Option<i64>) {
        let Trigger { page, tab, address, .. } = self.trigger;
        let age = self.age().unwrap_or(0).min(OPENED_MILLIS);
        let left = |visit: &Visit| self.is_left(visit.load.as_deref(), visit.first, age);
        let new = self.exercise.visits(page).iter().filter(|visit| self.is_new(visit));
        let best = new.min_by_key(|visit| {
            let is_there = address.is_none_or(|address| visit.addresses.contains(&address));
            (left(visit).is_some(), !is_there, visit.tab != *tab, visit.first)
        });
        match best.and_then(left) {
            Some(needed) => (None, Some(needed)),
            None => (best, None),
        }
    }

    /// Whether a page load ran the code that failed at this time.
    fn runs_old_code(&self, load: Option<&str>, at: Timestamp) -> bool {
        load.is_some_and(|load| {
            let tab = self.exercise.tab_of(load);
            self.between.old_loads.contains(load) && !self.between.has_new_code(tab, at)
        })
    }

    /// The same load with the same code has no reason to fail again, and neither has an older one.
    fn is_new(&self, visit: &Visit) -> bool {
        let Some(own) = &self.trigger.page_id else { return true };
        let visits = self.exercise.visits(&self.trigger.page);
        match &visit.load {
            Some(load) => load != own && self.between.is_new(load),
            None => visits.iter().all(|visit| visit.load.is_none()),
        }
    }

    /// Whether there was enough time for the error to happen again. `load` is the page load in which the trigger was
    /// repeated, if known.
    fn since(&self, at: Timestamp, load: Option<&str>) -> Repetition {
        let (trigger, at) = (self.trigger, at.millis());
        let mut doubts = Vec::new();
        let mut until = at.saturating_add(trigger.delay).saturating_add(MARGIN_MILLIS);
        let of_steps = trigger.requests.iter().chain(&trigger.followed).filter(|_| !trigger.steps.is_empty());
        for (place, asked) in of_steps.enumerate() {
            let name = asked.text();
            let is_followed = place >= trigger.requests.len();
            // Of requests that no user event sent, one successful response is enough: others may be about something
            // else.
            let is_failed = |sent: &Sent| if is_followed { sent.has_only_failed() } else { sent.is_failed() };
            let answered = self.exercise.request(asked, |sent| sent.last.millis() >= at);
            let Some(sent) = answered else {
                until = until.max(at.saturating_add(ANSWER_MILLIS));
                doubts.push(self.unanswered(asked));
                continue;
            };
            // The first response after the step is the one to wait for. Polled endpoints respond again and again.
            let answered = if sent.first.millis() >= at { sent.first } else { sent.last };
            let heard = answered.millis().saturating_add(MARGIN_MILLIS);
            until = until.max(heard.min(at.saturating_add(ANSWER_MILLIS)));
            if is_failed(sent) && !asked.is_failed {
                doubts.push(format!("{name} failed this time"));
            } else if !sent.has_content_of(asked) {
                doubts.push(format!("{name} was sent with other content"));
            }
        }
        for heard in trigger.messages.iter().filter(|_| !trigger.steps.is_empty()) {
            let message = heard.message();
            match self.exercise.message(heard).filter(|came| came.last.millis() >= at) {
                None => {
                    until = until.max(at.saturating_add(ANSWER_MILLIS));
                    doubts.push(format!("{message} did not come after the steps this time: let {}", heard.text()));
                }
                Some(_) if heard.is_frequent => {}
                Some(came) if !came.has_content_of(heard) => {
                    doubts.push(format!("{message} came with other content"));
                }
                Some(_) if heard.is_vague() => doubts.push(VAGUE.to_owned()),
                Some(_) => {}
            }
        }
        // In a backward comparison the repetition precedes the error, which then held nothing back.
        let held_back = trigger.at.millis()..trigger.at.millis().saturating_add(HELD_BACK_MILLIS);
        let is_same_load = load.is_none() || trigger.page_id.is_none() || load == trigger.page_id.as_deref();
        if is_same_load && held_back.contains(&at) {
            until = until.max(held_back.end.saturating_add(MARGIN_MILLIS));
        }
        Repetition { state: self.until(until), doubts, left_early: None }
    }

    /// Nothing shows that a request was sent: requests are captured when they get a response.
    fn unanswered(&self, asked: &Asked) -> String {
        let name = asked.text();
        if self.exercise.lost_requests {
            return format!("whether {name} was sent this time is not known: requests left the buffers");
        }
        format!("no answer to {name} came this time: it is still under way, or the fix removed it")
    }

    fn until(&self, millis: i64) -> Repeated {
        match millis.saturating_sub(self.exercise.now.millis()) {
            left @ 1.. => Repeated::Just(left),
            _ => Repeated::Yes,
        }
    }

    /// An intermittent error may persist.
    fn by_chance(&self, times: u64, what: &str) -> Option<String> {
        let tries = self.trigger.tries?;
        let more = chance::more_needed(self.trigger.count, tries, times)?;
        let (count, times) = (self.trigger.count, chance::times(times));
        Some(format!("it came {count} of {tries} times, and {what} {times} since: do it {more} more to be sure"))
    }
}
