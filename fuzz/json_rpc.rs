//! What must hold for any lines that pass through the stdio bridge. Shared by the fuzz target and the regular tests.

use serde_json::Value;

#[allow(dead_code)]
#[path = "../crates/gasoline/src/daemon/conversation.rs"]
mod conversation;

use self::conversation::{Conversation, REPLAY_ID, error_line, line_of};

/// Lines of both sides: one that begins with `<` comes from the server.
pub fn check(input: &[u8]) {
    let mut conversation = Conversation::default();
    let mut requests = 0;
    for bytes in input.split_inclusive(|byte| *byte == b'\n') {
        let (is_answer, bytes) = match bytes.strip_prefix(b"<") {
            Some(rest) => (true, rest),
            None => (false, bytes),
        };
        let Some(line) = line_of(bytes) else { continue };
        assert!(!line.is_empty() && !line.contains('\n'), "one line stays one: {line:?}");
        if is_answer {
            let waiting = conversation.waiting.len();
            conversation.answered(&line);
            assert!(conversation.waiting.len() + 1 >= waiting, "one answer, one request");
        } else {
            conversation.sent(&line);
            requests += 1;
        }
    }
    assert!(conversation.waiting.len() <= requests);

    // A new server is greeted with the client's own words, under our id.
    if let Some(introduction) = conversation.replayed() {
        assert!(!introduction.contains(['\n', '\r']), "one line: {introduction}");
        let introduction: Value = serde_json::from_str(&introduction).expect("it is JSON");
        assert_eq!(introduction["id"], REPLAY_ID);
        assert_eq!(introduction["method"], "initialize");
    }

    // Whoever waits can be answered, each by its own id, and then waits no more.
    let ids: Vec<String> = conversation.waiting.keys().cloned().collect();
    for id in ids {
        let line = conversation.waiting[&id].line.clone();
        let request: Value = serde_json::from_str(&line).unwrap_or_default();
        let error = error_line(&id, "the \"server\"\nwent away");
        assert!(!error.contains(['\n', '\r']), "one line: {error}");
        let answer: Value = serde_json::from_str(&error).expect("it is JSON");
        // What is nested too deeply to be read as a whole is passed on all the same.
        if !request.is_null() {
            assert_eq!(answer["id"], request["id"], "{line}");
        }
        conversation.answered(&error);
        assert!(!conversation.waiting.contains_key(&id), "{line} is answered by {error}");
    }
    assert!(conversation.waiting.is_empty());
}
