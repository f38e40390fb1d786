//! Programs from the system's packages: the Chromium that the tests use, and what some tests need besides.

use std::path::Path;

use anyhow::{Result, bail};

use crate::shell::run_aside;

const CHROMIUM: [&str; 2] = ["chromium", "chromium-browser"];

/// Browsers besides Chromium that load an unpacked extension, so that the demo can use them.
const OTHER_BROWSERS: [&str; 4] = ["brave-browser", "brave", "microsoft-edge-stable", "microsoft-edge"];

/// Programs by package. Some tests need a screen for a browser with a window, Selenium's driver, or a clock that jumps;
/// without them they are skipped with a reason. Without the headless shell, the full browser is used instead.
const HELPERS: [(&str, &str); 4] = [
    ("Xvfb", "xvfb"),
    ("chromedriver", "chromium-driver"),
    ("faketime", "faketime"),
    ("chromium-headless-shell", "chromium-headless-shell"),
];

/// Installs what is missing. Playwright's own browser downloads are not needed, and branded Chrome does not load
/// unpacked extensions.
pub(crate) fn ensure_test_programs() -> Result<()> {
    let mut missing: Vec<&str> =
        HELPERS.into_iter().filter(|(program, _)| !is_on_path(program)).map(|(_, package)| package).collect();
    if !has_chromium() {
        missing.insert(0, "chromium");
    }
    install(&missing);
    if !has_chromium() {
        bail!("the browser tests need Chromium: install it, or set GASOLINE_CHROMIUM to its path");
    }
    Ok(())
}

/// For the demo, which finds browsers by itself and explains what to do if there is none.
pub(crate) fn offer_browser() {
    if !has_chromium() && !OTHER_BROWSERS.into_iter().any(is_on_path) {
        install(&["chromium"]);
    }
}

/// Installs all packages at once; if that fails, one by one, because not every distribution has a package of each name.
fn install(packages: &[&str]) {
    if packages.is_empty() || !is_on_path("apt-get") {
        return;
    }
    let apt = |args: &[&str]| {
        if is_root() {
            run_aside(".", "apt-get", args)
        } else {
            run_aside(".", "sudo", &[&["-n", "apt-get"], args].concat())
        }
    };
    let installed = apt(&["update", "-qq"]).and_then(|()| apt(&[&["install", "-y", "-qq"], packages].concat()));
    let Err(error) = installed else { return };
    for package in packages {
        if packages.len() == 1 || apt(&["install", "-y", "-qq", package]).is_err() {
            eprintln!("could not install {package}: {error:#}");
        }
    }
}

fn has_chromium() -> bool {
    std::env::var_os("GASOLINE_CHROMIUM").is_some() || CHROMIUM.into_iter().any(is_on_path)
}

/// The user who owns the running process, from its folder in `/proc`.
#[cfg(unix)]
fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata("/proc/self").is_ok_and(|folder| folder.uid() == 0)
}

#[cfg(not(unix))]
fn is_root() -> bool {
    false
}

fn is_on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| is_file(&folder.join(program)))
}

fn is_file(path: &Path) -> bool {
    path.is_file() || path.with_extension("exe").is_file()
}
