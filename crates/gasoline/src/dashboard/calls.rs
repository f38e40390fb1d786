//! What AI clients asked lately, and what they were answered: so that people can see what leaves the buffers.

use std::collections::VecDeque;
use std::time::Duration;

use serde_json::{Map, Value, json};
use wire::{Timestamp, limits};

/// What a call takes besides its texts.
const OVERHEAD_BYTES: usize = 256;

#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) at: Timestamp,
    pub(crate) client: Option<String>,
    pub(crate) tool: &'static str,
    /// Its JSON text, without credentials.
    pub(crate) arguments: String,
    /// The beginning of the text that the client read, and the size of all of it.
    pub(crate) answer: String,
    pub(crate) answer_bytes: usize,
    /// Bytes of a picture that went along.
    pub(crate) picture_bytes: usize,
    pub(crate) took: Duration,
    pub(crate) failed: bool,
}

impl Call {
    /// Copies no more than is kept.
    pub(crate) fn take_answer(&mut self, text: &str) {
        self.answer_bytes += text.len();
        let room = limits::CALL_ANSWER_BYTES.saturating_sub(self.answer.len());
        self.answer.push_str(text.get(..text.floor_char_boundary(room)).unwrap_or_default());
    }
}

#[derive(Debug)]
struct Kept {
    number: u64,
    call: Call,
    argument_bytes: usize,
}

/// Bounded in calls and bytes, the oldest leave first.
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
        // A cut text would keep the room of the whole one.
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

    /// How many were ever made: tells whether there are new ones.
    pub(crate) fn made(&self) -> u64 {
        self.made
    }

    /// Those after a number, the oldest first, without their texts.
    pub(crate) fn after(&self, number: u64) -> Vec<Value> {
        self.kept.iter().filter(|kept| kept.number > number).map(|kept| Value::Object(kept.brief())).collect()
    }

    /// One with its texts.
    pub(crate) fn one(&self, number: u64) -> Option<Value> {
        let kept = self.kept.iter().find(|kept| kept.number == number)?;
        let mut fields = kept.brief();
        fields.insert("argumentsText".to_owned(), json!(kept.call.arguments));
        fields.insert("answer".to_owned(), json!(kept.call.answer));
        Some(Value::Object(fields))
    }

    /// The number of the oldest that is still here.
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

    fn brief(&self) -> Map<String, Value> {
        let Call { at, client, tool, arguments, answer_bytes, picture_bytes, took, failed, .. } = &self.call;
        // As `max_tokens` counts them.
        let tokens = answer_bytes.div_ceil(4);
        let fields = [
            ("number", json!(self.number)),
            ("at", json!(at.millis())),
            ("client", json!(client)),
            ("tool", json!(tool)),
            ("arguments", json!(engine::text::shorten(arguments, ARGUMENT_CHARS))),
            ("argumentBytes", json!(self.argument_bytes)),
            ("answerBytes", json!(answer_bytes)),
            ("pictureBytes", json!((*picture_bytes > 0).then_some(picture_bytes))),
            ("tokens", json!(tokens)),
            ("millis", json!((took.as_secs_f64() * 10_000.0).round() / 10.0)),
            ("failed", json!(failed)),
        ];
        fields.into_iter().filter(|(_, value)| !value.is_null()).map(|(name, value)| (name.to_owned(), value)).collect()
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
            let told = calls.one(calls.made()).unwrap();
            assert_eq!(told["answer"].as_str().unwrap().len(), shown);
            assert_eq!(told["answerBytes"], bytes);
            assert_eq!(told["tokens"], bytes.div_ceil(4));
        }
        calls.note(call("é".repeat(limits::CALL_ANSWER_BYTES)));
        assert_eq!(calls.one(calls.made()).unwrap()["answer"].as_str().unwrap().len(), limits::CALL_ANSWER_BYTES);
        calls.note(call(format!("a{}", "é".repeat(limits::CALL_ANSWER_BYTES))));
        assert_eq!(calls.one(calls.made()).unwrap()["answer"].as_str().unwrap().len(), limits::CALL_ANSWER_BYTES - 1);
        assert_eq!(calls.one(calls.made()).unwrap()["millis"], 1.3);
    }

    #[test]
    fn arguments_are_cut_at_their_limit_and_their_size_is_kept() {
        let mut calls = Calls::default();
        for bytes in [limits::CALL_ARGUMENT_BYTES, limits::CALL_ARGUMENT_BYTES + 1] {
            calls.note(Call { arguments: "x".repeat(bytes), ..call(String::new()) });
            let told = calls.one(calls.made()).unwrap();
            assert_eq!(told["argumentsText"].as_str().unwrap().len(), limits::CALL_ARGUMENT_BYTES);
            assert_eq!((&told["argumentBytes"], &told["tokens"]), (&json!(bytes), &json!(0)));
        }
    }

    #[test]
    fn the_oldest_leave_at_two_hundred_calls() {
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
    fn the_oldest_leave_at_two_megabytes() {
        let mut calls = Calls::default();
        for _ in 0..limits::CALLS_KEPT {
            calls.note(call("x".repeat(limits::CALL_ANSWER_BYTES)));
            assert!(calls.bytes <= limits::CALLS_BYTES);
        }
        let takes = limits::CALL_ANSWER_BYTES + "{}".len() + "test".len() + OVERHEAD_BYTES;
        assert_eq!(calls.after(0).len(), limits::CALLS_BYTES / takes);
    }
}
