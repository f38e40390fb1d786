//! What must hold for any bytes that reach an ingest route. Shared by the fuzz target and the regular tests.

use std::sync::LazyLock;

use engine::intake::Content;
use engine::test_runs::OpenTests;
use engine::view::connections::{ConnectionFilter, status};
use engine::{Kind, Redactor, Session};
use wire::Timestamp;

static REDACTOR: LazyLock<Redactor> = LazyLock::new(Redactor::new);

/// The first byte picks the route, the rest is the body.
pub fn check(input: &[u8]) {
    let Some((&first, body)) = input.split_first() else { return };
    let Ok(text) = std::str::from_utf8(body) else { return };
    let content = Content::ALL[usize::from(first) % Content::ALL.len()];
    let mut unknown = |_name: String| {};
    let Ok(arrived) = content.split(text, &mut unknown) else { return };

    let arrival = Timestamp::from_millis(1_770_600_000_000);
    let redactor = &*REDACTOR;
    let mut session = Session::new("fuzz");
    let mut received = 0;
    for entry in arrived.prepare(redactor, &OpenTests::default(), arrival, &mut unknown) {
        let Ok(entry) = entry else { continue };
        let line = std::str::from_utf8(&entry.text).expect("a line is UTF-8");
        assert!(!line.contains(['\n', '\r']), "one entry, one line: {line}");
        serde_json::from_str::<serde_json::Value>(line).expect("a line is JSON");
        // What was stored can be sent again: it is still an entry of its kind.
        if content == Content::Logs {
            let again = format!("{{\"entries\":[{line}]}}");
            let batch = Content::Logs.split(&again, &mut |_| {}).expect("a stored entry can be read");
            for second in batch
                .prepare(redactor, &OpenTests::default(), arrival, &mut |name| panic!("{name} is unknown to ourselves"))
            {
                second.expect("a stored entry can be stored again");
            }
        }
        received += usize::from(session.add(entry, arrival).is_ok());
    }
    // Connections are drawn from events, which may be held as well.
    let connections = session.store.report(Kind::Connections).count;
    let held: usize = Kind::ALL.into_iter().map(|kind| session.store.report(kind).count).sum();
    assert!(connections <= received && held - connections <= received);
    status(&session.store, &ConnectionFilter::default(), arrival);
}
