//! Parameter schemas that every client understands: no `anyOf`, no references, no formats.

use rmcp::model::JsonObject;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

pub(super) fn of_parameters<T: JsonSchema>() -> JsonObject {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    simplify(&mut schema);
    let Value::Object(mut schema) = schema else { return JsonObject::new() };
    // The struct's name and doc are for us, not for the model.
    schema.remove("title");
    schema.remove("description");
    schema.entry("properties").or_insert_with(|| json!({}));
    schema
}

/// The schema of an answer, with all references inlined.
#[cfg(debug_assertions)]
pub(super) fn of_answer<T: JsonSchema>() -> JsonObject {
    let mut settings = SchemaSettings::draft2020_12().for_serialize();
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    match settings.into_generator().into_root_schema_for::<T>().to_value() {
        Value::Object(schema) => schema,
        _ => JsonObject::new(),
    }
}

fn simplify(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            // Inside `properties`, `format` is the name of a property.
            if fields.get("format").is_some_and(Value::is_string) {
                fields.remove("format");
            }
            // Unknown parameters are rejected with a list of the known ones; saying so here costs tokens in every
            // session.
            if fields.get("additionalProperties").is_some_and(Value::is_boolean) {
                fields.remove("additionalProperties");
            }
            fields.remove("minimum");
            fields.remove("maximum");
            // An `Option` may be left out. Saying that it may also be null only costs tokens.
            if fields.get("default").is_some_and(Value::is_null) {
                fields.remove("default");
            }
            if let Some(Value::Array(types)) = fields.get_mut("type") {
                types.retain(|kind| kind != "null");
                if let [only] = types.as_slice() {
                    let only = only.clone();
                    fields.insert("type".to_owned(), only);
                }
            }
            if let Some(Value::Array(values)) = fields.get_mut("enum") {
                values.retain(|value| !value.is_null());
            }
            if let Some(Value::Array(mut choices)) = fields.remove("anyOf") {
                choices.retain(|choice| choice.get("type").is_none_or(|kind| kind != "null"));
                if let Some(Value::Object(choice)) = choices.pop() {
                    for (name, value) in choice {
                        fields.entry(name).or_insert(value);
                    }
                }
            }
            fields.values_mut().for_each(simplify);
        }
        Value::Array(items) => items.iter_mut().for_each(simplify),
        _ => {}
    }
}
