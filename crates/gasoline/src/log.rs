//! The server's log: lines on stderr, written by a separate thread. The process that started the server may never read
//! them, and a full pipe must not block an answer.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::time::{Duration, Instant};

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

/// How many lines may wait to be written. Further lines are only counted.
const WAITING_LINES: usize = 200;
/// How long the program waits for the last lines before it exits.
const LAST_LINES: Duration = Duration::from_millis(200);

struct Item {
    what: What,
    /// Lines that were dropped before it because the queue was full.
    lost: u64,
}

enum What {
    Line(Vec<u8>),
    /// Answered once everything before it is written.
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

/// Parses a level, or levels for parts of the program: `debug`, `warn,gasoline=debug`. Anything else is ignored.
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
        std::thread::Builder::new().name("log".to_owned()).spawn(move || write_all(out, &waiting))?;
        Ok(Self { items, lost })
    }

    /// Returns the line if the queue is full.
    fn offer(&self, what: What) -> Option<What> {
        let lost = self.lost.swap(0, Ordering::Relaxed);
        match self.items.try_send(Item { what, lost }) {
            Err(TrySendError::Full(item)) => {
                self.lost.fetch_add(item.lost, Ordering::Relaxed);
                Some(item.what)
            }
            _ => None,
        }
    }

    /// Waits until everything logged so far is written, but not forever: the reader may have stopped reading.
    pub(crate) fn finish(&self) {
        self.finish_within(LAST_LINES);
    }

    fn finish_within(&self, patience: Duration) {
        let (mark, seen) = sync_channel(1);
        let until = Instant::now() + patience;
        let mut waiting = self.offer(What::Mark(mark));
        while let Some(mark) = waiting {
            if Instant::now() > until {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
            waiting = self.offer(mark);
        }
        let _ = seen.recv_timeout(until.saturating_duration_since(Instant::now()));
    }
}

impl Write for Log {
    /// The formatter writes one line at a time.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if self.offer(What::Line(line.to_vec())).is_some() {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A failed write cannot be reported anywhere.
fn write_all(mut out: impl Write, waiting: &Receiver<Item>) {
    for Item { what, lost } in waiting {
        if lost > 0 {
            let told = format!("{lost} lines of the log were left out here: they arrived faster than they were read\n");
            drop(out.write_all(told.as_bytes()));
        }
        match what {
            What::Line(line) => drop(out.write_all(&line)),
            What::Mark(seen) => drop(seen.send(())),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::mpsc::{Sender, channel};

    use tracing::Level;

    use super::*;

    /// Accepts a line for each permit, and signals when it is about to accept one.
    struct Slow {
        began: Sender<()>,
        permits: Receiver<()>,
        text: Arc<Mutex<String>>,
    }

    impl Write for Slow {
        fn write(&mut self, text: &[u8]) -> io::Result<usize> {
            let _ = self.began.send(());
            self.permits.recv().map_err(io::Error::other)?;
            self.text.lock().unwrap().push_str(std::str::from_utf8(text).unwrap());
            Ok(text.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    struct Reader {
        permits: Sender<()>,
        began: Receiver<()>,
        text: Arc<Mutex<String>>,
    }

    fn slow() -> (Reader, Log) {
        let ((permits, wanted), (begin, began)) = (channel(), channel());
        let text = Arc::new(Mutex::new(String::new()));
        let log = Log::to(Slow { began: begin, permits: wanted, text: Arc::clone(&text) }).unwrap();
        (Reader { permits, began, text }, log)
    }

    #[test]
    fn a_reader_that_stops_reading_blocks_nobody_and_learns_how_much_it_missed() {
        let (reader, mut log) = slow();
        // The first line is being written and is stuck; the queue behind it fills up.
        let lines = 1 + WAITING_LINES + 10;
        for line in 0..lines {
            log.write_all(format!("{line}\n").as_bytes()).unwrap();
            if line == 0 {
                reader.began.recv_timeout(Duration::from_secs(60)).unwrap();
            }
        }
        log.finish();
        assert_eq!(*reader.text.lock().unwrap(), "");
        for _ in 0..=lines {
            reader.permits.send(()).unwrap();
        }
        log.finish_within(Duration::from_secs(60));
        let text = reader.text.lock().unwrap().clone();
        let (lost, kept): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.contains("left out here"));
        let lost: usize = lost.iter().map(|line| line.split(' ').next().unwrap().parse::<usize>().unwrap()).sum();
        assert_eq!(kept.len() + lost, lines, "{text}");
        assert_eq!(lost, 10, "{text}");
        assert_eq!((kept.first(), text.lines().count()), (Some(&"0"), kept.len() + 1));
        assert!(text.lines().last().unwrap().contains("left out here"), "in its place: {text}");
    }

    #[test]
    fn the_last_lines_are_written_before_the_end() {
        let (reader, mut log) = slow();
        for line in 0..50 {
            reader.permits.send(()).unwrap();
            log.write_all(format!("{line}\n").as_bytes()).unwrap();
        }
        log.finish_within(Duration::from_secs(60));
        assert_eq!(reader.text.lock().unwrap().lines().count(), 50);
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
