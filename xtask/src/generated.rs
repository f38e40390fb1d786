//! Generated sources are committed; this writes them, or finds the stale ones.

use anyhow::{Result, bail};

use crate::{docs, prepare, shell};

pub(crate) fn run(check: bool) -> Result<()> {
    prepare::debug_binary(&[])?;
    let files = [
        ("browser/capture/src/wire.gen.ts", wire::typescript::wire()),
        ("browser/capture/src/limits.gen.ts", wire::typescript::limits()),
        ("browser/capture/src/sensitive.gen.ts", wire::typescript::sensitive()),
        ("browser/capture/src/settings.gen.ts", wire::typescript::settings()),
        ("docs/tools.md", docs::tools()?),
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
