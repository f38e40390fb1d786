//! What counts as a repetition, and the verdict when less is known.

use engine::verify::{Start, Trust};
use serde_json::{Value, json};

use crate::browser::{Browser, by, owner, told};

const SHOP: &str = "http://localhost:3000/shop";
const GONE: &str = "not_exercised console: A | (not seen)";
const RESOLVED: &str = "resolved console: A | (not seen)";

fn input(value: &str) -> Value {
    json!({ "type": "input", "url": SHOP, "value": value, "selectors": { "id": "mail" } })
}

fn line(page: &str, load: &str) -> Value {
    json!({ "type": "console", "level": "log", "message": "x", "url": page, "page_id": load })
}

fn error_line(page: &str, load: &str, message: &str) -> Value {
    json!({ "type": "exception", "level": "error", "message": message, "url": page, "page_id": load })
}

fn warned(coverage: &engine::verify::Coverage, words: &str) -> bool {
    coverage.warnings.iter().any(|warning| warning.contains(words))
}

#[test]
fn a_page_that_still_runs_the_old_code_may_not_be_fixed() {
    let poll = || json!({ "method": "GET", "url": "http://localhost:3000/api/poll", "status": 200, "pageUrl": SHOP, "page_id": "p1" });
    let mut browser = Browser::new();
    browser.log(line(SHOP, "p1"));
    browser.request(poll());
    browser.pass(-9_900);
    browser.log(error_line(SHOP, "p1", "A"));
    let id = browser.start();
    browser.pass(10_000);
    browser.watch(&id);
    browser.request(poll());
    let (comparison, coverage) = browser.compare(&id);
    assert_eq!(told(&comparison), [RESOLVED]);
    assert_eq!(coverage.trust(), Trust::Low);
    assert!(warned(&coverage, "may still run the old code"), "{:?}", coverage.warnings);
}

#[test]
fn late_arrivals_from_before_watch_count_as_before() {
    let cart = |status: u16| json!({ "method": "GET", "url": "http://localhost:3000/api/cart", "status": status, "pageUrl": SHOP });
    let mut browser = Browser::new();
    browser.request(cart(500));
    let id = browser.start();
    browser.pass(30_000);
    browser.watch(&id);
    browser.request_after(-1_500, cart(200));
    browser.error_after(100, SHOP, "late");
    browser.pass(3_000);
    assert_eq!(
        told(&browser.compare(&id).0),
        ["not_exercised network: GET /api/cart → 500 | (not called)"],
        "both were sent before watch"
    );
}

#[test]
fn an_unknown_operation_resolves_no_other() {
    let graphql = |status: u16| json!({ "method": "POST", "url": "http://localhost:3000/graphql", "status": status, "pageUrl": SHOP });
    let mut browser = Browser::new();
    browser.request(graphql(500));
    browser.capture("before");
    let id = browser.start();
    browser.watch(&id);
    browser.request(graphql(200));
    let (comparison, _) = browser.compare(&id);
    assert_eq!(comparison.verdict.name(), "unchanged", "{:?}", told(&comparison));
    let repeat = comparison.not_exercised[0].repeat.as_deref().unwrap();
    assert!(repeat.contains("Network bodies"), "{repeat}");
    assert_eq!(browser.diff("before", "current").summary.resolved_errors, 0);
}

#[test]
fn issues_that_a_baseline_has_no_room_for_are_not_fixed() {
    let mut browser = Browser::new();
    let page = |number: usize| format!("http://localhost:3000/page{number}x");
    let most = wire::limits::VERIFY_BASELINE_ERRORS;
    for number in 0..=most {
        browser.log(error_line(&page(number), &format!("old{number}"), &format!("broken {}", name(number))));
    }
    let id = browser.start();
    browser.watch(&id);
    for number in 1..=most {
        browser.log(line(&page(number), &format!("new{number}")));
    }
    let (comparison, coverage) = browser.compare(&id);
    assert_eq!(comparison.resolved().count(), most);
    assert_eq!((comparison.verdict.name(), coverage.trust()), ("improved", Trust::Low));
    assert!(warned(&coverage, "1 of the oldest issues"), "{:?}", coverage.warnings);
}

/// Numbers in messages do not distinguish errors, so names are made of letters.
fn name(number: usize) -> String {
    let letter = |digit: usize| char::from(b'a' + u8::try_from(digit).unwrap());
    [number / 26, number % 26].map(letter).iter().collect()
}

#[test]
fn every_trigger_and_step_counts_and_missing_ones_are_reported() {
    let ways = |count: usize, again: usize| {
        let mut browser = Browser::new();
        for number in 0..count {
            browser.pass(10_000);
            browser.click(SHOP, &format!("Pay {}", name(number)));
            browser.error_after(100, SHOP, "A");
        }
        let id = browser.start();
        browser.watch(&id);
        for number in (0..count).rev().take(again) {
            browser.click(SHOP, &format!("Pay {}", name(number)));
        }
        let (comparison, coverage) = browser.compare(&id);
        (comparison.verdict.name(), coverage)
    };
    assert_eq!(ways(4, 3).0, "unchanged", "the fourth way was not tried");
    let (verdict, coverage) = ways(4, 4);
    assert_eq!((verdict, coverage.trust()), ("fixed", Trust::High));
    let (verdict, coverage) = ways(12, 12);
    assert_eq!((verdict, coverage.trust()), ("fixed", Trust::Low));
    assert!(warned(&coverage, "only the latest"), "{:?}", coverage.warnings);

    let mut browser = Browser::new();
    for number in 0..7 {
        browser.click(SHOP, &name(number));
    }
    browser.error_after(100, SHOP, "A");
    let id = browser.start();
    browser.watch(&id);
    for number in 2..7 {
        browser.click(SHOP, &name(number));
    }
    assert_eq!(told(&browser.compare(&id).0), [GONE], "two of seven steps are missing");
}

#[test]
fn an_error_during_typing_needs_the_typing() {
    // Typing is reported when it ends, with the time of its last key.
    let mut browser = Browser::new();
    browser.error_after(10_000, SHOP, "A");
    browser.pass(700);
    browser.act(input("adalove"));
    let id = browser.start();
    browser.watch(&id);
    browser.log(line(SHOP, "p2"));
    let (comparison, _) = browser.compare(&id);
    assert_eq!(told(&comparison), [GONE]);
    assert_eq!(comparison.not_exercised[0].repeat.as_deref(), Some("on http://localhost:3000/shop: input #mail"));
    browser.act(input("adalove"));
    assert_eq!(told(&browser.compare(&id).0), [RESOLVED]);
    // Three letters do not take six seconds to type: the error came before.
    let mut browser = Browser::new();
    browser.error_after(10_000, SHOP, "A");
    browser.pass(6_000);
    browser.act(input("ada"));
    let id = browser.start();
    browser.watch(&id);
    browser.log(line(SHOP, "p2"));
    assert_eq!(told(&browser.compare(&id).0), [RESOLVED]);
}

#[test]
fn an_error_after_a_socket_message_needs_such_a_message() {
    let url = "ws://localhost:3000/live";
    let heard = |browser: &mut Browser, data: Value| {
        browser.socket_event(json!({ "event": "message", "direction": "incoming", "connection_id": "c", "url": url,
            "data": data.to_string() }));
    };
    let mut browser = Browser::new();
    heard(&mut browser, json!({ "type": "price", "value": null }));
    browser.error_after(20, SHOP, "A");
    let id = browser.start();
    browser.watch(&id);
    browser.log(line(SHOP, "p2"));
    heard(&mut browser, json!({ "type": "hello" }));
    let (comparison, _) = browser.compare(&id);
    assert_eq!(told(&comparison), [GONE]);
    assert_eq!(
        comparison.not_exercised[0].repeat.as_deref(),
        Some("on http://localhost:3000/shop: let ws://localhost:3000/live send a \"price\" message")
    );
    heard(&mut browser, json!({ "type": "price", "value": 3 }));
    assert_eq!(told(&browser.compare(&id).0), [RESOLVED]);
}

#[test]
fn the_same_words_in_a_warning_or_without_an_address_are_not_gone() {
    let after = |entry: Value| {
        let mut browser = Browser::new();
        browser.click(SHOP, "Pay");
        browser.error_after(100, SHOP, "Payment 17 failed");
        let id = browser.start();
        browser.watch(&id);
        browser.click(SHOP, "Pay");
        browser.log(entry);
        told(&browser.compare(&id).0)
    };
    assert_eq!(
        after(json!({ "type": "console", "level": "warn", "message": "Payment 18 failed", "url": SHOP })),
        ["changed console: Payment 17 failed | Payment 18 failed (as a warning)"]
    );
    assert_eq!(
        after(json!({ "type": "exception", "level": "error", "message": "Payment 18 failed" })),
        ["unchanged console: Payment 17 failed | Payment 18 failed"]
    );
}

#[test]
fn an_error_that_a_noise_rule_now_hides_is_not_resolved() {
    // The rule matches words that a baseline does not keep.
    let message = format!("{} vendor/pay.js", "broken ".repeat(40));
    let error = || json!({ "type": "console", "level": "error", "message": message, "url": SHOP });
    let mut browser = Browser::new();
    browser.click(SHOP, "Pay");
    browser.log(error());
    let id = browser.start();
    browser.watch(&id);
    browser.session.noise.add("vendor/pay.js").unwrap();
    browser.click(SHOP, "Pay");
    browser.log(error());
    let (comparison, _) = browser.compare(&id);
    assert_eq!((comparison.verdict.name(), told(&comparison)), ("no_issues_detected", Vec::new()));
    assert!(comparison.after.noise_left_out > 0);
}

#[test]
fn the_same_query_has_to_succeed() {
    let list = |query: &str, status: u16| json!({ "method": "GET", "url": format!("http://localhost:3000/api/items{query}"), "status": status, "pageUrl": SHOP });
    let after = |query: &str| {
        let mut browser = Browser::new();
        browser.request(list("?page=3&_=1770600000000", 500));
        browser.capture("before");
        let id = browser.start();
        browser.watch(&id);
        browser.request(list(query, 200));
        let (comparison, _) = browser.compare(&id);
        let resolved = browser.diff("before", "current").summary.resolved_errors;
        (comparison.verdict.name(), resolved, comparison.not_exercised.first().and_then(|change| change.repeat.clone()))
    };
    assert_eq!(after("?_=1770699999999&page=3"), ("fixed", 1, None), "its order and cache busters do not count");
    for other in ["?page=1", "", "?page=3&sort=up"] {
        let (verdict, resolved, repeat) = after(other);
        assert_eq!((verdict, resolved), ("unchanged", 0), "{other}");
        assert!(repeat.unwrap().contains("/api/items?page=3"), "{other}");
    }
}

#[test]
fn a_request_that_the_fix_changed_is_judged_by_its_trigger() {
    let search = |query: &str, status: u16| json!({ "method": "GET", "url": format!("http://localhost:3000/api/search?{query}"), "status": status, "pageUrl": SHOP, "trigger": "click" });
    let mut browser = Browser::new();
    browser.click(SHOP, "Search");
    browser.request_after(50, search("q=undefined", 400));
    let id = browser.start();
    browser.watch(&id);
    browser.request(search("q=shoes", 200));
    assert_eq!(browser.compare(&id).0.verdict.name(), "unchanged");
    browser.click(SHOP, "Search");
    browser.request_after(50, search("q=shoes", 200));
    assert_eq!(browser.compare(&id).0.verdict.name(), "fixed");
}

#[test]
fn routes_in_the_fragment_are_separate_pages() {
    let page = |hash: &str| format!("http://localhost:3000/{hash}");
    let again = |hash: &str| {
        let mut browser = Browser::new();
        browser.click(&page("#/cart"), "Pay");
        browser.error_after(100, &page("#/cart"), "A");
        let id = browser.start();
        browser.watch(&id);
        browser.click(&page(hash), "Pay");
        told(&browser.compare(&id).0)
    };
    assert_eq!(again("#/orders"), [GONE]);
    assert_eq!(again(""), [GONE]);
    assert_eq!(again("#/cart"), [RESOLVED]);
    assert_eq!(again("#/cart?from=mail"), [RESOLVED]);
}

#[test]
fn another_value_lowers_the_confidence() {
    let again = |value: &str| {
        let mut browser = Browser::new();
        browser.act(input("ada"));
        browser.click(SHOP, "Send");
        browser.error_after(100, SHOP, "A");
        let id = browser.start();
        browser.watch(&id);
        browser.act(input(value));
        browser.click(SHOP, "Send");
        let (comparison, coverage) = browser.compare(&id);
        assert_eq!(told(&comparison), [RESOLVED]);
        coverage
    };
    assert_eq!(again("ada").trust(), Trust::High);
    let coverage = again("ada@mail.org");
    assert_eq!(coverage.trust(), Trust::Low);
    assert!(warned(&coverage, "another value"), "{:?}", coverage.warnings);
    assert!(!coverage.warnings.iter().any(|warning| warning.contains("mail.org")));
}

#[test]
fn the_last_step_has_to_follow_the_others() {
    let mut browser = Browser::new();
    browser.act(input("ada"));
    browser.click(SHOP, "Send");
    browser.error_after(100, SHOP, "A");
    let id = browser.start();
    browser.watch(&id);
    browser.click(SHOP, "Send");
    browser.act(input("ada"));
    assert_eq!(told(&browser.compare(&id).0), [GONE], "the form was sent empty");
    browser.click(SHOP, "Send");
    assert_eq!(told(&browser.compare(&id).0), [RESOLVED]);
}

#[test]
fn the_request_of_the_last_step_has_to_get_a_response() {
    let pay = || json!({ "method": "POST", "url": "http://localhost:3000/api/pay", "status": 200, "pageUrl": SHOP, "trigger": "click" });
    let mut browser = Browser::new();
    browser.click(SHOP, "Pay");
    browser.request_after(50, pay());
    browser.error_after(100, SHOP, "A");
    let id = browser.start();
    browser.watch(&id);
    browser.click(SHOP, "Pay");
    browser.pass(3_000);
    let (comparison, _) = browser.compare_now(&id);
    assert_eq!(told(&comparison), [GONE], "its answer has not come yet");
    assert!(comparison.not_exercised[0].wait_seconds.is_some());
    browser.request_after(100, pay());
    browser.pass(3_000);
    assert_eq!(told(&browser.compare_now(&id).0), [RESOLVED]);
}

#[test]
fn waiting_for_a_request_that_is_no_longer_sent_is_limited() {
    let mut browser = Browser::new();
    browser.click(SHOP, "Pay");
    browser.request_after(50, json!({ "method": "POST", "url": "http://localhost:3000/api/pay", "status": 200, "pageUrl": SHOP, "trigger": "click" }));
    browser.error_after(100, SHOP, "A");
    let id = browser.start();
    browser.watch(&id);
    browser.click(SHOP, "Pay");
    browser.pass(20_000);
    assert_eq!(told(&browser.compare_now(&id).0), [RESOLVED]);
}

#[test]
fn any_row_of_a_list_counts() {
    let row = |id: &str| json!({ "type": "click", "url": SHOP, "selectors": { "testId": id } });
    let again = |one: &str, other: &str| {
        let mut browser = Browser::new();
        browser.act(row(one));
        browser.error_after(100, SHOP, "A");
        let id = browser.start();
        browser.watch(&id);
        browser.act(row(other));
        told(&browser.compare(&id).0)
    };
    assert_eq!(again("todo-delete-1017", "todo-delete-1018"), [RESOLVED]);
    assert_eq!(again("todo-delete-1017", "todo-edit-1017"), [GONE]);
    assert_eq!(again("tab-1", "tab-2"), [GONE], "few things are numbered by hand");
}

#[test]
fn an_unrepeatable_trigger_has_an_alternative() {
    let mut browser = Browser::new();
    browser.click(SHOP, "Load");
    let now = browser.now();
    browser.session.clear(None, now);
    browser.error_after(1_000, SHOP, "A");
    let id = browser.start();
    browser.watch(&id);
    browser.log(line(SHOP, "p2"));
    let (comparison, _) = browser.compare(&id);
    assert_eq!(told(&comparison), [GONE]);
    let repeat = comparison.not_exercised[0].repeat.as_deref().unwrap();
    assert!(repeat.contains("start a new session"), "{repeat}");
}

#[test]
fn a_repeated_error_that_the_page_holds_back_is_waited_for() {
    // The page reports the same error once in five seconds, and later its count.
    let mut browser = Browser::new();
    browser.click(SHOP, "Pay");
    browser.error_after(100, SHOP, "A");
    let id = browser.start();
    browser.watch(&id);
    browser.click(SHOP, "Pay");
    browser.pass(3_000);
    let (comparison, _) = browser.compare_now(&id);
    assert_eq!(told(&comparison), [GONE]);
    assert_eq!(comparison.not_exercised[0].wait_seconds, Some(3));
    browser.pass(3_000);
    assert_eq!(told(&browser.compare_now(&id).0), [RESOLVED]);
    // A page that was reloaded has held nothing back.
    let click = |load: &str| json!({ "type": "click", "url": SHOP, "page_id": load, "selectors": { "testId": "pay" } });
    let mut browser = Browser::new();
    browser.act(click("p1"));
    browser.pass(-9_900);
    browser.log(error_line(SHOP, "p1", "A"));
    let id = browser.start();
    browser.watch(&id);
    browser.act(click("p2"));
    browser.pass(2_000);
    assert_eq!(told(&browser.compare_now(&id).0), [RESOLVED]);
}

#[test]
fn a_client_that_reconnected_keeps_its_snapshots() {
    let errors_in_second = |is_here: &dyn Fn(u64) -> bool| {
        let mut browser = Browser::new();
        browser.error_after(10_000, SHOP, "A");
        browser.capture("first");
        browser.log(line(SHOP, "p1"));
        let owner = engine::verify::Owner { client: 2, ..owner(1) };
        let now = browser.now();
        let caller = engine::verify::Caller { owner, is_here };
        browser.snapshots.capture(&browser.session, "second", None, &caller, now).unwrap().0.console_errors
    };
    assert_eq!(errors_in_second(&|_| true), 1, "a second client of the same name");
    assert_eq!(errors_in_second(&|client| client == 2), 0, "the same one again");
}

#[test]
fn overlapping_and_reversed_time_spans_are_named() {
    let mut browser = Browser::new();
    browser.error_after(10_000, SHOP, "A");
    browser.pass(1_000);
    browser.capture("before");
    browser.log(line("http://localhost:4000/cart", "p1"));
    browser.capture("after");
    let diff = browser.diff("before", "after");
    assert!(diff.warnings.iter().any(|warning| warning.contains("overlap")), "{:?}", diff.warnings);
    let mut browser = Browser::new();
    browser.error_after(10_000, SHOP, "A");
    browser.capture("before");
    browser.log(line(SHOP, "p1"));
    browser.capture("after");
    let diff = browser.diff("before", "after");
    assert!(!diff.warnings.iter().any(|warning| warning.contains("overlap")), "{:?}", diff.warnings);
    for (a, b) in [("after", "before"), ("current", "before")] {
        let diff = browser.diff(a, b);
        let is_said = diff.warnings.iter().any(|warning| warning.contains("is the earlier one"));
        assert!(is_said, "{a} {b}: {:?}", diff.warnings);
    }
}

#[test]
fn unknown_steps_are_reported() {
    let mut browser = Browser::new();
    browser.error_after(10_000, SHOP, "A");
    let now = browser.now();
    let id = browser.verifications.start(&browser.session, Start::default(), &by(1), now).unwrap().id.clone();
    browser.watch(&id);
    browser.log(line(SHOP, "p2"));
    let (comparison, _) = browser.compare(&id);
    let repeat = comparison.not_exercised[0].repeat.as_deref().unwrap();
    assert!(repeat.contains("start a new session"), "{repeat}");
}
