//! Remembers where something happened, for filters that are given later. Both sides of a comparison keep places in the
//! same form: a place that one side dropped must not look like a difference.

use crate::text::shorten;

/// Places that are kept for each error and request.
pub(super) const KEPT: usize = 10;
/// Length of an address that is kept, with its query.
const ADDRESS_CHARS: usize = 300;

/// How often it failed at a place, and its last outcome.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) failures: u64,
    /// The status of the latest failed request.
    pub(super) status: Option<u16>,
    /// The status of the latest successful call.
    pub(super) answered: Option<u16>,
}

impl Tally {
    /// Adds a failure. They come newest first.
    pub(super) fn fail(&mut self, status: Option<u16>, times: u64) {
        self.failures += times;
        self.status = self.status.or(status);
    }

    pub(super) fn answer(&mut self, status: Option<u16>) {
        self.answered = self.answered.or(status);
    }

    fn add(&mut self, older: Self) {
        self.fail(older.status, older.failures);
        self.answer(older.answered);
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    request: Option<String>,
    page: Option<String>,
    tally: Tally,
}

/// The latest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Places {
    known: Vec<Place>,
    /// Whether there were more places.
    is_cut: bool,
}

impl Places {
    /// The tally of one place.
    pub(super) fn at(&mut self, request: Option<&str>, page: Option<&str>) -> Option<&mut Tally> {
        let kept = |address: Option<&str>| address.map(|address| shorten(address, ADDRESS_CHARS));
        let (request, page) = (kept(request), kept(page));
        let known = self.known.iter().position(|place| place.request == request && place.page == page);
        let place = known.unwrap_or(self.known.len());
        if known.is_none() {
            self.known.push(Place { request, page, tally: Tally::default() });
        }
        self.known.get_mut(place).map(|place| &mut place.tally)
    }

    /// Adds the tallies of other places.
    pub(super) fn add(&mut self, others: &Self) {
        for place in &others.known {
            if let Some(tally) = self.at(place.request.as_deref(), place.page.as_deref()) {
                tally.add(place.tally);
            }
        }
        self.is_cut |= others.is_cut;
    }

    /// The tally of the places whose address contains this part.
    pub(super) fn with(&self, part: &str) -> Option<Tally> {
        let has = |address: &Option<String>| address.as_deref().is_some_and(|address| address.contains(part));
        let mut meant = self.known.iter().filter(|place| has(&place.request) || has(&place.page));
        let mut tally = meant.next()?.tally;
        meant.for_each(|place| tally.add(place.tally));
        Some(tally)
    }

    pub(super) fn is_cut(&self) -> bool {
        self.is_cut
    }

    pub(super) fn keep(&mut self, most: usize) {
        self.is_cut |= self.known.len() > most;
        self.known.truncate(most);
    }

    pub(super) fn bytes(&self) -> usize {
        let len = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        self.known.iter().map(|place| len(&place.request) + len(&place.page) + size_of::<Tally>()).sum()
    }
}
