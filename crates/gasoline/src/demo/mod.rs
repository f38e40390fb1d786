//! `gasoline demo`: a broken shop, a browser with the extension, and what an AI client reads afterwards.
//!
//! All of it is real and its own: a server on a free port, a browser with a fresh profile, an MCP client over stdio, in one
//! throw-away folder. Nothing of the user's is touched, and nothing is left, however the demo ends.

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

/// A machine that takes longer is stuck, not slow.
pub(crate) const WHOLE_SECONDS: u64 = 60;

pub(crate) struct Wish {
    pub(crate) headless: bool,
    pub(crate) browser: Option<PathBuf>,
    pub(crate) give_up_after: Duration,
}

pub(crate) enum Ended {
    Shown,
    Interrupted,
    /// With what to do about it.
    Failed(String),
}

/// What runs beside us and has to end before we do.
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

/// What is being waited for: told when it does not come.
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
    step.begin("the demo's own server");
    let server = props.server.insert(Server::start(&folder.path().join("state")).await?);
    let shop = Shop::open(files).await?;
    let extension = folder.path().join("extension");
    embedded::unpack(&extension, &Defaults { port: server.port, sites: vec!["local".to_owned()], bodies: true })?;
    show.ready("shop", &format!("{}, with bugs in it", shop.address()));
    show.ready("server", &format!("port {}, for this demo alone", server.port));

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
    show.ready("extension", "connected; request bodies are captured too, which is off elsewhere");

    show.heading("In the browser");
    // While the server is waited for nobody talks to the browser, and so nobody would notice that it is gone.
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
    // What is about to be claimed is looked at first.
    let leaked = answers.iter().any(|answer| shop.secrets().iter().any(|secret| answer.text.contains(secret)));
    ensure!(!leaked, "an answer held a credential of the shop: please report this");
    show.closing(&answers);
    Ok(())
}

fn too_long(wish: &Wish, step: &Step, props: &Props) -> String {
    let seconds = wish.give_up_after.as_secs();
    let said = props.browser.as_ref().map(Browser::last_words).filter(|words| !words.is_empty());
    let said = said.map(|words| format!("\nThe browser's last words:\n{words}")).unwrap_or_default();
    format!("gave up after {seconds} s; what did not come: {}{said}", step.now())
}

/// Until someone wants us to end.
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

/// The last of a browser's processes may still be writing into its profile.
async fn clear(folder: TempDir) {
    let path = folder.keep();
    for _ in 0..40 {
        if std::fs::remove_dir_all(&path).is_ok() || !path.exists() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    crate::terminal::complain(format!("gasoline: {} could not be removed; it is not needed any more", path.display()));
}
