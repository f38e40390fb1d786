//! What exercises a scenario: the same application, the same page load, the same values, for as long as the error took.

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
fn an_answer_to_another_application_exercises_nothing() {
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
fn a_request_of_unknown_content_from_another_step_is_not_sure_to_be_the_same() {
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
