//! Finds errors that happened again in another form: wrapped into another error or a warning, or outside of the filter.
//! A look-alike that already existed before is only a reason for doubt.

use std::collections::HashSet;

use wire::Level;

use super::issue::Issue;
use super::observed::Observed;
use super::page::origin;
use super::same::same_message;
use crate::entry::Log;
use crate::failures::Failure;
use crate::text::shorten;

/// Errors outside of the filter that are remembered.
const ELSEWHERE: usize = 100;
const ADDRESS_CHARS: usize = 120;
/// Length of a line that is kept; answers show less of it.
const LINE_CHARS: usize = 400;
const SHOWN_CHARS: usize = 200;

/// The form in which an error happened again.
pub(super) enum Otherwise<'o> {
    /// As part of another error, which contains its words.
    Wrapped(&'o Issue),
    /// As part of a warning.
    Said(&'o Line),
    /// On a page that the filter leaves out.
    Elsewhere(&'o str),
}

impl<'o> Otherwise<'o> {
    /// Only what exists after and did not exist before.
    pub(super) fn find(was: &Issue, before: &Observed, after: &'o Observed) -> Option<Self> {
        if after.find_error(was).is_some() {
            return None;
        }
        let is_new = |now: &&Issue| before.find_error(now).is_none();
        let wrapped =
            after.errors.iter().filter(is_new).find(|now| was.is_mentioned_in(&now.origin, &now.words, &now.message));
        let said = || {
            let warnings = after.said.lines_of(was).filter(|line| line.level == Level::Warn);
            warnings.filter(|line| !before.said.has(line)).map(Otherwise::Said).next()
        };
        let elsewhere = || {
            let page = after.elsewhere.page_of(was)?;
            before.elsewhere.page_of(was).is_none().then_some(Otherwise::Elsewhere(page))
        };
        wrapped.map(Otherwise::Wrapped).or_else(said).or_else(elsewhere)
    }

    /// The new form, to be shown beside the error's own message.
    pub(super) fn text(&self, message: &str) -> String {
        match self {
            Self::Wrapped(issue) => issue.text(),
            Self::Said(line) => format!("{} (as a warning)", shorten(&line.message, SHOWN_CHARS)),
            Self::Elsewhere(page) => format!("{message} (on {page}, outside of url_filter)"),
        }
    }
}

/// Why an error that is called resolved may persist: a line contains its words, or it happens elsewhere.
pub(super) fn doubts(was: &Issue, before: &Observed, after: &Observed) -> Vec<String> {
    let mut doubts = Vec::new();
    if let Some(line) = after.said.lines_of(was).next() {
        let again = if before.said.has(line) { " again, as before" } else { "" };
        let shown = shorten(&line.message, SHOWN_CHARS);
        doubts.push(format!(
            "{} may still be there: a {} line has its words{again}: {shown}",
            was.name(),
            line.level.name()
        ));
    }
    if let Some(now) = after.errors.iter().find(|now| was.is_mentioned_in(&now.origin, &now.words, &now.message)) {
        doubts.push(format!(
            "{} may still be there: {} has its words, and came before as well",
            was.name(),
            now.name()
        ));
    }
    if let Some(page) = after.elsewhere.page_of(was) {
        doubts.push(format!("{} still comes on {page}, outside of url_filter, as before", was.name()));
    }
    doubts
}

/// A console line that is not an error.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Line {
    level: Level,
    origin: String,
    /// The message without its varying parts, and the original.
    words: String,
    message: String,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Said {
    lines: Vec<Line>,
}

impl Said {
    /// Adds lines, oldest first. Beyond the limit, lines that are not warnings are dropped first, the oldest of them.
    pub(super) fn add(&mut self, entry: &Log, most: usize) {
        let words = same_message(&entry.message);
        let (origin, message) = (origin(entry.url.as_deref()), shorten(&entry.message, LINE_CHARS));
        let line = Line { level: entry.level, origin, words, message };
        if self.has(&line) {
            return;
        }
        if self.lines.len() >= most {
            let place = self.lines.iter().position(|line| line.level < Level::Warn).unwrap_or(0);
            if place < self.lines.len() {
                self.lines.remove(place);
            }
        }
        self.lines.push(line);
    }

    fn has(&self, line: &Line) -> bool {
        self.lines.iter().any(|known| known.level == line.level && known.words == line.words)
    }

    /// The lines that report this error.
    fn lines_of(&self, was: &Issue) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(|line| was.is_mentioned_in(&line.origin, &line.words, &line.message))
    }

    pub(super) fn bytes(&self) -> usize {
        let texts = |line: &Line| line.origin.len() + line.words.len() + line.message.len();
        self.lines.iter().map(|line| texts(line) + size_of::<Line>()).sum()
    }
}

/// Errors that happened outside of the filter, with their pages.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Elsewhere {
    errors: Vec<(String, String, String)>,
}

impl Elsewhere {
    /// The errors of `all` that are not in `found`.
    pub(super) fn from_failures<'f>(all: impl Iterator<Item = &'f Failure<'f>>, found: &[Failure<'_>]) -> Self {
        let mut elsewhere = Self::default();
        let found: HashSet<u64> = found.iter().map(Failure::cursor).collect();
        for failure in all.filter(|failure| failure.request().is_none()) {
            if !found.contains(&failure.cursor()) {
                elsewhere.add(&origin(failure.page()), &same_message(&failure.message()), failure.page());
            }
        }
        elsewhere
    }

    pub(super) fn add(&mut self, origin: &str, words: &str, page: Option<&str>) {
        if self.errors.len() < ELSEWHERE {
            let page = shorten(page.unwrap_or("another page"), ADDRESS_CHARS);
            self.errors.push((origin.to_owned(), words.to_owned(), page));
        }
    }

    fn page_of(&self, was: &Issue) -> Option<&str> {
        let is_told =
            |origin: &str, words: &str| was.is_known_as(origin, words) || was.is_mentioned_in(origin, words, words);
        let error = self.errors.iter().find(|(origin, words, _)| is_told(origin, words))?;
        Some(&error.2)
    }

    pub(super) fn bytes(&self) -> usize {
        let own = size_of::<(String, String, String)>();
        self.errors.iter().map(|(origin, words, page)| origin.len() + words.len() + page.len() + own).sum()
    }
}
