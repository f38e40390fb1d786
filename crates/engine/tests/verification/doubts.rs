//! Where the time after the fix differs slightly from the time before, nothing is called fixed with certainty.

use engine::verify::Trust;
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::played::{
    SHOP, asked, click, clicked, error, hot_update, line, load_error, log, nothing, play, play_within, request, with,
};

#[test]
fn a_load_that_ran_before_watch_is_not_a_new_one() {
    let again = |browser: &mut Browser| {
        browser.log(line("L2"));
        log(browser, 100, error("L2", "A"));
    };
    play(load_error, again, |browser| browser.log(line("L2"))).is_open();
    play(load_error, nothing, |browser| browser.log(line("L2"))).is_sure();
}

#[test]
fn an_error_that_happened_again_on_a_new_load_before_watch_is_named() {
    let between = |browser: &mut Browser| {
        browser.act(click("L2", "Pay"));
        log(browser, 50, error("L2", "A"));
    };
    let before = |browser: &mut Browser| {
        browser.act(click("L1", "Pay"));
        log(browser, 50, error("L1", "A"));
    };
    play(before, between, |browser| browser.act(click("L2", "Pay"))).is_doubted("came again between start and watch");
    play(before, nothing, |browser| browser.act(click("L2", "Pay"))).is_sure();
}

#[test]
fn a_hot_update_does_not_reopen_the_page() {
    play(load_error, hot_update, |browser| browser.log(line("L1"))).is_doubted("hot-updated, not opened again");
    // Polled requests say nothing about what the page does when it opens.
    let polled = |browser: &mut Browser| {
        request(browser, 10_000, asked("L1", "GET", "/api/notifications", 200));
        log(browser, 100, error("L1", "A"));
    };
    let polls = |browser: &mut Browser| request(browser, 10_000, asked("L1", "GET", "/api/notifications", 200));
    play(polled, hot_update, polls).is_open();
    play(polled, nothing, |browser| request(browser, 10_000, asked("L2", "GET", "/api/notifications", 200))).is_sure();
}

#[test]
fn another_tab_may_run_older_code() {
    let other = |browser: &mut Browser| browser.log(with(line("L7"), json!({ "tab_id": 2 })));
    play(load_error, nothing, other).is_doubted("in another tab");
}

#[test]
fn a_late_error_gets_as_much_time_to_happen_again() {
    let before = |browser: &mut Browser| {
        browser.log(line("L1"));
        log(browser, 4_000, error("L1", "A"));
    };
    let opened = |browser: &mut Browser| browser.log(line("L2"));
    let early = play_within(300, before, nothing, opened);
    early.is_open();
    assert_eq!(early.comparison.not_exercised[0].wait_seconds, Some(5));
    play_within(6_000, before, nothing, opened).is_sure();
    // Its trigger is further back than triggers are searched for.
    let late = |browser: &mut Browser| {
        browser.log(line("L1"));
        log(browser, 12_000, error("L1", "A"));
    };
    play_within(3_000, late, nothing, opened).is_open();
    play_within(14_000, late, nothing, opened).is_doubted("12 s after its page was opened");
}

#[test]
fn scrolling_and_going_back_can_be_triggers() {
    let scroll = |load: &str| json!({ "type": "scroll", "url": SHOP, "scrollY": 1800, "page_id": load, "tab_id": 1 });
    let back = |load: &str| {
        json!({ "type": "navigate", "url": SHOP, "fromUrl": "http://localhost:3000/detail", "toUrl": SHOP,
            "page_id": load, "tab_id": 1 })
    };
    for step in [&scroll as &dyn Fn(&str) -> Value, &back] {
        let before = |browser: &mut Browser| {
            browser.log(line("L1"));
            browser.pass(20_000);
            browser.act(step("L1"));
            log(browser, 100, error("L1", "A"));
        };
        play(before, nothing, |browser| browser.log(line("L2"))).is_open();
        let again = |browser: &mut Browser| {
            browser.log(line("L2"));
            browser.act(step("L2"));
        };
        play(before, nothing, again).is_sure();
    }
    // Users who click scroll, too.
    let before = |browser: &mut Browser| {
        browser.act(scroll("L1"));
        browser.act(click("L1", "Pay"));
        log(browser, 50, error("L1", "A"));
    };
    play(before, nothing, |browser| browser.act(click("L2", "Pay"))).is_sure();
}

#[test]
fn a_click_that_no_longer_sends_its_request_is_not_quite_the_same() {
    let before = |browser: &mut Browser| {
        browser.act(click("L1", "Pay"));
        request(browser, 30, clicked("L1", "POST", "/api/pay", 200));
        log(browser, 60, error("L1", "A"));
    };
    play(before, nothing, |browser| browser.act(click("L2", "Pay"))).is_doubted("no answer to POST /api/pay");
    let refused = |browser: &mut Browser| {
        browser.act(click("L2", "Pay"));
        request(browser, 30, clicked("L2", "POST", "/api/pay", 401));
    };
    let refused = play(before, nothing, refused);
    assert!(refused.coverage.warnings.iter().any(|warning| warning.contains("POST /api/pay failed this time")));
    let again = |browser: &mut Browser| {
        browser.act(click("L2", "Pay"));
        request(browser, 30, clicked("L2", "POST", "/api/pay", 200));
    };
    play(before, nothing, again).is_sure();
}

#[test]
fn another_button_with_the_same_request_is_another_step() {
    let sends = |name: &'static str, body: Value| {
        move |browser: &mut Browser, load: &str| {
            browser.act(click(load, name));
            let sent = clicked(load, "POST", "/rpc", 200);
            request(browser, 30, with(sent, json!({ "requestBody": body.to_string() })));
        }
    };
    let pay = sends("Pay", json!({ "jsonrpc": "2.0", "method": "cart.pay", "id": 1 }));
    let list = sends("Refresh", json!({ "jsonrpc": "2.0", "method": "cart.list", "id": 2 }));
    let before = |browser: &mut Browser| {
        pay(browser, "L1");
        log(browser, 60, error("L1", "A"));
    };
    play(before, nothing, |browser| list(browser, "L2")).is_open();
    play(before, nothing, |browser| pay(browser, "L2")).is_sure();
    // A button that the fix renamed sends the same request.
    let renamed = sends("Pay now", json!({ "jsonrpc": "2.0", "method": "cart.pay", "id": 1 }));
    play(before, nothing, |browser| renamed(browser, "L2")).is_doubted("by another step");
}

#[test]
fn addresses_that_serve_many_operations_are_told_apart() {
    let sent = |body: Option<&str>, path: &str, status: u16| {
        let body = body.map(|method| json!({ "method": method, "params": [] }).to_string());
        with(asked("L1", "POST", path, status), json!({ "requestBody": body }))
    };
    let failed = |browser: &mut Browser| request(browser, 10_000, sent(Some("cart.pay"), "/rpc", 500));
    play(failed, nothing, |browser| request(browser, 10_000, sent(Some("cart.list"), "/rpc", 200))).is_open();
    play(failed, nothing, |browser| request(browser, 10_000, sent(Some("cart.pay"), "/rpc", 200))).is_sure();
    for path in ["/api/gql", "/rpc", "/api/jsonrpc"] {
        let failed = |browser: &mut Browser| request(browser, 10_000, sent(None, path, 500));
        play(failed, nothing, |browser| request(browser, 10_000, sent(None, path, 200))).is_open();
    }
}

#[test]
fn the_same_request_with_other_content_may_differ() {
    let save = |browser: &mut Browser, load: &str, quantity: i64, status: u16| {
        browser.act(json!({ "type": "input", "url": SHOP, "value": quantity.to_string(), "selectors": { "id": "qty" }, "page_id": load }));
        browser.act(click(load, "Save"));
        let body = json!({ "qty": quantity }).to_string();
        request(browser, 50, with(clicked(load, "POST", "/api/save", status), json!({ "requestBody": body })));
    };
    let failed = |browser: &mut Browser| save(browser, "L1", -1, 500);
    play(failed, nothing, |browser| save(browser, "L2", 5, 200)).is_doubted("other content");
    play(failed, nothing, |browser| save(browser, "L2", -1, 200)).is_sure();
}

#[test]
fn an_intermittent_failure_has_to_succeed_more_than_once() {
    let poll = |browser: &mut Browser, load: &str, status: u16| {
        request(browser, 3_000, asked(load, "GET", "/api/cart", status))
    };
    let flaky = |browser: &mut Browser| {
        [200, 200, 500, 200, 200, 200].into_iter().for_each(|status| poll(browser, "L1", status))
    };
    play(flaky, nothing, |browser| poll(browser, "L2", 200)).is_doubted("1 of 6");
    play(flaky, nothing, |browser| (0..17).for_each(|_| poll(browser, "L2", 200))).is_sure();
    // It worked until it broke.
    let broken =
        |browser: &mut Browser| [200, 200, 200, 500, 500].into_iter().for_each(|status| poll(browser, "L1", status));
    play(broken, nothing, |browser| poll(browser, "L2", 200)).is_sure();

    let race = |browser: &mut Browser| {
        for number in 0..5 {
            browser.pass(10_000);
            browser.act(click("L1", "Refresh"));
            if number == 2 {
                log(browser, 100, error("L1", "A"));
            }
        }
    };
    play(race, nothing, |browser| browser.act(click("L2", "Refresh"))).is_doubted("1 of 5");
    let often = |browser: &mut Browser| {
        for _ in 0..15 {
            browser.act(click("L2", "Refresh"));
        }
    };
    play(race, nothing, often).is_sure();
    let third = |browser: &mut Browser| {
        for _ in 0..3 {
            browser.act(click("L1", "Add"));
        }
        log(browser, 50, error("L1", "A"));
    };
    play(third, nothing, |browser| browser.act(click("L2", "Add"))).is_doubted("1 of 3");
}

#[test]
fn ignored_parts_of_names_and_addresses_lower_the_confidence() {
    let after = |one: &Value, other: &Value| {
        let before = |browser: &mut Browser| {
            browser.act(one.clone());
            log(browser, 50, with(error("L1", "A"), json!({ "url": one["url"] })));
        };
        play(before, nothing, |browser| browser.act(other.clone()))
    };
    let at = |url: &str, load: &str, name: &str| {
        with(click(load, name), json!({ "url": format!("http://localhost:3000{url}") }))
    };
    after(&click("L1", "31"), &click("L2", "15")).is_open();
    after(&click("L1", "Page 3"), &click("L2", "Page 4")).is_doubted("not quite the same");
    after(&click("L1", "Checkout (1)"), &click("L2", "Checkout (2)")).is_sure();
    let row = |load: &str, id: &str| json!({ "type": "click", "url": SHOP, "selectors": { "testId": id }, "page_id": load, "tab_id": 1 });
    after(&row("L1", "user-row-1017"), &row("L2", "user-row-1018")).is_doubted("not quite the same");
    let inside = |load: &str, path: &str| {
        let role = json!({ "role": "button", "name": "Delete" });
        json!({ "type": "click", "url": SHOP, "selectors": { "role": role, "cssPath": path }, "page_id": load, "tab_id": 1 })
    };
    let path = "#invoices > li:nth-child(3) > button";
    after(&inside("L1", path), &inside("L2", "#drafts > li:nth-child(3) > button")).is_doubted("not quite the same");
    after(&inside("L1", path), &inside("L2", "#invoices > li:nth-child(1) > button")).is_doubted("not quite the same");
    after(&at("/wizard/3", "L1", "Next"), &at("/wizard/1", "L2", "Next")).is_doubted("not quite the same");
    after(&at("/app?view=billing", "L1", "Save"), &at("/app?view=profile", "L2", "Save"))
        .is_doubted("not quite the same");
    after(&at("/app?v=1&_=17", "L1", "Save"), &at("/app?_=18&v=1", "L2", "Save")).is_sure();

    let order = |number: u32, load: &str, what: fn(&str) -> Value| {
        with(what(load), json!({ "url": format!("http://localhost:3000/orders/{number}") }))
    };
    let before = |browser: &mut Browser| {
        browser.log(order(17, "L1", line));
        log(browser, 100, order(17, "L1", |load| error(load, "A")));
    };
    play(before, nothing, |browser| browser.log(order(18, "L2", line))).is_doubted("not quite the same");
    play(before, nothing, |browser| browser.log(order(17, "L2", line))).is_sure();
    let searched = |browser: &mut Browser| {
        request(browser, 10_000, asked("L1", "GET", "/api/search?q=%25", 200));
        log(browser, 100, error("L1", "A"));
    };
    let other = |browser: &mut Browser| request(browser, 10_000, asked("L2", "GET", "/api/search?q=shoes", 200));
    play(searched, nothing, other).is_doubted("not quite the same");
}

#[test]
fn socket_messages_are_told_apart_by_their_purpose() {
    let heard = |browser: &mut Browser, data: &str| {
        browser.socket_event(json!({ "event": "message", "direction": "incoming", "connection_id": "c", "url": "ws://localhost:3000/live",
            "data": data }));
    };
    let after = |one: &str, other: &str| {
        let before = |browser: &mut Browser| {
            heard(browser, one);
            log(browser, 20, error("L1", "A"));
        };
        play(before, nothing, |browser| {
            browser.log(line("L2"));
            heard(browser, other);
        })
    };
    after(r#"42["order:updated",{"id":1}]"#, "2").is_open();
    after(r#"42["order:updated",{"id":1}]"#, r#"42["order:updated",{"id":2}]"#).is_sure();
    after(r#"{"event":"trade","price":null}"#, r#"{"event":"heartbeat"}"#).is_open();
    after(r#"{"price":null}"#, r#"{"beat":1}"#).is_open();
    after("tick 17", "something else").is_doubted("without a type");
}

#[test]
fn a_response_of_another_type_may_be_broken() {
    let answered = |status: u16, content_type: &str, body: &str| {
        with(asked("L1", "GET", "/api/cart", status), json!({ "contentType": content_type, "responseBody": body }))
    };
    let failed = |browser: &mut Browser| request(browser, 10_000, answered(500, "application/json", "{\"error\":1}"));
    let html = |browser: &mut Browser| request(browser, 10_000, answered(200, "text/html", "<!doctype html>"));
    play(failed, nothing, html).is_doubted("text/html");
    play(failed, nothing, |browser| request(browser, 10_000, asked("L1", "GET", "/api/cart", 302))).is_doubted("302");
    play(failed, nothing, |browser| request(browser, 10_000, answered(200, "application/json", "{}"))).is_sure();
    let pay = |status: u16, answer: Value| {
        let query = json!({ "operationName": "Pay", "query": "mutation Pay{a}" }).to_string();
        with(
            asked("L1", "POST", "/graphql", status),
            json!({ "requestBody": query, "responseBody": answer.to_string() }),
        )
    };
    let errors = json!({ "data": null, "errors": [{ "message": "no" }] });
    let failed = |browser: &mut Browser| request(browser, 10_000, pay(500, errors.clone()));
    play(failed, nothing, |browser| request(browser, 10_000, pay(200, errors.clone()))).is_doubted("errors");
    play(failed, nothing, |browser| request(browser, 10_000, pay(200, json!({ "data": {} })))).is_sure();
}

#[test]
fn a_rule_that_hides_the_baseline_is_named() {
    let mut browser = Browser::new();
    browser.act(click("L1", "Pay"));
    log(&mut browser, 50, error("L1", "Cannot pay"));
    let id = browser.start();
    browser.pass(30_000);
    browser.watch(&id);
    browser.session.noise.add("Cannot pay").unwrap();
    browser.act(click("L2", "Pay"));
    log(&mut browser, 50, error("L2", "Cannot pay"));
    let (comparison, coverage) = browser.compare(&id);
    assert_eq!((comparison.verdict.name(), coverage.trust()), ("no_issues_detected", Trust::Low));
    assert!(coverage.warnings.iter().any(|warning| warning.contains("noise rule")), "{:?}", coverage.warnings);
}

#[test]
fn another_id_counts_when_the_same_steps_requested_it() {
    let order = |browser: &mut Browser, load: &str, number: u32, status: u16| {
        browser.act(click(load, "Place order"));
        request(browser, 30, clicked(load, "POST", "/api/orders", 201));
        request(browser, 60, asked(load, "GET", &format!("/api/orders/{number}"), status));
    };
    let failed = |browser: &mut Browser| order(browser, "L1", 1017, 500);
    play(failed, nothing, |browser| order(browser, "L2", 1018, 200)).is_doubted("/api/orders/1018");
    // Without the steps, another order proves nothing.
    let listed = |browser: &mut Browser| request(browser, 10_000, asked("L2", "GET", "/api/orders/1018", 200));
    play(failed, nothing, listed).is_open();
    for (one, other) in [
        ("/dashboard?_rsc=1a2b3", "/dashboard?_rsc=9z8y7"),
        ("/api/events?since=2026-11-18T23:00:00Z", "/api/events?since=2026-11-19T01:00:00Z"),
    ] {
        let failed = |browser: &mut Browser| request(browser, 10_000, asked("L1", "GET", one, 500));
        play(failed, nothing, |browser| request(browser, 10_000, asked("L2", "GET", other, 200))).is_sure();
    }
}

#[test]
fn a_snapshot_covers_the_time_since_the_previous_one_of_its_origin() {
    // The latest event belongs to the page of another tab.
    let elsewhere = |browser: &mut Browser| {
        browser.request(with(
            asked("L9", "GET", "/api/stats", 200),
            json!({ "pageUrl": "http://localhost:3000/admin", "tab_id": 2 }),
        ));
    };
    let mut browser = Browser::new();
    browser.act(click("L1", "Pay"));
    log(&mut browser, 50, error("L1", "A"));
    elsewhere(&mut browser);
    browser.capture("before");
    browser.act(click("L2", "Pay"));
    browser.log(line("L2"));
    browser.capture("after");
    let diff = browser.diff("before", "after");
    assert_eq!(diff.summary.resolved_errors, 1, "{:?}", diff.warnings);
    assert!(!diff.warnings.iter().any(|warning| warning.contains("overlap")), "{:?}", diff.warnings);
}

#[test]
fn a_second_window_without_errors_does_not_contradict_what_is_resolved() {
    let mut browser = Browser::new();
    load_error(&mut browser);
    browser.capture("before");
    browser.log(line("L2"));
    browser.pass(5_000);
    browser.capture("after");
    let diff = browser.diff("before", "after");
    assert_eq!(diff.summary.resolved_errors, 1);
    assert!(!diff.warnings.iter().any(|warning| warning.contains("proves nothing")), "{:?}", diff.warnings);
}
