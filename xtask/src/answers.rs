//! The fields of each tool's answer, as tables for `docs/tools.md`. They come from the types that the tools return.

use std::fmt::Write as _;

use anyhow::{Context as _, Result};
use serde_json::{Map, Value};

/// How deep nested fields are listed. Deeper ones are in the example.
const LEVELS: usize = 2;

pub(crate) struct Answers(Map<String, Value>);

impl Answers {
    /// From the part of `gasoline schemas` about tools.
    pub(crate) fn new(schemas: Map<String, Value>) -> Self {
        Self(schemas)
    }

    /// The tool's answer as a table, or one table for each kind of answer.
    pub(crate) fn tables(&self, tool: &str) -> Result<String> {
        let schema = self.0.get(tool).with_context(|| format!("no schema for the answer of {tool}"))?;
        let mut page = String::new();
        let variants = variants(schema);
        if variants.is_empty() {
            page.push_str("\nIts answer:\n");
            table(&mut page, schema);
        }
        for variant in variants {
            let title = variant["description"].as_str().unwrap_or("Or").trim_end_matches('.');
            let _ = write!(page, "\n{title}:\n");
            // Fields that all kinds of answers share are next to the variants.
            table(&mut page, &merged(&[schema, variant]));
        }
        Ok(page)
    }
}

fn variants(schema: &Value) -> Vec<&Value> {
    schema["anyOf"].as_array().into_iter().flatten().filter(|variant| variant["type"] != "null").collect()
}

fn table(page: &mut String, schema: &Value) {
    page.push_str("\n| field | type | meaning |\n|---|---|---|\n");
    rows(page, schema, "", LEVELS);
}

fn rows(page: &mut String, schema: &Value, path: &str, levels: usize) {
    let whole = merged(&[schema]);
    let required: Vec<&str> = whole["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for (name, field) in whole["properties"].as_object().into_iter().flatten() {
        let field = without_null(field);
        let optional = if required.contains(&name.as_str()) { "" } else { "?" };
        let meaning = field["description"].as_str().unwrap_or_default().replace('\n', " ").replace('|', "\\|");
        let _ = writeln!(page, "| `{path}{name}`{optional} | {} | {meaning} |", type_of(&field));
        let (inner, mark) = match &field["items"] {
            Value::Null => (&field, "."),
            items => (items, "[]."),
        };
        if levels > 1 {
            rows(page, inner, &format!("{path}{name}{mark}"), levels - 1);
        }
    }
}

/// One object with the properties of all of these, and of the variants of their flattened enums.
fn merged(schemas: &[&Value]) -> Value {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for schema in schemas {
        for (name, field) in schema["properties"].as_object().into_iter().flatten() {
            properties.entry(name.clone()).or_insert_with(|| field.clone());
        }
        required.extend(schema["required"].as_array().into_iter().flatten().cloned());
        for variant in schema["oneOf"].as_array().into_iter().flatten() {
            for (name, field) in variant["properties"].as_object().into_iter().flatten() {
                match properties.get_mut(name) {
                    // The tag: each variant has its own.
                    Some(known) if known.get("const").is_some() => {
                        let all = [known["const"].clone(), field["const"].clone()];
                        *known = serde_json::json!({ "enum": all, "description": schema["description"] });
                    }
                    Some(known) if known.get("enum").is_some() && field.get("const").is_some() => {
                        if let Some(all) = known["enum"].as_array_mut() {
                            all.push(field["const"].clone());
                        }
                    }
                    Some(_) => {}
                    None => {
                        properties.insert(name.clone(), field.clone());
                    }
                }
            }
        }
    }
    serde_json::json!({ "properties": properties, "required": required })
}

/// The schema of an optional value, if it is present.
fn without_null(schema: &Value) -> Value {
    let mut plain = schema.clone();
    if let [only] = variants(schema).as_slice() {
        for (name, value) in only.as_object().into_iter().flatten() {
            if plain.get(name).is_none() {
                plain[name] = value.clone();
            }
        }
    }
    plain
}

fn type_of(field: &Value) -> String {
    if let Some(choices) = field["enum"].as_array() {
        return choices.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" \\| ");
    }
    if let Some(choices) = field["oneOf"].as_array() {
        // Variants with a doc sentence stand alone, the others together.
        let names = |choice: &Value| match choice["enum"].as_array() {
            Some(names) => names.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            None => choice["const"].as_str().map(str::to_owned).into_iter().collect::<Vec<_>>(),
        };
        let named: Vec<String> = choices.iter().flat_map(names).collect();
        if !named.is_empty() {
            return named.join(" \\| ");
        }
    }
    let types = match &field["type"] {
        Value::String(one) => vec![one.as_str()],
        Value::Array(several) => several.iter().filter_map(Value::as_str).filter(|kind| *kind != "null").collect(),
        _ => Vec::new(),
    };
    match types.as_slice() {
        [] => "any".to_owned(),
        ["array"] => format!("{}[]", type_of(&field["items"])),
        ["string"] if field["format"] == "date-time" => "time".to_owned(),
        several => several.join(" or "),
    }
}
