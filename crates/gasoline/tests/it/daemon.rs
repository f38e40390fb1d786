//! The background server: conflicts over its port, how it stops, and what outlives it.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Background, McpProcess, Server, TOKEN, free_port, gasoline, wait_for};

#[test]
fn a_port_held_by_something_else_is_named_and_left_alone() {
    let holder = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = holder.local_addr().unwrap().port();
    let (told, heard) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for stream in holder.incoming().take(20) {
            let mut stream = stream.unwrap();
            let mut request = [0; 4_096];
            let read = stream.read(&mut request).unwrap_or(0);
            told.send(String::from_utf8_lossy(&request[..read]).into_owned()).unwrap();
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello");
        }
    });
    let state = TempDir::new().unwrap();
    let serve = gasoline(state.path()).args(["serve", "--port", &port.to_string()]).output().unwrap();
    assert_eq!(serve.status.code(), Some(3));
    let says = String::from_utf8_lossy(&serve.stderr).into_owned();
    assert!(says.contains(&port.to_string()) && says.contains(&format!("pid {}", std::process::id())), "{says}");

    for command in ["status", "stop"] {
        let output = gasoline(state.path()).args([command, "--port", &port.to_string()]).output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{command}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("not a Gasoline server"), "{command}");
    }

    // An AI client gets the error, too, in the only form that it can show.
    let mut client = McpProcess::spawn(state.path(), port);
    let answer = client.request("initialize", json!({}));
    assert!(answer["error"]["message"].as_str().unwrap().contains("--port"), "{answer}");
    client.close_stdin();
    assert_eq!(client.wait(), Some(3));
    let heard: Vec<String> = heard.try_iter().collect();
    assert!(!heard.is_empty() && !heard.concat().contains(TOKEN), "it was shown the token: {heard:?}");
}

#[test]
fn a_server_with_another_token_is_not_used() {
    let server = Server::start();
    let other = TempDir::new().unwrap();
    let output = gasoline(other.path())
        .env("GASOLINE_TOKEN", "another")
        .args(["status", "--port", &server.port.to_string()])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("another token"));
}

#[test]
fn a_second_server_on_the_same_port_is_rejected() {
    let server = Server::start();
    let second = gasoline(server.state.path()).args(["serve", "--port", &server.port.to_string()]).output().unwrap();
    assert_eq!(second.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&second.stderr).contains("in use by gasoline"));
}

/// A stand-in for a server of another version, with what a starting client reads. Exits on request.
fn other_version(clients: Value) -> (u16, std::thread::JoinHandle<bool>) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let health =
        json!({ "status": "ok", "service": "gasoline", "version": "0.0.1", "uptime_seconds": 9, "clients": clients })
            .to_string();
    let thread = std::thread::spawn(move || {
        for stream in listener.incoming().take(20) {
            let mut stream = stream.unwrap();
            let mut request = [0; 4096];
            while let Ok(1..) = stream.read(&mut request) {
                let asked_to_end = request.starts_with(b"POST /shutdown");
                let answer = if request.starts_with(b"GET /health") { health.as_str() } else { "{}" };
                write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{answer}", answer.len()).unwrap();
                if asked_to_end {
                    return true;
                }
            }
        }
        false
    });
    (port, thread)
}

#[test]
fn an_old_server_that_nobody_uses_is_replaced() {
    let (port, old) = other_version(json!([]));
    let state = TempDir::new().unwrap();
    std::fs::write(state.path().join("logs.jsonl"), "{\"message\":\"written by the old one\"}\n").unwrap();
    let background = Background { state: state.path(), port };
    let mut client = McpProcess::spawn(state.path(), port);
    client.initialize();
    assert!(old.join().unwrap(), "it was asked to shut down");
    assert_eq!(background.health().unwrap()["version"], env!("CARGO_PKG_VERSION"));
    let journal = std::fs::read_to_string(state.path().join("logs.jsonl")).unwrap();
    assert!(journal.contains("written by the old one"), "{journal}");
}

#[test]
fn an_old_server_that_others_use_is_left_alone() {
    let (port, old) = other_version(json!([{ "name": "another client" }]));
    let state = TempDir::new().unwrap();
    let mut command = gasoline(state.path());
    let mut client = McpProcess::from(command.args(["--port", &port.to_string()]));
    client.ask("initialize", json!({}));
    let mut says = String::new();
    let mut stderr = std::io::BufReader::new(client.child.stderr.take().unwrap());
    for _ in 0..2 {
        std::io::BufRead::read_line(&mut stderr, &mut says).unwrap();
    }
    assert!(says.contains("version 0.0.1") && says.contains("gasoline stop"), "{says}");
    assert!(!old.is_finished());
}

#[test]
fn sigterm_flushes_everything_and_stops_cleanly() {
    for signal in ["-TERM", "-INT"] {
        let server = Server::start();
        server.log(json!([{ "message": "the last words" }]));
        let journal = server.journal();
        server.signal(signal);
        wait_for("the last words on disk", || {
            std::fs::read_to_string(&journal).ok().filter(|text| text.contains("the last words"))
        });
        let (code, _state) = server.terminate_after();
        assert_eq!(code, Some(0), "{signal}");
    }
}

#[test]
fn a_background_server_exits_when_nobody_needs_it() {
    let server = Server::with(&["--background", "--idle-exit-seconds", "5"]);
    let mut client = server.client();
    std::thread::sleep(Duration::from_secs(7));
    assert!(client.tool("get_status", json!({}))["version"].is_string(), "a client keeps it running");
    drop(client);
    let (code, _state) = server.terminate_after();
    assert_eq!(code, Some(0));
}

#[test]
fn a_foreground_server_keeps_running() {
    let server = Server::with(&["--idle-exit-seconds", "0"]);
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(server.health()["status"], "ok");
}

#[test]
fn stop_stops_the_server_and_captured_entries_stay_on_disk() {
    let state = TempDir::new().unwrap();
    let port = free_port();
    let background = Background { state: state.path(), port };
    McpProcess::spawn(state.path(), port).initialize();
    let output = gasoline(state.path()).args(["stop", "--port", &port.to_string()]).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(background.health().is_none());
    let again = gasoline(state.path()).args(["stop", "--port", &port.to_string()]).output().unwrap();
    assert!(String::from_utf8_lossy(&again.stdout).contains("no server is running"));
}

#[test]
fn yesterdays_entries_are_not_shown_as_todays() {
    let first = Server::start();
    first.log(json!([{ "level": "error", "message": "yesterday" }]));
    let old_id = first.get("/logs").json()["entries"][0]["id"].clone();
    let (_, state) = first.terminate();
    let second = Server::in_state(state, &[]);
    assert_eq!(second.get("/logs").json()["count"], 0);
    second.log(json!([{ "level": "error", "message": "today" }]));
    let missing = second.client().call("get_browser_errors", json!({ "id": old_id }));
    assert_eq!(missing["isError"], true);
    assert!(missing["structuredContent"]["message"].as_str().unwrap().contains("restarted"), "{missing}");
    let journal = std::fs::read_to_string(second.journal()).unwrap();
    assert!(journal.contains("yesterday"), "the file keeps it: {journal}");
}

#[test]
fn a_log_that_nobody_reads_blocks_nothing() {
    let (state, port) = (TempDir::new().unwrap(), free_port());
    let mut command = gasoline(state.path());
    let (at, by) = (port.to_string(), std::process::id().to_string());
    let args = ["serve", "--port", &at, "--exit-with-pid", &by];
    let mut server = command.env("GASOLINE_LOG", "debug").args(args).spawn().unwrap();
    let connect = || TcpStream::connect((Ipv4Addr::LOCALHOST, port)).ok();
    wait_for("the server", connect);
    // A line for each, of a hundred bytes: several times what a pipe holds.
    for _ in 0..3_000 {
        let mut stream = connect().unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        stream.write_all(b"no request at all\r\n\r\n").unwrap();
        stream.read_to_end(&mut Vec::new()).unwrap();
    }
    let ended = gasoline(state.path()).args(["stop", "--port", &port.to_string()]).output().unwrap();
    assert_eq!(ended.status.code(), Some(0), "{ended:?}");
    // Now read the log: its beginning is there.
    let mut said = String::new();
    server.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(server.wait().unwrap().success());
    assert!(said.contains("a connection ended early"), "{}", &said[..said.len().min(500)]);
    assert!(said.lines().count() < 3_000, "the pipe was never full");
}
