//! Output for people. While an AI client is attached stdout belongs to JSON-RPC, so nothing else may write to it; the
//! commands that answer a person go through here.

use std::io::{self, Write as _};

/// A line on stdout. A closed pipe (`gasoline status | head -1`) is no error.
pub(crate) fn say(text: impl AsRef<str>) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{}", text.as_ref());
}

/// Bytes on stdout, for a file or another program. A closed pipe is no error here either; a full disk is.
pub(crate) fn hand_over(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// A line on stderr.
pub(crate) fn complain(text: impl AsRef<str>) {
    let mut out = io::stderr().lock();
    let _ = writeln!(out, "{}", text.as_ref());
}
