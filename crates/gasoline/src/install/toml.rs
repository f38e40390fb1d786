//! Edits one place of a TOML file, and keeps everything else.

use toml_edit::{Array, DocumentMut, Item, Table, TableLike, value};

use super::{Change, Launch};

pub(super) fn install(text: &str, section: &str, name: &str, launch: &Launch) -> Result<Change, String> {
    let mut document = parse(text)?;
    let servers = document.entry(section).or_insert_with(|| {
        let mut table = Table::new();
        table.set_implicit(true);
        Item::Table(table)
    });
    let servers = servers.as_table_like_mut().ok_or_else(|| format!("its `{section}` is not a table"))?;
    let args: Array = launch.args.iter().collect();
    let Some(known) = servers.get_mut(name) else {
        let mut table = Table::new();
        table.insert("command", value(launch.program()));
        table.insert("args", value(args));
        servers.insert(name, Item::Table(table));
        return Ok(Change::Added(document.to_string()));
    };
    let known: &mut dyn TableLike =
        known.as_table_like_mut().ok_or_else(|| format!("its `{section}.{name}` is not a table"))?;
    let command = known.get("command").and_then(Item::as_str).map(str::to_owned);
    let told: Option<Vec<&str>> = match known.get("args") {
        Some(args) => args.as_array().and_then(|args| args.iter().map(|arg| arg.as_str()).collect()),
        None => Some(Vec::new()),
    };
    if command.as_deref() == Some(launch.program().as_str()) && told.is_some_and(|told| told == launch.args) {
        return Ok(Change::Nothing);
    }
    known.insert("command", value(launch.program()));
    known.insert("args", value(args));
    Ok(Change::Updated(document.to_string(), command.unwrap_or_else(|| "nothing".to_owned())))
}

/// The value of a boolean member of an entry.
pub(super) fn flag(text: &str, section: &str, name: &str, member: &str) -> Option<bool> {
    parse(text).ok()?.get(section)?.as_table_like()?.get(name)?.as_table_like()?.get(member)?.as_bool()
}

pub(super) fn uninstall(text: &str, section: &str, name: &str) -> Result<Change, String> {
    let mut document = parse(text)?;
    let removed = document.get_mut(section).and_then(Item::as_table_like_mut).and_then(|servers| servers.remove(name));
    Ok(if removed.is_some() { Change::Removed(document.to_string()) } else { Change::Nothing })
}

fn parse(text: &str) -> Result<DocumentMut, String> {
    text.parse().map_err(|error: toml_edit::TomlError| {
        let reason = error.to_string();
        format!("not valid TOML: {}", reason.lines().next().unwrap_or_default())
    })
}
