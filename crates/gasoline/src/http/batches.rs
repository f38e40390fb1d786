//! Recognises batches that were stored before: a sender whose answer was lost sends again, and nothing may be stored
//! twice.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use engine::intake::Content;
use wire::limits;

/// The result of a batch, once it is known. Locked while the batch is being stored, so that a second copy of the batch
/// waits for the result.
type Slot<T> = Arc<Mutex<Option<T>>>;

/// The latest batches, the least recently seen first.
#[derive(Debug)]
pub(crate) struct KnownBatches<T> {
    slots: Mutex<VecDeque<(Content, String, Slot<T>)>>,
}

impl<T> Default for KnownBatches<T> {
    fn default() -> Self {
        Self { slots: Mutex::new(VecDeque::new()) }
    }
}

impl<T: Clone> KnownBatches<T> {
    /// Stores a batch, unless one of this name was stored before: then the earlier result is returned again. A batch
    /// whose work failed does not count as stored. A batch without a name, or with too long a name, is always new.
    pub(super) fn once<E>(
        &self,
        content: Content,
        name: Option<&str>,
        work: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        let Some(name) = name.filter(|name| !name.is_empty() && name.chars().count() <= limits::ENTRY_ID_CHARS) else {
            return work();
        };
        let slot = self.slot(content, name);
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(outcome) = &*slot {
            return Ok(outcome.clone());
        }
        let outcome = work()?;
        *slot = Some(outcome.clone());
        Ok(outcome)
    }

    fn slot(&self, content: Content, name: &str) -> Slot<T> {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let known = slots.iter().position(|(of, known, _)| *of == content && known == name);
        let entry =
            known.and_then(|index| slots.remove(index)).unwrap_or_else(|| (content, name.to_owned(), Slot::default()));
        let slot = Arc::clone(&entry.2);
        if slots.len() >= limits::KNOWN_BATCHES {
            slots.pop_front();
        }
        slots.push_back(entry);
        slot
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    fn tell(known: &KnownBatches<usize>, name: &str, value: usize) -> usize {
        known.once(Content::Sync, Some(name), || Ok::<_, Infallible>(value)).unwrap()
    }

    #[test]
    fn the_latest_256_batches_are_known() {
        for (others, expected) in [(254, 1), (255, 1), (256, 2)] {
            let known = KnownBatches::default();
            tell(&known, "first", 1);
            for n in 0..others {
                tell(&known, &n.to_string(), 0);
            }
            assert_eq!(tell(&known, "first", 2), expected, "{others} others");
        }
    }

    #[test]
    fn a_batch_that_is_seen_again_is_evicted_later() {
        let known = KnownBatches::default();
        tell(&known, "first", 1);
        for n in 0..1_000 {
            tell(&known, &n.to_string(), 0);
            assert_eq!(tell(&known, "first", 2), 1);
        }
    }

    #[test]
    fn names_have_64_characters_at_most() {
        for (length, expected) in [(0, 2), (1, 1), (63, 1), (64, 1), (65, 2)] {
            let (known, name) = (KnownBatches::default(), "é".repeat(length));
            tell(&known, &name, 1);
            assert_eq!(tell(&known, &name, 2), expected, "{length}");
        }
    }

    #[test]
    fn failed_work_is_retried_and_each_route_has_its_own_names() {
        let known = KnownBatches::default();
        assert_eq!(known.once(Content::Sync, Some("a"), || Err(5)), Err(5));
        assert_eq!(tell(&known, "a", 1), 1);
        assert_eq!(known.once(Content::Logs, Some("a"), || Ok::<_, Infallible>(7)), Ok(7));
    }
}
