//! What the dashboard receives: rows, how far the buffers reach, sections, and web vitals from load to load.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use engine::entry::{Action, Arrival, Log, PageLoad, Parse, Request, SocketEvent};
use engine::view::dashboard::{errors, log_row, performance, reach, rows, security};
use engine::{Redactor, Session};
use serde_json::{Value, json};
use wire::{Timestamp, limits};

const NOW: Timestamp = Timestamp::from_millis(1_770_600_000_000);

fn log(session: &mut Session, entry: Value) {
    let entry = Log::from_json(entry, Arrival::at(NOW)).unwrap();
    session.push_log(Redactor::new().redact(entry), NOW, 100).unwrap();
}

fn request(session: &mut Session, body: Value) {
    let body = Request::from_json(body, Arrival::at(NOW)).unwrap();
    session.push_network(Redactor::new().redact(body), NOW, 100).unwrap();
}

fn load(session: &mut Session, snapshot: Value) {
    let snapshot = PageLoad::from_json(snapshot, Arrival::at(NOW)).unwrap();
    session.push_performance(Redactor::new().redact(snapshot), 300).unwrap();
}

#[test]
fn every_kind_is_a_row_of_its_buffer() {
    let mut session = Session::new("t");
    let at = |millis: i64| NOW.millis() + millis;
    let action =
        Action::from_json(json!({ "type": "click", "timestamp": at(0), "text": "Pay" }), Arrival::at(NOW)).unwrap();
    session.push_action(Redactor::new().redact(action), NOW, 100).unwrap();
    request(
        &mut session,
        json!({ "ts": at(10), "method": "POST", "url": "/pay", "status": 500, "duration": 42.5, "requestId": "r" }),
    );
    log(&mut session, json!({ "ts": at(20), "type": "console", "level": "error", "message": "broken", "count": 3 }));
    let event = SocketEvent::from_json(json!({ "ts": at(30), "event": "message", "id": "s1", "direction": "outgoing", "url": "ws://x/live", "data": "hi" }), Arrival::at(NOW)).unwrap();
    session.push_websocket(Redactor::new().redact(event), NOW, 100).unwrap();

    let told = json!(rows(&session, 0));
    let fields = |name: &str| told.as_array().unwrap().iter().map(|row| row[name].clone()).collect::<Vec<_>>();
    assert_eq!(fields("b"), ["a", "n", "l", "w"]);
    assert_eq!(fields("k"), ["action", "network", "error", "websocket"]);
    assert_eq!(fields("l"), ["info", "error", "error", "log"]);
    assert_eq!(fields("t"), [at(0), at(10), at(20), at(30)]);
    assert_eq!((&told[1]["d"], &told[1]["r"]), (&json!(42.5), &json!("r")));
    assert_eq!((&told[2]["n"], told[0].get("n")), (&json!(3), None));
    assert_eq!((&told[3]["s"], &told[3]["out"], told[2].get("out")), (&json!("s1"), &json!(true), None));
    assert_eq!(told[1]["x"], "POST /pay → 500 (42 ms)");
    assert_eq!(rows(&session, 2).len(), 2, "those after a cursor");
    assert_eq!(rows(&session, 4).len(), 0);
    assert_eq!(log_row(&session, 3).as_ref(), rows(&session, 2).first());
    assert_eq!(log_row(&session, 2), None, "that is a request");
}

#[test]
fn the_newest_rows_are_sent_when_there_are_too_many() {
    let mut session = Session::per_test("t");
    for number in 0..=limits::DASHBOARD_MOMENTS {
        let test = format!("test {}", number % 4);
        log(&mut session, json!({ "level": "log", "message": format!("{number}"), "test_id": test }));
    }
    let told = rows(&session, 0);
    assert_eq!((told.len(), told[0].c), (limits::DASHBOARD_MOMENTS, 2));
}

#[test]
fn the_reach_of_buffers_and_removed_entries_are_sent() {
    let mut session = Session::new("t");
    let empty = reach(&session);
    assert_eq!((empty.l, empty.n, empty.removed, empty.dropped), (1, 1, 0, 0));
    for number in 0..limits::LOG_ENTRIES {
        log(&mut session, json!({ "level": "log", "message": format!("{number}") }));
    }
    assert_eq!((reach(&session).l, reach(&session).dropped), (1, 0));
    log(&mut session, json!({ "level": "log", "message": "one more" }));
    assert_eq!((reach(&session).l, reach(&session).dropped, reach(&session).removed), (2, 1, 0));
    session.store.clear_logs(NOW);
    let cleared = reach(&session);
    assert_eq!((cleared.l, cleared.removed), (limits::LOG_ENTRIES as u64 + 2, limits::LOG_ENTRIES as u64));
}

#[test]
fn errors_and_findings_equal_those_of_the_tools() {
    let mut session = Session::new("t");
    for _ in 0..2 {
        log(&mut session, json!({ "type": "exception", "level": "error", "message": "TypeError: x is undefined" }));
    }
    request(
        &mut session,
        json!({ "method": "GET", "url": "http://shop.example/a?token=ghp_16C7e42F292c6912E7710c838347Ae178B4a", "status": 200 }),
    );
    let told = json!(errors(&session));
    assert_eq!((&told["total"], &told["errors"][0]["count"]), (&json!(1), &json!(2)));
    let found = json!(security(&session));
    assert_eq!((&found["findings"][0]["severity"], &found["hasBodies"]), (&json!("critical"), &json!(false)));
    assert!(!found.to_string().contains("16C7e42F292c6912"), "{found}");
}

#[test]
fn the_number_of_errors_is_limited() {
    let mut session = Session::new("t");
    let word = |number: usize| ["alpha", "beta", "gamma", "delta"][number % 4].repeat(number / 4 + 1);
    for number in 0..limits::DASHBOARD_ERRORS + 1 {
        log(&mut session, json!({ "type": "console", "level": "error", "message": word(number) }));
    }
    let told = json!(errors(&session));
    assert_eq!(told["total"], limits::DASHBOARD_ERRORS + 1);
    assert_eq!(told["errors"].as_array().unwrap().len(), limits::DASHBOARD_ERRORS);
}

#[test]
fn web_vitals_are_remembered_from_load_to_load() {
    let mut session = Session::new("t");
    let snapshot = |number: usize| {
        json!({ "url": "/shop", "timestamp": NOW.millis() + number as i64,
            "timing": { "largestContentfulPaint": number, "load": 100 } })
    };
    let history = |session: &Session| json!(performance(session, NOW))[0]["history"].clone();
    load(&mut session, snapshot(1));
    assert_eq!(history(&session)["largestContentfulPaint"], json!([1.0]));
    assert_eq!(history(&session)["cumulativeLayoutShift"], json!([null]));
    // A web vital that arrives later belongs to its load.
    load(&mut session, json!({ "url": "/shop", "metric": "CLS", "value": 0.25 }));
    assert_eq!(history(&session)["cumulativeLayoutShift"], json!([0.25]));
    for number in 2..=limits::PERFORMANCE_HISTORY {
        load(&mut session, snapshot(number));
    }
    assert_eq!(history(&session)["at"].as_array().unwrap().len(), limits::PERFORMANCE_HISTORY);
    assert_eq!(history(&session)["largestContentfulPaint"][0], 1.0);
    load(&mut session, snapshot(limits::PERFORMANCE_HISTORY + 1));
    assert_eq!(history(&session)["at"].as_array().unwrap().len(), limits::PERFORMANCE_HISTORY);
    assert_eq!(history(&session)["largestContentfulPaint"][0], 2.0, "the oldest left");
    // Another page has a separate history.
    load(&mut session, json!({ "url": "/other", "timing": { "load": 1 } }));
    assert_eq!(history(&session)["load"], json!([1.0]));
    assert_eq!(
        json!(performance(&session, NOW))[1]["history"]["at"].as_array().unwrap().len(),
        limits::PERFORMANCE_HISTORY
    );
}

#[test]
fn vitals_that_arrive_before_their_load_join_it() {
    let mut session = Session::new("t");
    load(&mut session, json!({ "url": "/shop", "metric": "LCP", "value": 640 }));
    load(&mut session, json!({ "url": "/shop", "timing": { "load": 900 } }));
    let history = json!(performance(&session, NOW))[0]["history"].clone();
    assert_eq!((&history["load"], &history["largestContentfulPaint"]), (&json!([900.0]), &json!([640.0])));
}
