//! Which secret has which placeholder. It keeps keyed hashes, never a secret.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher, RandomState};

use wire::limits;

#[derive(Debug, Default)]
pub(super) struct Registry {
    known: HashMap<[u64; 2], (&'static str, u32)>,
    /// Oldest first, so that the registry stays bounded.
    order: VecDeque<[u64; 2]>,
    counters: HashMap<&'static str, u32>,
    keys: [RandomState; 2],
}

impl Registry {
    /// The placeholder of a secret. A secret keeps its first kind, so that it has one placeholder wherever it appears.
    pub(super) fn placeholder(&mut self, kind: &'static str, secret: &str) -> String {
        let hash = self.keys.each_ref().map(|key| key.hash_one(secret));
        let (kind, number) = match self.known.get(&hash) {
            Some(&known) => known,
            None => self.register(hash, kind),
        };
        format!("[secret:{kind}#{number}]")
    }

    fn register(&mut self, hash: [u64; 2], kind: &'static str) -> (&'static str, u32) {
        if self.known.len() >= limits::KNOWN_SECRETS
            && let Some(oldest) = self.order.pop_front()
        {
            self.known.remove(&oldest);
        }
        let counter = self.counters.entry(kind).or_insert(0);
        *counter = counter.saturating_add(1);
        let placeholder = (kind, *counter);
        self.known.insert(hash, placeholder);
        self.order.push_back(hash);
        placeholder
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_registry_stays_bounded_and_numbering_continues() {
        let mut registry = Registry::default();
        for n in 0..limits::KNOWN_SECRETS + 10 {
            registry.placeholder("token", &format!("secret {n}"));
        }
        assert_eq!(registry.known.len(), limits::KNOWN_SECRETS);
        assert_eq!(registry.order.len(), limits::KNOWN_SECRETS);
        let next = limits::KNOWN_SECRETS + 11;
        assert_eq!(registry.placeholder("token", "fresh"), format!("[secret:token#{next}]"));
    }

    #[test]
    fn a_secret_keeps_its_first_kind() {
        let mut registry = Registry::default();
        assert_eq!(registry.placeholder("token", "abc"), "[secret:token#1]");
        assert_eq!(registry.placeholder("bearer", "abc"), "[secret:token#1]");
        assert_eq!(registry.placeholder("bearer", "abd"), "[secret:bearer#1]");
    }
}
