//! What counts as exercising a scenario: the same application, page load and values, for as long as the error took.

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::played::{SHOP, asked, click, clicked, error, line, log, nothing, play, play_within, request, with};

const APP: &str = "http://localhost:3000";

fn at(path: &str, one: Value) -> Value {
    with(one, json!({ "url": format!("{APP}{path}") }))
}

fn in_tab(tab: i64, one: Value) -> Value {
    with(one, json!({ "tab_id": tab }))
}

fn input(load: &str, value: &str) -> Value {
    json!({ "type": "input", "url": SHOP, "value": value, "page_id": load, "tab_id": 1,
        "selectors": { "id": "qty", "role": { "role": "textbox", "name": "Qty" } } })
}

#[test]
fn a_response_to_another_application_exercises_nothing() {
    let cart = |load: &str, page: &str, status: u16| {
        with(
            asked(load, "GET", "", status),
            json!({ "url": "http://localhost:8080/api/cart", "pageUrl": format!("http://localhost:{page}") }),
        )
    };
    let failed = |browser: &mut Browser| request(browser, 10_000, cart("L1", "3000/shop", 500));
    let other_app = |browser: &mut Browser| request(browser, 10_000, in_tab(2, cart("X1", "4000/", 200)));
    let other = play(failed, nothing, other_app);
    other.is_open();
    let repeat = other.comparison.not_exercised[0].repeat.clone().unwrap();
    assert!(repeat.contains("http://localhost:3000/shop"), "{repeat}");
    let other_page = |browser: &mut Browser| request(browser, 10_000, cart("L2", "3000/about", 200));
    play(failed, nothing, other_page).is_doubted("another page");
    play(failed, nothing, |browser| request(browser, 10_000, cart("L2", "3000/shop", 200))).is_sure();
    let both = |browser: &mut Browser| {
        request(browser, 10_000, cart("L2", "3000/shop", 200));
        other_app(browser);
    };
    play(failed, nothing, both).is_sure();

    let mut browser = Browser::new();
    failed(&mut browser);
    browser.capture("before");
    other_app(&mut browser);
    browser.capture("after");
    assert_eq!(browser.diff("before", "after").summary.resolved_errors, 0);
}

#[test]
fn a_step_that_opened_the_next_page_has_to_be_repeated() {
    for (tab, kind) in [(Some(1), "click"), (Some(1), "submit"), (None, "submit")] {
        let of_tab = |one: Value| with(one, json!({ "tab_id": tab }));
        let paid = |browser: &mut Browser, load: &str| {
            browser.log(of_tab(at("/checkout", line(load))));
            browser.act(of_tab(at("/checkout", with(click(load, "Pay"), json!({ "type": kind })))));
        };
        let before = |browser: &mut Browser| {
            paid(browser, "L1");
            log(browser, 100, of_tab(at("/thanks", line("L2"))));
            log(browser, 100, of_tab(at("/thanks", error("L2", "A"))));
        };
        let opened = |browser: &mut Browser, load: &str| log(browser, 100, of_tab(at("/thanks", line(load))));
        let alone = play(before, nothing, |browser| opened(browser, "L3"));
        alone.is_open();
        let repeat = alone.comparison.not_exercised[0].repeat.clone().unwrap();
        assert!(repeat.contains("/checkout") && repeat.contains("Pay"), "{repeat}");
        let whole = |browser: &mut Browser| {
            paid(browser, "L3");
            opened(browser, "L4");
        };
        play(before, nothing, whole).is_sure();
        // The step alone, without the page that it opened.
        play(before, nothing, |browser| paid(browser, "L3")).is_open();
    }
    // Earlier actions are unrelated to a page that is opened by its address.
    let typed = |browser: &mut Browser| {
        browser.log(at("/checkout", line("L1")));
        browser.act(at("/checkout", click("L1", "Pay")));
        log(browser, 20_000, at("/thanks", line("L2")));
        log(browser, 100, at("/thanks", error("L2", "A")));
    };
    play(typed, nothing, |browser| browser.log(at("/thanks", line("L3")))).is_sure();
    // So are actions in another tab.
    let beside = |browser: &mut Browser| {
        browser.act(in_tab(2, at("/checkout", click("L1", "Pay"))));
        log(browser, 100, at("/thanks", line("L2")));
        log(browser, 100, at("/thanks", error("L2", "A")));
    };
    play(beside, nothing, |browser| browser.log(at("/thanks", line("L3")))).is_sure();
}

#[test]
fn a_socket_message_between_a_step_and_its_error_has_to_be_repeated() {
    let heard = |browser: &mut Browser, load: &str, data: &str| {
        browser.pass(100 - 10_000);
        browser.socket_event(json!({ "event": "message", "direction": "incoming", "connection_id": "c",
            "url": "ws://localhost:3000/live", "data": data, "page_id": load, "tab_id": 1 }));
    };
    let ack = r#"{"type":"ack","user":null}"#;
    let before = |browser: &mut Browser| {
        browser.log(line("L1"));
        browser.act(click("L1", "Send"));
        heard(browser, "L1", ack);
        log(browser, 10, error("L1", "A"));
    };
    let sent = |browser: &mut Browser| {
        browser.log(line("L2"));
        browser.act(click("L2", "Send"));
    };
    play_within(3_000, before, nothing, sent).is_open();
    play(before, nothing, sent).is_doubted("\"ack\"");
    let answered = |browser: &mut Browser| {
        sent(browser);
        heard(browser, "L2", ack);
    };
    play_within(3_000, before, nothing, answered).is_sure();
    // A ticker in between is not the response.
    let ticks = |browser: &mut Browser, load: &str| {
        browser.log(line(load));
        for number in 0..3 {
            browser.pass(4_000);
            heard(browser, load, &format!("tick {number}"));
        }
        browser.pass(4_000);
        browser.act(click(load, "Send"));
        heard(browser, load, "tick 9");
    };
    let ticking = |browser: &mut Browser| {
        ticks(browser, "L1");
        log(browser, 10, error("L1", "A"));
    };
    play(ticking, nothing, |browser| ticks(browser, "L2")).is_sure();
}

#[test]
fn a_page_that_was_left_early_proves_nothing() {
    let cart = |browser: &mut Browser, millis: i64| log(browser, millis, at("/cart", line("L3")));
    let route = |browser: &mut Browser, millis: i64| log(browser, millis, at("/cart", line("L2")));
    let loads = |browser: &mut Browser| {
        browser.log(line("L1"));
        log(browser, 1_500, error("L1", "A"));
    };
    let steps = |browser: &mut Browser| {
        browser.log(line("L1"));
        browser.pass(10_000);
        browser.act(click("L1", "Pay"));
        log(browser, 1_500, error("L1", "A"));
    };
    let requests = |browser: &mut Browser| {
        browser.log(line("L1"));
        request(browser, 100, asked("L1", "GET", "/api/a", 200));
        log(browser, 1_500, error("L1", "A"));
    };
    let open = |browser: &mut Browser| browser.log(line("L2"));
    let pay = |browser: &mut Browser| {
        browser.log(line("L2"));
        browser.act(click("L2", "Pay"));
    };
    let asks = |browser: &mut Browser| {
        browser.log(line("L2"));
        request(browser, 100, asked("L2", "GET", "/api/a", 200));
    };
    type Part<'p> = &'p dyn Fn(&mut Browser);
    let all: [(Part<'_>, Part<'_>); 3] = [(&loads, &open), (&steps, &pay), (&requests, &asks)];
    for (before, again) in all {
        for leave in [&cart as &dyn Fn(&mut Browser, i64), &route] {
            let left = |millis: i64| {
                play(before, nothing, |browser: &mut Browser| {
                    again(browser);
                    leave(browser, millis);
                })
            };
            let early = left(300);
            early.is_open();
            let repeat = early.comparison.not_exercised[0].repeat.clone().unwrap();
            assert!(repeat.contains("stay"), "{repeat}");
            left(3_000).is_sure();
        }
        play(before, nothing, |browser: &mut Browser| {
            again(browser);
            cart(browser, 300);
            // It was left early once, and stayed open once.
            log(browser, 5_000, line("L4"));
            browser.act(click("L4", "Pay"));
            request(browser, 100, asked("L4", "GET", "/api/a", 200));
        })
        .is_sure();
    }
    // The fixed code navigates as soon as its request gets a response.
    let sent = |browser: &mut Browser, load: &str, millis: i64| {
        browser.log(line(load));
        browser.pass(10_000);
        browser.act(click(load, "Pay"));
        request(browser, millis, clicked(load, "POST", "/api/pay", 200));
    };
    let slow = |browser: &mut Browser| {
        sent(browser, "L1", 900);
        log(browser, 20, error("L1", "A"));
    };
    let goes_on = |browser: &mut Browser| {
        sent(browser, "L2", 100);
        cart(browser, 60);
    };
    play(slow, nothing, goes_on).is_sure();
}

#[test]
fn the_steps_of_one_page_load_have_to_be_repeated_in_one() {
    let before = |browser: &mut Browser| {
        browser.log(line("L1"));
        browser.act(input("L1", "0"));
        browser.act(click("L1", "Go"));
        log(browser, 50, error("L1", "A"));
    };
    let reloaded = |browser: &mut Browser| {
        browser.act(input("L2", "0"));
        log(browser, 200, line("L3"));
        browser.act(click("L3", "Go"));
    };
    play(before, nothing, reloaded).is_open();
    let other_tab = |browser: &mut Browser| {
        browser.act(input("L2", "0"));
        browser.act(in_tab(2, click("L3", "Go")));
    };
    play(before, nothing, other_tab).is_open();
    let whole = |browser: &mut Browser| {
        browser.act(input("L2", "0"));
        browser.act(click("L2", "Go"));
    };
    play(before, nothing, whole).is_sure();
    let twice = |browser: &mut Browser| {
        whole(browser);
        browser.pass(3_000);
        browser.log(line("L3"));
        browser.act(click("L3", "Go"));
    };
    play(before, nothing, twice).is_sure();
    // They were in two loads before as well.
    let two_loads = |browser: &mut Browser, one: &str, other: &str| {
        browser.log(at("/cart", line(one)));
        browser.act(at("/cart", click(one, "Add")));
        log(browser, 100, line(other));
        browser.act(click(other, "Pay"));
    };
    let over_two = |browser: &mut Browser| {
        two_loads(browser, "L1", "L2");
        log(browser, 50, error("L2", "A"));
    };
    play(over_two, nothing, |browser| two_loads(browser, "L3", "L4")).is_sure();
}

#[test]
fn the_value_that_a_field_had_at_the_last_step_counts() {
    let before = |browser: &mut Browser| {
        browser.act(input("L1", "0"));
        browser.act(click("L1", "Go"));
        log(browser, 50, error("L1", "A"));
    };
    let filled = |values: &'static [&'static str]| {
        move |browser: &mut Browser| {
            for value in values {
                browser.act(input("L2", value));
            }
            browser.act(click("L2", "Go"));
        }
    };
    play(before, nothing, filled(&["0", "1"])).is_doubted("another value");
    play(before, nothing, filled(&["1", "0"])).is_sure();
    let after_it = |browser: &mut Browser| {
        filled(&["0"])(browser);
        browser.act(input("L2", "1"));
    };
    play(before, nothing, after_it).is_sure();
}

#[test]
fn a_redacted_value_causes_a_doubt() {
    let password = |load: &str| {
        json!({ "type": "input", "url": SHOP, "value": "[redacted]", "inputType": "password", "page_id": load,
            "tab_id": 1, "selectors": { "id": "pw" } })
    };
    let signed_in = |browser: &mut Browser, load: &str| {
        browser.act(password(load));
        browser.act(click(load, "Sign in"));
    };
    let before = |browser: &mut Browser| {
        signed_in(browser, "L1");
        log(browser, 50, error("L1", "URI malformed"));
    };
    play(before, nothing, |browser| signed_in(browser, "L2")).is_doubted("same value is not known");
}

#[test]
fn a_click_at_another_place_of_a_canvas_may_differ() {
    let map = |load: &str, x: i64, y: i64| {
        json!({ "type": "click", "url": SHOP, "page_id": load, "tab_id": 1, "position": { "x": x, "y": y },
            "selectors": { "id": "map", "cssPath": "main > canvas#map" } })
    };
    let before = |browser: &mut Browser| {
        browser.act(map("L1", 10, 20));
        log(browser, 50, error("L1", "A"));
    };
    play(before, nothing, |browser| browser.act(map("L2", 700, 500))).is_doubted("not quite the same");
    play(before, nothing, |browser| browser.act(map("L2", 12, 19))).is_sure();
    // A button may be clicked anywhere.
    let button = |load: &str, x: i64| with(click(load, "Pay"), json!({ "position": { "x": x, "y": 300 } }));
    let before = |browser: &mut Browser| {
        browser.act(button("L1", 10));
        log(browser, 50, error("L1", "A"));
    };
    play(before, nothing, |browser| browser.act(button("L2", 700))).is_sure();
}

#[test]
fn a_request_of_unknown_content_from_another_step_may_differ() {
    let sent = |browser: &mut Browser, load: &str, page: &str, name: &str, status: u16| {
        browser.log(at(page, line(load)));
        browser.act(at(page, click(load, name)));
        let page = json!({ "pageUrl": format!("{APP}{page}") });
        request(browser, 20, with(clicked(load, "POST", "/api/items", status), page));
    };
    let failed = |browser: &mut Browser| sent(browser, "L1", "/a", "Save", 500);
    play(failed, nothing, |browser| sent(browser, "L2", "/b", "Add", 200)).is_doubted("another page");
    play(failed, nothing, |browser| sent(browser, "L2", "/a", "Add", 200)).is_doubted("without the steps before it");
    play(failed, nothing, |browser| sent(browser, "L2", "/a", "Save", 200)).is_sure();
}

#[test]
fn without_page_loads_nothing_shows_that_a_page_was_reopened() {
    let without_load = |mut entry: Value| {
        entry.as_object_mut().unwrap().remove("page_id");
        entry
    };
    let before = |browser: &mut Browser| browser.log(without_load(error("", "A")));
    play(before, nothing, |browser| browser.log(without_load(line("")))).is_doubted("opened again is not known");
    play(before, nothing, |browser| browser.log(line("L2"))).is_sure();
}

#[test]
fn unchecking_a_box_is_not_checking_it() {
    let toggled = |load: &str, checked: Option<bool>| {
        json!({ "type": "click", "url": SHOP, "page_id": load, "tab_id": 1, "checked": checked, "value": "on",
            "selectors": { "id": "agree", "role": { "role": "checkbox", "name": "Agree" } } })
    };
    let before = |browser: &mut Browser| {
        browser.act(toggled("L1", Some(true)));
        log(browser, 50, error("L1", "A"));
    };
    play(before, nothing, |browser| browser.act(toggled("L2", Some(false)))).is_open();
    play(before, nothing, |browser| browser.act(toggled("L2", Some(true)))).is_sure();
    // Senders may omit it.
    play(before, nothing, |browser| browser.act(toggled("L2", None))).is_doubted("not quite the same");
}
