//! A browser for the demo alone: a fresh profile, our extension, and nothing that calls home.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use tokio::process::{Child, Command};

use super::devtools::Page;
use super::find::Found;

const LOOK: Duration = Duration::from_millis(20);
#[cfg(unix)]
const END_TIME: Duration = Duration::from_secs(3);
const LAST_LINES: usize = 5;

const FLAGS: &[&str] = &[
    "--remote-debugging-port=0",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-features=Translate,MediaRouter,OptimizationHints",
    "--metrics-recording-only",
    // No question for a key ring on the way.
    "--password-store=basic",
    "--use-mock-keychain",
    // Nothing but this machine can be reached.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE localhost , EXCLUDE 127.0.0.1 , EXCLUDE [::1]",
    "--window-size=1100,800",
];

pub(super) struct Browser {
    child: Child,
    profile: PathBuf,
    log: PathBuf,
}

impl Browser {
    pub(super) fn start(found: &Found, folder: &Path, extension: &Path, headless: bool) -> Result<Self> {
        let profile = folder.join("profile");
        let log = folder.join("browser.log");
        let mut command = Command::new(&found.path);
        command.args(FLAGS);
        for (flag, path) in [
            ("--user-data-dir=", profile.as_path()),
            ("--load-extension=", extension),
            ("--disable-extensions-except=", extension),
        ] {
            let mut argument = std::ffi::OsString::from(flag);
            argument.push(path);
            command.arg(argument);
        }
        if headless {
            command.args(["--headless=new", "--disable-gpu"]);
        }
        if is_root() {
            command.arg("--no-sandbox");
        }
        if cfg!(target_os = "linux") {
            // Containers have little of it.
            command.arg("--disable-dev-shm-usage");
            // What it puts beside its profile goes with it.
            command.env("TMPDIR", folder);
        }
        // A group of its own: Ctrl-C is for us, who then end all of it.
        #[cfg(unix)]
        command.process_group(0);
        let child = command
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(&log)?)
            .kill_on_drop(true)
            .spawn()
            .with_context(|| format!("{} can't be started", found.path.display()))?;
        Ok(Self { child, profile, log })
    }

    /// Its first tab, once it can be talked to.
    pub(super) async fn page(&mut self) -> Result<Page> {
        let file = self.profile.join("DevToolsActivePort");
        loop {
            let said = std::fs::read_to_string(&file).unwrap_or_default();
            let mut lines = said.lines();
            if let (Some(Ok(port)), Some(path)) = (lines.next().map(str::parse), lines.next()) {
                return Page::open(port, path).await;
            }
            if let Some(status) = self.child.try_wait()? {
                bail!("the browser ended at once ({status}). It said:\n{}", self.last_words());
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    pub(super) fn about(&self, found: &Found, headless: bool, is_wish: bool) -> String {
        let mut about = format!("{}, throw-away profile", found.title);
        if headless {
            about.push_str(if is_wish { ", headless" } else { ", headless (there is no screen)" });
        }
        if is_root() {
            about.push_str(", no sandbox (you are root)");
        }
        about
    }

    pub(super) fn last_words(&self) -> String {
        let said = std::fs::read(&self.log).unwrap_or_default();
        let said = String::from_utf8_lossy(&said);
        let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
        lines
            .iter()
            .skip(lines.len().saturating_sub(LAST_LINES))
            .map(|line| format!("  {line}"))
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// Ends all of its processes and waits until they are gone.
    pub(super) async fn end(mut self) {
        #[cfg(unix)]
        let group = self.child.id().and_then(|id| i32::try_from(id).ok()).and_then(rustix::process::Pid::from_raw);
        #[cfg(unix)]
        if let Some(group) = group {
            use rustix::process::{Signal, kill_process_group};
            let _ = kill_process_group(group, Signal::TERM);
            if tokio::time::timeout(END_TIME, self.child.wait()).await.is_ok() {
                // What it started may take a moment longer than itself.
                let _ = kill_process_group(group, Signal::KILL);
                return;
            }
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.kill().await;
    }
}

fn is_root() -> bool {
    #[cfg(target_os = "linux")]
    return rustix::process::geteuid().is_root();
    #[cfg(not(target_os = "linux"))]
    false
}

/// Whether a window could not be shown.
pub(super) fn has_no_screen() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(target_os = "linux") && !is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY")
}
