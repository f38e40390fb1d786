//! Scenarios that are played before and after a fix, and the verdicts that they must get.

use engine::verify::{Comparison, Coverage, Trust};
use serde_json::{Value, json};

use crate::browser::{Browser, told};

pub(crate) const SHOP: &str = "http://localhost:3000/shop";

/// The parts of a scenario: what was broken, what happened between start and `watch`, and what happened after.
pub(crate) struct Played {
    pub(crate) comparison: Comparison,
    pub(crate) coverage: Coverage,
}

pub(crate) fn nothing(_: &mut Browser) {}

pub(crate) fn play(
    before: impl FnOnce(&mut Browser),
    between: impl FnOnce(&mut Browser),
    after: impl FnOnce(&mut Browser),
) -> Played {
    play_within(12_000, before, between, after)
}

pub(crate) fn play_within(
    millis: i64,
    before: impl FnOnce(&mut Browser),
    between: impl FnOnce(&mut Browser),
    after: impl FnOnce(&mut Browser),
) -> Played {
    let mut browser = Browser::new();
    before(&mut browser);
    let id = browser.start();
    browser.pass(30_000);
    between(&mut browser);
    browser.pass(30_000);
    browser.watch(&id);
    browser.pass(1_000);
    after(&mut browser);
    browser.pass(millis);
    let (comparison, coverage) = browser.compare_now(&id);
    Played { comparison, coverage }
}

impl Played {
    /// Nothing is called resolved.
    #[track_caller]
    pub(crate) fn is_open(&self) {
        assert_eq!(self.comparison.resolved().count(), 0, "{:?}", told(&self.comparison));
        assert_ne!(self.coverage.trust(), Trust::High);
    }

    /// It may be resolved; a warning with these words says why that is uncertain.
    #[track_caller]
    pub(crate) fn is_doubted(&self, words: &str) {
        assert_eq!(self.comparison.verdict.name(), "fixed", "{:?}", told(&self.comparison));
        assert_eq!(self.coverage.trust(), Trust::Low, "{:?}", self.coverage.warnings);
        assert!(self.coverage.warnings.iter().any(|warning| warning.contains(words)), "{:?}", self.coverage.warnings);
    }

    #[track_caller]
    pub(crate) fn is_sure(&self) {
        let what = (self.comparison.verdict.name(), self.coverage.trust());
        assert_eq!(what, ("fixed", Trust::High), "{:?} {:?}", told(&self.comparison), self.coverage.warnings);
    }
}

pub(crate) fn log(browser: &mut Browser, millis: i64, entry: Value) {
    browser.pass(millis - 10_000);
    browser.log(entry);
}

pub(crate) fn line(load: &str) -> Value {
    json!({ "type": "console", "level": "log", "message": "x", "url": SHOP, "page_id": load, "tab_id": 1 })
}

pub(crate) fn error(load: &str, message: &str) -> Value {
    json!({ "type": "exception", "level": "error", "message": message, "url": SHOP, "page_id": load, "tab_id": 1 })
}

pub(crate) fn click(load: &str, name: &str) -> Value {
    let role = json!({ "role": "button", "name": name });
    json!({ "type": "click", "url": SHOP, "page_id": load, "tab_id": 1, "selectors": { "role": role } })
}

pub(crate) fn asked(load: &str, method: &str, path: &str, status: u16) -> Value {
    json!({ "method": method, "url": format!("http://localhost:3000{path}"), "status": status, "duration": 10,
        "pageUrl": SHOP, "page_id": load, "tab_id": 1 })
}

pub(crate) fn with(mut one: Value, more: Value) -> Value {
    one.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    one
}

pub(crate) fn clicked(load: &str, method: &str, path: &str, status: u16) -> Value {
    with(asked(load, method, path, status), json!({ "trigger": "click" }))
}

pub(crate) fn request(browser: &mut Browser, millis: i64, body: Value) {
    browser.request_after(millis, body);
}

pub(crate) fn hot_update(browser: &mut Browser) {
    let data = json!({ "type": "update", "updates": [{ "type": "js-update", "path": "/src/Footer.tsx", "acceptedPath": "/src/Footer.tsx", "timestamp": 1 }] });
    browser.socket_event(json!({ "event": "message", "direction": "incoming", "connection_id": "v", "page_id": "L1",
        "url": "ws://localhost:3000/?token=a", "data": data.to_string(), "tab_id": 1 }));
}

pub(crate) fn load_error(browser: &mut Browser) {
    browser.log(line("L1"));
    log(browser, 100, error("L1", "A"));
}
