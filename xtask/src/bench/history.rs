//! `docs/benchmarks.json`: the figures of earlier runs, and comparisons with them.
//!
//! Machines differ and are busy, so times are compared as multiples of a yardstick: a fixed piece of work that is
//! measured in the same run. Sizes and counts are compared directly.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

use super::report::{Row, number};
use crate::shell;

/// How many runs are kept.
const RUNS: usize = 20;
/// Times that differ by less than this share count as noise of the machine.
const TIME_BAND: f64 = 0.3;
const SIZE_BAND: f64 = 0.05;
/// Shorter times are not compared: they are below a timer's resolution.
const LEAST_MILLIS: f64 = 0.05;

#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct History {
    runs: Vec<Run>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Run {
    /// Of the commit that was measured, or of its parent where there were changes.
    commit: String,
    version: String,
    cores: usize,
    soak_seconds: u64,
    yardstick_ms: f64,
    figures: BTreeMap<String, Figure>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Figure {
    measured: f64,
    unit: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    at_least: bool,
}

impl Run {
    pub(super) fn new(rows: &[&Row], yardstick_ms: f64, soak_seconds: u64, version: &str) -> Self {
        let figure = |row: &Row| {
            let measured = (row.measured * 10_000.0).round() / 10_000.0;
            (row.what.clone(), Figure { measured, unit: row.unit.clone(), at_least: row.at_least })
        };
        Self {
            commit: commit().unwrap_or_default(),
            version: version.to_owned(),
            cores: cores(),
            soak_seconds,
            yardstick_ms,
            figures: rows.iter().map(|row| figure(row)).collect(),
        }
    }

    /// A table of the figures in both runs, and whether any got worse.
    pub(super) fn compared_with(&self, before: &Self) -> (String, bool) {
        let mut table = format!(
            "Compared with {}. The yardstick took {:.0} ms then and {:.0} ms now; times are compared as multiples of it. \
             Within {:.0} % ({:.0} % for sizes and counts) nothing has changed.\n\n\
             | what | then | now | ratio | |\n|---|---:|---:|---:|---|\n",
            before.commit,
            before.yardstick_ms,
            self.yardstick_ms,
            TIME_BAND * 100.0,
            SIZE_BAND * 100.0
        );
        let mut is_worse = false;
        for (what, now) in &self.figures {
            let Some(then) = before.figures.get(what) else { continue };
            let Some(ratio) = now.times(then, self.yardstick_ms / before.yardstick_ms) else { continue };
            let band = if now.is_time() { TIME_BAND } else { SIZE_BAND };
            // Symmetric in both directions: half as fast differs as much as twice as fast.
            let worse = if now.at_least { ratio < 1.0 / (1.0 + band) } else { ratio > 1.0 + band };
            let better = if now.at_least { ratio > 1.0 + band } else { ratio < 1.0 / (1.0 + band) };
            is_worse |= worse;
            let verdict = match (worse, better) {
                (true, _) => "**worse**",
                (_, true) => "better",
                _ => "",
            };
            let unit = &now.unit;
            let (then, now) = (number(then.measured), number(now.measured));
            let _ = writeln!(table, "| {what} | {then} {unit} | {now} {unit} | {ratio:.2} | {verdict} |");
        }
        (table, is_worse)
    }
}

impl Figure {
    fn is_time(&self) -> bool {
        matches!(self.unit.as_str(), "ms" | "s" | "entries/s" | "MB/s")
    }

    /// How many times the other figure it is, on a machine that is `slower` times as slow.
    fn times(&self, then: &Self, slower: f64) -> Option<f64> {
        let is_tiny = |figure: &Self| figure.unit == "ms" && figure.measured < LEAST_MILLIS;
        // Compared with zero, anything is infinitely more.
        if then.measured == 0.0 && self.measured > 0.0 && !self.at_least && !self.is_time() && self.unit == then.unit {
            return Some(f64::INFINITY);
        }
        if then.measured <= 0.0 || self.measured <= 0.0 || is_tiny(self) || is_tiny(then) || self.unit != then.unit {
            return None;
        }
        let ratio = self.measured / then.measured;
        Some(match (self.is_time(), self.at_least) {
            (true, false) => ratio / slower,
            (true, true) => ratio * slower,
            (false, _) => ratio,
        })
    }
}

impl History {
    pub(super) fn read() -> Result<Self> {
        match std::fs::read_to_string(path()) {
            Ok(text) => serde_json::from_str(&text).context("cannot read docs/benchmarks.json"),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(error.into()),
        }
    }

    pub(super) fn add(mut self, run: Run) -> Result<()> {
        self.runs.push(run);
        let surplus = self.runs.len().saturating_sub(RUNS);
        self.runs.drain(..surplus);
        std::fs::write(path(), serde_json::to_string_pretty(&self)? + "\n")?;
        Ok(())
    }
}

/// The last run that was committed, if it was made on as many cores.
pub(super) fn committed() -> Result<Option<Run>> {
    let show = ["show", "HEAD:docs/benchmarks.json"];
    let output = std::process::Command::new("git").args(show).current_dir(shell::root()).output()?;
    if !output.status.success() {
        return Ok(None);
    }
    let mut history: History =
        serde_json::from_slice(&output.stdout).context("cannot read the committed docs/benchmarks.json")?;
    Ok(history.runs.pop().filter(|run| run.cores == cores()))
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(0, usize::from)
}

fn path() -> PathBuf {
    shell::root().join("docs/benchmarks.json")
}

fn commit() -> Option<String> {
    let output = std::process::Command::new("git").args(["rev-parse", "--short", "HEAD"]).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The fixed piece of work, in milliseconds: it walks memory, branches and multiplies, as parsing does. The fastest of
/// several, which is the one that was disturbed least.
pub(super) fn yardstick_millis() -> f64 {
    let text: Vec<u8> = (0..4 << 20).map(|n: u32| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let once = || {
        let began = Instant::now();
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let mut counts = [0_u32; 256];
        for _ in 0..4 {
            for byte in black_box(&text) {
                if byte & 1 == 0 {
                    counts[usize::from(*byte)] += 1;
                }
                hash = (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
            }
        }
        black_box((hash, counts));
        began.elapsed().as_secs_f64() * 1_000.0
    };
    (0..7).map(|_| once()).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(yardstick_ms: f64, rows: &[Row]) -> Run {
        Run { yardstick_ms, ..Run::new(&rows.iter().collect::<Vec<_>>(), yardstick_ms, 1, "1") }
    }

    fn verdict(then: Row, now: Row, slower: f64) -> &'static str {
        let (table, is_worse) = run(100.0 * slower, &[now]).compared_with(&run(100.0, &[then]));
        match (table.contains("**worse**"), table.contains("better")) {
            (true, false) if is_worse => "worse",
            (false, true) if !is_worse => "better",
            (false, false) if !is_worse => "same",
            _ => panic!("{table}"),
        }
    }

    #[test]
    fn times_count_in_yardsticks_and_sizes_as_they_are() {
        let time = |measured| Row::at_most("a", measured, 1.0, "ms");
        assert_eq!(verdict(time(1.0), time(1.29), 1.0), "same");
        assert_eq!(verdict(time(1.0), time(1.31), 1.0), "worse");
        assert_eq!(verdict(time(1.31), time(1.0), 1.0), "better");
        assert_eq!(verdict(time(1.0), time(2.0), 2.0), "same", "the machine is slower, not the program");
        assert_eq!(verdict(time(1.0), time(1.0), 0.5), "worse");
        assert_eq!(verdict(time(0.01), time(0.04), 1.0), "same", "too short to tell");
        let speed = |measured| Row::at_least("a", measured, 1.0, "entries/s");
        assert_eq!(verdict(speed(100.0), speed(76.0), 1.0), "worse");
        assert_eq!(verdict(speed(100.0), speed(77.0), 1.0), "same");
        assert_eq!(verdict(speed(100.0), speed(50.0), 2.0), "same");
        assert_eq!(verdict(speed(100.0), speed(131.0), 1.0), "better");
        let size = |measured| Row::at_most("a", measured, 1.0, "MB");
        assert_eq!(verdict(size(1.0), size(1.04), 3.0), "same");
        assert_eq!(verdict(size(1.0), size(1.06), 3.0), "worse");
        let lost = |measured| Row::at_most("a", measured, 0.0, "frames");
        assert_eq!(verdict(lost(0.0), lost(1.0), 1.0), "worse");
        assert_eq!(verdict(lost(0.0), lost(0.0), 1.0), "same");
    }
}
