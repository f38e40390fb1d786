//! Why a test failed, as far as the browser's data shows.

use serde::Serialize;
use wire::snapshot::OddAnswer;
use wire::test_run::TestStatus;
use wire::{Level, Timestamp, limits};

use super::Options;
use super::attempt::{ReportedNoise, duration_text};
use super::snapshot::Run;
use crate::answer::Confidence;
use crate::contracts::endpoint_name;
use crate::diagnose::{Subject, diagnose, time_of};
use crate::entry::{ActionKind, Request};
use crate::failures::Failure;
use crate::moments::{What, action_text, address, moments, request_text, socket_text};
use crate::store::Filter;
use crate::store::Stored;
use crate::text::shorten;

/// A request is named as too slow for a test that waited in vain if it took at least this long.
const SLOW_MILLIS: f64 = 1_000.0;
/// If the response arrived this long before the end, the test went on and failed for another reason.
const LATE_MILLIS: i64 = 1_000;
/// A test rarely waits longer than this, which is Playwright's limit for a whole test.
const LONGEST_WAIT_MILLIS: i64 = 30_000;
const BECAUSE: usize = 3;
const SHOWN: usize = 4;
const SHOWN_CHARS: usize = 60;

/// The likely cause of a failed test.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verdict {
    pub text: String,
    pub confidence: Confidence,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub because: Vec<String>,
    /// The response, if it explains the failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub received: Option<String>,
    /// The preceding action of the user, or of the test in their place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// When the explained failure happened.
    #[serde(skip)]
    failed_at: Option<Timestamp>,
}

impl Verdict {
    fn medium(text: String) -> Self {
        Self {
            text,
            confidence: Confidence::Medium,
            because: Vec::new(),
            received: None,
            action: None,
            failed_at: None,
        }
    }

    fn is_weak(&self) -> bool {
        self.confidence == Confidence::Low
    }
}

/// `telling` are the failures that are not noise.
pub(super) fn judge(run: &Run, telling: &[Failure<'_>], since: Option<Timestamp>) -> Option<Verdict> {
    let diagnosed = if telling.is_empty() { None } else { of_diagnosis(run, since) };
    if let Some(verdict) = diagnosed.as_ref().filter(|verdict| !verdict.is_weak()) {
        return Some(verdict.clone());
    }
    // Evidence from odd responses, a clock or a closed connection is better than none, if it came before the error.
    let span = Span::before(diagnosed.as_ref().and_then(|verdict| verdict.failed_at), ended(run), since);
    odd_answer(run, &span).or_else(|| lost_socket(run, &span)).or_else(|| too_slow(run, &span)).or(diagnosed)
}

/// The time span in which a failure's cause may have happened.
struct Span {
    from: Option<Timestamp>,
    until: Option<Timestamp>,
    /// Whether no limit was given.
    is_open: bool,
}

impl Span {
    /// Before an error; without one, before the end of the test, as far back as a test may have waited in vain.
    fn before(error: Option<Timestamp>, ended: Option<Timestamp>, since: Option<Timestamp>) -> Self {
        let until = error.or(ended);
        let earliest = until.map(|until| Timestamp::from_millis(until.millis() - LONGEST_WAIT_MILLIS));
        Self { from: earliest.max(since), until, is_open: error.is_none() && since.is_none() }
    }

    fn has(&self, at: Timestamp) -> bool {
        self.from.is_none_or(|from| at >= from) && is_by(at, self.until)
    }
}

/// When the test ended: as its runner reported, else the time of the last captured entry.
fn ended(run: &Run) -> Option<Timestamp> {
    let record = &run.record;
    let lasted = record.started.zip(record.duration_ms.filter(|millis| millis.is_finite()));
    let ended = record.ended.or(lasted.map(|(began, took)| Timestamp::from_millis(began.millis() + took as i64)));
    ended.or_else(|| {
        let all = moments(&run.session, &Filter::default(), crate::moments::Include::ALL);
        let requests = run.session.store.network.iter().map(|stored| stored.ended());
        all.iter().map(|moment| moment.at).chain(requests).max()
    })
}

fn of_diagnosis(run: &Run, since: Option<Timestamp>) -> Option<Verdict> {
    let found = diagnose(&run.session, Subject::FirstOfTest { since }, limits::ANSWER_BYTES)?;
    let action = found.action.map(|action| format!("{} ({} ms before the error)", action.text, action.ms_before));
    Some(Verdict {
        text: found.cause,
        confidence: found.confidence,
        because: found.because.into_iter().flatten().take(BECAUSE).collect(),
        received: found.request.and_then(|request| request.received),
        action,
        failed_at: found.error.ts,
    })
}

/// The requests of an endpoint, the latest first.
fn requests_of<'r, 'o>(run: &'r Run, odd: &'o OddAnswer) -> impl Iterator<Item = &'r Stored<Request>> + use<'r, 'o> {
    let requests = run.session.store.network.iter().rev();
    requests.filter(|stored| endpoint_name(&stored.entry) == odd.endpoint)
}

fn odd_answer(run: &Run, span: &Span) -> Option<Verdict> {
    let answered = |odd: &&OddAnswer| requests_of(run, odd).find(|stored| span.has(stored.ended()));
    // Without the request, the time of the response is unknown.
    let is_meant =
        |odd: &&OddAnswer| answered(odd).is_some() || (span.is_open && requests_of(run, odd).next().is_none());
    let odd = run.odd_answers.iter().rev().find(is_meant)?;
    let text = format!("{} was answered unlike before: {}", odd.endpoint, odd.description);
    Some(Verdict {
        action: answered(&odd).and_then(|stored| last_action(run, Some(stored.began()))),
        ..Verdict::medium(text)
    })
}

fn lost_socket(run: &Run, span: &Span) -> Option<Verdict> {
    let mut lost = run.session.store.websocket.iter().rev().filter(|stored| stored.entry.severity() >= Level::Warn);
    let lost = lost.find(|stored| span.has(time_of(stored)))?;
    Some(Verdict { action: last_action(run, Some(time_of(lost))), ..Verdict::medium(socket_text(&lost.entry)) })
}

/// The test waited for something while its slowest request was under way.
fn too_slow(run: &Run, span: &Span) -> Option<Verdict> {
    let error = run.record.error.as_deref().unwrap_or_default().to_ascii_lowercase();
    let has_waited = run.record.status == Some(TestStatus::TimedOut)
        || ["timeout", "timed out"].iter().any(|words| error.contains(words));
    if !has_waited {
        return None;
    }
    let ended = ended(run)?;
    let left = |stored: &Stored<Request>| ended.millis() - stored.ended().millis();
    let slowest =
        slowest(run, |stored| span.has(stored.began()) && left(stored) <= LATE_MILLIS && !is_stream(&stored.entry))?;
    let request = &slowest.entry;
    let method = request.method.as_str();
    let took = duration_text(request.duration.unwrap_or_default());
    let outcome = match left(slowest) {
        ..0 => "longer than the test waited".to_owned(),
        left => format!("and was answered only {} before the test gave up", duration_text(left as f64)),
    };
    let text = format!("{method} {} took {took}, {outcome}", address(request));
    Some(Verdict { action: last_action(run, Some(slowest.began())), ..Verdict::medium(text) })
}

fn is_by(at: Timestamp, until: Option<Timestamp>) -> bool {
    until.is_none_or(|until| at <= until)
}

/// The request that took longest, if that was long.
fn slowest(run: &Run, is_meant: impl Fn(&Stored<Request>) -> bool) -> Option<&Stored<Request>> {
    let slow = run
        .session
        .store
        .network
        .iter()
        .filter(|stored| stored.entry.duration.is_some_and(|millis| millis >= SLOW_MILLIS) && is_meant(stored));
    slow.max_by(|one, other| one.entry.duration.partial_cmp(&other.entry.duration).unwrap_or(std::cmp::Ordering::Equal))
}

/// The last action before that time.
fn last_action(run: &Run, until: Option<Timestamp>) -> Option<String> {
    let actions = run.session.store.actions.iter().rev().filter(|stored| is_by(time_of(stored), until));
    let latest = actions.filter(|stored| stored.entry.kind != ActionKind::Scroll).map(|stored| &stored.entry);
    latest.map(action_text).next()
}

/// What can be said of a test in which no browser sent anything.
const NOTHING_CAPTURED: &str = "Nothing was captured from a browser during this test, so nothing is known about it: the test opened no page, or it ran without Gasoline's `test`";

/// What is worth knowing, in order: the cause and its evidence, other oddities, and what need not be followed.
pub(super) fn hints(
    run: &Run,
    verdict: Option<&Verdict>,
    telling: &[Failure<'_>],
    noise: &[ReportedNoise],
    options: &Options,
) -> Vec<String> {
    let (least, since) = (options.severity, options.since);
    let is_late = |at: Timestamp| since.is_none_or(|since| at >= since);
    let mut hints = Vec::new();
    let has_passed = matches!(run.record.status, Some(status) if Some(status) == run.record.expected_status.or(Some(TestStatus::Passed)));
    if has_passed || run.record.status == Some(TestStatus::Skipped) {
        if least <= Level::Warn {
            hints.extend(warned(run, telling, since));
        }
        return hints;
    }
    if run.entries() == 0 && run.odd_answers.is_empty() {
        hints.push(match run.removed() {
            0 => NOTHING_CAPTURED.to_owned(),
            removed => format!(
                "Nothing is left of what was captured during this test: its {removed} entries were cleared, or evicted for lack of room"
            ),
        });
        return hints;
    }
    if let Some(since) = since.filter(|since| is_silent(run, *since)) {
        hints.push(format!(
            "Nothing was captured from a browser since {since}, so nothing is known about what happened then"
        ));
        return hints;
    }
    if let Some(verdict) = verdict {
        hints.push(format!("Primary failure ({} confidence): {}", verdict.confidence, verdict.text));
        if !verdict.because.is_empty() {
            hints.push(format!("Because {}", verdict.because.join("; ")));
        }
        hints.extend(verdict.received.as_ref().map(|body| format!("It answered: {body}")));
        hints.extend(verdict.action.as_ref().map(|action| format!("Before it: {action}")));
    } else {
        let when = since.map(|since| format!(" since {since}")).unwrap_or_default();
        hints.push(format!(
            "No error was captured in the browser{when}: nothing broke there, but what the test expected did not happen"
        ));
        hints.extend(last_action(run, None).map(|action| format!("Last action: {action}")));
        hints.extend(last_requests(run, since));
    }
    let said = |text: &str| verdict.is_some_and(|verdict| verdict.text.contains(text));
    let is_old = |odd: &OddAnswer| since.is_some() && !requests_of(run, odd).any(|stored| is_late(stored.ended()));
    for odd in run.odd_answers.iter().filter(|odd| !said(&odd.description) && !is_old(odd)).take(2) {
        hints.push(format!("{} was answered unlike before: {}", odd.endpoint, odd.description));
    }
    let slow =
        slowest(run, |stored| is_late(stored.began()) && !said(&address(&stored.entry)) && !is_stream(&stored.entry));
    hints.extend(slow.map(|stored| format!("Slow: {}", request_text(&stored.entry))));
    if verdict.is_none_or(|verdict| verdict.confidence != Confidence::High) {
        hints.extend(shown(run));
        hints.extend(warned(run, telling, since));
    }
    for noise in noise {
        let times = if noise.count > 1 { format!(" ({}×)", noise.count) } else { String::new() };
        hints.push(format!("Likely unrelated ({}): {}{times}", noise.rule, noise.message));
    }
    hints
}

/// Whether nothing was captured after that time.
fn is_silent(run: &Run, since: Timestamp) -> bool {
    let all = moments(&run.session, &Filter::default(), crate::moments::Include::ALL);
    let answered = run.session.store.network.iter().map(|stored| stored.ended());
    all.iter().map(|moment| moment.at).chain(answered).all(|at| at < since)
}

fn is_stream(request: &Request) -> bool {
    request.content_type.as_deref().is_some_and(|kind| kind.contains("event-stream"))
}

fn last_requests(run: &Run, since: Option<Timestamp>) -> Option<String> {
    let all = moments(&run.session, &Filter::default(), crate::moments::Include::ALL);
    let late = all.iter().rev().take_while(|moment| since.is_none_or(|since| moment.at >= since));
    let requests = late.filter_map(|moment| match moment.what {
        What::Request(stored) => Some(request_text(&stored.entry)),
        _ => None,
    });
    let last: Vec<String> = requests.take(2).collect();
    (!last.is_empty()).then(|| format!("Last requests: {}", last.join(", ")))
}

/// What the page showed at the end.
fn shown(run: &Run) -> Option<String> {
    let snapshot = &run.session.store.dom_snapshots.iter().next_back()?.entry;
    let texts = snapshot.elements.iter().flatten().filter(|element| element.visible != Some(false));
    let texts = texts.filter_map(|element| element.text.as_deref()).filter(|text| !text.trim().is_empty());
    let texts: Vec<String> =
        texts.take(SHOWN).map(|text| format!("\"{}\"", shorten(text.trim(), SHOWN_CHARS))).collect();
    (!texts.is_empty()).then(|| format!("The page showed {}", texts.join(", ")))
}

/// The last warning, if nothing more severe was logged.
fn warned(run: &Run, telling: &[Failure<'_>], since: Option<Timestamp>) -> Option<String> {
    if !telling.is_empty() {
        return None;
    }
    let late = run.session.store.logs.iter().rev().filter(|stored| since.is_none_or(|since| time_of(stored) >= since));
    let lines = late.map(|stored| &stored.entry);
    let warning =
        lines.filter(|entry| entry.level == Level::Warn).find(|entry| run.session.noise.rule_for(*entry).is_none())?;
    Some(format!("The page warned: {}", shorten(&warning.message, 160)))
}
