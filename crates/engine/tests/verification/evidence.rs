//! An error counts as resolved only if its trigger was repeated.

use engine::verify::{Start, Trust};
use serde_json::{Value, json};

use crate::browser::{Browser, by, told};

const SHOP: &str = "http://localhost:3000/shop";
const GONE: &str = "not_exercised console: A | (not seen)";
const RESOLVED: &str = "resolved console: A | (not seen)";

/// Loads a page: it logs a line and requests its cart.
fn open(browser: &mut Browser, page: &str) {
    browser.log(json!({ "type": "console", "level": "log", "message": "started", "url": page }));
    let origin = page.trim_end_matches("/shop");
    browser.request_after(
        200,
        json!({ "method": "GET", "url": format!("{origin}/api/cart"), "status": 200, "pageUrl": page }),
    );
}

/// "Pay" is clicked and fails, then the fix is made and `after` happens.
fn fixed(after: impl Fn(&mut Browser)) -> (Browser, String) {
    let mut browser = Browser::new();
    open(&mut browser, SHOP);
    browser.pass(10_000);
    browser.click(SHOP, "Pay (1)");
    browser.error_after(100, SHOP, "A");
    let id = browser.start();
    browser.pass(30_000);
    browser.watch(&id);
    after(&mut browser);
    (browser, id)
}

fn judged(after: impl Fn(&mut Browser)) -> (&'static str, Trust, Vec<String>) {
    let (mut browser, id) = fixed(after);
    let (comparison, coverage) = browser.compare(&id);
    (comparison.verdict.name(), coverage.trust(), told(&comparison))
}

#[test]
fn a_mere_reload_resolves_nothing() {
    assert_eq!(judged(|browser| open(browser, SHOP)), ("unchanged", Trust::Low, vec![GONE.to_owned()]));
}

#[test]
fn the_same_click_resolves_it() {
    for (page, trust) in
        [("http://127.0.0.1:3000/shop?_=2", Trust::High), ("http://127.0.0.1:3000/shop?tab=2", Trust::Low)]
    {
        let same = |browser: &mut Browser| {
            open(browser, SHOP);
            browser.click(page, "Pay (2)");
        };
        assert_eq!(judged(same), ("fixed", trust, vec![RESOLVED.to_owned()]));
    }
}

#[test]
fn other_clicks_pages_origins_and_apps_resolve_nothing() {
    for (page, name) in [
        (SHOP, "Cancel"),
        ("http://localhost:3000/profile", "Pay (1)"),
        ("http://localhost:4000/shop", "Pay (1)"),
        ("https://localhost:3000/shop", "Pay (1)"),
        ("http://shop.example/shop", "Pay (1)"),
    ] {
        let other = |browser: &mut Browser| {
            open(browser, page);
            browser.click(page, name);
        };
        assert_eq!(judged(other), ("unchanged", Trust::Low, vec![GONE.to_owned()]), "{page} {name}");
    }
}

#[test]
fn late_arrivals_from_before_watch_are_not_a_repetition() {
    let (mut browser, id) = fixed(|browser| {
        browser.pass(-1_500);
        browser.click(SHOP, "Pay (1)");
        browser.pass(2_000);
    });
    assert_eq!(told(&browser.compare(&id).0), [GONE]);
    browser.click(SHOP, "Pay (1)");
    assert_eq!(told(&browser.compare(&id).0), [RESOLVED]);
}

#[test]
fn the_hint_names_what_to_repeat() {
    let (mut browser, id) = fixed(|browser| open(browser, SHOP));
    let fields = json!(browser.compare(&id).0.answer(Trust::High, Vec::new()));
    assert_eq!(fields["not_exercised"][0]["repeat"], "on http://localhost:3000/shop: click button \"Pay (1)\"");
}

#[test]
fn every_step_of_the_last_five_seconds_counts() {
    let mut browser = Browser::new();
    browser.click(SHOP, "Long before");
    browser.pass(5_001);
    browser.act(json!({ "type": "input", "url": SHOP, "value": "Ada", "selectors": { "id": "name" } }));
    browser.act(json!({ "type": "scroll", "url": SHOP, "scrollY": 100 }));
    browser.click(SHOP, "Pay");
    browser.error_after(100, SHOP, "A");
    let id = browser.start();
    browser.watch(&id);
    browser.click(SHOP, "Pay");
    let fields = json!(browser.compare(&id).0.answer(Trust::High, Vec::new()));
    assert_eq!(fields["verdict"], "unchanged");
    assert_eq!(
        fields["not_exercised"][0]["repeat"],
        "on http://localhost:3000/shop: input #name, then click button \"Pay\""
    );
    browser.act(json!({ "type": "input", "url": SHOP, "value": "Ada", "selectors": { "id": "name" } }));
    browser.click(SHOP, "Pay");
    assert_eq!(browser.compare(&id).0.verdict.name(), "fixed");
}

#[test]
fn a_request_of_the_same_handler_proves_that_it_ran() {
    let pay = json!({ "method": "POST", "url": "http://localhost:3000/api/pay", "status": 200, "pageUrl": SHOP });
    let by_user = |trigger: &str| {
        let mut body = pay.clone();
        body["trigger"] = json!(trigger);
        body
    };
    let mut browser = Browser::new();
    browser.click(SHOP, "Pay");
    browser.request_after(50, by_user("click"));
    browser.error_after(100, SHOP, "A");
    let id = browser.start();
    browser.watch(&id);
    // Sent without the click, it proves nothing about the handler.
    browser.request(pay.clone());
    assert_eq!(told(&browser.compare(&id).0), [GONE]);
    browser.request(by_user("submit"));
    assert_eq!(told(&browser.compare(&id).0), [RESOLVED]);
}

#[test]
fn without_steps_the_preceding_requests_have_to_be_repeated() {
    let order = |number: u32| json!({ "method": "GET", "url": format!("http://localhost:3000/api/orders/{number}"), "status": 200, "pageUrl": SHOP });
    let mut browser = Browser::new();
    browser.request(order(17));
    browser.error_after(300, SHOP, "A");
    let id = browser.start();
    browser.watch(&id);
    browser.log(json!({ "type": "console", "level": "log", "message": "started", "url": SHOP }));
    let (comparison, _) = browser.compare(&id);
    assert_eq!(told(&comparison), [GONE]);
    assert_eq!(
        comparison.not_exercised[0].repeat.as_deref(),
        Some("on http://localhost:3000/shop: let the page send GET /api/orders/:id")
    );
    browser.request(order(18));
    assert_eq!(told(&browser.compare(&id).0), [RESOLVED]);
}

#[test]
fn an_error_without_a_trigger_is_exercised_by_using_its_page_again() {
    let on = |page: &str, load: &str| json!({ "type": "console", "level": "log", "message": "x", "url": page, "page_id": load });
    let mut browser = Browser::new();
    let mut error = on(SHOP, "p1");
    error["type"] = json!("exception");
    error["level"] = json!("error");
    error["message"] = json!("A");
    browser.log(error);
    let id = browser.start();
    browser.watch(&id);
    for elsewhere in ["http://localhost:3000/cart", "http://localhost:4000/shop"] {
        browser.log(on(elsewhere, "p2"));
        assert_eq!(told(&browser.compare(&id).0), [GONE], "{elsewhere}");
    }
    // The same load is still running: a load error has no reason to happen again.
    browser.log(on(SHOP, "p1"));
    assert_eq!(told(&browser.compare(&id).0), [GONE]);
    browser.log(on(SHOP, "p3"));
    assert_eq!(told(&browser.compare(&id).0), [RESOLVED]);
}

#[test]
fn the_trigger_of_an_error_may_be_unknown() {
    // It was followed by more actions than are kept.
    let mut browser = Browser::new();
    browser.click(SHOP, "Pay");
    browser.error_after(100, SHOP, "A");
    for number in 0..wire::limits::ACTION_ENTRIES {
        browser.act(json!({ "type": "click", "url": SHOP, "selectors": { "testId": format!("b{number}") } }));
        browser.pass(-499);
    }
    let id = browser.start();
    browser.pass(30_000);
    browser.watch(&id);
    open(&mut browser, SHOP);
    assert_eq!(told(&browser.compare(&id).0), [GONE]);
    // User actions are not captured at all.
    let mut browser = Browser::new();
    browser.error_after(10_000, SHOP, "A");
    let now = browser.now();
    let id = browser.verifications.start(&browser.session, Start::default(), &by(1), now).unwrap().id.clone();
    browser.watch(&id);
    open(&mut browser, SHOP);
    assert_eq!(told(&browser.compare(&id).0), [GONE]);
}

#[test]
fn every_trigger_of_an_error_has_to_be_repeated() {
    let mut browser = Browser::new();
    for name in ["Pay", "Order", "Pay"] {
        browser.pass(10_000);
        browser.click(SHOP, name);
        browser.error_after(100, SHOP, "A");
    }
    let id = browser.start();
    browser.watch(&id);
    browser.click(SHOP, "Pay");
    let (comparison, _) = browser.compare(&id);
    assert_eq!(
        comparison.not_exercised[0].repeat.as_deref(),
        Some("on http://localhost:3000/shop: click button \"Order\"")
    );
    browser.click(SHOP, "Order");
    assert_eq!(browser.compare(&id).0.verdict.name(), "fixed");
}

#[test]
fn the_same_path_of_another_origin_resolves_no_request() {
    let cart = |origin: &str, status: u16| json!({ "method": "GET", "url": format!("{origin}/api/cart"), "status": status, "pageUrl": format!("{origin}/shop") });
    let mut browser = Browser::new();
    browser.request(cart("http://localhost:3000", 500));
    let id = browser.start();
    browser.watch(&id);
    browser.request(cart("http://localhost:4000", 200));
    assert_eq!(told(&browser.compare(&id).0), ["not_exercised network: GET /api/cart → 500 | (not called)"]);
    // A mere path belongs to its page's origin.
    browser.request(
        json!({ "method": "GET", "url": "/api/cart", "status": 200, "pageUrl": "http://127.0.0.1:3000/shop" }),
    );
    assert_eq!(browser.compare(&id).0.verdict.name(), "fixed");
}

#[test]
fn the_same_message_of_another_application_is_another_error() {
    let mut browser = Browser::new();
    browser.error_after(10_000, SHOP, "A");
    let id = browser.start();
    browser.watch(&id);
    browser.error_after(10_000, "http://localhost:4000/shop", "A");
    assert_eq!(told(&browser.compare(&id).0), ["new console: (not seen) | A", GONE]);
}

fn errors(fields: &Value, list: &str) -> usize {
    fields["errors"][list].as_array().unwrap().len()
}

#[test]
fn a_snapshot_covers_the_time_since_the_previous_one() {
    let mut browser = Browser::new();
    let began = browser.clock + 10_000;
    browser.error_after(10_000, SHOP, "A");
    browser
        .request(json!({ "method": "GET", "url": "http://localhost:3000/api/cart", "status": 500, "pageUrl": SHOP }));
    let before = browser.capture("before");
    let captured = browser.now();
    assert_eq!(before["window"], json!({ "from": wire::Timestamp::from_millis(began), "to": captured }));
    for _ in 0..2 {
        browser.request(
            json!({ "method": "GET", "url": "http://localhost:3000/api/cart", "status": 200, "pageUrl": SHOP }),
        );
    }
    // The live state, and the same as a named snapshot.
    let live = browser.diff("before", "current");
    let after = browser.capture("after");
    assert_eq!(after["window"]["from"], json!(captured));
    assert_eq!((&after["console_errors"], &after["network_errors"]), (&json!(0), &json!(0)));
    let named = browser.diff("before", "after");
    for diff in [live, named] {
        assert_eq!(diff.summary.verdict.name(), "improved");
        assert_eq!(errors(&json!(diff.answer()), "resolved"), 2);
        assert_eq!((diff.windows[0].to, diff.windows[1].from), (captured, captured));
    }
}

#[test]
fn a_time_without_use_resolves_nothing_and_says_so() {
    let mut browser = Browser::new();
    browser.click(SHOP, "Pay");
    browser.error_after(100, SHOP, "A");
    browser
        .request(json!({ "method": "GET", "url": "http://localhost:3000/api/cart", "status": 500, "pageUrl": SHOP }));
    browser.capture("before");
    let idle = browser.diff("before", "current");
    assert_eq!((idle.summary.verdict.name(), idle.not_exercised), ("unchanged", 2));
    // The page is reloaded, but nobody clicks.
    browser.log(json!({ "type": "console", "level": "log", "message": "started", "url": SHOP }));
    browser.capture("after");
    let diff = browser.diff("before", "after");
    let fields = json!(diff.answer());
    assert_eq!((diff.summary.verdict.name(), diff.not_exercised, errors(&fields, "resolved")), ("unchanged", 2, 0));
    assert_eq!(
        fields["errors"]["not_exercised"],
        json!([
            { "type": "console", "message": "A", "count": 1, "repeat": "on http://localhost:3000/shop: click button \"Pay\"" },
            { "type": "network", "method": "GET", "url": "/api/cart", "status": 500, "repeat": "let the page send GET /api/cart" },
        ])
    );
    browser.click(SHOP, "Pay");
    assert_eq!(browser.diff("before", "current").summary.resolved_errors, 1);
}

#[test]
fn evicted_errors_are_not_called_resolved() {
    let broken = || {
        let mut browser = Browser::new();
        browser.click(SHOP, "Pay");
        browser.error_after(100, SHOP, "A");
        browser.capture("before");
        browser.click(SHOP, "Pay");
        browser.error_after(100, SHOP, "A");
        browser
    };
    let unproven = |browser: &mut Browser| {
        let diff = browser.diff("before", "current");
        assert_eq!(
            (diff.summary.verdict.name(), diff.summary.resolved_errors, diff.not_exercised),
            ("unchanged", 0, 1)
        );
        assert!(
            diff.warnings.join("\n").contains("console entries of \"current\" left the buffers"),
            "{:?}",
            diff.warnings
        );
    };
    let mut cleared = broken();
    let now = cleared.now();
    cleared.session.store.clear_logs(now);
    unproven(&mut cleared);
    let mut full = broken();
    for number in 0..wire::limits::LOG_ENTRIES {
        full.pass(-9_999);
        full.log(json!({ "type": "console", "level": "log", "message": format!("line {number}"), "url": SHOP }));
    }
    unproven(&mut full);
    // After everything was cleared, the time span begins with the clearing and is complete.
    let mut fresh = broken();
    let now = fresh.now();
    fresh.session.clear(None, now);
    fresh.click(SHOP, "Pay");
    let diff = fresh.diff("before", "current");
    assert_eq!((diff.summary.verdict.name(), diff.windows[1].from), ("improved", now));
}

#[test]
fn the_previous_snapshot_has_the_same_client_and_page() {
    let play = |name: &str, client: u64, page: &str| {
        let mut browser = Browser::new();
        browser.error_after(10_000, SHOP, "A");
        browser.capture("first");
        browser.log(json!({ "type": "console", "level": "log", "message": "x", "url": page }));
        let now = browser.now();
        browser.snapshots.capture(&browser.session, name, None, &by(client), now).unwrap().0.console_errors
    };
    assert_eq!(play("second", 1, SHOP), 0);
    assert_eq!(play("second", 2, SHOP), 1, "another client has its own windows");
    assert_eq!(play("second", 1, "http://localhost:4000/shop"), 1, "and so has another origin");
    assert_eq!(play("first", 1, SHOP), 1, "one that is replaced is not the one before");
}

#[test]
fn an_error_gets_as_much_time_as_it_took_before() {
    let mut browser = Browser::new();
    browser.click(SHOP, "Pay");
    browser.error_after(3_000, SHOP, "A");
    let id = browser.start();
    browser.pass(30_000);
    browser.watch(&id);
    browser.click(SHOP, "Pay");
    browser.pass(3_000);
    let (comparison, _) = browser.compare_now(&id);
    assert_eq!(told(&comparison), [GONE]);
    assert_eq!(
        comparison.not_exercised[0].repeat.as_deref(),
        Some("the steps were repeated: wait 1 s more, the error may still come")
    );
    browser.pass(1_000);
    assert_eq!(told(&browser.compare_now(&id).0), [RESOLVED]);
}

#[test]
fn a_request_of_an_earlier_step_does_not_count_for_the_last_one() {
    let sent = |path: &str| json!({ "method": "POST", "url": format!("http://localhost:3000{path}"), "status": 200, "pageUrl": SHOP, "trigger": "click" });
    let mut browser = Browser::new();
    browser.click(SHOP, "Load");
    browser.request_after(50, sent("/api/items"));
    browser.click(SHOP, "Delete");
    browser.error_after(100, SHOP, "A");
    let id = browser.start();
    browser.watch(&id);
    browser.click(SHOP, "Load");
    browser.request_after(50, sent("/api/items"));
    assert_eq!(told(&browser.compare(&id).0), [GONE]);
    // One address for everything does not reveal the sender.
    let mut browser = Browser::new();
    browser.click(SHOP, "Pay");
    browser.request_after(50, sent("/graphql"));
    browser.error_after(100, SHOP, "A");
    let id = browser.start();
    browser.watch(&id);
    browser.click(SHOP, "Menu");
    browser.request_after(50, sent("/graphql"));
    assert_eq!(told(&browser.compare(&id).0), [GONE]);
}

#[test]
fn an_open_page_is_not_reopened_and_other_tabs_run_other_code() {
    let on = |load: &str, tab: i64| json!({ "type": "console", "level": "log", "message": "x", "url": SHOP, "page_id": load, "tabId": tab });
    let broken = || {
        let mut browser = Browser::new();
        browser.log(on("old", 2));
        let mut error = on("p1", 1);
        error["type"] = json!("exception");
        error["level"] = json!("error");
        error["message"] = json!("A");
        browser.log(error);
        browser
    };
    let mut browser = broken();
    let id = browser.start();
    browser.watch(&id);
    browser.log(on("old", 2));
    assert_eq!(told(&browser.compare(&id).0), [GONE]);
    for (tab, seen) in [(9, GONE), (1, RESOLVED)] {
        let mut browser = broken();
        let id = browser.start();
        browser.log(json!({ "type": "console", "level": "log", "message": "[vite] hot updated: /src/App.jsx",
            "url": "http://localhost:3000/shop", "page_id": if tab == 1 { "p1" } else { "p9" }, "tabId": tab }));
        browser.watch(&id);
        browser.log(on("p1", 1));
        assert_eq!(told(&browser.compare(&id).0), [seen], "{tab}");
    }
}

#[test]
fn an_evicted_failure_is_not_forgotten() {
    let mut browser = Browser::new();
    browser.call("GET /api/cart 500");
    browser.capture("before");
    let id = browser.start();
    browser.watch(&id);
    browser.call("GET /api/cart 500");
    for number in 0..=wire::limits::NETWORK_ENTRIES {
        browser.pass(-9_999);
        browser.call(&format!("GET /other/{number} 200"));
    }
    browser.call("GET /api/cart 200");
    let (comparison, _) = browser.compare(&id);
    assert_eq!(comparison.verdict.name(), "unchanged", "{:?}", told(&comparison));
    let repeat = comparison.not_exercised[0].repeat.as_deref().unwrap();
    assert!(repeat.starts_with("requests left the buffers: call watch again"), "{repeat}");
    assert_eq!(browser.diff("before", "current").summary.resolved_errors, 0);
}

#[test]
fn the_longest_of_several_delays_has_to_pass() {
    let mut browser = Browser::new();
    for delay in [4_000, 100] {
        browser.pass(10_000);
        browser.click(SHOP, "Pay");
        browser.error_after(delay, SHOP, "A");
    }
    let id = browser.start();
    browser.pass(30_000);
    browser.watch(&id);
    browser.click(SHOP, "Pay");
    browser.pass(2_000);
    let (comparison, _) = browser.compare_now(&id);
    assert_eq!(comparison.not_exercised[0].wait_seconds, Some(3));
    browser.pass(3_000);
    assert_eq!(browser.compare_now(&id).0.verdict.name(), "fixed");
}
