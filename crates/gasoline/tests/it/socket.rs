//! The extension's socket, which defines "connected".

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpStream};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{EXTENSION, Server, TOKEN, wait_for};

/// As much of a WebSocket client as these tests need.
pub(crate) struct Socket(TcpStream);

impl Socket {
    pub(crate) fn open(server: &Server, origin: Option<&str>) -> Result<Self, String> {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, server.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        let origin = origin.map(|origin| format!("Origin: {origin}\r\n")).unwrap_or_default();
        let head = format!(
            "GET /extension/socket HTTP/1.1\r\nHost: 127.0.0.1\r\n{origin}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = Vec::new();
        while !answer.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).map_err(|error| error.to_string())?;
            answer.push(byte[0]);
        }
        let answer = String::from_utf8(answer).unwrap();
        if answer.starts_with("HTTP/1.1 101") { Ok(Self(stream)) } else { Err(answer) }
    }

    pub(crate) fn send(&mut self, message: &Value) {
        let text = message.to_string();
        let mut frame = vec![0x81];
        match text.len() {
            short @ 0..126 => frame.push(0x80 | short as u8),
            long => {
                frame.push(0x80 | 126);
                frame.extend((long as u16).to_be_bytes());
            }
        }
        // A mask of zeros changes nothing and is allowed.
        frame.extend([0; 4]);
        frame.extend(text.bytes());
        self.0.write_all(&frame).unwrap();
    }

    /// The next text, or the close frame's reason as an error.
    pub(crate) fn receive(&mut self) -> Result<Value, String> {
        let mut head = [0; 2];
        self.0.read_exact(&mut head).map_err(|error| error.to_string())?;
        let mut size = usize::from(head[1]);
        if size == 126 {
            let mut long = [0; 2];
            self.0.read_exact(&mut long).unwrap();
            size = usize::from(u16::from_be_bytes(long));
        }
        let mut payload = vec![0; size];
        self.0.read_exact(&mut payload).unwrap();
        match head[0] & 0x0f {
            1 => Ok(serde_json::from_slice(&payload).unwrap()),
            8 => Err(String::from_utf8_lossy(&payload[2..]).into_owned()),
            other => Err(format!("frame {other}")),
        }
    }
}

fn hello(token: Option<&str>) -> Value {
    json!({
        "type": "hello", "token": token, "version": "1.2.3",
        "tabs": [{ "id": 5, "url": "http://localhost:3000/?token=abc123def456", "title": "Shop", "active": true, "captured": true }],
        "settings": { "captureWebSockets": true, "captureConsole": true, "allowExecuteJs": false },
    })
}

#[test]
fn an_open_socket_is_a_connected_browser() {
    let server = Server::start();
    let mut socket = Socket::open(&server, Some(EXTENSION)).unwrap();
    socket.send(&hello(Some(TOKEN)));
    assert_eq!(socket.receive().unwrap()["type"], "welcome");
    let mut client = server.client();
    let status = client.tool("get_status", json!({}));
    assert_eq!((&status["connected"], &status["tabs"][0]["title"]), (&json!(true), &json!("Shop")));
    assert!(!status.to_string().contains("abc123def456"), "{status}");
    assert!(status["next_steps"].to_string().contains("ask the user to reproduce the problem"), "{status}");
    let health = server.health();
    assert_eq!((&health["extension"]["connected"], &health["extension"]["version"]), (&json!(true), &json!("1.2.3")));
    let quiet = client.tool("get_browser_logs", json!({}));
    assert!(quiet["hint"].as_str().unwrap().contains("nothing of this kind has happened yet"), "{quiet}");

    socket.send(&json!({ "type": "heartbeat" }));
    assert_eq!(socket.receive().unwrap()["type"], "heartbeat");
    socket.send(&json!({ "type": "status", "tabs": [{ "id": 6, "url": "http://x/", "captured": false }], "settings": { "captureConsole": false } }));
    wait_for("the new tabs", || (client.tool("get_status", json!({}))["tabs"][0]["id"] == 6).then_some(()));
    let off_site = client.tool("get_browser_logs", json!({}));
    assert!(off_site["hint"].as_str().unwrap().contains("capture is off for every open site"), "{off_site}");
    socket.send(&json!({ "type": "status", "tabs": [{ "id": 6, "captured": true }] }));
    wait_for("the switch's hint", || {
        client.tool("get_browser_logs", json!({}))["hint"]
            .as_str()
            .unwrap()
            .contains("console capture is switched off")
            .then_some(())
    });

    drop(socket);
    wait_for("the end of the connection", || {
        (client.tool("get_status", json!({}))["connected"] == false).then_some(())
    });
}

#[test]
fn without_the_token_the_socket_is_closed() {
    let server = Server::start();
    for first in [hello(Some("wrong")), hello(None), json!({ "type": "heartbeat" })] {
        let mut socket = Socket::open(&server, Some(EXTENSION)).unwrap();
        socket.send(&first);
        let reason = socket.receive().unwrap_err();
        assert!(reason.contains("token") || reason.contains("hello"), "{reason}");
    }
    assert_eq!(server.health()["extension"]["connected"], false);
}

#[test]
fn a_page_cannot_open_the_socket() {
    let server = Server::start();
    for origin in ["https://evil.example", "http://localhost:3000", "null"] {
        let refused = Socket::open(&server, Some(origin)).err().unwrap();
        assert!(refused.starts_with("HTTP/1.1 403"), "{refused}");
    }
}

#[test]
fn invalid_messages_are_skipped() {
    let server = Server::start();
    let mut socket = Socket::open(&server, None).unwrap();
    socket.send(&hello(Some(TOKEN)));
    assert_eq!(socket.receive().unwrap()["type"], "welcome");
    socket.send(&json!({ "type": "song" }));
    socket.send(&json!({ "nothing": 1 }));
    socket.send(&json!({ "type": "heartbeat" }));
    assert_eq!(socket.receive().unwrap()["type"], "heartbeat");
}

#[test]
fn every_shape_of_settings_is_accepted() {
    let server = Server::start();
    for sites in [json!("all"), json!("local"), json!(["a.test", "*.b.test"]), json!({}), json!(null)] {
        let mut socket = Socket::open(&server, Some(EXTENSION)).unwrap();
        socket
            .send(&json!({ "type": "hello", "token": TOKEN, "settings": { "sites": sites, "allowExecuteJs": true } }));
        assert_eq!(socket.receive().unwrap()["type"], "welcome", "{sites}");
        let settings = server.tool("get_status", json!({}))["settings"].clone();
        assert_eq!((settings["allowExecuteJs"].clone(), settings["sites"].clone()), (json!(true), sites));
        drop(socket);
        wait_for("the end of the connection", || (server.health()["extension"]["connected"] == false).then_some(()));
    }
}

#[test]
fn an_invalid_hello_is_rejected_at_once() {
    let server = Server::start();
    for first in [json!({ "type": "hello", "token": TOKEN, "version": 5 }), json!({ "type": "song" }), json!("text")] {
        let mut socket = Socket::open(&server, Some(EXTENSION)).unwrap();
        socket.send(&first);
        let reason = socket.receive().unwrap_err();
        assert!(reason.contains("invalid hello"), "{reason}");
    }
}

#[test]
fn a_browser_with_too_many_tabs_does_not_flood_the_model() {
    let server = Server::start();
    let mut tabs: Vec<Value> =
        (0..300).map(|n| json!({ "id": n, "url": format!("http://x/{n}"), "title": "t" })).collect();
    tabs.push(json!({ "id": 999, "url": "http://localhost/", "active": true, "captured": true }));
    let mut socket = Socket::open(&server, Some(EXTENSION)).unwrap();
    socket.send(&json!({ "type": "hello", "token": TOKEN, "tabs": tabs }));
    socket.receive().unwrap();
    let status = server.tool("get_status", json!({}));
    assert_eq!((&status["tabs"][0]["id"], &status["tabs_total"]), (&json!(999), &json!(200)));
    assert!(status.to_string().len() < 5_000, "{}", status.to_string().len());
}

/// Says hello with these tabs and settings, and keeps the socket.
fn introduced(server: &Server, hello: Value) -> Socket {
    let mut socket = Socket::open(server, Some(EXTENSION)).unwrap();
    let mut message = json!({ "type": "hello", "token": TOKEN, "version": "1.2.3" });
    message.as_object_mut().unwrap().extend(hello.as_object().unwrap().clone());
    socket.send(&message);
    assert_eq!(socket.receive().unwrap()["type"], "welcome");
    socket
}

#[test]
fn the_extensions_counts_are_shown_and_losses_cause_warnings() {
    let server = Server::start();
    let counts = |dropped: u64, rejected: u64| json!({ "captured": 100, "sent": 90, "buffered": 3, "dropped": dropped, "rejected": rejected });
    let mut socket = introduced(&server, json!({ "counts": counts(0, 0) }));
    let status = server.tool("get_status", json!({}));
    assert_eq!(status["extension"], json!({ "version": "1.2.3", "counts": counts(0, 0) }));
    assert_eq!(status["warnings"], json!([]));
    for (dropped, rejected, words) in [
        (5, 0, vec!["5 entries were dropped"]),
        (0, 2, vec!["the server rejected 2 entries of the extension"]),
        (5, 2, vec!["5 entries", "2 entries"]),
    ] {
        socket.send(&json!({ "type": "status", "counts": counts(dropped, rejected) }));
        wait_for("the counts", || (server.health()["extension"]["counts"] == counts(dropped, rejected)).then_some(()));
        let warnings = server.tool("get_status", json!({}))["warnings"].clone();
        assert_eq!(warnings.as_array().unwrap().len(), words.len(), "{warnings}");
        assert!(words.iter().all(|word| warnings.to_string().contains(word)), "{warnings}");
    }
    socket.send(&json!({ "type": "status", "tabs": [] }));
    socket.send(&json!({ "type": "heartbeat" }));
    socket.receive().unwrap();
    assert_eq!(server.health()["extension"]["counts"]["dropped"], 5, "what a status leaves out stays");
}

#[test]
fn hints_name_the_settings_that_prevent_capture() {
    let server = Server::start();
    let captured = json!([{ "id": 1, "url": "http://localhost:3000/", "active": true, "captured": true }]);
    let blocked = json!([{ "id": 1, "url": "https://shop.test:8443/cart?x=1", "active": true, "captured": false }]);
    for (tabs, settings, tool, says) in [
        (&captured, json!({ "captureLevel": "error" }), "get_browser_logs", "only errors are captured: "),
        (&captured, json!({ "captureLevel": "warn" }), "get_browser_logs", "only warnings and errors are captured: "),
        (&captured, json!({ "captureLevel": "all" }), "get_browser_logs", "nothing of this kind has happened yet"),
        (
            &captured,
            json!({ "captureConsole": false, "captureLevel": "error" }),
            "get_browser_logs",
            "console capture is switched off",
        ),
        (&captured, json!({ "captureWebSockets": false }), "get_websocket_events", "WebSocket capture is switched off"),
        (&captured, json!({ "captureWebSockets": false }), "get_websocket_status", "WebSocket capture is switched off"),
        (&captured, json!({ "captureActions": false }), "get_enhanced_actions", "action capture is switched off"),
        (
            &captured,
            json!({ "captureNetworkBodies": false }),
            "get_network_bodies",
            "nothing of this kind has happened",
        ),
        (
            &captured,
            json!({ "captureNetworkBodies": false }),
            "get_browser_errors",
            "nothing of this kind has happened yet",
        ),
        (&blocked, json!({ "blockedSites": ["shop.test"] }), "get_browser_logs", "switched off capture for shop.test"),
        (
            &blocked,
            json!({ "blockedSites": ["shop.test:8443"] }),
            "get_browser_logs",
            "switched off capture for shop.test:8443",
        ),
        (&blocked, json!({ "blockedSites": ["other.test"] }), "get_browser_logs", "capture is off for every open site"),
        (&blocked, json!({}), "get_browser_logs", "capture is off for every open site"),
    ] {
        let socket = introduced(&server, json!({ "tabs": tabs, "settings": settings }));
        let answer = server.tool(tool, json!({}));
        assert!(answer["hint"].as_str().unwrap().contains(says), "{tool} with {settings}: {answer}");
        assert_eq!(server.tool("get_status", json!({}))["settings"], settings);
        drop(socket);
        wait_for("the end of the connection", || (server.health()["extension"]["connected"] == false).then_some(()));
    }
    let _socket = introduced(
        &server,
        json!({ "tabs": blocked, "settings": { "blockedSites": ["shop.test"], "captureLevel": "error" } }),
    );
    let status = server.tool("get_status", json!({}));
    assert!(status["next_steps"].to_string().contains("switched off capture for shop.test"), "{status}");
    assert!(status["warnings"].to_string().contains("only errors are captured"), "{status}");
}
