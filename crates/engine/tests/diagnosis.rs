//! What `diagnose` may blame, and with which confidence.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use engine::diagnose::{Subject, diagnose};
use engine::entry::{Action, Arrival, Log, Parse, Request, SocketEvent};
use engine::{Redactor, Session};
use serde_json::{Value, json};
use wire::Timestamp;

const NOW: i64 = 1_770_600_000_000;
const PAGE: &str = "http://localhost:3000/shop";
const MOST_BYTES: usize = 8_000;

struct Page {
    session: Session,
    redactor: Redactor,
}

fn ts(millis: i64) -> Timestamp {
    Timestamp::from_millis(NOW + millis)
}

impl Page {
    fn new() -> Self {
        Self { session: Session::new("t"), redactor: Redactor::new() }
    }

    fn request(&mut self, at: i64, request: Value) {
        let mut entry = json!({ "ts": NOW + at, "pageUrl": PAGE, "duration": 20, "contentType": "application/json" });
        entry.as_object_mut().unwrap().extend(request.as_object().unwrap().clone());
        let entry = Request::from_json(entry, Arrival::at(ts(at))).unwrap();
        self.session.push_network(self.redactor.redact(entry), ts(at), 100).unwrap();
    }

    fn click(&mut self, at: i64) {
        let entry = json!({ "type": "click", "ts": NOW + at, "url": PAGE, "selectors": { "id": "menu" } });
        let entry = Action::from_json(entry, Arrival::at(ts(at))).unwrap();
        self.session.push_action(self.redactor.redact(entry), ts(at), 100).unwrap();
    }

    fn closed(&mut self, at: i64) {
        let entry = json!({ "event": "close", "ts": NOW + at, "connection_id": "c", "url": "ws://localhost:3000/live",
            "code": 1006 });
        let entry = SocketEvent::from_json(entry, Arrival::at(ts(at))).unwrap();
        self.session.push_websocket(self.redactor.redact(entry), ts(at), 100).unwrap();
    }

    /// The cause of an error with this message, its confidence, and the reasons.
    fn broke(&mut self, at: i64, message: &str) -> (String, String, String) {
        let entry = json!({ "type": "exception", "level": "error", "ts": NOW + at, "message": message, "url": PAGE,
            "stack": format!("Error: {message}\n    at route (http://localhost:3000/src/router.js:4:2)") });
        let entry = Log::from_json(entry, Arrival::at(ts(at))).unwrap();
        self.session.push_log(self.redactor.redact(entry), ts(at), 100).unwrap();
        let answer = diagnose(&self.session, Subject::Latest, MOST_BYTES).unwrap();
        let because = answer.because.map(|because| json!(because).to_string()).unwrap_or_default();
        (answer.cause, answer.confidence.to_string(), because)
    }
}

fn get(path: &str, status: u16) -> Value {
    json!({ "method": "GET", "url": format!("http://localhost:3000{path}"), "status": status })
}

fn with(mut one: Value, more: Value) -> Value {
    one.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    one
}

#[test]
fn a_status_beside_another_address_is_not_the_requests_status() {
    for (path, message, confidence) in [
        ("/api/probe", "404: no route for /productz", "low"),
        ("/api/probe", "404: no answer from http://localhost:3000/api/cart", "low"),
        ("/api/cart", "404: no answer from http://localhost:3000/api/cart", "high"),
        ("/api/cart", "404: no answer from /cart", "high"),
        ("/api/cart", "Request failed with status code 404", "high"),
    ] {
        let mut page = Page::new();
        page.request(0, get(path, 404));
        page.click(425);
        let told = page.broke(430, message);
        assert_eq!(told.1, confidence, "{message}: {told:?}");
    }
}

#[test]
fn a_missing_image_throws_no_exception() {
    let picture = |kind: &str| with(get("/avatars/7.png", 404), json!({ "contentType": kind }));
    for (message, kind) in
        [("404: not found", "image/png"), ("404: not found", "text/html"), ("list is not iterable", "text/plain")]
    {
        let mut page = Page::new();
        page.request(0, picture(kind));
        let told = page.broke(30, message);
        assert_eq!(told.1, "low", "{message} {kind}: {told:?}");
    }
    // A script may have requested it.
    let mut page = Page::new();
    page.request(0, with(picture("image/png"), json!({ "initiator": "fetch" })));
    assert_eq!(page.broke(30, "Request failed with status code 404").1, "high");
}

#[test]
fn a_socket_that_closed_before_a_click_is_hardly_the_cause() {
    let mut page = Page::new();
    page.closed(0);
    page.click(25);
    let told = page.broke(30, "menu.open is not a function");
    assert_eq!(told.1, "low", "{told:?}");
    let mut page = Page::new();
    page.closed(0);
    let told = page.broke(30, "menu.open is not a function");
    assert_eq!(told.1, "medium", "{told:?}");
}

#[test]
fn a_cut_response_outranks_an_empty_one() {
    const MESSAGE: &str = "Failed to execute 'json' on 'Response': Unexpected end of JSON input";
    let empty =
        json!({ "method": "POST", "url": "http://localhost:3000/api/track", "status": 204, "responseBody": "" });
    let mut page = Page::new();
    page.request(-50, with(get("/api/cfg", 200), json!({ "responseBody": "{\"a\":" })));
    page.request(0, empty.clone());
    let told = page.broke(30, MESSAGE);
    assert!(told.0.contains("/api/cfg") && told.2.contains("/api/track"), "{told:?}");
    let mut page = Page::new();
    page.request(0, empty);
    let told = page.broke(30, MESSAGE);
    assert!(told.0.contains("/api/track"), "{told:?}");
}

#[test]
fn a_request_that_the_page_cancelled_did_not_fail() {
    for error in [
        "aborted",
        "AbortError",
        "AbortError: The user aborted a request.",
        "The user aborted a request.",
        "AbortError: signal is aborted without reason",
        "The operation was aborted.",
    ] {
        let mut page = Page::new();
        page.request(0, with(get("/api/search", 0), json!({ "error": error })));
        let told = page.broke(30, "menu.open is not a function");
        assert!(!told.0.contains("server is not running") && told.1 == "low", "{error}: {told:?}");
    }
    let mut page = Page::new();
    page.request(0, with(get("/api/search", 0), json!({ "error": "net::ERR_CONNECTION_ABORTED" })));
    assert!(page.broke(30, "menu.open is not a function").0.contains("/api/search"));
}

#[test]
fn the_message_of_a_fetch_without_a_response_fits_any_request() {
    let lost = || with(get("/api/ads", 0), json!({ "error": "Failed to fetch" }));
    for (after, confidence) in [(25, "high"), (400, "medium"), (1_800, "medium")] {
        let mut page = Page::new();
        page.request(0, lost());
        let told = page.broke(after, "Failed to fetch");
        assert_eq!(told.1, confidence, "{after} ms: {told:?}");
    }
    let mut page = Page::new();
    page.request(0, with(lost(), json!({ "stack": "    at route (http://localhost:3000/src/router.js:3:1)" })));
    assert_eq!(page.broke(400, "Failed to fetch").1, "high");
}
