//! From an error to its likely cause, in one small answer.
//!
//! Each file in here knows one kind of cause. A [`Cause`] comes with a score, and with the reasons for it in words:
//! what shares the error's stack or is named in its message counts most, what fits its shape next, time least.

mod body;
mod chunk;
mod endless;
mod not_json;
mod policy;
mod race;
mod request;
mod scene;
mod shape;
mod socket;

use serde_json::{Map, Value, json};
use wire::{Json, LogEntry};

use crate::order;
use crate::store::{Store, Stored};
use crate::view::errors::{ErrorGroup, Failure, Grouped, failures};
use crate::view::fit::{fit_value, json_len};
use crate::view::id::{IdKind, Lookup};
use crate::view::moment::{Include, Moment, What, action_text, change_text, is_failed, moments};
use crate::view::{Filter, logs, object, shorten};

use super::explain::location;
use super::hot_update;
use super::summary::{component_words, error_type};
use scene::Scene;

pub use scene::origin_of;

/// Errors this close together come of the same thing; the one that tells most is looked at.
const TOGETHER_MILLIS: i64 = 2_000;
/// What happened this long before an error stands beside it.
const AROUND_MILLIS: i64 = 5_000;
const AROUND: usize = 6;
/// An action is worth naming for so long.
const ACTION_MILLIS: i64 = 15_000;
const MESSAGE_CHARS: usize = 240;
const CODE_CHARS: usize = 160;
/// Every answer may say how many errors are new; that has to fit too.
const NEWS_BYTES: usize = 90;

/// What an error may come of.
#[derive(Debug)]
struct Cause<'a> {
    text: String,
    score: u32,
    because: Vec<String>,
    request: Option<&'a Stored<wire::NetworkBody>>,
    /// What of the answer matters, where the cause knows better than the general rule.
    received: Option<String>,
}

impl Cause<'_> {
    fn confidence(&self) -> &'static str {
        match self.score {
            7.. => "high",
            4..=6 => "medium",
            _ => "low",
        }
    }
}

/// The answer for the failure of this id, or for the latest: the error, its likely cause, and what stands around it,
/// within so many bytes. Nothing when there is no such failure.
pub fn diagnose(store: &Store, id: Option<&str>, most_bytes: usize) -> Option<Map<String, Value>> {
    let all = failures(store, &Filter::default());
    let grouped = Grouped::of(&all);
    let failure = subject(store, &all, &grouped, id)?;
    Some(answer(&Scene::new(store, failure, &all), grouped.group(&failure), most_bytes))
}

/// The failure to look at. Of several at once, the one that tells most.
fn subject<'a>(store: &Store, all: &[Failure<'a>], grouped: &Grouped<'a>, id: Option<&str>) -> Option<Failure<'a>> {
    if let Some(id) = id {
        let cursor = match store.ids.read(id) {
            Lookup::Entry(IdKind::Log | IdKind::Network, cursor) => Some(cursor),
            _ => logs::by_page_id(store, id).map(|stored| stored.cursor),
        };
        let of_body =
            |failure: &Failure<'_>| matches!(failure, Failure::Log(_, Some(body)) if Some(body.cursor) == cursor);
        return all.iter().find(|failure| Some(failure.cursor()) == cursor || of_body(failure)).copied();
    }
    // Noise is looked at only when there is nothing else.
    let telling: Vec<Failure<'a>> = all.iter().filter(|failure| store.noise.of(*failure).is_none()).copied().collect();
    let all = if telling.is_empty() { all } else { &telling };
    let latest = all.iter().max_by_key(|failure| failure.time())?;
    let (at, tab) = (latest.time().millis(), latest.tab_id());
    let together =
        all.iter().filter(|failure| failure.tab_id() == tab && at - failure.time().millis() <= TOGETHER_MILLIS);
    // What came with the code that was just changed is what the developer is after.
    let is_new = |failure: &Failure<'_>| {
        grouped.group(failure).and_then(|group| group.since_update(store)).is_some_and(|(label, _)| label == "new")
    };
    together.max_by_key(|failure| (is_new(failure), weight(failure), failure.time())).copied()
}

/// How much a failure tells of what went wrong.
fn weight(failure: &Failure<'_>) -> u32 {
    let Failure::Log(stored, _) = failure else { return 1 };
    match stored.entry.kind.as_deref() {
        Some("exception" | "rejection") if stored.entry.stack.is_some() => 4,
        Some("exception" | "rejection") => 3,
        Some("console") if stored.entry.stack.is_some() => 2,
        _ => 1,
    }
}

fn answer(scene: &Scene<'_>, group: Option<&ErrorGroup<'_>>, most_bytes: usize) -> Map<String, Value> {
    let change = blamed_change(scene, group);
    let mut cause = best(scene).into_iter().chain(change.own).max_by_key(|cause| cause.score);
    let cause = cause.get_or_insert_with(|| unexplained(scene));
    cause.because.extend(change.beside);
    let mut answer = object([
        ("error", error_part(scene, group)),
        ("cause", json!(cause.text)),
        ("confidence", json!(cause.confidence())),
        ("because", if cause.because.is_empty() { Value::Null } else { json!(cause.because) }),
        ("request", request_part(scene, cause)),
        ("action", action_part(scene)),
        ("changed", changed_part(scene, cause, group)),
        ("around", around(scene, cause)),
        ("next", json!(next_step(cause))),
    ]);
    shrink(&mut answer, most_bytes.saturating_sub(NEWS_BYTES));
    answer
}

fn best<'a>(scene: &Scene<'a>) -> Option<Cause<'a>> {
    let found = [
        chunk::cause(scene),
        endless::cause(scene),
        policy::cause(scene),
        not_json::cause(scene),
        request::own_failure(scene),
        race::cause(scene),
        socket::cause(scene),
        request::related(scene),
    ];
    // The first of equals: they stand in order of how well they know what they say.
    found.into_iter().flatten().rev().max_by_key(|cause| cause.score)
}

/// When nothing around explains it, the error's own words have to do.
fn unexplained<'a>(scene: &Scene<'a>) -> Cause<'a> {
    let summary =
        scene.entry.and_then(|entry| entry.ai_context.as_ref()).and_then(|context| context.summary.as_deref());
    let first = summary.and_then(|summary| summary.split(". Component tree").next());
    let text = match (first, &scene.place) {
        (Some(sentence), _) => format!(
            "{}: no request, socket or user input around it explains it, so look at that code",
            sentence.trim_end_matches('.')
        ),
        (None, Some((file, line, _))) => format!("thrown at {file}:{line}; nothing around it explains it"),
        (None, None) => format!("{}; nothing captured around it explains it", shorten(&scene.message, MESSAGE_CHARS)),
    };
    Cause { text, score: 2, because: Vec::new(), request: None, received: None }
}

/// What a change of code has to do with an error.
struct Blame<'a> {
    /// New code in the very file that throws is a cause of its own.
    own: Option<Cause<'a>>,
    /// Any other is worth a word.
    beside: Option<String>,
}

fn blamed_change<'a>(scene: &Scene<'a>, group: Option<&ErrorGroup<'_>>) -> Blame<'a> {
    let Some(("new", change)) = group.and_then(|group| group.since_update(scene.store)) else {
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
    let own = Cause { text, score: 7, because: Vec::new(), request: None, received: None };
    Blame { own: Some(own), beside: Some(beside) }
}

fn error_part(scene: &Scene<'_>, group: Option<&ErrorGroup<'_>>) -> Value {
    let context = scene.entry.and_then(|entry| entry.ai_context.as_ref());
    let components = context.and_then(|context| context.component_ancestry.as_ref()).map(Json::value);
    let place = scene.place.as_ref().map(|(file, line, column)| format!("{file}:{line}:{column}"));
    let place = place.or_else(|| scene.entry.and_then(logs::place));
    Value::Object(object([
        ("id", json!(scene.id())),
        ("type", json!(scene.entry.filter(|_| !scene.is_request()).map(error_type))),
        ("message", json!(shorten(&scene.message, MESSAGE_CHARS))),
        ("at", json!(place.filter(|_| !scene.is_request()))),
        ("code", json!(scene.code.as_deref().map(|code| shorten(code.trim(), CODE_CHARS)))),
        ("in", json!(components.as_ref().and_then(component_words))),
        ("count", json!(group.map(|group| group.count).filter(|count| *count > 1))),
        ("ts", json!(scene.at)),
    ]))
}

fn request_part(scene: &Scene<'_>, cause: &Cause<'_>) -> Value {
    let Some(stored) = cause.request else { return Value::Null };
    let request = &stored.entry;
    let is_asked_wrong = request.status.is_some_and(|status| (400..500).contains(&status));
    let words = scene.words();
    let sent = request.request_body.as_deref().filter(|_| is_asked_wrong).map(|sent| body::that_matters(sent, &[]));
    let received = cause.received.clone();
    let received = received.or_else(|| request.response_body.as_deref().map(|text| body::that_matters(text, &words)));
    let text = crate::view::moment::request_text(request);
    let worked = last_success(scene.store, stored);
    Value::Object(object([
        ("id", json!(scene.store.ids.format(IdKind::Network, stored.cursor))),
        ("text", json!(text)),
        ("sent", json!(sent)),
        // The cause may have said it already.
        ("received", json!(received.filter(|text| !text.is_empty() && !cause.text.contains(text.as_str())))),
        (
            "auth_header",
            json!(matches!(request.status, Some(401 | 403)).then(|| request.has_auth_header == Some(true))),
        ),
        ("last_worked", json!(worked)),
    ]))
}

/// When the same request was last answered well.
fn last_success(store: &Store, failed: &Stored<wire::NetworkBody>) -> Option<wire::Timestamp> {
    if !is_failed(&failed.entry) {
        return None;
    }
    let endpoint =
        |request: &wire::NetworkBody| request.url.as_deref().map(crate::view::errors::endpoint).map(str::to_owned);
    let is_same = |other: &&Stored<wire::NetworkBody>| {
        other.cursor < failed.cursor
            && other.entry.status.is_some_and(|status| (200..400).contains(&status))
            && other.entry.method == failed.entry.method
            && endpoint(&other.entry) == endpoint(&failed.entry)
    };
    store.network.iter().rev().find(is_same).and_then(|stored| stored.entry.ts)
}

fn action_part(scene: &Scene<'_>) -> Value {
    let actions = scene.store.actions.iter().rev();
    let latest = actions
        .filter(|stored| stored.entry.tab_id == scene.tab && stored.entry.kind.as_deref() != Some("scroll"))
        .find(|stored| {
            let before = scene.at.millis() - scene::time_of(stored).millis();
            (0..=ACTION_MILLIS).contains(&before)
        });
    let Some(stored) = latest else { return Value::Null };
    json!({
        "id": scene.store.ids.format(IdKind::Action, stored.cursor),
        "text": action_text(&stored.entry),
        "ms_before": scene.at.millis() - scene::time_of(stored).millis(),
    })
}

fn changed_part(scene: &Scene<'_>, cause: &Cause<'_>, group: Option<&ErrorGroup<'_>>) -> Value {
    let mut said: Vec<String> = Vec::new();
    if let Some((label, change)) = group.and_then(|group| group.since_update(scene.store)) {
        let millis = scene.at.millis() - change.at.millis();
        let when = if millis >= 0 {
            format!("{} s before", millis / 1_000)
        } else {
            format!("{} s after it", -millis / 1_000)
        };
        said.push(format!("{label} since {}, {when}", change_text(change)));
    }
    if let Some(at) = cause.request.and_then(|request| last_success(scene.store, request)) {
        said.push(format!("the request last worked at {at}"));
    }
    if said.is_empty() { Value::Null } else { json!(said.join("; ")) }
}

/// What else happened in the seconds before, in order.
fn around(scene: &Scene<'_>, cause: &Cause<'_>) -> Value {
    let filter = Filter { tab_id: scene.tab, ..Filter::default() };
    let all = moments(scene.store, &filter, Include { actions: false, ..Include::ALL });
    let is_told = |moment: &Moment<'_>| match moment.what {
        What::Request(stored) => cause.request.is_some_and(|told| told.cursor == stored.cursor),
        What::Console(stored) => {
            let of_cause = cause.request.is_some_and(|told| {
                told.entry.request_id.is_some() && told.entry.request_id == stored.entry.request_id
            });
            stored.cursor == scene.failure.cursor() || of_cause
        }
        // Told by what changed.
        What::Socket(stored) => stored.entry.data.as_deref().and_then(hot_update::of_socket).is_some(),
        What::Update(_) => true,
        What::Action(_) => false,
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
        order::by_key(&mut order, |&index| {
            near.get(index).map(|moment| (std::cmp::Reverse(moment.severity()), std::cmp::Reverse(index)))
        });
        let mut chosen: Vec<usize> = order.into_iter().take(AROUND).collect();
        chosen.sort_unstable();
        chosen
    };
    let lines: Vec<String> = loudest
        .into_iter()
        .filter_map(|index| near.get(index))
        .map(|moment| format!("{:+} ms {}", moment.at.millis() - scene.at.millis(), shorten(&moment.text(), 120)))
        .collect();
    if lines.is_empty() { Value::Null } else { json!(lines) }
}

fn next_step(cause: &Cause<'_>) -> &'static str {
    if let Some(stored) = cause.request {
        if stored.entry.response_body.is_none() && stored.entry.status.is_some_and(|status| status != 0) {
            return "bodies are not captured: have \"Network bodies\" switched on in the extension's popup and do it again to see what was answered";
        }
        return "get_network_bodies with the request's id has the whole exchange";
    }
    "get_browser_errors with the error's id has the whole stack and code; get_session_timeline what came before"
}

/// Makes it fit: what is told least leaves first, then what is left gets shorter.
fn shrink(answer: &mut Map<String, Value>, most_bytes: usize) {
    let size = |answer: &Map<String, Value>| json_len(&Value::Object(answer.clone()));
    while size(answer) > most_bytes
        && let Some(lines) = answer.get_mut("around").and_then(Value::as_array_mut)
        && lines.len() > 1
    {
        lines.remove(0);
    }
    let steps: [fn(&mut Map<String, Value>); 11] = [
        |answer| drop(answer.shift_remove("around")),
        |answer| drop(answer.shift_remove("changed")),
        |answer| shorten_in(answer, "request", &["sent", "received"], 120),
        |answer| drop(answer.shift_remove("next")),
        |answer| shorten_in(answer, "error", &["message", "code", "in"], 80),
        |answer| drop(answer.shift_remove("because")),
        |answer| drop(answer.shift_remove("action")),
        |answer| drop(answer.shift_remove("request")),
        |answer| shorten_text(answer, "cause", 120),
        |answer| {
            if let Some(error) = answer.get_mut("error").and_then(Value::as_object_mut) {
                error.retain(|name, _| matches!(name.as_str(), "id" | "message" | "at"));
            }
        },
        |answer| {
            shorten_in(answer, "error", &["message", "at"], 40);
            shorten_text(answer, "cause", 60);
        },
    ];
    for step in steps {
        if size(answer) <= most_bytes {
            return;
        }
        step(answer);
    }
    let mut value = Value::Object(std::mem::take(answer));
    fit_value(&mut value, most_bytes);
    if let Value::Object(fields) = value {
        *answer = fields;
    }
}

fn shorten_in(answer: &mut Map<String, Value>, part: &str, names: &[&str], most: usize) {
    if let Some(fields) = answer.get_mut(part).and_then(Value::as_object_mut) {
        names.iter().for_each(|name| shorten_text(fields, name, most));
    }
}

fn shorten_text(fields: &mut Map<String, Value>, name: &str, most: usize) {
    if let Some(Value::String(text)) = fields.get_mut(name) {
        *text = shorten(text, most);
    }
}

/// The error line of an entry's first snippet.
pub(crate) fn code_line(entry: &LogEntry) -> Option<String> {
    let snippets = entry.ai_context.as_ref()?.source_snippets.as_ref()?.value();
    let lines = snippets.get(0)?.get("snippet")?.as_array()?;
    let line = lines.iter().find(|line| line.get("isError") == Some(&Value::Bool(true)))?;
    line.get("text")?.as_str().map(str::to_owned)
}

/// File, line and column, in the developer's files where they are known.
fn place_of(entry: &LogEntry) -> Option<(String, u32, u32)> {
    location(entry)
}
