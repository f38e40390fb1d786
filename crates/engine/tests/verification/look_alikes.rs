//! Events that look like a repetition of the failure and are not, as far as entries show it; and repetitions that look
//! different.

use engine::verify::Trust;
use serde_json::{Value, json};

use crate::browser::{Browser, told};
use crate::played::{
    SHOP, asked, click, clicked, error, hot_update, line, log, nothing, play, play_within, request, with,
};

fn act(browser: &mut Browser, action: Value) {
    browser.act(action);
}

fn row(load: &str, name: &str, number: u32) -> Value {
    let path = format!("ul.list > li:nth-child({number}) > button");
    let selectors = json!({ "role": { "role": "button", "name": name }, "text": name, "cssPath": path });
    with(click(load, name), json!({ "selectors": selectors }))
}

#[test]
fn the_button_of_another_row_may_differ() {
    let before = |browser: &mut Browser| {
        browser.act(row("L1", "Details", 3));
        log(browser, 5, error("L1", "A"));
    };
    play(before, nothing, |browser| browser.act(row("L2", "Details", 1))).is_doubted("not quite the same");
    play(before, nothing, |browser| browser.act(row("L2", "Details", 3))).is_sure();
}

#[test]
fn successes_before_the_failure_count_too() {
    let poll = |browser: &mut Browser, load: &str, status: u16| {
        request(browser, 2_000, asked(load, "GET", "/api/status", status));
    };
    let last = |browser: &mut Browser| {
        browser.log(line("L1"));
        (0..9).for_each(|_| poll(browser, "L1", 200));
        poll(browser, "L1", 500);
    };
    play(last, nothing, |browser| poll(browser, "L2", 200)).is_doubted("1 of 10 times");
    // A server that broke and stays broken does not fail by chance.
    let for_good = |browser: &mut Browser| {
        browser.log(line("L1"));
        (0..9).for_each(|_| poll(browser, "L1", 200));
        (0..3).for_each(|_| poll(browser, "L1", 500));
    };
    play(for_good, nothing, |browser| poll(browser, "L2", 200)).is_sure();
    // Calls of earlier page loads may have run other code.
    let reloaded = |browser: &mut Browser| {
        browser.log(line("L0"));
        (0..9).for_each(|_| poll(browser, "L0", 200));
        browser.log(line("L1"));
        poll(browser, "L1", 500);
    };
    play(reloaded, nothing, |browser| poll(browser, "L2", 200)).is_sure();
}

fn typed(load: &str, field: &str, value: &str) -> Value {
    let kind = json!({ "type": "input", "value": value, "selectors": { "id": field } });
    with(click(load, ""), kind)
}

#[test]
fn a_form_with_other_values_or_none_sends_something_else() {
    let save = |browser: &mut Browser, load: &str, values: &[&str], status: u16| {
        values.iter().for_each(|value| browser.act(typed(load, "name", value)));
        browser.act(click(load, "Save"));
        request(browser, 20, clicked(load, "POST", "/api/orders", status));
    };
    let failed = |browser: &mut Browser| save(browser, "L1", &["O'Brien"], 500);
    play(failed, nothing, |browser| save(browser, "L2", &["Ann"], 201)).is_doubted("another value");
    play(failed, nothing, |browser| save(browser, "L2", &[], 201)).is_doubted("#name");
    play(failed, nothing, |browser| save(browser, "L2", &["O'Brien"], 201)).is_sure();
    // Passwords are not kept, so nobody knows whether it was the same.
    let log_in = |browser: &mut Browser, load: &str, status: u16| {
        browser.act(with(typed(load, "password", "[redacted]"), json!({ "inputType": "password" })));
        browser.act(click(load, "Log in"));
        request(browser, 20, clicked(load, "POST", "/api/login", status));
    };
    play(|browser| log_in(browser, "L1", 401), nothing, |browser| log_in(browser, "L2", 200)).is_doubted("not known");
}

#[test]
fn a_form_filled_long_before_its_submit_belongs_to_it() {
    let submit = |browser: &mut Browser, load: &str, values: &[(&str, &str)]| {
        browser.log(line(load));
        for (field, value) in values {
            browser.act(typed(load, field, value));
            browser.pass(4_000);
        }
        browser.pass(4_000);
        browser.act(click(load, "Submit"));
    };
    let fields = [("name", "Ann"), ("zip", "12345")];
    let failed = |browser: &mut Browser| {
        submit(browser, "L1", &fields);
        log(browser, 10, error("L1", "A"));
    };
    play(failed, nothing, |browser| submit(browser, "L2", &[])).is_doubted("#zip");
    play(failed, nothing, |browser| submit(browser, "L2", &fields)).is_sure();
}

#[test]
fn steps_on_a_page_with_old_code_prove_nothing() {
    let failed = |browser: &mut Browser| {
        browser.log(line("L1"));
        browser.log(with(line("T2"), json!({ "tab_id": 2 })));
        browser.act(click("L1", "Pay"));
        log(browser, 5, error("L1", "A"));
    };
    let other_tab = |browser: &mut Browser| {
        browser.log(line("L2"));
        browser.act(with(click("T2", "Pay"), json!({ "tab_id": 2 })));
    };
    play(failed, nothing, other_tab).is_doubted("old code");
    let updated_later = |browser: &mut Browser| {
        browser.act(click("L1", "Pay"));
        browser.pass(3_000);
        hot_update(browser);
    };
    play(failed, nothing, updated_later).is_doubted("old code");
    let updated_before = |browser: &mut Browser| {
        hot_update(browser);
        browser.act(click("L1", "Pay"));
    };
    play(failed, nothing, updated_before).is_sure();
    // It was done long before `watch` and arrived late.
    let late = |browser: &mut Browser| {
        browser.log(line("L2"));
        let now = browser.clock;
        browser.clock = now - 25_000;
        browser.act(click("L1", "Pay"));
        browser.clock = now;
    };
    play(failed, nothing, late).is_open();
}

#[test]
fn a_message_of_the_same_kind_may_contain_something_else() {
    let message = |browser: &mut Browser, load: &str, data: Value| {
        browser.socket_event(json!({ "event": "message", "direction": "incoming", "connection_id": "c",
            "url": "ws://localhost:3000/live", "data": data.to_string(), "tab_id": 1, "page_id": load }));
    };
    let failed = |browser: &mut Browser| {
        browser.log(line("L1"));
        message(browser, "L1", json!({ "type": "update", "sku": "a", "price": null }));
        log(browser, 3, error("L1", "A"));
    };
    let after = |data: Value| {
        move |browser: &mut Browser| {
            browser.log(line("L2"));
            message(browser, "L2", data);
        }
    };
    play(failed, nothing, after(json!({ "type": "update", "sku": "b", "price": 5 }))).is_doubted("other content");
    play(failed, nothing, after(json!({ "type": "update", "sku": "a", "price": null }))).is_sure();
}

#[test]
fn a_response_that_reports_a_failure_is_not_a_success() {
    let failed = |browser: &mut Browser| {
        request(browser, 10, with(asked("L1", "POST", "/api/pay", 500), json!({ "initiator": "fetch" })));
    };
    let answered = |kind: &'static str, body: &'static str| {
        move |browser: &mut Browser| {
            let answer = json!({ "contentType": kind, "responseBody": body, "initiator": "fetch" });
            request(browser, 10, with(asked("L2", "POST", "/api/pay", 200), answer));
        }
    };
    let json = "application/json";
    play(failed, nothing, answered(json, r#"{"errors":[{"message":"boom"}]}"#)).is_doubted("errors");
    play(failed, nothing, answered(json, r#"{"success":false,"error":"payment provider down"}"#))
        .is_doubted("says that it failed");
    play(failed, nothing, answered("text/html", "<!doctype html><html>")).is_doubted("text/html");
    play(failed, nothing, answered(json, r#"{"success":true,"error":null,"errors":[]}"#)).is_sure();
}

#[test]
fn without_bodies_operations_of_one_address_cannot_be_told_apart() {
    let graphql = |load: &str, status: u16| asked(load, "POST", "/graphql", status);
    let failed = |browser: &mut Browser| {
        browser.log(line("L1"));
        request(browser, 60_000, graphql("L1", 200));
        log(browser, 60, error("L1", "A"));
    };
    let again = |browser: &mut Browser| {
        browser.log(line("L2"));
        request(browser, 100, graphql("L2", 200));
    };
    play(failed, nothing, again).is_doubted("cannot be told apart");
}

#[test]
fn an_error_with_another_name_in_it_may_be_the_same() {
    for (was, now) in [
        ("user bob@shop.test not found", "user ann@shop.test not found"),
        ("no stock of SKU-A17", "no stock of SKU-B9"),
        ("cannot find 'red-shoes'", "cannot find 'red-shoes-v2'"),
    ] {
        let thrown = |load: &str, message: &str| {
            let stack = format!("Error: {message}\n    at find (http://localhost:3000/app.js:42:3)");
            with(error(load, message), json!({ "stack": stack }))
        };
        let add = |browser: &mut Browser, load: &str, message: &str| {
            browser.act(click(load, "Add"));
            log(browser, 5, thrown(load, message));
        };
        let played = play(|browser| add(browser, "L1", was), nothing, |browser| add(browser, "L2", now));
        assert_eq!(played.comparison.verdict.name(), "different_issue", "{:?}", told(&played.comparison));
        assert_eq!(played.coverage.trust(), Trust::Low);
        assert!(played.coverage.warnings.iter().any(|warning| warning.contains("in names alone")));
    }
    // Other words from the same place are another error.
    let add = |browser: &mut Browser, load: &str, message: &str| {
        browser.act(click(load, "Add"));
        let stack = format!("Error: {message}\n    at find (http://localhost:3000/app.js:42:3)");
        log(browser, 5, with(error(load, message), json!({ "stack": stack })));
    };
    let played =
        play(|browser| add(browser, "L1", "no stock left"), nothing, |browser| add(browser, "L2", "price is missing"));
    assert_eq!(played.comparison.verdict.name(), "different_issue", "{:?}", told(&played.comparison));
    assert_eq!(played.coverage.trust(), Trust::High);
}

#[test]
fn a_page_load_with_fewer_requests_is_still_a_load() {
    let failed = |browser: &mut Browser| {
        browser.log(line("L1"));
        request(browser, 20, asked("L1", "POST", "/auth/refresh", 200));
        request(browser, 20, asked("L1", "GET", "/api/me", 200));
        log(browser, 20, error("L1", "A"));
    };
    let logged_in = |browser: &mut Browser| {
        browser.log(line("L2"));
        request(browser, 20, asked("L2", "GET", "/api/me", 200));
    };
    play(failed, nothing, logged_in).is_doubted("no answer to POST /auth/refresh");
    let moved = |browser: &mut Browser| {
        browser.log(line("L2"));
        request(browser, 20, asked("L2", "GET", "/api/v2/me", 200));
    };
    play(failed, nothing, moved).is_doubted("no answer to GET /api/me");
    // Of the load that failed, only the polling goes on.
    play(failed, nothing, |browser| request(browser, 20, asked("L1", "GET", "/api/me", 200))).is_open();
}

#[test]
fn the_instruction_names_an_alternative_when_a_step_is_gone() {
    let failed = |browser: &mut Browser| {
        browser.act(click("L1", "Accept cookies"));
        browser.pass(2_000);
        browser.act(click("L1", "Pay"));
        log(browser, 5, error("L1", "A"));
    };
    let only_pay = play(failed, nothing, |browser| browser.act(click("L2", "Pay")));
    only_pay.is_open();
    let repeat = only_pay.comparison.not_exercised[0].repeat.clone().unwrap();
    assert!(repeat.contains("this session cannot show"), "{repeat}");
    let at = |load: &str, name: &str| {
        let selectors = json!({ "role": { "role": "button", "name": name }, "cssPath": "main > form > button" });
        with(click(load, name), json!({ "selectors": selectors }))
    };
    let pay = |browser: &mut Browser| {
        browser.act(at("L1", "Pay"));
        log(browser, 5, error("L1", "A"));
    };
    play(pay, nothing, |browser| act(browser, at("L2", "Pay now"))).is_doubted("not quite the same");
    play(pay, nothing, |browser| act(browser, at("L2", "Cancel"))).is_open();
}

#[test]
fn a_number_that_is_used_once_is_not_compared() {
    let save = |browser: &mut Browser, load: &str, nonce: &str, status: u16| {
        let body = json!({ "qty": 1, "csrfToken": nonce, "nonce": nonce, "idempotencyKey": nonce });
        request(
            browser,
            10,
            with(asked(load, "POST", "/api/cart", status), json!({ "requestBody": body.to_string() })),
        );
    };
    play(|browser| save(browser, "L1", "x1y2", 500), nothing, |browser| save(browser, "L2", "a9b8", 200)).is_sure();
}

#[test]
fn entries_cleared_before_a_page_load_are_not_missed() {
    let failed = |browser: &mut Browser| {
        browser.log(line("L0"));
        let now = browser.now();
        browser.session.clear(None, now);
        log(browser, 300, line("L1"));
        log(browser, 100, error("L1", "A"));
    };
    play(failed, nothing, |browser| browser.log(line("L2"))).is_sure();
    let same_load = |browser: &mut Browser| {
        browser.log(line("L1"));
        let now = browser.now();
        browser.session.clear(None, now);
        log(browser, 300, error("L1", "A"));
    };
    play(same_load, nothing, |browser| browser.log(line("L2"))).is_open();
}

#[test]
fn without_page_loads_the_opening_of_a_page_is_unknown() {
    let bare = |mut entry: Value| {
        entry.as_object_mut().unwrap().remove("page_id");
        entry
    };
    let failed = |browser: &mut Browser| {
        browser.log(bare(line("")));
        log(browser, 4_000, bare(error("", "A")));
    };
    play_within(200, failed, nothing, |browser| browser.log(bare(line("")))).is_open();
    // It may have been open all the time.
    play(failed, nothing, |browser| browser.log(bare(line("")))).is_doubted("opened again is not known");
}

#[test]
fn the_instruction_names_the_page_of_the_step() {
    let failed = |browser: &mut Browser| {
        browser.act(with(click("L1", "Orders"), json!({ "url": "http://localhost:3000/" })));
        let orders = json!({ "url": "http://localhost:3000/orders" });
        log(browser, 50, with(error("L1", "A"), orders));
    };
    let played = play(failed, nothing, |browser| browser.log(line("L2")));
    let repeat = played.comparison.not_exercised[0].repeat.clone().unwrap();
    assert_eq!(repeat, r#"on http://localhost:3000/: click button "Orders""#);
    assert_ne!(SHOP, "http://localhost:3000/");
}
