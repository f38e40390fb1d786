//! `gasoline ci-script`, with and without the script in the binary.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::support::gasoline;

fn built() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../browser/ci/dist/gasoline-ci.min.js")
}

fn run(args: &[&str]) -> (Option<i32>, Vec<u8>, String) {
    let state = TempDir::new().unwrap();
    let output = gasoline(state.path()).arg("ci-script").args(args).output().unwrap();
    (output.status.code(), output.stdout, String::from_utf8(output.stderr).unwrap())
}

#[test]
fn without_the_script_it_says_how_to_get_it() {
    if built().exists() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("capture.js");
    for args in [&[][..], &["--out", out.to_str().unwrap()]] {
        let (code, said, error) = run(args);
        assert_eq!((code, said), (Some(1), Vec::new()));
        assert!(error.contains("cargo xtask build"), "{error}");
    }
    assert!(!out.exists());
}

#[test]
fn the_script_is_printed_byte_for_byte() {
    if !built().exists() {
        return;
    }
    let script = std::fs::read(built()).unwrap();
    let (code, said, error) = run(&[]);
    assert_eq!((code, error.as_str()), (Some(0), ""));
    assert!(said == script, "{} bytes instead of {}", said.len(), script.len());

    let folder = TempDir::new().unwrap();
    let out = folder.path().join("deep/capture.js");
    // Twice: the second replaces the first.
    for _ in 0..2 {
        let (code, said, error) = run(&["--out", out.to_str().unwrap()]);
        assert_eq!(code, Some(0), "{error}");
        assert!(String::from_utf8(said).unwrap().contains("deep/capture.js"));
        assert!(std::fs::read(&out).unwrap() == script);
    }
}

#[test]
fn the_error_names_a_path_that_cannot_be_written() {
    if !built().exists() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let (code, said, error) = run(&["--out", folder.path().to_str().unwrap()]);
    assert_eq!((code, said), (Some(1), Vec::new()));
    assert!(error.contains("could not write") && error.contains(folder.path().to_str().unwrap()), "{error}");
}
