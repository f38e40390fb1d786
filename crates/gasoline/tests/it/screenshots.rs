//! `POST /screenshots`.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{Reply, Server};

/// The shortest data that starts like an image.
const PNG: &str = "data:image/png;base64,iVBORw0KGgo=";
const JPEG: &str = "data:image/jpeg;base64,/9j/4A==";
const WEBP: &str = "data:image/webp;base64,UklGRgAAAABXRUJQ";

fn post(server: &Server, data_url: &str, error_id: Option<&str>) -> Reply {
    server.post("/screenshots", &json!({ "data_url": data_url, "url": "http://localhost/", "error_id": error_id }))
}

fn saved(server: &Server) -> Vec<String> {
    let Ok(folder) = std::fs::read_dir(server.state.path().join("screenshots")) else { return Vec::new() };
    let mut names: Vec<String> = folder.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn every_format_is_saved_under_a_name_that_the_server_chooses() {
    let server = Server::start();
    for (data_url, extension, begins) in
        [(PNG, "png", b"\x89PNG".as_slice()), (JPEG, "jpg", b"\xff\xd8\xff"), (WEBP, "webp", b"RIFF")]
    {
        let reply = post(&server, data_url, None);
        assert_eq!(reply.status, 200, "{reply:?}");
        let reply = reply.json();
        let (name, path) = (reply["filename"].as_str().unwrap(), Path::new(reply["path"].as_str().unwrap()));
        assert!(name.starts_with("20") && name.ends_with(extension), "{name}");
        assert!(path.ends_with(format!("screenshots/{name}")) && path.starts_with(server.state.path()));
        assert!(std::fs::read(path).unwrap().starts_with(begins));
        assert_eq!((mode(path), mode(path.parent().unwrap())), (0o600, 0o700));
    }
    assert_eq!(saved(&server).len(), 3);
}

#[test]
fn data_that_is_not_an_image_is_rejected_and_leaves_no_file() {
    let server = Server::start();
    for (data_url, says) in [
        ("", "data:image/png"),
        ("http://localhost/a.png", "data:image/png"),
        ("data:image/png;base64", "data:image/png"),
        ("data:image/png,iVBORw0KGgo=", "base64"),
        ("data:image/svg+xml;base64,PHN2Zz4=", "data:image/png"),
        ("data:text/html;base64,PGgxPg==", "data:image/png"),
        ("data:image/png;base64,%%%", "base64"),
        ("data:image/png;base64,", "is not image/png"),
        ("data:image/png;base64,/9j/4A==", "is not image/png"),
        ("data:image/jpeg;base64,iVBORw0KGgo=", "is not image/jpeg"),
        ("data:image/webp;base64,UklGRgAAAABXQVZF", "is not image/webp"),
    ] {
        let reply = post(&server, data_url, None);
        assert_eq!(reply.status, 400, "{data_url}");
        assert!(reply.json()["error"].as_str().unwrap().contains(says), "{data_url}: {reply:?}");
    }
    for body in ["", "[]", "{}", "{\"data_url\":5}"] {
        assert_eq!(server.request("POST", "/screenshots").body(body).send().status, 400, "{body}");
    }
    let large = format!("{PNG}{}", "A".repeat(wire::limits::REQUEST_BYTES));
    assert_eq!(post(&server, &large, None).status, 413);
    assert_eq!(server.get("/screenshots").status, 405);
    assert_eq!(server.request("POST", "/screenshots").token(None).body("{}").send().status, 401);
    let page = server.request("POST", "/screenshots").header("Origin", "http://localhost:3000");
    assert_eq!(page.body(json!({ "data_url": PNG }).to_string()).send().status, 403);
    assert_eq!(saved(&server), Vec::<String>::new());
}

#[test]
fn a_hundred_are_kept_and_the_oldest_are_deleted() {
    let server = Server::start();
    let first = post(&server, PNG, None).json()["filename"].as_str().unwrap().to_owned();
    std::fs::write(server.state.path().join("screenshots/notes.txt"), "not ours").unwrap();
    // Names differ by milliseconds, not less.
    std::thread::sleep(std::time::Duration::from_millis(2));
    for n in 2..=wire::limits::SCREENSHOT_FILES + 1 {
        assert_eq!(saved(&server).len(), n, "with the notes");
        assert!(saved(&server).contains(&first));
        post(&server, WEBP, None);
    }
    assert_eq!(saved(&server).len(), wire::limits::SCREENSHOT_FILES + 1);
    assert!(!saved(&server).contains(&first) && saved(&server).contains(&"notes.txt".to_owned()));
}

#[test]
fn an_error_names_its_screenshot() {
    let server = Server::start();
    server.log(json!([{ "id": "e-1", "type": "exception", "level": "error", "message": "boom" }, { "level": "error", "message": "unnamed" }]));
    let path = post(&server, PNG, Some("e-1")).json()["path"].clone();
    let entries = server.get("/logs").json()["entries"].clone();
    assert_eq!((&entries[0]["screenshot"], entries[1].get("screenshot")), (&path, None), "{entries}");
    let errors = server.tool("get_browser_errors", json!({}))["errors"].clone();
    assert_eq!(errors[1]["screenshot"], path, "{errors}");
    let by_our_id = post(&server, JPEG, entries[1]["id"].as_str()).json()["path"].clone();
    assert_eq!(server.get("/logs").json()["entries"][1]["screenshot"], by_our_id);
    let second = post(&server, JPEG, Some("e-1")).json()["path"].clone();
    assert_eq!(server.get("/logs").json()["entries"][0]["screenshot"], second, "a newer picture replaces the older");
}

#[test]
fn a_screenshot_may_arrive_before_its_error() {
    let server = Server::start();
    let linked = |id: &str| -> Value {
        server.log(json!([{ "id": id, "level": "error", "message": "boom" }]));
        server.get("/logs").json()["entries"].as_array().unwrap().last().unwrap()["screenshot"].clone()
    };
    const MOST: usize = wire::limits::AWAITED_ERRORS;
    for (others, waited) in [(MOST - 2, true), (MOST - 1, true), (MOST, false)] {
        let id = format!("late-{others}");
        let path = post(&server, PNG, Some(&id)).json()["path"].clone();
        for n in 0..others {
            assert_eq!(post(&server, PNG, Some(&format!("never-{n}"))).status, 200, "saved all the same");
        }
        assert_eq!(linked(&id), if waited { path } else { Value::Null }, "{others} others");
    }
    assert_eq!(linked("nobody"), Value::Null);
}

#[test]
fn a_page_cannot_name_a_file() {
    let server = Server::start();
    server.log(json!([{ "message": "look here", "level": "error", "screenshot": "/etc/passwd" }]));
    assert!(!server.get("/logs").body.contains("passwd"));
    assert_eq!(server.health()["unknown_fields"]["count"], 0);
}
