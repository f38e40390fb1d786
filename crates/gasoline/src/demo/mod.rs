//! `gasoline demo`: a broken shop, a browser with the extension, and what an AI client reads afterwards.
//!
//! Everything is real and separate from the user's: a server on a free port, a browser with a fresh profile and an MCP
//! client over stdio, all in one temporary folder. The demo changes nothing of the user's and leaves nothing behind,
//! however it ends.

mod browser;
mod devtools;
mod find;
mod server;
mod shop;
mod show;
mod story;

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use tempfile::TempDir;

use self::browser::Browser;
use self::find::Found;
use self::server::Server;
use self::shop::Shop;
use self::show::Show;
use crate::embedded::{self, Defaults};

/// If the demo takes longer, it is stuck.
pub(crate) const WHOLE_SECONDS: u64 = 60;

pub(crate) struct Wish {
    pub(crate) headless: bool,
    pub(crate) browser: Option<PathBuf>,
    pub(crate) give_up_after: Duration,
}

pub(crate) enum Ended {
    Shown,
    Interrupted,
    /// The error, with what to do about it.
    Failed(String),
}

/// Child processes that must be stopped before we exit.
#[derive(Default)]
struct Props {
    browser: Option<Browser>,
    server: Option<Server>,
}

impl Props {
    async fn end(self) {
        if let Some(browser) = self.browser {
            browser.end().await;
        }
        if let Some(server) = self.server {
            server.end().await;
        }
    }
}

/// What the demo is waiting for, named in the error if it never arrives.
#[derive(Default)]
struct Step(Mutex<&'static str>);

impl Step {
    fn begin(&self, what: &'static str) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = what;
    }

    fn now(&self) -> &'static str {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(crate) async fn run(wish: Wish) -> Result<Ended> {
    let files = embedded::demo_shop()?;
    let show = Show::on_stdout();
    let found = match find::browser(wish.browser.as_deref()).await {
        Ok(found) => found,
        Err(why) => return Ok(Ended::Failed(why)),
    };
    let folder = found.room()?;
    let step = Step::default();
    let mut props = Props::default();
    let ended = tokio::select! {
        played = play(&wish, &found, &folder, files, &show, &step, &mut props) => match played {
            Ok(()) => Ended::Shown,
            Err(error) => Ended::Failed(format!("{error:#}")),
        },
        () = tokio::time::sleep(wish.give_up_after) => Ended::Failed(too_long(&wish, &step, &props)),
        () = interrupted() => Ended::Interrupted,
    };
    props.end().await;
    clear(folder).await;
    Ok(ended)
}

async fn play(
    wish: &Wish,
    found: &Found,
    folder: &TempDir,
    files: Vec<(&'static str, Vec<u8>)>,
    show: &Show,
    step: &Step,
    props: &mut Props,
) -> Result<()> {
    show.opening();
    step.begin("the demo's server");
    let server = props.server.insert(Server::start(&folder.path().join("state")).await?);
    let shop = Shop::open(files).await?;
    let extension = folder.path().join("extension");
    embedded::unpack(&extension, &Defaults { port: server.port, sites: vec!["local".to_owned()], bodies: true })?;
    show.ready("shop", &format!("{}, with bugs in it", shop.address()));
    show.ready("server", &format!("port {}, for this demo only", server.port));

    step.begin("the browser");
    let headless = wish.headless || browser::has_no_screen();
    let browser = props.browser.insert(Browser::start(found, folder.path(), &extension, headless)?);
    let page = browser.page().await;
    if found.by_pipe && page.is_err() {
        bail!("{}", found.refusal());
    }
    let mut page = page?;
    show.ready("browser", &browser.about(found, headless, wish.headless));

    step.begin("the extension in the browser");
    server.until_connected(found).await?;
    show.ready("extension", "connected; request bodies are captured, too, which is off by default");

    show.heading("In the browser");
    // While the demo waits for the server it does not talk to the browser, so watch for its exit here.
    tokio::select! {
        played = story::play(&mut page, &shop, server, show, step, headless) => played?,
        () = browser.gone() => bail!("{}", devtools::GONE),
    }

    step.begin("an answer of the server");
    let mut client = server.client().await?;
    show.question();
    let mut answers = Vec::new();
    for tool in show::TOOLS {
        let answer = client.call(tool).await.with_context(|| format!("{tool} did not answer"))?;
        show.answer(tool, &answer);
        answers.push(answer);
    }
    // Check the claim about credentials before making it.
    let leaked = answers.iter().any(|answer| shop.secrets().iter().any(|secret| answer.text.contains(secret)));
    ensure!(!leaked, "an answer contained a credential of the shop: please report this bug");
    show.closing(&answers);
    Ok(())
}

fn too_long(wish: &Wish, step: &Step, props: &Props) -> String {
    let seconds = wish.give_up_after.as_secs();
    let said = props.browser.as_ref().map(Browser::last_words).filter(|words| !words.is_empty());
    let said = said.map(|words| format!("\nThe browser's last output:\n{words}")).unwrap_or_default();
    format!("gave up after {seconds} s of waiting for {}{said}", step.now())
}

/// Waits until the user interrupts the demo.
async fn interrupted() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
        if let [Ok(mut interrupt), Ok(mut terminate), Ok(mut hangup)] = kinds.map(signal) {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
                _ = hangup.recv() => {}
            }
            return;
        }
    }
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// Removes the folder. The last of the browser's processes may still be writing to its profile, so it retries.
async fn clear(folder: TempDir) {
    let path = folder.keep();
    for _ in 0..40 {
        if std::fs::remove_dir_all(&path).is_ok() || !path.exists() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    crate::terminal::complain(format!("gasoline: cannot remove {}; you can delete it", path.display()));
}
