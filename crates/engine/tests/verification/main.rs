//! What `verify_fix` and `diff_sessions` guarantee: verdicts, what is compared, limits and times.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod browser;
mod doubts;
mod evidence;
mod exercised;
mod hints;
mod look_alikes;
mod played;
mod repeats;
mod unseen;

use engine::Session;
use engine::entry::{Action, Arrival, DomSnapshot, Log, Parse, Request, SocketEvent};
use engine::store::Pressure;
use engine::verify::{Caller, Refusal, SnapshotRefusal, Start, StoredSnapshot, Trust, Verifications};
use serde_json::{Value, json};
use wire::{Timestamp, limits};

use browser::{Browser, MINUTE, NOW, by, owner, told, verified};

#[test]
fn every_verdict_is_given_in_its_order_of_precedence() {
    /// What happened before and after, the verdict, and the outcome of each issue.
    type Row = (&'static [&'static str], &'static [&'static str], &'static str, &'static [&'static str]);
    let rows: &[Row] = &[
        (&[], &[], "no_issues_detected", &[]),
        (&["GET /a 200"], &["GET /a 200"], "no_issues_detected", &[]),
        (&["A", "A"], &["GET /a 200"], "fixed", &["resolved console: A (x2) | (not seen)"]),
        (&["GET /a 500"], &["GET /a 200"], "fixed", &["resolved network: GET /a → 500 | GET /a → 200"]),
        (&["GET /a 500"], &["GET /a 304"], "fixed", &["resolved network: GET /a → 500 | GET /a → 304"]),
        (
            &["A", "GET /a 500"],
            &["GET /a 201"],
            "fixed",
            &["resolved console: A | (not seen)", "resolved network: GET /a → 500 | GET /a → 201"],
        ),
        (&["A", "B"], &["B"], "improved", &["unchanged console: B | B", "resolved console: A | (not seen)"]),
        (
            &["A", "GET /a 500"],
            &["GET /other 200"],
            "improved",
            &["resolved console: A | (not seen)", "not_exercised network: GET /a → 500 | (not called)"],
        ),
        (&["A"], &["A"], "unchanged", &["unchanged console: A | A"]),
        (&["A"], &["A", "A", "A"], "unchanged", &["changed console: A | A (x3)"]),
        (&["A", "A"], &["A"], "unchanged", &["changed console: A (x2) | A"]),
        (&["GET /a 500"], &["GET /a 500"], "unchanged", &["unchanged network: GET /a → 500 | GET /a → 500"]),
        (&["GET /a 500"], &["GET /a 404"], "unchanged", &["changed network: GET /a → 500 | GET /a → 404"]),
        (&["GET /a 500"], &["GET /a 0"], "unchanged", &["changed network: GET /a → 500 | GET /a → no response"]),
        (
            &["GET /a 500"],
            &["GET /a 500", "GET /a 200"],
            "unchanged",
            &["unchanged network: GET /a → 500 | GET /a → 500"],
        ),
        (&["GET /a 500"], &["GET /b 200"], "unchanged", &["not_exercised network: GET /a → 500 | (not called)"]),
        (&["GET /a 500"], &["POST /a 200"], "unchanged", &["not_exercised network: GET /a → 500 | (not called)"]),
        (&["A"], &["B"], "different_issue", &["resolved console: A | (not seen)", "new console: (not seen) | B"]),
        (
            &["A"],
            &["GET /a 500"],
            "different_issue",
            &["resolved console: A | (not seen)", "new network: (not seen) | GET /a → 500"],
        ),
        (
            &["A", "B"],
            &["B", "C"],
            "different_issue",
            &["unchanged console: B | B", "resolved console: A | (not seen)", "new console: (not seen) | C"],
        ),
        (&[], &["A"], "regressed", &["new console: (not seen) | A"]),
        (&["GET /a 200"], &["GET /a 500"], "regressed", &["new network: (not seen) | GET /a → 500"]),
        (&["A"], &["A", "B"], "regressed", &["unchanged console: A | A", "new console: (not seen) | B"]),
        (
            &["GET /a 500"],
            &["B"],
            "regressed",
            &["new console: (not seen) | B", "not_exercised network: GET /a → 500 | (not called)"],
        ),
    ];
    for (before, after, verdict, changes) in rows {
        let (comparison, coverage) = verified(before, after);
        assert_eq!(comparison.verdict.name(), *verdict, "{before:?} then {after:?}");
        assert_eq!(told(&comparison), *changes, "{before:?} then {after:?}");
        // Unexercised issues lower the confidence, unless something is wrong anyway.
        let is_open = changes.iter().any(|change| change.starts_with("not_exercised")) && *verdict != "regressed";
        let expected = match after {
            [] => Trust::None,
            _ if is_open => Trust::Low,
            _ => Trust::High,
        };
        assert_eq!(coverage.trust(), expected, "{before:?} then {after:?}: {:?}", coverage.warnings);
    }
}

#[test]
fn varying_parts_make_no_new_error_and_no_new_endpoint() {
    for (before, after) in [
        (
            "user 3f2504e0-4f89-11d3-9a0c-0305e82c3301 is unknown",
            "user 9c5b94b1-35ad-49bb-b118-8e8fc24abf80 is unknown",
        ),
        ("x is undefined at line 42", "x is undefined at line 45"),
        ("bad (http://localhost/src/App.jsx:12:5)", "bad (http://localhost/src/App.jsx?t=1770505200000:99:1)"),
        ("expired 2026-02-07T10:00:00.000Z", "expired 2026-02-08T11:11:11.111Z"),
        ("GET /users/17/posts?page=1 500", "GET /users/17/posts?page=2 500"),
    ] {
        let (comparison, _) = verified(&[before], &[after]);
        assert_eq!(comparison.verdict.name(), "unchanged", "{before} then {after}: {:?}", told(&comparison));
    }
}

#[test]
fn one_working_endpoint_proves_nothing_about_another() {
    let (comparison, _) = verified(&["GET /users/17 500"], &["GET /users/18 200"]);
    assert_eq!(told(&comparison), ["not_exercised network: GET /users/17 → 500 | (not called)"]);
    let (comparison, _) = verified(&["GET /users/1 500", "GET /users/2 500"], &["GET /users/1 200"]);
    assert_eq!(comparison.verdict.name(), "improved");
    assert_eq!(
        told(&comparison),
        [
            "resolved network: GET /users/1 → 500 | GET /users/1 → 200",
            "not_exercised network: GET /users/2 → 500 | (not called)",
        ]
    );
    let (comparison, _) = verified(&["GET /o/1 500"], &["GET /o/1 200", "GET /o/2 500"]);
    assert_eq!(comparison.verdict.name(), "different_issue");
    // The same for two snapshots.
    let mut browser = Browser::new();
    browser.happens(&["GET /users/1 500", "GET /users/2 500"]);
    browser.capture("a");
    let now = browser.now();
    browser.session.clear(None, now);
    browser.happens(&["GET /users/1 200", "GET /users/3 500"]);
    let diff = browser.diff("a", "current");
    assert_eq!(
        (diff.summary.verdict.name(), diff.summary.resolved_errors, diff.summary.new_network_errors),
        ("mixed", 1, 1)
    );
    let fields = json!(diff.answer());
    assert_eq!(fields["network"]["missing_endpoints"], json!([{ "method": "GET", "url": "/users/2", "status": 500 }]));
}

#[test]
fn graphql_operations_are_separate_endpoints() {
    let ask = |operation: &str, status: u16| {
        json!({ "method": "POST", "url": "/graphql", "status": status,
            "requestBody": json!({ "operationName": operation, "query": format!("query {operation} {{ a }}") }).to_string() })
    };
    let mut browser = Browser::new();
    browser.request(ask("Basket", 500));
    let id = browser.start();
    browser.watch(&id);
    browser.request(ask("Viewer", 200));
    let (comparison, _) = browser.compare(&id);
    assert_eq!(told(&comparison), ["not_exercised network: POST /graphql Basket → 500 | (not called)"]);
    browser.request(ask("Basket", 200));
    assert_eq!(browser.compare(&id).0.verdict.name(), "fixed");
}

#[test]
fn a_request_of_unknown_outcome_or_cancelled_by_the_page_proves_nothing() {
    for call in [
        json!({ "method": "GET", "url": "http://localhost/a" }),
        json!({ "method": "GET", "url": "http://localhost/a", "status": 0, "error": "aborted" }),
    ] {
        let mut browser = Browser::new();
        browser.call("GET /a 500");
        let id = browser.start();
        browser.watch(&id);
        browser.request(call.clone());
        let (comparison, _) = browser.compare(&id);
        assert_eq!(comparison.verdict.name(), "unchanged", "{call}");
        assert_eq!(comparison.not_exercised.len(), 1, "{call}");
    }
}

#[test]
fn one_failure_is_one_issue() {
    let mut browser = Browser::new();
    let request = |id: &str| {
        [
            json!({ "type": "network", "level": "error", "message": "GET http://localhost/a → 500", "method": "GET",
                "requestUrl": "http://localhost/a", "status": 500, "requestId": id }),
            json!({ "method": "GET", "url": "http://localhost/a", "status": 500, "requestId": id, "responseBody": "secret stuff" }),
        ]
    };
    let [log, body] = request("r1");
    browser.log(log);
    browser.request(body);
    let id = browser.start();
    let now = browser.now();
    let baseline = json!(browser.verifications.find(&browser.session, &id, now).unwrap().baseline.baseline());
    assert_eq!((&baseline["console_errors"], &baseline["network_errors"]), (&json!(0), &json!(1)));
    assert_eq!(
        baseline["error_details"],
        json!([{ "type": "network", "method": "GET", "url": "/a", "status": 500 }]),
        "and no body is kept"
    );
    browser.watch(&id);
    // First only its log entry is known, then only its body.
    let [log, _] = request("r2");
    browser.log(log);
    let [_, body] = request("r3");
    browser.request(body);
    let (comparison, _) = browser.compare(&id);
    assert_eq!(told(&comparison), ["changed network: GET /a → 500 | GET /a → 500 (x2)"]);
    assert_eq!(comparison.after.total_issues, 2);
}

#[test]
fn the_baseline_has_every_relevant_failure() {
    let mut browser = Browser::new();
    browser.happens(&[
        "Cannot read 'user'",
        "Failed to load",
        "Cannot read 'user'",
        "POST /api/login?x=1 500",
        "GET /ok 200",
    ]);
    browser.log(json!({ "type": "exception", "level": "error", "message": "counted", "count": 4 }));
    browser.load(json!({ "url": "/shop", "timing": { "load": 3_200 } }));
    let now = browser.now();
    let id = browser.start();
    let baseline = json!(browser.verifications.find(&browser.session, &id, now).unwrap().baseline.baseline());
    assert_eq!(
        baseline,
        json!({
            "captured_at": now, "console_errors": 7, "network_errors": 1,
            "error_details": [
                { "type": "console", "message": "counted", "count": 4 },
                { "type": "console", "message": "Cannot read 'user'", "count": 2 },
                { "type": "console", "message": "Failed to load", "count": 1 },
                { "type": "network", "method": "POST", "url": "/api/login", "status": 500 },
            ],
            "page_url": "http://localhost/shop",
            "performance": { "load_time": 3_200 },
        })
    );
}

#[test]
fn after_means_after_watch_by_cursor_not_by_clock() {
    let mut browser = Browser::new();
    browser.error("A");
    let id = browser.start();
    browser.error("between start and watch");
    browser.watch(&id);
    browser.error("A");
    // A page whose clock is an hour behind.
    let late = json!({ "ts": NOW - 60 * MINUTE, "level": "error", "message": "late" });
    let now = browser.now();
    let late = Log::from_json(late, Arrival::at(now)).unwrap();
    browser.session.push_log(browser.redactor.redact(late), now, 100).unwrap();
    let (comparison, _) = browser.compare(&id);
    assert_eq!(told(&comparison), ["unchanged console: A | A", "new console: (not seen) | late"]);
    // Watching again starts over.
    browser.watch(&id);
    browser.call("GET /fine 200");
    assert_eq!(browser.compare(&id).0.verdict.name(), "fixed");
    // The same comparison again: a session stays valid.
    assert_eq!(browser.compare(&id).0.verdict.name(), "fixed");
}

#[test]
fn a_filter_holds_for_both_sides_and_can_be_given_later() {
    let on = |page: &str, message: &str| json!({ "type": "exception", "level": "error", "message": message, "url": format!("http://localhost/{page}") });
    let play = |url: Option<&str>| {
        let mut browser = Browser::new();
        browser.log(on("shop", "A"));
        browser.log(on("blog", "B"));
        browser.request(json!({ "method": "GET", "url": "http://localhost/blog/api", "status": 500 }));
        let id = browser.start_on(url);
        browser.watch(&id);
        browser.log(on("blog", "C"));
        browser.request(
            json!({ "method": "GET", "url": "http://localhost/x", "status": 200, "pageUrl": "http://localhost/shop",
                "page_id": "reloaded" }),
        );
        (browser, id)
    };
    let (mut browser, id) = play(Some("/shop"));
    let (comparison, coverage) = browser.compare(&id);
    assert_eq!(
        (told(&comparison), coverage.trust()),
        (vec!["resolved console: A | (not seen)".to_owned()], Trust::High)
    );
    let (mut browser, id) = play(None);
    browser.pass(7_000);
    let now = browser.now();
    let (comparison, _) = browser.verifications.compare(&browser.session, &id, Some("/shop"), now).unwrap();
    assert_eq!(told(&comparison), ["resolved console: A | (not seen)"]);
    assert_eq!(browser.compare(&id).0.verdict.name(), "different_issue");
    let (mut browser, id) = play(Some("/nowhere"));
    let (comparison, coverage) = browser.compare(&id);
    assert_eq!((comparison.verdict.name(), coverage.trust()), ("no_issues_detected", Trust::None));
}

#[test]
fn a_later_filter_invents_no_difference() {
    let error = |page: &str| json!({ "type": "exception", "level": "error", "message": "A", "url": format!("http://localhost{page}") });
    let call = |path: &str, page: &str| json!({ "method": "GET", "url": format!("http://localhost{path}"), "status": 500, "pageUrl": format!("http://localhost{page}") });
    let long = format!("/{}/deep", "x".repeat(130));
    let many: Vec<String> = (1..=15).map(|number| format!("/p{number}/")).collect();
    let many: Vec<Value> = many.iter().map(|page| error(page)).collect();
    for (before, after, filter) in [
        (vec![error("/a"), error("/b"), error("/c")], vec![error("/a")], "/a"),
        (vec![error("/p?tab=2")], vec![error("/p?tab=2")], "tab=2"),
        (vec![call("/p?tab=2", "/")], vec![call("/p?tab=2", "/")], "tab=2"),
        (vec![call("/p?tab=2", "/"), call("/p?tab=3", "/")], vec![call("/p?tab=2", "/")], "tab=2"),
        (vec![call(&long, "/")], vec![call(&long, "/")], "/deep"),
        (vec![call("/x", "/a?q=1"), call("/x", "/b")], vec![call("/x", "/a?q=1")], "q=1"),
        // More pages than are kept.
        (many.clone(), vec![error("/p1/")], "/p1/"),
        (vec![error("/p1/")], many.clone(), "/p1/"),
    ] {
        let put = |browser: &mut Browser, entries: &[Value]| {
            for entry in entries {
                if entry.get("method").is_some() { browser.request(entry.clone()) } else { browser.log(entry.clone()) }
            }
        };
        let mut browser = Browser::new();
        put(&mut browser, &before);
        let id = browser.start();
        browser.capture("before");
        browser.watch(&id);
        let now = browser.now();
        let same = browser.snapshots.compare(&browser.session, "before", "current", Some(filter), now).unwrap();
        assert_eq!(same.summary.verdict.name(), "unchanged", "{before:?} {filter}");
        put(&mut browser, &after);
        let now = browser.now();
        let (comparison, _) = browser.verifications.compare(&browser.session, &id, Some(filter), now).unwrap();
        assert_eq!(comparison.verdict.name(), "unchanged", "{before:?} {after:?}: {:?}", told(&comparison));
        assert_eq!(comparison.changes.len(), 1, "{filter}");
        browser.capture("after");
        let diff = browser.snapshots.compare(&browser.session, "before", "after", Some(filter), now).unwrap();
        assert_eq!(diff.summary.verdict.name(), "unchanged", "{before:?} {after:?}");
    }
    // An error that is known to have happened only elsewhere is new here.
    let mut browser = Browser::new();
    browser.log(error("/a"));
    let id = browser.start();
    browser.watch(&id);
    browser.log(error("/b"));
    let now = browser.now();
    let (comparison, _) = browser.verifications.compare(&browser.session, &id, Some("/b"), now).unwrap();
    assert_eq!(told(&comparison), ["new console: (not seen) | A"]);
    // A filter only counts what it selects.
    browser.log(error("/a"));
    let (comparison, _) = browser.verifications.compare(&browser.session, &id, Some("/a"), now).unwrap();
    assert_eq!(told(&comparison), ["unchanged console: A | A"]);
}

#[test]
fn noise_is_left_out_even_if_its_rule_is_newer() {
    let mut browser = Browser::new();
    browser.error("Extension context invalidated.");
    browser.error("ResizeObserver loop limit exceeded");
    browser.error("A");
    let id = browser.start();
    let now = browser.now();
    let baseline = json!(browser.verifications.find(&browser.session, &id, now).unwrap().baseline.baseline());
    assert_eq!((&baseline["console_errors"], &baseline["noise_left_out"]), (&json!(2), &json!(1)));
    browser.watch(&id);
    browser.session.noise.add("ResizeObserver").unwrap();
    browser.happens(&["ResizeObserver loop limit exceeded", "A"]);
    let (comparison, _) = browser.compare(&id);
    assert_eq!(told(&comparison), ["unchanged console: A | A"]);
    let fields = json!(comparison.answer(Trust::High, Vec::new()));
    assert_eq!((&fields["before"]["noise_left_out"], &fields["after"]["noise_left_out"]), (&json!(2), &json!(1)));
    let now = browser.now();
    let (elsewhere, _) = browser.verifications.compare(&browser.session, &id, Some("/blog"), now).unwrap();
    assert_eq!((elsewhere.before.noise_left_out, elsewhere.after.noise_left_out), (0, 0));
}

#[test]
fn an_unused_page_is_reported() {
    let (comparison, coverage) = verified(&["A", "GET /a 500"], &[]);
    assert_eq!((coverage.was_used, coverage.trust()), (false, Trust::None));
    assert_eq!(
        told(&comparison),
        ["not_exercised console: A | (not seen)", "not_exercised network: GET /a → 500 | (not called)"]
    );
    let (comparison, coverage) = verified(&["A"], &[]);
    assert_eq!((comparison.verdict.name(), coverage.trust()), ("unchanged", Trust::None));

    // The messages of a development server do not count as use.
    let mut browser = Browser::new();
    browser.error("A");
    let id = browser.start();
    browser.watch(&id);
    browser.log(json!({ "type": "console", "level": "debug", "message": "[vite] hot updated: /src/App.jsx" }));
    let update = json!({ "event": "message", "connection_id": "hmr", "url": "ws://localhost/", "direction": "incoming",
        "data": r#"{"type":"update","updates":[{"type":"js-update","path":"/src/App.jsx"}]}"# });
    let now = browser.now();
    let update = browser.redactor.redact(SocketEvent::from_json(update, Arrival::at(now)).unwrap());
    browser.session.push_websocket(update, now, 100).unwrap();
    assert!(!browser.compare(&id).1.was_used);
    // Any user action does.
    let action = Action::from_json(json!({ "type": "click" }), Arrival::at(now)).unwrap();
    browser.session.push_action(browser.redactor.redact(action), now, 100).unwrap();
    assert!(browser.compare(&id).1.was_used);

    let mut browser = Browser::new();
    browser.error("A");
    let id = browser.start();
    browser.watch(&id);
    let now = browser.now();
    let other = DomSnapshot::from_json(json!({ "url": "http://localhost/about" }), Arrival::at(now)).unwrap();
    browser.session.push_dom_snapshot(browser.redactor.redact(other), now, 100).unwrap();
    let (comparison, coverage) = browser.compare(&id);
    assert_eq!((comparison.verdict.name(), coverage.trust()), ("unchanged", Trust::Low));
    assert_eq!(comparison.not_exercised[0].repeat.as_deref(), Some("on http://localhost/shop: open the page again"));
    browser.call("GET /fine 200");
    assert_eq!(browser.compare(&id).1.trust(), Trust::High, "its page was used");
}

#[test]
fn data_missing_after_watch_is_reported() {
    let play = |lose: fn(&mut Browser)| {
        let mut browser = Browser::new();
        browser.error("A");
        let id = browser.start();
        browser.watch(&id);
        browser.happens(&["A", "GET /a 200"]);
        lose(&mut browser);
        browser.call("GET /fine 200");
        let (comparison, coverage) = browser.compare(&id);
        (comparison.verdict.name(), coverage.trust(), coverage.warnings)
    };
    assert_eq!(play(|_| {}), ("unchanged", Trust::High, vec![]));
    for (lose, words) in [
        (
            (|browser| {
                let at = browser.clock;
                (0..limits::LOG_ENTRIES).for_each(|_| browser.log(json!({ "level": "log", "message": "x" })));
                // All at one time, so that the session does not expire.
                browser.clock = at;
            }) as fn(&mut Browser),
            "so many console entries came after watch",
        ),
        (
            |browser| (0..limits::NETWORK_ENTRIES).for_each(|_| browser.call("GET /many 200")),
            "so many requests came after watch",
        ),
        (
            |browser| {
                let now = browser.now();
                browser.session.store.clear_logs(now);
            },
            "console entries that came after watch were cleared",
        ),
        (
            |browser| {
                let now = browser.now();
                browser.session.clear(None, now);
            },
            "requests that came after watch were cleared",
        ),
        (
            |browser| {
                browser.session.set_pressure(Pressure::NoBodies);
                let now = browser.now();
                let refused = Request::from_json(json!({ "url": "/x" }), Arrival::at(now)).unwrap();
                let refused = browser.redactor.redact(refused);
                browser.session.push_network(refused, now, 10).unwrap_err();
                browser.session.set_pressure(Pressure::Normal);
            },
            "1 entries were refused after watch",
        ),
    ] {
        let (_, trust, warnings) = play(lose);
        assert_eq!(trust, Trust::Low, "{words}");
        assert!(warnings.iter().any(|warning| warning.starts_with(words)), "{words}: {warnings:?}");
    }
    // What happened or was cleared before `watch` does not matter.
    let mut browser = Browser::new();
    browser.error("A");
    let id = browser.start();
    let now = browser.now();
    browser.session.clear(None, now);
    browser.watch(&id);
    browser.call("GET /fine 200");
    let (comparison, coverage) = browser.compare(&id);
    assert_eq!((comparison.verdict.name(), coverage.trust()), ("fixed", Trust::High));
}

#[test]
fn an_error_that_may_have_been_lost_is_not_resolved() {
    let play = |lose: fn(&mut Browser)| {
        let mut browser = Browser::new();
        browser.error("A");
        let id = browser.start();
        browser.watch(&id);
        browser.error("A");
        lose(&mut browser);
        browser.call("GET /fine 200");
        let (comparison, coverage) = browser.compare(&id);
        assert_eq!((comparison.verdict.name(), coverage.trust()), ("unchanged", Trust::Low));
        assert_eq!(told(&comparison), ["not_exercised console: A | (not seen)"]);
        // Watching again starts over.
        browser.watch(&id);
        browser.call("GET /fine 200");
        assert_eq!(browser.compare(&id).0.verdict.name(), "fixed");
    };
    play(|browser| {
        let now = browser.now();
        browser.session.store.clear_logs(now);
    });
    play(|browser| {
        let now = browser.now();
        browser.session.clear(None, now);
    });
    play(|browser| {
        let at = browser.clock;
        (0..limits::LOG_ENTRIES).for_each(|_| browser.log(json!({ "level": "log", "message": "x" })));
        browser.clock = at;
    });
}

#[test]
fn a_filter_that_matches_nothing_resolves_nothing() {
    for (own, late) in [(Some("/shop"), None), (None, Some("/shop")), (Some("localhost"), Some("/shop"))] {
        let mut browser = Browser::new();
        browser.error("A");
        let id = browser.start_on(own);
        browser.watch(&id);
        for _ in 0..2 {
            browser.log(json!({ "type": "console", "level": "log", "message": "x", "url": "http://localhost/blog" }));
        }
        let now = browser.now();
        let (comparison, coverage) = browser.verifications.compare(&browser.session, &id, late, now).unwrap();
        assert_eq!((comparison.verdict.name(), coverage.trust(), coverage.captured), ("unchanged", Trust::None, 2));
        assert_eq!(told(&comparison), ["not_exercised console: A | (not seen)"], "{own:?} {late:?}");
    }
}

#[test]
fn a_page_that_still_runs_the_old_code_causes_a_doubt() {
    let error = |page: &str| json!({ "type": "exception", "level": "error", "message": "A", "url": "http://localhost/shop", "page_id": page, "tabId": 1 });
    let play = |between: &[Value], page: &str| {
        let mut browser = Browser::new();
        browser.log(error("p1"));
        let id = browser.start();
        between.iter().for_each(|entry| browser.log(entry.clone()));
        browser.watch(&id);
        browser.log(error(page));
        let (comparison, coverage) = browser.compare(&id);
        assert_eq!(comparison.verdict.name(), "unchanged");
        coverage.warnings
    };
    let warnings = play(&[], "p1");
    assert!(warnings[0].contains("may still run the old code"), "{warnings:?}");
    assert_eq!(play(&[], "p2"), [""; 0], "it was reloaded");
    let update =
        json!({ "type": "console", "level": "debug", "message": "[vite] hot updated: /src/App.jsx", "tabId": 1 });
    assert_eq!(play(&[update], "p1"), [""; 0], "it was updated");
}

#[test]
fn load_times_and_sockets_are_compared() {
    let mut browser = Browser::new();
    browser.error("A");
    browser.load(json!({ "url": "/shop", "timing": { "load": 3_200 } }));
    browser.load(json!({ "url": "/other", "timing": { "load": 10 } }));
    browser.socket("open", "ws://localhost/live?token=1");
    let id = browser.start();
    browser.watch(&id);
    assert!(browser.compare(&id).0.answer(Trust::High, Vec::new()).performance_diff.is_none(), "no load since");
    browser.load(json!({ "url": "/shop", "timing": { "load": 1_100 } }));
    browser.socket("close", "ws://localhost/live?token=1");
    let fields = json!(browser.compare(&id).0.answer(Trust::High, Vec::new()));
    assert_eq!(
        fields["performance_diff"],
        json!({ "load_time_before": "3200ms", "load_time_after": "1100ms", "change": "-66%" })
    );
    assert_eq!(
        fields["connection_changes"],
        json!([{ "url": "ws://localhost/live", "before": "open", "after": "closed" }])
    );
    browser.load(json!({ "url": "/shop", "timing": { "load": 6_400 } }));
    assert_eq!(json!(browser.compare(&id).0.answer(Trust::High, Vec::new()))["performance_diff"]["regression"], true);
}

#[test]
fn three_sessions_at_a_time_live_half_an_hour_each() {
    let mut browser = Browser::new();
    let first = browser.start();
    browser.pass(MINUTE);
    let second = browser.start();
    browser.start();
    let now = browser.now();
    let fourth = |browser: &mut Browser, now| {
        browser.verifications.start(&browser.session, Start::default(), &by(2), now).map(|_| ())
    };
    assert_eq!(fourth(&mut browser, now), Err(Refusal::Full));
    assert_eq!(browser.verifications.iter().count(), limits::VERIFY_SESSIONS);
    // It exists until just before its expiry, whether or not it was compared.
    browser.watch(&first);
    browser.compare(&first);
    let end = NOW + limits::VERIFY_SESSION_SECONDS as i64 * 1_000;
    let at = |millis| Timestamp::from_millis(millis);
    assert_eq!(fourth(&mut browser, at(end - 1)), Err(Refusal::Full));
    assert!(browser.verifications.compare(&browser.session, &first, None, at(end - 1)).is_ok());
    assert_eq!(browser.verifications.compare(&browser.session, &first, None, at(end)).unwrap_err(), Refusal::Ended);
    assert_eq!(fourth(&mut browser, at(end)), Ok(()));
    assert!(browser.verifications.find(&browser.session, &second, at(end + MINUTE - 1)).is_ok());
    browser.verifications.forget(at(end + MINUTE));
    assert_eq!(browser.verifications.iter().count(), 1);
    // A cancelled session makes room.
    browser.clock = end + 31 * MINUTE;
    let ids: Vec<String> = (0..3).map(|_| browser.start()).collect();
    let now = browser.now();
    browser.verifications.cancel(&browser.session, &ids[1], &by(1), false, now).unwrap();
    assert_eq!(browser.verifications.watch(&browser.session, &ids[1], &by(1), false, now).unwrap_err(), Refusal::Ended);
    assert_eq!(fourth(&mut browser, now), Ok(()));
}

#[test]
fn an_id_tells_what_happened_to_its_session() {
    let mut browser = Browser::new();
    let id = browser.start();
    assert_eq!(id, "verify-t-1");
    let now = browser.now();
    for (id, refusal) in [
        ("verify-t-2", Refusal::Unknown),
        ("verify-t-0", Refusal::Unknown),
        ("verify-other-1", Refusal::EarlierRun),
        ("verify-t-x", Refusal::Unknown),
        ("verify-t-99999999999999999999999", Refusal::Unknown),
        ("log-t-1", Refusal::Unknown),
        ("", Refusal::Unknown),
        ("../verify-t-1", Refusal::Unknown),
    ] {
        assert_eq!(browser.verifications.find(&browser.session, id, now).unwrap_err(), refusal, "{id}");
    }
    assert_eq!(browser.verifications.compare(&browser.session, &id, None, now).unwrap_err(), Refusal::NotWatching);
}

#[test]
fn labels_and_filters_are_bounded() {
    let (session, mut verifications) = (Session::new("t"), Verifications::default());
    let now = Timestamp::from_millis(NOW);
    let long = |chars: usize| Some("ü".repeat(chars));
    let mut start =
        |label, url| verifications.start(&session, Start { label, url, sees_actions: true }, &by(1), now).map(|_| ());
    assert_eq!(start(long(limits::VERIFY_LABEL_CHARS), long(limits::VERIFY_FILTER_CHARS)), Ok(()));
    assert_eq!(start(long(limits::VERIFY_LABEL_CHARS + 1), None), Err(Refusal::LabelTooLong));
    assert_eq!(start(None, long(limits::VERIFY_FILTER_CHARS + 1)), Err(Refusal::FilterTooLong));
}

#[test]
fn a_baseline_holds_fifty_errors_and_fifty_requests() {
    let letters = |mut number: usize| {
        let mut name = String::new();
        loop {
            name.push(char::from(b'a' + (number % 26) as u8));
            number /= 26;
            if number == 0 {
                return name;
            }
        }
    };
    for (count, left_out) in [(49, 0), (50, 0), (51, 2)] {
        let mut browser = Browser::new();
        for number in 0..count {
            browser.happens(&[&format!("error {}", letters(number)), &format!("GET /{} 500", letters(number))]);
        }
        let id = browser.start();
        let now = browser.now();
        let session = browser.verifications.find(&browser.session, &id, now).unwrap();
        let kept = count.min(50) as u64;
        assert_eq!((session.baseline.failures(), session.baseline.left_out), ((kept, kept), left_out));
        // The oldest did not fit. That it happens again is not new, but that cannot be known.
        browser.watch(&id);
        browser.happens(&["error a", "error b"]);
        let (comparison, coverage) = browser.compare(&id);
        assert_eq!(comparison.new_issues.len(), usize::from(left_out > 0));
        assert_eq!(coverage.warnings.len(), usize::from(left_out > 0), "{:?}", coverage.warnings);
    }
    let mut browser = Browser::new();
    for number in 0..50 {
        let long = format!("{} {}", letters(number), "ü".repeat(5_000));
        browser.happens(&[&long, &format!("GET /{}/{} 500", letters(number), "x".repeat(1_000))]);
    }
    let id = browser.start();
    let now = browser.now();
    let baseline = &browser.verifications.find(&browser.session, &id, now).unwrap().baseline;
    assert!(baseline.bytes() <= limits::VERIFY_BASELINE_BYTES, "{}", baseline.bytes());
}

#[test]
fn a_session_belongs_to_its_owner_while_that_is_connected() {
    let mut browser = Browser::new();
    browser.error("A");
    let id = browser.start();
    let now = browser.now();
    let alone = Caller { owner: owner(2), is_here: &|client| client == 2 };
    let not_yours = Refusal::NotYours("client 1".to_owned());
    assert_eq!(browser.verifications.cancel(&browser.session, &id, &by(2), false, now).unwrap_err(), not_yours);
    // No other client may set its first mark or a later one.
    assert_eq!(browser.verifications.watch(&browser.session, &id, &by(2), false, now).unwrap_err(), not_yours);
    assert_eq!(browser.verifications.compare(&browser.session, &id, None, now).unwrap_err(), Refusal::NotWatching);
    assert!(browser.verifications.watch(&browser.session, &id, &by(1), false, now).is_ok());
    assert_eq!(browser.verifications.watch(&browser.session, &id, &by(2), false, now).unwrap_err(), not_yours);
    assert!(browser.verifications.watch(&browser.session, &id, &by(2), true, now).is_ok());
    assert!(browser.verifications.watch(&browser.session, &id, &by(1), false, now).is_ok());
    assert!(browser.verifications.compare(&browser.session, &id, None, now).is_ok());
    let session = browser.verifications.find(&browser.session, &id, now).unwrap();
    let made_by = |caller: &Caller<'_>| session.brief(caller).made_by;
    assert_eq!([made_by(&by(1)), made_by(&by(2)), made_by(&alone)], ["you", "client 1", "client 1 (gone)"]);
    assert!(browser.verifications.watch(&browser.session, &id, &alone, false, now).is_ok());
    assert!(browser.verifications.cancel(&browser.session, &id, &alone, false, now).is_ok());
}

#[test]
fn a_snapshot_contains_all_kinds() {
    let mut browser = Browser::new();
    browser.happens(&["A", "A", "GET /a 200", "GET /a 200", "GET /b 500"]);
    browser.log(json!({ "type": "console", "level": "warn", "message": "careful", "count": 2 }));
    browser.socket("open", "ws://localhost/live");
    browser.load(json!({ "url": "/shop", "timing": { "load": 1_100 }, "network": { "requestCount": 12, "transferSize": 340_000 } }));
    let now = browser.now();
    assert_eq!(
        browser.capture("before"),
        json!({
            "captured_at": now, "console_errors": 2, "console_warnings": 2, "network_requests": 3, "network_errors": 1,
            "websocket_connections": 1,
            "performance": { "load_time": 1_100, "request_count": 12, "transfer_size": 340_000 },
            "unique_endpoints": 2, "page_url": "http://localhost/shop",
            "window": { "from": Timestamp::from_millis(NOW + 10_000), "to": now },
        })
    );
    let (only, _) = browser.snapshots.capture(&browser.session, "b", Some("/b".to_owned()), &by(1), now).unwrap();
    assert_eq!((only.console_errors, only.network_requests), (0, 1));
}

#[test]
fn every_difference_is_in_its_list() {
    let mut browser = Browser::new();
    browser.happens(&["old", "both"]);
    browser
        .request(json!({ "method": "GET", "url": "http://localhost/api/dashboard", "status": 200, "duration": 100 }));
    browser.happens(&["GET /api/gone 200", "GET /api/healed 500", "GET /api/sick 500"]);
    browser.socket("open", "ws://localhost/live");
    browser.load(
        json!({ "url": "/", "timing": { "load": 1_100 }, "network": { "requestCount": 12, "transferSize": 340_000 } }),
    );
    browser.capture("a");
    let now = browser.now();
    browser.session.clear(None, now);
    browser.log(json!({ "type": "exception", "level": "error", "message": "React hydration mismatch", "count": 3 }));
    browser.error("both");
    browser
        .request(json!({ "method": "GET", "url": "http://localhost/api/dashboard", "status": 200, "duration": 440 }));
    browser.happens(&["GET /api/flags 200", "GET /api/notifications 502", "GET /api/healed 200", "GET /api/sick 503"]);
    browser.load(json!({ "url": "/", "timing": { "load": 3_200 }, "network": { "requestCount": 47, "transferSize": 2_400_000 } }));
    browser.capture("b");
    let diff = browser.diff("a", "b");
    let get = |url: &str, status: u16| json!({ "method": "GET", "url": url, "status": status });
    let failed = |url: &str, status: u16| json!({ "type": "network", "method": "GET", "url": url, "status": status });
    assert_eq!(
        json!(diff.answer()),
        json!({
            "errors": {
                "new": [
                    { "type": "console", "message": "React hydration mismatch", "count": 3 },
                    failed("/api/notifications", 502),
                ],
                "resolved": [{ "type": "console", "message": "old", "count": 1 }, failed("/api/healed", 500)],
                "unchanged": [{ "type": "console", "message": "both", "count": 1 }, failed("/api/sick", 503)],
            },
            "network": {
                "new_errors": [get("/api/notifications", 502)],
                "status_changes": [
                    { "method": "GET", "url": "/api/sick", "before": 500, "after": 503 },
                    { "method": "GET", "url": "/api/healed", "before": 500, "after": 200 },
                    { "method": "GET", "url": "/api/dashboard", "before": 200, "after": 200, "duration_change": "+340ms" },
                ],
                "new_endpoints": [get("/api/notifications", 502), get("/api/flags", 200)],
                "missing_endpoints": [get("/api/gone", 200)],
            },
            "performance": {
                "load_time": { "before": 1_100, "after": 3_200, "change": "+191%", "regression": true },
                "request_count": { "before": 12, "after": 47, "change": "+292%", "regression": true },
                "transfer_size": { "before": 340_000, "after": 2_400_000, "change": "+606%", "regression": true },
            },
            "websockets": { "connection_changes": [{ "url": "ws://localhost/live", "before": "open", "after": "none" }] },
        })
    );
    assert_eq!(
        json!(diff.summary),
        json!({ "verdict": "mixed", "new_errors": 3, "resolved_errors": 2, "performance_regressions": 3, "new_network_errors": 1 })
    );
}

#[test]
fn every_verdict_of_two_snapshots_is_given() {
    for (a, b, verdict) in [
        (&[][..], &[][..], "unchanged"),
        (&["A", "GET /a 500"], &["A", "GET /a 500"], "unchanged"),
        (&["A"], &["A", "A"], "unchanged"),
        // Nothing was used, so the error's absence proves nothing.
        (&["A"], &[], "unchanged"),
        (&["A"], &["GET /a 200"], "improved"),
        (&["GET /a 500"], &["GET /a 200"], "improved"),
        (&["GET /a 500"], &["GET /b 200"], "unchanged"),
        (&[], &["A"], "regressed"),
        (&["GET /a 200"], &["GET /a 500"], "regressed"),
        (&["A"], &["B"], "mixed"),
        (&["A"], &["GET /a 500"], "mixed"),
        (&["GET /a 500"], &["GET /a 200", "B"], "mixed"),
    ] {
        let mut browser = Browser::new();
        browser.happens(a);
        browser.capture("a");
        let now = browser.now();
        browser.session.clear(None, now);
        browser.happens(b);
        assert_eq!(browser.diff("a", "current").summary.verdict.name(), verdict, "{a:?} {b:?}");
        browser.capture("b");
        assert_eq!(browser.diff("a", "b").summary.verdict.name(), verdict, "{a:?} {b:?}");
        for same in ["a", "b", "current"] {
            assert_eq!(browser.diff(same, same).summary.verdict.name(), "unchanged");
        }
    }
    let mut browser = Browser::new();
    browser.load(json!({ "url": "/", "timing": { "load": 100 } }));
    browser.capture("fast");
    browser.load(json!({ "url": "/", "timing": { "load": 301 } }));
    assert_eq!(browser.diff("fast", "current").summary.verdict.name(), "regressed", "slower alone is worse");
    browser.load(json!({ "url": "/", "timing": { "load": 300 } }));
    assert_eq!(browser.diff("fast", "current").summary.verdict.name(), "unchanged", "200 ms are no regression yet");
}

#[test]
fn the_live_state_is_filtered_like_the_snapshot() {
    let mut browser = Browser::new();
    let now = browser.now();
    browser.snapshots.capture(&browser.session, "shop", Some("/shop".to_owned()), &by(1), now).unwrap();
    browser.log(json!({ "type": "exception", "level": "error", "message": "B", "url": "http://localhost/blog" }));
    assert_eq!(browser.diff("shop", "current").summary.verdict.name(), "unchanged");
    assert_eq!(browser.diff("current", "shop").summary.verdict.name(), "unchanged");
    let now = browser.now();
    browser.snapshots.capture(&browser.session, "blog", Some("/blog".to_owned()), &by(1), now).unwrap();
    let diff = browser.diff("shop", "blog");
    assert_eq!(diff.summary.new_errors, 1);
    assert!(diff.warnings.iter().any(|warning| warning.contains("different url_filters")), "{:?}", diff.warnings);
    let narrowed = browser.snapshots.compare(&browser.session, "shop", "blog", Some("/nowhere"), now).unwrap();
    assert_eq!(narrowed.summary.verdict.name(), "unchanged");
}

#[test]
fn an_empty_state_is_reported() {
    let mut browser = Browser::new();
    let now = browser.now();
    browser.snapshots.capture(&browser.session, "blog", Some("/blog".to_owned()), &by(1), now).unwrap();
    browser.happens(&["A", "GET /a 200"]);
    browser.capture("a");
    let compare = |browser: &mut Browser, a: &str, b: &str, url: Option<&str>| {
        let now = browser.now();
        let diff = browser.snapshots.compare(&browser.session, a, b, url, now).unwrap();
        let warnings = diff.warnings.iter().map(|warning| warning.split(": the absence").next().unwrap().to_owned());
        (diff.summary.verdict.name(), diff.is_live_empty, warnings.collect::<Vec<_>>().join(", "))
    };
    assert_eq!(
        compare(&mut browser, "a", "current", None),
        ("unchanged", true, "\"current\" has no error and no request since \"a\" was captured".to_owned())
    );
    browser.happens(&["A", "GET /a 200"]);
    assert_eq!(compare(&mut browser, "a", "current", None), ("unchanged", false, String::new()));
    assert_eq!(
        compare(&mut browser, "a", "current", Some("/nowhere")),
        (
            "unchanged",
            true,
            "url_filter matched none of the 2 errors and endpoints of \"a\", \
             url_filter matched none of the 2 errors and endpoints of \"current\""
                .to_owned()
        )
    );
    assert_eq!(
        compare(&mut browser, "blog", "current", None),
        (
            "unchanged",
            true,
            "\"blog\" has no error and no request, \"current\" has no error and no request that match \"/blog\" since \"blog\" was captured"
                .to_owned()
        )
    );
    let now = browser.now();
    browser.session.clear(None, now);
    // Nothing was done since, so nothing is resolved.
    let told = "\"current\" has no error and no request since the buffers were cleared";
    assert_eq!(compare(&mut browser, "a", "current", None), ("unchanged", true, told.to_owned()));
    assert_eq!(compare(&mut browser, "current", "current", None), ("unchanged", true, told.to_owned()));
}

#[test]
fn of_ten_snapshots_the_least_recently_used_is_evicted() {
    let mut browser = Browser::new();
    let capture = |browser: &mut Browser, name: &str| {
        let now = browser.now();
        browser.snapshots.capture(&browser.session, name, None, &by(1), now).unwrap().1
    };
    for number in 0..10 {
        assert_eq!(capture(&mut browser, &format!("s{number}")), StoredSnapshot::default(), "{number}");
    }
    // Comparing and capturing again count as use.
    browser.diff("s0", "current");
    assert_eq!(capture(&mut browser, "s1"), StoredSnapshot { replaced: true, evicted: None });
    assert_eq!(browser.snapshots.list().len(), limits::SAVED_SNAPSHOTS);
    assert_eq!(capture(&mut browser, "s10").evicted.as_deref(), Some("s2"));
    assert_eq!(capture(&mut browser, "s11").evicted.as_deref(), Some("s3"));
    assert_eq!(browser.snapshots.list().len(), limits::SAVED_SNAPSHOTS);
    let now = browser.now();
    let gone = browser.snapshots.compare(&browser.session, "s2", "current", None, now);
    assert_eq!(gone.unwrap_err(), SnapshotRefusal::Unknown("s2".to_owned()));
    // A failed comparison does not lose the snapshot that it looked for.
    assert!(browser.snapshots.compare(&browser.session, "s0", "s10", None, now).is_ok());
}

#[test]
fn a_snapshot_is_kept_for_two_hours() {
    let mut browser = Browser::new();
    browser.capture("a");
    let end = NOW + limits::SAVED_SNAPSHOT_SECONDS as i64 * 1_000;
    browser.clock = end - 1;
    let now = browser.now();
    browser.snapshots.compare(&browser.session, "a", "current", None, now).unwrap();
    browser.clock = end;
    let now = browser.now();
    let over = browser.snapshots.compare(&browser.session, "a", "current", None, now);
    assert_eq!(over.unwrap_err(), SnapshotRefusal::Unknown("a".to_owned()));
    assert!(browser.snapshots.list().is_empty());
}

#[test]
fn names_are_validated_and_sizes_bounded() {
    let mut browser = Browser::new();
    let now = browser.now();
    let long = |chars: usize| "ü".repeat(chars);
    for (name, outcome) in [
        (long(limits::SAVED_SNAPSHOT_NAME_CHARS), Ok(())),
        (long(limits::SAVED_SNAPSHOT_NAME_CHARS + 1), Err(SnapshotRefusal::NameTooLong)),
        ("current".to_owned(), Err(SnapshotRefusal::Reserved)),
        ("Current".to_owned(), Err(SnapshotRefusal::Reserved)),
        (" CURRENT ".to_owned(), Err(SnapshotRefusal::Reserved)),
        ("  ".to_owned(), Err(SnapshotRefusal::NoName)),
    ] {
        let captured = browser.snapshots.capture(&browser.session, &name, None, &by(1), now).map(|_| ());
        assert_eq!(captured, outcome, "{name}");
        if outcome.is_err() {
            assert_eq!(browser.snapshots.delete(&name, &by(1), false, now).map(|_| ()), outcome, "{name}");
        }
    }
    assert!(browser.snapshots.compare(&browser.session, "Current", "CURRENT", None, now).is_ok());
    let filter = Some(long(limits::VERIFY_FILTER_CHARS + 1));
    let refused = browser.snapshots.capture(&browser.session, "x", filter, &by(1), now).unwrap_err();
    assert_eq!(refused, SnapshotRefusal::FilterTooLong);
    for number in 0..limits::NETWORK_ENTRIES {
        browser.call(&format!("GET /n{}/{} 200", "x".repeat(number), "y".repeat(1_000)));
        browser.error(&format!("{} {}", "z".repeat(number), "w".repeat(1_000)));
    }
    browser.capture("large");
    let large = &browser.snapshots.list()[0].observed;
    assert!(large.bytes() <= limits::SAVED_SNAPSHOT_BYTES, "{}", large.bytes());
    assert!(large.errors.len() <= limits::SAVED_SNAPSHOT_ERRORS && large.left_out >= 50, "{}", large.left_out);
    let text = json!(browser.diff("large", "current").answer()).to_string();
    assert!(text.len() < limits::ANSWER_BYTES, "{}", text.len());
}

#[test]
fn a_snapshot_belongs_to_its_owner_while_that_is_connected() {
    let mut browser = Browser::new();
    browser.capture("a");
    let now = browser.now();
    let alone = Caller { owner: owner(2), is_here: &|client| client == 2 };
    let not_yours = SnapshotRefusal::NotYours("client 1".to_owned());
    let again = |browser: &mut Browser, caller: &Caller<'_>| {
        browser.snapshots.capture(&browser.session, "a", None, caller, now).map(|_| ())
    };
    assert_eq!(again(&mut browser, &by(2)), Err(not_yours.clone()));
    assert_eq!(browser.snapshots.delete("a", &by(2), false, now).unwrap_err(), not_yours);
    assert_eq!(browser.diff("a", "current").summary.verdict.name(), "unchanged");
    assert_eq!(again(&mut browser, &alone), Ok(()));
    // Now it belongs to the other client.
    assert_eq!(again(&mut browser, &by(1)), Err(SnapshotRefusal::NotYours("client 2".to_owned())));
    assert!(browser.snapshots.delete("a", &by(2), false, now).is_ok());
    assert_eq!(
        browser.snapshots.delete("a", &by(2), false, now).unwrap_err(),
        SnapshotRefusal::Unknown("a".to_owned())
    );
}
