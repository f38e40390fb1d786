//! Compares a failed attempt at a test with one that passed: what differed first?

use std::collections::HashMap;

use wire::{Level, Timestamp};

use super::attempt::{Attempt, duration_text};
use super::snapshot::{Run, Snapshot, runs};
use super::tokens::shorten_to;
use super::{Options, attempt};
use crate::entry::{Request, SocketEventKind};
use crate::fingerprint::normalize_message;
use crate::moments::{Include, Moment, What, address, moments, request_text};
use crate::redact::Redactor;
use crate::store::Filter;
use crate::text::shorten;
use crate::url::without_query;

/// A request is slow if it took this much longer, and several times as long.
const SLOWER_MILLIS: f64 = 300.0;
const SLOWER_TIMES: f64 = 3.0;
const LISTED: usize = 8;
const LINE_TOKENS: usize = 60;
const BODY_CHARS: usize = 100;

/// An event in an attempt, with a name that identifies its counterpart in the other attempt.
struct Step<'a> {
    key: String,
    at: i64,
    moment: Moment<'a>,
}

struct Difference {
    at: i64,
    text: String,
    /// How well it explains a failure: of differences at the same time, the most severe is reported first.
    weight: u32,
}

/// Markdown, short enough for a model, too. `None` when one of the attempts is missing.
pub fn difference(failed: Snapshot, passed: Snapshot, redactor: &Redactor) -> Option<String> {
    let first_of = |snapshot: Snapshot| runs(vec![snapshot], redactor).into_iter().find(|run| run.test_id().is_some());
    let (failed, passed) = (first_of(failed)?, first_of(passed)?);
    let attempt = attempt::look_at(&failed, &Options::default());
    let mut found = compare(&failed, &passed);
    found.sort_by_key(|difference| (difference.at, std::cmp::Reverse(difference.weight)));
    Some(write(&attempt, &failed, &passed, &found))
}

fn write(attempt: &Attempt, failed: &Run, passed: &Run, found: &[Difference]) -> String {
    let number = |run: &Run| run.record.retry.unwrap_or(0) + 1;
    let mut out = vec![
        format!("## Flaky Test: {}", shorten_to(&attempt.title, 40)),
        format!("Attempt {} failed, attempt {} passed.", number(failed), number(passed)),
    ];
    out.extend(attempt.runner_line().map(|line| format!("> {}", shorten_to(line, LINE_TOKENS))));
    let line =
        |difference: &Difference| format!("{}ms: {}", difference.at.max(0), shorten_to(&difference.text, LINE_TOKENS));
    match found.split_first() {
        None => {
            out.push("### What differed".to_owned());
            out.push(
                "Nothing the browser saw: requests, answers, errors and sockets were the same in both.".to_owned(),
            );
        }
        Some((first, rest)) => {
            out.push("### What differed first".to_owned());
            out.push(format!("- {}", line(first)));
            if !rest.is_empty() {
                out.push("### What differed after that".to_owned());
                out.extend(rest.iter().take(LISTED - 1).map(|difference| format!("- {}", line(difference))));
            }
            if rest.len() >= LISTED {
                out.push(format!("- … and {} more", rest.len() + 1 - LISTED));
            }
        }
    }
    if let Some(cause) = &attempt.cause {
        out.push("### Diagnosis Hints".to_owned());
        let line = format!("In the attempt that failed ({} confidence): {}", cause.confidence, cause.text);
        out.push(format!("- {}", shorten_to(&line, LINE_TOKENS)));
    }
    out.join("\n") + "\n"
}

fn compare(failed: &Run, passed: &Run) -> Vec<Difference> {
    let (own, other) = (steps(failed), steps(passed));
    let of_other: HashMap<&str, &Step<'_>> = other.iter().map(|step| (step.key.as_str(), step)).collect();
    let of_own: HashMap<&str, &Step<'_>> = own.iter().map(|step| (step.key.as_str(), step)).collect();
    let mut found: Vec<Difference> = Vec::new();
    for step in &own {
        match of_other.get(step.key.as_str()) {
            Some(same) => found.extend(changed(step, same)),
            None => {
                let weight = if step.moment.severity() >= Level::Warn { 3 } else { 1 };
                let text = format!("only when it failed: {}", step.moment.text());
                found.push(Difference { at: step.at, text, weight });
            }
        }
    }
    // A failed attempt ends early, so what came later in the other one proves nothing.
    let end = own.last().map_or(0, |step| step.at);
    for step in other.iter().filter(|step| step.at <= end && !of_own.contains_key(step.key.as_str())) {
        found.push(Difference { at: step.at, text: format!("only when it passed: {}", step.moment.text()), weight: 2 });
    }
    found.extend(reordered(&own, &other));
    found
}

/// Requests, errors, warnings and socket events, each with its number among equal ones.
fn steps(run: &Run) -> Vec<Step<'_>> {
    let all = moments(&run.session, &Filter::default(), Include { actions: false, ..Include::ALL });
    let shown: Vec<Moment<'_>> = all
        .into_iter()
        .filter(|moment| match moment.what {
            What::Request(stored) => run.session.noise.rule_for(&stored.entry).is_none(),
            What::Console(stored) => {
                moment.severity() >= Level::Warn && run.session.noise.rule_for(&stored.entry).is_none()
            }
            What::Socket(stored) => stored.entry.event != SocketEventKind::Message,
            What::Action(_) | What::Update(_) => false,
        })
        .collect();
    let begin = run.record.started.into_iter().chain(shown.first().map(|moment| moment.at)).min();
    let begin = begin.unwrap_or_default().millis();
    let mut counts: HashMap<String, usize> = HashMap::new();
    shown
        .into_iter()
        .map(|moment| {
            let name = match moment.what {
                What::Request(stored) => request_name(&stored.entry),
                _ => normalize_message(&moment.text()),
            };
            let number = counts.entry(name.clone()).or_default();
            *number += 1;
            Step { key: format!("{name}#{number}"), at: moment.at.millis() - begin, moment }
        })
        .collect()
}

fn request_name(request: &Request) -> String {
    let method = request.method.as_str();
    format!("{method} {}", normalize_message(without_query(&address(request))))
}

/// The same request in both, with another outcome.
fn changed(own: &Step<'_>, other: &Step<'_>) -> Option<Difference> {
    let (What::Request(failed), What::Request(passed)) = (own.moment.what, other.moment.what) else { return None };
    let (failed, passed) = (&failed.entry, &passed.entry);
    if failed.status != passed.status {
        let said = failed.response_body.as_deref().filter(|body| !body.is_empty());
        let said = said.map(|body| format!(", saying {}", shorten(body, BODY_CHARS))).unwrap_or_default();
        let text = format!("{}{said}; when it passed: {}", request_text(failed), outcome(passed));
        return Some(Difference { at: own.at, text, weight: 4 });
    }
    let (slow, quick) = (failed.duration.unwrap_or_default(), passed.duration.unwrap_or_default());
    if slow - quick > SLOWER_MILLIS && slow > quick * SLOWER_TIMES {
        let text = format!("{}; when it passed: {}", request_text(failed), duration_text(quick));
        return Some(Difference { at: own.at, text, weight: 3 });
    }
    let bodies = (failed.response_body.as_deref()?, passed.response_body.as_deref()?);
    if normalize_message(bodies.0) != normalize_message(bodies.1) {
        let (failed_part, passed_part) = where_they_part(bodies.0, bodies.1);
        let text = format!("{} answered {failed_part}; when it passed: {passed_part}", request_text(failed));
        return Some(Difference { at: own.at, text, weight: 2 });
    }
    None
}

fn outcome(request: &Request) -> String {
    let text = request_text(request);
    text.rsplit_once(" → ").map_or(text.clone(), |(_, outcome)| outcome.to_owned())
}

/// The parts of two texts from shortly before their first difference.
fn where_they_part<'t>(one: &'t str, other: &'t str) -> (String, String) {
    const BEFORE: usize = 20;
    let same = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    let part = |text: &'t str| {
        let from = text.char_indices().nth(same.saturating_sub(BEFORE)).map_or(0, |(index, _)| index);
        let mark = if from > 0 { "…" } else { "" };
        format!("{mark}{}", shorten(text.get(from..).unwrap_or_default(), BODY_CHARS / 2))
    };
    (part(one), part(other))
}

/// Two requests that were answered in another order, which suggests a race.
fn reordered(own: &[Step<'_>], other: &[Step<'_>]) -> Option<Difference> {
    let ends = |steps: &[Step<'_>]| {
        let mut ends: Vec<(Timestamp, i64, String, String)> = steps
            .iter()
            .filter_map(|step| match step.moment.what {
                What::Request(stored) => {
                    let took = stored.entry.duration.unwrap_or_default() as i64;
                    let end = Timestamp::from_millis(step.moment.at.millis() + took);
                    Some((end, step.at + took, step.key.clone(), address(&stored.entry)))
                }
                _ => None,
            })
            .collect();
        ends.sort_by_key(|(end, ..)| *end);
        ends
    };
    let (own, other) = (ends(own), ends(other));
    let place = |key: &str| other.iter().position(|(_, _, known, _)| known == key);
    own.windows(2).find_map(|pair| {
        let [(_, _, first, first_address), (_, at, second, second_address)] = pair else { return None };
        let (first_place, second_place) = (place(first)?, place(second)?);
        (first_place > second_place && first_address != second_address).then(|| Difference {
            at: *at,
            text: format!("{first_address} was answered before {second_address}; when it passed, after it"),
            weight: 1,
        })
    })
}
