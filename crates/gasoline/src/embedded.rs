//! The browser parts in the binary: the extension, which is unpacked to a folder that Chrome can load, the dashboard,
//! the script for test runners, and the demo's shop.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use flate2::read::DeflateDecoder;
use serde_json::{Value, json};
use wire::identity::EXTENSION_KEY;

/// A file that `build.rs` packed.
struct Packed {
    name: &'static str,
    bytes: usize,
    deflated: &'static [u8],
}

/// None when the extension was not built before the binary.
static EXTENSION: &[Packed] = include!(concat!(env!("OUT_DIR"), "/extension.rs"));
/// None when the dashboard was not built before the binary.
static DASHBOARD: &[Packed] = include!(concat!(env!("OUT_DIR"), "/dashboard.rs"));
/// None when the shop was not built before the binary.
static DEMO_SHOP: &[Packed] = include!(concat!(env!("OUT_DIR"), "/demo_shop.rs"));
/// One or none.
static CI_SCRIPT: &[Packed] = include!(concat!(env!("OUT_DIR"), "/ci_script.rs"));

impl Packed {
    fn content(&self) -> Result<Vec<u8>> {
        let mut content = Vec::with_capacity(self.bytes);
        DeflateDecoder::new(self.deflated)
            .read_to_end(&mut content)
            .with_context(|| format!("this binary is damaged: cannot unpack {}; install it again", self.name))?;
        Ok(content)
    }
}

/// The extension's settings until the user changes them.
#[derive(Debug, Clone)]
pub(crate) struct Defaults {
    pub(crate) port: u16,
    pub(crate) sites: Vec<String>,
    pub(crate) bodies: bool,
}

impl Defaults {
    fn json(&self) -> Value {
        json!({ "port": self.port, "sites": self.sites, "bodies": self.bodies })
    }
}

/// Writes the extension to `folder`. Refuses a folder with other files in it.
pub(crate) fn unpack(folder: &Path, defaults: &Defaults) -> Result<()> {
    if EXTENSION.is_empty() {
        bail!(
            "this binary was built without the extension; build both with `cargo xtask build`, which needs Node, and use target/release/gasoline"
        );
    }
    if !is_empty(folder)? && !is_ours(folder) {
        bail!("{} is not empty and contains no copy of the extension; choose another folder", folder.display());
    }
    for file in EXTENSION {
        write(&folder.join(file.name), &file.content()?)?;
    }
    write(&folder.join("defaults.json"), format!("{:#}\n", defaults.json()).as_bytes())
}

/// The capture script for pages of any test runner, minified.
pub(crate) fn ci_script() -> Result<Vec<u8>> {
    let Some(script) = CI_SCRIPT.first() else {
        bail!(
            "this binary was built without the script; build both with `cargo xtask build`, which needs Node, and use target/release/gasoline"
        );
    };
    script.content()
}

/// A file of the dashboard. `None` if there is no such file, or no dashboard at all.
pub(crate) fn dashboard(name: &str) -> Option<Result<Vec<u8>>> {
    DASHBOARD.iter().find(|file| file.name == name).map(Packed::content)
}

/// The files of the shop that `gasoline demo` serves, by name.
pub(crate) fn demo_shop() -> Result<Vec<(&'static str, Vec<u8>)>> {
    if DEMO_SHOP.is_empty() {
        bail!(
            "this binary was built without the demo's shop; build both with `cargo xtask build`, which needs Node, and use target/release/gasoline"
        );
    }
    DEMO_SHOP.iter().map(|file| Ok((file.name, file.content()?))).collect()
}

fn is_empty(folder: &Path) -> Result<bool> {
    match fs::read_dir(folder) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(error).with_context(|| format!("cannot use {}", folder.display())),
    }
}

/// Whether the binary contains the extension.
pub(crate) fn is_here() -> bool {
    !EXTENSION.is_empty()
}

/// The version of a copy.
pub(crate) fn version_of(folder: &Path) -> Option<String> {
    let manifest = fs::read_to_string(folder.join("manifest.json")).ok()?;
    let manifest: Value = serde_json::from_str(&manifest).ok()?;
    manifest.get("version")?.as_str().map(str::to_owned)
}

/// Whether the folder contains an earlier copy, recognised by the key in its manifest.
pub(crate) fn is_ours(folder: &Path) -> bool {
    let manifest = fs::read_to_string(folder.join("manifest.json")).unwrap_or_default();
    serde_json::from_str::<Value>(&manifest)
        .is_ok_and(|manifest| manifest.get("key").and_then(Value::as_str) == Some(EXTENSION_KEY))
}

pub(crate) fn write(path: &Path, content: &[u8]) -> Result<()> {
    let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(path, content));
    written.with_context(|| format!("could not write {}", path.display()))
}
