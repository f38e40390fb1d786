//! `logs.jsonl`: everything that was captured, for later reading. It is append-only and written by a separate thread,
//! so a slow or full disk never blocks ingest. Lines that do not fit the bounded queue are dropped and counted.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde::Serialize;
use wire::limits;

use crate::state::private_options;

/// At shutdown: how long the disk may accept no line at all, and how long it may take for all remaining lines.
const CLOSE_WITHOUT_PROGRESS: Duration = Duration::from_secs(3);
const CLOSE_AT_MOST: Duration = Duration::from_secs(10);
/// A write that takes this long counts as stuck.
const STUCK_AFTER: Duration = Duration::from_secs(5);

/// One entry, serialized, without its line break.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) text: Vec<u8>,
    /// Network bodies are dropped first when the disk is slow.
    pub(crate) is_body: bool,
}

/// The state of the file, for `/health`.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct JournalReport {
    pub(crate) ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
    pub(crate) written: u64,
    pub(crate) dropped: u64,
    pub(crate) slow: bool,
    /// Lines that are not written yet.
    pub(crate) waiting: u64,
    pub(crate) waiting_bytes: usize,
}

#[derive(Debug, Default)]
struct Queue {
    lines: VecDeque<Line>,
    bytes: usize,
    closed: bool,
    /// When the current write began, and how many lines it has.
    writing: Option<(Instant, usize)>,
    report: JournalReport,
}

impl Queue {
    /// How many lines the next write takes: a batch, or as many as fit into one write if more are waiting.
    fn next_batch(&self) -> usize {
        let mut bytes = 0;
        let fits = |(index, line): &(usize, &Line)| {
            bytes += line.text.len() + 1;
            // At shutdown in small steps, to tell a slow disk from one that accepts nothing.
            *index < limits::JOURNAL_BATCH_ENTRIES || (!self.closed && bytes <= limits::JOURNAL_WRITE_BYTES)
        };
        self.lines.iter().enumerate().take_while(fits).count()
    }

    fn is_slow(&self) -> bool {
        let slow = Duration::from_millis(limits::JOURNAL_SLOW_MILLIS);
        self.report.slow || self.writing.is_some_and(|(since, _)| since.elapsed() > slow)
    }
}

#[derive(Debug, Default)]
struct Shared {
    queue: Mutex<Queue>,
    news: Condvar,
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The sending end. Closing it waits until everything is on disk, or until the disk counts as stuck.
#[derive(Debug)]
pub(crate) struct Journal {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Journal {
    /// Starts the writer. `first` is written at once and marks the start of this run.
    pub(crate) fn start(path: PathBuf, first: Vec<u8>) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        {
            let mut queue = shared.queue();
            queue.report.ok = true;
            queue.bytes = first.len();
            queue.lines.push_back(Line { text: first, is_body: false });
        }
        let for_thread = Arc::clone(&shared);
        let thread = std::thread::Builder::new().name("journal".to_owned()).spawn(move || {
            Writer::new(path).run(&for_thread);
        })?;
        Ok(Self { shared, thread: Mutex::new(Some(thread)) })
    }

    /// Never blocks on the disk.
    pub(crate) fn append(&self, lines: Vec<Line>) {
        if lines.is_empty() {
            return;
        }
        let mut queue = self.shared.queue();
        let is_slow = queue.is_slow();
        for line in lines {
            if queue.bytes + line.text.len() > limits::JOURNAL_QUEUE_BYTES || (line.is_body && is_slow) {
                queue.report.dropped += 1;
            } else {
                queue.bytes += line.text.len();
                queue.lines.push_back(line);
            }
        }
        if queue.lines.len() >= limits::JOURNAL_BATCH_ENTRIES {
            self.shared.news.notify_one();
        }
    }

    pub(crate) fn report(&self) -> JournalReport {
        let queue = self.shared.queue();
        let mut report = queue.report.clone();
        report.waiting = queue.lines.len() as u64;
        report.waiting_bytes = queue.bytes;
        report.slow = queue.is_slow();
        if let Some((since, lines)) = queue.writing {
            report.waiting += lines as u64;
            if since.elapsed() > STUCK_AFTER {
                report.ok = false;
                report.error = Some(format!("the disk has not accepted a line for {} s", since.elapsed().as_secs()));
            }
        }
        report
    }

    /// Writes the remaining lines and ends the thread. It does not wait for a stuck disk: a server that cannot be
    /// stopped is worse than a few lost lines.
    pub(crate) fn close(&self) {
        self.shared.queue().closed = true;
        self.shared.news.notify_one();
        let Some(thread) = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take() else { return };
        let began = Instant::now();
        let (mut left, mut moved) = (u64::MAX, began);
        while !thread.is_finished() {
            let mut queue = self.shared.queue();
            let lost = (queue.lines.len() + queue.writing.map_or(0, |(_, lines)| lines)) as u64;
            if lost < left {
                (left, moved) = (lost, Instant::now());
            }
            if moved.elapsed() > CLOSE_WITHOUT_PROGRESS || began.elapsed() > CLOSE_AT_MOST {
                queue.report.dropped += lost;
                tracing::warn!(lost, "the disk does not accept the remaining lines; shutting down without them");
                return;
            }
            drop(queue);
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = thread.join();
    }
}

/// A write that failed, perhaps half-way.
struct Failed {
    /// How many of its lines were written completely.
    whole: usize,
    error: io::Error,
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Self {
        Self { whole: 0, error }
    }
}

struct Writer {
    path: PathBuf,
    file: Option<File>,
    size: u64,
    /// Whether the last write stopped in the middle of a line.
    broken_line: bool,
    looked_at: Instant,
}

impl Writer {
    fn new(path: PathBuf) -> Self {
        Self { path, file: None, size: 0, broken_line: false, looked_at: Instant::now() }
    }

    fn run(&mut self, shared: &Shared) {
        // The start marker is written immediately.
        let mut written_at: Option<Instant> = None;
        loop {
            let mut queue = shared.queue();
            // A full batch is written at once, a partial one a second after the last write.
            while !queue.closed && queue.lines.len() < limits::JOURNAL_BATCH_ENTRIES {
                let since_write = written_at.map_or(Duration::MAX, |at| at.elapsed());
                let wait = Duration::from_millis(limits::JOURNAL_FLUSH_MILLIS).saturating_sub(since_write);
                if wait.is_zero() && !queue.lines.is_empty() {
                    break;
                }
                let wait = if wait.is_zero() { Duration::from_millis(limits::JOURNAL_FLUSH_MILLIS) } else { wait };
                queue = shared.news.wait_timeout(queue, wait).unwrap_or_else(PoisonError::into_inner).0;
            }
            if queue.lines.is_empty() {
                if queue.closed {
                    return;
                }
                continue;
            }
            let count = queue.next_batch();
            let batch: Vec<Line> = queue.lines.drain(..count).collect();
            queue.bytes -= batch.iter().map(|line| line.text.len()).sum::<usize>();
            let closing = queue.closed;
            queue.writing = Some((Instant::now(), count));
            drop(queue);

            let began = Instant::now();
            let outcome = self.write(&batch);
            let slow = began.elapsed() > Duration::from_millis(limits::JOURNAL_SLOW_MILLIS);
            written_at = Some(Instant::now());

            let mut queue = shared.queue();
            queue.writing = None;
            let left = queue.lines.len() as u64;
            let report = &mut queue.report;
            report.slow = slow;
            match outcome {
                Ok(()) => {
                    (report.ok, report.error) = (true, None);
                    report.written += batch.len() as u64;
                }
                Err(Failed { whole, error }) => {
                    (report.ok, report.error) = (false, Some(format!("{}: {error}", self.path.display())));
                    report.written += whole as u64;
                    report.dropped += (batch.len() - whole.min(batch.len())) as u64;
                    if closing {
                        report.dropped += left;
                        return;
                    }
                }
            }
        }
    }

    /// One batch, one `write`.
    fn write(&mut self, batch: &[Line]) -> Result<(), Failed> {
        let mut text = Vec::with_capacity(batch.iter().map(|line| line.text.len() + 1).sum::<usize>() + 1);
        if self.broken_line {
            text.push(b'\n');
        }
        for line in batch {
            text.extend_from_slice(&line.text);
            text.push(b'\n');
        }
        if self.size + text.len() as u64 > limits::JOURNAL_ROTATE_BYTES as u64 && self.size > 0 {
            self.rotate()?;
        }
        self.notice_removal();
        let file = match &mut self.file {
            Some(file) => file,
            None => {
                let file = private_options().append(true).create(true).open(&self.path)?;
                self.size = file.metadata()?.len();
                self.file.insert(file)
            }
        };
        match file.write(&text) {
            Ok(written) if written == text.len() => {
                self.size += written as u64;
                self.broken_line = false;
                Ok(())
            }
            Ok(written) => {
                self.size += written as u64;
                let there = text.get(..written).unwrap_or_default();
                // The first line break may belong to an earlier line.
                let breaks = memchr::memchr_iter(b'\n', there).count();
                let whole = breaks.saturating_sub(usize::from(self.broken_line));
                self.broken_line = if there.is_empty() { self.broken_line } else { !there.ends_with(b"\n") };
                Err(Failed { whole, error: io::Error::new(io::ErrorKind::StorageFull, "the disk is full") })
            }
            Err(error) => {
                // The file may have been moved or the disk remounted: open it again next time.
                self.file = None;
                Err(error.into())
            }
        }
    }

    /// Opens a new file if the current one was deleted or moved while we write to it.
    fn notice_removal(&mut self) {
        if self.looked_at.elapsed() < Duration::from_secs(1) {
            return;
        }
        self.looked_at = Instant::now();
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt as _;
            let ours = self.file.as_ref().and_then(|file| file.metadata().ok()).map(|file| (file.dev(), file.ino()));
            let there = fs::metadata(&self.path).ok().map(|file| (file.dev(), file.ino()));
            if ours.is_some() && ours != there {
                self.file = None;
            }
        }
    }

    /// Rotates the file. The previous one is kept as `logs.jsonl.1`; the rename is atomic.
    fn rotate(&mut self) -> io::Result<()> {
        self.file = None;
        fs::rename(&self.path, previous(&self.path))?;
        self.size = 0;
        Ok(())
    }
}

fn previous(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".1");
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waiting(lines: usize, bytes: usize) -> Queue {
        let line = || Line { text: vec![b'x'; bytes], is_body: false };
        Queue { lines: (0..lines).map(|_| line()).collect(), ..Queue::default() }
    }

    #[test]
    fn a_write_takes_a_batch_or_as_much_as_fits() {
        let fit = limits::JOURNAL_WRITE_BYTES / 1_024;
        assert_eq!(waiting(3, 1_023).next_batch(), 3);
        assert_eq!(waiting(fit - 1, 1_023).next_batch(), fit - 1);
        assert_eq!(waiting(fit, 1_023).next_batch(), fit);
        assert_eq!(waiting(fit + 1, 1_023).next_batch(), fit);
        // Large lines are written like a batch.
        assert_eq!(waiting(20, limits::JOURNAL_WRITE_BYTES).next_batch(), limits::JOURNAL_BATCH_ENTRIES);
    }
}
