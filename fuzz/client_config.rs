//! What must hold for any config of an AI client that our entry is put into. Shared by the fuzz target and the regular
//! tests.

use std::path::PathBuf;

use jsonc_parser::{JsonValue, ParseOptions, parse_to_value};
use serde_json::Value;
use toml_edit::{DocumentMut, Item};

#[allow(dead_code, unused_imports)]
#[path = "../crates/gasoline/src/install/mod.rs"]
mod install;

use self::install::{CLIENTS, Change, Client, Launch, Syntax, installed, uninstalled};

const NAME: &str = "gasoline";

/// The first byte picks the client, the rest is its config.
pub fn check(input: &[u8]) {
    let Some((&first, rest)) = input.split_first() else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let client = &CLIENTS[usize::from(first) % CLIENTS.len()];
    let launch = Launch::new(PathBuf::from("/opt/gas \"oline\"\\bin"), 7_890 + u16::from(first / 128));

    let change = match installed(client, text, &launch) {
        Ok(change) => change,
        Err(why) => return assert!(!why.is_empty(), "a refusal has its reason"),
    };
    let with = change.text().unwrap_or(text);
    let before = read(client, text).expect("what was changed could be read");
    let after = read(client, with).expect("what was written can be read");
    let entry = &after[client.section][NAME];
    assert_eq!(entry["command"], launch.program.display().to_string(), "the client finds our entry:\n{with}");
    let has_no_args = launch.args.is_empty() && entry.get("args").is_none();
    assert!(has_no_args || entry["args"] == Value::from(launch.args.clone()), "with our arguments:\n{with}");
    assert_eq!(others(client, &before), others(client, &after), "everything else stays:\n{with}");
    if matches!(change, Change::Added(_)) {
        assert!(holds_all(client, with, text), "comments stay too:\n{text}\n---\n{with}");
    }
    assert_eq!(installed(client, with, &launch), Ok(Change::Nothing), "twice is once:\n{with}");

    let Ok(Change::Removed(without)) = uninstalled(client, with) else { panic!("what was put in can be taken out") };
    let rest = read(client, &without).expect("what was written can be read");
    assert!(rest[client.section].get(NAME).is_none(), "it is gone:\n{without}");
    assert_eq!(others(client, &before), others(client, &rest), "everything else stays:\n{without}");
    assert_eq!(uninstalled(client, &without), Ok(Change::Nothing), "gone is gone");
}

/// As another program reads it: of two members with one name, the last one counts.
fn read(client: &Client, text: &str) -> Option<Value> {
    match client.syntax {
        Syntax::Json => {
            let text = text.trim_start_matches('\u{feff}');
            let value = parse_to_value(text, &ParseOptions::default()).ok()?;
            Some(value.map_or_else(|| Value::Object(Default::default()), of_json))
        }
        Syntax::Toml => Some(of_toml(text.parse::<DocumentMut>().ok()?.as_item())),
    }
}

/// Numbers stay as they are written.
fn of_json(value: JsonValue<'_>) -> Value {
    match value {
        JsonValue::Null => Value::Null,
        JsonValue::Boolean(value) => value.into(),
        JsonValue::Number(number) => format!("number {number}").into(),
        JsonValue::String(text) => text.into_owned().into(),
        JsonValue::Array(values) => values.into_iter().map(of_json).collect(),
        JsonValue::Object(members) => {
            members.into_iter().map(|(name, value)| (name.into_owned(), of_json(value))).collect()
        }
    }
}

fn of_toml(item: &Item) -> Value {
    if let Some(table) = item.as_table_like() {
        table.iter().map(|(name, item)| (name.to_owned(), of_toml(item))).collect()
    } else if let Some(tables) = item.as_array_of_tables() {
        tables.iter().map(|table| of_toml(&Item::Table(table.clone()))).collect()
    } else if let Some(values) = item.as_array() {
        values.iter().map(|value| of_toml(&Item::Value(value.clone()))).collect()
    } else if let Some(text) = item.as_str() {
        text.into()
    } else {
        format!("other {}", item.to_string().trim()).into()
    }
}

/// Everything but our entry, and an empty section is none.
fn others(client: &Client, config: &Value) -> Value {
    let mut config = config.clone();
    if let Some(all) = config.as_object_mut()
        && let Some(servers) = all.get_mut(client.section).and_then(Value::as_object_mut)
    {
        servers.remove(NAME);
        if servers.is_empty() {
            all.remove(client.section);
        }
    }
    config
}

/// Whether a text has every character of another one in their order, white space aside. In TOML without their order:
/// dotted keys that were written in turns are put together.
fn holds_all(client: &Client, text: &str, other: &str) -> bool {
    let visible = |text: &str| -> Vec<char> {
        let text = text.trim_start_matches('\u{feff}');
        let mut characters: Vec<char> = text.chars().filter(|character| !character.is_whitespace()).collect();
        if client.syntax == Syntax::Toml {
            characters.sort_unstable();
        }
        characters
    };
    let mut characters = visible(text).into_iter();
    visible(other).into_iter().all(|wanted| characters.any(|character| character == wanted))
}
