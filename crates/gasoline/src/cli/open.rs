//! `gasoline open`: opens the dashboard in the browser.

use std::process::ExitCode;

use anyhow::Result;
use wire::limits;

use super::{WRONG_USAGE, light_runtime};
use crate::daemon::ensure_running;
use crate::state::StateDir;
use crate::terminal::{complain, say};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print the address instead. It works once, within a minute.
    #[arg(long)]
    print: bool,
}

pub(super) fn run(port: u16, args: &Args) -> Result<ExitCode> {
    if port == 0 {
        complain("gasoline: the dashboard needs a server on a fixed port, not 0; leave out --port for the default");
        return Ok(ExitCode::from(WRONG_USAGE));
    }
    let state = StateDir::open()?;
    let token = state.token()?;
    let key = light_runtime()?.block_on(async {
        let mut connection = ensure_running(&state, port, &token).await?;
        anyhow::Ok(connection.dashboard_key().await?)
    })?;
    // The key is in the fragment: browsers never send it to a server, and the page removes it from the address.
    let address = format!("http://127.0.0.1:{port}/open#{key}");
    if args.print {
        say(address);
        return Ok(ExitCode::SUCCESS);
    }
    match open::that_detached(&address) {
        Ok(()) => say(format!(
            "The dashboard of port {port} opens in your browser. If it does not, `gasoline open --print` prints its address."
        )),
        Err(_) => {
            say("No browser could be opened. Open this address in a browser on this machine:\n");
            say(address);
            say(format!("\nIt works once, within {} seconds.", limits::DASHBOARD_KEY_SECONDS));
        }
    }
    Ok(ExitCode::SUCCESS)
}
