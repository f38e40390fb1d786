//! The browser that the tests drive: the system's Chromium, and a screen for it where there is none.

use std::process::Command;

use anyhow::{Result, bail};

use crate::shell::run;

const NAMES: [&str; 2] = ["chromium", "chromium-browser"];

/// Installs what is missing from the system's packages. Browsers that Playwright would download are not needed, and branded
/// Chrome loads no unpacked extension. Without a virtual screen the one test that opens a window says so and is skipped.
pub(crate) fn ensure() -> Result<()> {
    let has_chromium = std::env::var_os("GASOLINE_CHROMIUM").is_some() || found();
    let mut missing = Vec::new();
    if !has_chromium {
        missing.push("chromium");
    }
    if Command::new("Xvfb").arg("-help").output().is_err() {
        missing.push("xvfb");
    }
    let has_apt = Command::new("apt-get").arg("--version").output().is_ok();
    if has_apt && !missing.is_empty() {
        run("apt-get", &["update", "-qq"])?;
        run("apt-get", &[&["install", "-y", "-qq"], missing.as_slice()].concat())?;
    }
    if !has_chromium && !found() {
        bail!("the browser tests need Chromium: install it, or set GASOLINE_CHROMIUM to its path");
    }
    Ok(())
}

fn found() -> bool {
    NAMES.iter().any(|name| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success()))
}
