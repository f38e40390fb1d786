//! Checks the fuzz target's property on the contract fixtures, on findings of fuzzing, and on random changes of both.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    unreachable_pub
)]

#[path = "../../../fuzz/intake.rs"]
mod intake;

use std::path::Path;

use engine::intake::Content;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Every fixture for every route, and every input that once broke something.
fn corpus() -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let files = |folder: &str| -> Vec<Vec<u8>> {
        let Ok(folder) = std::fs::read_dir(root.join(folder)) else { return Vec::new() };
        folder.map(|file| std::fs::read(file.unwrap().path()).unwrap()).collect()
    };
    let mut inputs = files("fuzz/regressions/ingest");
    for body in files("fixtures/wire") {
        for route in 0..Content::ALL.len() {
            inputs.push([&[route as u8], body.as_slice()].concat());
        }
    }
    inputs
}

#[test]
fn the_property_holds_for_the_corpus() {
    let inputs = corpus();
    assert!(inputs.len() >= 64);
    for input in inputs {
        intake::check(&input);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(7), failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    #[test]
    fn changed_inputs_hold(pick in any::<prop::sample::Index>(), changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8)) {
        let inputs = corpus();
        let mut input = pick.get(&inputs).clone();
        for (place, byte) in changes {
            let place = place.index(input.len());
            input[place] = byte;
        }
        intake::check(&input);
    }

    #[test]
    fn random_bytes_hold(input in prop::collection::vec(any::<u8>(), 0..400)) {
        intake::check(&input);
    }
}
