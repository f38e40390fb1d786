//! The server's log: lines on stderr, written by a thread of its own. Whoever started the server may never read them,
//! and a full pipe must not hold up an answer.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::time::{Duration, Instant};

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

/// How many lines may wait to be read; what comes then is counted only.
const WAITING_LINES: usize = 200;
/// How long the end of the program waits for the last lines.
const LAST_LINES: Duration = Duration::from_millis(200);

enum Item {
    Line(Vec<u8>),
    /// Everything before it is written.
    Mark(SyncSender<()>),
}

/// Writes what is logged from now on, at the level that `GASOLINE_LOG` names.
pub(crate) fn start() -> io::Result<Log> {
    let log = Log::to(io::stderr())?;
    let writer = log.clone();
    let level = std::env::var("GASOLINE_LOG").unwrap_or_else(|_| "warn".to_owned());
    let lines = tracing_subscriber::fmt().with_max_level(LevelFilter::TRACE).with_ansi(false);
    lines.with_writer(move || writer.clone()).finish().with(filter(&level)).init();
    Ok(log)
}

/// A level, or levels for parts of the program: `debug`, `warn,gasoline=debug`. What is neither is passed over.
fn filter(wanted: &str) -> Targets {
    wanted.parse().unwrap_or_else(|_| Targets::new().with_default(LevelFilter::WARN))
}

#[derive(Debug, Clone)]
pub(crate) struct Log {
    items: SyncSender<Item>,
    lost: Arc<AtomicU64>,
}

impl Log {
    fn to(out: impl Write + Send + 'static) -> io::Result<Self> {
        let (items, waiting) = sync_channel(WAITING_LINES);
        let lost = Arc::new(AtomicU64::new(0));
        let told = Arc::clone(&lost);
        std::thread::Builder::new().name("log".to_owned()).spawn(move || write_all(out, &waiting, &told))?;
        Ok(Self { items, lost })
    }

    /// Waits for what was logged so far, but not for a reader that does not read.
    pub(crate) fn finish(&self) {
        let (mark, seen) = sync_channel(1);
        let until = Instant::now() + LAST_LINES;
        let mut item = Item::Mark(mark);
        while let Err(TrySendError::Full(back)) = self.items.try_send(item) {
            if Instant::now() > until {
                return;
            }
            item = back;
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = seen.recv_timeout(until.saturating_duration_since(Instant::now()));
    }
}

impl Write for Log {
    /// The formatter hands over a line at a time.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if let Err(TrySendError::Full(_)) = self.items.try_send(Item::Line(line.to_vec())) {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn write_all(mut out: impl Write, waiting: &Receiver<Item>, lost: &AtomicU64) {
    for item in waiting {
        match item {
            // Nobody to tell when it can't be written.
            Item::Line(line) => drop(out.write_all(&line)),
            Item::Mark(seen) => drop(seen.send(())),
        }
        let lost = lost.swap(0, Ordering::Relaxed);
        if lost > 0 {
            let told = format!("{lost} lines of the log were left out: they came faster than they were read\n");
            drop(out.write_all(told.as_bytes()));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::mpsc::{Sender, channel};

    use tracing::Level;

    use super::*;

    /// Takes a line for each permit.
    struct Slow(Receiver<()>, Arc<Mutex<String>>);

    impl Write for Slow {
        fn write(&mut self, text: &[u8]) -> io::Result<usize> {
            self.0.recv().map_err(io::Error::other)?;
            self.1.lock().unwrap().push_str(std::str::from_utf8(text).unwrap());
            Ok(text.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn slow() -> (Sender<()>, Arc<Mutex<String>>, Log) {
        let (permits, wanted) = channel();
        let text = Arc::new(Mutex::new(String::new()));
        let log = Log::to(Slow(wanted, Arc::clone(&text))).unwrap();
        (permits, text, log)
    }

    #[test]
    fn a_reader_that_reads_nothing_holds_nobody_up_and_is_told_what_it_missed() {
        let (permits, text, mut log) = slow();
        // One is on its way out, or about to be; as many as may wait do.
        log.write_all(b"0\n").unwrap();
        while log.items.try_send(Item::Line(Vec::new())).is_ok() {}
        for _ in 0..8 {
            log.write_all(b"too much\n").unwrap();
        }
        log.finish();
        assert_eq!(*text.lock().unwrap(), "");
        assert!(log.lost.load(Ordering::Relaxed) >= 7);
        for _ in 0..10 {
            permits.send(()).unwrap();
        }
        log.finish();
        let text = text.lock().unwrap().clone();
        assert!(text.starts_with("0\n"), "{text}");
        assert!(text.contains("lines of the log were left out"), "{text}");
    }

    #[test]
    fn the_last_lines_are_written_before_the_end() {
        let (permits, text, mut log) = slow();
        for line in 0..50 {
            permits.send(()).unwrap();
            log.write_all(format!("{line}\n").as_bytes()).unwrap();
        }
        log.finish();
        assert_eq!(text.lock().unwrap().lines().count(), 50);
    }

    #[test]
    fn levels_of_the_log() {
        for (wanted, ours, others) in [
            ("error", Level::ERROR, Level::ERROR),
            ("warn", Level::WARN, Level::WARN),
            ("INFO", Level::INFO, Level::INFO),
            ("debug", Level::DEBUG, Level::DEBUG),
            ("trace", Level::TRACE, Level::TRACE),
            ("warn,gasoline=debug", Level::DEBUG, Level::WARN),
            ("gasoline=loud", Level::WARN, Level::WARN),
        ] {
            for (part, most) in [("gasoline::http", ours), ("hyper", others)] {
                for level in [Level::ERROR, Level::WARN, Level::INFO, Level::DEBUG, Level::TRACE] {
                    let told = filter(wanted).would_enable(part, &level);
                    assert_eq!(told, level <= most, "{wanted}: {level} of {part}");
                }
            }
        }
        assert!(!filter("off").would_enable("gasoline", &Level::ERROR));
    }
}
