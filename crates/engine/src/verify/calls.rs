//! The calls of one endpoint, and whether those that failed succeed now.

use std::collections::HashMap;

use wire::Timestamp;

use super::answer::Listed;
use super::chance;
use super::content::{is_page_for_script, media_type, odd_answer, same_content};
use super::missing::Missing;
use super::observed::Observed;
use super::page::Page;
use super::places::Places;
use super::repetition::{Repeated, Repetition};
use super::same::{hash, is_shared, same_query};
use super::trigger::Trigger;
use crate::entry::Request;
use crate::text::shorten;
use crate::url::path_of;

/// Length of an address in answers.
const ADDRESS_CHARS: usize = 120;
/// How many different queries and contents of one address are distinguished.
const FORMS: usize = 100;
/// How many failed queries of one address have to succeed again.
const FAILED_QUERIES: usize = 5;
const HTML: &str = "text/html";
/// A request that failed this often without a success in between stays broken.
const STAYS_BROKEN: u64 = 2;

/// What happened to a request that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fate {
    Failing,
    /// It got a response; with reasons why it may be broken all the same.
    Answered(Vec<String>),
    Unknown(Missing),
}

/// The parts of a request that distinguish it from others of the same endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Form {
    /// Hashes of its query and of its body.
    query: u64,
    content: Option<u64>,
    /// Hashes of the page that sent it, and of the page's origin.
    page: Option<(u64, u64)>,
}

/// The latest response for one application.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Latest {
    /// The page that sent the request.
    page: Option<Page>,
    /// Why the response may not be what the page needs.
    odd: Option<String>,
    is_html: bool,
    /// Whether a script requested it, and the response may be a whole page.
    is_page_for_script: bool,
}

impl Latest {
    fn origin(&self) -> Option<u64> {
        self.page.as_ref().map(|page| hash(&page.origin))
    }
}

/// The calls of one method and path, and of one operation where a path serves many.
#[derive(Debug, Clone, PartialEq)]
pub struct Calls {
    pub(super) key: String,
    /// The name without identifiers, which other things of this kind share.
    pub(super) pattern: String,
    /// The HTTP method.
    pub method: String,
    /// The address without its query.
    pub address: String,
    /// The operation, where one path serves many. `None` if unknown.
    pub operation: Option<String>,
    /// The status of the latest failure, and the number of failures.
    pub failed: Option<(u16, u64)>,
    /// The cursor of the latest failure.
    pub(super) failed_cursor: u64,
    /// The status of the latest successful call.
    pub answered: Option<u16>,
    /// Average of all calls, in milliseconds.
    pub duration: Option<f64>,
    pub(super) places: Places,
    /// Queries of failed calls, the latest first.
    failed_queries: Vec<String>,
    has_more_failed: bool,
    /// Hashes of the bodies of failed calls.
    failed_contents: Vec<u64>,
    /// The pages that the failed calls came from, the latest first. Senders may omit them.
    failed_pages: Vec<Page>,
    /// Successful calls with the query and content of a failed one: after the first failure, and before it in the same
    /// page load.
    well_since: u64,
    well_before: u64,
    /// Whether responses declared that they are HTML.
    answered_html: bool,
    /// Whether it responded with something other than HTML, or failed with it.
    has_other_than_html: bool,
    /// The forms that got a response, with their counts.
    answered_forms: HashMap<Form, u64>,
    /// The latest response for each application.
    latest: Vec<Latest>,
    /// The user's steps before the latest failure.
    pub(super) trigger: Option<Trigger>,
}

impl Calls {
    /// The path, as it is shown.
    pub fn path(&self) -> String {
        shorten(path_of(&self.address), ADDRESS_CHARS)
    }

    /// `POST /rpc cart.pay`.
    fn name(&self) -> String {
        let operation = self.operation.as_ref().map(|operation| format!(" {operation}")).unwrap_or_default();
        format!("{} {}{operation}", self.method, self.path())
    }

    /// What to do so that it is called again.
    pub(super) fn instruction(&self) -> String {
        let mut queries = self.failed_queries.iter().filter(|query| !query.is_empty());
        let query = queries.next().map(|query| format!("?{}", shorten(query, ADDRESS_CHARS))).unwrap_or_default();
        let operation = self.operation.as_ref().map(|operation| format!(" ({operation})")).unwrap_or_default();
        format!("let the page send {} {}{query}{operation}", self.method, self.path())
    }

    /// Whether one address serves many operations and this one is unknown.
    fn is_shared(&self) -> bool {
        self.operation.is_none() && is_shared(path_of(&self.address))
    }

    /// What happened to these failures. One later failure is enough to call the endpoint broken. It works only if the
    /// failed request succeeded, or if the user's steps were repeated and the same address responded.
    pub(super) fn fate(&self, after: &Observed) -> Fate {
        let instruction = self.instruction();
        let unknown = |text: String| Fate::Unknown(Missing::Repeat(text));
        let now = after.find_calls(&self.key);
        if now.is_some_and(|now| now.failed.is_some()) {
            return Fate::Failing;
        }
        let steps = self.trigger.as_ref().map(|trigger| Repetition::of_steps(trigger, &after.exercise));
        let (state, doubts) = steps.map_or((Repeated::No, Vec::new()), |steps| (steps.state, steps.doubts));
        let is_repeated = state == Repeated::Yes;
        let answered = now.filter(|now| now.answered.is_some());
        if let Some(now) = answered.filter(|now| self.answered_for_own(now).next().is_none()) {
            let other = now.latest.iter().find_map(|latest| latest.page.as_ref()).map(|page| page.origin.as_str());
            let other = other.unwrap_or("another application");
            let page = self.failed_pages.first().map(|page| format!("on {}: ", page.text())).unwrap_or_default();
            return unknown(format!("{page}{instruction} (it was only answered for pages of {other})"));
        }
        if let Some(now) = answered {
            if after.lost_requests {
                return unknown(format!("requests left the buffers: call watch again, then {instruction}"));
            }
            let is_answered = self.failed_queries.iter().all(|query| self.is_answered(now, query));
            if is_answered && !self.has_more_failed && !self.is_shared() {
                let page = self.other_page(now).filter(|_| !is_repeated);
                let values = page.into_iter().chain(self.other_step(now, after)).chain(self.other_values(now, after));
                let values = self.because(values).collect::<Vec<_>>();
                return Fate::Answered(self.doubts(now).into_iter().chain(values).collect());
            }
            return match state {
                Repeated::Yes => {
                    let shared = "without bodies the operations of this address cannot be told apart";
                    let shared = self.is_shared().then(|| shared.to_owned());
                    let all = doubts.into_iter().chain(shared);
                    Fate::Answered(self.doubts(now).into_iter().chain(self.because(all)).collect())
                }
                Repeated::Just(millis) => Fate::Unknown(Missing::of_wait(millis)),
                Repeated::No if self.is_shared() => unknown(format!(
                    "{instruction} with \"Network bodies\" on in the extension: without bodies its operations cannot be told apart"
                )),
                Repeated::No => unknown(format!("{instruction} (other queries of this address were answered)")),
            };
        }
        // Another thing of the same kind has another identifier.
        let like_it = after.endpoints.iter().find(|call| call.pattern == self.pattern && call.failed.is_none());
        if let Some(like_it) = like_it.filter(|call| is_repeated && call.answered.is_some() && !after.lost_requests) {
            let other = format!("{} was answered instead", like_it.name());
            let doubts = std::iter::once(other).chain(doubts);
            return Fate::Answered(self.because(doubts).chain(self.doubts(like_it)).collect());
        }
        let answer_in = self.trigger.as_ref().and_then(|trigger| Repetition::answer_in(trigger, &after.exercise));
        match answer_in.filter(|_| is_repeated) {
            Some(left @ 1..) => Fate::Unknown(Missing::of_wait(left)),
            Some(_) if after.lost_requests => unknown(format!(
                "requests left the buffers: call watch again, then {}",
                self.trigger.as_ref().map_or(instruction, Trigger::instruction)
            )),
            Some(_) => Fate::Unknown(Missing::Unprovable(format!(
                "the steps before {} were repeated, and no answer to it came. If it is still under way, compare again later. If the fix removed it or changed its address, nothing in this session can show more",
                self.name()
            ))),
            None => unknown(instruction),
        }
    }

    fn because(&self, reasons: impl IntoIterator<Item = String>) -> impl Iterator<Item = String> {
        let name = self.name();
        reasons.into_iter().map(move |reason| format!("{name} may still fail: {reason}"))
    }

    /// Whether a page of this origin belongs to an application whose calls failed, as far as that is known.
    fn is_own(&self, origin: Option<u64>) -> bool {
        let Some(origin) = origin else { return true };
        self.failed_pages.is_empty() || self.failed_pages.iter().any(|failed| hash(&failed.origin) == origin)
    }

    /// Responses for the applications whose calls failed: other applications may use the same server.
    fn answered_for_own<'c>(&'c self, now: &'c Self) -> impl Iterator<Item = (&'c Form, u64)> {
        let all = now.answered_forms.iter().map(|(form, times)| (form, *times));
        all.filter(|(form, _)| self.is_own(form.page.map(|(_, origin)| origin)))
    }

    /// Why a response to another page may not show that it works.
    fn other_page(&self, now: &Self) -> Option<String> {
        let was_answered = |failed: &&Page| {
            let failed = hash(&failed.text());
            self.answered_for_own(now).any(|(form, _)| form.page.is_none_or(|(page, _)| page == failed))
        };
        let missing = self.failed_pages.iter().find(|failed| !was_answered(failed))?;
        Some(format!("it failed on {} and was answered on another page", missing.text()))
    }

    /// Why it may be broken although it responds now.
    fn doubts(&self, now: &Self) -> Vec<String> {
        let mut reasons = Vec::new();
        if let Some(latest) = now.latest.iter().find(|latest| self.is_own(latest.origin())) {
            reasons.extend(latest.odd.as_ref().map(|odd| format!("it {odd}")));
            if latest.is_html && self.has_other_than_html {
                reasons.push(format!("it was answered with {HTML}, which it never was before"));
            } else if latest.is_page_for_script && !self.answered_html {
                reasons.push(format!("a script asked for it, and it was answered with a whole page ({HTML})"));
            }
        }
        let was_sent = |content: &u64| self.answered_for_own(now).any(|(form, _)| form.content == Some(*content));
        let is_known = self.knows_contents(now);
        if is_known && !self.failed_contents.iter().all(was_sent) {
            reasons.push("it was sent with other content".to_owned());
        }
        let (_, failed) = self.failed.unwrap_or_default();
        let again = self.answered_for_own(now).filter(|(form, _)| self.has_failed_with(form));
        let again = again.map(|(_, count)| count).sum();
        // What broke and stayed broken did not fail by chance.
        let is_broken_since = self.well_since == 0 && failed >= STAYS_BROKEN;
        let tries = failed + self.well_since + if is_broken_since { 0 } else { self.well_before };
        if let Some(more) = chance::more_needed(failed, tries, again) {
            let again = chance::times(again);
            reasons.push(format!(
                "it failed {failed} of {tries} times, and was answered {again} since: send it {more} more to be sure"
            ));
        }
        self.because(reasons).collect()
    }

    /// Why the response may belong to another request, where the bodies are unknown and another step sent it.
    fn other_step(&self, now: &Self, after: &Observed) -> Option<String> {
        let sends_nothing = matches!(self.method.as_str(), "GET" | "HEAD");
        let is_known = !self.failed_contents.is_empty() && self.knows_contents(now);
        let trigger = self.trigger.as_ref().filter(|_| !sends_nothing && !is_known)?;
        let steps = trigger.steps_text();
        let is_other = after.exercise.steps_again(trigger).next().is_none();
        is_other.then(|| format!("it was sent without the steps before it ({steps}), and what it sent is not known"))
    }

    /// How the values of preceding forms differ, where the request bodies are unknown.
    fn other_values(&self, now: &Self, after: &Observed) -> Vec<String> {
        let sends_nothing = matches!(self.method.as_str(), "GET" | "HEAD");
        let is_known = !self.failed_contents.is_empty() && self.knows_contents(now);
        let Some(trigger) = self.trigger.as_ref().filter(|_| !sends_nothing && !is_known) else { return Vec::new() };
        // Only a refused request can depend on hidden values.
        let is_refused = self.failed.is_some_and(|(status, _)| matches!(status, 400..=499));
        let hidden = trigger.hidden_fields().filter(|_| is_refused);
        let fewest = after.exercise.steps_again(trigger).map(|again| again.other_fields).min_by_key(Vec::len);
        fewest.into_iter().flatten().chain(hidden).collect()
    }

    /// Whether the body of any successful request is known.
    fn knows_contents(&self, now: &Self) -> bool {
        self.answered_for_own(now).any(|(form, _)| form.content.is_some())
    }

    /// Whether this query now succeeds for an application that it failed for.
    fn is_answered(&self, now: &Self, query: &String) -> bool {
        let query = hash(query);
        self.answered_for_own(now).any(|(form, _)| form.query == query)
    }

    /// Whether it failed with this query, and with this content if known.
    fn has_failed_with(&self, form: &Form) -> bool {
        let is_content = form
            .content
            .is_none_or(|content| self.failed_contents.is_empty() || self.failed_contents.contains(&content));
        is_content && self.failed_queries.iter().any(|failed| hash(failed) == form.query)
    }

    /// The status of its last outcome; failures count more than successes.
    pub(super) fn status(&self) -> Option<u16> {
        self.failed.map(|(status, _)| status).or(self.answered)
    }

    pub(super) fn brief(&self) -> Listed {
        Listed {
            method: Some(self.method.clone()),
            url: Some(self.path().to_owned()),
            operation: self.operation.clone(),
            status: self.status(),
            count: self.failed.map(|(_, count)| count).filter(|count| *count > 1),
            ..Listed::default()
        }
    }

    /// The same for a list of errors of every kind.
    pub(super) fn brief_failure(&self) -> Listed {
        Listed { kind: Some("network"), ..self.brief() }
    }

    /// `POST /api/login → 500 (x2)`.
    pub(super) fn text(&self) -> String {
        let outcome = match self.status() {
            Some(0) => "no response".to_owned(),
            Some(status) => status.to_string(),
            None => "unknown".to_owned(),
        };
        times(format!("{} → {outcome}", self.name()), self.failed.map_or(1, |(_, count)| count))
    }

    pub(super) fn bytes(&self) -> usize {
        let operation = self.operation.as_ref().map_or(0, String::len);
        let queries = self.failed_queries.iter().map(String::len).sum::<usize>();
        let latest = self.latest.iter().filter_map(|latest| latest.page.as_ref());
        let pages = latest.chain(&self.failed_pages).map(|page| size_of::<Latest>() + page.bytes());
        let forms = self.answered_forms.len() * size_of::<(Form, u64)>() + pages.sum::<usize>();
        let contents = self.failed_contents.len() * size_of::<u64>();
        let trigger = self.trigger.as_ref().map_or(0, Trigger::bytes);
        let texts = self.key.len() + self.pattern.len() + self.method.len() + self.address.len() + operation;
        texts + self.places.bytes() + queries + forms + contents + trigger
    }
}

pub(super) fn times(text: String, count: u64) -> String {
    if count > 1 { format!("{text} (x{count})") } else { text }
}

/// Calls while they are being counted.
#[derive(Debug)]
pub(super) struct Call {
    /// The cursor of the latest call.
    pub(super) newest: u64,
    pub(super) calls: u64,
    durations: (f64, u32),
    /// When it first failed, and since when the page ran the code that it failed in.
    failed_first: Option<(Timestamp, Option<Timestamp>)>,
    pub(super) kept: Calls,
}

/// The facts about a call to count.
pub(super) struct Told<'t> {
    pub(super) url: &'t str,
    pub(super) page: Option<&'t str>,
    pub(super) at: Timestamp,
    /// Since when its page ran its current code.
    pub(super) since: Option<Timestamp>,
    pub(super) body: Option<&'t Request>,
    pub(super) duration: Option<f64>,
}

impl Told<'_> {
    fn content(&self) -> Option<u64> {
        self.body?.request_body.as_deref().map(same_content)
    }

    fn is_html(&self) -> Option<bool> {
        self.body.and_then(media_type).map(|kind| kind.eq_ignore_ascii_case(HTML))
    }
}

impl Call {
    pub(super) fn new(
        key: String,
        pattern: String,
        method: String,
        address: String,
        operation: Option<String>,
    ) -> Self {
        Self {
            newest: 0,
            calls: 0,
            durations: (0.0, 0),
            failed_first: None,
            kept: Calls {
                key,
                pattern,
                method,
                address,
                operation,
                failed: None,
                failed_cursor: 0,
                answered: None,
                duration: None,
                places: Places::default(),
                failed_queries: Vec::new(),
                has_more_failed: false,
                failed_contents: Vec::new(),
                failed_pages: Vec::new(),
                well_since: 0,
                well_before: 0,
                answered_html: false,
                has_other_than_html: false,
                answered_forms: HashMap::new(),
                latest: Vec::new(),
                trigger: None,
            },
        }
    }

    /// Counts a failure. Calls come newest first, failures before successes.
    pub(super) fn fail(&mut self, told: &Told<'_>, status: u16, times: u64) {
        let kept = &mut self.kept;
        if let Some(tally) = kept.places.at(Some(told.url), told.page) {
            tally.fail(Some(status), times);
        }
        let (_, count) = kept.failed.get_or_insert((status, 0));
        *count += times;
        let query = same_query(told.url);
        if kept.failed_queries.len() < FAILED_QUERIES {
            if !kept.failed_queries.contains(&query) {
                kept.failed_queries.push(query);
            }
        } else {
            kept.has_more_failed |= !kept.failed_queries.contains(&query);
        }
        if let Some(content) = told.content()
            && kept.failed_contents.len() < FAILED_QUERIES
            && !kept.failed_contents.contains(&content)
        {
            kept.failed_contents.push(content);
        }
        if let Some(page) = told.page.map(Page::from_url)
            && kept.failed_pages.len() < FAILED_QUERIES
            && !kept.failed_pages.contains(&page)
        {
            kept.failed_pages.push(page);
        }
        kept.has_other_than_html |= told.is_html() == Some(false);
        if self.failed_first.is_none_or(|(first, _)| told.at < first) {
            self.failed_first = Some((told.at, told.since));
        }
        self.note(times, told.duration);
    }

    /// Counts a success. Calls come newest first.
    pub(super) fn answer(&mut self, told: &Told<'_>, status: Option<u16>) {
        let kept = &mut self.kept;
        if let Some(tally) = kept.places.at(Some(told.url), told.page) {
            tally.answer(status);
        }
        let page = told.page.map(Page::from_url);
        let origin = |page: &Option<Page>| page.as_ref().map(|page| page.origin.clone());
        if kept.latest.len() < FORMS && !kept.latest.iter().any(|latest| origin(&latest.page) == origin(&page)) {
            kept.latest.push(Latest {
                odd: told.body.and_then(odd_answer),
                is_html: told.is_html() == Some(true),
                is_page_for_script: told.body.is_some_and(is_page_for_script),
                page: page.clone(),
            });
        }
        kept.answered_html |= told.is_html() == Some(true);
        kept.has_other_than_html |= told.is_html() == Some(false);
        kept.answered = kept.answered.or(status);
        let page = page.map(|page| (hash(&page.text()), hash(&page.origin)));
        let form = Form { query: hash(&same_query(told.url)), content: told.content(), page };
        if let Some((first, since)) = self.failed_first
            && kept.has_failed_with(&form)
        {
            if told.at > first {
                kept.well_since += 1;
            } else if since.is_some_and(|since| told.at >= since) {
                kept.well_before += 1;
            }
        }
        if kept.answered_forms.len() < FORMS || kept.answered_forms.contains_key(&form) {
            *kept.answered_forms.entry(form).or_insert(0) += 1;
        }
        self.note(1, told.duration);
    }

    fn note(&mut self, times: u64, duration: Option<f64>) {
        self.calls += times;
        if let Some(duration) = duration.filter(|duration| duration.is_finite()) {
            self.durations.0 += duration;
            self.durations.1 += 1;
        }
    }

    pub(super) fn done(self) -> Calls {
        let (sum, count) = self.durations;
        Calls { duration: (count > 0).then(|| sum / f64::from(count)), ..self.kept }
    }
}
