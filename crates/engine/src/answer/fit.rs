//! Cuts a list to the caller's budget, and counts what was left out.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use serde_with::skip_serializing_none;
use wire::Level;

use super::Counts;

use crate::text::shorten;

/// How much a list may show.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    /// Entries at most.
    pub entries: usize,
    /// Bytes of the entries together.
    pub bytes: usize,
    /// When room is short, errors go before the rest; otherwise only age counts.
    pub severe_first: bool,
}

/// How much of an entry's long texts is shown, and whether a text was shortened.
#[derive(Debug)]
pub struct Texts {
    whole: bool,
    full_bytes: Cell<usize>,
}

impl Texts {
    fn new(whole: bool) -> Self {
        Self { whole, full_bytes: Cell::new(0) }
    }

    /// Whether the entry is the only one of its list: then all of it is shown.
    pub fn are_whole(&self) -> bool {
        self.whole
    }

    /// The text; a list with several entries shows only its beginning.
    pub fn show(&self, text: &str, most_chars: usize) -> String {
        if self.whole {
            return text.to_owned();
        }
        let shown = shorten(text, most_chars);
        if shown != text {
            self.full_bytes.set(self.full_bytes.get().max(text.len()));
        }
        shown
    }

    /// The same for a text that was cut before it was stored. `cut_from` is its full size in bytes.
    pub fn show_cut(&self, text: &str, most_chars: usize, cut_from: Option<u64>) -> String {
        let cut_from = cut_from.and_then(|bytes| usize::try_from(bytes).ok()).filter(|bytes| *bytes > text.len());
        let shown = self.show(text, most_chars);
        self.full_bytes.set(self.full_bytes.get().max(cut_from.unwrap_or(0)));
        shown
    }
}

/// How much of the matching entries a list shows.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Extent {
    /// How many match.
    pub total: usize,
    /// How many are listed.
    pub returned: usize,
    /// Whether some that match are not listed.
    truncated: Option<bool>,
    /// How many are not listed, by level or class.
    left_out: Option<Counts>,
}

/// The entries of a list that its budget has room for.
#[derive(Debug)]
pub struct List<T> {
    /// The entries that fit, newest first.
    pub entries: Vec<Fitted<T>>,
    /// How many match, and how many are listed.
    pub extent: Extent,
}

impl<T> List<T> {
    /// Whether nothing matched.
    pub fn is_empty(&self) -> bool {
        self.extent.total == 0
    }
}

/// A rendered entry of a list, with its texts shortened to the room there is.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(transparent, bound = "")]
#[schemars(inline)]
pub struct Fitted<T> {
    #[schemars(with = "T")]
    value: Value,
    #[serde(skip)]
    of: PhantomData<fn() -> T>,
}

/// A value whose texts are shortened as it is rendered.
#[derive(Debug, Clone, JsonSchema)]
#[schemars(transparent)]
pub struct Shortened<T> {
    /// The value itself.
    pub value: T,
    /// How many characters of a text are shown.
    #[schemars(skip)]
    pub most_chars: usize,
}

impl<T: Serialize> Serialize for Shortened<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut value = rendered(&self.value);
        shorten_texts(&mut value, self.most_chars);
        value.serialize(serializer)
    }
}

/// Fits entries into a budget. The entries come newest first, each with its severity, and stay in that order. Only
/// entries that are shown are rendered: a full buffer must not cost more than its answer. An entry with a shortened
/// text says so: `truncated`, and the text's `full_size` in bytes.
pub fn fit<T, R: Serialize>(entries: &[(Level, T)], render: impl Fn(&T, &Texts) -> R, budget: Budget) -> List<R> {
    fit_by(entries, |level, _| level.name(), render, budget)
}

/// The same, but what is left out is counted by another class than severity.
pub fn fit_by<T, R: Serialize>(
    entries: &[(Level, T)],
    class: impl Fn(Level, &T) -> &'static str,
    render: impl Fn(&T, &Texts) -> R,
    budget: Budget,
) -> List<R> {
    let of_level = |level: Level| entries.iter().enumerate().filter(move |(_, (severity, _))| *severity == level);
    // Among equally severe ones the newest stay first.
    let order: Vec<(usize, &(Level, T))> = if budget.severe_first {
        Level::LOUDEST_FIRST.into_iter().flat_map(of_level).take(budget.entries).collect()
    } else {
        entries.iter().enumerate().take(budget.entries).collect()
    };
    let is_only_one = order.len() == 1;
    let mut used = 0;
    let mut chosen: Vec<(usize, Fitted<R>)> = Vec::new();
    for (index, (_, entry)) in order {
        let texts = Texts::new(is_only_one);
        let mut value = rendered(&render(entry, &texts));
        let mut full_bytes = texts.full_bytes.get();
        if chosen.is_empty() {
            // One entry is always shown, shortened if need be: an empty answer would help nobody.
            let longest = longest_text(&value);
            if fit_value(&mut value, budget.bytes.max(SMALLEST_ENTRY)) > 0 {
                full_bytes = full_bytes.max(longest);
            }
        }
        if let (Value::Object(fields), 1..) = (&mut value, full_bytes) {
            fields.insert("truncated".to_owned(), json!(true));
            fields.insert("full_size".to_owned(), json!(full_bytes));
        }
        used += json_len(&value) + 1;
        if used > budget.bytes && !chosen.is_empty() {
            break;
        }
        chosen.push((index, Fitted { value, of: PhantomData }));
    }
    chosen.sort_by_key(|(index, _)| *index);

    let (total, returned) = (entries.len(), chosen.len());
    let is_cut = returned < total;
    let left_out = is_cut.then(|| {
        let is_shown = |index: usize| chosen.binary_search_by_key(&index, |(chosen, _)| *chosen).is_ok();
        let unseen = entries.iter().enumerate().filter(|(index, _)| !is_shown(*index));
        let mut counts: BTreeMap<(Level, &str), usize> = BTreeMap::new();
        for (_, (level, entry)) in unseen {
            *counts.entry((*level, class(*level, entry))).or_default() += 1;
        }
        // The worst first.
        counts.into_iter().rev().map(|((_, class), count)| (class, count)).collect()
    });
    let extent = Extent { total, returned, truncated: is_cut.then_some(true), left_out };
    List { entries: chosen.into_iter().map(|(_, entry)| entry).collect(), extent }
}

/// Our types always render: they contain nothing that JSON cannot express.
fn rendered(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

/// An entry that is cut for lack of room keeps about this many bytes.
const SMALLEST_ENTRY: usize = 400;

/// Makes a value fit: shortens its texts, the longest first, then leaves out its largest parts. Returns how many bytes
/// were removed.
pub fn fit_value(value: &mut Value, most_bytes: usize) -> usize {
    let before = json_len(value);
    if before <= most_bytes {
        return 0;
    }
    let mut longest = 8_192;
    while json_len(value) > most_bytes && longest >= 64 {
        shorten_texts(value, longest);
        longest /= 2;
    }
    while json_len(value) > most_bytes && leave_out_largest(value) {}
    before.saturating_sub(json_len(value))
}

/// Makes an answer fit by dropping the last entries of one of its lists; the first entry stays. Returns how many were
/// dropped.
pub fn fit_list<A: Serialize, T: Serialize>(
    answer: &mut A,
    list: impl Fn(&mut A) -> &mut Vec<T>,
    most_bytes: usize,
) -> usize {
    let mut bytes = json_len(answer);
    let list = list(answer);
    let before = list.len();
    while bytes > most_bytes
        && list.len() > 1
        && let Some(last) = list.pop()
    {
        bytes = bytes.saturating_sub(json_len(&last) + 1);
    }
    before - list.len()
}

/// Replaces its largest list or object by a note. `false` when there is none left.
fn leave_out_largest(value: &mut Value) -> bool {
    let parts: Vec<&mut Value> = match value {
        Value::Object(fields) => fields.values_mut().collect(),
        Value::Array(items) => items.iter_mut().collect(),
        _ => return false,
    };
    let is_large = |part: &&mut Value| matches!(**part, Value::Array(_) | Value::Object(_));
    let Some(largest) = parts.into_iter().filter(is_large).max_by_key(|part| json_len(&**part)) else {
        // Many small parts: the list as a whole has to go.
        let note = left_out(json_len(value));
        let shrinks = json_len(&note) < json_len(value);
        *value = note;
        return shrinks;
    };
    *largest = left_out(json_len(largest));
    true
}

fn left_out(bytes: usize) -> Value {
    Value::String(format!("… {bytes} bytes left out"))
}

/// The length in bytes of the longest text.
fn longest_text(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(longest_text).max().unwrap_or(0),
        Value::Object(fields) => fields.values().map(longest_text).max().unwrap_or(0),
        _ => 0,
    }
}

pub(crate) fn shorten_texts(value: &mut Value, most_chars: usize) {
    match value {
        Value::String(text) if text.len() > most_chars => *text = shorten(text, most_chars),
        Value::Array(items) => items.iter_mut().for_each(|item| shorten_texts(item, most_chars)),
        Value::Object(fields) => fields.values_mut().for_each(|field| shorten_texts(field, most_chars)),
        _ => {}
    }
}

/// The length of a value's compact JSON text.
pub fn json_len(value: &impl Serialize) -> usize {
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
    // Counting cannot fail.
    let _ = serde_json::to_writer(&mut count, value);
    count.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(entries: &[(Level, &str)], budget: Budget) -> Value {
        listed(fit(entries, |text, _| json!(text), budget))
    }

    fn listed<T>(list: List<T>) -> Value {
        let mut answer = json!(list.extent);
        answer["logs"] = json!(list.entries);
        answer
    }

    #[test]
    fn a_list_in_an_answer_loses_only_its_end() {
        #[derive(Debug, Clone, PartialEq, Serialize)]
        struct Listed {
            list: Vec<String>,
            more: &'static str,
        }
        let of = |entries: usize| {
            let list = (0..entries).map(|number| format!("{number:0>98}")).collect();
            Listed { list, more: "stays" }
        };
        fn entries(answer: &mut Listed) -> &mut Vec<String> {
            &mut answer.list
        }
        let mut fits = of(10);
        let exactly = json_len(&fits);
        assert_eq!((fit_list(&mut fits, entries, exactly), &fits), (0, &of(10)));
        assert_eq!((fit_list(&mut fits, entries, exactly - 1), &fits), (1, &of(9)));
        let mut cut = of(10);
        let left_out = fit_list(&mut cut, entries, 600);
        assert!(left_out > 0 && json_len(&cut) <= 600, "{left_out} {cut:?}");
        assert_eq!(cut, of(10 - left_out));
        let mut tiny = of(10);
        assert_eq!(fit_list(&mut tiny, entries, 10), 9, "one is always shown");
    }

    #[test]
    fn a_shortened_text_says_so_and_a_single_entry_is_whole() {
        let long = "é".repeat(1_000);
        let show = |entries: &[(Level, &str)], bytes: usize| {
            let budget = Budget { entries: 9, bytes, severe_first: false };
            listed(fit(entries, |text, texts| json!({ "message": texts.show(text, 10) }), budget))
        };
        let (alone, beside) = ((Level::Log, long.as_str()), (Level::Log, "short"));
        let two = show(&[alone, beside], 10_000);
        assert_eq!(
            two["logs"][0],
            json!({ "message": format!("{}…", "é".repeat(10)), "truncated": true, "full_size": 2_000 })
        );
        assert_eq!(two["logs"][1], json!({ "message": "short" }));
        assert_eq!(show(&[alone], 10_000)["logs"][0], json!({ "message": long }));
        // Shown in full as far as there is room.
        let little = show(&[alone], 600);
        assert_eq!((&little["logs"][0]["truncated"], &little["logs"][0]["full_size"]), (&json!(true), &json!(2_000)));
        assert!(little["logs"][0]["message"].as_str().unwrap().chars().count() > 10);
    }

    #[test]
    fn short_of_room_errors_go_first_and_the_order_stays() {
        let entries =
            [(Level::Log, "new log"), (Level::Error, "error"), (Level::Warn, "warning"), (Level::Log, "old log")];
        let answer = list(&entries, Budget { entries: 3, bytes: 1000, severe_first: true });
        assert_eq!(answer["logs"], json!(["new log", "error", "warning"]));
        assert_eq!(answer["total"], 4);
        assert_eq!(answer["left_out"], json!({"log": 1}));
        let newest = list(&entries, Budget { entries: 1, bytes: 1000, severe_first: false });
        assert_eq!(newest["logs"], json!(["new log"]));
        assert_eq!(newest["left_out"].to_string(), r#"{"error":1,"warn":1,"log":1}"#);
    }

    #[test]
    fn the_byte_limit_holds_at_the_boundary() {
        let entries = [(Level::Log, "aaaa"), (Level::Log, "bbbb")];
        // Each takes its six bytes of JSON and a comma.
        let both = list(&entries, Budget { entries: 9, bytes: 14, severe_first: false });
        assert_eq!(both["returned"], 2);
        assert_eq!(both["truncated"], Value::Null);
        let one = list(&entries, Budget { entries: 9, bytes: 13, severe_first: false });
        assert_eq!(one["returned"], 1);
        let still_one = list(&entries, Budget { entries: 9, bytes: 0, severe_first: false });
        assert_eq!(still_one["logs"], json!(["aaaa"]));
        let long = "z".repeat(5_000);
        let shortened = list(&[(Level::Log, long.as_str())], Budget { entries: 9, bytes: 0, severe_first: false });
        assert!(json_len(&shortened["logs"]) <= SMALLEST_ENTRY + 2);
    }

    #[test]
    fn a_value_is_cut_until_it_fits() {
        let mut value = json!({ "long": "x".repeat(9_000), "short": "y" });
        let cut = fit_value(&mut value, 5_000);
        assert_eq!(cut, 9_000 - 4_096 - "…".len());
        assert!(json_len(&value) <= 5_000);
        assert_eq!(value["short"], "y");
        let mut fits = json!({ "a": "b" });
        assert_eq!(fit_value(&mut fits, 9), 0);
        let mut shapeless = json!({ "numbers": vec![0; 10_000], "name": "kept" });
        assert!(fit_value(&mut shapeless, 100) > 19_000);
        assert_eq!(shapeless, json!({ "numbers": "… 20001 bytes left out", "name": "kept" }));
    }
}
