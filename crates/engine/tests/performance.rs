//! What `check_performance` reports, word for word where words matter.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use engine::analysis::performance::{Budgets, Report, report};
use engine::entry::{Arrival, PageLoad, Parse};
use engine::{Redactor, Session};
use serde_json::{Value, json};
use wire::Timestamp;

const NOW: i64 = 1_770_600_000_000;

fn snapshot(change: Value) -> Value {
    let mut snapshot = json!({
        "url": "/shop", "timestamp": NOW - 12_000,
        "timing": {
            "domContentLoaded": 600, "load": 900, "firstContentfulPaint": 400, "largestContentfulPaint": 700,
            "timeToFirstByte": 80, "domInteractive": 500,
        },
        "network": {
            "requestCount": 10, "transferSize": 204_800, "decodedSize": 409_600,
            "byType": { "script": { "count": 4, "size": 102_400 }, "image": { "count": 6, "size": 102_400 }, "font": { "count": 0, "size": 0 } },
            "slowestRequests": [{ "url": "http://localhost/api/products", "duration": 320, "size": 2_048 }],
        },
        "longTasks": { "count": 1, "totalBlockingTime": 40, "longest": 90 },
        "cumulativeLayoutShift": 0.02,
    });
    merge(&mut snapshot, change);
    snapshot
}

fn merge(into: &mut Value, change: Value) {
    match (into, change) {
        (Value::Object(into), Value::Object(change)) => {
            for (name, value) in change {
                merge(into.entry(name).or_insert(Value::Null), value);
            }
        }
        (into, change) => *into = change,
    }
}

fn told(loads: &[Value], budgets: Option<&str>) -> Report {
    let mut session = Session::new("t");
    for load in loads {
        let load = PageLoad::from_json(load.clone(), Arrival::at(Timestamp::from_millis(NOW))).unwrap();
        session.push_performance(Redactor::new().redact(load), 500).unwrap();
    }
    let budgets = budgets.map(Budgets::read);
    report(session.store.performance.newest().unwrap(), &[], budgets.as_ref(), Timestamp::from_millis(NOW))
}

#[test]
fn a_first_load_is_described_and_compared_with_nothing() {
    let told = told(&[snapshot(json!({}))], None);
    assert_eq!(
        told.text,
        "Performance of /shop (page load, 12 seconds ago)

Load Timing
  Time to first byte: 80 ms  (good)
  First contentful paint: 400 ms  (good)
  Largest contentful paint: 700 ms  (good)
  DOM interactive: 500 ms
  DOM content loaded: 600 ms
  Load: 900 ms

Network
  Requests: 10
  Transferred: 200 KB
  Decoded: 400 KB
  By type: 4 script (100 KB), 6 image (100 KB)
  Slowest:
    320 ms http://localhost/api/products (2 KB)

Main Thread
  Long tasks: 1
  Total blocking time: 40 ms
  Longest task: 90 ms
  Interaction to next paint: nobody interacted yet

Layout Stability
  Cumulative layout shift: 0.02  (good)

Regressions
  no baseline yet: comparing starts with the next load of this page

Baseline: none, this is the first load of this page
"
    );
    assert!(!told.text.contains("was"), "nothing regressed");
    assert_eq!((&json!(told.facts)["kind"], &json!(told.facts)["age_seconds"]), (&json!("load"), &json!(12)));
    assert_eq!(json!(told.facts)["longTasks"], json!({ "totalBlockingTime": 40.0, "longest": 90.0, "count": 1.0 }));
    assert_eq!(json!(told.facts)["ratings"]["largestContentfulPaint"], "good");
    assert_eq!(
        (&json!(told.facts)["regressions"], &json!(told.facts)["baseline"]),
        (&json!([]), &json!({ "sampleCount": 0 }))
    );
}

#[test]
fn a_regression_is_measured_against_the_loads_before() {
    let usual = snapshot(json!({}));
    for (change, line, metric) in [
        (json!({ "timing": { "load": 2_700 } }), "  Load: 2.7 s (was 900 ms, +200%)", "load"),
        (
            json!({ "timing": { "firstContentfulPaint": 1_000 } }),
            "  First contentful paint: 1 s (was 400 ms, +150%)",
            "firstContentfulPaint",
        ),
        (
            json!({ "timing": { "largestContentfulPaint": 1_400 } }),
            "  Largest contentful paint: 1.4 s (was 700 ms, +100%)",
            "largestContentfulPaint",
        ),
        (json!({ "network": { "requestCount": 20 } }), "  Requests: 20 (was 10, +100%)", "requestCount"),
        (
            json!({ "network": { "transferSize": 819_200 } }),
            "  Transferred: 800 KB (was 200 KB, +300%)",
            "transferSize",
        ),
        (json!({ "longTasks": { "count": 3 } }), "  Long tasks: 3 (was 1, +200%)", "longTasks"),
        (
            json!({ "longTasks": { "totalBlockingTime": 200 } }),
            "  Total blocking time: 200 ms (was 40 ms, +400%)",
            "totalBlockingTime",
        ),
        (
            json!({ "cumulativeLayoutShift": 0.3 }),
            "  Cumulative layout shift: 0.3 (was 0.02, +1400%)",
            "cumulativeLayoutShift",
        ),
    ] {
        let told = told(&[usual.clone(), usual.clone(), snapshot(change)], None);
        let lines: Vec<&str> = told.text.lines().filter(|line| line.contains("was")).collect();
        assert_eq!(lines, [line]);
        assert_eq!(json!(told.facts)["regressions"][0]["metric"], metric);
        assert_eq!(json!(told.facts)["baseline"]["sampleCount"], 2);
        assert!(told.text.ends_with("Baseline: 2 samples before this one\n"), "{}", told.text);
    }
    let none = told(&[usual.clone(), usual.clone()], None);
    assert!(none.text.contains("Regressions\n  none\n") && !none.text.contains("was"), "{}", none.text);
    let quiet = snapshot(json!({ "longTasks": { "count": 0 } }));
    let from_none = told(&[quiet, usual], None);
    assert!(from_none.text.contains("  Long tasks: 1 (was 0)\n"), "{}", from_none.text);
}

#[test]
fn a_route_change_is_reported_as_one() {
    let route = json!({ "url": "/shop", "timestamp": NOW, "softNavigation": true, "timing": {}, "network": { "requestCount": 2 } });
    // The earlier page load is not a baseline for it.
    let told = told(&[snapshot(json!({})), route], None);
    assert!(told.text.starts_with("Performance of /shop (single-page route change, 0 seconds ago)"), "{}", told.text);
    assert!(told.text.contains("Load Timing\n  none: the address changed without a load\n"), "{}", told.text);
    assert!(told.text.contains("comparing starts with the next change to this route"), "{}", told.text);
    assert_eq!(json!(told.facts)["kind"], "route_change");
}

#[test]
fn vitals_are_rated() {
    let slow = snapshot(
        json!({ "timing": { "largestContentfulPaint": 3_000 }, "interactionToNextPaint": 501, "cumulativeLayoutShift": 0.2 }),
    );
    let told = told(&[slow], None);
    for line in [
        "  Largest contentful paint: 3 s  (needs improvement)\n",
        "  Interaction to next paint: 501 ms  (poor)\n",
        "  Cumulative layout shift: 0.2  (needs improvement)\n",
    ] {
        assert!(told.text.contains(line), "{}", told.text);
    }
}

#[test]
fn budgets_hold_up_to_their_value() {
    let load = snapshot(json!({}));
    let budgets =
        |most: u32| json!({ "budgets": { "load": most, "longTasks": 2, "interactionToNextPaint": 200 } }).to_string();
    for (most, exceeded, line) in [
        (899, 1, "  over: Load 900 ms, allowed 899 ms\n  1 of 2 kept\n"),
        (900, 0, "  all 2 kept\n"),
        (901, 0, "  all 2 kept\n"),
    ] {
        let told = told(std::slice::from_ref(&load), Some(&budgets(most)));
        assert!(told.text.contains(&format!("Budgets (.gasoline.json)\n{line}")), "{}", told.text);
        assert_eq!(json!(told.facts)["budgets"]["exceeded"].as_array().unwrap().len(), exceeded);
    }
    let bad = told(std::slice::from_ref(&load), Some("{"));
    assert!(bad.text.contains("  file: not valid JSON, at line 1 column 1\n"), "{}", bad.text);
    let unknown = told(std::slice::from_ref(&load), Some("{\"budgets\":{\"lcp\":1}}"));
    assert!(unknown.text.contains("  file: unknown key budgets.lcp; known: "), "{}", unknown.text);
    let other = told(&[load], Some("{\"pages\":{\"/else\":{\"load\":1}}}"));
    assert!(other.text.contains("  none for what this page measured\n"), "{}", other.text);
}
