//! The state directory: the token and the files that outlive a run. Folders have mode 0700, files 0600.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

const DEFAULT_NAME: &str = ".gasoline";

#[derive(Debug, Clone)]
pub(crate) struct StateDir {
    root: PathBuf,
}

impl StateDir {
    /// `GASOLINE_STATE_DIR`, otherwise `~/.gasoline`. Created if missing.
    pub(crate) fn open() -> Result<Self> {
        let state = Self::look()?;
        make_private_dir(&state.root)?;
        make_private_dir(&state.run_dir())?;
        state.tighten();
        Ok(state)
    }

    /// The same, but creates and changes nothing.
    pub(crate) fn look() -> Result<Self> {
        let root = match std::env::var_os("GASOLINE_STATE_DIR").filter(|dir| !dir.is_empty()) {
            Some(dir) => PathBuf::from(dir),
            None => std::env::home_dir()
                .filter(|home| !home.as_os_str().is_empty())
                .context("no home directory found: set GASOLINE_STATE_DIR to a folder that you can write to")?
                .join(DEFAULT_NAME),
        };
        Ok(Self { root })
    }

    /// Tightens the modes of existing files, which may have been copied or restored with looser ones. A folder that the
    /// user chose may contain other files and keeps its mode; our files in it do not.
    #[cfg(unix)]
    fn tighten(&self) {
        use std::os::unix::fs::PermissionsExt as _;
        let set = |path: &Path, mode: u32| {
            let _ = fs::set_permissions(path, fs::Permissions::from_mode(mode));
        };
        if self.root.file_name().is_some_and(|name| name == DEFAULT_NAME) {
            set(&self.root, 0o700);
        }
        set(&self.run_dir(), 0o700);
        for folder in [self.screenshots(), self.recordings()] {
            if folder.is_dir() {
                set(&folder, 0o700);
            }
        }
        for file in ["token", "logs.jsonl", "logs.jsonl.1", "server.log"] {
            let path = self.root.join(file);
            if path.is_file() {
                set(&path, 0o600);
            }
        }
    }

    #[cfg(not(unix))]
    fn tighten(&self) {}

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn journal(&self) -> PathBuf {
        self.root.join("logs.jsonl")
    }

    pub(crate) fn server_log(&self) -> PathBuf {
        self.root.join("server.log")
    }

    /// Where `install` puts the browser extension.
    pub(crate) fn extension(&self) -> PathBuf {
        self.root.join("extension")
    }

    pub(crate) fn screenshots(&self) -> PathBuf {
        self.root.join("screenshots")
    }

    pub(crate) fn recordings(&self) -> PathBuf {
        self.root.join("recordings")
    }

    fn run_dir(&self) -> PathBuf {
        self.root.join("run")
    }

    /// Held while a server is being started for this port.
    pub(crate) fn start_lock(&self, port: u16) -> PathBuf {
        self.run_dir().join(format!("start-{port}.lock"))
    }

    /// Exists if the last server of this port was stopped on purpose and did not crash.
    pub(crate) fn stop_marker(&self, port: u16) -> PathBuf {
        self.run_dir().join(format!("stopped-{port}"))
    }

    /// `GASOLINE_TOKEN`, otherwise the stored token, which is created on first use.
    pub(crate) fn token(&self) -> Result<String> {
        if let Ok(token) = std::env::var("GASOLINE_TOKEN")
            && !token.trim().is_empty()
        {
            return Ok(token.trim().to_owned());
        }
        let path = self.root.join("token");
        if let Some(token) = read_token(&path)? {
            return Ok(token);
        }
        let fresh = random_hex(32)?;
        // Several clients may start at the same time: the first link wins, and all read that one.
        let draft = self.run_dir().join(format!("token-{}", random_hex(8)?));
        private_options().write(true).create_new(true).open(&draft)?.write_all(fresh.as_bytes())?;
        let linked = fs::hard_link(&draft, &path);
        fs::remove_file(&draft)?;
        match linked {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                Err(error).with_context(|| format!("could not write {}", path.display()))
            }
            _ => read_token(&path)?.with_context(|| format!("{} is empty: delete it and try again", path.display())),
        }
    }
}

/// The token of pages under test. It can write, but not read.
#[derive(Debug)]
pub(crate) struct IngestToken {
    pub(crate) value: String,
    /// Whether it was created for this run, so that it must be printed for the user.
    pub(crate) is_fresh: bool,
}

impl IngestToken {
    /// `GASOLINE_INGEST_TOKEN`, otherwise a new token.
    pub(crate) fn find(access_token: Option<&str>) -> Result<Self> {
        let given = std::env::var("GASOLINE_INGEST_TOKEN").ok().map(|token| token.trim().to_owned());
        match given.filter(|token| !token.is_empty()) {
            None => Ok(Self { value: random_hex(32)?, is_fresh: true }),
            Some(token) if Some(token.as_str()) == access_token => anyhow::bail!(
                "GASOLINE_INGEST_TOKEN equals the access token, with which pages could read everything; set another one"
            ),
            Some(value) => Ok(Self { value, is_fresh: false }),
        }
    }
}

fn read_token(path: &Path) -> Result<Option<String>> {
    let mut text = String::new();
    match File::open(path) {
        Ok(mut file) => file.read_to_string(&mut text).with_context(|| format!("could not read {}", path.display()))?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("could not open {}", path.display())),
    };
    let token = text.trim();
    Ok((!token.is_empty()).then(|| token.to_owned()))
}

pub(crate) fn random_hex(bytes: usize) -> Result<String> {
    let mut random = vec![0; bytes];
    getrandom::fill(&mut random).map_err(|error| anyhow::anyhow!("the system returned no random bytes: {error}"))?;
    Ok(random.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// For files that only this user may read.
pub(crate) fn private_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

pub(crate) fn make_private_dir(path: &Path) -> Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path).with_context(|| format!("could not create the folder {}", path.display()))
}
