//! `gasoline demo` where it cannot succeed: no browser, one that rejects extensions, one that hangs. It is tested with
//! a real browser in `browser/e2e/suites/demo`.
#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::support::{binary, signal, wait_for, write_program};

/// Whether the shop was built before the binary.
fn is_built() -> bool {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../browser/demo/dist/index.html").exists()
}

/// A machine that has only what a test puts there.
struct Machine {
    home: TempDir,
    programs: TempDir,
    temporary: TempDir,
}

impl Machine {
    fn new() -> Self {
        let [home, programs, temporary] = [(); 3].map(|()| TempDir::new().unwrap());
        Self { home, programs, temporary }
    }

    /// A program that reports this version and then runs this script.
    fn with(self, name: &str, version: &str, then: &str) -> Self {
        let path = self.programs.path().join(name);
        write_program(&path, &format!("case \"$1\" in --version) echo '{version}'; exit 0;; esac\n{then}"));
        self
    }

    fn demo(&self, args: &[&str]) -> Command {
        let mut command = Command::new(binary());
        command
            .env_clear()
            .env("PATH", self.programs.path())
            .env("HOME", self.home.path())
            .env("TMPDIR", self.temporary.path())
            .arg("demo")
            .args(args);
        command
    }

    fn refuses(&self, args: &[&str], words: &[&str]) -> String {
        self.check(&self.demo(args).output().unwrap(), words)
    }

    fn check(&self, output: &Output, words: &[&str]) -> String {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{said}");
        for word in words {
            assert!(said.contains(word), "{word} is not in\n{said}");
        }
        self.is_clean();
        said
    }

    /// Checks that no file and no process is left, and that the home directory is empty.
    fn is_clean(&self) {
        for folder in [self.temporary.path(), self.home.path()] {
            let left: Vec<_> = std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()).collect();
            assert!(left.is_empty(), "{left:?}");
        }
        let folder = self.temporary.path().to_str().unwrap();
        wait_for("the end of everything that was started", || running(folder).is_empty().then_some(()));
    }
}

/// The processes that were started for a machine: they have its temporary folder in their environment.
fn running(folder: &str) -> Vec<String> {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter_map(|process| {
            let environment = std::fs::read(process.path().join("environ")).ok()?;
            let line = std::fs::read(process.path().join("cmdline")).ok()?;
            let is_ours = String::from_utf8_lossy(&environment).contains(folder);
            is_ours.then(|| String::from_utf8_lossy(&line).replace('\0', " "))
        })
        .collect()
}

#[test]
fn without_a_browser_it_says_where_to_get_one() {
    if !is_built() {
        return;
    }
    Machine::new().refuses(&[], &["no browser was found", "apt install chromium", "--browser PATH"]);
}

#[test]
fn a_chrome_that_loads_no_extensions_is_named_with_the_way_around() {
    if !is_built() {
        return;
    }
    let machine = Machine::new().with("google-chrome", "Google Chrome 140.0.7339.80", "exit 9");
    let words = [
        "Google Chrome 140",
        "does not let the demo load an extension",
        "apt install chromium",
        "1. gasoline install",
        "Load unpacked",
    ];
    machine.refuses(&[], &words);
    let path = machine.programs.path().join("google-chrome");
    machine.refuses(&["--browser", path.to_str().unwrap()], &words);
    machine.refuses(&["--browser", "google-chrome"], &words);
}

#[test]
fn a_browser_that_works_is_preferred_to_one_that_rejects_extensions() {
    if !is_built() {
        return;
    }
    let machine = Machine::new().with("google-chrome", "Google Chrome 140.0.7339.80", "exit 9").with(
        "microsoft-edge",
        "Microsoft Edge 140.0.3485.54",
        "echo no display >&2; exit 7",
    );
    machine.refuses(&[], &["the browser exited at once", "7", "no display"]);
    // The last version of Chrome that accepts extensions from the command line.
    let machine = Machine::new().with("google-chrome", "Google Chrome 136.0.7103.59", "exit 9");
    machine.refuses(&[], &["the browser exited at once", "9"]);
}

#[test]
fn the_error_names_a_path_that_is_not_a_browser() {
    if !is_built() {
        return;
    }
    let machine = Machine::new().with("chromium", "Chromium 150.0.1.2", "exit 9");
    machine.refuses(&["--browser", "/nowhere/chromium"], &["/nowhere/chromium is not a browser"]);
    let output = machine.demo(&[]).env("CHROME_PATH", "/nowhere/else").output().unwrap();
    machine.check(&output, &["/nowhere/else is not a browser"]);
}

#[test]
fn the_demo_gives_up_on_a_browser_that_hangs() {
    if !is_built() {
        return;
    }
    let machine = Machine::new().with("chromium", "Chromium 150.0.1.2", "echo still thinking >&2; /bin/sleep 600");
    let said = machine.refuses(&["--give-up-after", "15"], &["gave up after 15 s of waiting for the browser"]);
    assert!(said.contains("still thinking"), "{said}");
}

#[test]
fn an_interrupted_demo_leaves_nothing() {
    if !is_built() {
        return;
    }
    for name in ["-INT", "-TERM", "-HUP"] {
        let machine = Machine::new().with("chromium", "Chromium 150.0.1.2", "/bin/sleep 600");
        let mut child = machine.demo(&[]).stdout(std::process::Stdio::null()).spawn().unwrap();
        wait_for("the browser", || {
            running(machine.temporary.path().to_str().unwrap()).iter().any(|line| line.contains("sleep")).then_some(())
        });
        signal(child.id(), name);
        let status = wait_for("its end", || child.try_wait().unwrap());
        assert_eq!(status.code(), Some(130), "{name}");
        machine.is_clean();
    }
}

#[test]
fn the_browser_is_started_for_the_demo_only() {
    if !is_built() {
        return;
    }
    let machine = Machine::new().with("chromium", "Chromium 150.0.1.2", "echo \"$*\" >&2; exit 7");
    let flags = |args: &[&str], screen: &str| {
        let output = machine.demo(args).env("DISPLAY", screen).output().unwrap();
        machine
            .check(&output, &["--user-data-dir=", "--load-extension=", "--remote-debugging-port=0", "MAP * ~NOTFOUND"])
    };
    let folder = machine.temporary.path().to_str().unwrap();
    assert!(flags(&[], ":9").contains(&format!("--user-data-dir={folder}/gasoline-demo-")));
    assert!(!flags(&[], ":9").contains("--headless"), "there is a screen to watch it on");
    assert!(flags(&["--headless"], ":9").contains("--headless=new"));
    assert!(flags(&[], "").contains("--headless=new"), "there is no screen");
    let is_root =
        std::fs::read_to_string("/proc/self/status").unwrap().lines().any(|line| line.starts_with("Uid:\t0\t"));
    assert_eq!(flags(&[], "").contains("--no-sandbox"), is_root, "only if it is necessary");
}

#[test]
fn only_terminals_that_want_colours_get_them() {
    if !is_built() {
        return;
    }
    let machine = Machine::new().with("chromium", "Chromium 150.0.1.2", "exit 7");
    let plain = machine.demo(&[]).output().unwrap();
    assert!(plain.stdout.starts_with(b"Gasoline: a small shop"), "{}", String::from_utf8_lossy(&plain.stdout));
    // `script` gives the program a terminal.
    let on_a_terminal = |no_colour: &str| {
        let mut command = machine.demo(&[]);
        let line = format!("'{}' demo", binary().display());
        let environment: Vec<_> =
            command.get_envs().filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned()))).collect();
        // Looked up here: the machine that the demo sees has no such program.
        let path = std::env::var_os("PATH").unwrap();
        let script = std::env::split_paths(&path).map(|folder| folder.join("script")).find(|path| path.is_file());
        command = Command::new(script.unwrap());
        let output = command.args(["-qec", &line, "/dev/null"]).envs(environment).env("NO_COLOR", no_colour).output();
        String::from_utf8_lossy(&output.unwrap().stdout).into_owned()
    };
    assert!(on_a_terminal("").contains("\u{1b}[1mGasoline: a small shop"));
    let without = on_a_terminal("1");
    assert!(without.contains("Gasoline: a small shop") && !without.contains('\u{1b}'), "{without}");
}
