//! Errors that came again, though not as the errors they were: caught and logged, or where a filter does not look.

use std::collections::HashSet;

use wire::Level;

use super::issue::Issue;
use super::page::origin;
use super::same::same_message;
use crate::entry::Log;
use crate::failures::Failure;
use crate::text::shorten;

/// Errors outside of a filter that are remembered.
const ELSEWHERE: usize = 100;
const ADDRESS_CHARS: usize = 120;
const SHOWN_CHARS: usize = 200;

/// How an error came again that did not come as itself.
pub(super) enum Otherwise<'o> {
    /// In another error, which has its words.
    Wrapped(&'o Issue),
    /// In a line.
    Said(&'o Line),
    /// On a page that the filter leaves out.
    Elsewhere(&'o str),
}

impl Otherwise<'_> {
    /// What is shown of it, beside the error's own message.
    pub(super) fn text(&self, message: &str) -> String {
        match self {
            Self::Wrapped(issue) => issue.text(),
            Self::Said(Line { level: Level::Warn, shown, .. }) => format!("{shown} (as a warning)"),
            Self::Said(Line { level, shown, .. }) => format!("{shown} (caught, and logged as {})", level.name()),
            Self::Elsewhere(page) => format!("{message} (on {page}, outside of url_filter)"),
        }
    }
}

/// A line of the console that is no error.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Line {
    level: Level,
    origin: String,
    /// The message without what varies, and as it is shown.
    words: String,
    shown: String,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Said {
    lines: Vec<Line>,
}

impl Said {
    /// Told oldest first; the newest are kept.
    pub(super) fn add(&mut self, entry: &Log, most: usize) {
        let words = same_message(&entry.message);
        if self.lines.iter().any(|line| line.level == entry.level && line.words == words) {
            return;
        }
        if self.lines.len() >= most && !self.lines.is_empty() {
            self.lines.remove(0);
        }
        let (origin, shown) = (origin(entry.url.as_deref()), shorten(&entry.message, SHOWN_CHARS));
        self.lines.push(Line { level: entry.level, origin, words, shown });
    }

    pub(super) fn find(&self, was: &Issue) -> Option<&Line> {
        self.lines.iter().find(|line| was.is_told_by(&line.origin, &line.words))
    }

    pub(super) fn bytes(&self) -> usize {
        let texts = |line: &Line| line.origin.len() + line.words.len() + line.shown.len();
        self.lines.iter().map(|line| texts(line) + size_of::<Line>()).sum()
    }
}

/// Errors that happened outside of a filter, with their pages.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Elsewhere {
    errors: Vec<(String, String, String)>,
}

impl Elsewhere {
    /// Those of `all` that are not among these.
    pub(super) fn of<'f>(all: impl Iterator<Item = &'f Failure<'f>>, found: &[Failure<'_>]) -> Self {
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

    pub(super) fn page_of(&self, was: &Issue) -> Option<&str> {
        let error = self.errors.iter().find(|(origin, words, _)| was.is_known_as(origin, words))?;
        Some(&error.2)
    }

    pub(super) fn bytes(&self) -> usize {
        let own = size_of::<(String, String, String)>();
        self.errors.iter().map(|(origin, words, page)| origin.len() + words.len() + page.len() + own).sum()
    }
}
