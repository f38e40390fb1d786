//! Which entries are asked for.

use wire::Timestamp;

use super::Stored;
use crate::entry::Entry;

/// From where on entries count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Since {
    #[default]
    Ever,
    /// At or after this moment, by the page's clock.
    Time(Timestamp),
    /// Stored after this cursor.
    Cursor(u64),
}

/// What every list can be narrowed by.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// A part of the page's or the request's address.
    pub url: Option<String>,
    pub tab_id: Option<i64>,
    pub test_id: Option<String>,
    pub since: Since,
    /// Leave out what falls under a noise rule.
    pub without_noise: bool,
}

impl Filter {
    pub fn admits<T: Entry>(&self, stored: &Stored<T>) -> bool {
        self.admits_as(stored, stored.entry.addresses())
    }

    /// The same where only some addresses count.
    pub(crate) fn admits_as<'a, T: Entry>(
        &self,
        stored: &Stored<T>,
        urls: impl IntoIterator<Item = Option<&'a str>>,
    ) -> bool {
        let entry = &stored.entry;
        self.admits_at(Some(entry.at()), Some(stored.cursor), entry.tab_id(), entry.test_id(), urls)
    }

    /// The same for what does not lie in a ring. What has no time or cursor is in no stretch of time.
    pub(crate) fn admits_at<'a>(
        &self,
        time: Option<Timestamp>,
        cursor: Option<u64>,
        tab_id: Option<i64>,
        test_id: Option<&str>,
        urls: impl IntoIterator<Item = Option<&'a str>>,
    ) -> bool {
        let in_time = match self.since {
            Since::Ever => true,
            Since::Time(from) => time.is_some_and(|time| time >= from),
            Since::Cursor(after) => cursor.is_some_and(|cursor| cursor > after),
        };
        in_time
            && self.tab_id.is_none_or(|tab| tab_id == Some(tab))
            && self.test_id.as_deref().is_none_or(|test| test_id == Some(test))
            && self
                .url
                .as_deref()
                .is_none_or(|part| urls.into_iter().any(|url| url.is_some_and(|url| url.contains(part))))
    }

    /// Whether anything was asked to be left out.
    pub fn is_set(&self) -> bool {
        self.url.is_some() || self.tab_id.is_some() || self.test_id.is_some() || self.since != Since::Ever
    }
}
