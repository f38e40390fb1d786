//! Performance budgets of a project: `.gasoline.json`, written by its developers.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::metric::Metric;
use crate::text::shorten;

const NAME_CHARS: usize = 60;
/// Faults of the file that are reported one by one; more are only counted.
const TOLD_FAULTS: usize = 5;

/// The budgets of `.gasoline.json`, as far as the file could be understood.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Budgets {
    all: BTreeMap<Metric, f64>,
    /// By path. A path that ends in `*` stands for all paths that begin with the rest.
    pages: Vec<(String, BTreeMap<Metric, f64>)>,
    /// What could not be understood, one line each.
    pub faults: Vec<String>,
}

impl Budgets {
    /// Reads the file. A part that cannot be understood becomes a fault; the other parts hold.
    pub fn read(text: &str) -> Self {
        let mut budgets = Self::default();
        let file: Value = match serde_json::from_str(text) {
            Ok(file) => file,
            // The parser's message quotes the file; the place is enough.
            Err(error) => {
                budgets.fault(format!("not valid JSON, at line {} column {}", error.line(), error.column()));
                return budgets;
            }
        };
        let Value::Object(fields) = file else {
            budgets.fault("not a JSON object".to_owned());
            return budgets;
        };
        for (name, value) in fields {
            match (name.as_str(), value) {
                ("budgets", Value::Object(metrics)) => budgets.all = budgets.metrics("budgets", &metrics),
                ("pages", Value::Object(pages)) => {
                    for (path, value) in pages {
                        let place = format!("pages[{:?}]", shorten(&path, NAME_CHARS));
                        match value {
                            Value::Object(metrics) => {
                                let metrics = budgets.metrics(&place, &metrics);
                                budgets.pages.push((path, metrics));
                            }
                            _ => budgets.fault(format!("{place} is not an object of budgets")),
                        }
                    }
                }
                ("budgets" | "pages", _) => budgets.fault(format!("{name:?} is not an object")),
                _ => budgets
                    .fault(format!("unknown key {:?}; known: \"budgets\", \"pages\"", shorten(&name, NAME_CHARS))),
            }
        }
        if let Some(more) = budgets.faults.len().checked_sub(TOLD_FAULTS).filter(|more| *more > 0) {
            budgets.faults.truncate(TOLD_FAULTS);
            budgets.fault(format!("and {more} more"));
        }
        budgets
    }

    /// For a file that exists and cannot be read.
    pub fn unreadable(why: impl Into<String>) -> Self {
        Self { faults: vec![why.into()], ..Self::default() }
    }

    fn fault(&mut self, fault: String) {
        self.faults.push(fault);
    }

    fn metrics(&mut self, place: &str, metrics: &Map<String, Value>) -> BTreeMap<Metric, f64> {
        let mut known = BTreeMap::new();
        for (name, value) in metrics {
            let metric = Metric::ALL.into_iter().find(|metric| metric.key() == name);
            match (metric, value.as_f64()) {
                (Some(metric), Some(most)) if most >= 0.0 => {
                    known.insert(metric, most);
                }
                (Some(_), _) => self.fault(format!("{place}.{name} is not a number of zero or more")),
                (None, _) => {
                    let names = Metric::ALL.map(Metric::key).join(", ");
                    self.fault(format!("unknown key {place}.{}; known: {names}", shorten(name, NAME_CHARS)));
                }
            }
        }
        known
    }

    /// The budgets of a page. Its own go before those for all pages, and the longest matching pattern goes first.
    pub(super) fn for_page(&self, path: &str) -> BTreeMap<Metric, f64> {
        let is_meant = |pattern: &str| match pattern.strip_suffix('*') {
            Some(start) => path.starts_with(start),
            None => path == pattern,
        };
        let mut own: Vec<_> = self.pages.iter().filter(|(pattern, _)| is_meant(pattern)).collect();
        own.sort_by_key(|(pattern, _)| (!pattern.ends_with('*'), pattern.len()));
        let mut budgets = self.all.clone();
        budgets.extend(own.into_iter().flat_map(|(_, metrics)| metrics.clone()));
        budgets
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_page_gets_its_own_budgets_and_those_for_all_pages() {
        let budgets = Budgets::read(
            &json!({
                "budgets": { "load": 2000, "requestCount": 50, "cumulativeLayoutShift": 0.1 },
                "pages": { "/checkout": { "load": 1000 }, "/check*": { "load": 1500, "longTasks": 0 } },
            })
            .to_string(),
        );
        assert_eq!(budgets.faults, Vec::<String>::new());
        let of = |path: &str| {
            budgets.for_page(path).into_iter().map(|(metric, most)| (metric.key(), most)).collect::<Vec<_>>()
        };
        assert_eq!(of("/"), [("load", 2000.0), ("requestCount", 50.0), ("cumulativeLayoutShift", 0.1)]);
        let checks = [("load", 1500.0), ("requestCount", 50.0), ("longTasks", 0.0), ("cumulativeLayoutShift", 0.1)];
        assert_eq!(of("/checks"), checks);
        assert_eq!(of("/checkout").first(), Some(&("load", 1000.0)), "the exact one wins");
    }

    #[test]
    fn faults_are_named_and_valid_budgets_hold() {
        for (text, fault) in [
            ("{\"budgets\": {\"load\": 1,}}".to_owned(), "not valid JSON, at line 1 column 24"),
            ("[]".to_owned(), "not a JSON object"),
            (json!({ "budget": {} }).to_string(), "unknown key \"budget\"; known: \"budgets\", \"pages\""),
            (json!({ "budgets": 1 }).to_string(), "\"budgets\" is not an object"),
            (json!({ "budgets": { "load": "fast" } }).to_string(), "budgets.load is not a number of zero or more"),
            (json!({ "budgets": { "load": -1 } }).to_string(), "budgets.load is not a number of zero or more"),
            (json!({ "budgets": { "lcp": 1 } }).to_string(), "unknown key budgets.lcp; known: timeToFirstByte, "),
            (json!({ "pages": { "/a": 1 } }).to_string(), "pages[\"/a\"] is not an object of budgets"),
            (json!({ "pages": { "/a": { "x": 1 } } }).to_string(), "unknown key pages[\"/a\"].x; known: "),
        ] {
            let budgets = Budgets::read(&text);
            assert_eq!(budgets.faults.len(), 1, "{text}");
            assert!(budgets.faults[0].starts_with(fault), "{:?}", budgets.faults);
        }
        let many: Map<String, Value> = (0..9).map(|n| (format!("k{n}"), json!(1))).collect();
        let budgets = Budgets::read(&json!({ "budgets": { "load": 5 }, "more": many, "budgetz": many }).to_string());
        assert_eq!((budgets.faults.len(), budgets.for_page("/").len()), (2, 1));
        let budgets = Budgets::read(&json!({ "budgets": many }).to_string());
        assert_eq!(budgets.faults.len(), TOLD_FAULTS + 1);
        assert_eq!(budgets.faults.last().unwrap(), "and 4 more");
    }
}
