//! What must not count as a repetition, and recurrences that look different from the original error.

use engine::verify::Trust;
use serde_json::{Value, json};

use crate::browser::{Browser, told};

const SHOP: &str = "http://localhost:3000/shop";
const MESSAGE: &str = "TypeError: Cannot read properties of undefined (reading 'total')";

fn line(load: &str, page: &str, level: &str, message: &str) -> Value {
    json!({ "type": "console", "level": level, "message": message, "url": page, "page_id": load })
}

fn exception(load: &str) -> Value {
    json!({ "type": "exception", "level": "error", "message": MESSAGE, "url": SHOP, "page_id": load })
}

fn pay(load: &str, name: &str) -> Value {
    json!({ "type": "click", "url": SHOP, "page_id": load, "selectors": { "role": { "role": "button", "name": name } } })
}

/// A request that no user event sent, as happens after any `await` of its handler.
fn request(load: &str, url: &str, status: u16) -> Value {
    json!({ "method": "POST", "url": format!("http://localhost:3000{url}"), "status": status, "pageUrl": SHOP,
        "page_id": load, "duration": 50 })
}

/// Starts with the load `one`, which fails after "Pay" and `between`, and watches.
fn broken_after(between: &[Value]) -> (Browser, String) {
    let mut browser = Browser::new();
    browser.log(line("one", SHOP, "log", "started"));
    browser.pass(20_000);
    browser.act(pay("one", "Pay"));
    for request in between {
        browser.request_after(100, request.clone());
    }
    browser.pass(100 - 10_000);
    browser.log(exception("one"));
    let id = browser.start();
    browser.pass(30_000);
    browser.watch(&id);
    (browser, id)
}

fn again(browser: &mut Browser) {
    browser.log(line("two", SHOP, "log", "started"));
    browser.act(pay("two", "Pay"));
}

fn verdict(browser: &mut Browser, id: &str) -> (&'static str, Trust) {
    let (comparison, coverage) = browser.compare_now(id);
    (comparison.verdict.name(), coverage.trust())
}

#[test]
fn the_request_behind_an_error_is_waited_for_though_no_event_sent_it() {
    let (mut browser, id) = broken_after(&[request("one", "/api/pay", 200)]);
    again(&mut browser);
    browser.pass(2_200);
    assert_eq!(verdict(&mut browser, &id), ("unchanged", Trust::Low), "it may still be under way");
    browser.pass(10_000);
    assert_eq!(verdict(&mut browser, &id), ("fixed", Trust::Low), "it was not sent");
}

#[test]
fn a_request_that_fails_this_time_proves_nothing() {
    for status in [401, 500, 0] {
        let (mut browser, id) = broken_after(&[request("one", "/api/pay", 200)]);
        again(&mut browser);
        let mut failed = request("two", "/api/pay", status);
        failed["error"] = json!((status == 0).then_some("aborted"));
        browser.request_after(100, failed);
        browser.pass(7_000);
        let (comparison, coverage) = browser.compare_now(&id);
        assert_eq!(coverage.trust(), Trust::Low, "{status} {:?}", told(&comparison));
    }
    let (mut browser, id) = broken_after(&[request("one", "/api/pay", 200)]);
    again(&mut browser);
    browser.request_after(100, request("two", "/api/pay", 200));
    browser.pass(7_000);
    assert_eq!(verdict(&mut browser, &id), ("fixed", Trust::High), "it was answered");
}

#[test]
fn a_request_of_a_load_that_fails_this_time_proves_nothing() {
    for (status, trust) in [(200, Trust::High), (0, Trust::Low), (401, Trust::Low)] {
        let mut browser = Browser::new();
        browser.request(request("one", "/api/me", 200));
        browser.pass(200 - 10_000);
        browser.log(exception("one"));
        let id = browser.start();
        browser.watch(&id);
        browser.request(request("two", "/api/me", status));
        browser.pass(7_000);
        assert_eq!(browser.compare_now(&id).1.trust(), trust, "{status}");
    }
}

#[test]
fn a_recurrence_counts_though_the_page_has_a_slow_clock() {
    let (mut browser, id) = broken_after(&[]);
    // The next load runs on a machine whose clock is five seconds behind.
    let slow = |browser: &mut Browser, after: i64, mut entry: Value| {
        browser.pass(after);
        entry["ts"] = json!(browser.clock - 5_000);
        browser.log_as_sent(entry);
    };
    slow(&mut browser, 500, line("two", SHOP, "log", "started"));
    slow(&mut browser, 300, exception("two"));
    slow(&mut browser, 6_000, line("two", SHOP, "log", "later"));
    let mut click = pay("two", "Pay");
    click["ts"] = json!(browser.clock - 4_500);
    browser.act(click);
    assert_eq!(told(&browser.compare(&id).0), [format!("unchanged console: {MESSAGE} | {MESSAGE}")]);
}

/// The load `two`, in which "Pay" is clicked and this line is logged.
fn paid_and_said(browser: &mut Browser, page: &str, level: &str, said: &str) {
    again(browser);
    browser.pass(100 - 10_000);
    browser.log(line("two", page, level, said));
    browser.pass(7_000);
}

#[test]
fn an_error_that_is_now_caught_and_logged_is_not_resolved() {
    let doubted = ("fixed", Trust::Low);
    let unchanged = ("unchanged", Trust::High);
    for (level, expected) in
        [("debug", doubted), ("log", doubted), ("info", doubted), ("warn", unchanged), ("error", unchanged)]
    {
        let said = format!("checkout failed: {MESSAGE}");
        let (mut browser, id) = broken_after(&[]);
        paid_and_said(&mut browser, SHOP, level, &said);
        assert_eq!(verdict(&mut browser, &id), expected, "{level}");

        let (mut browser, _) = broken_after(&[]);
        browser.capture("before");
        paid_and_said(&mut browser, SHOP, level, &said);
        browser.capture("after");
        let diff = browser.diff("before", "after");
        let told = diff.warnings.join(" ");
        assert!(told.contains("checkout failed"), "{level}: {told}");
        assert_eq!(diff.summary.resolved_errors, u64::from(expected == doubted), "{level}");
    }
    // Whatever surrounds its words, and wherever it is logged.
    for (message, said, page) in [
        ("TypeError: Failed to fetch", "checkout failed: TypeError: Failed to fetch", SHOP),
        ("Unhandled Promise Rejection: TypeError: cart is empty", "caught TypeError: cart is empty", SHOP),
        (&*format!("Error: {}", "long ".repeat(60)), &*format!("caught Error: {}", "long ".repeat(60)), SHOP),
        (MESSAGE, &*format!("caught {MESSAGE}"), "http://localhost:3000/checkout"),
    ] {
        let mut browser = Browser::new();
        browser.log(line("one", SHOP, "log", "started"));
        browser.act(pay("one", "Pay"));
        browser.pass(100 - 10_000);
        browser
            .log(json!({ "type": "exception", "level": "error", "message": message, "url": SHOP, "page_id": "one" }));
        let id = browser.start_on(Some("/shop"));
        browser.watch(&id);
        paid_and_said(&mut browser, page, "warn", said);
        assert_eq!(verdict(&mut browser, &id), unchanged, "{said}");
    }
}

#[test]
fn earlier_or_unrelated_words_are_not_a_recurrence() {
    let (mut browser, id) = broken_after(&[]);
    paid_and_said(&mut browser, SHOP, "log", "checkout went well");
    assert_eq!(verdict(&mut browser, &id), ("fixed", Trust::High));
    // Another number is another failure.
    let mut browser = Browser::new();
    browser.log(line("one", SHOP, "log", "started"));
    browser.act(pay("one", "Pay"));
    browser.pass(100 - 10_000);
    let message = "AxiosError: Request failed with status code 500";
    browser.log(json!({ "type": "exception", "level": "error", "message": message, "url": SHOP, "page_id": "one" }));
    let id = browser.start();
    browser.watch(&id);
    paid_and_said(&mut browser, SHOP, "warn", "avatar: AxiosError: Request failed with status code 404");
    assert_eq!(verdict(&mut browser, &id), ("fixed", Trust::High));
    // It was logged before as well, so it only causes a doubt.
    for level in ["warn", "error"] {
        let mut browser = Browser::new();
        let widget = format!("legacy widget: {MESSAGE}");
        browser.log(line("one", SHOP, level, &widget));
        browser.pass(20_000);
        browser.act(pay("one", "Pay"));
        browser.pass(100 - 10_000);
        browser.log(exception("one"));
        let id = browser.start();
        browser.watch(&id);
        browser.log(line("two", SHOP, level, &widget));
        browser.act(pay("two", "Pay"));
        browser.pass(7_000);
        let (comparison, coverage) = browser.compare_now(&id);
        let resolved = told(&comparison).iter().any(|one| one.starts_with("resolved console: TypeError"));
        assert!(resolved && coverage.trust() == Trust::Low, "{level}: {:?} {:?}", told(&comparison), coverage.trust());
    }
}

#[test]
fn a_page_that_polls_can_be_fixed() {
    for every in [500, 900, 2_000, 5_000] {
        let poll = |load: &str| {
            json!({ "method": "GET", "url": "http://localhost:3000/api/poll", "status": 200, "pageUrl": SHOP,
                "page_id": load, "duration": 20 })
        };
        let mut browser = Browser::new();
        browser.log(line("one", SHOP, "log", "started"));
        for _ in 0..4 {
            browser.request_after(3_000, poll("one"));
        }
        browser.act(pay("one", "Pay"));
        browser.request_after(200, poll("one"));
        browser.pass(300 - 10_000);
        browser.log(exception("one"));
        let id = browser.start();
        browser.watch(&id);
        again(&mut browser);
        for _ in 0..=(6_000 / every) {
            browser.request_after(every, poll("two"));
        }
        assert_eq!(verdict(&mut browser, &id), ("fixed", Trust::High), "every {every} ms");
    }
}

#[test]
fn requests_after_an_error_need_not_be_repeated() {
    let mut report = request("one", "/envelope", 200);
    report["duration"] = json!(80);
    let (mut browser, id) = broken_after(&[]);
    browser.pass(-10_000);
    browser.request(report);
    // The same with the report already there.
    browser.verifications = engine::verify::Verifications::default();
    drop(id);
    let id = browser.start();
    browser.watch(&id);
    again(&mut browser);
    browser.pass(2_200);
    assert_eq!(verdict(&mut browser, &id), ("fixed", Trust::High));
}

#[test]
fn a_step_that_was_taken_once_counts_once() {
    let next = |load: &str, number: u32| {
        json!({ "type": "click", "url": SHOP, "page_id": load,
            "selectors": { "testId": format!("next-{number}"), "role": { "role": "button", "name": "Next" } } })
    };
    let mut browser = Browser::new();
    browser.log(line("one", SHOP, "log", "started"));
    browser.pass(20_000);
    browser.act(next("one", 1));
    browser.act(next("one", 2));
    browser.pass(100 - 10_000);
    browser.log(exception("one"));
    let id = browser.start();
    browser.watch(&id);
    browser.log(line("two", SHOP, "log", "started"));
    browser.act(next("two", 1));
    browser.pass(7_000);
    assert_eq!(verdict(&mut browser, &id), ("unchanged", Trust::Low));
    browser.act(next("two", 2));
    browser.pass(7_000);
    assert_eq!(verdict(&mut browser, &id), ("fixed", Trust::High));
}

#[test]
fn requests_of_other_frames_do_not_belong_to_the_page() {
    let mut browser = Browser::new();
    browser.log(line("one", SHOP, "log", "started"));
    browser.request_after(
        200,
        json!({ "method": "POST", "url": "http://ads.test/bid/aaa", "status": 200,
        "pageUrl": "http://ads.test/", "page_id": "one.1", "duration": 20 }),
    );
    browser.pass(100 - 10_000);
    browser.log(exception("one"));
    let id = browser.start();
    browser.watch(&id);
    browser.log(line("two", SHOP, "log", "started"));
    browser.pass(7_000);
    assert_eq!(verdict(&mut browser, &id), ("fixed", Trust::High));
}

#[test]
fn a_clock_slightly_behind_hides_no_recurrence() {
    for behind in [500, 900, 1_500] {
        let (mut browser, id) = broken_after(&[]);
        for (after, mut entry) in [
            (300, line("two", SHOP, "log", "started")),
            (1, exception("two")),
            (6_000, line("two", SHOP, "log", "later")),
        ] {
            browser.pass(after);
            entry["ts"] = json!(browser.clock - behind);
            browser.log_as_sent(entry);
        }
        browser.act(pay("two", "Pay"));
        assert_eq!(browser.compare(&id).0.verdict.name(), "unchanged", "{behind} ms");
    }
}

#[test]
fn an_error_outside_of_the_filter_is_not_resolved() {
    let mut browser = Browser::new();
    browser.log(line("one", SHOP, "log", "started"));
    browser.act(pay("one", "Pay"));
    browser.pass(100 - 10_000);
    browser.log(exception("one"));
    let id = browser.start_on(Some("/shop"));
    browser.watch(&id);
    again(&mut browser);
    browser.pass(100 - 10_000);
    let elsewhere = "http://localhost:3000/checkout";
    browser
        .log(json!({ "type": "exception", "level": "error", "message": MESSAGE, "url": elsewhere, "page_id": "two" }));
    browser.pass(7_000);
    let told = told(&browser.compare_now(&id).0);
    assert!(told[0].starts_with("changed console: ") && told[0].contains("/checkout"), "{told:?}");
}

#[test]
fn an_error_without_a_page_is_not_resolved_by_anything() {
    let mut browser = Browser::new();
    browser.log(json!({ "type": "exception", "level": "error", "message": MESSAGE }));
    let id = browser.start();
    browser.watch(&id);
    browser.log(json!({ "type": "console", "level": "info", "message": "hello" }));
    browser.pass(7_000);
    let fields = json!(browser.compare_now(&id).0.answer(Trust::High, Vec::new()));
    assert_eq!(fields["verdict"], "unchanged");
    assert!(fields["not_exercised"][0]["repeat"].as_str().unwrap().contains("names no page"), "{fields}");
}

#[test]
fn a_click_beside_the_frame_that_failed_has_to_be_repeated() {
    let mut browser = Browser::new();
    browser.log(line("one", SHOP, "log", "started"));
    browser.pass(20_000);
    browser.act(pay("one", "Pay"));
    let frame = "http://pay.example/form";
    browser.pass(100 - 10_000);
    browser.log(json!({ "type": "exception", "level": "error", "message": MESSAGE, "url": frame, "page_id": "one.1" }));
    let id = browser.start();
    browser.watch(&id);
    browser.log(line("two", SHOP, "log", "started"));
    browser.log(line("two.1", frame, "log", "started"));
    browser.pass(7_000);
    assert_eq!(browser.compare_now(&id).0.verdict.name(), "unchanged");
    browser.act(pay("two", "Pay"));
    assert_eq!(browser.compare(&id).0.verdict.name(), "fixed");
}

#[test]
fn an_error_alone_in_its_load_may_have_come_late() {
    let mut browser = Browser::new();
    browser.log(exception("one"));
    let id = browser.start();
    browser.watch(&id);
    browser.log(line("two", SHOP, "log", "started"));
    browser.pass(2_200);
    assert_eq!(browser.compare_now(&id).0.verdict.name(), "unchanged", "it may have taken seconds");
    browser.pass(4_000);
    assert_eq!(browser.compare_now(&id).0.verdict.name(), "fixed");
}

#[test]
fn a_response_that_reports_a_failure_causes_a_doubt() {
    for (answer, trust) in [
        (json!({ "status": "error", "message": "db down" }), Trust::Low),
        (json!({ "code": 500, "message": "db down" }), Trust::Low),
        (json!({ "status": "failed" }), Trust::Low),
        (json!({ "status": "ok", "code": 200 }), Trust::High),
        (json!({ "code": "EUR", "status": "paid" }), Trust::High),
        (json!({ "code": 500 }), Trust::High),
    ] {
        let mut browser = Browser::new();
        browser.request(request("one", "/api/pay", 500));
        let id = browser.start();
        browser.watch(&id);
        let mut answered = request("two", "/api/pay", 200);
        answered["responseBody"] = json!(answer.to_string());
        browser.request(answered);
        assert_eq!(browser.compare(&id).1.trust(), trust, "{answer}");
    }
}

#[test]
fn a_request_that_is_no_longer_sent_has_an_instruction() {
    let mut browser = Browser::new();
    browser.log(line("one", SHOP, "log", "started"));
    browser.act(pay("one", "Pay"));
    browser.request_after(100, request("one", "/api/ordr", 404));
    let id = browser.start();
    browser.watch(&id);
    again(&mut browser);
    browser.request_after(100, request("two", "/api/orders", 200));
    let repeat = |browser: &mut Browser| {
        let fields = json!(browser.compare_now(&id).0.answer(Trust::High, Vec::new()));
        fields["not_exercised"][0]["repeat"].as_str().unwrap().to_owned()
    };
    browser.pass(3_000);
    assert!(repeat(&mut browser).contains("wait 7 s more"), "{}", repeat(&mut browser));
    browser.pass(10_000);
    let told = repeat(&mut browser);
    assert!(told.contains("no answer to it came") && told.contains("nothing in this session can show more"), "{told}");
    assert!(!told.contains("let the page send"), "{told}");
}

#[test]
fn the_button_of_the_next_row_is_similar() {
    let delete = |load: &str, id: &str| {
        json!({ "type": "click", "url": SHOP, "page_id": load,
            "selectors": { "testId": id, "role": { "role": "button", "name": "Delete" } } })
    };
    for (other, expected) in [("todo-delete-18", ("fixed", Trust::Low)), ("todo-archive-17", ("unchanged", Trust::Low))]
    {
        let mut browser = Browser::new();
        browser.log(line("one", SHOP, "log", "started"));
        browser.act(delete("one", "todo-delete-17"));
        browser.pass(100 - 10_000);
        browser.log(exception("one"));
        let id = browser.start();
        browser.watch(&id);
        browser.log(line("two", SHOP, "log", "started"));
        browser.act(delete("two", other));
        browser.pass(7_000);
        assert_eq!(verdict(&mut browser, &id), expected, "{other}");
    }
}

#[test]
fn another_polling_application_does_not_widen_the_window() {
    let mut browser = Browser::new();
    browser.log(line("one", SHOP, "log", "started"));
    browser.act(pay("one", "Pay"));
    browser.pass(100 - 10_000);
    browser.log(exception("one"));
    browser.capture("before");
    again(&mut browser);
    browser.request(json!({ "method": "GET", "url": "http://localhost:4000/api/poll", "status": 200,
        "pageUrl": "http://localhost:4000/", "page_id": "other" }));
    browser.capture("after");
    let diff = browser.diff("before", "after");
    assert_eq!((diff.summary.verdict.name(), diff.summary.resolved_errors), ("improved", 1));
}
