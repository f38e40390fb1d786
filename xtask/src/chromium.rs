//! The browser that the tests drive: the system's Chromium.

use std::process::Command;

use anyhow::{Result, bail};

use crate::shell::run;

const NAMES: [&str; 2] = ["chromium", "chromium-browser"];

/// Installs Chromium from the system's packages when there is none. Browsers that Playwright would download are not
/// needed, and branded Chrome loads no unpacked extension.
pub(crate) fn ensure() -> Result<()> {
    if std::env::var_os("GASOLINE_CHROMIUM").is_some() || found() {
        return Ok(());
    }
    let has_apt = Command::new("apt-get").arg("--version").output().is_ok();
    if has_apt {
        run("apt-get", &["update", "-qq"])?;
        run("apt-get", &["install", "-y", "-qq", "chromium"])?;
    }
    if !found() {
        bail!("the browser tests need Chromium: install it, or set GASOLINE_CHROMIUM to its path");
    }
    Ok(())
}

fn found() -> bool {
    NAMES.iter().any(|name| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success()))
}
