//! Which events are significant, and how often a client is notified. The test controls the clock.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use engine::intake::Content;
use engine::stream::{Category, Context, Event, Settings, Severity, Throttle, Watcher};
use engine::test_runs::OpenTests;
use engine::{Redactor, Session};
use serde_json::{Value, json};
use wire::{Timestamp, limits};

const START: i64 = 1_770_600_000_000;

struct Watched {
    session: Session,
    redactor: Redactor,
    watcher: Watcher,
    ear: Throttle,
    now: u64,
}

impl Watched {
    fn new() -> Self {
        let session = Session::new("t");
        Self {
            watcher: Watcher::new(&session),
            ear: Throttle::new(Settings::default(), &session),
            session,
            redactor: Redactor::new(),
            now: 0,
        }
    }

    fn put(&mut self, content: Content, body: &Value, millis: i64) {
        let text = body.to_string();
        let now = Timestamp::from_millis(START + millis);
        let arrived = content.split(&text, &mut |_| {}).unwrap();
        for entry in arrived.prepare(&self.redactor, &OpenTests::default(), now, &mut |_| {}) {
            self.session.add(entry.unwrap(), now).unwrap();
        }
    }

    fn look(&mut self, millis: i64) -> Vec<Event> {
        self.watcher.look(&self.session, Timestamp::from_millis(START + millis))
    }

    /// The notifications of a client without throttling.
    fn told(&mut self, millis: i64) -> Vec<String> {
        self.now += 120_000;
        let events = self.look(millis);
        messages(self.ear.offer(&events, self.now))
    }

    fn log(&mut self, entry: Value) -> Vec<String> {
        self.put(Content::Logs, &json!({ "entries": [entry] }), 0);
        self.told(0)
    }

    fn call(&mut self, method: &str, path: &str, status: u16) -> Vec<String> {
        let body =
            json!({ "method": method, "url": format!("http://localhost:3000{path}"), "status": status, "duration": 5 });
        self.put(Content::NetworkBodies, &json!({ "bodies": [body] }), 0);
        self.told(0)
    }

    fn load(&mut self, time: f64, longest: f64) -> Vec<String> {
        let load =
            json!({ "url": "/shop", "timing": { "load": time }, "longTasks": { "count": 1, "longest": longest } });
        self.put(Content::Performance, &load, 0);
        self.told(0)
    }

    fn act(&mut self, mut action: Value, at: i64) -> Vec<String> {
        action["timestamp"] = json!(START + at);
        self.put(Content::EnhancedActions, &json!({ "actions": [action] }), at);
        self.told(at)
    }
}

fn click(id: &str) -> Value {
    json!({ "type": "click", "tabId": 1, "selectors": { "id": id }, "url": "http://localhost:3000/shop" })
}

#[test]
fn a_new_error_is_sent_once_and_a_rejection_each_time() {
    let mut watched = Watched::new();
    let error = |message: &str| json!({ "level": "error", "type": "console", "message": message });
    assert_eq!(watched.log(error("Cart 17 is broken")), ["New error: Cart 17 is broken"]);
    assert_eq!(watched.log(error("Cart 18 is broken")), [""; 0], "only a number differs");
    assert_eq!(watched.log(error("Basket is broken")), ["New error: Basket is broken"]);
    assert_eq!(watched.log(json!({ "level": "warn", "message": "Cart is old" })), [""; 0]);
    let rejection = json!({ "level": "error", "type": "rejection", "message": "no network" });
    assert_eq!(watched.log(rejection.clone()), ["Unhandled rejection: no network"]);
    assert_eq!(watched.log(rejection), ["Unhandled rejection: no network"]);
    // Errors from before the subscription are not new.
    watched.watcher = Watcher::new(&watched.session);
    watched.ear = Throttle::new(Settings::default(), &watched.session);
    assert_eq!(watched.log(error("Basket is broken")), [""; 0]);
    // Neither is noise.
    let noise = json!({ "level": "error", "type": "exception", "message": "x", "filename": "chrome-extension://abc/a.js",
        "stack": "Error: x\n    at chrome-extension://abc/a.js:1:1" });
    assert_eq!(watched.log(noise), [""; 0]);
}

#[test]
fn failed_requests_are_sent() {
    let mut watched = Watched::new();
    assert_eq!(watched.call("POST", "/api/users", 499), [""; 0]);
    assert_eq!(watched.call("POST", "/api/users", 500), ["Server error: POST /api/users → 500"]);
    assert_eq!(watched.call("GET", "/api/dashboard", 403), [""; 0], "it never worked");
    assert_eq!(watched.call("GET", "/api/dashboard", 299), [""; 0]);
    assert_eq!(watched.call("GET", "/api/dashboard", 403), ["Auth/access issue: GET /api/dashboard → 403 (was 299)"]);
    assert_eq!(watched.call("GET", "/api/items/1", 200), [""; 0]);
    assert_eq!(
        watched.call("GET", "/api/items/2", 404),
        ["Auth/access issue: GET /api/items/2 → 404 (was 200)"],
        "the same endpoint"
    );
    assert_eq!(watched.call("POST", "/api/items/2", 404), [""; 0], "another one");
    assert_eq!(watched.call("GET", "/api/moved", 301), [""; 0]);
    // Captured as log entry and as body: sent once.
    let entry = json!({ "level": "error", "type": "network", "method": "GET", "requestUrl": "http://localhost:3000/api/x",
        "status": 502, "message": "GET /api/x 502", "requestId": "r1" });
    assert_eq!(watched.log(entry), ["Server error: GET /api/x → 502"]);
    let body = json!({ "method": "GET", "url": "http://localhost:3000/api/x", "status": 502, "requestId": "r1" });
    watched.put(Content::NetworkBodies, &json!({ "bodies": [body] }), 0);
    assert_eq!(watched.told(0), [""; 0]);
}

#[test]
fn a_failed_request_is_described() {
    let mut watched = Watched::new();
    watched.call("POST", "/api/users", 200);
    let body = json!({ "method": "POST", "url": "http://localhost:3000/api/users", "status": 500,
        "responseBody": "x".repeat(300), "pageUrl": "http://localhost:3000/signup" });
    watched.put(Content::NetworkBodies, &json!({ "bodies": [body] }), 0);
    let [event] = &watched.look(0)[..] else { panic!() };
    assert_eq!((event.category, event.severity), (Category::NetworkErrors, Severity::Error));
    let context = json!(event.context);
    assert_eq!(context["method"], "POST");
    assert_eq!(context["url"], "http://localhost:3000/api/users");
    assert_eq!((&context["status"], &context["previous_status"]), (&json!(500), &json!(200)));
    assert!(context["response_preview"].as_str().unwrap().chars().count() <= limits::STREAM_PREVIEW_CHARS + 1);
}

#[test]
fn slow_loads_and_long_tasks_are_sent() {
    let mut watched = Watched::new();
    assert_eq!(watched.load(1_000.0, 500.0), [""; 0], "nothing to compare with, and not above the limit");
    assert_eq!(watched.load(2_000.0, 0.0), [""; 0], "exactly twice");
    let mut watched = Watched::new();
    watched.load(1_000.0, 0.0);
    assert_eq!(
        watched.load(2_001.0, 501.0),
        ["Performance regression: /shop loaded in 2 s (baseline: 1 s)", "Main thread blocked for 501ms"]
    );
}

#[test]
fn repeated_clicks_are_sent() {
    let mut watched = Watched::new();
    assert_eq!(watched.act(click("buy"), 0), [""; 0]);
    assert_eq!(watched.act(click("buy"), 2_000), [""; 0]);
    assert_eq!(watched.act(click("sell"), 2_500), [""; 0], "another element");
    assert_eq!(watched.act(click("buy"), 4_999), ["Repeated clicks on #buy — handler may be broken"]);
    let mut watched = Watched::new();
    for at in [0, 2_000, 5_000] {
        assert_eq!(watched.act(click("buy"), at), [""; 0], "five seconds are over");
    }
    let mut watched = Watched::new();
    for tab in [1, 2, 3] {
        let mut action = click("buy");
        action["tabId"] = json!(tab);
        assert_eq!(watched.act(action, tab * 100), [""; 0], "three tabs");
    }
    // By the actions' own times, however late they arrive.
    let mut watched = Watched::new();
    let actions: Vec<Value> = [0, 100, 200]
        .iter()
        .map(|at| {
            let mut action = click("buy");
            action["timestamp"] = json!(START + at);
            action
        })
        .collect();
    watched.put(Content::EnhancedActions, &json!({ "actions": actions }), 60_000);
    assert_eq!(watched.told(60_000), ["Repeated clicks on #buy — handler may be broken"]);
}

#[test]
fn a_form_without_a_response_is_sent() {
    let submit = json!({ "type": "submit", "tabId": 1, "formAction": "http://localhost:3000/signup", "url": "http://localhost:3000/" });
    let answer = |at: i64| json!({ "method": "POST", "url": "http://localhost:3000/signup", "status": 200, "tabId": 1, "timestamp": START + at, "duration": 10 });
    let told = "Form submit to /signup — no response after 5s";
    let mut watched = Watched::new();
    watched.act(submit.clone(), 0);
    assert_eq!(watched.told(5_999), [""; 0], "an answer may still be on its way to us");
    assert_eq!(watched.told(6_000), [told]);
    assert_eq!(watched.told(7_000), [""; 0], "once");
    let mut watched = Watched::new();
    watched.act(submit.clone(), 0);
    watched.put(Content::NetworkBodies, &json!({ "bodies": [answer(100)] }), 1_000);
    assert_eq!(watched.told(9_000), [""; 0]);
    // A response from before does not count.
    let mut watched = Watched::new();
    watched.act(submit.clone(), 0);
    watched.put(Content::NetworkBodies, &json!({ "bodies": [answer(-100)] }), 1_000);
    assert_eq!(watched.told(9_000), [told]);
    // Neither does one of another tab.
    let mut watched = Watched::new();
    watched.act(submit.clone(), 0);
    let mut other = answer(100);
    other["tabId"] = json!(2);
    watched.put(Content::NetworkBodies, &json!({ "bodies": [other] }), 1_000);
    assert_eq!(watched.told(9_000), [told]);
    // The response may arrive in the same batch as the form, or before it.
    for (form_first, together) in [(true, true), (false, true), (false, false)] {
        let mut watched = Watched::new();
        let mut form = submit.clone();
        form["timestamp"] = json!(START);
        let mut kinds = [
            (Content::EnhancedActions, json!({ "actions": [form] })),
            (Content::NetworkBodies, json!({ "bodies": [answer(100)] })),
        ];
        if !form_first {
            kinds.reverse();
        }
        for (content, body) in &kinds {
            watched.put(*content, body, 500);
            if !together {
                assert_eq!(watched.told(500), [""; 0]);
            }
        }
        assert_eq!(watched.told(9_000), [""; 0], "{form_first} {together}");
    }
    // So does the next page, but not a late event of the form's own page.
    for (taken, heard) in [(2_600, true), (1_900, false)] {
        let mut watched = Watched::new();
        watched.act(submit.clone(), 0);
        let load = json!({ "url": "/", "tabId": 1, "timestamp": START + taken, "timing": { "load": 500 } });
        watched.put(Content::Performance, &load, taken);
        assert_eq!(watched.told(9_000).is_empty(), heard, "{taken}");
    }
    // Loading the next page counts as a response.
    let mut watched = Watched::new();
    watched.act(submit, 0);
    watched.act(json!({ "type": "navigate", "tabId": 1, "toUrl": "http://localhost:3000/welcome" }), 300);
    assert_eq!(watched.told(9_000), [""; 0]);
}

#[test]
fn exposed_credentials_are_sent() {
    let mut watched = Watched::new();
    let key = ["Q7w2X9r4", "K1z8Vb3N"].concat();
    assert_eq!(
        watched.call("GET", &format!("/api/rates?api_key={key}"), 200),
        ["Possible credential exposure in GET /api/rates"]
    );
    assert_eq!(watched.call("GET", "/api/rates?page=2", 200), [""; 0]);
    let login = json!({ "method": "POST", "url": "http://localhost:3000/login", "status": 200,
        "requestBody": r#"{"user":"ann","password":"correct horse"}"# });
    watched.put(Content::NetworkBodies, &json!({ "bodies": [login] }), 0);
    assert_eq!(watched.told(0), [""; 0], "that is what a login is for");
}

fn event(message: &str) -> Event {
    Event {
        category: Category::Errors,
        severity: Severity::Error,
        message: message.to_owned(),
        timestamp: Timestamp::from_millis(START),
        context: Context::LongTask { url: "/".to_owned(), duration: 100.0 },
        addresses: vec!["http://localhost:3000/shop".to_owned()],
        once: None,
    }
}

fn throttle(seconds: f64) -> Throttle {
    Throttle::new(Settings { throttle_seconds: seconds, ..Settings::default() }, &Session::new("t"))
}

fn messages(notification: Option<engine::stream::Notification>) -> Vec<String> {
    let Some(notification) = notification else { return Vec::new() };
    notification.events().iter().map(|event| event.message.clone()).collect()
}

#[test]
fn throttled_events_are_sent_together_when_the_gap_is_over() {
    let mut throttle = throttle(5.0);
    assert_eq!(messages(throttle.offer(&[event("a")], 0)), ["a"]);
    assert_eq!(messages(throttle.offer(&[event("b")], 100)), [""; 0]);
    assert_eq!(messages(throttle.offer(&[event("c")], 4_000)), [""; 0]);
    assert_eq!(throttle.due(), Some(5_000));
    assert_eq!(messages(throttle.flush(4_999)), [""; 0]);
    let both = throttle.flush(5_000).unwrap();
    let params = json!(both);
    assert_eq!(params["message"], "2 events: b; c");
    assert_eq!(params["context"]["events"].as_array().unwrap().len(), 2);
    assert_eq!(params["context"]["events"][1]["message"], "c");
    assert_eq!(throttle.due(), None);
    assert_eq!(messages(throttle.offer(&[event("d")], 10_000)), ["d"], "the gap is over");
}

#[test]
fn rapid_events_are_collected_for_at_least_two_seconds() {
    let mut throttle = throttle(1.0);
    assert_eq!(messages(throttle.offer(&[event("a"), event("b")], 0)), ["a", "b"], "of one batch: at once, together");
    assert_eq!(messages(throttle.offer(&[event("c")], 500)), [""; 0]);
    assert_eq!(throttle.due(), Some(2_500));
    assert_eq!(messages(throttle.offer(&[event("d")], 2_400)), [""; 0]);
    assert_eq!(messages(throttle.flush(2_500)), ["c", "d"]);
}

#[test]
fn the_same_message_is_not_repeated_within_half_a_minute() {
    let mut throttle = throttle(1.0);
    assert_eq!(messages(throttle.offer(&[event("a"), event("a")], 0)), ["a"]);
    assert_eq!(messages(throttle.offer(&[event("a")], 29_999)), [""; 0]);
    assert_eq!(messages(throttle.offer(&[event("a")], 30_000)), ["a"]);
}

#[test]
fn at_most_twelve_are_sent_a_minute_and_the_rest_later() {
    let mut throttle = throttle(1.0);
    for n in 0..12 {
        assert_eq!(messages(throttle.offer(&[event(&format!("e{n}"))], n * 3_000)).len(), 1, "{n}");
    }
    assert_eq!(messages(throttle.offer(&[event("thirteenth")], 36_000)), [""; 0]);
    assert_eq!(throttle.due(), Some(60_000));
    assert_eq!(messages(throttle.flush(59_999)), [""; 0]);
    assert_eq!(messages(throttle.flush(60_000)), ["thirteenth"]);
}

#[test]
fn only_requested_categories_are_sent() {
    let only = |categories: Vec<Category>, url: Option<&str>| {
        let settings = Settings { categories, throttle_seconds: 1.0, url_filter: url.map(str::to_owned) };
        messages(Throttle::new(settings, &Session::new("t")).offer(&[event("a")], 0))
    };
    assert_eq!(only(vec![Category::Errors], None), ["a"]);
    assert_eq!(only(vec![Category::Security, Category::Performance], None), [""; 0]);
    assert_eq!(only(Category::ALL.to_vec(), Some("/shop")), ["a"]);
    assert_eq!(only(Category::ALL.to_vec(), Some("/cart")), [""; 0]);
    // A waiting event that is no longer wanted is not sent.
    let mut throttle = throttle(5.0);
    throttle.offer(&[event("a")], 0);
    throttle.offer(&[event("b")], 1);
    throttle.change(Settings { categories: vec![Category::Security], ..Settings::default() });
    assert_eq!(throttle.due(), None);
}

#[test]
fn events_beyond_the_list_are_counted() {
    let mut throttle = throttle(5.0);
    throttle.offer(&[event("first")], 0);
    let events: Vec<Event> = (0..limits::STREAM_BATCH_EVENTS + 3).map(|n| event(&format!("e{n}"))).collect();
    assert_eq!(messages(throttle.offer(&events, 1)), [""; 0]);
    let params = json!(throttle.flush(5_000).unwrap());
    assert_eq!(params["context"]["events"].as_array().unwrap().len(), limits::STREAM_BATCH_EVENTS);
    assert_eq!(params["context"]["left_out"], 3);
    assert!(params["message"].as_str().unwrap().starts_with("103 events: e3; e4;"));
}

#[test]
fn novelty_is_judged_for_each_client() {
    let mut watched = Watched::new();
    let settings = Settings { url_filter: Some("/shop".to_owned()), ..Settings::default() };
    let mut shop = Throttle::new(settings, &watched.session);
    let entry = |page: &str| json!({ "entries": [{ "level": "error", "type": "console", "message": "shared", "url": format!("http://localhost{page}") }] });
    watched.put(Content::Logs, &entry("/home"), 0);
    assert_eq!(messages(shop.offer(&watched.look(0), 0)), [""; 0]);
    watched.put(Content::Logs, &entry("/shop"), 0);
    let events = watched.look(0);
    assert_eq!(messages(shop.offer(&events, 1)), ["New error: shared"], "new to this one");
    assert_eq!(messages(watched.ear.offer(&events, 1)), ["New error: shared"]);
    watched.put(Content::Logs, &entry("/shop"), 0);
    assert_eq!(messages(shop.offer(&watched.look(0), 100_000)), [""; 0], "once");
}

#[test]
fn the_most_severe_event_is_always_listed() {
    let mut throttle = throttle(5.0);
    throttle.offer(&[event("first")], 0);
    let mut grave = event("leak");
    (grave.category, grave.severity) = (Category::Security, Severity::Critical);
    let events: Vec<Event> = (0..150).map(|n| event(&format!("e{n}"))).collect();
    throttle.offer(&events, 1);
    throttle.offer(&[grave], 2);
    let told = throttle.flush(5_000).unwrap();
    assert_eq!(told.severity(), Severity::Critical);
    let params = json!(told);
    assert_eq!((&params["category"], &params["severity"]), (&json!("security"), &json!("critical")));
    assert!(params["message"].as_str().unwrap().ends_with("; leak"));
    assert_eq!(params["context"]["left_out"], 51);
    // Events that are no longer wanted are not counted either.
    throttle.offer(&events, 5_001);
    throttle.change(Settings { categories: vec![Category::Security], ..Settings::default() });
    assert_eq!(throttle.due(), None);
}
