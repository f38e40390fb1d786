//! A browser for the demo only: a fresh profile, our extension, and no connections to other machines.

use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use tokio::io::BufReader;
use tokio::process::{Child, Command};

use super::devtools::{Line, Page};
use super::find::Found;

const LOOK: Duration = Duration::from_millis(20);
#[cfg(unix)]
const END_TIME: Duration = Duration::from_secs(3);
const LAST_LINES: usize = 5;

const FLAGS: &[&str] = &[
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-features=Translate,MediaRouter,OptimizationHints",
    "--metrics-recording-only",
    // Do not ask for the key ring's password.
    "--password-store=basic",
    "--use-mock-keychain",
    // Only this machine can be reached.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE localhost , EXCLUDE 127.0.0.1 , EXCLUDE [::1]",
    "--window-size=1100,800",
];

pub(super) struct Browser {
    child: Child,
    /// The process group of all its processes; the first process may exit before the others.
    #[cfg(unix)]
    group: Option<rustix::process::Pid>,
    profile: PathBuf,
    log: PathBuf,
    /// The extension, if it must still be loaded over the pipe.
    by_pipe: Option<PathBuf>,
}

impl Browser {
    pub(super) fn start(found: &Found, folder: &Path, extension: &Path, headless: bool) -> Result<Self> {
        let profile = folder.join("profile");
        let log = folder.join("browser.log");
        let mut command = if found.by_pipe {
            // The browser reads file descriptor 3 and writes 4; a shell is the simplest way to connect our pipes to
            // them.
            let mut command = Command::new("/bin/sh");
            command.args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null"]).arg(&found.path);
            command.args(["--remote-debugging-pipe", "--enable-unsafe-extension-debugging"]);
            command.stdin(Stdio::piped()).stdout(Stdio::piped());
            command
        } else {
            let mut command = Command::new(&found.path);
            command.arg("--remote-debugging-port=0");
            command.arg(flag("--load-extension=", extension)).arg(flag("--disable-extensions-except=", extension));
            command.stdin(Stdio::null()).stdout(Stdio::null());
            command
        };
        command.args(FLAGS).arg(flag("--user-data-dir=", &profile));
        if headless {
            command.args(["--headless=new", "--disable-gpu"]);
        }
        if is_root() {
            command.arg("--no-sandbox");
        }
        if cfg!(target_os = "linux") {
            // Containers have little shared memory.
            command.arg("--disable-dev-shm-usage");
            // Files that it puts beside its profile are removed with the folder.
            command.env("TMPDIR", folder);
            // Crash reports and caches go there, too, and are removed with it.
            command.env("XDG_CONFIG_HOME", folder.join("config")).env("XDG_CACHE_HOME", folder.join("cache"));
        }
        // A separate process group, so that Ctrl-C reaches only us; we then stop the whole group.
        #[cfg(unix)]
        command.process_group(0);
        let child = command
            .arg("about:blank")
            .stderr(File::create(&log)?)
            .kill_on_drop(true)
            .spawn()
            .with_context(|| format!("cannot start {}", found.path.display()))?;
        #[cfg(unix)]
        let group = child.id().and_then(|id| i32::try_from(id).ok()).and_then(rustix::process::Pid::from_raw);
        Ok(Self {
            #[cfg(unix)]
            group,
            child,
            profile,
            log,
            by_pipe: found.by_pipe.then(|| extension.to_owned()),
        })
    }

    /// Its first tab, once the browser accepts commands.
    pub(super) async fn page(&mut self) -> Result<Page> {
        if let (Some(stdin), Some(stdout)) = (self.child.stdin.take(), self.child.stdout.take()) {
            return Page::open(Line::Pipe(stdin, BufReader::new(stdout)), self.by_pipe.as_deref()).await;
        }
        let file = self.profile.join("DevToolsActivePort");
        loop {
            let said = std::fs::read_to_string(&file).unwrap_or_default();
            let mut lines = said.lines();
            if let (Some(Ok(port)), Some(path)) = (lines.next().map(str::parse), lines.next()) {
                return Page::open(Line::socket(port, path).await?, None).await;
            }
            if let Some(status) = self.child.try_wait()? {
                bail!("the browser exited at once ({status}). Its output:\n{}", self.last_words());
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

    /// Waits until the browser has exited.
    pub(super) async fn gone(&mut self) {
        if self.child.wait().await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    /// Stops all of its processes and waits until they have exited.
    pub(super) async fn end(mut self) {
        #[cfg(unix)]
        if let Some(group) = self.group {
            use rustix::process::{Signal, kill_process_group};
            let _ = kill_process_group(group, Signal::TERM);
            if tokio::time::timeout(END_TIME, self.child.wait()).await.is_ok() {
                // Child processes may take a little longer to exit.
                let _ = kill_process_group(group, Signal::KILL);
                return;
            }
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.kill().await;
    }
}

fn flag(name: &str, path: &Path) -> OsString {
    let mut flag = OsString::from(name);
    flag.push(path);
    flag
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
