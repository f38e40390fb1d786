//! Cuts a list to the size the model asked for, and counts what had to go.

use serde_json::{Map, Value, json};
use wire::Level;

/// One entry that could be shown.
#[derive(Debug, Clone)]
pub struct Candidate {
    pub severity: Level,
    pub value: Value,
}

#[derive(Debug, Clone, Copy)]
pub struct Budget {
    pub entries: usize,
    /// For the list's entries alone.
    pub bytes: usize,
    /// When room is short, errors go before the rest; otherwise only newness counts.
    pub severe_first: bool,
}

/// The list object of an answer: `{"<name>":[…],"total":n,"returned":n,"truncated"?:true}`. `candidates` come newest
/// first, and stay so.
pub fn fit(name: &str, candidates: Vec<Candidate>, budget: Budget) -> Map<String, Value> {
    let total = candidates.len();
    let mut order: Vec<usize> = (0..total).collect();
    if budget.severe_first {
        // Stable: among equally severe ones the newest stay first.
        order.sort_by_key(|&index| candidates.get(index).map(|candidate| std::cmp::Reverse(candidate.severity)));
    }
    let mut used = 0;
    let mut chosen = vec![false; total];
    for (taken, &index) in order.iter().enumerate() {
        let size = candidates.get(index).map_or(0, |candidate| json_len(&candidate.value) + 1);
        // One entry is shown whatever its size: an answer without any would help nobody.
        if taken >= budget.entries || (used + size > budget.bytes && taken > 0) {
            break;
        }
        used += size;
        if let Some(mark) = chosen.get_mut(index) {
            *mark = true;
        }
    }

    let mut left_out: Map<String, Value> = Map::new();
    let mut shown = Vec::new();
    for (candidate, chosen) in candidates.into_iter().zip(chosen) {
        if chosen {
            shown.push(candidate.value);
        } else {
            let count = left_out.entry(candidate.severity.name()).or_insert_with(|| json!(0));
            *count = json!(count.as_u64().unwrap_or(0) + 1);
        }
    }
    let mut answer = Map::new();
    let returned = shown.len();
    answer.insert(name.to_owned(), Value::Array(shown));
    answer.insert("total".to_owned(), json!(total));
    answer.insert("returned".to_owned(), json!(returned));
    if returned < total {
        answer.insert("truncated".to_owned(), json!(true));
        answer.insert("left_out".to_owned(), Value::Object(left_out));
    }
    answer
}

/// Shortens the texts of a value, the longest first, until it fits. Returns how many characters went.
pub fn fit_value(value: &mut Value, most_bytes: usize) -> usize {
    let mut cut = 0;
    let mut longest = 8_192;
    while json_len(value) > most_bytes && longest >= 16 {
        cut += shorten_texts(value, longest);
        longest /= 2;
    }
    if json_len(value) > most_bytes {
        // Not its texts but its shape is too large.
        cut += json_len(value);
        *value = Value::Null;
    }
    cut
}

fn shorten_texts(value: &mut Value, most_chars: usize) -> usize {
    match value {
        Value::String(text) => {
            let chars = text.chars().count();
            if chars <= most_chars {
                return 0;
            }
            *text = super::shorten(text, most_chars);
            chars - most_chars
        }
        Value::Array(items) => items.iter_mut().map(|item| shorten_texts(item, most_chars)).sum(),
        Value::Object(fields) => fields.values_mut().map(|field| shorten_texts(field, most_chars)).sum(),
        _ => 0,
    }
}

/// The length of a value's compact JSON text.
pub fn json_len(value: &Value) -> usize {
    struct Count(usize);
    impl std::io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    // Counting can't fail.
    let _ = serde_json::to_writer(&mut count, value);
    count.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(severity: Level, text: &str) -> Candidate {
        Candidate { severity, value: json!(text) }
    }

    #[test]
    fn short_of_room_errors_go_first_and_order_stays() {
        let candidates = vec![
            candidate(Level::Log, "new log"),
            candidate(Level::Error, "error"),
            candidate(Level::Warn, "warning"),
            candidate(Level::Log, "old log"),
        ];
        let answer = fit("logs", candidates, Budget { entries: 3, bytes: 1000, severe_first: true });
        assert_eq!(answer["logs"], json!(["new log", "error", "warning"]));
        assert_eq!(answer["total"], 4);
        assert_eq!(answer["left_out"], json!({"log": 1}));
    }

    #[test]
    fn bytes_hold_at_the_edge() {
        let entries = || vec![candidate(Level::Log, "aaaa"), candidate(Level::Log, "bbbb")];
        // Each takes its six bytes of JSON and a comma.
        let both = fit("logs", entries(), Budget { entries: 9, bytes: 14, severe_first: false });
        assert_eq!(both["returned"], 2);
        assert!(!both.contains_key("truncated"));
        let one = fit("logs", entries(), Budget { entries: 9, bytes: 13, severe_first: false });
        assert_eq!(one["returned"], 1);
        let still_one = fit("logs", entries(), Budget { entries: 9, bytes: 0, severe_first: false });
        assert_eq!(still_one["logs"], json!(["aaaa"]));
    }
}
