//! The store's guarantees, after any history.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use engine::entry::{Arrival, Log, PageLoad, Parse, Request};
use engine::store::{Pressure, Refused};
use engine::{Kind, Redacted, Redactor, Session};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use wire::performance::{LongTasks, NetworkSummary, Timing};
use wire::{Level, LogEntry, NetworkBody, PerformanceSnapshot, Timestamp, limits};

const NOW: Timestamp = Timestamp::from_millis(1_770_600_000_000);

/// The form in which it is stored when it arrives now.
fn as_stored<T: Parse>(sent: T::Wire) -> Redacted<T> {
    Redactor::new().redact(T::parse(sent, Arrival::at(NOW)).unwrap())
}

fn log(message: &str) -> Redacted<Log> {
    as_stored(LogEntry { message: Some(message.to_owned()), level: Some(Level::Error), ..LogEntry::default() })
}

fn request(test_id: Option<String>) -> Redacted<Request> {
    as_stored(NetworkBody { url: Some("/".to_owned()), test_id, ..NetworkBody::default() })
}

#[derive(Debug, Clone)]
enum Step {
    Log { bytes: usize, id: Option<u8>, test: Option<u8> },
    Network { bytes: usize },
    Clear { test: Option<u8> },
    ClearLogs,
    Pressure(u8),
}

fn step() -> impl Strategy<Value = Step> {
    let size = prop_oneof![0..500_usize, 0..300_000_usize, Just(limits::LOG_BYTES), Just(limits::LOG_BYTES + 1)];
    let log = (size.clone(), proptest::option::of(0..20_u8), proptest::option::of(0..3_u8));
    prop_oneof![
        8 => log.prop_map(|(bytes, id, test)| Step::Log { bytes, id, test }),
        4 => size.prop_map(|bytes| Step::Network { bytes }),
        1 => proptest::option::of(0..3_u8).prop_map(|test| Step::Clear { test }),
        1 => Just(Step::ClearLogs),
        1 => (0..3_u8).prop_map(Step::Pressure),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(7), failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    /// With room for each test: limits hold for each test and for all together, and the accounting is consistent.
    #[test]
    fn bounds_always_hold_for_each_test(steps in proptest::collection::vec(step(), 1..400)) {
        let mut session = Session::per_test("t");
        let mut removed = 0_u64;
        for step in steps {
            match step {
                Step::Log { bytes, id, test } => {
                    let entry = LogEntry {
                        id: id.map(|id| format!("id-{id}")),
                        level: Some(Level::Error),
                        message: Some(format!("m{}", bytes % 3)),
                        test_id: test.map(|test| test.to_string()),
                        ..LogEntry::default()
                    };
                    let pushed = session.push_log(as_stored(entry), NOW, bytes);
                    prop_assert!(matches!(pushed, Ok(()) | Err(Refused::Repeated)));
                }
                Step::Network { bytes } => {
                    let entry = request(Some((bytes % 40).to_string()));
                    prop_assert_eq!(
                        session.push_network(entry, NOW, bytes).is_err(),
                        session.store.pressure() != Pressure::Normal
                    );
                }
                Step::Clear { test } => removed += session.clear(test.map(|test| test.to_string()).as_deref(), NOW) as u64,
                Step::ClearLogs => removed += session.store.clear_logs(NOW) as u64,
                Step::Pressure(stage) => {
                    session.set_pressure([Pressure::Normal, Pressure::NoBodies, Pressure::Minimal][usize::from(stage)]);
                }
            }
            prop_assert!(session.store.bytes() <= limits::CI_BUFFER_BYTES);
            prop_assert!(session.store.logs.iter().zip(session.store.logs.iter().skip(1)).all(|(one, next)| one.cursor < next.cursor));
            let mut of_tests = session.store.logs.iter().filter(|stored| stored.entry.test_id.is_none()).count();
            for test in 0..3 {
                let test = test.to_string();
                let count = session.store.logs.iter_of(Some(&test)).count();
                prop_assert_eq!(
                    count,
                    session.store.logs.iter().filter(|stored| stored.entry.test_id.as_deref() == Some(test.as_str())).count()
                );
                prop_assert!(count <= limits::LOG_ENTRIES);
                of_tests += count;
            }
            prop_assert_eq!(of_tests, session.store.logs.len());
            let (logs, network) = (session.store.report(Kind::Logs), session.store.report(Kind::NetworkBodies));
            let here = (logs.count + network.count) as u64;
            prop_assert_eq!(logs.received + network.received, here + logs.dropped + network.dropped + removed);
        }
    }

    /// Whatever happens: limits hold, cursors grow, and the accounting is consistent.
    #[test]
    fn bounds_always_hold(steps in proptest::collection::vec(step(), 1..400)) {
        let mut session = Session::new("t");
        let (mut removed, mut stored) = (0_u64, 0_u64);
        for step in steps {
            match step {
                Step::Log { bytes, id, test } => {
                    let entry = LogEntry {
                        id: id.map(|id| format!("id-{id}")),
                        level: Some(Level::Error),
                        message: Some(format!("m{}", bytes % 3)),
                        test_id: test.map(|test| test.to_string()),
                        ..LogEntry::default()
                    };
                    let pushed = session.push_log(as_stored(entry), NOW, bytes);
                    prop_assert!(matches!(pushed, Ok(()) | Err(Refused::Repeated)));
                }
                Step::Network { bytes } => {
                    let pushed = session.push_network(request(None), NOW, bytes);
                    prop_assert_eq!(pushed.is_err(), session.store.pressure() != Pressure::Normal);
                    stored += u64::from(pushed.is_ok());
                }
                Step::Clear { test } => removed += session.clear(test.map(|test| test.to_string()).as_deref(), NOW) as u64,
                Step::ClearLogs => removed += session.store.clear_logs(NOW) as u64,
                Step::Pressure(stage) => {
                    session.set_pressure([Pressure::Normal, Pressure::NoBodies, Pressure::Minimal][usize::from(stage)]);
                }
            }
            let logs = session.store.report(Kind::Logs);
            let network = session.store.report(Kind::NetworkBodies);
            prop_assert!(logs.count <= limits::LOG_ENTRIES && logs.memory_bytes <= limits::LOG_BYTES);
            prop_assert!(network.count <= limits::NETWORK_ENTRIES && network.memory_bytes <= limits::NETWORK_BYTES);
            prop_assert!(session.store.logs.iter().zip(session.store.logs.iter().skip(1)).all(|(one, next)| one.cursor < next.cursor));
            prop_assert_eq!(network.received, stored);
            let here = (logs.count + network.count) as u64;
            prop_assert_eq!(logs.received + network.received, here + logs.dropped + network.dropped + removed);
        }
    }
}

#[test]
fn entries_at_below_and_above_the_limit_are_handled() {
    let mut session = Session::new("t");
    for count in 1..=limits::LOG_ENTRIES {
        session.push_log(log("x"), NOW, 10).unwrap();
        assert_eq!((session.store.logs.len(), session.store.logs.dropped()), (count, 0));
    }
    session.push_log(log("one more"), NOW, 10).unwrap();
    assert_eq!((session.store.logs.len(), session.store.logs.dropped()), (limits::LOG_ENTRIES, 1));
    assert_eq!(session.store.logs.iter().next().unwrap().cursor, 2);
}

#[test]
fn an_entry_larger_than_the_whole_ring_is_dropped_itself() {
    let mut session = Session::new("t");
    session.push_log(log("small"), NOW, 10).unwrap();
    session.push_log(log("giant"), NOW, limits::LOG_BYTES).unwrap();
    assert_eq!((session.store.logs.len(), session.store.logs.bytes(), session.store.logs.dropped()), (0, 0, 2));
}

#[test]
fn beyond_the_common_limit_the_longest_silent_test_is_evicted_as_a_unit() {
    let mut session = Session::per_test("t");
    let mut push = |test: usize, bytes: usize| {
        session.push_network(request(Some(test.to_string())), NOW, bytes).unwrap();
        let left: Vec<usize> =
            (0..20).map(|test| session.store.network.iter_of(Some(&test.to_string())).count()).collect();
        (session.store.bytes(), session.store.evicted_tests(), session.store.network.dropped(), left)
    };
    let quarter = limits::NETWORK_BYTES / 4;
    // Two entries of a quarter for each of fifteen tests stay just below the limit; the first test is heard of last.
    for test in 0..15 {
        push(test, quarter - 4_096);
        push(test, quarter - 4_096);
    }
    let (bytes, evicted, ..) = push(0, 10);
    assert!(bytes <= limits::CI_BUFFER_BYTES && evicted == 0, "{bytes}");
    let (bytes, evicted, dropped, left) = push(15, 2 * quarter);
    assert_eq!((evicted, dropped), (0, 0), "{bytes} of {}", limits::CI_BUFFER_BYTES);
    assert_eq!(left[0], 3);
    let (bytes, evicted, dropped, left) = push(16, quarter);
    assert!(bytes <= limits::CI_BUFFER_BYTES, "{bytes}");
    assert_eq!((evicted, dropped), (1, 2));
    assert_eq!(left[..4], [3, 0, 2, 2], "not the first test, which spoke again, but the second, and all of it");
}

#[test]
fn an_evicted_id_is_forgotten() {
    let mut session = Session::new("t");
    let named = |message: &str| {
        as_stored(LogEntry { id: Some("same".to_owned()), message: Some(message.to_owned()), ..LogEntry::default() })
    };
    session.push_log(named("first"), NOW, 10).unwrap();
    assert_eq!(session.push_log(named("first"), NOW, 10), Err(Refused::Repeated), "sent again");
    session.push_log(named("another"), NOW, 10).unwrap();
    assert_eq!(session.store.logs.len(), 2, "another message is another entry, whatever its id says");
    assert_eq!(session.store.logs.iter().next_back().unwrap().entry.id, None);
    for _ in 0..limits::LOG_ENTRIES {
        session.push_log(log("x"), NOW, 10).unwrap();
    }
    session.push_log(named("a new one"), NOW, 10).unwrap();
    assert_eq!(session.store.logs.iter().next_back().unwrap().entry.message, "a new one");
}

#[test]
fn in_minimal_mode_only_warnings_and_errors_are_kept() {
    let mut session = Session::new("t");
    session.push_log(log("before"), NOW, 10).unwrap();
    session.set_pressure(Pressure::Minimal);
    assert_eq!(session.store.logs.len(), 0);
    let of = |level| as_stored(LogEntry { level: Some(level), message: Some("m".to_owned()), ..LogEntry::default() });
    for (level, expected) in [
        (Level::Debug, Err(Refused::MemoryPressure)),
        (Level::Log, Err(Refused::MemoryPressure)),
        (Level::Info, Err(Refused::MemoryPressure)),
        (Level::Warn, Ok(())),
        (Level::Error, Ok(())),
    ] {
        assert_eq!(session.push_log(of(level), NOW, 10), expected, "{level:?}");
    }
    assert_eq!(session.store.refused(), 3);
    for _ in 0..=limits::MINIMAL_LOG_ENTRIES {
        session.push_log(log("x"), NOW, 10).unwrap();
    }
    assert_eq!(session.store.logs.len(), limits::MINIMAL_LOG_ENTRIES);
    session.set_pressure(Pressure::Normal);
    session.push_log(of(Level::Debug), NOW, 10).unwrap();
}

fn load(url: &str, load: f64) -> Redacted<PageLoad> {
    as_stored(PerformanceSnapshot {
        url: Some(url.to_owned()),
        timing: Some(Timing { load: Some(load), ..Timing::default() }),
        network: Some(NetworkSummary::default()),
        long_tasks: Some(LongTasks::default()),
        ..PerformanceSnapshot::default()
    })
}

#[test]
fn the_baseline_is_a_plain_average_of_five_then_moves_slowly() {
    let mut session = Session::new("t");
    for (sample, expected) in
        [(100.0, 100.0), (200.0, 150.0), (300.0, 200.0), (400.0, 250.0), (500.0, 300.0), (800.0, 400.0)]
    {
        session.push_performance(load("/shop", sample), 100).unwrap();
        let page = session.store.performance.page("/shop").unwrap();
        assert_eq!(page.baseline.timing.as_ref().unwrap().load, Some(expected));
    }
    let page = session.store.performance.page("/shop").unwrap();
    assert_eq!(page.compared_with.as_ref().unwrap().timing.as_ref().unwrap().load, Some(300.0));
    assert_eq!(page.baseline.sample_count, Some(6));
}

#[test]
fn twenty_pages_are_kept_and_the_least_recent_is_evicted() {
    let mut session = Session::new("t");
    for n in 0..limits::PERFORMANCE_URLS {
        session.push_performance(load(&format!("/{n}"), 1.0), 100).unwrap();
    }
    session.push_performance(load("/0", 1.0), 100).unwrap();
    session.push_performance(load("/new", 1.0), 100).unwrap();
    assert_eq!(session.store.performance.len(), limits::PERFORMANCE_URLS);
    assert!(session.store.performance.page("/0").is_some(), "used again, so it stays");
    assert!(session.store.performance.page("/1").is_none());
}

#[test]
fn a_lone_metric_joins_the_pages_latest_load() {
    let mut session = Session::new("t");
    session.push_performance(load("/a", 1.0), 100).unwrap();
    let metric = PerformanceSnapshot {
        url: Some("/a".to_owned()),
        metric: Some("CLS".to_owned()),
        value: Some(0.2),
        ..Default::default()
    };
    session.push_performance(as_stored(metric), 100).unwrap();
    let page = session.store.performance.page("/a").unwrap();
    assert_eq!(page.latest.cumulative_layout_shift, Some(0.2));
    assert_eq!(page.latest.timing.as_ref().unwrap().load, Some(1.0));
    assert_eq!(page.baseline.sample_count, Some(1), "it is not another load");
}

#[test]
fn a_metric_that_arrives_before_its_load_is_not_a_load() {
    let mut session = Session::new("t");
    let metric = PerformanceSnapshot {
        url: Some("/a".to_owned()),
        metric: Some("INP".to_owned()),
        value: Some(80.0),
        ..Default::default()
    };
    session.push_performance(as_stored(metric), 100).unwrap();
    session.push_performance(load("/a", 1.0), 100).unwrap();
    let page = session.store.performance.page("/a").unwrap();
    assert_eq!(page.latest.interaction_to_next_paint, Some(80.0));
    assert_eq!(page.latest.timing.as_ref().unwrap().load, Some(1.0));
    assert_eq!((page.baseline.sample_count, page.compared_with.is_none()), (Some(1), true));
    assert_eq!(page.baseline.interaction_to_next_paint, Some(80.0));
}

#[test]
fn route_changes_are_compared_with_route_changes() {
    let mut session = Session::new("t");
    let route = || {
        let (load, _) = load("/a", 1.0).into_parts();
        Redactor::new().redact(PageLoad { soft_navigation: Some(true), ..load })
    };
    session.push_performance(load("/a", 100.0), 100).unwrap();
    session.push_performance(route(), 100).unwrap();
    let page = session.store.performance.page("/a").unwrap();
    assert_eq!((page.latest.soft_navigation, page.compared_with.is_none()), (Some(true), true));
    session.push_performance(load("/a", 300.0), 100).unwrap();
    let page = session.store.performance.page("/a").unwrap();
    assert_eq!(page.compared_with.as_ref().unwrap().timing.as_ref().unwrap().load, Some(100.0));
    assert_eq!(session.store.performance.len(), 2);
}
