//! Data flows in one direction: no module of the engine depends on one that depends on it.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The modules behind the names that `lib.rs` exports.
const EXPORTED: [(&str, &str); 7] = [
    ("Finding", "redact"),
    ("Redacted", "redact"),
    ("Redactor", "redact"),
    ("Session", "session"),
    ("Kind", "kind"),
    ("Store", "store"),
    ("whole_characters", "text"),
];

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// The names after `crate::` in a file's code; comments and tests may mention anything.
fn named(code: &str) -> BTreeSet<String> {
    let code = code.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let code = lines.collect::<Vec<_>>().join("\n");
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut names = BTreeSet::new();
    for rest in code.split("crate::").skip(1) {
        match rest.strip_prefix('{') {
            // `use crate::{a::B, c}`, which this project writes without nested braces.
            Some(list) => {
                let parts = list.split('}').next().unwrap_or_default().split(',');
                names.extend(parts.map(|part| part.trim().chars().take_while(|c| is_name(*c)).collect::<String>()));
            }
            None => drop(names.insert(rest.chars().take_while(|c| is_name(*c)).collect())),
        }
    }
    names
}

/// Each top-level module with the modules that it uses.
fn modules() -> BTreeMap<String, BTreeSet<String>> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut modules: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in files(&source) {
        let path = file.strip_prefix(&source).unwrap();
        let top = path.components().next().unwrap().as_os_str().to_str().unwrap().trim_end_matches(".rs").to_owned();
        if top != "lib" {
            modules.entry(top).or_default().extend(named(&std::fs::read_to_string(&file).unwrap()));
        }
    }
    let known: BTreeSet<String> = modules.keys().cloned().collect();
    for (name, uses) in &mut modules {
        let exported = |used: &String| EXPORTED.iter().find(|(short, _)| short == used).map(|(_, of)| (*of).to_owned());
        let all = uses.iter().map(|used| exported(used).unwrap_or_else(|| used.clone()));
        *uses = all.filter(|used| known.contains(used) && used != name).collect();
    }
    modules
}

/// A path from a module back to itself.
fn cycle(modules: &BTreeMap<String, BTreeSet<String>>) -> Option<Vec<String>> {
    fn walk(modules: &BTreeMap<String, BTreeSet<String>>, way: &mut Vec<String>, done: &mut BTreeSet<String>) -> bool {
        let here = way.last().cloned().unwrap_or_default();
        for next in modules.get(&here).into_iter().flatten() {
            if let Some(start) = way.iter().position(|known| known == next) {
                way.drain(..start);
                way.push(next.clone());
                return true;
            }
            if !done.contains(next) {
                way.push(next.clone());
                if walk(modules, way, done) {
                    return true;
                }
                way.pop();
            }
        }
        done.insert(here);
        false
    }
    let mut done = BTreeSet::new();
    modules.keys().find_map(|start| {
        let mut way = vec![start.clone()];
        walk(modules, &mut way, &mut done).then_some(way)
    })
}

#[test]
fn no_module_depends_on_itself() {
    let modules = modules();
    assert!(modules.len() > 15 && modules["diagnose"].contains("session"), "{modules:?}");
    assert_eq!(cycle(&modules), None);
}

#[test]
fn a_cycle_is_found() {
    let module = |name: &str, uses: &[&str]| (name.to_owned(), uses.iter().map(|used| (*used).to_owned()).collect());
    let ring = BTreeMap::from([module("a", &["b"]), module("b", &["c", "d"]), module("c", &[]), module("d", &["b"])]);
    assert_eq!(cycle(&ring), Some(vec!["b".to_owned(), "d".to_owned(), "b".to_owned()]));
    let code = "use crate::{url::Url, text};\n// crate::not_this\nfn a() { crate::view::x() }\n#[cfg(test)]\nmod tests { use crate::nor; }";
    assert_eq!(named(code), BTreeSet::from(["url", "text", "view"].map(str::to_owned)));
}
