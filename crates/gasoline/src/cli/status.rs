//! `gasoline status`

use std::process::ExitCode;

use anyhow::Result;
use serde_json::{Value, json};

use super::light_runtime;
use crate::daemon::{Connection, Problem};
use crate::state::StateDir;
use crate::terminal::say;

pub(super) fn run(port: u16, json: bool) -> Result<ExitCode> {
    let mut health = read(port)?;
    if json {
        if let Value::Object(fields) = &mut health {
            fields.insert("port".to_owned(), json!(port));
            fields.insert("address".to_owned(), json!(address(port)));
        }
        say(serde_json::to_string_pretty(&health)?);
    } else {
        say(summary(port, &health));
    }
    Ok(ExitCode::SUCCESS)
}

fn read(port: u16) -> Result<Value> {
    let token = StateDir::open()?.token()?;
    light_runtime()?.block_on(async { Ok(Connection::open(port, &token).await?.health().await?) })
}

fn address(port: u16) -> String {
    format!("http://127.0.0.1:{port}")
}

/// The status in a few lines, whether a server runs or not.
pub(super) fn short(port: u16) -> String {
    match read(port) {
        Ok(health) => summary(port, &health),
        Err(error) => match error.downcast_ref::<Problem>() {
            Some(Problem::NotRunning) => {
                format!("No server is running on port {port}; an AI client starts it when it connects.")
            }
            _ => format!("{error:#}"),
        },
    }
}

fn summary(port: u16, health: &Value) -> String {
    let text = |pointer: &str| health.pointer(pointer).and_then(Value::as_str).unwrap_or("?").to_owned();
    let number = |pointer: &str| health.pointer(pointer).and_then(Value::as_u64).unwrap_or(0);
    let mut lines = vec![format!(
        "Gasoline {} has been running on {} for {}.",
        text("/version"),
        address(port),
        duration(number("/uptime_seconds"))
    )];

    let tabs = health.pointer("/extension/tabs").and_then(Value::as_array).map_or(0, Vec::len);
    lines.push(if health.pointer("/extension/connected") == Some(&Value::Bool(true)) {
        format!("Browser   connected, {tabs} tabs")
    } else {
        "Browser   not connected: load the extension, then reload your page".to_owned()
    });

    let clients: Vec<String> = health
        .pointer("/clients")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .map(|client| client.get("name").and_then(Value::as_str).unwrap_or("unnamed").to_owned())
        .collect();
    lines.push(if clients.is_empty() {
        "Clients   none".to_owned()
    } else {
        format!("Clients   {}", clients.join(", "))
    });

    let buffers: Vec<String> = health
        .pointer("/buffers")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .filter_map(|(kind, report)| {
            let count = report.get("count")?.as_u64()?;
            (count > 0).then(|| format!("{count} {}", kind.replace('_', " ")))
        })
        .collect();
    lines.push(if buffers.is_empty() {
        "Captured  nothing yet".to_owned()
    } else {
        format!("Captured  {}", buffers.join(", "))
    });
    if let Some(memory) = health.pointer("/memory_mb").and_then(Value::as_f64) {
        lines.push(format!("Memory    {memory} MB"));
    }
    if let Some(error) = health.pointer("/journal/error").and_then(Value::as_str) {
        lines.push(format!("Disk      logs are kept in memory only: {error}"));
    }
    if let Some(mode @ ("no_bodies" | "minimal")) = health.pointer("/memory_mode").and_then(Value::as_str) {
        lines.push(format!("Warning   memory is low, mode: {mode}"));
    }
    lines.join("\n")
}

fn duration(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min", seconds / 60),
        _ => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}
