//! `gasoline serve`: runs the server.

use std::io::ErrorKind;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use wire::limits;

use super::UNREACHABLE;
use crate::app::{App, Options};
use crate::daemon::port_holder;
use crate::http::serve::{Listeners, serve};
use crate::log;
use crate::memory::{self, MemoryLimits};
use crate::recordings::RecordingLimits;
use crate::state::StateDir;
use crate::streams::Streams;
use crate::terminal::complain;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// For test runs with several workers: separate buffers for each test (64 MB together), 20,000 events per second,
    /// and a write-only token that pages under test can send with, from any origin. The token is printed as
    /// `ingest token …` on stderr, unless GASOLINE_INGEST_TOKEN sets it.
    #[arg(long)]
    ci: bool,
    /// Accept requests without a token. Web pages and other hosts are still rejected.
    #[arg(long)]
    no_auth: bool,
    /// How many events a source may send per second, sustained; 0 for no limit. [default: 1000, with --ci 20000]
    #[arg(long)]
    max_events_per_second: Option<u32>,
    /// Started by a client: exit once nobody needs the server any more.
    #[arg(long, hide = true)]
    background: bool,
    /// How long a background server keeps running without a client or browser.
    #[arg(long, hide = true, default_value_t = limits::IDLE_EXIT_SECONDS)]
    idle_exit_seconds: u64,
    /// Exit when this process does, for starters that may be killed before they can stop the server.
    #[arg(long, hide = true)]
    exit_with_pid: Option<u32>,
    /// Memory limits in MB, soft and hard, for tests.
    #[arg(long, hide = true, value_delimiter = ',')]
    memory_limits_mb: Option<Vec<usize>>,
    /// Largest recording in bytes, and longest pause of its upload in seconds, for tests.
    #[arg(long, hide = true, value_delimiter = ',')]
    recording_limits: Option<Vec<u64>>,
}

pub(super) fn run(port: u16, args: Args) -> Result<ExitCode> {
    let log = log::start()?;
    let state = StateDir::open()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        let listeners = match Listeners::bind(port) {
            Ok(listeners) => listeners,
            Err(error) if error.kind() == ErrorKind::AddrInUse => {
                let holder = port_holder(port).unwrap_or_else(|| "another program".to_owned());
                complain(format!(
                    "gasoline: port {port} is in use by {holder}; choose another with --port, or 0 for any free port"
                ));
                return Ok(ExitCode::from(UNREACHABLE));
            }
            Err(error) => {
                complain(format!("gasoline: cannot listen on port {port}: {error}"));
                return Ok(ExitCode::from(UNREACHABLE));
            }
        };
        let app = Arc::new(App::new(&state, listeners.port, options(&args))?);
        if let Some(token) = app.ingest_token.as_ref().filter(|token| token.is_fresh) {
            complain(format!("ingest token {}", token.value));
        }
        // From this line on, the reader may stop the server.
        let signals = Signals::heard();
        complain(format!("listening on http://127.0.0.1:{}", listeners.port));

        tokio::spawn(memory::watch(Arc::clone(&app)));
        tokio::spawn(Streams::run(Arc::clone(&app)));
        tokio::spawn(end_on_signal(Arc::clone(&app), signals));
        if args.background {
            tokio::spawn(end_when_idle(Arc::clone(&app), Duration::from_secs(args.idle_exit_seconds)));
        }
        if let Some(pid) = args.exit_with_pid {
            tokio::spawn(end_with_process(Arc::clone(&app), pid));
        }
        serve(listeners, Arc::clone(&app)).await;
        let journal = Arc::clone(&app);
        let _ = tokio::task::spawn_blocking(move || journal.journal.close()).await;
        log.finish();
        Ok(ExitCode::SUCCESS)
    })
}

fn options(args: &Args) -> Options {
    let memory_limits = match args.memory_limits_mb.as_deref() {
        Some(&[soft, hard]) => MemoryLimits::of_mb(soft, hard),
        _ if args.ci => MemoryLimits::for_ci(),
        _ => MemoryLimits::default(),
    };
    let recording_limits = match args.recording_limits.as_deref() {
        Some(&[bytes, seconds]) => RecordingLimits { bytes, stall: Duration::from_secs(seconds) },
        _ => RecordingLimits::default(),
    };
    let usual_rate = if args.ci { limits::CI_EVENTS_PER_SECOND } else { limits::EVENTS_PER_SECOND };
    Options {
        ci: args.ci,
        no_auth: args.no_auth,
        max_events_per_second: args.max_events_per_second.unwrap_or(usual_rate),
        memory_limits,
        recording_limits,
    }
}

/// The signals that stop the server. It listens for them from its creation on.
#[cfg(unix)]
struct Signals {
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    /// `None` if the system cannot report signals: then a signal ends the process, as it ends any other.
    fn heard() -> Option<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let (terminate, interrupt) = (signal(SignalKind::terminate()).ok()?, signal(SignalKind::interrupt()).ok()?);
        Some(Self { terminate, interrupt })
    }

    async fn next(mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

#[cfg(windows)]
struct Signals(tokio::signal::windows::CtrlC);

#[cfg(windows)]
impl Signals {
    fn heard() -> Option<Self> {
        tokio::signal::windows::ctrl_c().ok().map(Self)
    }

    async fn next(mut self) {
        self.0.recv().await;
    }
}

async fn end_on_signal(app: Arc<App>, signals: Option<Signals>) {
    let Some(signals) = signals else { return };
    signals.next().await;
    app.end();
}

/// Stops a background server once no client, browser or dashboard has been connected for `patience`.
async fn end_when_idle(app: Arc<App>, patience: Duration) {
    let mut last_needed = Instant::now();
    let look = Duration::from_secs(5).min(patience / 4).max(Duration::from_millis(50));
    loop {
        tokio::time::sleep(look).await;
        let browser_near = app.extension.silent_for().is_some_and(|silence| silence < look);
        if app.clients.count() > 0 || browser_near || app.dashboard.is_watched() {
            last_needed = Instant::now();
        } else if last_needed.elapsed() > patience {
            tracing::info!("no client, browser or dashboard for a while: shutting down");
            app.end();
            return;
        }
    }
}

/// Stops the server once the process has exited: a killed test runner cannot stop it itself.
async fn end_with_process(app: Arc<App>, pid: u32) {
    while is_alive(pid) {
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    tracing::info!("the process that started the server has exited: shutting down");
    app.end();
}

#[cfg(unix)]
fn is_alive(pid: u32) -> bool {
    use rustix::process::{Pid, test_kill_process};
    let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) else { return false };
    // A process of another user is alive, too, although we may not signal it.
    !matches!(test_kill_process(pid), Err(rustix::io::Errno::SRCH))
}

/// Not supported on this system: the server runs until it is stopped.
#[cfg(not(unix))]
fn is_alive(_pid: u32) -> bool {
    true
}
