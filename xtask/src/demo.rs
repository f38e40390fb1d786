//! The proof in a minute: everything is built, and `gasoline demo` shows it.

use std::process::Command;

use anyhow::{Result, bail};

use crate::{chromium, shell, suites};

pub(crate) fn run() -> Result<()> {
    suites::build()?;
    chromium::offer();
    let binary = shell::root().join("target/release/gasoline");
    let mut command = Command::new(&binary);
    command.args(["demo", "--headless"]);
    if let Some(browser) = std::env::var_os("GASOLINE_CHROMIUM") {
        command.arg("--browser").arg(browser);
    }
    eprintln!();
    let status = command.status()?;
    if !status.success() {
        bail!("the demo did not succeed: {status}");
    }
    println!("That was {} demo --headless; without --headless you can watch.", binary.display());
    Ok(())
}
