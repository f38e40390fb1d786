//! `logs.jsonl`: append-only, rotated, and never blocking.

use std::io::Read as _;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Server, once_within, wait_for};

fn lines(server: &Server) -> Vec<Value> {
    let text = std::fs::read_to_string(server.journal()).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
#[ignore = "only with --all: asserts how fast this machine is"]
fn entries_are_on_disk_shortly_after_a_second() {
    let server = Server::start();
    let mut round = 0;
    once_within(Duration::from_millis(1_800), || {
        round += 1;
        let began = Instant::now();
        server.log(json!([{ "message": format!("soon {round}") }]));
        wait_for("the line", || {
            lines(&server).iter().any(|line| line["message"] == format!("soon {round}")).then_some(())
        });
        began.elapsed()
    });
    assert_eq!(lines(&server)[0]["type"], "gasoline:start");
}

#[test]
#[ignore = "only with --all: asserts how fast this machine is"]
fn a_batch_of_ten_does_not_wait() {
    let server = Server::start();
    let mut expected = 1;
    once_within(Duration::from_millis(600), || {
        // A partial batch waits until a second after the last write, so there has to be one.
        wait_for("the lines before", || (lines(&server).len() >= expected).then_some(()));
        expected += 10;
        let began = Instant::now();
        server.log(Value::Array(vec![json!({ "message": "full batch" }); 10]));
        wait_for("the lines", || (lines(&server).len() >= expected).then_some(()));
        began.elapsed()
    });
}

#[test]
fn logs_sockets_and_bodies_are_written_one_per_line() {
    let server = Server::start();
    server.post("/logs", &json!({ "entries": [{ "message": "line\nbreak", "args": [{ "a": "b\nc" }] }] }));
    let pretty = "{\"entries\":[{\"message\":\"pretty\",\"args\":[{\n  \"a\":\r\n 1\n}]}]}";
    assert_eq!(server.request("POST", "/logs").body(pretty).send().status, 200);
    server.post("/websocket-events", &json!({ "events": [{ "event": "open", "id": "c" }] }));
    server.post("/network-bodies", &json!({ "bodies": [{ "url": "/x", "status": 200 }] }));
    let (_, state) = server.terminate();
    let text = std::fs::read_to_string(state.path().join("logs.jsonl")).unwrap();
    let kinds: Vec<String> = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["type"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(kinds, ["gasoline:start", "console", "console", "websocket", "network_body"]);
}

#[test]
fn the_file_is_rotated_at_ten_megabytes_and_one_old_one_kept() {
    let server = Server::with(&["--max-events-per-second", "0"]);
    let entry = json!({ "message": "x ".repeat(7_000) });
    for _ in 0..17 {
        server.post("/logs", &json!({ "entries": vec![entry.clone(); 100] }));
    }
    let (_, state) = server.terminate();
    let size = |name: &str| std::fs::metadata(state.path().join(name)).map(|file| file.len()).unwrap_or(0);
    let limit = wire::limits::JOURNAL_ROTATE_BYTES as u64;
    assert!((limit * 9 / 10..=limit).contains(&size("logs.jsonl.1")), "{}", size("logs.jsonl.1"));
    assert!((1..=limit).contains(&size("logs.jsonl")));
    let names: Vec<_> = std::fs::read_dir(state.path())
        .unwrap()
        .map(|file| file.unwrap().file_name())
        .filter(|name| name.to_str().unwrap().starts_with("logs"))
        .collect();
    assert_eq!(names.len(), 2, "{names:?}");
    for name in ["logs.jsonl", "logs.jsonl.1"] {
        let text = std::fs::read_to_string(state.path().join(name)).unwrap();
        assert!(text.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()), "{name} has a broken line");
    }
}

#[test]
fn files_and_folders_are_private() {
    use std::os::unix::fs::PermissionsExt as _;
    let parent = TempDir::new().unwrap();
    let inside = parent.path().join("made/by/us");
    let output = std::process::Command::new(crate::support::binary())
        .args(["token"])
        .env("GASOLINE_STATE_DIR", &inside)
        .env_remove("GASOLINE_TOKEN")
        .output()
        .unwrap();
    let token = String::from_utf8(output.stdout).unwrap();
    assert_eq!(token.trim().len(), 64);
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&inside), 0o700);
    assert_eq!(mode(&inside.join("run")), 0o700);
    assert_eq!(mode(&inside.join("token")), 0o600);
    let server = Server::start();
    wait_for("the journal", || server.journal().exists().then_some(()));
    assert_eq!(mode(&server.journal()), 0o600);
}

#[test]
fn looser_modes_are_tightened() {
    use std::os::unix::fs::PermissionsExt as _;
    let state = TempDir::new().unwrap();
    for name in ["token", "logs.jsonl"] {
        std::fs::write(state.path().join(name), "").unwrap();
        std::fs::set_permissions(state.path().join(name), std::fs::Permissions::from_mode(0o644)).unwrap();
    }
    let server = Server::in_state(state, &[]);
    for name in ["token", "logs.jsonl"] {
        let mode = std::fs::metadata(server.state.path().join(name)).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{name}");
    }
}

#[test]
fn a_deleted_file_is_created_again() {
    let server = Server::start();
    server.log(json!([{ "message": "before" }]));
    wait_for("the first file", || lines(&server).iter().any(|line| line["message"] == "before").then_some(()));
    std::fs::remove_file(server.journal()).unwrap();
    std::thread::sleep(Duration::from_millis(1_100));
    server.log(Value::Array(vec![json!({ "message": "after" }); 10]));
    wait_for("the new file", || lines(&server).iter().any(|line| line["message"] == "after").then_some(()));
}

#[test]
fn a_full_disk_is_reported_and_capture_goes_on_in_memory() {
    let state = TempDir::new().unwrap();
    // Every write to /dev/full fails as on a full disk.
    std::os::unix::fs::symlink("/dev/full", state.path().join("logs.jsonl")).unwrap();
    let server = Server::in_state(state, &[]);
    server.log(Value::Array(vec![json!({ "level": "error", "message": "boom" }); 20]));
    let journal = wait_for("the failure to be noticed", || {
        Some(server.health()["journal"].clone()).filter(|journal| journal["ok"] == false)
    });
    assert!(journal["error"].as_str().unwrap().contains("No space left"), "{journal}");
    assert!(journal["dropped"].as_u64().unwrap() > 0);
    assert_eq!(server.health()["status"], "degraded");
    assert_eq!(server.tool("get_browser_errors", json!({}))["errors"][0]["count"], 20);
    let warnings = server.tool("get_status", json!({}))["warnings"].to_string();
    assert!(warnings.contains("memory only"), "{warnings}");

    // The disk has space again: writing resumes by itself.
    std::fs::remove_file(server.journal()).unwrap();
    server.log(Value::Array(vec![json!({ "message": "back" }); 10]));
    wait_for("writing to go on", || (server.health()["journal"]["ok"] == true).then_some(()));
    assert_eq!(server.health()["status"], "ok");
    let (code, _state) = server.terminate();
    assert_eq!(code, Some(0));
}

#[test]
fn a_request_that_is_larger_than_the_queue_is_written_completely() {
    let server = Server::start();
    let entry = json!({ "message": "y ".repeat(2_000) });
    let body = json!({ "entries": vec![entry; 2_000] });
    assert!(body.to_string().len() > 3 * wire::limits::JOURNAL_QUEUE_BYTES / 2);
    assert_eq!(server.post("/logs", &body).json()["received"], 2_000);
    let (_, state) = server.terminate();
    let text = std::fs::read_to_string(state.path().join("logs.jsonl")).unwrap();
    assert_eq!(text.lines().count(), 2_001, "and the line that marks the start");
}

#[test]
fn a_stuck_disk_never_blocks_ingest() {
    let state = TempDir::new().unwrap();
    // Opening a pipe that nobody reads blocks forever: the worst possible disk.
    assert!(std::process::Command::new("mkfifo").arg(state.path().join("logs.jsonl")).status().unwrap().success());
    let server = Server::in_state(state, &["--max-events-per-second", "0"]);
    let entry = json!({ "message": "y ".repeat(4_000) });
    let began = Instant::now();
    for _ in 0..10 {
        assert_eq!(server.post("/logs", &json!({ "entries": vec![entry.clone(); 100] })).status, 200);
    }
    // It blocks forever, so any time will do.
    assert!(began.elapsed() < Duration::from_secs(50), "{:?}", began.elapsed());
    let health = server.health();
    assert_eq!(health["buffers"]["logs"]["received"], 1000);
    assert!(health["journal"]["waiting_bytes"].as_u64().unwrap() <= wire::limits::JOURNAL_QUEUE_BYTES as u64);
    assert!(health["journal"]["dropped"].as_u64().unwrap() > 0, "{}", health["journal"]);
    let health = wait_for("the disk to be called stuck", || {
        let health = server.health();
        (health["status"] == "degraded").then_some(health)
    });
    assert!(health["journal"]["error"].as_str().unwrap().contains("has not accepted a line"), "{}", health["journal"]);
    let began = Instant::now();
    let (code, _) = server.terminate();
    assert_eq!(code, Some(0));
    assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
}

#[test]
fn a_slow_disk_gets_the_last_lines_too() {
    let state = TempDir::new().unwrap();
    let pipe = state.path().join("logs.jsonl");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = std::thread::spawn(move || {
        let mut pipe = std::fs::File::open(pipe).unwrap();
        let (mut text, mut piece) = (Vec::new(), [0; 16_384]);
        loop {
            let read = pipe.read(&mut piece).unwrap();
            if read == 0 {
                return String::from_utf8(text).unwrap().lines().count();
            }
            text.extend_from_slice(&piece[..read]);
            std::thread::sleep(Duration::from_millis(60));
        }
    });
    let server = Server::in_state(state, &[]);
    let entry = json!({ "message": "y ".repeat(4_000) });
    assert_eq!(server.post("/logs", &json!({ "entries": vec![entry; 150] })).json()["received"], 150);
    let began = Instant::now();
    let (code, _) = server.terminate();
    assert_eq!(code, Some(0));
    assert!(began.elapsed() > Duration::from_secs(3), "it is not slow enough to show anything: {:?}", began.elapsed());
    assert_eq!(reader.join().unwrap(), 151, "and the line that marks the start");
}
