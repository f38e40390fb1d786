//! Output for people. While an AI client is attached stdout belongs to JSON-RPC, so nothing else may write to it; the
//! commands that answer a person go through here.

use std::io::Write as _;

/// A line on stdout. A closed pipe (`gasoline status | head -1`) is no error.
pub(crate) fn say(text: impl AsRef<str>) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{}", text.as_ref());
}

/// A line on stderr.
pub(crate) fn complain(text: impl AsRef<str>) {
    let mut out = std::io::stderr().lock();
    let _ = writeln!(out, "{}", text.as_ref());
}
