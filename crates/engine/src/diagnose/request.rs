//! Requests that failed, or whose response is not what the code expected.

use wire::Timestamp;

use super::Cause;
use super::body;
use super::mismatch::mismatch;
use super::scene::Scene;
use super::wording::{is_of_code_alone, names_address, names_another_address, names_status};
use crate::contracts::endpoint_name;
use crate::entry::Request;
use crate::failures::Failure;
use crate::moments::{address, is_failed, request_text};
use crate::store::Stored;
use crate::symbolicate::original_path::is_dependency;
use crate::symbolicate::stack::frames;
use crate::text::shorten;
use crate::url::{Url, origin_of, without_query};

/// A request with a lower score is too loosely related to an error to be named.
const LEAST_SCORE: u32 = 3;
const MEDIUM_SCORE: u32 = 4;
const JUST_BEFORE_MILLIS: i64 = 2_000;
/// A server that answered another request this shortly before or after was running.
const SAME_TIME_MILLIS: i64 = 2_000;
const SIBLING_CHARS: usize = 100;
/// The end of a request and an error in its handler may be recorded in either order.
pub(super) const SAME_MOMENT_MILLIS: i64 = 5;
/// Functions of these names run any code: finding them in two stacks means little.
const ENTRY_POINTS: [&str; 20] = [
    "main",
    "init",
    "initialize",
    "boot",
    "bootstrap",
    "setup",
    "start",
    "startup",
    "run",
    "mount",
    "mounted",
    "render",
    "app",
    "index",
    "ready",
    "onload",
    "onready",
    "callback",
    "handler",
    "dispatch",
];
/// The score of a request whose response arrived just when the error happened.
const AT_THAT_MOMENT: u32 = 3;
/// Addresses that the browser itself requests, by their endings.
const RESOURCES: [&str; 14] = [
    ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif", ".ico", ".css", ".woff", ".woff2", ".ttf", ".mp4", ".js",
];
/// A request that only fits by shape is at most likely.
const MOST_BY_SHAPE: u32 = 6;
/// So is one of several that the evidence fits equally.
const MOST_OF_SEVERAL: u32 = 6;

/// The failure itself is a request.
pub(super) fn own_failure<'a>(scene: &Scene<'a>) -> Option<Cause<'a>> {
    if !scene.is_request() {
        return None;
    }
    let stored = match scene.failure {
        Failure::Request(stored) => Some(stored),
        Failure::Log(_, body) => body,
    };
    match stored {
        Some(stored) => {
            let (text, because) = what_failed(scene, stored);
            Some(Cause { score: 8, because, request: Some(stored), ..Cause::new(text) })
        }
        None => {
            let text = format!("the request failed: {}", shorten(&scene.message, 200));
            Some(Cause { score: 6, ..Cause::new(text) })
        }
    }
}

/// The request that most likely caused the error.
pub(super) fn related<'a>(scene: &Scene<'a>) -> Option<Cause<'a>> {
    if scene.is_request() || is_of_code_alone(&scene.message) {
        return None;
    }
    let linked: Vec<_> = scene.requests.iter().copied().map(|stored| (link(scene, stored), stored)).collect();
    // The latest among equals: they come in that order, and `max_by_key` returns the last maximum.
    let (link, stored) = linked.iter().rev().max_by_key(|(link, _)| link.score)?;
    let stored = *stored;
    let Link { mut score, mut because, lack, .. } = link.clone();
    if score < LEAST_SCORE {
        return None;
    }
    let request = &stored.entry;
    let rival = linked.iter().find(|(other, rival)| {
        link.evidence.is_all_in(other.evidence)
            && !asks_the_same(&rival.entry, request)
            && scene.before(scene.ended(rival)) <= JUST_BEFORE_MILLIS.max(scene.before(scene.ended(stored)))
    });
    if let Some((_, rival)) = rival
        && score > MOST_OF_SEVERAL
    {
        score = MOST_OF_SEVERAL;
        because.push(format!("{} fits equally well", request_text(&rival.entry)));
    }
    let text = if is_failed(request) {
        let (text, more) = what_failed(scene, stored);
        because.extend(more);
        match &lack {
            Some(lack) => format!("{text}; {lack}, and the code reads it all the same"),
            None => text,
        }
    } else if let Some(lack) = &lack {
        format!("{} did not bring what the code reads: {lack}", request_text(request))
    } else {
        format!("{} was answered just before; its answer may not be what the code expects", request_text(request))
    };
    Some(Cause { score, because, request: Some(stored), ..Cause::new(text) })
}

/// A server that failed this shortly before the error is more than merely near.
pub(super) fn is_just_before(scene: &Scene<'_>, stored: &Stored<Request>) -> bool {
    stored.entry.status.is_some_and(|status| status >= 500) && scene.before(scene.ended(stored)) <= JUST_BEFORE_MILLIS
}

#[derive(Debug, Clone, Default)]
pub(super) struct Link {
    pub(super) score: u32,
    because: Vec<String>,
    /// What its body lacks.
    pub(super) lack: Option<String>,
    evidence: Evidence,
}

/// What connects an error to a request, apart from time.
#[derive(Debug, Clone, Copy, Default)]
struct Evidence {
    shares_a_function: bool,
    names_address: bool,
    names_status: bool,
    got_no_answer: bool,
    lacks_what_is_read: bool,
    has_failed: bool,
}

impl Evidence {
    /// Whether it proves the connection instead of hinting at it.
    fn is_certain(self) -> bool {
        self.shares_a_function || self.names_address || self.names_status || self.got_no_answer
    }

    /// Whether all of this evidence also holds for another request.
    fn is_all_in(self, other: Self) -> bool {
        let pairs = [
            (self.shares_a_function, other.shares_a_function),
            (self.names_address, other.names_address),
            (self.names_status, other.names_status),
            (self.got_no_answer, other.got_no_answer),
            (self.lacks_what_is_read, other.lacks_what_is_read),
            (self.has_failed, other.has_failed),
        ];
        pairs.iter().all(|(own, other)| !own || *other)
    }
}

/// Whether two requests ask for the same thing. GraphQL operations share an address.
pub(super) fn asks_the_same(one: &Request, other: &Request) -> bool {
    let address = |request: &Request| without_query(&request.url).to_owned();
    one.method == other.method
        && address(one) == address(other)
        && (one.request_body == other.request_body || !is_graphql(one))
}

pub(super) fn is_graphql(request: &Request) -> bool {
    without_query(&request.url).ends_with("/graphql")
}

/// How an error is connected to a request. A shared stack, or the request's name in the message, proves the connection.
/// A response that does not fit, or that arrived just before, is only a hint: pages poll and report all the time.
pub(super) fn link(scene: &Scene<'_>, stored: &Stored<Request>) -> Link {
    let request = &stored.entry;
    let mut score: u32 = 0;
    let mut because = Vec::new();
    let mut evidence = Evidence { has_failed: is_failed(request), ..Evidence::default() };
    if let Some(function) = shared_function(scene, request) {
        evidence.shares_a_function = true;
        score += 5;
        because.push(format!("`{function}` asked for it and is in the error's stack"));
    }
    let url = request.url.as_str();
    if names_address(&scene.message, url) {
        evidence.names_address = true;
        score += 5;
        because.push("the message names its address".to_owned());
    }
    let path = Url::new(url).path;
    if let Some(status) = request.status.filter(|status| *status >= 400)
        && names_status(&scene.message, status, path)
        && !names_another_address(&scene.message, path)
    {
        evidence.names_status = true;
        score += 4;
        because.push(format!("the message names its status {status}"));
    }
    let failed_to_fetch = ["Failed to fetch", "NetworkError", "Load failed", "Network Error"];
    if request.status == Some(0) && failed_to_fetch.iter().any(|word| scene.message.contains(word)) {
        evidence.got_no_answer = true;
        score += 5;
        because.push("the message is the browser's for a request without an answer".to_owned());
    }
    let is_certain = evidence.is_certain();
    let lack = request.response_body.as_deref().and_then(|body| mismatch(scene, body));
    // A name that both the code and the body contain makes it more than a coincidence.
    let lack = lack.filter(|lack| lack.shares_a_name || is_certain);
    if let Some(lack) = &lack {
        evidence.lacks_what_is_read = true;
        score += if is_certain { 4 } else { 3 };
        because.push(lack.text.clone());
    }
    let before = scene.before(scene.ended(stored));
    // A request of the error's own code may have caused it by its headers; one that merely ended later did not.
    if before < -SAME_MOMENT_MILLIS && !is_certain {
        return Link::default();
    }
    // The request was repeated and succeeded, so the code got what it needs.
    if evidence.has_failed && !is_certain && scene.was_made_good(stored) {
        return Link::default();
    }
    let near = match before {
        ..=50 => AT_THAT_MOMENT,
        51..=300 => 2,
        301..=2_000 => 1,
        _ => 0,
    };
    if near > 0 {
        score += near;
        because.push(match before {
            0.. => format!("answered {before} ms before the error"),
            // The last byte may arrive after the code has begun to read the body.
            _ => format!("its answer ended {} ms after the error", -before),
        });
    }
    if evidence.has_failed {
        score += if before <= 5_000 { 2 } else { 1 };
        score += u32::from(is_just_before(scene, stored));
        // A user action at that time is as likely a cause.
        if !is_certain && lack.is_none() && scene.has_action_since(scene.ended(stored)) {
            score = score.min(LEAST_SCORE);
        }
    } else if near < 2 && score < 5 {
        // A successful response from long before explains nothing.
        score = 0;
    }
    if request.is_aborted() {
        score = score.saturating_sub(3);
    }
    let is_known = evidence.shares_a_function || evidence.names_address;
    let most = match (is_certain, lack.is_some(), evidence.has_failed) {
        // The browser handles such a failure: no code of the page waits for it.
        _ if is_resource(request) && !is_known => LEAST_SCORE,
        // Every request without a response has such a message; the one that failed at that time is meant.
        (true, ..) if evidence.got_no_answer && !is_known && near < AT_THAT_MOMENT => MOST_BY_SHAPE,
        (true, true, _) | (true, _, true) => u32::MAX,
        // That a response arrived says nothing about what is wrong with it.
        (true, false, false) => MEDIUM_SCORE,
        (false, true, _) => MOST_BY_SHAPE,
        (false, false, true) => MEDIUM_SCORE + 1,
        (false, false, false) => LEAST_SCORE,
    };
    Link { score: score.min(most), because, lack: lack.map(|lack| lack.text), evidence }
}

/// Whether the browser itself requested it, as far as that is known: an image, a style sheet, a script.
fn is_resource(request: &Request) -> bool {
    if matches!(request.initiator.as_deref(), Some("fetch" | "xhr")) || request.stack.is_some() {
        return false;
    }
    let kind = request.content_type.as_deref().unwrap_or_default();
    let path = Url::new(&request.url).path.to_ascii_lowercase();
    let is_of_kind = ["image/", "font/", "audio/", "video/", "text/css"].iter().any(|start| kind.starts_with(start));
    is_of_kind || kind.contains("javascript") || RESOURCES.iter().any(|end| path.ends_with(end))
}

/// A function in the developer's code that sent the request and is in the error's stack, possibly by `await`.
pub(super) fn shared_function<'s>(scene: &Scene<'s>, request: &'s Request) -> Option<&'s str> {
    let asked = request.stack.as_deref()?;
    let thrown = scene.frames();
    let has_name = |name: &str| name.len() > 2 && !name.starts_with("HTML") && !name.contains("<anonymous>");
    let own = frames(asked).filter(|frame| has_name(frame.function) && !is_dependency(frame.url));
    own.enumerate().find_map(|(depth, frame)| {
        // The function sent the request itself, or called what did.
        let tells = depth == 0 || !is_entry_point(frame.function);
        let same = thrown.iter().find(|other| other.function == frame.function && other.url == frame.url);
        same.filter(|_| tells).map(|_| frame.function)
    })
}

fn is_entry_point(function: &str) -> bool {
    let name = function.rsplit('.').next().unwrap_or(function).to_ascii_lowercase();
    ENTRY_POINTS.contains(&name.as_str())
}

/// A failed request in words, and the evidence for that reading.
fn what_failed(scene: &Scene<'_>, stored: &Stored<Request>) -> (String, Vec<String>) {
    let request = &stored.entry;
    let said = request.response_body.as_deref().map(|text| body::that_matters(text, &scene.words()));
    let said = said.filter(|said| !said.is_empty()).map(|said| format!(", saying {said}")).unwrap_or_default();
    let method = request.method.as_str();
    let asked = format!("{method} {}", address(request));
    match request.status.unwrap_or(0) {
        0 => no_answer(scene, stored, &asked),
        status @ (401 | 403) => refused(scene, stored, &asked, status, &said),
        404 => (format!("{asked} was answered 404{said}{}", not_found(scene, request)), Vec::new()),
        status @ (400 | 409 | 415 | 422) => {
            let sent =
                request.request_body.as_deref().map(|sent| format!("; sent was {}", body::that_matters(sent, &[])));
            (format!("{asked} was refused with {status}{said}{}", sent.unwrap_or_default()), Vec::new())
        }
        status @ 500.. => (format!("{asked} failed on the server with {status}{said}"), Vec::new()),
        status => (format!("{asked} was answered {status}{said}"), Vec::new()),
    }
}

fn no_answer(scene: &Scene<'_>, stored: &Stored<Request>, asked: &str) -> (String, Vec<String>) {
    let request = &stored.entry;
    let error = request.error.as_deref().unwrap_or("no answer");
    let origin = origin_of(&request.url);
    let page = request.page_url.as_deref().and_then(origin_of);
    if request.is_aborted() {
        return (format!("{asked} was aborted before it was answered"), Vec::new());
    }
    if error == "timed out" {
        return (format!("{asked} was {error} before it was answered"), Vec::new());
    }
    // Test runners wait for a response as long as the test runs.
    if error.starts_with("no answer within") {
        return (format!("{asked} had {error}"), Vec::new());
    }
    if let Some(reason) = reason_of(error) {
        return (format!("{asked} got no answer: {reason}"), vec![format!("the browser said {}", shorten(error, 80))]);
    }
    if origin.is_some() && page.is_some() && origin != page {
        let origin = origin.unwrap_or_default();
        let answers = scene.session.store.network.iter().any(|other| {
            other.entry.status.is_some_and(|status| status > 0) && origin_of(&other.entry.url) == Some(origin)
        });
        let mut because = vec![format!("it goes from {} to another origin", page.unwrap_or_default())];
        if answers {
            because.push(format!("{origin} answered other requests, so it is reachable"));
        }
        let text = format!(
            "{asked} got no answer the page may read: most likely CORS ({origin} does not allow {} by Access-Control-Allow-Origin), else that server is not running",
            page.unwrap_or_default()
        );
        return (text, because);
    }
    let ended = scene.ended(stored).millis();
    let answered = scene.session.store.network.iter().any(|other| {
        other.entry.status.is_some_and(|status| status > 0)
            && origin_of(&other.entry.url) == origin
            // A request that was answered earlier may have been the last one before the server stopped.
            && other.began() >= stored.began()
            && (scene.ended(other).millis() - ended).abs() <= SAME_TIME_MILLIS
    });
    let why = match answered {
        true => "the connection broke, though the server answered another request at that time",
        false => "the server is not running, or the connection broke",
    };
    (format!("{asked} got no answer ({}): {why}", shorten(error, 80)), Vec::new())
}

/// Whether the server does not know the address, or did not find the thing requested under it. An API that says in
/// words what it did not find knows its addresses.
fn not_found(scene: &Scene<'_>, request: &Request) -> String {
    let endpoint = endpoint_name(request);
    let known = scene.session.store.network.iter().rev().find(|other| {
        other.entry.status.is_some_and(|status| (200..400).contains(&status))
            && origin_of(&other.entry.url) == origin_of(&request.url)
            && endpoint_name(&other.entry) == endpoint
    });
    if let Some(known) = known {
        let text = shorten(&request_text(&known.entry), SIBLING_CHARS);
        return format!(": the server knows this kind of address ({text}), but not what was asked for");
    }
    let is_html = request.content_type.as_deref().is_some_and(|kind| kind.contains("html"));
    let is_empty = request.response_body.as_deref().is_some_and(|body| body.trim().is_empty());
    if is_html || is_empty { ": there is no such address on the server".to_owned() } else { String::new() }
}

/// The meaning of the browser's own error codes. Pages do not see them, test runners do.
fn reason_of(error: &str) -> Option<&'static str> {
    const REASONS: [(&str, &str); 8] = [
        ("ERR_CONNECTION_REFUSED", "nothing listens at that address, the server is not running"),
        ("ERR_NAME_NOT_RESOLVED", "the name of that host is not known"),
        ("ERR_CONNECTION_RESET", "the server broke the connection"),
        ("ERR_EMPTY_RESPONSE", "the server ended the connection without an answer"),
        ("ERR_CONNECTION_TIMED_OUT", "the server can't be reached"),
        ("ERR_INTERNET_DISCONNECTED", "there is no network"),
        ("ERR_CERT_", "its certificate is not accepted"),
        ("ERR_BLOCKED_BY_CLIENT", "something in the browser blocked it"),
    ];
    REASONS.iter().find(|(code, _)| error.contains(code)).map(|(_, reason)| *reason)
}

fn refused(scene: &Scene<'_>, stored: &Stored<Request>, asked: &str, status: u16, said: &str) -> (String, Vec<String>) {
    let request = &stored.entry;
    let mut because = Vec::new();
    let expired = expired_token(scene, stored);
    let why = match (&expired, request.has_auth_header) {
        (Some(at), _) => {
            because.push(format!("a token seen in this page was valid until {at}"));
            format!(": the token has expired (valid until {at})")
        }
        (None, Some(true)) if says_expired(said) => ": the token has expired".to_owned(),
        // An authenticated user may be refused for any reason; the response says which.
        (None, Some(true)) if status == 403 => ": not allowed with the credentials it was sent with".to_owned(),
        (None, Some(true)) => ": the credentials it was sent with are not accepted".to_owned(),
        (None, _) if others_are_authorized(scene, request) => {
            ": it was sent without the Authorization header that other requests have".to_owned()
        }
        (None, _) => ": not signed in, or the session is not accepted".to_owned(),
    };
    let endpoint_of = |request: &Request| without_query(&request.url).to_owned();
    let worked = scene.session.store.network.iter().rev().find(|other| {
        other.cursor < stored.cursor
            && other.entry.status.is_some_and(|status| (200..300).contains(&status))
            && endpoint_of(&other.entry) == endpoint_of(request)
    });
    if worked.is_some() {
        because.push("the same request was accepted before".to_owned());
    }
    (format!("{asked} was refused with {status}{said}{why}"), because)
}

/// Whether the page sends such a header to that server at all; many applications authenticate by cookie.
fn others_are_authorized(scene: &Scene<'_>, request: &Request) -> bool {
    let origin = origin_of(&request.url);
    scene
        .session
        .store
        .network
        .iter()
        .any(|other| other.entry.has_auth_header == Some(true) && origin_of(&other.entry.url) == origin)
}

fn says_expired(text: &str) -> bool {
    // Both in one text: another field of the response may be called `sessionId`.
    text.to_ascii_lowercase().split('"').any(|text| {
        text.contains("expire")
            && ["token", "session", "jwt", "login", "credential"].iter().any(|what| text.contains(what))
    })
}

/// A token that this page sent or received, and that had expired.
fn expired_token(scene: &Scene<'_>, refused: &Stored<Request>) -> Option<Timestamp> {
    let at = scene.ended(refused);
    let of_page = scene.session.store.network.iter().rev().filter(|stored| stored.entry.tab_id == scene.tab);
    let expiries = of_page.flat_map(|stored| stored.findings.iter()).filter_map(|finding| finding.expires);
    // The newest token is the one in use; if that one is valid, expiry is not the reason.
    expiries.max().filter(|expires| *expires <= at)
}
