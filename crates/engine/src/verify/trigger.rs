//! The trigger of an error: the user's steps, the requests and the socket messages in the seconds before it.

use wire::{Level, Timestamp, limits};

use super::asked::Asked;
use super::exercise::Exercise;
use super::heard::Heard;
use super::page::Page;
use super::same::same_address;
use super::step::Step;
use crate::entry::{Action, ActionKind, Entry, Log, Request, SocketEvent};
use crate::failures::Failure;
use crate::session::Session;
use crate::store::{Ring, Stored, load_of};

/// Steps, requests and messages that are kept for each error, the latest.
const STEPS: usize = 20;
const REQUESTS: usize = 5;
const MESSAGES: usize = 3;
/// Fields of a form that are kept as well, and the time that filling one takes.
const FIELDS: usize = 10;
const FORM_MILLIS: i64 = 60_000;
/// Handlers of socket messages fail at once or after a short computation.
const MESSAGE_MILLIS: i64 = 1_000;
/// The end of a request and an error in its handler may be recorded in either order.
const SAME_MOMENT_MILLIS: i64 = 5;
/// The requests of a step are sent within this time. A request that is repeated this fast without a step is polled.
const STEP_MILLIS: i64 = 2_000;
const POLLED: usize = 2;
/// Pages report typing when it pauses for this long.
const KEY_MILLIS: i64 = 500;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Trigger {
    pub(super) page: Option<Page>,
    /// A hash of the page's address, with identifiers and query.
    pub(super) address: Option<u64>,
    /// When the error last happened.
    pub(super) at: Timestamp,
    /// When it first happened.
    pub(super) first: Timestamp,
    /// The page load of its last occurrence.
    pub(super) page_id: Option<String>,
    /// The page load of its first occurrence.
    pub(super) first_load: Option<String>,
    /// The latest first, as in the other lists.
    pub(super) steps: Vec<Step>,
    /// Whether all steps were taken in one page load.
    pub(super) is_of_one_load: bool,
    /// Fields of a form that were filled earlier than the time in which steps are searched for.
    pub(super) earlier_fields: Vec<Step>,
    pub(super) requests: Vec<Asked>,
    /// Requests after the last step that no user event sent, as happens after any `await`. The error may have waited
    /// for them.
    pub(super) followed: Vec<Asked>,
    /// Requests that no user event sent, with a response just before the error.
    pub(super) traffic: Vec<Asked>,
    /// Socket messages just before the error and after the last step.
    pub(super) messages: Vec<Heard>,
    pub(super) tab: Option<i64>,
    /// Milliseconds from the first known event of the page load to the error.
    pub(super) age: Option<i64>,
    /// How often the error had this trigger.
    pub(super) count: u64,
    /// How often the trigger occurred, if that is known and exceeds the count of the error.
    pub(super) tries: Option<u64>,
    /// Milliseconds from the last of these steps, or else requests, to the error.
    pub(super) delay: i64,
    /// The same from the last response to one of these requests, if that is later.
    pub(super) settle: i64,
    /// Whether the steps were taken in an earlier page load, which opened the error's page.
    pub(super) opened_page: bool,
    /// Whether entries of these seconds were evicted, so that the trigger may be incomplete.
    pub(super) is_cut: bool,
    /// Whether more steps led to it than are kept.
    pub(super) has_more_steps: bool,
}

impl Trigger {
    pub(super) fn from_failure(session: &Session, failure: &Failure<'_>) -> Self {
        let until = failure.time();
        let from = Timestamp::from_millis(until.millis().saturating_sub(limits::VERIFY_TRIGGER_MILLIS));
        let place = Place::from_failure(failure);
        let age = place
            .page_id
            .and_then(|load| session.store.opened(load))
            .map(|opened| until.millis().saturating_sub(opened.millis()))
            // If nothing else is known about a page load, its first event says nothing about its start.
            .map(|age| if age == 0 && is_alone(session, failure) { limits::VERIFY_TRIGGER_MILLIS } else { age });
        let place = Place { opened: opened_by_step(session, &place, age, from), ..place };
        let mut steps: Vec<(Timestamp, Step)> = Vec::new();
        // The page loads of the steps that are not weak, the latest first.
        let mut step_loads: Vec<Option<&str>> = Vec::new();
        let mut has_more_steps = false;
        for stored in session.store.actions.iter().rev() {
            let at = time_of(stored);
            let is_before = at >= from && began(&stored.entry, at) <= until && stored.cursor != failure.cursor();
            if !is_before || !place.admits_step(session, &stored.entry) {
                continue;
            }
            let step = Step::from_action(&stored.entry);
            let load = stored.entry.page_id.as_deref().map(load_of);
            if !step.is_weak() && !step_loads.contains(&load) {
                step_loads.push(load);
            }
            if !steps.iter().any(|(_, known)| known.is_same(&step)) {
                if steps.len() < STEPS { steps.push((at.min(until), step)) } else { has_more_steps = true }
            }
        }
        // Address changes while the page opens are not steps.
        if is_of_load(age) || steps.iter().any(|(_, step)| !step.is_weak()) {
            steps.retain(|(_, step)| !step.is_weak());
        }
        let earlier_fields = if steps.first().is_some_and(|(_, last)| last.may_send_a_form()) {
            earlier_fields(session, &place, from, &steps)
        } else {
            Vec::new()
        };
        let last_step = steps.iter().map(|(at, _)| *at).max();
        let mut requests: Vec<Asked> = Vec::new();
        let mut followed: Vec<Asked> = Vec::new();
        let mut last_answer: Option<Timestamp> = None;
        let mut settled = last_step;
        let just_before = Timestamp::from_millis(until.millis().saturating_sub(MESSAGE_MILLIS));
        let mut traffic: Vec<Asked> = Vec::new();
        for stored in session.store.network.iter().rev() {
            let began = time_of(stored);
            let is_before = ended(stored) >= from && began <= until;
            if !is_before || !place.admits_request(session, &stored.entry) {
                continue;
            }
            // If the user took steps, only requests of the last one's event prove that it was taken: pages send many
            // requests by themselves.
            let belongs = last_step.is_none_or(|last| stored.entry.trigger.is_some() && began >= last);
            // The error cannot have waited for a request that ended later, such as a report of the error itself.
            let is_over = ended(stored).millis() <= until.millis() + SAME_MOMENT_MILLIS;
            let is_after = last_step.is_some_and(|last| began >= last) && is_over && !is_polled(session, stored);
            let asked = Asked::from_request(&stored.entry);
            let is_known = requests.iter().chain(&followed).any(|known| known.is_same(&asked));
            let is_of_traffic = is_over && ended(stored) >= just_before && !asked.by_user;
            if is_of_traffic && traffic.len() < REQUESTS && !traffic.iter().any(|known| known.is_same(&asked)) {
                traffic.push(asked.clone());
            }
            if is_over && (belongs || is_after) {
                settled = settled.max(Some(ended(stored).min(until)));
            }
            if !belongs && is_after && !is_known && followed.len() < REQUESTS {
                followed.push(asked);
            } else if belongs && requests.len() < REQUESTS && !requests.iter().any(|known| known.is_same(&asked)) {
                followed.retain(|known| !known.is_same(&asked));
                requests.push(asked);
                last_answer = last_answer.max(Some(ended(stored).min(until)));
            }
        }
        let mut messages: Vec<Heard> = Vec::new();
        let heard_from = last_step.map_or(just_before, |last| last.max(just_before));
        for stored in session.store.websocket.iter().rev() {
            if (heard_from..=until).contains(&time_of(stored))
                && place.admits(&stored.entry, stored.entry.page_id.as_deref(), &None)
                && let Some(mut heard) = Heard::from_event(&stored.entry)
                && messages.len() < MESSAGES
                && !messages.iter().any(|known| known.is_same(&heard))
            {
                heard.is_frequent = last_step.is_some() && is_frequent(session, stored, &heard);
                messages.push(heard);
            }
        }
        let last = last_step.or(last_answer).unwrap_or(until);
        Self {
            at: until,
            first: until,
            first_load: place.page_id.map(str::to_owned),
            age,
            count: failure.times(),
            tries: None,
            address: failure.page().map(same_address),
            messages,
            has_more_steps,
            tab: place.tab,
            delay: until.millis().saturating_sub(last.millis()).max(0),
            settle: until.millis().saturating_sub(settled.unwrap_or(last).millis()).max(0),
            opened_page: place.opened.is_some() && step_loads.first().is_some_and(|load| *load != place.page_id),
            is_of_one_load: step_loads.len() <= 1,
            page: failure.page().map(Page::from_url),
            page_id: place.page_id.map(str::to_owned),
            steps: steps.into_iter().map(|(_, step)| step).collect(),
            earlier_fields,
            requests,
            followed,
            traffic,
            is_cut: session.store.cleared().is_some_and(|at| at > from && place.is_older_than_clearing(session))
                || has_lost(&session.store.actions, from)
                || has_lost(&session.store.network, from),
        }
    }

    /// Whether it happened while the page opened.
    pub(super) fn is_of_load(&self) -> bool {
        is_of_load(self.age)
    }

    /// The fields of a form that were filled for it.
    pub(super) fn fields(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(|step| step.is_field()).chain(&self.earlier_fields)
    }

    /// Fields whose value may have differed: redacted values are not compared.
    pub(super) fn hidden_fields(&self) -> impl Iterator<Item = String> {
        let hidden = self.fields().filter(|step| step.is_hidden());
        hidden.map(|step| format!("whether {} was repeated with the same value is not known", step.text()))
    }

    /// The pages on which it happened and on which its steps were taken.
    pub(super) fn pages(&self) -> impl Iterator<Item = &Page> {
        self.page.iter().chain(self.steps.iter().filter_map(Step::page))
    }

    /// Whether both require the same to be done. The page load does not matter.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let has_same_steps = self.steps.len() == other.steps.len()
            && self.steps.iter().all(|step| other.steps.iter().any(|known| known.is_same(step)));
        let has_same_requests = self.requests.len() == other.requests.len()
            && self.requests.iter().all(|asked| other.requests.iter().any(|known| known.is_same(asked)));
        let has_same_messages = self.messages.len() == other.messages.len()
            && self.messages.iter().all(|heard| other.messages.iter().any(|known| known.is_same(heard)));
        let is_same = has_same_steps && has_same_requests && has_same_messages;
        self.page == other.page && self.is_cut == other.is_cut && is_same
    }

    /// Merges an earlier equal trigger.
    pub(super) fn add(&mut self, earlier: Self) {
        // The longest delay is the one to wait for.
        self.delay = self.delay.max(earlier.delay);
        self.settle = self.settle.max(earlier.settle);
        self.opened_page |= earlier.opened_page;
        self.is_of_one_load &= earlier.is_of_one_load;
        self.age = self.age.max(earlier.age);
        self.count += earlier.count;
        self.at = self.at.max(earlier.at);
        if earlier.first < self.first {
            (self.first, self.first_load) = (earlier.first, earlier.first_load);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let steps = self.steps.iter().chain(&self.earlier_fields).map(Step::bytes);
        let requests = self.requests.iter().chain(&self.followed).chain(&self.traffic).map(Asked::bytes);
        let loads = [&self.page_id, &self.first_load].into_iter().flatten().map(String::len).sum::<usize>();
        let own = self.page.as_ref().map_or(0, Page::bytes) + loads;
        own + steps.chain(requests).chain(self.messages.iter().map(Heard::bytes)).sum::<usize>()
    }

    /// The instruction after a part of it was done: the missing part may no longer exist. `known` are all steps of any
    /// trigger of the error.
    pub(super) fn instruction_after(&self, exercise: &Exercise, known: &[&Step]) -> String {
        let instruction = self.instruction();
        let is_missing = |step: &&Step| !step.is_field() && !exercise.has_step(step);
        let Some(missing) = self.steps.iter().find(is_missing) else { return instruction };
        // If the page was used without this step, its element may no longer exist.
        let was_used = exercise.has_other_step_beside(missing, known)
            || self.steps.first().is_some_and(|last| exercise.has_step(last));
        if !was_used {
            return instruction;
        }
        format!(
            "{instruction} ({} was not repeated: if the fix removed, renamed or disabled it, this session cannot show that the error is gone. Then cancel it, and check the new way with generate_test or diff_sessions)",
            missing.text()
        )
    }

    /// Whether nothing is known that could be repeated.
    pub(super) fn is_unprovable(&self) -> bool {
        let knows_nothing = self.requests.is_empty() && self.messages.is_empty() && self.page.is_none();
        self.steps.is_empty() && (self.is_cut || knows_nothing)
    }

    /// Its steps in the order in which they were taken.
    pub(super) fn steps_text(&self) -> String {
        let steps: Vec<&str> = self.steps.iter().rev().map(Step::text).collect();
        steps.join(", then ")
    }

    /// What to do so that the error happens again.
    pub(super) fn instruction(&self) -> String {
        let first_page = self.steps.last().and_then(Step::page);
        let page = first_page.or(self.page.as_ref()).map(|page| format!("on {}", page.text())).unwrap_or_default();
        // The lists have the latest first.
        let requests: Vec<&str> = self.requests.iter().rev().map(Asked::text).collect();
        let messages: Vec<String> = self.messages.iter().rev().map(Heard::text).collect();
        let what = match (self.steps.is_empty(), requests.is_empty(), messages.is_empty()) {
            (false, ..) => match self.page.as_ref().filter(|_| self.opened_page) {
                Some(page) => format!("{}, and let it open {}", self.steps_text(), page.text()),
                None => self.steps_text(),
            },
            (true, ..) if self.is_cut => return FORGOTTEN.to_owned(),
            (true, false, true) => format!("let the page send {}", requests.join(" and ")),
            (true, true, false) => format!("let {}", messages.join(" and ")),
            (true, false, false) => {
                format!("let the page send {} and {}", requests.join(" and "), messages.join(" and "))
            }
            (true, true, true) if self.page.is_some() => "open the page again".to_owned(),
            (true, true, true) => NO_PAGE.to_owned(),
        };
        if page.is_empty() { what } else { format!("{page}: {what}") }
    }
}

/// The advice where nothing can show whether the page was used again.
const NO_PAGE: &str = "the error names no page, so nothing shows whether its page was used again: let its sender state `url`, then start a new session (or capture a new snapshot)";
/// The advice where nothing is known that could be repeated.
const FORGOTTEN: &str = "what led to it is not known any more: let the error happen again, then start a new session (or capture a new snapshot)";

/// The fields of the form that were filled in the minute before, since the last submit.
fn earlier_fields(session: &Session, place: &Place<'_>, until: Timestamp, steps: &[(Timestamp, Step)]) -> Vec<Step> {
    let from = Timestamp::from_millis(until.millis().saturating_sub(FORM_MILLIS));
    let mut fields: Vec<Step> = Vec::new();
    let earlier = session.store.actions.iter().rev().filter(|stored| (from..until).contains(&time_of(stored)));
    let earlier = earlier
        .filter(|stored| place.admits_step(session, &stored.entry))
        .map(|stored| Step::from_action(&stored.entry));
    for step in earlier.take_while(|step| !step.ends_a_form()).filter(Step::is_field) {
        let is_known = steps.iter().map(|(_, step)| step).chain(&fields).any(|known| known.is_same(&step));
        if !is_known && fields.len() < FIELDS {
            fields.push(step);
        }
    }
    fields
}

fn time_of<T: Entry>(stored: &Stored<T>) -> Timestamp {
    stored.entry.at()
}

/// When a step began. Typing is reported when it ends, with the time of its last key, so an error of the first key is
/// older.
fn began(action: &Action, at: Timestamp) -> Timestamp {
    if action.kind != ActionKind::Input {
        return at;
    }
    let keys = action.value.as_ref().map_or(1, |value| value.chars().count()).max(1);
    let typing =
        i64::try_from(keys - 1).unwrap_or(i64::MAX).saturating_mul(KEY_MILLIS).min(limits::VERIFY_TRIGGER_MILLIS);
    Timestamp::from_millis(at.millis().saturating_sub(typing))
}

/// The place of a failure, which decides whose entries can have led to it.
struct Place<'f> {
    tab: Option<i64>,
    test: Option<&'f str>,
    page_id: Option<&'f str>,
    page: Option<Page>,
    origin: String,
    /// When its page load began, if a step in the previous load opened it.
    opened: Option<Timestamp>,
}

impl<'f> Place<'f> {
    fn from_failure(failure: &Failure<'f>) -> Self {
        Self {
            tab: failure.tab_id(),
            test: failure.test_id(),
            page_id: failure.page_id().map(load_of),
            page: failure.page().map(Page::from_url),
            origin: super::page::origin(failure.page()),
            opened: None,
        }
    }

    /// Whether some of its entries may have been cleared: it existed before the clearing, or its start is unknown.
    fn is_older_than_clearing(&self, session: &Session) -> bool {
        self.page_id.is_none_or(|load| session.store.was_cleared(load))
    }

    /// Whether a step belongs to it. A frame of another origin may react to a click outside of the frame.
    fn admits_step(&self, session: &Session, action: &Action) -> bool {
        let is_of_same_load = self.page_id.is_some() && self.page_id == action.page_id.as_deref().map(load_of);
        let page = if is_of_same_load { &None } else { &action.url };
        self.admits(action, action.page_id.as_deref(), page)
            || self.admits_earlier(session, action, action.url.as_deref())
    }

    fn admits_request(&self, session: &Session, request: &Request) -> bool {
        self.admits(request, request.page_id.as_deref(), &request.page_url)
            || self.admits_earlier(session, request, request.page_url.as_deref())
    }

    /// Whether an entry belongs to the page load that a step replaced by the error's.
    fn admits_earlier<T: Entry>(&self, session: &Session, entry: &T, page: Option<&str>) -> bool {
        self.opened.is_some_and(|opened| self.is_of_earlier(session, entry, page, opened))
    }

    fn is_of_earlier<T: Entry>(&self, session: &Session, entry: &T, page: Option<&str>, opened: Timestamp) -> bool {
        let load = entry.page_id().map(load_of);
        let is_of_test = self.test.is_none() || entry.test_id().is_none() || self.test == entry.test_id();
        load.is_some()
            && load != self.page_id
            && entry.at() <= opened
            && entry.tab_id() == self.tab
            && is_of_test
            && super::page::origin(page) == self.origin
            // Without tabs, two pages may be open at once.
            && (self.tab.is_some() || load.is_some_and(|load| is_over(session, load, opened)))
    }

    fn admits<T: Entry>(&self, entry: &T, page_id: Option<&str>, page: &Option<String>) -> bool {
        fn agree<T: PartialEq>(one: Option<T>, other: Option<T>) -> bool {
            one.is_none() || other.is_none() || one == other
        }
        let has_same_origin =
            page.is_none() || self.origin.is_empty() || super::page::origin(page.as_deref()) == self.origin;
        agree(self.tab, entry.tab_id())
            && agree(self.test, entry.test_id())
            && agree(self.page_id, page_id.map(load_of))
            && has_same_origin
    }
}

/// When the failure's page load began, if a step of the previous load opened it: a submitted form, or any other step on
/// another page just before. A page that is reopened by its address was opened by no step.
fn opened_by_step(session: &Session, place: &Place<'_>, age: Option<i64>, from: Timestamp) -> Option<Timestamp> {
    let opened = place.page_id.filter(|_| is_of_load(age)).and_then(|load| session.store.opened(load))?;
    let opens = |stored: &&Stored<Action>| {
        let (action, step) = (&stored.entry, Step::from_action(&stored.entry));
        let is_other_page = step.page() != place.page.as_ref();
        time_of(*stored) >= from
            && step.may_send_a_form()
            && (is_other_page || action.kind == ActionKind::Submit)
            && place.is_of_earlier(session, action, action.url.as_deref(), opened)
    };
    session.store.actions.iter().find(opens).map(|_| opened)
}

/// Whether a page load has no entries after this time.
fn is_over(session: &Session, load: &str, by: Timestamp) -> bool {
    fn goes_on<T: Entry>(ring: &Ring<T>, load: &str, by: Timestamp) -> bool {
        ring.iter().any(|stored| stored.entry.page_id().map(load_of) == Some(load) && time_of(stored) > by)
    }
    let store = &session.store;
    !(goes_on(&store.logs, load, by) || goes_on(&store.network, load, by) || goes_on(&store.actions, load, by))
}

/// Whether a socket receives this message again and again, whatever the user does.
fn is_frequent(session: &Session, message: &Stored<SocketEvent>, heard: &Heard) -> bool {
    let load = message.entry.page_id.as_deref().map(load_of);
    let others = session.store.websocket.iter().filter(|other| {
        other.cursor != message.cursor
            && other.entry.page_id.as_deref().map(load_of) == load
            && Heard::from_event(&other.entry).is_some_and(|other| other.is_same(heard))
            && !follows_step(session, time_of(other))
    });
    others.take(POLLED).count() >= POLLED
}

fn follows_step(session: &Session, at: Timestamp) -> bool {
    let since = |action: &Stored<Action>| at.millis() - action.entry.at.millis();
    session.store.actions.iter().any(|action| (0..=STEP_MILLIS).contains(&since(action)))
}

/// Whether its page sends this request again and again, whatever the user does.
fn is_polled(session: &Session, request: &Stored<Request>) -> bool {
    let asked = Asked::from_request(&request.entry);
    let load = request.entry.page_id.as_deref().map(load_of);
    let others = session.store.network.iter().filter(|other| {
        other.cursor != request.cursor
            && other.entry.page_id.as_deref().map(load_of) == load
            && Asked::from_request(&other.entry).is_same(&asked)
            && !follows_step(session, other.entry.at)
    });
    others.take(POLLED).count() >= POLLED
}

/// Whether only failures are known of this failure's page load.
fn is_alone(session: &Session, failure: &Failure<'_>) -> bool {
    fn has_other<T: Entry>(ring: &Ring<T>, load: &str, own: u64) -> bool {
        let is_of_load = |stored: &Stored<T>| stored.entry.page_id().map(load_of) == Some(load);
        ring.iter().any(|stored| stored.cursor != own && is_of_load(stored))
    }
    // Another error says as little about the start of the load.
    let says_more = |stored: &&Stored<Log>| {
        stored.entry.level < Level::Error
            && stored.entry.page_id.as_deref().map(load_of) == failure.page_id().map(load_of)
    };
    let (Some(load), own, store) = (failure.page_id().map(load_of), failure.cursor(), &session.store) else {
        return false;
    };
    !(store.logs.iter().any(|stored| says_more(&stored))
        || has_other(&store.network, load, own)
        || has_other(&store.actions, load, own)
        || has_other(&store.websocket, load, own)
        || has_other(&store.dom_snapshots, load, own))
}

fn is_of_load(age: Option<i64>) -> bool {
    age.is_some_and(|age| age <= limits::VERIFY_TRIGGER_MILLIS)
}

pub(super) fn ended(stored: &Stored<Request>) -> Timestamp {
    let began = time_of(stored);
    let duration = stored.entry.duration.filter(|millis| millis.is_finite() && *millis > 0.0).unwrap_or(0.0);
    Timestamp::from_millis(began.millis().saturating_add(duration as i64))
}

/// Whether entries from after this time were evicted.
fn has_lost<T: Entry>(ring: &Ring<T>, from: Timestamp) -> bool {
    let oldest = ring.iter().next().map(time_of);
    ring.overflowed_after(0) && oldest.is_some_and(|oldest| oldest > from)
}
