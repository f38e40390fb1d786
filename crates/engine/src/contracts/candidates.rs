//! Shapes that an endpoint's responses may turn out to have, until enough of them agree on one. They need not agree in
//! a row: an endpoint may have two kinds of responses and alternate between them.

use wire::limits;

use super::learned::{Learned, are_learnable};
use super::shape::Shape;

/// An endpoint with more kinds of responses than these has no contract.
const CANDIDATES: usize = 4;

/// The most recently seen is last.
#[derive(Debug, Default)]
pub(super) struct Candidates(Vec<(Learned, u64)>);

impl Candidates {
    /// Adds a response. If that establishes its shape, returns the shape and the number of responses that agree on it.
    pub(super) fn add(&mut self, shape: &Shape) -> Option<(Learned, u64)> {
        let differences: Vec<_> = self.0.iter().map(|(learned, _)| learned.differences(shape)).collect();
        // An exact match goes before one that would have to be widened.
        let place = differences
            .iter()
            .position(Vec::is_empty)
            .or_else(|| differences.iter().position(|differences| are_learnable(differences)));
        let (learned, agreeing) = match place.map(|place| self.0.remove(place)) {
            Some((mut learned, agreeing)) => {
                learned.absorb(shape);
                (learned, agreeing + 1)
            }
            None => (Learned::from(shape), 1),
        };
        if agreeing >= limits::API_SHAPE_AGREEING {
            self.0.clear();
            return Some((learned, agreeing));
        }
        if self.0.len() >= CANDIDATES {
            // Of those with the fewest responses, the first.
            let least = self.0.iter().enumerate().min_by_key(|(_, (_, agreeing))| *agreeing);
            if let Some(place) = least.map(|(place, _)| place) {
                self.0.remove(place);
            }
        }
        self.0.push((learned, agreeing));
        None
    }

    /// The shape that most responses agree on so far; among equals, the latest.
    pub(super) fn best(&self) -> Option<(&Learned, u64)> {
        self.0.iter().max_by_key(|(_, agreeing)| *agreeing).map(|(learned, agreeing)| (learned, *agreeing))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> Shape {
        Shape::read(text, limits::API_SHAPE_LEVELS).unwrap()
    }

    #[test]
    fn an_endpoint_has_few_candidates() {
        let mut candidates = Candidates::default();
        assert!(candidates.add(&shape(r#"{"kept":1}"#)).is_none());
        assert!(candidates.add(&shape(r#"{"kept":1}"#)).is_none());
        for number in 0..50 {
            assert!(candidates.add(&shape(&format!("{{\"other{number}x\":1}}"))).is_none());
            assert!(candidates.0.len() <= CANDIDATES);
        }
        let (_, agreeing) = candidates.add(&shape(r#"{"kept":1}"#)).unwrap();
        assert_eq!((agreeing, candidates.best().is_none()), (3, true), "what several agree on is kept longest");
    }
}
