//! Which entries the caller asks for.

use wire::Timestamp;

use super::Stored;
use crate::entry::Entry;

/// The start of the requested range.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Since {
    /// Everything that is stored.
    #[default]
    Ever,
    /// At or after this time, by the page's clock.
    Time(Timestamp),
    /// Stored after this cursor.
    Cursor(u64),
}

/// The filters that every list accepts.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// A part of the address of the page or the request.
    pub url: Option<String>,
    /// Only this browser tab.
    pub tab_id: Option<i64>,
    /// Only this test.
    pub test_id: Option<String>,
    /// Only entries after this point.
    pub since: Since,
    /// Leaves out entries that match a noise rule.
    pub without_noise: bool,
}

impl Filter {
    /// Whether the entry passes the filter. Noise is not checked here.
    pub fn admits<T: Entry>(&self, stored: &Stored<T>) -> bool {
        self.admits_as(stored, stored.entry.addresses())
    }

    /// The same where only some of the entry's addresses count.
    pub(crate) fn admits_as<'a, T: Entry>(
        &self,
        stored: &Stored<T>,
        urls: impl IntoIterator<Item = Option<&'a str>>,
    ) -> bool {
        let entry = &stored.entry;
        self.admits_at(Some(entry.at()), Some(stored.cursor), entry.tab_id(), entry.test_id(), urls)
    }

    /// The same for data outside of rings. Data without a time or a cursor is outside of every range.
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

    /// Whether any filter is set.
    pub fn is_set(&self) -> bool {
        self.url.is_some() || self.tab_id.is_some() || self.test_id.is_some() || self.since != Since::Ever
    }
}
