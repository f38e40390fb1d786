//! `gasoline demo`: the thirty-second proof.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;

use super::FAILED;
use crate::demo::{self, Ended, WHOLE_SECONDS, Wish};
use crate::terminal::complain;

/// What a shell calls a program that Ctrl-C ended.
const INTERRUPTED: u8 = 130;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Show no window.
    #[arg(long)]
    headless: bool,
    /// The browser to use, instead of one that is found.
    #[arg(long, env = "CHROME_PATH", value_name = "PATH")]
    browser: Option<PathBuf>,
    /// When to give up, for tests of what is said then.
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
    // A thread may still read what a browser says that is gone.
    runtime.shutdown_background();
    Ok(match ended? {
        Ended::Shown => ExitCode::SUCCESS,
        Ended::Interrupted => {
            complain("\ngasoline: interrupted; nothing of the demo is left");
            ExitCode::from(INTERRUPTED)
        }
        Ended::Failed(why) => {
            complain(format!("\ngasoline: {why}"));
            ExitCode::from(FAILED)
        }
    })
}
