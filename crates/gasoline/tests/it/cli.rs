//! The command line as users see it.

use std::process::Stdio;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Server, TOKEN, free_port, gasoline};

fn run(state: &TempDir, args: &[&str]) -> (Option<i32>, String, String) {
    let output = gasoline(state.path()).args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn help_explains_itself() {
    let state = TempDir::new().unwrap();
    let (code, help, _) = run(&state, &["--help"]);
    assert_eq!(code, Some(0));
    for word in [
        "serve",
        "status",
        "open",
        "stop",
        "token",
        "demo",
        "extension",
        "ci-script",
        "GASOLINE_STATE_DIR",
        "Exit codes",
        "stdin",
    ] {
        assert!(help.contains(word), "{word} is not in\n{help}");
    }
    assert!(!help.contains("--background"), "what is not for people is hidden");
    let (code, version, _) = run(&state, &["--version"]);
    assert_eq!((code, version.trim()), (Some(0), concat!("gasoline ", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn wrong_usage_exits_with_2_and_says_what_was_wrong() {
    let state = TempDir::new().unwrap();
    for args in
        [&["fly"][..], &["status", "--colour"], &["--port", "99999"], &["serve", "--max-events-per-second", "many"]]
    {
        let (code, _, error) = run(&state, args);
        assert_eq!(code, Some(2), "{args:?}");
        assert!(error.contains("error:") || error.contains("fixed port"), "{error}");
    }
}

#[test]
fn status_without_a_server_exits_with_3() {
    let state = TempDir::new().unwrap();
    let port = free_port().to_string();
    let (code, out, error) = run(&state, &["status", "--port", &port]);
    assert_eq!((code, out.as_str()), (Some(3), ""));
    assert!(error.contains("no Gasoline server is running"), "{error}");
}

#[test]
fn status_is_readable_for_people_and_programs() {
    let server = Server::start();
    server.log(json!([{ "message": "a" }]));
    let _client = server.client();
    let port = server.port.to_string();
    let (code, text, _) = run(&server.state, &["status", "--port", &port]);
    assert_eq!(code, Some(0));
    for part in ["Gasoline", &port, "not connected", "test", "1 logs"] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    let output = gasoline(server.state.path()).env("GASOLINE_PORT", &port).args(["status", "--json"]).output().unwrap();
    let health: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(health["buffers"]["logs"]["count"], 1);
    assert_eq!(
        (&health["port"], &health["address"]),
        (&json!(server.port), &json!(format!("http://127.0.0.1:{port}")))
    );
    assert!(health["memory_mb"].as_f64().unwrap() > 1.0, "{health}");
}

#[test]
fn token_prints_the_token_and_keeps_it() {
    let state = TempDir::new().unwrap();
    assert_eq!(run(&state, &["token"]).1.trim(), TOKEN, "the environment's wins");
    let stored = || {
        let output = gasoline(state.path()).env_remove("GASOLINE_TOKEN").arg("token").output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    let token = stored();
    assert_eq!(token.len(), 64);
    assert_ne!(token, TOKEN);
    assert_eq!(stored(), token);
}

#[test]
fn at_a_terminal_it_explains_how_to_connect() {
    let state = TempDir::new().unwrap();
    let port = free_port();
    // In a folder whose name a shell would split.
    let binary = state.path().join("my programs").join("gasoline");
    std::fs::create_dir(binary.parent().unwrap()).unwrap();
    std::fs::copy(crate::support::binary(), &binary).unwrap();
    let path = binary.display();
    // `script` gives the program a terminal.
    let command = format!("'{path}' --port {port}");
    let output = std::process::Command::new("script")
        .args(["-qec", &command, "/dev/null"])
        .env("GASOLINE_STATE_DIR", state.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("No server is running"), "{text}");
    assert!(text.contains(&format!("claude mcp add gasoline -- \"{path}\" --port {port}")), "{text}");
    assert!(text.contains(&format!("{{\"command\": \"{path}\", \"args\": [\"--port\", \"{port}\"]}}")), "{text}");
}

#[test]
fn an_unusable_state_directory_is_explained() {
    let state = TempDir::new().unwrap();
    let file = state.path().join("a-file");
    std::fs::write(&file, "").unwrap();
    let output = gasoline(&file).arg("token").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("could not create the folder"));
}
