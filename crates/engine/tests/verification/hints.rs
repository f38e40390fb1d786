//! The steps that a comparison asks for have to be possible, complete, and sufficient.

use engine::verify::Trust;
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::played::{SHOP, asked, click, clicked, error, line, log, nothing, play, play_within, request, with};

fn polled(browser: &mut Browser, load: &str) {
    request(browser, 1_500, asked(load, "GET", "/api/status", 200));
    log(browser, 40, error(load, "A"));
}

#[test]
fn clicks_beside_an_error_of_every_poll_need_not_be_repeated() {
    let polls = |browser: &mut Browser, load: &str| {
        browser.log(line(load));
        (0..5).for_each(|_| request(browser, 3_000, asked(load, "GET", "/api/status", 200)));
    };
    let different = |browser: &mut Browser| {
        browser.log(line("L1"));
        browser.pass(8_000);
        for name in ["One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve"]
        {
            polled(browser, "L1");
            browser.pass(1_000);
            browser.act(click("L1", name));
        }
    };
    play(different, nothing, |browser| polls(browser, "L2")).is_sure();
    let once = |browser: &mut Browser| {
        browser.log(line("L1"));
        browser.pass(8_000);
        for number in 0..8 {
            polled(browser, "L1");
            if number == 3 {
                browser.act(click("L1", "Theme"));
            }
            browser.pass(1_000);
        }
    };
    play(once, nothing, |browser| polls(browser, "L2")).is_sure();
    // The request alone proves nothing either, if the error did not follow each of them.
    let of_clicks = |browser: &mut Browser| {
        browser.log(line("L1"));
        for name in ["One", "Two", "Three"] {
            (0..9).for_each(|_| request(browser, 1_000, asked("L1", "GET", "/api/status", 200)));
            browser.act(click("L1", name));
            request(browser, 100, asked("L1", "GET", "/api/status", 200));
            log(browser, 40, error("L1", "A"));
        }
    };
    play(of_clicks, nothing, |browser| polls(browser, "L2")).is_open();
    // Or if the error never happened without a step.
    let of_rows = |browser: &mut Browser| {
        browser.log(line("L1"));
        for name in ["One", "Two", "Three"] {
            browser.pass(8_000);
            browser.act(click("L1", name));
            polled(browser, "L1");
        }
    };
    play(of_rows, nothing, |browser| polls(browser, "L2")).is_open();
}

#[test]
fn all_missing_triggers_are_named_at_once() {
    let before = |browser: &mut Browser| {
        for name in ["One", "Two", "Three"] {
            browser.pass(10_000);
            browser.act(click("L1", name));
            log(browser, 50, error("L1", "A"));
        }
    };
    let played = play(before, nothing, |browser| browser.act(click("L2", "Two")));
    let repeat = played.comparison.not_exercised[0].repeat.clone().unwrap();
    assert!(repeat.contains("One") && repeat.contains("Three") && !repeat.contains("Two"), "{repeat}");
}

#[test]
fn a_request_that_may_be_under_way_is_not_called_unsent() {
    let failed = |browser: &mut Browser| {
        browser.log(line("L1"));
        browser.act(click("L1", "Pay"));
        request(browser, 20, clicked("L1", "POST", "/api/pay", 500));
        log(browser, 30, error("L1", "A"));
    };
    let hangs = |browser: &mut Browser| {
        browser.log(line("L2"));
        browser.act(click("L2", "Pay"));
    };
    let played = play(failed, nothing, hangs);
    let texts: Vec<String> =
        played.comparison.not_exercised.iter().filter_map(|change| change.repeat.clone()).collect();
    let texts = texts.into_iter().chain(played.coverage.warnings).collect::<Vec<_>>().join("\n");
    assert!(texts.contains("under way") && !texts.contains("was not sent"), "{texts}");
}

#[test]
fn an_evicted_request_is_not_called_unsent() {
    let mut browser = Browser::new();
    browser.log(line("L1"));
    browser.act(click("L1", "Pay"));
    request(&mut browser, 20, clicked("L1", "POST", "/api/pay", 500));
    let id = browser.start();
    browser.watch(&id);
    browser.log(line("L2"));
    browser.act(click("L2", "Pay"));
    request(&mut browser, 20, clicked("L2", "POST", "/api/pay", 200));
    for _ in 0..150 {
        request(&mut browser, 100, asked("L2", "GET", "/api/poll", 200));
    }
    let (comparison, _) = browser.compare(&id);
    let repeat = comparison.not_exercised[0].repeat.clone().unwrap();
    assert!(repeat.contains("left the buffers") && repeat.contains("watch"), "{repeat}");
}

#[test]
fn an_impossible_step_has_an_alternative() {
    let before = |browser: &mut Browser| {
        browser.log(line("L1"));
        browser.act(click("L1", "Submit"));
        log(browser, 50, error("L1", "A"));
    };
    let renamed = play(before, nothing, |browser| browser.act(click("L2", "Place order")));
    renamed.is_open();
    let repeat = renamed.comparison.not_exercised[0].repeat.clone().unwrap();
    for words in ["Submit", "cannot show", "cancel", "generate_test", "diff_sessions"] {
        assert!(repeat.contains(words), "{words}: {repeat}");
    }
    // A page that was only opened says nothing about its buttons.
    let opened = play(before, nothing, |browser| browser.log(line("L2")));
    let repeat = opened.comparison.not_exercised[0].repeat.clone().unwrap();
    assert!(!repeat.contains("cancel"), "{repeat}");
}

#[test]
fn a_proven_fix_is_left_out_of_the_next_baseline() {
    let broken = |browser: &mut Browser, load: &str, name: &str, message: &str| {
        browser.log(line(load));
        browser.pass(10_000);
        browser.act(click(load, name));
        log(browser, 50, error(load, message));
    };
    let verified = |browser: &mut Browser, again: bool| {
        broken(browser, "L1", "Pay", "A");
        request(browser, 10_000, asked("L1", "GET", "/api/cart", 500));
        let id = browser.start();
        browser.watch(&id);
        browser.act(click("L2", "Pay"));
        if again {
            request(browser, 10_000, asked("L2", "GET", "/api/cart", 200));
        }
        browser.pass(20_000);
        let (comparison, coverage) = browser.compare_now(&id);
        (comparison.verdict.name(), coverage.trust())
    };
    let mut browser = Browser::new();
    assert_eq!(verified(&mut browser, true), ("fixed", Trust::High));
    broken(&mut browser, "L2", "Delete", "B");
    let id = browser.start();
    browser.watch(&id);
    browser.log(line("L3"));
    browser.act(click("L3", "Delete"));
    let (comparison, coverage) = browser.compare(&id);
    assert_eq!((comparison.verdict.name(), coverage.trust()), ("fixed", Trust::High), "{:?}", comparison.not_exercised);
    // An error that happened again since is broken again.
    let mut browser = Browser::new();
    assert_eq!(verified(&mut browser, true), ("fixed", Trust::High));
    broken(&mut browser, "L2", "Pay", "A");
    browser.start();
    let id = browser.start();
    browser.watch(&id);
    browser.log(line("L3"));
    assert_eq!(browser.compare(&id).0.not_exercised.len(), 1);
    // Unproven issues stay in the baseline.
    let mut browser = Browser::new();
    assert_ne!(verified(&mut browser, false).0, "fixed");
    let id = browser.start();
    browser.watch(&id);
    browser.log(line("L3"));
    assert_eq!(browser.compare(&id).0.not_exercised.len(), 2);
}

#[test]
fn a_page_whose_clock_is_ahead_is_not_waited_for() {
    let before = |browser: &mut Browser| {
        browser.log(line("L1"));
        browser.pass(10_000);
        browser.act(click("L1", "Pay"));
        log(browser, 50, error("L1", "A"));
    };
    let ahead = |browser: &mut Browser, entry: Value| with(entry, json!({ "ts": browser.clock + 60_000 }));
    let again = |browser: &mut Browser| {
        browser.pass(300);
        let entry = ahead(browser, line("L2"));
        browser.log_as_sent(entry);
        browser.pass(300);
        let entry = with(click("L2", "Pay"), json!({ "ts": browser.clock + 60_500 }));
        browser.act(entry);
    };
    play_within(4_000, before, nothing, again).is_sure();
}

#[test]
fn another_status_is_another_error() {
    let failed = |load: &str, status: u16| {
        let message = format!("AxiosError: Request failed with status code {status}");
        with(error(load, "A"), json!({ "message": message, "url": SHOP }))
    };
    let before = |browser: &mut Browser| {
        browser.log(line("L1"));
        browser.pass(10_000);
        browser.act(click("L1", "Pay"));
        log(browser, 50, failed("L1", 500));
    };
    let after = |browser: &mut Browser| {
        browser.log(line("L2"));
        browser.act(click("L2", "Pay"));
        log(browser, 50, failed("L2", 404));
    };
    let played = play(before, nothing, after);
    assert_eq!(played.comparison.verdict.name(), "different_issue", "{:?}", crate::browser::told(&played.comparison));
}

#[test]
fn a_difference_within_one_load_without_new_code_causes_a_doubt() {
    let diff = |load: &str| {
        let mut browser = Browser::new();
        browser.log(line("L1"));
        browser.pass(10_000);
        browser.act(click("L1", "Pay"));
        log(&mut browser, 50, error("L1", "A"));
        browser.capture("before");
        browser.pass(10_000);
        browser.log(line(load));
        browser.act(click(load, "Pay"));
        browser.pass(8_000);
        browser.capture("after");
        let diff = browser.diff("before", "after");
        (
            diff.summary.resolved_errors,
            diff.warnings.iter().any(|warning| warning.contains("may still run the old code")),
        )
    };
    assert_eq!(diff("L1"), (1, true));
    assert_eq!(diff("L2"), (1, false));
}
