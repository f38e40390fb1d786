//! `gasoline scrub`: what a trace may contain, and what remains in its clean copy. The browser suites test a real trace
//! with the viewer that opens it.

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
fn every_credential_is_removed_and_the_rest_is_kept() {
    let folder = TempDir::new().unwrap();
    let path = trace(folder.path());
    let before = content(&path);
    let output = scrub(&[path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(
        said(&output).contains("removed ") && said(&output).contains("1 screenshots were kept"),
        "{}",
        said(&output)
    );
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
        // A short secret may be part of other words, which must not change.
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
    // A clean trace needs no further change.
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
fn screenshots_are_removed_on_request() {
    let folder = TempDir::new().unwrap();
    let path = trace(folder.path());
    let output = scrub(&[path.to_str().unwrap(), "--drop-screenshots"]);
    assert!(said(&output).contains("removed 1 screenshots"), "{}", said(&output));
    let after = content(&path);
    assert!(!after.iter().any(|(name, _)| name.ends_with(".jpeg")));
    assert!(!text_of(&after, "trace.trace").contains("screencast-frame"), "nothing points at a file that is gone");
}

#[test]
fn folders_are_searched_and_other_files_are_not_touched() {
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
fn a_file_that_is_not_a_trace_is_not_changed() {
    let folder = TempDir::new().unwrap();
    let (broken, empty) = (folder.path().join("broken.zip"), folder.path().join("empty"));
    fs::write(&broken, b"PK\x03\x04 and then nothing").unwrap();
    fs::create_dir(&empty).unwrap();
    let other = folder.path().join("other.zip");
    let mut zip = ZipWriter::new(File::create(&other).unwrap());
    zip.start_file("a.txt", SimpleFileOptions::default()).unwrap();
    zip.finish().unwrap();
    for (path, reason) in [
        (&broken, "not a zip file"),
        (&other, "not a Playwright trace or blob report"),
        (&folder.path().join("missing.zip"), "cannot open it"),
        (&empty, "contains no trace"),
    ] {
        let before = fs::read(path).ok();
        let output = scrub(&[path.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(2), "{}", path.display());
        assert!(said(&output).contains(reason), "{}", said(&output));
        assert_eq!(fs::read(path).ok(), before);
    }
}

/// A trace of these events and files.
fn trace_of(folder: &Path, events: &[serde_json::Value], files: &[(&str, &[u8])]) -> PathBuf {
    let path = folder.join("trace.zip");
    let mut zip = ZipWriter::new(File::create(&path).unwrap());
    let events: String = events.iter().map(|event| format!("{event}\n")).collect();
    for (name, content) in std::iter::once(&("trace.trace", events.as_bytes())).chain(files) {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap();
    path
}

fn typed(value: &str) -> serde_json::Value {
    json!({ "type": "before", "callId": "call@1", "method": "fill", "params": { "selector": "#password", "value": value } })
}

/// The scrubbed text of the trace and of its other files.
fn scrubbed(events: &[serde_json::Value], files: &[(&str, &[u8])]) -> String {
    let folder = TempDir::new().unwrap();
    let path = trace_of(folder.path(), events, files);
    let output = scrub(&[path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let again = scrub(&[path.to_str().unwrap(), "--check"]);
    assert_eq!(again.status.code(), Some(0), "{}", said(&again));
    content(&path).iter().map(|(_, bytes)| String::from_utf8_lossy(bytes) + "\n").collect()
}

#[cfg(unix)]
#[test]
fn the_file_behind_a_link_is_cleaned() {
    let folder = TempDir::new().unwrap();
    let real = folder.path().join("real");
    fs::create_dir(&real).unwrap();
    let path = trace(&real);
    let link = folder.path().join("link.zip");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let output = scrub(&[link.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(link.is_symlink(), "the link stays one");
    assert!(!text_of(&content(&path), "trace.trace").contains("correct-horse-battery"));
    assert_eq!(fs::read_dir(&real).unwrap().count(), 1, "no copy is left");
}

#[cfg(unix)]
#[test]
fn a_file_with_two_hard_links_is_rejected() {
    let folder = TempDir::new().unwrap();
    let path = trace(folder.path());
    let before = fs::read(&path).unwrap();
    let other = folder.path().join("other.zip");
    fs::hard_link(&path, &other).unwrap();
    let output = scrub(&[path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("2 hard links"), "{}", said(&output));
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "no copy is left");
    // A check is harmless. With a single link, scrubbing works.
    assert_eq!(scrub(&[path.to_str().unwrap(), "--check"]).status.code(), Some(1));
    fs::remove_file(&other).unwrap();
    assert_eq!(scrub(&[path.to_str().unwrap()]).status.code(), Some(0));
}

#[test]
fn many_scrubs_at_once_leave_one_clean_trace() {
    let folder = TempDir::new().unwrap();
    let path = trace(folder.path());
    let runs: Vec<Output> = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..4).map(|_| scope.spawn(|| scrub(&[path.to_str().unwrap()]))).collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    assert!(runs.iter().any(|run| run.status.code() == Some(0)), "one of them did it");
    for run in runs.iter().filter(|run| run.status.code() != Some(0)) {
        assert!(said(run).contains("changed in the meantime"), "{}", said(run));
    }
    assert!(!text_of(&content(&path), "trace.trace").contains("correct-horse-battery"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no copy is left");
}

#[test]
fn texts_keep_their_encodings() {
    let wide = |text: &str, of: fn(u16) -> [u8; 2]| -> Vec<u8> {
        std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(of).collect()
    };
    let said_in = |secret: &str| format!("<p>Grüße, {secret}</p>");
    let latin = |text: &str| -> Vec<u8> { text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect() };
    let folder = TempDir::new().unwrap();
    let path = trace_of(
        folder.path(),
        &[typed("correct-horse-battery")],
        &[
            ("resources/le.html", &wide(&said_in("correct-horse-battery"), u16::to_le_bytes)),
            ("resources/be.html", &wide(&said_in("correct-horse-battery"), u16::to_be_bytes)),
            ("resources/latin.bin", &latin(&said_in("correct-horse-battery"))),
            ("resources/harmless.html", &latin(&said_in("Ann"))),
        ],
    );
    let before = content(&path);
    assert_eq!(scrub(&[path.to_str().unwrap()]).status.code(), Some(0));
    let after = content(&path);
    let of = |name: &str| after.iter().find(|(known, _)| known == name).unwrap().1.clone();
    let clean = said_in("[secret:password#1]");
    assert_eq!(of("resources/le.html"), wide(&clean, u16::to_le_bytes));
    assert_eq!(of("resources/be.html"), wide(&clean, u16::to_be_bytes));
    assert_eq!(of("resources/latin.bin"), latin(&clean));
    assert_eq!(before.last(), after.last(), "as it was");
}

#[test]
fn known_values_are_removed_from_binary_files_without_moving_other_bytes() {
    let folder = TempDir::new().unwrap();
    let noise: Vec<u8> = (0..=255).collect();
    let file = |secret: &[u8]| [noise.as_slice(), secret, noise.as_slice()].concat();
    let wide: Vec<u8> = "correct-horse-battery".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let path = trace_of(
        folder.path(),
        &[typed("correct-horse-battery"), json!({ "type": "x", "httpCredentials": { "password": "pin9" } })],
        &[
            ("resources/a.bin", &file(b"correct-horse-battery")),
            ("resources/b.bin", &file(&wide)),
            ("resources/c.bin", &file(b"a \"pin9\" and spin9")),
            ("resources/d.bin", &file(b"nothing")),
        ],
    );
    let output = scrub(&[path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let after = content(&path);
    let of = |name: &str| after.iter().find(|(known, _)| known == name).unwrap().1.clone();
    assert_eq!(of("resources/a.bin"), file(&[b'*'; 21]));
    assert_eq!(of("resources/b.bin"), file(&[b'*'; 42]));
    assert_eq!(of("resources/c.bin"), file(b"a \"****\" and spin9"));
    assert_eq!(of("resources/d.bin"), file(b"nothing"));
}

#[test]
fn files_that_were_not_scanned_are_reported() {
    let folder = TempDir::new().unwrap();
    let path = trace_of(
        folder.path(),
        &[json!({ "type": "context-options" })],
        &[("resources/a.gz", b"\x1f\x8b\x08\0 and so on"), ("resources/b.zip", b"PK\x03\x04 and so on")],
    );
    let output = scrub(&[path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let told = "2 files were not scanned: resources/a.gz, resources/b.zip";
    assert!(said(&output).contains(told), "{}", said(&output));
    assert_eq!(scrub(&[path.to_str().unwrap(), "--check"]).status.code(), Some(1));
}

#[test]
fn files_up_to_256_mb_are_scanned() {
    let at_most = 256 * 1024 * 1024;
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("trace.zip");
    for (size, code) in [(at_most, 0), (at_most + 1, 1)] {
        let mut zip = ZipWriter::new(File::create(&path).unwrap());
        zip.start_file("trace.trace", SimpleFileOptions::default()).unwrap();
        zip.start_file("resources/large.bin", SimpleFileOptions::default()).unwrap();
        zip.write_all(&vec![0; size]).unwrap();
        zip.finish().unwrap();
        let output = scrub(&[path.to_str().unwrap(), "--check"]);
        assert_eq!(output.status.code(), Some(code), "{}", said(&output));
        assert_eq!(said(&output).contains("1 file was not scanned: resources/large.bin"), code == 1);
    }
}

#[test]
fn forms_of_requests_are_pairs_of_names_and_values() {
    let form = |name: &str| {
        json!({ "type": "before", "callId": "call@1", "method": "fetch", "params": { "url": "http://shop.test/", name: [
            { "name": "password", "value": format!("in-{name}-77") }, { "name": "city", "value": "Bern" },
        ] } })
    };
    let argument = json!({ "type": "before", "callId": "call@2", "params": { "arg": { "value": { "o": [
        { "k": "password", "v": { "s": "in-arg-77" } }, { "k": "city", "v": { "s": "Basel" } },
    ] } } } });
    let button = json!({ "html": ["BUTTON", { "name": "token", "value": "Buy now" }] });
    let told = scrubbed(
        &[form("multipartData"), form("formData"), form("params"), form("other"), argument, button],
        &[("resources/a.txt", b"sent in-multipartData-77 and in-arg-77")],
    );
    assert!(!told.contains("-77"), "{told}");
    for kept in ["Bern", "Basel", "Buy now", "\"name\":\"password\""] {
        assert!(told.contains(kept), "{kept} in {told}");
    }
}

#[test]
fn text_typed_into_a_password_field_is_removed() {
    let call = |id: &str, page: &str, method: &str, params: serde_json::Value| json!({ "type": "before", "callId": id, "pageId": page, "class": "Page", "method": method, "params": params });
    let told = scrubbed(
        &[
            call("call@1", "page@1", "click", json!({ "selector": "#p" })),
            json!({ "type": "log", "callId": "call@1", "message": "  locator resolved to <input id=\"p\" type=\"password\"/>" }),
            call("call@2", "page@2", "click", json!({ "selector": "#comment" })),
            call("call@3", "page@1", "keyboardInsertText", json!({ "text": "inserted-horse" })),
            call("call@4", "page@1", "keyboardType", json!({ "text": "typed-horse" })),
            call("call@5", "page@2", "keyboardType", json!({ "text": "a kind remark" })),
            call("call@6", "page@1", "keyboardPress", json!({ "key": "Tab" })),
            call("call@7", "page@1", "keyboardType", json!({ "text": "after the field" })),
            call("call@8", "page@1", "type", json!({ "selector": "#p", "text": "slowly-horse" })),
            json!({ "type": "log", "callId": "call@8", "message": "  locator resolved to <input id=\"p\" type=\"password\"/>" }),
            call("call@9", "page@1", "press", json!({ "selector": "#p", "key": "Enter" })),
            json!({ "type": "console", "text": "got slowly-horse, typed-horse" }),
        ],
        &[],
    );
    assert!(!told.contains("-horse"), "{told}");
    for kept in ["a kind remark", "after the field", "\"Enter\"", "\"Tab\""] {
        assert!(told.contains(kept), "{kept} in {told}");
    }
}

#[test]
fn a_typed_password_may_be_any_word() {
    for word in ["topsecret", "my-secret-horse", "secret", "password"] {
        let events =
            [typed(word), json!({ "type": "log", "callId": "call@1", "message": format!("  fill(\"{word}\")") })];
        let told = scrubbed(&events, &[("resources/a.html", b"<input type=\"password\" id=\"secret\">")]);
        assert!(!told.contains(&format!("\"value\":\"{word}\"")), "{word}: {told}");
        assert!(!told.contains(&format!("fill(\\\"{word}\\\")")), "{word}: {told}");
        assert!(told.contains("#password"), "{word}: the page is still legible: {told}");
    }
    let stored = json!({ "localStorage": [{ "name": "token", "value": "top-secret-horse" }] });
    let told = scrubbed(&[stored, json!({ "type": "console", "text": "it is top-secret-horse" })], &[]);
    assert!(!told.contains("top-secret-horse"), "{told}");
}

#[test]
fn the_expected_value_of_a_password_field_is_removed() {
    let expect = |id: &str, selector: &str, expression: &str, text: &str| json!({ "type": "before", "callId": id, "stepId": format!("expect@{id}"), "class": "Frame", "method": "expect", "params": { "selector": selector, "expression": expression, "expectedText": [{ "string": text }] } });
    let told = scrubbed(
        &[
            expect("call@1", "[name=password]", "to.have.value", "hoped-horse"),
            json!({ "type": "after", "callId": "call@1", "result": { "received": { "s": "found-horse" } }, "error": { "message": "Expected: \"hoped-horse\"\nReceived: \"found-horse\"" } }),
            expect("call@2", "#p", "to.have.value", "resolved-horse"),
            json!({ "type": "log", "callId": "call@2", "message": "  locator resolved to <input type=\"password\"/>" }),
            json!({ "type": "before", "callId": "expect@call@2", "title": "Expect \"toHaveValue\"", "params": { "expected": "stepwise-horse" } }),
            expect("call@5", "#p", "to.have.value", "early-horse"),
            expect("call@3", "[name=password]", "to.have.class", "wide-field"),
            expect("call@4", "[name=city]", "to.have.value", "Winterthur"),
        ],
        &[],
    );
    assert!(!told.contains("-horse"), "{told}");
    assert!(told.contains("wide-field") && told.contains("Winterthur"), "{told}");
}

#[test]
fn hidden_fields_of_pages_are_removed() {
    let page = json!({ "type": "frame-snapshot", "snapshot": { "html": ["HTML", {},
        ["INPUT", { "type": "hidden", "name": "csrf_token", "value": "first-horse", "__playwright_value_": "second-horse" }],
        ["INPUT", { "type": "hidden", "name": "_csrf", "value": "third-horse" }],
        ["INPUT", { "type": "hidden", "name": "authenticity_token", "value": "fourth-horse" }],
        ["META", { "name": "csrf-token", "content": "fifth-horse" }],
        ["META", { "name": "csrf-param", "content": "authenticity_token" }],
        ["META", { "name": "viewport", "content": "width=device-width" }],
        ["INPUT", { "type": "submit", "name": "reset_token", "value": "Send it" }],
    ] } });
    let html = br#"<meta content='sixth-horse' name=csrf-token><INPUT type="hidden" name="_csrf" value="seventh-horse">
        <input name=authenticity_token value=eighth-horse /><input name="city" value="Bern"><p>first-horse</p>"#;
    let told =
        scrubbed(&[page, json!({ "text": "sent third-horse and seventh-horse" })], &[("resources/a.html", html)]);
    assert!(!told.contains("-horse"), "{told}");
    for kept in ["\"csrf-param\",\"content\":\"authenticity_token\"", "width=device-width", "Send it", "\"Bern\""] {
        assert!(told.contains(kept), "{kept} in {told}");
    }
}

#[test]
fn secret_values_in_source_code_are_removed() {
    let code = "fd.append('password', 'first horse'); localStorage.setItem(\"token\",\"second horse\"); \
        send('api_key', 'horse-3344'); t('password', 'Type it here'); ['password','email']; fd.append('city', 'Bern')";
    let nested = json!({ "code": "x.set('token', 'third horse')" }).to_string().replace('\'', "\\\"");
    let told = scrubbed(
        &[json!({ "type": "before", "callId": "call@1", "params": { "expression": code } })],
        &[("resources/a.txt", b"The first horse came in"), ("resources/b.json", nested.as_bytes())],
    );
    assert!(!told.contains(" horse") && !told.contains("horse-3344"), "{told}");
    for kept in ["'Type it here'", "['password','email']", "'Bern'", "came in"] {
        assert!(told.contains(kept), "{kept} in {told}");
    }
}

#[test]
fn traces_in_a_blob_report_are_cleaned_together_with_its_other_files() {
    let folder = TempDir::new().unwrap();
    let trace = fs::read(trace(folder.path())).unwrap();
    let path = folder.path().join("report-1.zip");
    let mut zip = ZipWriter::new(File::create(&path).unwrap());
    let report = format!(
        "{}\n",
        json!({ "method": "onStdIO", "params": { "data": format!("typed correct-horse-battery, then {JWT}") } })
    );
    for (name, content) in [
        ("report.jsonl", report.as_bytes()),
        ("resources/4f0c.zip", trace.as_slice()),
        ("resources/other.zip", b"PK\x03\x04 not a trace"),
    ] {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap();
    let path_text = path.display().to_string();
    let check = scrub(&["--check", &path_text]);
    assert_eq!(check.status.code(), Some(1), "{}", said(&check));
    let output = scrub(&[folder.path().to_str().unwrap()]);
    assert!(output.status.success(), "{}", said(&output));
    assert!(said(&output).contains("1 file was not scanned: resources/other.zip"), "{}", said(&output));
    let files = content(&path);
    let (_, inner) = files.iter().find(|(name, _)| name == "resources/4f0c.zip").unwrap();
    let copy = folder.path().join("inner.zip");
    fs::write(&copy, inner).unwrap();
    let all: String = content(&copy).iter().chain(&files).map(|(_, bytes)| String::from_utf8_lossy(bytes)).collect();
    // A short secret may be part of other words.
    for secret in SECRETS.iter().filter(|secret| **secret != "pin9") {
        assert!(!all.contains(*secret), "{secret}");
    }
    assert!(text_of(&content(&copy), "trace.trace").contains("dark-mode-preferred"));
    assert!(text_of(&files, "report.jsonl").contains("onStdIO"));
    assert_eq!(
        scrub(&["--check", &path_text]).status.code(),
        Some(1),
        "a file that was not scanned may have credentials"
    );
}
