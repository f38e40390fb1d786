//! Edits one place of a JSON file with comments and trailing commas, and keeps everything else.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstObjectProp, CstRootNode};
use serde_json::{Map, Value};

use super::Change;

pub(super) fn install(text: &str, section: &str, name: &str, entry: &Map<String, Value>) -> Result<Change, String> {
    let root = parse(text)?;
    let top = root.object_value_or_create().ok_or("not a JSON object")?;
    is_there_once(&top, section)?;
    let servers = top.object_value_or_create(section).ok_or_else(|| format!("its `{section}` is not an object"))?;
    is_there_once(&servers, name)?;
    let Some(known) = servers.get(name) else {
        top.ensure_multiline();
        servers.ensure_multiline();
        let members = entry.iter().map(|(name, value)| (name.clone(), input(value))).collect();
        servers.append(name, CstInputValue::Object(members));
        return Ok(Change::Added(written(&root)));
    };
    let known = known.object_value().ok_or_else(|| format!("its `{section}.{name}` is not an object"))?;
    let told = |known: &CstObject, name: &str| {
        known.get(name).and_then(|member| member.value()).and_then(|value| value.to_serde_value())
    };
    entry.keys().try_for_each(|name| is_there_once(&known, name))?;
    // The user's other members (an environment, permissions) are kept.
    let differs: Vec<(&String, &Value)> =
        entry.iter().filter(|(name, value)| told(&known, name).as_ref() != Some(value)).collect();
    if differs.is_empty() {
        return Ok(Change::Nothing);
    }
    let before = told(&known, "command").map(|command| command.to_string()).unwrap_or_else(|| "nothing".to_owned());
    for (name, value) in differs {
        match known.get(name) {
            Some(member) => member.set_value(input(value)),
            None => drop(known.append(name, input(value))),
        }
    }
    Ok(Change::Updated(written(&root), before))
}

/// The value of a boolean member of an entry.
pub(super) fn flag(text: &str, section: &str, name: &str, member: &str) -> Option<bool> {
    let entry = parse(text).ok()?.object_value()?.object_value(section)?.object_value(name)?;
    entry.get(member)?.value()?.to_serde_value()?.as_bool()
}

pub(super) fn uninstall(text: &str, section: &str, name: &str) -> Result<Change, String> {
    if text.trim().is_empty() {
        return Ok(Change::Nothing);
    }
    let root = parse(text)?;
    let Some(top) = root.object_value() else { return Ok(Change::Nothing) };
    is_there_once(&top, section)?;
    let Some(servers) = top.object_value(section) else { return Ok(Change::Nothing) };
    is_there_once(&servers, name)?;
    let Some(entry) = servers.get(name) else { return Ok(Change::Nothing) };
    entry.remove();
    Ok(Change::Removed(written(&root)))
}

/// Rejects duplicate members: most programs read the last one, some the first, so it is unclear which to change.
fn is_there_once(object: &CstObject, name: &str) -> Result<(), String> {
    let is_such =
        |member: &CstObjectProp| member.name().and_then(|known| known.decoded_value().ok()).as_deref() == Some(name);
    match object.properties().iter().filter(|member| is_such(member)).count() {
        0 | 1 => Ok(()),
        _ => Err(format!("it has `{name}` more than once")),
    }
}

fn parse(text: &str) -> Result<CstRootNode, String> {
    // Some editors write a byte order mark.
    let text = text.trim_start_matches('\u{feff}');
    let text = if text.trim().is_empty() { "{}\n" } else { text };
    CstRootNode::parse(text, &ParseOptions::default()).map_err(|error| format!("not valid JSON: {error}"))
}

fn written(root: &CstRootNode) -> String {
    let text = root.to_string();
    if text.ends_with('\n') { text } else { text + "\n" }
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(value) => CstInputValue::Number(value.to_string()),
        Value::String(value) => CstInputValue::String(value.clone()),
        Value::Array(values) => CstInputValue::Array(values.iter().map(input).collect()),
        Value::Object(fields) => {
            CstInputValue::Object(fields.iter().map(|(name, value)| (name.clone(), input(value))).collect())
        }
    }
}
