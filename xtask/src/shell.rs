//! Running other programs, saying which.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result, bail};

/// The repository's folder.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).parent().map(PathBuf::from).unwrap_or_default()
}

/// Runs a command line, with its output shown.
pub(crate) fn run(program: &str, args: &[&str]) -> Result<()> {
    run_in(".", program, args)
}

pub(crate) fn run_in(folder: &str, program: &str, args: &[&str]) -> Result<()> {
    let line = format!("{program} {}", args.join(" "));
    let place = if folder == "." { String::new() } else { format!(" (in {folder})") };
    eprintln!("\n── {line}{place}");
    let began = Instant::now();
    let status = Command::new(program)
        .args(args)
        .current_dir(root().join(folder))
        .status()
        .with_context(|| format!("could not run {program}; is it installed?"))?;
    if !status.success() {
        bail!("`{line}` failed{place}: {status}");
    }
    eprintln!("── done in {:.1} s", began.elapsed().as_secs_f64());
    Ok(())
}

/// A command that runs beside others and is heard when it has ended.
pub(crate) struct Background {
    line: String,
    child: std::process::Child,
}

impl Background {
    pub(crate) fn start(program: &str, args: &[&str]) -> Result<Self> {
        let line = format!("{program} {}", args.join(" "));
        eprintln!("\n── {line} (goes on beside what follows)");
        let child = Command::new(program)
            .args(args)
            .current_dir(root())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("could not run {program}; is it installed?"))?;
        Ok(Self { line, child })
    }

    /// Waits for it and shows what it said.
    pub(crate) fn finish(self) -> Result<()> {
        let output = self.child.wait_with_output()?;
        eprintln!("\n── {}", self.line);
        eprint!("{}{}", String::from_utf8_lossy(&output.stderr), String::from_utf8_lossy(&output.stdout));
        if !output.status.success() {
            bail!("`{}` failed: {}", self.line, output.status);
        }
        Ok(())
    }
}

/// Node packages, exactly those of the lock file. Does nothing when they are there already.
pub(crate) fn npm_install(folder: &str) -> Result<()> {
    let folder_path = root().join(folder);
    let lock = std::fs::read(folder_path.join("package-lock.json"))?;
    // npm's own marker is rewritten on every run, so we keep the lock file that was installed beside it.
    let marker = folder_path.join("node_modules/.installed-lock.json");
    if std::fs::read(&marker).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    run_in(folder, "npm", &["ci", "--no-audit", "--no-fund"])?;
    std::fs::write(marker, lock)?;
    Ok(())
}
