//! The inputs that regular tests give to a target's property: its seeds, what fuzzing once found, and changes of both.

use std::path::Path;

/// Everything that is kept for a target.
pub fn inputs(target: &str) -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let mut inputs = Vec::new();
    for folder in ["seeds", "regressions"] {
        let Ok(files) = std::fs::read_dir(root.join(folder).join(target)) else { continue };
        let mut paths: Vec<_> = files.map(|file| file.unwrap().path()).collect();
        paths.sort();
        inputs.extend(paths.into_iter().map(|path| std::fs::read(path).unwrap()));
    }
    inputs
}

/// Gives the property each input as it is, cut short at every power of two, and with bytes replaced: `changes` times,
/// always the same ones.
pub fn hold(inputs: &[Vec<u8>], changes: usize, property: fn(&[u8])) {
    for input in inputs {
        property(input);
        let mut length = 1;
        while length < input.len() {
            property(&input[..length]);
            length *= 2;
        }
    }
    let mut random = 7_u64;
    let mut next = |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % below
    };
    for _ in 0..changes {
        let mut input = inputs[next(inputs.len())].clone();
        for _ in 0..=next(6) {
            if !input.is_empty() {
                let place = next(input.len());
                input[place] = next(256) as u8;
            }
        }
        property(&input);
    }
}
