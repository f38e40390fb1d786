//! Authentication: which requests are accepted.

use std::net::SocketAddr;

use serde_json::json;

use crate::support::{EXTENSION, Reply, Server, TOKEN, raw};

#[test]
fn health_without_a_token_says_only_that_a_server_is_running() {
    let server = Server::start();
    let reply = server.request("GET", "/health").token(None).send();
    assert_eq!(reply.status, 200);
    let health = reply.json();
    assert_eq!(health["status"], "ok");
    assert_eq!(health["service"], "gasoline");
    assert_eq!(health.as_object().unwrap().len(), 3, "{health}");
    assert!(server.health()["buffers"]["logs"]["capacity"] == 1000);
}

#[test]
fn every_other_route_needs_the_token() {
    let server = Server::start();
    for (method, path) in [
        ("GET", "/logs"),
        ("POST", "/logs"),
        ("DELETE", "/logs"),
        ("POST", "/sync"),
        ("POST", "/websocket-events"),
        ("POST", "/network-bodies"),
        ("POST", "/enhanced-actions"),
        ("POST", "/performance-snapshot"),
        ("POST", "/dom-snapshots"),
        ("GET", "/extension-logs"),
        ("POST", "/extension-logs"),
        ("GET", "/snapshot"),
        ("POST", "/clear"),
        ("GET", "/metrics"),
        ("POST", "/mcp"),
        ("GET", "/mcp"),
        ("GET", "/mcp-stdio"),
        ("GET", "/events/stream"),
        ("POST", "/shutdown"),
        ("GET", "/nowhere"),
        ("OPTIONS", "/logs"),
    ] {
        for token in [None, Some(""), Some("wrong"), Some(&TOKEN[..63])] {
            let reply = server.request(method, path).token(token).send();
            assert_eq!(reply.status, 401, "{method} {path} with {token:?}");
            assert_eq!(reply.json(), json!({ "error": "Invalid or expired token", "status": "unauthorized" }));
        }
    }
    assert_eq!(server.request("GET", "/logs?token=0123456789").token(None).send().status, 401, "no token from a URL");
}

#[test]
fn foreign_hosts_are_refused_before_anything_else() {
    let server = Server::start();
    let port = server.port;
    for host in [
        Some("evil.example".to_owned()),
        Some(format!("evil.example:{port}")),
        Some("127.0.0.1.evil.example".to_owned()),
        Some("localhost.".to_owned()),
        Some(String::new()),
        Some("169.254.169.254".to_owned()),
        None,
    ] {
        for path in ["/health", "/logs", "/mcp", "/extension/socket"] {
            let reply = server.request("GET", path).host(host.as_deref()).send();
            assert!(matches!(reply.status, 403 | 400), "{path} for {host:?}: {}", reply.status);
        }
        let pair = server.request("POST", "/pair").host(host.as_deref()).header("Origin", EXTENSION).send();
        assert_ne!(pair.status, 200, "{host:?}");
        assert!(!pair.body.contains(TOKEN));
    }
    for host in ["127.0.0.1", "localhost", "[::1]"] {
        assert_eq!(server.request("GET", "/logs").host(Some(host)).send().status, 200);
        assert_eq!(server.request("GET", "/logs").host(Some(&format!("{host}:{port}"))).send().status, 200);
    }
}

#[test]
fn an_absolute_target_or_a_second_host_does_not_get_around_the_check() {
    let server = Server::start();
    let address = SocketAddr::from(([127, 0, 0, 1], server.port));
    let absolute = format!(
        "GET http://evil.example/logs HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {TOKEN}\r\nConnection: close\r\n\r\n"
    );
    assert_eq!(Reply::parse(&raw(address, absolute.as_bytes())).status, 403);
    let two = format!(
        "GET /logs HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\nAuthorization: Bearer {TOKEN}\r\nConnection: close\r\n\r\n"
    );
    assert!(matches!(Reply::parse(&raw(address, two.as_bytes())).status, 400 | 403));
}

#[test]
fn web_pages_read_and_write_nothing_even_with_the_token() {
    let server = Server::start();
    let port = server.port;
    for origin in [
        "https://evil.example".to_owned(),
        "null".to_owned(),
        format!("http://127.0.0.1:{port}"),
        format!("http://localhost:{port}"),
        "http://localhost:3000".to_owned(),
        "chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa".to_owned(),
        format!("{EXTENSION}.evil.example"),
        format!("{EXTENSION}/"),
        String::new(),
        "moz-extension://abc".to_owned(),
    ] {
        for (method, path) in [
            ("GET", "/health"),
            ("GET", "/logs"),
            ("POST", "/logs"),
            ("POST", "/pair"),
            ("OPTIONS", "/logs"),
            ("POST", "/mcp"),
            ("GET", "/extension/socket"),
        ] {
            let reply =
                server.request(method, path).header("Origin", &origin).body(r#"{"entries":[{"message":"x"}]}"#).send();
            assert_eq!(reply.status, 403, "{method} {path} from {origin:?}");
            assert!(!reply.has_header("access-control-allow-origin"), "{origin}");
            assert!(!reply.body.contains(TOKEN));
        }
    }
    let hidden = server.request("GET", "/logs").header("Sec-Fetch-Site", "cross-site").send();
    assert_eq!(hidden.status, 403, "a page's request without Origin");
    assert_eq!(server.health()["buffers"]["logs"]["received"], 0);
}

#[test]
fn the_extension_pairs_without_a_click_and_then_has_the_whole_interface() {
    let server = Server::start();
    let reply = server.request("POST", "/pair").token(None).header("Origin", EXTENSION).send();
    assert_eq!(reply.status, 200, "{reply:?}");
    assert_eq!(reply.json()["token"], TOKEN);
    assert!(reply.has_header("access-control-allow-origin"));
    let logs = server.request("GET", "/logs").header("Origin", EXTENSION).send();
    assert_eq!(logs.status, 200);
    let preflight = server.request("OPTIONS", "/logs").token(None).header("Origin", EXTENSION).send();
    assert_eq!(preflight.status, 204);
    assert!(preflight.head.contains(&format!("access-control-allow-origin: {EXTENSION}")));

    let without_origin = server.request("POST", "/pair").token(None).send();
    assert_eq!(without_origin.status, 403);
    assert!(without_origin.json()["error"].as_str().unwrap().contains("gasoline token"));
    assert_eq!(server.request("GET", "/pair").send().status, 405);
}

#[test]
fn another_user_of_the_machine_can_not_pair() {
    // Only root can become another user.
    let is_root = std::process::Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    if !is_root {
        eprintln!("skipped: only root can become another user");
        return;
    }
    let server = Server::start();
    let script = format!(
        "exec 3<>/dev/tcp/127.0.0.1/{}; printf 'POST /pair HTTP/1.1\\r\\nHost: localhost\\r\\nOrigin: {EXTENSION}\\r\\nContent-Length: 0\\r\\nConnection: close\\r\\n\\r\\n' >&3; cat <&3",
        server.port
    );
    let output = std::process::Command::new("setpriv")
        .args(["--reuid=65534", "--regid=65534", "--clear-groups", "bash", "-c", &script])
        .output()
        .unwrap();
    let reply = Reply::parse(&output.stdout);
    assert_eq!(reply.status, 403, "{reply:?}");
    assert!(!reply.body.contains(TOKEN));
}

#[test]
fn no_auth_skips_the_token_and_no_other_check() {
    let server = Server::with(&["--no-auth"]);
    assert_eq!(server.request("GET", "/logs").token(None).send().status, 200);
    assert_eq!(server.request("GET", "/logs").token(Some("anything")).send().status, 200);
    assert_eq!(server.request("GET", "/logs").header("Origin", "https://evil.example").send().status, 403);
    assert_eq!(server.request("GET", "/logs").host(Some("evil.example")).send().status, 403);
}

#[test]
fn both_loopbacks_are_served_and_nothing_else() {
    let server = Server::start();
    let request = format!("GET /health HTTP/1.1\r\nHost: localhost:{}\r\nConnection: close\r\n\r\n", server.port);
    for address in ["127.0.0.1", "[::1]"] {
        let address: SocketAddr = format!("{address}:{}", server.port).parse().unwrap();
        if address.is_ipv6() && std::net::TcpListener::bind("[::1]:0").is_err() {
            continue;
        }
        assert_eq!(Reply::parse(&raw(address, request.as_bytes())).status, 200, "{address}");
    }
    let tables =
        ["/proc/net/tcp", "/proc/net/tcp6"].map(|table| std::fs::read_to_string(table).unwrap_or_default()).concat();
    let port = format!(":{:04X}", server.port);
    for line in tables.lines().filter(|line| line.split_whitespace().nth(1).is_some_and(|local| local.ends_with(&port)))
    {
        let local = line.split_whitespace().nth(1).unwrap();
        assert!(local.starts_with("0100007F") || local.starts_with("00000000000000000000000001000000"), "{local}");
    }
}
