//! `gasoline scrub`: what a trace may hold, and what is left of it. A real trace, and the viewer that opens it, is the
//! business of the browser suites.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::json;
use tempfile::TempDir;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::support::gasoline;

const JWT: &str = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U";
const SECRETS: [&str; 8] = [
    "correct-horse-battery",
    "pin9",
    "sess10nvalue12345",
    "drawn-by-lot-998877",
    "k-123456789012345",
    "local-5566778899",
    "ghp_0123456789abcdefghijABCDEFGHIJ012345",
    JWT,
];

fn events() -> String {
    let lines = [
        json!({ "version": 10, "type": "context-options", "options": { "httpCredentials": { "username": "u", "password": "correct-horse-battery" } } }),
        json!({ "type": "before", "callId": "call@1", "class": "Frame", "method": "fill", "params": { "selector": "#p", "value": "pin9" } }),
        json!({ "type": "log", "callId": "call@1", "message": "  locator resolved to <input id=\"p\" type=\"password\"/>" }),
        json!({ "type": "log", "callId": "call@1", "message": "  fill(\"pin9\")" }),
        json!({ "type": "before", "callId": "call@2", "class": "Frame", "method": "fill", "params": { "selector": "#name", "value": "Ann pin9 Smith" } }),
        json!({ "type": "frame-snapshot", "snapshot": { "callId": "call@1", "html": ["HTML", {}, ["INPUT", { "type": "password", "__playwright_value_": "pin9" }], ["P", {}, format!("Welcome {JWT}")]] } }),
        json!({ "type": "console", "text": "session is drawn-by-lot-998877, ok" }),
        json!({ "type": "screencast-frame", "file": "screencast/page@1.jpeg" }),
        json!({ "type": "after", "callId": "call@3", "result": { "cookies": [{ "name": "lang", "value": "en" }], "origins": [{ "localStorage": [{ "name": "refresh_token", "value": "local-5566778899" }, { "name": "theme", "value": "dark-mode-preferred" }] }] } }),
    ];
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn network() -> String {
    let line = json!({ "type": "resource-snapshot", "snapshot": {
        "request": {
            "method": "POST", "url": "http://shop.test/api?api_key=ghp_0123456789abcdefghijABCDEFGHIJ012345&page=2",
            "cookies": [{ "name": "sid", "value": "drawn-by-lot-998877" }],
            "headers": [{ "name": "Cookie", "value": "sid=drawn-by-lot-998877" }, { "name": "Authorization", "value": format!("Bearer {JWT}") }, { "name": "x-api-key", "value": "k-123456789012345" }, { "name": "Accept", "value": "*/*" }],
            "queryString": [{ "name": "api_key", "value": "ghp_0123456789abcdefghijABCDEFGHIJ012345" }, { "name": "page", "value": "2" }],
            "postData": { "mimeType": "application/json", "_file": "resources/aa.json" },
        },
        "response": { "status": 200, "headers": [{ "name": "set-cookie", "value": "session=sess10nvalue12345; HttpOnly" }], "content": { "_file": "resources/bb.json" } },
    } });
    format!("{line}\n")
}

fn trace(folder: &Path) -> PathBuf {
    let path = folder.join("trace.zip");
    let mut zip = ZipWriter::new(File::create(&path).unwrap());
    for (name, content) in [
        ("trace.trace", events().into_bytes()),
        ("trace.network", network().into_bytes()),
        ("trace.stacks", b"{\"files\":[\"shop.spec.ts\"]}".to_vec()),
        ("resources/aa.json", br#"{"user":"ann","password":"correct-horse-battery","card":"x"}"#.to_vec()),
        (
            "resources/bb.json",
            format!(r#"{{"token":"{JWT}","echo":"sess10nvalue12345","list":[{}]}}"#, "1,".repeat(20_000) + "2")
                .into_bytes(),
        ),
        ("resources/cc.woff2", vec![0, 159, 146, 150]),
        ("screencast/page@1.jpeg", vec![255, 216, 255]),
    ] {
        zip.start_file(name, SimpleFileOptions::default().compression_method(CompressionMethod::Deflated)).unwrap();
        zip.write_all(&content).unwrap();
    }
    zip.finish().unwrap();
    path
}

fn scrub(args: &[&str]) -> Output {
    let state = TempDir::new().unwrap();
    gasoline(state.path()).arg("scrub").args(args).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn content(path: &Path) -> Vec<(String, Vec<u8>)> {
    let mut archive = ZipArchive::new(File::open(path).unwrap()).unwrap();
    (0..archive.len())
        .map(|index| {
            let mut entry = archive.by_index(index).unwrap();
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).unwrap();
            (entry.name().unwrap().into_owned(), bytes)
        })
        .collect()
}

fn text_of(files: &[(String, Vec<u8>)], name: &str) -> String {
    String::from_utf8(files.iter().find(|(known, _)| known == name).unwrap().1.clone()).unwrap()
}

#[test]
fn every_credential_goes_and_the_rest_stays() {
    let folder = TempDir::new().unwrap();
    let path = trace(folder.path());
    let before = content(&path);
    let output = scrub(&[path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(said(&output).contains("removed ") && said(&output).contains("1 screenshots stay"), "{}", said(&output));
    let after = content(&path);
    assert_eq!(
        before.iter().map(|(name, _)| name).collect::<Vec<_>>(),
        after.iter().map(|(name, _)| name).collect::<Vec<_>>()
    );
    for (name, bytes) in &after {
        let text = String::from_utf8_lossy(bytes);
        for secret in SECRETS.iter().filter(|secret| **secret != "pin9") {
            assert!(!text.contains(secret), "{secret} is in {name}");
        }
        // A short one may stand in other words: those are not touched.
        assert!(!text.contains("\"pin9\"") && !text.contains("\\\"pin9\\\""), "{name}: {text}");
    }
    let events = text_of(&after, "trace.trace");
    for kept in [
        "Ann pin9 Smith",
        "call@1",
        "dark-mode-preferred",
        "screencast/page@1.jpeg",
        "session is [secret:cookie#",
        "\"en\"",
    ] {
        let is_cookie = kept == "\"en\"";
        assert_eq!(events.contains(kept), !is_cookie, "{kept} in {events}");
    }
    for line in events.lines().chain(text_of(&after, "trace.network").lines()) {
        assert!(serde_json::from_str::<serde_json::Value>(line).is_ok(), "still JSON: {line}");
    }
    let network = text_of(&after, "trace.network");
    for kept in ["&page=2", "resources/aa.json", "\"Accept\",\"value\":\"*/*\"", "\"authorization\"", "[REDACTED]"] {
        assert!(network.to_lowercase().contains(&kept.to_lowercase()), "{kept} in {network}");
    }
    let body: serde_json::Value = serde_json::from_str(&text_of(&after, "resources/bb.json")).unwrap();
    assert_eq!(body["list"].as_array().unwrap().len(), 20_001, "nothing is cut off");
    for untouched in ["resources/cc.woff2", "screencast/page@1.jpeg", "trace.stacks"] {
        let of = |files: &[(String, Vec<u8>)]| files.iter().find(|(name, _)| name == untouched).unwrap().1.clone();
        assert_eq!(of(&before), of(&after), "{untouched}");
    }
    // Clean is clean.
    let again = scrub(&[path.to_str().unwrap(), "--check"]);
    assert_eq!((again.status.code(), said(&again).contains("no credentials")), (Some(0), true), "{}", said(&again));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no copy is left");
}

#[test]
fn a_check_changes_nothing() {
    let folder = TempDir::new().unwrap();
    let path = trace(folder.path());
    let before = fs::read(&path).unwrap();
    let output = scrub(&[path.to_str().unwrap(), "--check"]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("to remove"), "{}", said(&output));
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn screenshots_go_when_asked() {
    let folder = TempDir::new().unwrap();
    let path = trace(folder.path());
    let output = scrub(&[path.to_str().unwrap(), "--drop-screenshots"]);
    assert!(said(&output).contains("removed 1 screenshots"), "{}", said(&output));
    let after = content(&path);
    assert!(!after.iter().any(|(name, _)| name.ends_with(".jpeg")));
    assert!(!text_of(&after, "trace.trace").contains("screencast-frame"), "nothing points at a file that is gone");
}

#[test]
fn folders_are_searched_and_other_files_left_alone() {
    let folder = TempDir::new().unwrap();
    let results = folder.path().join("test-results/shop");
    fs::create_dir_all(&results).unwrap();
    trace(&results);
    let mut other = ZipWriter::new(File::create(results.join("other.zip")).unwrap());
    other.start_file("notes.txt", SimpleFileOptions::default()).unwrap();
    other.write_all(JWT.as_bytes()).unwrap();
    other.finish().unwrap();
    let untouched = fs::read(results.join("other.zip")).unwrap();
    let output = scrub(&[folder.path().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(said(&output).contains("trace.zip: removed"), "{}", said(&output));
    assert_eq!(fs::read(results.join("other.zip")).unwrap(), untouched);
}

#[test]
fn what_is_no_trace_is_left_as_it_is() {
    let folder = TempDir::new().unwrap();
    let (broken, empty) = (folder.path().join("broken.zip"), folder.path().join("empty"));
    fs::write(&broken, b"PK\x03\x04 and then nothing").unwrap();
    fs::create_dir(&empty).unwrap();
    let other = folder.path().join("other.zip");
    let mut zip = ZipWriter::new(File::create(&other).unwrap());
    zip.start_file("a.txt", SimpleFileOptions::default()).unwrap();
    zip.finish().unwrap();
    for (path, reason) in [
        (&broken, "it is no zip file"),
        (&other, "it is no Playwright trace"),
        (&folder.path().join("missing.zip"), "it can't be opened"),
        (&empty, "holds no trace"),
    ] {
        let before = fs::read(path).ok();
        let output = scrub(&[path.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(2), "{}", path.display());
        assert!(said(&output).contains(reason), "{}", said(&output));
        assert_eq!(fs::read(path).ok(), before);
    }
}
