//! From an error to its likely cause, in one small answer.
//!
//! Each kind of cause has a file; `best` lists them, and the other files serve them. A [`Cause`] comes with a score and with the reasons for it in
//! words. What shares the error's stack or is named in its message counts most, then what fits its shape; being close
//! in time counts least.

mod body;
mod chunk;
mod diagnosis;
mod infinite_loop;
mod json_complaint;
mod mismatch;
mod not_json;
mod policy;
mod race;
mod request;
mod scene;
mod socket;
mod subject;
mod wording;

use serde_json::Value;
use wire::{Json, Timestamp};

use crate::answer::Confidence;
use crate::entry::{ActionKind, Log};
use crate::failures::{ErrorGroup, Grouped, SinceUpdate, failures};
use crate::moments::{Include, Moment, What, action_text, change_text, is_failed, moments};
use crate::session::Session;
use crate::store::Filter;
use crate::store::Stored;
use crate::store::id::IdKind;
use crate::text::shorten;

use crate::code_changes::hot_update;
use crate::symbolicate::explain::location;
use crate::symbolicate::summary::{component_words, error_type};
use scene::Scene;

pub use diagnosis::{ActionPart, Diagnosis, FailedPart, RequestPart};
pub(crate) use scene::time_of;
pub use subject::Subject;

/// How long before an error something may happen to be listed beside it.
const AROUND_MILLIS: i64 = 5_000;
const AROUND: usize = 6;
/// How long before an error an action may happen to be named.
const ACTION_MILLIS: i64 = 15_000;
const MESSAGE_CHARS: usize = 240;
const CODE_CHARS: usize = 160;
/// Every answer may report how many errors are new; that has to fit too.
const NEWS_BYTES: usize = 90;

/// A possible cause of an error.
#[derive(Debug)]
struct Cause<'a> {
    text: String,
    score: u32,
    because: Vec<String>,
    request: Option<&'a Stored<crate::entry::Request>>,
    /// When it happened, where that is neither when the request began nor when the error happened.
    at: Option<Timestamp>,
    /// The part of the response that matters, where the cause knows better than the general rule.
    received: Option<String>,
}

impl<'a> Cause<'a> {
    /// An explanation without evidence so far.
    fn new(text: String) -> Self {
        Self { text, score: 0, because: Vec::new(), request: None, at: None, received: None }
    }

    /// When it began, at the latest at the time of the error.
    fn began(&self, scene: &Scene<'_>) -> Timestamp {
        self.at.or_else(|| self.request.map(Stored::began)).map_or(scene.at, |at| at.min(scene.at))
    }

    fn confidence(&self) -> Confidence {
        match self.score {
            7.. => Confidence::High,
            4..=6 => Confidence::Medium,
            _ => Confidence::Low,
        }
    }
}

/// The diagnosis of one failure, in at most this many bytes. `None` when there is no such failure.
pub fn diagnose(session: &Session, about: Subject<'_>, most_bytes: usize) -> Option<Diagnosis> {
    let all = failures(session, &Filter::default());
    let grouped = Grouped::from_failures(&all);
    let failure = about.find(session, &all, &grouped)?;
    Some(diagnosis(&Scene::new(session, failure, &all), grouped.group(&failure), most_bytes))
}

fn diagnosis(scene: &Scene<'_>, group: Option<&ErrorGroup<'_>>, most_bytes: usize) -> Diagnosis {
    let change = blamed_change(scene, group);
    let mut cause = best(scene).into_iter().chain(change.own).max_by_key(|cause| cause.score);
    let cause = cause.get_or_insert_with(|| unexplained(scene));
    cause.because.extend(change.beside);
    let mut diagnosis = Diagnosis {
        error: error_part(scene, group),
        cause: cause.text.clone(),
        confidence: cause.confidence(),
        because: Some(cause.because.clone()).filter(|because| !because.is_empty()),
        request: request_part(scene, cause),
        action: action_part(scene, cause),
        changed: changed_part(scene, cause, group),
        around: Some(around(scene, cause)).filter(|lines| !lines.is_empty()),
        next: Some(next_step(cause).to_owned()),
    };
    diagnosis.fit(most_bytes.saturating_sub(NEWS_BYTES));
    diagnosis
}

fn best<'a>(scene: &Scene<'a>) -> Option<Cause<'a>> {
    let found = [
        chunk::cause(scene),
        infinite_loop::cause(scene),
        policy::cause(scene),
        not_json::cause(scene),
        request::own_failure(scene),
        race::cause(scene),
        socket::cause(scene),
        request::related(scene),
    ];
    // The first among equals: the kinds are listed by how reliable their evidence is.
    found.into_iter().flatten().rev().max_by_key(|cause| cause.score)
}

/// The cause when nothing else explains the error: the error's own message.
fn unexplained<'a>(scene: &Scene<'a>) -> Cause<'a> {
    let summary =
        scene.entry.and_then(|entry| entry.ai_context.as_ref()).and_then(|context| context.summary.as_deref());
    let first = summary.and_then(|summary| summary.split(". Component tree").next());
    let text = match (first, &scene.place) {
        // There is code to look at only in the developer's own files.
        (Some(sentence), Some(_)) => format!(
            "{}: no request, socket or user input around it explains it, so look at that code",
            sentence.trim_end_matches('.')
        ),
        (None, Some((file, line, _))) => format!("thrown at {file}:{line}; nothing around it explains it"),
        (Some(sentence), None) => {
            format!(
                "{}; nothing captured around it explains it",
                shorten(sentence.trim_end_matches('.'), MESSAGE_CHARS)
            )
        }
        (None, None) => format!("{}; nothing captured around it explains it", shorten(&scene.message, MESSAGE_CHARS)),
    };
    Cause { score: 2, ..Cause::new(text) }
}

/// How a code change relates to an error.
struct Blame<'a> {
    /// New code in the file that throws is a cause itself.
    own: Option<Cause<'a>>,
    /// Any other change is only mentioned.
    beside: Option<String>,
}

fn blamed_change<'a>(scene: &Scene<'a>, group: Option<&ErrorGroup<'_>>) -> Blame<'a> {
    let Some((SinceUpdate::New, change)) = group.and_then(|group| group.since_update(scene.session)) else {
        return Blame { own: None, beside: None };
    };
    let before = (scene.at.millis() - change.at.millis()) / 1_000;
    let place = scene.place.as_ref().filter(|(file, _, _)| {
        change.modules.iter().any(|module| file.ends_with(module.as_str()) || module.ends_with(file.as_str()))
    });
    let Some((file, line, _)) = place else {
        let beside =
            (!change.modules.is_empty()).then(|| format!("new since {} ({before} s before)", change_text(change)));
        return Blame { own: None, beside };
    };
    let code =
        scene.code.as_deref().map(|code| format!(": `{}`", shorten(code.trim(), CODE_CHARS))).unwrap_or_default();
    let beside = format!("its file changed {before} s before, and the error is new since");
    let text = format!("{file} was changed {before} s before, and the error is new since: look at line {line}{code}");
    let own = Cause { score: 7, ..Cause::new(text) };
    Blame { own: Some(own), beside: Some(beside) }
}

fn error_part(scene: &Scene<'_>, group: Option<&ErrorGroup<'_>>) -> FailedPart {
    let context = scene.entry.and_then(|entry| entry.ai_context.as_ref());
    let components = context.and_then(|context| context.component_ancestry.as_ref()).map(Json::value);
    let place = scene.place.as_ref().map(|(file, line, column)| format!("{file}:{line}:{column}"));
    let place = place.or_else(|| scene.entry.and_then(Log::place));
    FailedPart {
        id: scene.id(),
        kind: scene.entry.filter(|_| !scene.is_request()).map(|entry| error_type(entry).to_owned()),
        message: shorten(&scene.message, MESSAGE_CHARS),
        at: place.filter(|_| !scene.is_request()),
        code: scene.code.as_deref().map(|code| shorten(code.trim(), CODE_CHARS)),
        component: components.as_ref().and_then(component_words),
        count: group.map(|group| group.count).filter(|count| *count > 1),
        ts: Some(scene.at),
    }
}

fn request_part(scene: &Scene<'_>, cause: &Cause<'_>) -> Option<RequestPart> {
    let stored = cause.request?;
    let request = &stored.entry;
    let is_asked_wrong = request.status.is_some_and(|status| (400..500).contains(&status));
    let words = scene.words();
    let sent = request.request_body.as_deref().filter(|_| is_asked_wrong).map(|sent| body::that_matters(sent, &[]));
    let received = cause.received.clone();
    let received = received.or_else(|| request.response_body.as_deref().map(|text| body::that_matters(text, &words)));
    Some(RequestPart {
        id: scene.session.store.ids.format(IdKind::Network, stored.cursor),
        text: crate::moments::request_text(request),
        sent,
        // The cause may already contain it.
        received: received.filter(|text| !text.is_empty() && !cause.text.contains(text.as_str())),
        auth_header: matches!(request.status, Some(401 | 403)).then(|| request.has_auth_header == Some(true)),
        last_worked: last_success(scene.session, stored),
    })
}

/// When the same request last succeeded.
fn last_success(session: &Session, failed: &Stored<crate::entry::Request>) -> Option<wire::Timestamp> {
    if !is_failed(&failed.entry) {
        return None;
    }
    let endpoint = |request: &crate::entry::Request| crate::url::without_query(&request.url).to_owned();
    let is_same = |other: &&Stored<crate::entry::Request>| {
        other.cursor < failed.cursor
            && other.entry.status.is_some_and(|status| (200..400).contains(&status))
            && other.entry.method == failed.entry.method
            && endpoint(&other.entry) == endpoint(&failed.entry)
    };
    session.store.network.iter().rev().find(is_same).map(|stored| stored.entry.at)
}

/// The last action before the cause: a later action cannot have caused it.
fn action_part(scene: &Scene<'_>, cause: &Cause<'_>) -> Option<ActionPart> {
    let actions = scene.session.store.actions.iter().rev().filter(|stored| scene.is_of_test(*stored));
    let began = cause.began(scene);
    let latest = actions
        .filter(|stored| stored.entry.tab_id == scene.tab && stored.entry.kind != ActionKind::Scroll)
        .find(|stored| {
            let before = began.millis() - scene::time_of(stored).millis();
            (0..=ACTION_MILLIS).contains(&before)
        });
    let stored = latest?;
    Some(ActionPart {
        id: scene.session.store.ids.format(IdKind::Action, stored.cursor),
        text: action_text(&stored.entry),
        ms_before: scene.at.millis() - scene::time_of(stored).millis(),
    })
}

fn changed_part(scene: &Scene<'_>, cause: &Cause<'_>, group: Option<&ErrorGroup<'_>>) -> Option<String> {
    let mut said: Vec<String> = Vec::new();
    if let Some((label, change)) = group.and_then(|group| group.since_update(scene.session)) {
        let millis = scene.at.millis() - change.at.millis();
        let when = if millis >= 0 {
            format!("{} s before", millis / 1_000)
        } else {
            format!("{} s after it", -millis / 1_000)
        };
        said.push(format!("{label} since {}, {when}", change_text(change)));
    }
    if let Some(at) = cause.request.and_then(|request| last_success(scene.session, request)) {
        said.push(format!("the request last worked at {at}"));
    }
    (!said.is_empty()).then(|| said.join("; "))
}

/// What else happened in the preceding seconds, in order.
fn around(scene: &Scene<'_>, cause: &Cause<'_>) -> Vec<String> {
    let filter = Filter { tab_id: scene.tab, test_id: scene.test.map(str::to_owned), ..Filter::default() };
    let all = moments(scene.session, &filter, Include::ALL);
    let is_told = |moment: &Moment<'_>| match moment.what {
        What::Request(stored) => cause.request.is_some_and(|told| told.cursor == stored.cursor),
        What::Console(stored) => {
            let of_cause = cause.request.is_some_and(|told| {
                told.entry.request_id.is_some() && told.entry.request_id == stored.entry.request_id
            });
            stored.cursor == scene.failure.cursor() || of_cause
        }
        // `changed` already reports it.
        What::Socket(stored) => stored.entry.data.as_deref().and_then(hot_update::of_socket).is_some(),
        What::Update(_) => true,
        // The diagnosis already names the action before the cause; what happened after the cause may be what broke.
        What::Action(stored) => scene::time_of(stored) <= cause.began(scene) || stored.entry.kind == ActionKind::Scroll,
    };
    let near: Vec<&Moment<'_>> = all
        .iter()
        .filter(|moment| {
            let before = scene.at.millis() - moment.at.millis();
            (-500..=AROUND_MILLIS).contains(&before) && !is_told(moment)
        })
        .collect();
    let loudest = {
        let mut order: Vec<usize> = (0..near.len()).collect();
        order.sort_by_key(|&index| {
            near.get(index).map(|moment| (std::cmp::Reverse(moment.severity()), std::cmp::Reverse(index)))
        });
        let mut chosen: Vec<usize> = order.into_iter().take(AROUND).collect();
        chosen.sort_unstable();
        chosen
    };
    loudest
        .into_iter()
        .filter_map(|index| near.get(index))
        .map(|moment| format!("{:+} ms {}", moment.at.millis() - scene.at.millis(), shorten(&moment.text(), 120)))
        .collect()
}

fn next_step(cause: &Cause<'_>) -> &'static str {
    if let Some(stored) = cause.request {
        if stored.entry.response_body.is_none() && stored.entry.status.is_some_and(|status| status != 0) {
            return "bodies are not captured: switch on \"Network bodies\" in the extension's popup and repeat it to see the response";
        }
        return "get_network_bodies with the request's id has the whole exchange";
    }
    "get_browser_errors with the error's id has the whole stack and code; get_session_timeline what came before"
}

/// The error line of an entry's first snippet.
pub(crate) fn code_line(entry: &Log) -> Option<String> {
    let snippets = entry.ai_context.as_ref()?.source_snippets.as_ref()?.value();
    let lines = snippets.get(0)?.get("snippet")?.as_array()?;
    let line = lines.iter().find(|line| line.get("isError") == Some(&Value::Bool(true)))?;
    line.get("text")?.as_str().map(str::to_owned)
}

/// File, line and column, in the developer's files where they are known.
fn place_of(entry: &Log) -> Option<(String, u32, u32)> {
    location(entry)
}
