//! TypeScript from the JSON Schemas that `gasoline schemas` prints. It covers what schemars writes for our own types, and
//! fails on anything else.

use std::fmt::Write as _;

use anyhow::{Context as _, Result, bail};
use serde_json::{Map, Value};

const HEADER: &str = "// Generated from the server's types by `cargo xtask gen`. Do not edit.\n";

/// One exported type for each definition, in alphabetical order.
pub(crate) fn declarations(definitions: &Map<String, Value>) -> Result<String> {
    let mut page = HEADER.to_owned();
    let mut names: Vec<&String> = definitions.keys().collect();
    names.sort();
    for name in names {
        let schema = definitions.get(name).context("a definition")?;
        let text = type_text(schema, "").with_context(|| name.clone())?;
        let _ = write!(page, "\n{}export type {name} = {text};\n", doc(schema, ""));
    }
    Ok(page)
}

fn doc(schema: &Value, indent: &str) -> String {
    let Some(text) = schema["description"].as_str() else { return String::new() };
    format!("{indent}/** {} */\n", text.replace('\n', " ").replace("*/", "* /"))
}

fn type_text(schema: &Value, indent: &str) -> Result<String> {
    if let Some(reference) = schema["$ref"].as_str() {
        return Ok(reference.rsplit('/').next().unwrap_or(reference).to_owned());
    }
    for choices in ["anyOf", "oneOf"] {
        if let Some(choices) = schema[choices].as_array() {
            return union(choices.iter().map(|choice| type_text(choice, indent)));
        }
    }
    if let Some(value) = schema.get("const") {
        return Ok(literal(value));
    }
    if let Some(values) = schema["enum"].as_array() {
        return union(values.iter().map(|value| Ok(literal(value))));
    }
    match &schema["type"] {
        Value::String(name) => of_type(name, schema, indent),
        Value::Array(names) => union(names.iter().filter_map(Value::as_str).map(|name| of_type(name, schema, indent))),
        Value::Null if schema == &Value::Bool(true) || is_annotation(schema) => Ok("unknown".to_owned()),
        _ => bail!("no TypeScript for {schema}"),
    }
}

/// Whether a schema admits anything.
fn is_annotation(schema: &Value) -> bool {
    schema.as_object().is_some_and(|fields| fields.keys().all(|name| name == "description" || name == "default"))
}

fn of_type(name: &str, schema: &Value, indent: &str) -> Result<String> {
    Ok(match name {
        "null" | "boolean" | "string" => name.to_owned(),
        "integer" | "number" => "number".to_owned(),
        "array" => array(&schema["items"], indent)?,
        "object" => object(schema, indent)?,
        _ => bail!("no TypeScript for the type {name}"),
    })
}

fn array(items: &Value, indent: &str) -> Result<String> {
    let of = if items.is_null() { "unknown".to_owned() } else { type_text(items, indent)? };
    Ok(if of.contains(" | ") && !of.starts_with('{') { format!("({of})[]") } else { format!("{of}[]") })
}

fn object(schema: &Value, indent: &str) -> Result<String> {
    let Some(properties) = schema["properties"].as_object().filter(|properties| !properties.is_empty()) else {
        return Ok(match &schema["additionalProperties"] {
            Value::Null | Value::Bool(_) => "Record<string, unknown>".to_owned(),
            values => format!("Record<string, {}>", type_text(values, indent)?),
        });
    };
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let inner = format!("{indent}  ");
    let mut text = String::from("{\n");
    for (name, property) in properties {
        let is_required = required.contains(&name.as_str());
        let of = type_text(property, &inner).with_context(|| name.clone())?;
        // A field that may be missing is left out when it has no value.
        let (mark, of) = if is_required { ("", of) } else { ("?", without_null(&of)) };
        let _ = writeln!(text, "{}{inner}{}{mark}: {of};", doc(property, &inner), key(name));
    }
    let _ = write!(text, "{indent}}}");
    Ok(text)
}

fn without_null(text: &str) -> String {
    text.strip_suffix(" | null").unwrap_or(text).to_owned()
}

fn union(parts: impl Iterator<Item = Result<String>>) -> Result<String> {
    let mut distinct: Vec<String> = Vec::new();
    for part in parts {
        let part = part?;
        if !distinct.contains(&part) {
            distinct.push(part);
        }
    }
    // `null` comes last.
    distinct.sort_by_key(|part| part == "null");
    Ok(distinct.join(" | "))
}

fn literal(value: &Value) -> String {
    match value {
        Value::String(text) => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")),
        other => other.to_string(),
    }
}

fn key(name: &str) -> String {
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$');
    if is_plain && !name.starts_with(|c: char| c.is_ascii_digit()) { name.to_owned() } else { format!("'{name}'") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_kind_of_schema_becomes_its_type() {
        for (schema, expected) in [
            (json!({ "type": "string", "format": "date-time" }), "string"),
            (json!({ "type": ["integer", "null"] }), "number | null"),
            (json!({ "type": "array", "items": { "type": ["number", "null"] } }), "(number | null)[]"),
            (json!({ "oneOf": [{ "const": "good" }, { "const": "it's" }] }), "'good' | 'it\\'s'"),
            (json!({ "anyOf": [{ "type": "null" }, { "$ref": "#/$defs/Row" }] }), "Row | null"),
            (json!({ "type": "object", "additionalProperties": { "type": "integer" } }), "Record<string, number>"),
            (json!(true), "unknown"),
            (
                json!({ "type": "object", "required": ["a"], "properties": {
                    "a": { "type": "boolean", "description": "Whether." }, "b-c": { "type": ["string", "null"] } } }),
                "{\n  /** Whether. */\n  a: boolean;\n  'b-c'?: string;\n}",
            ),
        ] {
            assert_eq!(type_text(&schema, "").unwrap(), expected, "{schema}");
        }
        assert!(type_text(&json!({ "type": "tuple" }), "").is_err());
    }
}
