//! The latest calls of AI clients with their answers, so that users can see which data leaves the buffers.

use std::collections::VecDeque;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;
use wire::{Timestamp, limits};

/// The memory of a call besides its texts.
const OVERHEAD_BYTES: usize = 256;

#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) at: Timestamp,
    pub(crate) client: Option<String>,
    pub(crate) tool: &'static str,
    /// The arguments as JSON, redacted.
    pub(crate) arguments: String,
    /// The beginning of the text that the client read, and the size of the whole text.
    pub(crate) answer: String,
    pub(crate) answer_bytes: usize,
    /// Bytes of an image in the answer.
    pub(crate) picture_bytes: usize,
    pub(crate) took: Duration,
    pub(crate) failed: bool,
}

impl Call {
    /// Copies only the part that is kept.
    pub(crate) fn take_answer(&mut self, text: &str) {
        self.answer_bytes += text.len();
        let room = limits::CALL_ANSWER_BYTES.saturating_sub(self.answer.len());
        self.answer.push_str(text.get(..text.floor_char_boundary(room)).unwrap_or_default());
    }
}

/// A call in the list of calls.
#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CallBrief {
    /// Calls are numbered from 1.
    number: u64,
    /// When it was made, in milliseconds.
    at: i64,
    /// The client that made it.
    client: Option<String>,
    /// The tool that was called.
    tool: &'static str,
    /// The beginning of its arguments, as JSON text.
    arguments: String,
    /// Bytes of all of its arguments.
    argument_bytes: usize,
    /// Bytes of the text that it returned.
    answer_bytes: usize,
    /// Bytes of the picture that it returned.
    picture_bytes: Option<usize>,
    /// The text in tokens, by the rule of thumb of four bytes each.
    tokens: usize,
    /// How long it took.
    millis: f64,
    /// Whether it returned an error.
    failed: bool,
}

/// A call with its texts, as far as they are kept.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WholeCall {
    #[serde(flatten)]
    brief: CallBrief,
    /// Its arguments, as JSON text.
    arguments_text: String,
    /// The text that it returned.
    answer: String,
}

#[derive(Debug)]
struct Kept {
    number: u64,
    call: Call,
    argument_bytes: usize,
}

/// Bounded in calls and bytes; the oldest are evicted first.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    kept: VecDeque<Kept>,
    bytes: usize,
    made: u64,
}

impl Calls {
    pub(crate) fn note(&mut self, mut call: Call) {
        let argument_bytes = call.arguments.len();
        if argument_bytes > limits::CALL_ARGUMENT_BYTES {
            call.arguments.truncate(call.arguments.floor_char_boundary(limits::CALL_ARGUMENT_BYTES));
        }
        // A truncated string would keep the capacity of the whole one.
        call.arguments.shrink_to_fit();
        self.made += 1;
        let kept = Kept { number: self.made, call, argument_bytes };
        self.bytes += kept.takes();
        self.kept.push_back(kept);
        while self.kept.len() > limits::CALLS_KEPT || self.bytes > limits::CALLS_BYTES {
            let Some(oldest) = self.kept.pop_front() else { break };
            self.bytes -= oldest.takes();
        }
    }

    /// How many calls were ever made, to see whether there are new ones.
    pub(crate) fn made(&self) -> u64 {
        self.made
    }

    /// The calls after a number, oldest first, without their texts.
    pub(crate) fn after(&self, number: u64) -> Vec<CallBrief> {
        self.kept.iter().filter(|kept| kept.number > number).map(Kept::brief).collect()
    }

    /// One call with its texts.
    pub(crate) fn one(&self, number: u64) -> Option<WholeCall> {
        let kept = self.kept.iter().find(|kept| kept.number == number)?;
        let Call { arguments, answer, .. } = &kept.call;
        Some(WholeCall { brief: kept.brief(), arguments_text: arguments.clone(), answer: answer.clone() })
    }

    /// The number of the oldest call that is kept.
    pub(crate) fn oldest(&self) -> u64 {
        self.kept.front().map_or(self.made + 1, |kept| kept.number)
    }
}

impl Kept {
    fn takes(&self) -> usize {
        self.call.arguments.len()
            + self.call.answer.len()
            + self.call.client.as_ref().map_or(0, String::len)
            + OVERHEAD_BYTES
    }

    fn brief(&self) -> CallBrief {
        let Call { at, client, tool, arguments, answer_bytes, picture_bytes, took, failed, .. } = &self.call;
        CallBrief {
            number: self.number,
            at: at.millis(),
            client: client.clone(),
            tool,
            arguments: engine::text::shorten(arguments, ARGUMENT_CHARS),
            argument_bytes: self.argument_bytes,
            answer_bytes: *answer_bytes,
            picture_bytes: (*picture_bytes > 0).then_some(*picture_bytes),
            // As `max_tokens` counts them.
            tokens: answer_bytes.div_ceil(4),
            millis: (took.as_secs_f64() * 10_000.0).round() / 10.0,
            failed: *failed,
        }
    }
}

/// Arguments in the list of calls.
const ARGUMENT_CHARS: usize = 120;

#[cfg(test)]
mod tests {
    use super::*;

    fn call(answer: String) -> Call {
        let mut call = Call {
            at: Timestamp::from_millis(0),
            client: Some("test".to_owned()),
            tool: "get_status",
            arguments: "{}".to_owned(),
            answer: String::new(),
            answer_bytes: 0,
            picture_bytes: 0,
            took: Duration::from_micros(1_250),
            failed: false,
        };
        call.take_answer(&answer);
        call
    }

    #[test]
    fn answers_are_cut_at_their_limit_and_their_size_is_kept() {
        let mut calls = Calls::default();
        for (bytes, shown) in [
            (limits::CALL_ANSWER_BYTES - 1, limits::CALL_ANSWER_BYTES - 1),
            (limits::CALL_ANSWER_BYTES, limits::CALL_ANSWER_BYTES),
            (limits::CALL_ANSWER_BYTES + 1, limits::CALL_ANSWER_BYTES),
            (limits::CALL_ANSWER_BYTES * 3, limits::CALL_ANSWER_BYTES),
        ] {
            calls.note(call("word ".repeat(bytes).chars().take(bytes).collect()));
            let call = calls.one(calls.made()).unwrap();
            assert_eq!(call.answer.len(), shown);
            assert_eq!(call.brief.answer_bytes, bytes);
            assert_eq!(call.brief.tokens, bytes.div_ceil(4));
        }
        calls.note(call("é".repeat(limits::CALL_ANSWER_BYTES)));
        assert_eq!(calls.one(calls.made()).unwrap().answer.len(), limits::CALL_ANSWER_BYTES);
        calls.note(call(format!("a{}", "é".repeat(limits::CALL_ANSWER_BYTES))));
        assert_eq!(calls.one(calls.made()).unwrap().answer.len(), limits::CALL_ANSWER_BYTES - 1);
        assert_eq!(calls.one(calls.made()).unwrap().brief.millis.to_string(), "1.3");
    }

    #[test]
    fn arguments_are_cut_at_their_limit_and_their_size_is_kept() {
        let mut calls = Calls::default();
        for bytes in [limits::CALL_ARGUMENT_BYTES, limits::CALL_ARGUMENT_BYTES + 1] {
            calls.note(Call { arguments: "x".repeat(bytes), ..call(String::new()) });
            let call = calls.one(calls.made()).unwrap();
            assert_eq!(call.arguments_text.len(), limits::CALL_ARGUMENT_BYTES);
            assert_eq!((call.brief.argument_bytes, call.brief.tokens), (bytes, 0));
        }
    }

    #[test]
    fn the_oldest_calls_are_evicted_at_two_hundred() {
        let mut calls = Calls::default();
        for _ in 0..limits::CALLS_KEPT {
            calls.note(call("short".to_owned()));
        }
        assert_eq!((calls.oldest(), calls.after(0).len()), (1, limits::CALLS_KEPT));
        calls.note(call("short".to_owned()));
        assert_eq!((calls.oldest(), calls.after(0).len()), (2, limits::CALLS_KEPT));
        assert!(calls.one(1).is_none());
        assert_eq!(calls.after(limits::CALLS_KEPT as u64).len(), 1);
    }

    #[test]
    fn the_oldest_calls_are_evicted_at_two_megabytes() {
        let mut calls = Calls::default();
        for _ in 0..limits::CALLS_KEPT {
            calls.note(call("x".repeat(limits::CALL_ANSWER_BYTES)));
            assert!(calls.bytes <= limits::CALLS_BYTES);
        }
        let takes = limits::CALL_ANSWER_BYTES + "{}".len() + "test".len() + OVERHEAD_BYTES;
        assert_eq!(calls.after(0).len(), limits::CALLS_BYTES / takes);
    }
}
