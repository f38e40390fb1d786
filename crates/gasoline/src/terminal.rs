//! Output of the commands that people run. While an AI client is connected, stdout belongs to JSON-RPC, so only this
//! module may write to it.

use std::io::{self, Write as _};

/// Writes a line to stdout. A closed pipe (`gasoline status | head -1`) is not an error.
pub(crate) fn say(text: impl AsRef<str>) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{}", text.as_ref());
}

/// Writes bytes to stdout, for a file or another program. A closed pipe is not an error; a full disk is.
pub(crate) fn hand_over(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Writes a line to stderr.
pub(crate) fn complain(text: impl AsRef<str>) {
    let mut out = io::stderr().lock();
    let _ = writeln!(out, "{}", text.as_ref());
}
