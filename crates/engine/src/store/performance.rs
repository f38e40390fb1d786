//! The latest load of each page, and a baseline of its earlier loads.

use std::collections::{HashMap, VecDeque};

use wire::performance::{LongTasks, NetworkSummary, PerformanceBaseline, Timing};
use wire::{Timestamp, limits};

use super::{Buffer, BufferReport};
use crate::entry::Entry;
use crate::entry::PageLoad;
use crate::metric::Metric;
use crate::redact::Redacted;

/// The first loads are averaged with equal weight; after these, the baseline moves slowly.
const PLAIN_SAMPLES: u32 = 5;

/// The loads of one page.
#[derive(Debug, Clone)]
pub struct PageLoads {
    /// The cursor of the latest load.
    pub cursor: u64,
    /// The latest load.
    pub latest: PageLoad,
    /// The baseline before `latest` joined it, which a comparison must use. `None` for a page's first load.
    pub compared_with: Option<PerformanceBaseline>,
    /// The baseline with `latest` in it.
    pub baseline: PerformanceBaseline,
    /// The web vitals of the latest loads, oldest first, including `latest`.
    history: VecDeque<Sample>,
    /// Whether only single web vitals have arrived, and the load is still to come.
    is_partial: bool,
    bytes: usize,
}

/// The web vitals of one load.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// When the load happened.
    pub at: Timestamp,
    vitals: [Option<f32>; Metric::VITALS.len()],
}

impl Sample {
    fn from_load(load: &PageLoad) -> Self {
        let vitals = Metric::VITALS.map(|metric| metric.value_in(load).map(|value| value as f32));
        Self { at: load.at, vitals }
    }

    /// A web vital's value. `None` for one that was not measured, or another metric.
    pub fn value(&self, metric: Metric) -> Option<f64> {
        let place = Metric::VITALS.iter().position(|vital| *vital == metric)?;
        let value = self.vitals.get(place).copied().flatten()?;
        // Scores have four digits; further ones result from the short form.
        Some((f64::from(value) * 10_000.0).round() / 10_000.0)
    }
}

impl PageLoads {
    /// Memory of the load, of two baselines of about its size, and of the history.
    fn takes(&self) -> usize {
        self.bytes * 3 + self.history.len() * size_of::<Sample>()
    }

    /// The latest loads, oldest first.
    pub fn history(&self) -> impl Iterator<Item = &Sample> {
        self.history.iter()
    }

    fn remember(&mut self) {
        self.history.push_back(Sample::from_load(&self.latest));
        while self.history.len() > limits::PERFORMANCE_HISTORY {
            self.history.pop_front();
        }
    }

    /// Updates the history after the latest load changed.
    fn remember_again(&mut self) {
        self.history.pop_back();
        self.remember();
    }
}

/// Pages, the least recently loaded first.
#[derive(Debug, Default)]
pub struct Performance {
    pages: VecDeque<PageLoads>,
    is_per_test: bool,
    dropped: u64,
    received: u64,
    removed: u64,
}

impl Performance {
    /// Adds a load. `bytes` is its serialized size.
    pub fn push(&mut self, cursor: u64, redacted: Redacted<PageLoad>, bytes: usize) {
        let (mut snapshot, _) = redacted.into_parts();
        let is_partial = snapshot.is_lone_vital;
        self.received += 1;
        // A route change does less than a load, so they are not compared with each other.
        let is_same = |page: &PageLoads| {
            page.latest.url == snapshot.url && is_route_change(&page.latest) == is_route_change(&snapshot)
        };
        let is_own = |page: &PageLoads| !self.is_per_test || page.latest.test_id == snapshot.test_id;
        let own = self.pages.iter().rposition(|page| is_same(page) && is_own(page));
        let elsewhere = self.pages.iter().rfind(|page| is_same(page)).map(|page| page.baseline.clone());
        let mut known = own.and_then(|index| self.pages.remove(index));
        self.removed += u64::from(known.is_some());
        let mut history = known.as_mut().map(|page| std::mem::take(&mut page.history)).unwrap_or_default();
        let compared_with = match known {
            // Web vitals that arrived before their load belong to it.
            Some(ahead) if ahead.is_partial => {
                let mut vitals = ahead.latest;
                join(&mut vitals, &snapshot);
                join(&mut snapshot, &vitals);
                history.pop_back();
                ahead.compared_with
            }
            known => known.map(|page| page.baseline).or(elsewhere),
        };
        let baseline = updated(compared_with.as_ref(), &snapshot);
        let test_id = snapshot.test_id.clone();
        let mut page = PageLoads { cursor, latest: snapshot, compared_with, baseline, history, is_partial, bytes };
        page.remember();
        self.pages.push_back(page);
        self.evict(test_id.as_deref());
    }

    /// Adds a single web vital to the page's latest load. `false` when there is none.
    pub fn amend(&mut self, metric: &PageLoad) -> bool {
        let is_its = |page: &PageLoads| {
            page.latest.url == metric.url && (!self.is_per_test || page.latest.test_id == metric.test_id)
        };
        let Some(page) = self.pages.iter().rposition(is_its).and_then(|index| self.pages.get_mut(index)) else {
            return false;
        };
        join(&mut page.latest, metric);
        page.baseline = updated(page.compared_with.as_ref(), &page.latest);
        page.remember_again();
        true
    }

    /// Evicts the oldest loads of a test until its limits hold.
    fn evict(&mut self, test_id: Option<&str>) {
        loop {
            let shares = |page: &&PageLoads| !self.is_per_test || page.latest.test_id() == test_id;
            let (count, bytes) =
                self.pages.iter().filter(shares).fold((0, 0), |(count, bytes), page| (count + 1, bytes + page.takes()));
            if count <= limits::PERFORMANCE_URLS && (bytes <= limits::PERFORMANCE_BYTES || count <= 1) {
                return;
            }
            let Some(oldest) = self.pages.iter().position(|page| shares(&page)) else { return };
            self.pages.remove(oldest);
            self.dropped += 1;
        }
    }

    /// The least recently loaded first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &PageLoads> {
        self.pages.iter()
    }

    /// The loads of the page with this path.
    pub fn page(&self, url: &str) -> Option<&PageLoads> {
        self.position(url).and_then(|index| self.pages.get(index))
    }

    /// The page that was loaded last.
    pub fn newest(&self) -> Option<&PageLoads> {
        self.pages.back()
    }

    /// The latest first.
    pub fn pages(&self) -> impl Iterator<Item = &PageLoads> {
        self.pages.iter().rev()
    }

    fn retain(&mut self, mut keep: impl FnMut(&PageLoads) -> bool) -> usize {
        let before = self.pages.len();
        self.pages.retain(|page| keep(page));
        before - self.pages.len()
    }

    fn position(&self, url: &str) -> Option<usize> {
        self.pages.iter().rposition(|page| page.latest.url == url)
    }

    /// The number of pages.
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// Whether no page load is known.
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }
}

impl Buffer for Performance {
    fn report(&self) -> BufferReport {
        BufferReport {
            count: self.len(),
            capacity: limits::PERFORMANCE_URLS,
            memory_bytes: self.bytes(),
            dropped: self.dropped,
            // Removed on request, or to make room for the next load of their page.
            removed: self.removed,
            received: self.received,
        }
    }

    fn bytes(&self) -> usize {
        self.pages.iter().map(PageLoads::takes).sum()
    }

    /// The baseline of a page still covers all tests.
    fn make_per_test(&mut self) {
        self.is_per_test = true;
    }

    fn drop_all(&mut self) {
        self.dropped += self.pages.len() as u64;
        self.pages.clear();
    }

    fn evict_test(&mut self, test_id: Option<&str>) -> usize {
        let evicted = self.retain(|page| page.latest.test_id() != test_id);
        self.dropped += evicted as u64;
        evicted
    }

    fn take_out(&mut self, test_id: Option<&str>, of_tests: &mut HashMap<String, usize>) -> usize {
        let keeps = |page: &PageLoads| test_id.is_some_and(|test_id| page.latest.test_id() != Some(test_id));
        for test_id in self.pages.iter().filter(|page| !keeps(page)).filter_map(|page| page.latest.test_id()) {
            *of_tests.entry(test_id.to_owned()).or_default() += 1;
        }
        let removed = self.retain(keeps);
        self.removed += removed as u64;
        removed
    }

    fn newest_of_tests<'s>(&'s self) -> Box<dyn Iterator<Item = (Option<&'s str>, u64)> + 's> {
        Box::new(self.pages.iter().map(|page| (page.latest.test_id(), page.cursor)))
    }
}

fn is_route_change(snapshot: &PageLoad) -> bool {
    snapshot.soft_navigation == Some(true)
}

/// Given web vitals replace earlier ones.
fn join(own: &mut PageLoad, given: &PageLoad) {
    if let Some(given) = &given.timing {
        let own = own.timing.get_or_insert_default();
        for (own, given) in own.fields_mut().into_iter().zip(given.fields()) {
            *own = given.or(*own);
        }
    }
    own.cumulative_layout_shift = given.cumulative_layout_shift.or(own.cumulative_layout_shift);
    own.interaction_to_next_paint = given.interaction_to_next_paint.or(own.interaction_to_next_paint);
}

/// The baseline after one more load.
fn updated(baseline: Option<&PerformanceBaseline>, snapshot: &PageLoad) -> PerformanceBaseline {
    let count = baseline.and_then(|baseline| baseline.sample_count).unwrap_or(0).saturating_add(1);
    let weight = if count <= PLAIN_SAMPLES { 1.0 / f64::from(count) } else { 0.2 };
    let mix = |old: Option<f64>, new: Option<f64>| match (old, new) {
        (Some(old), Some(new)) => Some(old + (new - old) * weight),
        (old, new) => new.or(old),
    };

    let mut timing = snapshot.timing.clone().unwrap_or_default();
    let mut network = snapshot.network.clone().unwrap_or_default();
    let mut long_tasks = snapshot.long_tasks.clone().unwrap_or_default();
    // Slow requests belong to one load, so a baseline has none.
    (network.by_type, network.slowest_requests) = (None, None);
    let old = baseline.cloned().unwrap_or_default();
    let pairs = [
        (timing.fields_mut().into_vec(), old.timing.unwrap_or_default().fields().to_vec()),
        (network.fields_mut().into_vec(), old.network.unwrap_or_default().fields().to_vec()),
        (long_tasks.fields_mut().into_vec(), old.long_tasks.unwrap_or_default().fields().to_vec()),
    ];
    for (fields, old) in pairs {
        for (field, old) in fields.into_iter().zip(old) {
            *field = mix(old, *field);
        }
    }
    PerformanceBaseline {
        url: Some(snapshot.url.clone()),
        sample_count: Some(count),
        last_updated: Some(snapshot.at),
        timing: Some(timing),
        network: Some(network),
        long_tasks: Some(long_tasks),
        cumulative_layout_shift: mix(old.cumulative_layout_shift, snapshot.cumulative_layout_shift),
        interaction_to_next_paint: mix(old.interaction_to_next_paint, snapshot.interaction_to_next_paint),
    }
}

/// The numbers of a struct, so that each can be averaged without being named again.
trait Numbers<const N: usize> {
    fn fields(&self) -> [Option<f64>; N];
    fn fields_mut(&mut self) -> [&mut Option<f64>; N];
}

macro_rules! numbers {
    ($ty:ty, $count:literal: $($field:ident),*) => {
        impl Numbers<$count> for $ty {
            fn fields(&self) -> [Option<f64>; $count] {
                [$(self.$field),*]
            }

            fn fields_mut(&mut self) -> [&mut Option<f64>; $count] {
                [$(&mut self.$field),*]
            }
        }
    };
}

numbers!(Timing, 6: dom_content_loaded, load, first_contentful_paint, largest_contentful_paint, time_to_first_byte, dom_interactive);
numbers!(NetworkSummary, 3: request_count, transfer_size, decoded_size);
numbers!(LongTasks, 3: count, total_blocking_time, longest);

trait IntoVec<'a> {
    fn into_vec(self) -> Vec<&'a mut Option<f64>>;
}

impl<'a, const N: usize> IntoVec<'a> for [&'a mut Option<f64>; N] {
    fn into_vec(self) -> Vec<&'a mut Option<f64>> {
        self.into_iter().collect()
    }
}
