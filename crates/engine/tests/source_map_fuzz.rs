//! Checks the fuzz target's property for source maps on its seeds, on findings of fuzzing, and on random changes of
//! both.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    unreachable_pub
)]

#[path = "../../../fuzz/corpus.rs"]
mod corpus;
#[path = "../../../fuzz/source_map.rs"]
mod source_map;

const BUNDLE: &[u8] = include_bytes!("../../../fixtures/source-maps/shop.js.map");

#[test]
fn the_property_holds_for_the_corpus_and_changes_of_it() {
    let mut inputs = corpus::inputs("source_map");
    assert!(inputs.len() >= 4);
    inputs.push([&[0], BUNDLE].concat());
    corpus::hold(&inputs, 2_000, source_map::check);
}
