//! `gasoline doctor`, with each link of the chain broken on purpose.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::socket::Socket;
use crate::support::{EXTENSION, Server, TOKEN, free_port, gasoline, wait_for};

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn doctor(state: &Path, home: &Path, port: u16, args: &[&str]) -> Output {
    gasoline(state)
        .env("HOME", home)
        .env_remove("XDG_CONFIG_HOME")
        .args(["doctor", "--port", &port.to_string()])
        .args(args)
        .output()
        .unwrap()
}

/// The checks by name; those with the same name are joined into one text.
fn checks(state: &Path, home: &Path, port: u16) -> (Option<i32>, Value) {
    let output = doctor(state, home, port, &["--json"]);
    let read: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    let failed = read["checks"].as_array().unwrap().iter().any(|check| check["status"] == "fail");
    assert_eq!(read["ok"], !failed);
    assert_eq!(output.status.code(), Some(i32::from(failed)));
    (output.status.code(), read["checks"].clone())
}

fn check(checks: &Value, name: &str) -> Value {
    let found = checks.as_array().unwrap().iter().find(|check| check["name"] == name);
    found.unwrap_or_else(|| panic!("no check {name} in {checks}")).clone()
}

/// Asserts that this check has this verdict and message, and a remedy unless it is ok.
#[track_caller]
fn expect(checks: &Value, name: &str, status: &str, says: &str, remedy: &str) {
    let found = check(checks, name);
    assert_eq!(found["status"], status, "{found}");
    assert!(found["message"].as_str().unwrap().contains(says), "{found}");
    assert!(found["remedy"].as_str().unwrap_or_default().contains(remedy), "{found}");
    assert_eq!(found.get("remedy").is_some(), matches!(status, "fail" | "warn"), "{found}");
}

fn hello(version: &str, tabs: Value, settings: Value) -> Value {
    json!({ "type": "hello", "token": TOKEN, "version": version, "tabs": tabs, "settings": settings })
}

fn tab(captured: bool) -> Value {
    json!([{ "id": 1, "url": "http://localhost:3000/", "title": "Shop", "active": true, "captured": captured }])
}

/// A home directory whose one client launches the binary under test.
fn home_with_client(state: &Path, port: u16) -> TempDir {
    let home = TempDir::new().unwrap();
    let args = ["install", "--client", "cursor", "--port", &port.to_string()];
    gasoline(state).env("HOME", home.path()).args(args).output().unwrap();
    home
}

#[test]
fn a_complete_chain_passes() {
    let server = Server::start();
    let home = home_with_client(server.state.path(), server.port);
    let mut socket = Socket::open(&server, Some(EXTENSION)).unwrap();
    socket.send(&hello(VERSION, tab(true), json!({ "captureConsole": true, "captureNetworkBodies": false })));
    wait_for("the browser", || (server.health()["extension"]["connected"] == true).then_some(()));
    let (code, checks) = checks(server.state.path(), home.path(), server.port);
    assert_eq!(code, Some(0), "{checks}");
    for (name, says) in [
        ("state", ""),
        ("port", "held by"),
        ("token", "accepted"),
        ("server", VERSION),
        ("browser", "connected"),
        ("capture", "1 of 1 tabs, without request bodies"),
        ("clients", "Cursor launches this program"),
    ] {
        expect(&checks, name, "ok", says, "");
    }
    let output = doctor(server.state.path(), home.path(), server.port, &[]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("✓ browser") && text.contains("Everything works"), "{text}");
}

#[test]
fn no_server() {
    let state = TempDir::new().unwrap();
    let port = free_port();
    let home = home_with_client(state.path(), port);
    let (_, checks) = checks(state.path(), home.path(), port);
    expect(&checks, "port", "ok", "is free", "");
    expect(&checks, "server", "fail", "not running", "gasoline serve");
    expect(&checks, "browser", "skip", "no server", "");
    let output = doctor(state.path(), home.path(), port, &[]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("✗ server") && text.contains("→ start your AI client"), "{text}");
}

#[test]
fn a_port_in_use_by_another_program_fails() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    // It answers, but not like a Gasoline server.
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            use std::io::{Read as _, Write as _};
            let mut stream = stream;
            let _ = stream.read(&mut [0; 1024]);
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
        }
    });
    let state = TempDir::new().unwrap();
    let home = home_with_client(state.path(), port);
    let (_, checks) = checks(state.path(), home.path(), port);
    expect(&checks, "port", "fail", "not a Gasoline server", "GASOLINE_PORT");
}

#[test]
fn a_server_with_another_token_fails() {
    let server = Server::start();
    let home = home_with_client(server.state.path(), server.port);
    let output = gasoline(server.state.path())
        .env("HOME", home.path())
        .env("GASOLINE_TOKEN", "f".repeat(64))
        .args(["doctor", "--json", "--port", &server.port.to_string()])
        .output()
        .unwrap();
    let read: Value = serde_json::from_slice(&output.stdout).unwrap();
    expect(&read["checks"], "token", "fail", "another token", "GASOLINE_STATE_DIR");
}

#[test]
fn no_browser_an_older_extension_and_no_captured_tab_are_reported() {
    let server = Server::start();
    let home = home_with_client(server.state.path(), server.port);
    let look = || checks(server.state.path(), home.path(), server.port).1;
    let alone = look();
    expect(&alone, "browser", "fail", "not reported", &format!("port {}", server.port));
    expect(&alone, "capture", "skip", "no browser", "");

    let mut socket = Socket::open(&server, Some(EXTENSION)).unwrap();
    socket.send(&hello("0.0.9", tab(false), json!({})));
    wait_for("the browser", || (server.health()["extension"]["connected"] == true).then_some(()));
    let older = look();
    expect(&older, "browser", "warn", "version 0.0.9", "reload arrow");
    expect(&older, "capture", "warn", "none of 1 open tabs", "Capture this site");

    socket.send(&json!({ "type": "status", "tabs": tab(true), "settings": { "captureConsole": false } }));
    wait_for("the tab", || (server.health()["extension"]["tabs"][0]["captured"] == true).then_some(()));
    expect(&look(), "capture", "warn", "without console", "\"Console\"");
}

#[test]
fn a_missing_or_older_extension_is_reported() {
    let server = Server::start();
    let folder = server.state.path().join("extension");
    let home = TempDir::new().unwrap();
    expect(
        &checks(server.state.path(), home.path(), server.port).1,
        "extension",
        "warn",
        "not unpacked",
        "gasoline install",
    );
    fs::create_dir_all(&folder).unwrap();
    let manifest = json!({ "key": wire::identity::EXTENSION_KEY, "version": "0.0.1" });
    fs::write(folder.join("manifest.json"), manifest.to_string()).unwrap();
    expect(
        &checks(server.state.path(), home.path(), server.port).1,
        "extension",
        "fail",
        "version 0.0.1",
        "gasoline install",
    );
    fs::write(folder.join("manifest.json"), manifest.to_string().replace("0.0.1", VERSION)).unwrap();
    expect(&checks(server.state.path(), home.path(), server.port).1, "extension", "ok", VERSION, "");
}

#[test]
fn clients_without_an_entry_or_with_a_missing_program_are_reported() {
    let state = TempDir::new().unwrap();
    let port = wire::limits::DEFAULT_PORT;
    let with = |text: Option<&str>| {
        let home = TempDir::new().unwrap();
        if let Some(text) = text {
            fs::create_dir_all(home.path().join(".cursor")).unwrap();
            fs::write(home.path().join(".cursor/mcp.json"), text).unwrap();
        }
        checks(state.path(), home.path(), port).1
    };
    expect(&with(None), "clients", "fail", "no AI client was found", "--client NAME");
    let without = with(Some("{}"));
    expect(&without, "clients", "warn", "Cursor has no entry", "install --client cursor");
    assert!(without.to_string().contains("no AI client launches Gasoline"), "{without}");
    let gone = r#"{ "mcpServers": { "gasoline": { "command": "/gone/gasoline", "args": [] } } }"#;
    expect(&with(Some(gone)), "clients", "fail", "which does not exist", "install --client cursor");
    let other = r#"{ "mcpServers": { "gasoline": { "command": "sh", "args": [] } } }"#;
    expect(&with(Some(other)), "clients", "warn", "Cursor launches \"sh\"", "to launch this program instead");
    expect(&with(Some("{ broken")), "clients", "fail", "cannot read", ".cursor/mcp.json");
}

#[test]
fn a_client_with_a_disabled_entry_is_reported() {
    let state = TempDir::new().unwrap();
    let with = |folder: &str, member: &str| {
        let home = TempDir::new().unwrap();
        fs::create_dir_all(home.path().join(folder)).unwrap();
        let text = format!(r#"{{ "mcpServers": {{ "gasoline": {{ "command": "sh", "args": [], {member} }} }} }}"#);
        let name = if folder == ".cursor" { "mcp.json" } else { "mcp_config.json" };
        fs::write(home.path().join(folder).join(name), text).unwrap();
        checks(state.path(), home.path(), wire::limits::DEFAULT_PORT).1
    };
    let windsurf = ".codeium/windsurf";
    let off = with(windsurf, r#""disabled": true"#);
    expect(&off, "clients", "warn", r#"switched off ("disabled": true)"#, "mcp_config.json");
    assert!(off.to_string().contains("no AI client launches Gasoline"), "{off}");
    expect(&with(windsurf, r#""disabled": false"#), "clients", "warn", "Windsurf launches \"sh\"", "this program");
    // Not every client reads the same member.
    expect(&with(".cursor", r#""disabled": true"#), "clients", "warn", "Cursor launches \"sh\"", "this program");
}

#[test]
fn an_unusable_state_directory_is_reported() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let output = doctor(&file, folder.path(), 1, &["--json"]);
    let read: Value = serde_json::from_slice(&output.stdout).unwrap();
    expect(&read["checks"], "state", "fail", "", "GASOLINE_STATE_DIR");
}
