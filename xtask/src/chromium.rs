//! The browser that the tests drive: the system's Chromium, and a screen for it where there is none.

use std::process::Command;

use anyhow::{Result, bail};

use crate::shell::run;

const NAMES: [&str; 2] = ["chromium", "chromium-browser"];

/// What single tests need, and say so when they skip themselves: a screen for a browser with a window, Selenium's driver, a
/// clock that jumps.
const HELPERS: [(&str, &str); 3] = [("Xvfb", "xvfb"), ("chromedriver", "chromium-driver"), ("faketime", "faketime")];

/// Installs what is missing from the system's packages. Browsers that Playwright would download are not needed, and branded
/// Chrome loads no unpacked extension.
pub(crate) fn ensure() -> Result<()> {
    let has_chromium = std::env::var_os("GASOLINE_CHROMIUM").is_some() || found();
    let helpers: Vec<&str> =
        HELPERS.into_iter().filter(|(program, _)| !starts(program)).map(|(_, package)| package).collect();
    if (!has_chromium || !helpers.is_empty()) && starts("apt-get") {
        let updated = run("apt-get", &["update", "-qq"]);
        if !has_chromium {
            updated?;
            run("apt-get", &["install", "-y", "-qq", "chromium"])?;
        }
        for package in helpers {
            // Not every distribution has a package of this name.
            if let Err(error) = run("apt-get", &["install", "-y", "-qq", package]) {
                println!("{package} could not be installed, its tests are skipped: {error}");
            }
        }
    }
    if !has_chromium && !found() {
        bail!("the browser tests need Chromium: install it, or set GASOLINE_CHROMIUM to its path");
    }
    Ok(())
}

/// Browsers that load an unpacked extension as well.
const OTHERS: [&str; 4] = ["brave-browser", "brave", "microsoft-edge-stable", "microsoft-edge"];

/// For the demo, which finds browsers by itself and says what to do when there is none: installs one only where that is
/// sure to be missing and easily done.
pub(crate) fn offer() {
    let is_there = std::env::var_os("GASOLINE_CHROMIUM").is_some() || found() || OTHERS.into_iter().any(starts);
    if is_there || !starts("apt-get") {
        return;
    }
    let installed =
        run("apt-get", &["update", "-qq"]).and_then(|()| run("apt-get", &["install", "-y", "-qq", "chromium"]));
    if let Err(error) = installed {
        println!("Chromium could not be installed: {error}");
    }
}

/// Whether there is such a program, whatever it thinks of the flag.
fn starts(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

fn found() -> bool {
    NAMES.iter().any(|name| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success()))
}
