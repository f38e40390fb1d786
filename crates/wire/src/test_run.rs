//! `POST /test-boundary`: which test runs when, and what became of it.

use serde::{Deserialize, Deserializer, Serialize};

use crate::Timestamp;
use crate::batch::text_or_number;

/// How a test ended, in Playwright's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum TestStatus {
    Passed,
    Failed,
    #[serde(alias = "timed_out", alias = "timedout")]
    TimedOut,
    Interrupted,
    Skipped,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum BoundaryAction {
    Start,
    End,
}

/// Which end of a test a boundary is; the rest of it is a [`TestRecord`].
#[derive(Debug, Deserialize)]
pub struct BoundaryHead {
    pub action: Option<String>,
}

/// The reply to `POST /test-boundary`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct BoundaryReply {
    pub test_id: String,
    pub action: BoundaryAction,
    pub timestamp: Timestamp,
}

macro_rules! record {
    ($(#[$meta:meta])* pub struct $name:ident { $( $(#[$field_meta:meta])* pub $field:ident : $ty:ty, )* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
        #[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields = nullable))]
        pub struct $name {
            /// The tag of the test's entries: unique in the run, retries included.
            #[serde(alias = "testId", deserialize_with = "required", default)]
            pub test_id: String,
            $(
                $(#[$field_meta])*
                #[serde(skip_serializing_if = "Option::is_none")]
                pub $field: Option<$ty>,
            )*
        }
    };
}

record! {
    /// What a test runner says of a test, and when it started and ended.
    pub struct TestRecord {
        /// The test's titles from the outermost to its own, joined with ` › `.
        pub title: String,
        pub file: String,
        pub line: u32,
        pub project: String,
        /// 0 for the first attempt.
        pub retry: u32,
        /// Which of several runs of the same test it is (`--repeat-each`), from 0.
        pub repeat: u32,
        /// Such as `1/3`.
        pub shard: String,
        /// Which of several workers ran it: what that worker sent without a `test_id` belongs to this test.
        #[serde(deserialize_with = "text_or_number", default)]
        pub worker: String,
        pub status: TestStatus,
        #[serde(alias = "expectedStatus")]
        pub expected_status: TestStatus,
        #[serde(alias = "durationMs")]
        pub duration_ms: f64,
        /// The test runner's message.
        pub error: String,
        /// Where the test failed: `file:line:column`. Read from those three by name, too.
        #[serde(deserialize_with = "place", default)]
        pub location: String,
        /// When the server heard of its start, and of its end.
        pub started: Timestamp,
        pub ended: Timestamp,
        /// Entries of this test that were cleared, or evicted for lack of room. Counted by the server.
        pub entries_removed: u64,
    }
}

fn required<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(text_or_number(deserializer)?.unwrap_or_default())
}

/// A place as one text, or as Playwright has it.
fn place<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(
        untagged,
        expecting = "expected text such as `a.spec.ts:3:1`, or an object with `file`, `line` and `column`"
    )]
    enum Place {
        Text(String),
        Parts { file: String, line: Option<u32>, column: Option<u32> },
    }
    Ok(Option::<Place>::deserialize(deserializer)?.map(|place| match place {
        Place::Text(text) => text,
        Place::Parts { file, line, column } => {
            [line, column].into_iter().map_while(|part| part).fold(file, |place, part| format!("{place}:{part}"))
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_spellings_and_both_forms_of_a_place() {
        for (text, location) in [
            (r#"{"test_id":"a","expected_status":"passed","duration_ms":5,"location":"a.ts:3:1"}"#, "a.ts:3:1"),
            (
                r#"{"testId":"a","expectedStatus":"passed","durationMs":5,"location":{"file":"a.ts","line":3,"column":1}}"#,
                "a.ts:3:1",
            ),
            (
                r#"{"testId":"a","expectedStatus":"passed","durationMs":5.0,"location":{"file":"a.ts","line":3}}"#,
                "a.ts:3",
            ),
        ] {
            let record: TestRecord = serde_json::from_str(text).unwrap();
            assert_eq!(record.test_id, "a");
            assert_eq!(record.expected_status, Some(TestStatus::Passed));
            assert_eq!(record.duration_ms, Some(5.0));
            assert_eq!(record.location.as_deref(), Some(location), "{text}");
        }
    }

    #[test]
    fn statuses_are_playwrights_words() {
        for (text, status) in [
            ("passed", TestStatus::Passed),
            ("failed", TestStatus::Failed),
            ("timedOut", TestStatus::TimedOut),
            ("interrupted", TestStatus::Interrupted),
            ("skipped", TestStatus::Skipped),
        ] {
            assert_eq!(serde_json::from_value::<TestStatus>(text.into()).unwrap(), status);
            assert_eq!(serde_json::to_value(status).unwrap(), text);
        }
        assert!(serde_json::from_value::<TestStatus>("flaky".into()).is_err());
    }
}
