//! A store that is filled as a browser would fill it, and the verification tools on it.

use engine::entry::{Action, Arrival, Log, PageLoad, Parse, Request, SocketEvent};
use engine::verify::{Caller, Comparison, Coverage, Diff, Owner, Snapshots, Start, Verifications};
use engine::{Redactor, Session};
use serde_json::{Value, json};
use wire::Timestamp;

pub(crate) const NOW: i64 = 1_770_600_000_000;
pub(crate) const MINUTE: i64 = 60_000;

pub(crate) struct Browser {
    pub(crate) session: Session,
    pub(crate) verifications: Verifications,
    pub(crate) snapshots: Snapshots,
    pub(crate) redactor: Redactor,
    pub(crate) clock: i64,
    /// The page load that `error` and `call` name; after `watch` it is another one.
    load: Option<&'static str>,
}

pub(crate) fn owner(client: u64) -> Owner {
    Owner { client, name: Some(format!("client {client}")) }
}

/// A caller with this number; all other clients are connected.
pub(crate) fn by(client: u64) -> Caller<'static> {
    Caller { owner: owner(client), is_here: &|_| true }
}

impl Browser {
    pub(crate) fn new() -> Self {
        Self {
            session: Session::new("t"),
            verifications: Verifications::default(),
            snapshots: Snapshots::default(),
            redactor: Redactor::new(),
            clock: NOW,
            load: None,
        }
    }

    pub(crate) fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.clock)
    }

    pub(crate) fn pass(&mut self, millis: i64) {
        self.clock += millis;
    }

    pub(crate) fn log(&mut self, entry: Value) {
        self.pass(10_000);
        let entry = Log::from_json(entry, Arrival::at(self.now())).unwrap();
        self.session.push_log(self.redactor.redact(entry), self.now(), 100).unwrap();
    }

    /// Logs an entry with the time that its sender states.
    pub(crate) fn log_as_sent(&mut self, entry: Value) {
        let entry = Log::from_json(entry, Arrival::at(self.now())).unwrap();
        self.session.push_log(self.redactor.redact(entry), self.now(), 100).unwrap();
    }

    pub(crate) fn error(&mut self, message: &str) {
        self.log(json!({ "type": "exception", "level": "error", "message": message, "url": "http://localhost/shop",
            "page_id": self.load }));
    }

    pub(crate) fn request(&mut self, body: Value) {
        self.pass(10_000);
        let body = Request::from_json(body, Arrival::at(self.now())).unwrap();
        self.session.push_network(self.redactor.redact(body), self.now(), 100).unwrap();
    }

    /// `GET /api/cart 500`.
    pub(crate) fn call(&mut self, call: &str) {
        let mut parts = call.split(' ');
        let [method, url, status] = [(); 3].map(|()| parts.next().unwrap());
        self.request(json!({
            "method": method, "url": format!("http://localhost{url}"), "status": status.parse::<u16>().unwrap(),
            "pageUrl": "http://localhost/shop", "page_id": self.load,
        }));
    }

    /// Errors by their message, requests as `GET /path 500`.
    pub(crate) fn happens(&mut self, what: &[&str]) {
        for one in what {
            if one.starts_with("GET ") || one.starts_with("POST ") { self.call(one) } else { self.error(one) }
        }
    }

    /// A user action, half a second after the previous event.
    pub(crate) fn act(&mut self, action: Value) {
        self.pass(500);
        let action = Action::from_json(action, Arrival::at(self.now())).unwrap();
        let now = self.now();
        self.session.push_action(self.redactor.redact(action), now, 100).unwrap();
    }

    pub(crate) fn click(&mut self, page: &str, name: &str) {
        self.act(json!({ "type": "click", "url": page, "selectors": { "role": { "role": "button", "name": name } } }));
    }

    /// An error, this long after the previous event.
    pub(crate) fn error_after(&mut self, millis: i64, page: &str, message: &str) {
        self.pass(millis - 10_000);
        self.log(json!({ "type": "exception", "level": "error", "message": message, "url": page }));
    }

    /// A request, this long after the previous event.
    pub(crate) fn request_after(&mut self, millis: i64, body: Value) {
        self.pass(millis - 10_000);
        self.request(body);
    }

    pub(crate) fn load(&mut self, load: Value) {
        let load = PageLoad::from_json(load, Arrival::at(self.now())).unwrap();
        self.session.push_performance(self.redactor.redact(load), 500).unwrap();
    }

    pub(crate) fn socket(&mut self, event: &str, url: &str) {
        let event = SocketEvent::from_json(
            json!({ "event": event, "connection_id": url, "url": url }),
            Arrival::at(self.now()),
        )
        .unwrap();
        let now = self.now();
        self.session.push_websocket(self.redactor.redact(event), now, 100).unwrap();
    }

    pub(crate) fn socket_event(&mut self, event: Value) {
        self.pass(10_000);
        let event = SocketEvent::from_json(event, Arrival::at(self.now())).unwrap();
        let now = self.now();
        self.session.push_websocket(self.redactor.redact(event), now, 100).unwrap();
    }

    pub(crate) fn start(&mut self) -> String {
        self.start_on(None)
    }

    pub(crate) fn start_on(&mut self, url: Option<&str>) -> String {
        let now = self.now();
        let wanted = Start { url: url.map(str::to_owned), sees_actions: true, ..Start::default() };
        self.verifications.start(&self.session, wanted, &by(1), now).unwrap().id.clone()
    }

    pub(crate) fn watch(&mut self, id: &str) {
        let now = self.now();
        self.verifications.watch(&self.session, id, &by(1), false, now).unwrap();
        self.load = Some("reloaded");
    }

    /// Compares when everything that could happen has happened.
    pub(crate) fn compare(&mut self, id: &str) -> (Comparison, Coverage) {
        self.pass(7_000);
        self.compare_now(id)
    }

    pub(crate) fn compare_now(&mut self, id: &str) -> (Comparison, Coverage) {
        let now = self.now();
        self.verifications.compare(&self.session, id, None, now).unwrap()
    }

    pub(crate) fn capture(&mut self, name: &str) -> Value {
        let now = self.now();
        json!(self.snapshots.capture(&self.session, name, None, &by(1), now).unwrap().0)
    }

    pub(crate) fn diff(&mut self, a: &str, b: &str) -> Diff {
        self.pass(7_000);
        let now = self.now();
        self.snapshots.compare(&self.session, a, b, None, now).unwrap()
    }
}

/// Lists in a comparison, as `type category: before | after`.
pub(crate) fn told(comparison: &Comparison) -> Vec<String> {
    let all = comparison.changes.iter().chain(&comparison.new_issues).chain(&comparison.not_exercised);
    all.map(|change| {
        let kind = json!(change.outcome);
        format!("{} {}: {} | {}", kind.as_str().unwrap(), change.category, change.before, change.after)
    })
    .collect()
}

pub(crate) fn verified(before: &[&str], after: &[&str]) -> (Comparison, Coverage) {
    let mut browser = Browser::new();
    browser.happens(before);
    let id = browser.start();
    browser.watch(&id);
    browser.happens(after);
    browser.compare(&id)
}
