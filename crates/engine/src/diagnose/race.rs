//! Two requests of the same kind whose responses arrived in the wrong order.

use super::Cause;
use super::request::{asks_the_same, is_graphql, link, shared_function};
use super::scene::Scene;
use super::wording::is_of_code_alone;
use crate::entry::Request;
use crate::moments::request_text;
use crate::store::Stored;

const AFTER_MILLIS: i64 = 1_000;

pub(super) fn cause<'a>(scene: &Scene<'a>) -> Option<Cause<'a>> {
    if scene.is_request() || is_of_code_alone(&scene.message) {
        return None;
    }
    // Only a request for the same thing can overtake another: different operations of one address are different
    // requests.
    let is_same = |one: &Request, other: &Request| {
        asks_the_same(one, other) && (one.method == "GET" || one.request_body == other.request_body) && !is_graphql(one)
    };
    let overtaken = |late: &Stored<Request>| {
        scene.requests.iter().copied().find(|early| {
            is_same(&early.entry, &late.entry)
                && early.began() > late.began()
                && scene.ended(early) < scene.ended(late)
                && early.began() < scene.ended(late)
        })
    };
    let (late, early) = scene
        .requests
        .iter()
        .copied()
        .filter(|late| scene.before(scene.ended(late)) <= AFTER_MILLIS)
        .find_map(|late| Some((late, overtaken(late)?)))?;
    let before = scene.before(scene.ended(late)).max(0);
    let text = format!(
        "answers came in the wrong order: {} was asked first and answered last, after {}; what the page shows comes from the older request",
        request_text(&late.entry),
        request_text(&early.entry)
    );
    let mut because = vec![
        format!(
            "asked {} ms later, answered {} ms earlier",
            early.began().millis() - late.began().millis(),
            scene.ended(late).millis() - scene.ended(early).millis()
        ),
        format!("the error came {before} ms after the late answer"),
    ];
    // Pages send many requests in parallel; that two finished in another order is the cause only if the error points
    // there.
    let mut score = 2 + u32::from(before <= 300);
    if let Some(function) = shared_function(scene, &late.entry) {
        score += 5;
        because.push(format!("`{function}` asked for it and is in the error's stack"));
    }
    if link(scene, late).lack.is_some() {
        score += 2;
    }
    Some(Cause { score, because, request: Some(late), ..Cause::new(text) })
}
