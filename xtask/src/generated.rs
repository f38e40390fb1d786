//! Generated sources are committed; this writes them, or finds the stale ones.

use std::process::Command;

use anyhow::{Result, bail, ensure};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::answers::Answers;
use crate::{docs, openapi, prepare, shell, typescript};

/// JSON Schemas of what the server sends.
#[derive(Deserialize)]
struct Schemas {
    tools: Map<String, Value>,
    dashboard: Map<String, Value>,
}

impl Schemas {
    fn read() -> Result<Self> {
        let output = Command::new(driver::binary()).arg("schemas").output()?;
        ensure!(output.status.success(), "gasoline schemas: {}", String::from_utf8_lossy(&output.stderr));
        Ok(serde_json::from_slice(&output.stdout)?)
    }
}

pub(crate) fn run(check: bool) -> Result<()> {
    prepare::debug_binary(&[])?;
    let Schemas { tools, dashboard } = Schemas::read()?;
    let files = [
        ("browser/capture/src/wire.gen.ts", wire::typescript::wire()),
        ("browser/capture/src/limits.gen.ts", wire::typescript::limits()),
        ("browser/capture/src/sensitive.gen.ts", wire::typescript::sensitive()),
        ("browser/capture/src/settings.gen.ts", wire::typescript::settings()),
        ("browser/dashboard/src/messages.gen.ts", typescript::declarations(&dashboard)?),
        ("docs/openapi.json", openapi::document()?),
        ("docs/tools.md", docs::tools(&Answers::new(tools))?),
    ];
    let mut stale = Vec::new();
    for (path, fresh) in files {
        let path = shell::root().join(path);
        if std::fs::read_to_string(&path).is_ok_and(|current| current == fresh) {
            continue;
        }
        if check {
            stale.push(path.display().to_string());
        } else {
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder)?;
            }
            std::fs::write(&path, fresh)?;
            eprintln!("wrote {}", path.display());
        }
    }
    if !stale.is_empty() {
        bail!("out of date, run `cargo xtask gen`: {}", stale.join(", "));
    }
    Ok(())
}
