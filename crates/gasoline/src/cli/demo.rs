//! `gasoline demo`: shows in thirty seconds what Gasoline does.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;

use super::FAILED;
use crate::demo::{self, Ended, WHOLE_SECONDS, Wish};
use crate::terminal::complain;

/// The exit code that shells report for a program ended by Ctrl-C.
const INTERRUPTED: u8 = 130;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Run the browser without a window.
    #[arg(long)]
    headless: bool,
    /// The browser to use [default: the first suitable one found].
    #[arg(long, env = "CHROME_PATH", value_name = "PATH")]
    browser: Option<PathBuf>,
    /// After how many seconds to give up, for tests of that message.
    #[arg(long, hide = true, default_value_t = WHOLE_SECONDS)]
    give_up_after: u64,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let wish = Wish {
        headless: args.headless,
        browser: args.browser.filter(|path| !path.as_os_str().is_empty()),
        give_up_after: Duration::from_secs(args.give_up_after),
    };
    let ended = runtime.block_on(demo::run(wish));
    // A thread may still be reading the output of a browser that has exited.
    runtime.shutdown_background();
    Ok(match ended? {
        Ended::Shown => ExitCode::SUCCESS,
        Ended::Interrupted => {
            complain("\ngasoline: interrupted; the demo left nothing behind");
            ExitCode::from(INTERRUPTED)
        }
        Ended::Failed(why) => {
            complain(format!("\ngasoline: {why}"));
            ExitCode::from(FAILED)
        }
    })
}
