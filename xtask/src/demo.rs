//! Builds everything and runs `gasoline demo`.

use std::time::Instant;

use anyhow::{Result, bail};

use crate::{prepare, shell, system};

/// Runs the demo from the debug build that it shares with the tests. A release build would take minutes more and show
/// the same.
pub(crate) fn run() -> Result<()> {
    let began = Instant::now();
    eprintln!("1 of 3: Node packages, browser parts and the Rust build, side by side");
    prepare::both(
        || {
            system::offer_browser();
            prepare::browser_parts()
        },
        || {
            // Cargo may build the binary while the parts are still being written; the second build decides.
            let _ = prepare::debug_binary(&[]);
            Ok(())
        },
    )?;
    eprintln!("\n2 of 3: the binary with the browser parts inside");
    // Does nothing if the parts were ready before cargo built the binary.
    prepare::debug_binary(&[])?;
    eprintln!("\n3 of 3: the demo ({:.0} s so far)\n", began.elapsed().as_secs_f64());
    let binary = shell::root().join(prepare::BINARY);
    let mut command = std::process::Command::new(&binary);
    command.args(["demo", "--headless"]);
    if let Some(browser) = std::env::var_os("GASOLINE_CHROMIUM") {
        command.arg("--browser").arg(browser);
    }
    let status = command.status()?;
    if !status.success() {
        bail!("the demo did not succeed: {status}");
    }
    println!("That was {} demo --headless; without --headless you can watch.", binary.display());
    Ok(())
}
