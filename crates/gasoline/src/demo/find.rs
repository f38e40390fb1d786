//! Finds a browser on this machine that the demo can use: one that accepts our extension.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context as _, Result};
use tempfile::TempDir;
use tokio::process::Command;

const ANSWER_TIME: Duration = Duration::from_secs(10);
/// From this version on, Google's Chrome ignores `--load-extension`.
const REFUSES_SINCE: u32 = 137;

const GET_ONE: &str = "Install a browser that works, for example\n\
    \x20 any system with Node   npx puppeteer browsers install chrome   (Chrome for Testing, in ~/.cache)\n\
    \x20 Debian, Ubuntu         sudo apt install chromium\n\
    or pass one: gasoline demo --browser PATH (or CHROME_PATH).";

/// A browser and its version.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) path: PathBuf,
    /// Its common name: `Chromium 156`.
    pub(super) title: String,
    /// It ignores an extension on its command line and needs it over a pipe.
    pub(super) by_pipe: bool,
}

impl Found {
    /// What to do if it does not accept the extension.
    pub(super) fn refusal(&self) -> String {
        refusal(&self.title, &self.path)
    }

    /// A temporary folder that this browser can read. Chromium from a snap sees neither /tmp nor hidden folders.
    pub(super) fn room(&self) -> Result<TempDir> {
        let snap = std::env::home_dir().map(|home| home.join("snap/chromium/common")).filter(|_| is_snap(&self.path));
        let base = snap.filter(|folder| folder.is_dir()).unwrap_or_else(std::env::temp_dir);
        tempfile::Builder::new()
            .prefix("gasoline-demo-")
            .tempdir_in(&base)
            .with_context(|| format!("cannot create a folder in {}", base.display()))
    }
}

/// The most suitable browser, or what to do if there is none.
pub(super) async fn browser(wanted: Option<&Path>) -> Result<Found, String> {
    if let Some(path) = wanted {
        let path = on_path(path).unwrap_or_else(|| path.to_owned());
        return match Judged::check(&path).await {
            Some(judged) => judged.into_found(path),
            None => Err(format!("{} is not a browser that can be started.\n\n{GET_ONE}", path.display())),
        };
    }
    let mut branded = None;
    for path in candidates() {
        match Judged::check(&path).await {
            Some(judged) if judged.refuses => branded = branded.or(Some((judged, path))),
            Some(judged) => return judged.into_found(path),
            None => {}
        }
    }
    match branded {
        Some((judged, path)) => judged.into_found(path),
        None => Err(format!("no browser was found: Chromium, Chrome for Testing, Edge, Brave or Chrome.\n\n{GET_ONE}")),
    }
}

fn refusal(title: &str, path: &Path) -> String {
    format!(
        "{title} ({}) does not let the demo load an extension: Google's Chrome stopped accepting one from the \
         command line with version {REFUSES_SINCE}. You can still capture your own pages in it.\n\n\
         {GET_ONE}\n\n\
         Or skip the demo and use Gasoline in your Chrome, in three steps:\n\
         \x20 1. gasoline install\n\
         \x20 2. open chrome://extensions and turn on \"Developer mode\" (top right)\n\
         \x20 3. choose \"Load unpacked\" and pick the folder that `gasoline install` named",
        path.display()
    )
}

struct Judged {
    title: String,
    /// Whether it ignores an extension on its command line.
    refuses: bool,
}

impl Judged {
    /// Windows does not pass open files by number, so the pipe does not work there.
    fn into_found(self, path: PathBuf) -> Result<Found, String> {
        if self.refuses && !cfg!(unix) {
            return Err(refusal(&self.title, &path));
        }
        Ok(Found { path, title: self.title, by_pipe: self.refuses })
    }

    /// `None` if it cannot be started.
    async fn check(path: &Path) -> Option<Self> {
        if !path.is_file() {
            return None;
        }
        // On Windows `--version` would open a window, so use the path instead.
        let said = if cfg!(windows) { by_path(path) } else { ask(path).await? };
        Some(Self::by_words(&said))
    }

    /// Parses the output of `--version`: `Google Chrome 140.0.7339.80`, `Chromium 156.0.8078.79 built on Debian`.
    fn by_words(said: &str) -> Self {
        let said = said.trim();
        let mut words = said.split_whitespace();
        let name: Vec<&str> =
            words.by_ref().take_while(|word| !word.starts_with(|c: char| c.is_ascii_digit())).collect();
        let version = said
            .split_whitespace()
            .find_map(|word| word.split_once('.').and_then(|(first, _)| first.parse::<u32>().ok()));
        let name = name.join(" ");
        let is_branded = name.starts_with("Google Chrome") && !name.contains("for Testing");
        let title = version.map_or_else(|| name.clone(), |version| format!("{name} {version}"));
        Self { title, refuses: is_branded && version.is_none_or(|version| version >= REFUSES_SINCE) }
    }
}

async fn ask(path: &Path) -> Option<String> {
    let asking =
        Command::new(path).arg("--version").stdin(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true).output();
    let output = tokio::time::timeout(ANSWER_TIME, asking).await.ok()?.ok()?;
    let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    (output.status.success() && !said.is_empty()).then_some(said)
}

fn by_path(path: &Path) -> String {
    let text = path.to_string_lossy().to_lowercase();
    let name = if text.contains("edge") {
        "Microsoft Edge"
    } else if text.contains("brave") {
        "Brave Browser"
    } else if text.contains("google") {
        "Google Chrome"
    } else if text.contains("puppeteer") {
        "Google Chrome for Testing"
    } else {
        "Chromium"
    };
    name.to_owned()
}

/// The paths of browsers, the most suitable first.
fn candidates() -> Vec<PathBuf> {
    let home = std::env::home_dir().filter(|home| !home.as_os_str().is_empty());
    let mut found = Vec::new();
    if cfg!(target_os = "macos") {
        let folders: Vec<PathBuf> =
            [Some(PathBuf::from("/Applications")), home.as_ref().map(|home| home.join("Applications"))]
                .into_iter()
                .flatten()
                .collect();
        let app = |name: &str| -> Vec<PathBuf> {
            folders.iter().map(|folder| folder.join(format!("{name}.app/Contents/MacOS/{name}"))).collect()
        };
        found.extend(app("Chromium"));
        found.extend(app("Google Chrome for Testing"));
        found.extend(downloaded(home.as_deref()));
        for name in ["Brave Browser", "Microsoft Edge", "Google Chrome"] {
            found.extend(app(name));
        }
    } else if cfg!(windows) {
        let folders: Vec<PathBuf> = ["LOCALAPPDATA", "PROGRAMFILES", "PROGRAMFILES(X86)"]
            .into_iter()
            .filter_map(std::env::var_os)
            .map(PathBuf::from)
            .collect();
        let program = |path: &str| -> Vec<PathBuf> { folders.iter().map(|folder| folder.join(path)).collect() };
        found.extend(program(r"Chromium\Application\chrome.exe"));
        found.extend(downloaded(home.as_deref()));
        found.extend(program(r"BraveSoftware\Brave-Browser\Application\brave.exe"));
        found.extend(program(r"Microsoft\Edge\Application\msedge.exe"));
        found.extend(program(r"Google\Chrome\Application\chrome.exe"));
    } else {
        let named =
            |names: &[&str]| -> Vec<PathBuf> { names.iter().filter_map(|name| on_path(Path::new(name))).collect() };
        found.extend(named(&["chromium", "chromium-browser", "chrome-for-testing"]));
        found.extend(downloaded(home.as_deref()));
        found.extend(named(&["brave-browser", "brave", "microsoft-edge-stable", "microsoft-edge"]));
        found.extend(named(&["google-chrome-stable", "google-chrome", "chrome"]));
    }
    found
}

/// Browsers that Puppeteer and Playwright have downloaded, the newest first.
fn downloaded(home: Option<&Path>) -> Vec<PathBuf> {
    let Some(home) = home else { return Vec::new() };
    const TESTING: &str = "Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing";
    let playwright = if cfg!(target_os = "macos") {
        home.join("Library/Caches/ms-playwright")
    } else if cfg!(windows) {
        home.join(r"AppData\Local\ms-playwright")
    } else {
        home.join(".cache/ms-playwright")
    };
    let programs: &[&str] = if cfg!(target_os = "macos") {
        &[TESTING, "Chromium.app/Contents/MacOS/Chromium"]
    } else if cfg!(windows) {
        &["chrome.exe"]
    } else {
        &["chrome"]
    };
    let mut found = Vec::new();
    for (folder, prefix) in [(home.join(".cache/puppeteer/chrome"), ""), (playwright, "chromium-")] {
        for version in folders_in(&folder, prefix) {
            for build in folders_in(&version, "chrome-") {
                found.extend(programs.iter().map(|program| build.join(program)).filter(|path| path.is_file()));
            }
        }
    }
    found
}

/// The newest first, judged by their names.
fn folders_in(folder: &Path, prefix: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix))
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect();
    found.sort();
    found.reverse();
    found
}

/// Looks a name up on the PATH; returns a path unchanged.
fn on_path(program: &Path) -> Option<PathBuf> {
    if program.components().count() > 1 {
        return Some(program.to_owned());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .filter(|folder| !folder.as_os_str().is_empty())
        .map(|folder| folder.join(program))
        .find(|path| path.is_file())
}

fn is_snap(path: &Path) -> bool {
    path.canonicalize().is_ok_and(|path| path.starts_with("/snap") || path.ends_with("bin/snap"))
        || path.starts_with("/snap")
        // Ubuntu's package is a script that starts the snap.
        || std::fs::read(path).is_ok_and(|script| script.starts_with(b"#!") && contains(&script, b"/snap/bin/chromium"))
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

#[cfg(test)]
mod tests {
    use super::Judged;

    #[test]
    fn brands_and_versions() {
        for (said, title, refuses) in [
            ("Chromium 156.0.8078.79 built on Debian GNU/Linux 12 (bookworm)", "Chromium 156", false),
            ("Google Chrome 136.0.7103.59", "Google Chrome 136", false),
            ("Google Chrome 137.0.7151.55 ", "Google Chrome 137", true),
            ("Google Chrome 140.0.7339.80\n", "Google Chrome 140", true),
            ("Google Chrome 140.0.7339.5 beta", "Google Chrome 140", true),
            ("Google Chrome", "Google Chrome", true),
            ("Google Chrome for Testing 140.0.7339.80", "Google Chrome for Testing 140", false),
            ("Microsoft Edge 140.0.3485.54", "Microsoft Edge 140", false),
            ("Brave Browser 139.1.81.131", "Brave Browser 139", false),
        ] {
            let judged = Judged::by_words(said);
            assert_eq!((judged.title.as_str(), judged.refuses), (title, refuses), "{said}");
        }
    }
}
