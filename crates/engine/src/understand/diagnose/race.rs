//! Two requests of the same kind whose answers came in the wrong order.

use wire::NetworkBody;

use super::Cause;
use super::request::shared_function;
use super::scene::{Scene, time_of};
use crate::store::Stored;
use crate::view::errors::endpoint;
use crate::view::moment::request_text;

const AFTER_MILLIS: i64 = 1_000;

pub(super) fn cause<'a>(scene: &Scene<'a>) -> Option<Cause<'a>> {
    if scene.is_request() {
        return None;
    }
    let is_same = |one: &NetworkBody, other: &NetworkBody| {
        one.method == other.method && one.url.as_deref().map(endpoint) == other.url.as_deref().map(endpoint)
    };
    let overtaken = |late: &Stored<NetworkBody>| {
        scene.requests.iter().copied().find(|early| {
            is_same(&early.entry, &late.entry)
                && time_of(early) > time_of(late)
                && scene.ended(early) < scene.ended(late)
                && time_of(early) < scene.ended(late)
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
        "answers came in the wrong order: {} was asked first and answered last, after {}; what the page shows is of the older request",
        request_text(&late.entry),
        request_text(&early.entry)
    );
    let mut because = vec![
        format!(
            "asked {} ms later, answered {} ms earlier",
            time_of(early).millis() - time_of(late).millis(),
            scene.ended(late).millis() - scene.ended(early).millis()
        ),
        format!("the error came {before} ms after the late answer"),
    ];
    let mut score = 5 + if before <= 300 { 2 } else { 0 };
    if let Some(function) = shared_function(scene, &late.entry) {
        score += 2;
        because.push(format!("`{function}` asked for it and is in the error's stack"));
    }
    Some(Cause { text, score, because, request: Some(late), received: None })
}
