//! `gasoline extension`, with and without an extension in the binary.

use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;
use wire::identity::EXTENSION_KEY;

use crate::support::gasoline;

/// Whether the extension was built before the binary.
fn is_built() -> bool {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../browser/extension/dist/manifest.json").exists()
}

fn run(args: &[&str]) -> (Option<i32>, String, String) {
    let state = TempDir::new().unwrap();
    let output = gasoline(state.path()).arg("extension").args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn json_of(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn without_an_extension_it_says_how_to_get_one() {
    if is_built() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("copy");
    let (code, said, error) = run(&["--out", out.to_str().unwrap()]);
    assert_eq!((code, said.as_str()), (Some(1), ""));
    assert!(error.contains("cargo xtask build"), "{error}");
    assert!(!out.exists());
}

#[test]
fn a_copy_has_every_file_and_the_given_defaults() {
    if !is_built() {
        return;
    }
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../browser/extension/dist");
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("deep/copy");
    let path = out.to_str().unwrap();
    for (args, expected) in [
        (vec![], json!({ "port": 7890, "sites": ["local"], "bodies": false })),
        (vec!["--port", "9000", "--bodies"], json!({ "port": 9000, "sites": ["local"], "bodies": true })),
        (vec!["--sites", "all"], json!({ "port": 7890, "sites": ["all"], "bodies": false })),
        (
            vec!["--sites", "local", "*.example.com", "App.test:8080", "local", "--bodies"],
            json!({ "port": 7890, "sites": ["local", "*.example.com", "app.test:8080"], "bodies": true }),
        ),
    ] {
        // An earlier copy in the folder is ours, so it is replaced.
        let (code, said, error) = run(&[&["--out", path], args.as_slice()].concat());
        assert_eq!(code, Some(0), "{error}");
        assert!(said.contains("deep/copy") && said.contains("chrome://extensions") && said.contains("Load unpacked"));
        assert_eq!(json_of(&out.join("defaults.json")), expected, "{args:?}");
        assert_eq!(json_of(&out.join("manifest.json"))["key"], EXTENSION_KEY);
    }
    let mut folders = vec![built.clone()];
    while let Some(folder) = folders.pop() {
        for file in std::fs::read_dir(folder).unwrap() {
            let file = file.unwrap().path();
            let name = file.strip_prefix(&built).unwrap();
            if file.is_dir() {
                folders.push(file);
            } else if name != Path::new("defaults.json") {
                assert_eq!(std::fs::read(&file).unwrap(), std::fs::read(out.join(name)).unwrap(), "{}", name.display());
            }
        }
    }
}

#[test]
fn a_folder_with_other_files_is_not_touched() {
    if !is_built() {
        return;
    }
    for manifest in [None, Some("{}"), Some("no json"), Some(r#"{"key":"another"}"#)] {
        let folder = TempDir::new().unwrap();
        std::fs::write(folder.path().join("thesis.txt"), "years of work").unwrap();
        if let Some(manifest) = manifest {
            std::fs::write(folder.path().join("manifest.json"), manifest).unwrap();
        }
        let before = std::fs::read_dir(folder.path()).unwrap().count();
        let (code, _, error) = run(&["--out", folder.path().to_str().unwrap()]);
        assert_eq!(code, Some(1), "{manifest:?}");
        assert!(error.contains("not empty"), "{error}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), before);
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    assert_eq!(run(&["--out", file.path().to_str().unwrap()]).0, Some(1));
    let empty = TempDir::new().unwrap();
    assert_eq!(run(&["--out", empty.path().to_str().unwrap()]).0, Some(0));
}

#[test]
fn wrong_usage_exits_with_2_and_writes_nothing() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("copy");
    let path = out.to_str().unwrap();
    for args in [
        &[][..],
        &["--out", path, "--sites"],
        &["--out", path, "--sites", "https://app.test"],
        &["--out", path, "--sites", "local", "app.test/path"],
        &["--out", path, "--sites", ""],
        &["--out", path, "--port", "99999"],
        &["--out", path, "--port", "0"],
        &["--out", path, "--colour"],
    ] {
        let (code, _, error) = run(args);
        assert_eq!(code, Some(2), "{args:?}: {error}");
    }
    assert!(!out.exists());
}
