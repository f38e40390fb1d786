//! Runs other programs, and prints which.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result, bail};

/// The repository's folder.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).parent().map(PathBuf::from).unwrap_or_default()
}

/// Runs a command line and shows its output immediately.
pub(crate) fn run(program: &str, args: &[&str]) -> Result<()> {
    run_in(".", program, args)
}

pub(crate) fn run_in(folder: &str, program: &str, args: &[&str]) -> Result<()> {
    let line = line(folder, program, args);
    announce(&line);
    let began = Instant::now();
    let status = command(folder, program, args).status().with_context(|| not_started(program))?;
    if !status.success() {
        bail!("`{line}` failed: {status}");
    }
    eprintln!("── done in {:.1} s", began.elapsed().as_secs_f64());
    Ok(())
}

/// Runs a command line in parallel with others: its output is shown as one block once it has ended.
pub(crate) fn run_aside(folder: &str, program: &str, args: &[&str]) -> Result<()> {
    let status = show_aside(folder, program, args)?.status;
    if !status.success() {
        bail!("`{}` failed: {status}", line(folder, program, args));
    }
    Ok(())
}

/// The same for callers that also need the output.
pub(crate) fn show_aside(folder: &str, program: &str, args: &[&str]) -> Result<Output> {
    let line = line(folder, program, args);
    eprintln!("── {line} (in the background)");
    let began = Instant::now();
    let output = command(folder, program, args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .output()
        .with_context(|| not_started(program))?;
    let said = format!("{}{}", String::from_utf8_lossy(&output.stderr), String::from_utf8_lossy(&output.stdout));
    let end = if output.status.success() { "done" } else { "failed" };
    // One call, so that the output of another command cannot get in between.
    eprintln!("\n── {line}\n{said}── {end} in {:.1} s", began.elapsed().as_secs_f64());
    Ok(output)
}

pub(crate) fn announce(line: &str) {
    eprintln!("\n── {line}");
}

fn line(folder: &str, program: &str, args: &[&str]) -> String {
    let place = if folder == "." { String::new() } else { format!(" (in {folder})") };
    format!("{program} {}{place}", args.join(" "))
}

/// A command of this repository, without standard input: nothing here may wait for someone to type.
pub(crate) fn command(folder: &str, program: &str, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(args).current_dir(root().join(folder)).stdin(Stdio::null());
    command
}

pub(crate) fn not_started(program: &str) -> String {
    format!("could not run {program}; is it installed?")
}
