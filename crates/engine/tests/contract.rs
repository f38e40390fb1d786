//! The wire contract: the server understands every field that the seeds and our browser side send, in any spelling. The
//! TypeScript tests read the same files.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use std::collections::BTreeSet;
use std::path::Path;

use engine::intake::Content;
use engine::test_runs::OpenTests;
use engine::{Kind, Redactor};
use serde_json::{Map, Value};
use wire::Timestamp;

const ARRIVAL: Timestamp = Timestamp::from_millis(1_770_600_000_000);

/// Each content, the name of its fixture, and the fixture.
#[allow(clippy::disallowed_methods, reason = "a test may read its own files")]
fn fixtures() -> Vec<(&'static str, Content, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/wire");
    let fixture = |content: Content| {
        let name = content.path().trim_start_matches('/');
        let text = std::fs::read_to_string(folder.join(format!("{name}.json"))).unwrap();
        (name, content, serde_json::from_str(&text).unwrap())
    };
    Content::ALL.into_iter().map(fixture).collect()
}

/// What is stored of a body, with the names of unknown fields.
fn take_in(content: Content, body: &Value) -> (Vec<Value>, Vec<String>) {
    let text = body.to_string();
    let mut unknown = Vec::new();
    let arrived = content.split(&text, &mut |name| unknown.push(name)).unwrap();
    let redactor = Redactor::new();
    let stored = arrived
        .prepare(&redactor, &OpenTests::default(), ARRIVAL, &mut |name| unknown.push(name))
        .map(|entry| serde_json::from_slice(&entry.unwrap().text).unwrap())
        .collect();
    (stored, unknown)
}

/// The entries of a body; a single object is an entry itself.
fn entries(body: &mut Value) -> Vec<&mut Value> {
    let batched = body.as_object().unwrap().values().next().unwrap().is_array();
    if batched {
        body.as_object_mut().unwrap().values_mut().next().unwrap().as_array_mut().unwrap().iter_mut().collect()
    } else {
        vec![body]
    }
}

#[test]
fn nothing_is_unknown_or_rejected() {
    for (name, content, body) in fixtures() {
        let (stored, unknown) = take_in(content, &body);
        assert!(!stored.is_empty(), "{name}");
        assert_eq!(unknown, Vec::<String>::new(), "{name}");
    }
}

#[test]
fn camel_case_and_snake_case_mean_the_same() {
    for (name, content, body) in fixtures() {
        let (expected, _) = take_in(content, &body);
        for spell in [camel_case, snake_case] {
            let respelled = rename(&body, spell);
            let (stored, unknown) = take_in(content, &respelled);
            assert_eq!(stored, expected, "{name}: {respelled}");
            assert_eq!(unknown, Vec::<String>::new(), "{name}: {respelled}");
        }
    }
}

#[test]
fn every_field_of_the_fixtures_is_kept() {
    // Input-only names, and those that stand for another one on output.
    const RENAMED: &[&str] = &[
        "timestamp",
        "ts",
        "type",
        "id",
        "data_size",
        "duration_ms",
        "x",
        "y",
        "target",
        "action_type",
        "metric",
        "value",
        "unit",
        "context",
        "request_headers",
        "response_headers",
    ];
    for (name, content, mut body) in fixtures() {
        let (stored, _) = take_in(content, &body);
        for (entry, stored) in entries(&mut body).into_iter().zip(&stored) {
            for (field, value) in entry.as_object().unwrap() {
                if !RENAMED.contains(&field.as_str()) && !value.is_null() {
                    assert!(stored.get(field).is_some(), "{name}: `{field}` is lost in {stored}");
                }
            }
        }
    }
}

#[test]
fn absent_and_null_mean_the_same() {
    for (name, content, body) in fixtures() {
        let (expected, _) = take_in(content, &body);
        let mut with_nulls = body.clone();
        for entry in entries(&mut with_nulls) {
            let entry = entry.as_object_mut().unwrap();
            for field in ["url", "tabId", "test_id", "worker", "ts"] {
                // A field with both spellings would be there twice.
                if content != Content::ExtensionLogs || field != "url" {
                    entry.entry(field).or_insert(Value::Null);
                }
            }
        }
        assert_eq!(take_in(content, &with_nulls).0, expected, "{name}");
    }
}

/// Renames the fields of known shapes; the page's own data (`args`, `metadata`, …) keeps its names.
fn rename(value: &Value, spell: fn(&str) -> String) -> Value {
    const FOREIGN: &[&str] = &[
        "args",
        "metadata",
        "context",
        "_context",
        "_actions",
        "sourceSnippets",
        "componentAncestry",
        "stateSnapshot",
        "requestHeaders",
        "responseHeaders",
        "request_headers",
        "response_headers",
    ];
    match value {
        Value::Object(fields) => {
            let renamed = fields.iter().map(|(name, value)| {
                let value = if FOREIGN.contains(&name.as_str()) { value.clone() } else { rename(value, spell) };
                (spell(name), value)
            });
            Value::Object(renamed.collect::<Map<_, _>>())
        }
        Value::Array(items) => Value::Array(items.iter().map(|item| rename(item, spell)).collect()),
        other => other.clone(),
    }
}

fn camel_case(name: &str) -> String {
    let mut out = String::new();
    let mut upper = false;
    for (index, c) in name.char_indices() {
        match c {
            '_' if index > 0 => upper = true,
            c if upper => {
                out.extend(c.to_uppercase());
                upper = false;
            }
            c => out.push(c),
        }
    }
    out
}

fn snake_case(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_uppercase() {
            out.push('_');
            out.extend(c.to_lowercase());
        } else {
            out.push(c);
        }
    }
    out
}

/// Each row of the table of kinds has its entry's file and its fixture, and no such file lacks a row.
#[test]
#[allow(clippy::disallowed_methods, reason = "a test may look into its own folders")]
fn the_table_of_kinds_matches_the_folders() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let names = |folder: &str| -> BTreeSet<String> {
        let files = std::fs::read_dir(root.join(folder)).unwrap().map(|file| file.unwrap().path());
        files.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect()
    };
    // `PageLoad` is in `page_load.rs`.
    let file_of = |entry: &str| -> String {
        let words = entry.char_indices().map(|(place, letter)| match letter.is_uppercase() && place > 0 {
            true => format!("_{}", letter.to_lowercase()),
            false => letter.to_lowercase().to_string(),
        });
        words.collect()
    };
    let rows: Vec<(&str, &str)> = Kind::ALL.into_iter().filter_map(Kind::sent_as).collect();
    let mut entries: BTreeSet<String> = rows.iter().map(|(entry, _)| file_of(entry)).collect();
    let mut fixtures: BTreeSet<String> = rows.iter().map(|(_, path)| path.trim_start_matches('/').to_owned()).collect();
    assert_eq!((entries.len(), fixtures.len()), (rows.len(), rows.len()));
    // What entries share, and batches of any kind.
    entries.extend(["mod", "macros", "ai_context", "marks", "plausible", "sensitive_input"].map(str::to_owned));
    fixtures.insert("sync".to_owned());
    assert_eq!(names("crates/engine/src/entry"), entries);
    assert_eq!(names("fixtures/wire"), fixtures);
}
