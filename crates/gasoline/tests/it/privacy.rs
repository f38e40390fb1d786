//! `docs/privacy.md` names the test that checks each claim. The names must be those of existing tests.

use std::path::Path;

#[test]
fn every_named_test_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/privacy.md")).unwrap();
    let (mut file, mut text, mut found) = (String::new(), String::new(), 0);
    for word in page.split('`').skip(1).step_by(2) {
        let place = match word.split_once('/') {
            Some(("it", _)) => Some(root.join("crates/gasoline/tests").join(word)),
            Some(("engine", _)) => Some(root.join("crates").join(word)),
            Some(("suites", _)) => Some(root.join("browser/e2e").join(word)),
            Some(("fuzz", "")) => Some(root.join(word)),
            _ => None,
        };
        if let Some(place) = place {
            assert!(place.exists(), "{word}");
            file = word.to_owned();
            text = std::fs::read_to_string(place).unwrap_or_default();
        } else if word.matches('_').count() >= 2 && word.chars().all(|char| char.is_ascii_lowercase() || char == '_') {
            assert!(text.contains(&format!("fn {word}(")), "{word} is not in {file}");
            found += 1;
        }
    }
    assert!(found >= 10, "{found} tests in docs/privacy.md");
}
