//! Sorting that costs little code. The standard library's is made anew for every kind of list, with 6 KB of instructions
//! each; here they share one, which sorts places. Where many are sorted often, the standard library's is the quicker one.

use std::cmp::Ordering;

/// Like `sort_by_key`: equal ones stay in their order.
pub(crate) fn by_key<T, K: Ord>(items: &mut Vec<T>, key: impl Fn(&T) -> K) {
    by(items, |one, other| key(one).cmp(&key(other)));
}

/// Like `sort_by`: equal ones stay in their order.
pub(crate) fn by<T>(items: &mut Vec<T>, compare: impl Fn(&T, &T) -> Ordering) {
    let places = sorted_places(items.len(), &|one, other| match (items.get(one), items.get(other)) {
        (Some(one), Some(other)) => compare(one, other),
        _ => Ordering::Equal,
    });
    let mut unsorted: Vec<Option<T>> = items.drain(..).map(Some).collect();
    items.extend(places.into_iter().filter_map(|place| unsorted.get_mut(place)?.take()));
}

fn sorted_places(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|one, other| compare(*one, *other));
    places
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sorts_as_the_standard_library_does(list: Vec<(u8, u16)>) {
            // Few kinds of keys, so that many are equal.
            let key = |(key, _): &(u8, u16)| std::cmp::Reverse(*key % 8);
            let mut expected = list.clone();
            expected.sort_by_key(key);
            let mut sorted = list;
            by_key(&mut sorted, key);
            prop_assert_eq!(sorted, expected);
        }
    }
}
