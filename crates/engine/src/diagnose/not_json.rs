//! A response that should be JSON and is something else, most often the page that a server sends for unknown addresses.

use serde_json::Value;
use wire::Json;

use super::Cause;
use super::json_complaint::{Complaint, complaint};
use super::request::{SAME_MOMENT_MILLIS, shared_function};
use super::scene::Scene;
use crate::entry::Request;
use crate::moments::address;
use crate::store::Stored;
use crate::text::shorten;

/// The call names the response that it read: more than any request can score by being near.
const NAMED_SCORE: u32 = 11;
/// It arrived just before, and has another type.
const LIKELY_SCORE: u32 = 6;
const NEAR_MILLIS: i64 = 2_000;
/// It is empty, and arrived some time before.
const EMPTY_SCORE: u32 = 3;
const EMPTY_MILLIS: i64 = 300;

pub(super) fn cause<'a>(scene: &Scene<'a>) -> Option<Cause<'a>> {
    let complaint = complaint(&scene.message).filter(|_| !scene.is_request())?;
    let metadata = scene.entry.and_then(|entry| entry.metadata.as_ref()).map(Json::value);
    // Our own script writes this beside the error of a `response.json()`.
    if let Some(read) = metadata.as_ref().and_then(|metadata| metadata.get("response")).filter(|read| read.is_object())
    {
        let request = read_request(scene, read);
        let content_type = text(read, "contentType").or_else(|| request.and_then(content_type_of));
        let asked = request.map(|stored| asked(&stored.entry)).or_else(|| text(read, "url").map(str::to_owned))?;
        let status = read.get("status").and_then(Value::as_u64).unwrap_or(0);
        let text = sentence(complaint, &asked, status, content_type);
        let because = vec!["the error was thrown by `response.json()` of that response".to_owned()];
        return Some(Cause { text, score: NAMED_SCORE, because, request, at: None, received: None });
    }
    let fitting = scene.requests.iter().copied().filter(|stored| {
        let is_near = (-SAME_MOMENT_MILLIS..=NEAR_MILLIS).contains(&scene.before(scene.ended(stored)));
        is_near && stored.entry.status.is_some_and(|status| status > 0) && complaint.can_be_of(&stored.entry)
    });
    let fitting: Vec<&Stored<Request>> = fitting.collect();
    // Many responses are empty, and no code reads them; a body that ends in the middle should have been JSON.
    let has_text =
        |stored: &Stored<Request>| stored.entry.response_body.as_deref().is_some_and(|body| !body.trim().is_empty());
    let stored = fitting.iter().copied().find(|stored| has_text(stored)).or(fitting.first().copied())?;
    // Any text may be empty: a stored one as well as a response.
    let is_near = scene.before(scene.ended(stored)) <= EMPTY_MILLIS || shared_function(scene, &stored.entry).is_some();
    let score = if complaint == Complaint::TooShort && !is_near { EMPTY_SCORE } else { LIKELY_SCORE };
    let status = u64::from(stored.entry.status.unwrap_or(0));
    let text = sentence(complaint, &asked(&stored.entry), status, content_type_of(stored));
    let mut because =
        vec![format!("answered {} ms before the error, and not with JSON", scene.before(scene.ended(stored)).max(0))];
    let other = fitting.iter().find(|other| has_text(stored) && !has_text(other));
    because.extend(other.map(|other| format!("{} got an empty response, which fits less well", asked(&other.entry))));
    Some(Cause { text, score, because, request: Some(stored), at: None, received: None })
}

fn sentence(complaint: Complaint<'_>, asked: &str, status: u64, content_type: Option<&str>) -> String {
    let content_type = content_type.unwrap_or("no content type");
    let what = match complaint {
        Complaint::TooShort => "an empty or incomplete body",
        Complaint::Whole(text)
        | Complaint::Quoted(text)
        | Complaint::BeginsWith(text)
        | Complaint::Unexpected(text)
            if text.trim_start().starts_with('<') =>
        {
            "HTML"
        }
        _ if content_type.contains("html") => "HTML",
        _ => "a text that is not JSON",
    };
    let status_text = if status == 0 { String::new() } else { format!("{status}, ") };
    format!("{asked} was answered with {what} instead of JSON ({status_text}{})", shorten(content_type, 60))
}

/// The request whose response was read.
fn read_request<'a>(scene: &Scene<'a>, read: &Value) -> Option<&'a Stored<Request>> {
    let (id, url) = (text(read, "requestId"), text(read, "url"));
    let of_tab = || scene.session.store.network.iter().rev().filter(|stored| stored.entry.tab_id == scene.tab);
    let by_id = id.and_then(|id| of_tab().find(|stored| stored.entry.request_id.as_deref() == Some(id)));
    by_id.or_else(|| of_tab().find(|stored| url == Some(stored.entry.url.as_str())))
}

fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key).and_then(Value::as_str).filter(|text| !text.is_empty())
}

fn asked(request: &Request) -> String {
    format!("{} {}", request.method.as_str(), address(request))
}

fn content_type_of(stored: &Stored<Request>) -> Option<&str> {
    stored.entry.content_type.as_deref()
}
