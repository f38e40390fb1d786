//! `POST /test-boundary`: when a test starts and ends, and its result.

use serde::{Deserialize, Deserializer, Serialize};

use crate::Timestamp;
use crate::batch::text_or_number;

/// How a test ended, in Playwright's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum TestStatus {
    /// The test passed.
    Passed,
    /// An assertion failed or the test threw.
    Failed,
    /// The test ran into its deadline.
    #[serde(alias = "timed_out", alias = "timedout")]
    TimedOut,
    /// The run was stopped while the test ran.
    Interrupted,
    /// The test did not run.
    Skipped,
}

/// Which end of a test a boundary marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum BoundaryAction {
    /// The test starts.
    Start,
    /// The test has ended.
    End,
}

/// The action of a boundary; the rest of it is a [`TestRecord`].
#[derive(Debug, Deserialize)]
pub struct BoundaryHead {
    /// `start` or `end`.
    pub action: Option<String>,
}

/// The reply to `POST /test-boundary`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct BoundaryReply {
    /// The test that the boundary is about.
    pub test_id: String,
    /// What was recorded.
    pub action: BoundaryAction,
    /// The server's time of the boundary.
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
    /// What a test runner reports about a test, and when it started and ended.
    pub struct TestRecord {
        /// The test's titles from the outermost suite to the test itself, joined with ` › `.
        pub title: String,
        /// The test's file.
        pub file: String,
        /// The line in that file where the test is defined.
        pub line: u32,
        /// The Playwright project that ran it.
        pub project: String,
        /// 0 for the first attempt.
        pub retry: u32,
        /// Which of several runs of the same test it is (`--repeat-each`), from 0.
        pub repeat: u32,
        /// The shard that ran it, such as `1/3`.
        pub shard: String,
        /// The worker that ran it. Entries that this worker sent without a `test_id` belong to this test.
        #[serde(deserialize_with = "text_or_number", default)]
        pub worker: String,
        /// How the test ended. Absent while it runs.
        pub status: TestStatus,
        /// How the test was expected to end, such as `failed` for one marked so.
        #[serde(alias = "expectedStatus")]
        pub expected_status: TestStatus,
        /// How long it ran, in milliseconds.
        #[serde(alias = "durationMs")]
        pub duration_ms: f64,
        /// The test runner's error message.
        pub error: String,
        /// Where the test failed: `file:line:column`. Also read from an object with these three.
        #[serde(deserialize_with = "place", default)]
        pub location: String,
        /// When the server received its start.
        pub started: Timestamp,
        /// When the server received its end. Absent while it runs.
        pub ended: Timestamp,
        /// Entries of this test that were cleared, or evicted to make room. Only the server counts them.
        pub entries_removed: u64,
    }
}

fn required<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(text_or_number(deserializer)?.unwrap_or_default())
}

/// Reads a place given as text, or as the object that Playwright gives.
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
    fn both_spellings_and_both_forms_of_a_place_are_read() {
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
