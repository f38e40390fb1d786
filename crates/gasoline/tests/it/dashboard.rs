//! The dashboard: access, live updates, and the calls of AI clients.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use wire::limits;

use crate::support::{Background, EXTENSION, Reply, Request, Server, TOKEN, free_port, gasoline, wait_for};

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
    img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A request from a page of the server's own origin.
fn from_page(server: &Server, method: &str, path: &str) -> Request {
    server.request(method, path).token(None).header("Sec-Fetch-Site", "same-origin")
}

fn own_origin(server: &Server) -> String {
    format!("http://127.0.0.1:{}", server.port)
}

fn key(server: &Server) -> String {
    let reply = server.post("/dashboard/key", &json!({})).json();
    assert_eq!(reply["seconds"], limits::DASHBOARD_KEY_SECONDS);
    reply["key"].as_str().unwrap().to_owned()
}

fn open(server: &Server, key: &str) -> Reply {
    from_page(server, "POST", "/dashboard/session")
        .header("Origin", &own_origin(server))
        .body(json!({ "key": key }).to_string())
        .send()
}

/// Folder and cookie of an opened dashboard.
fn opened(server: &Server) -> (String, String) {
    let reply = open(server, &key(server));
    assert_eq!(reply.status, 200, "{reply:?}");
    let cookie = reply.head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    let cookie = cookie.split(';').next().unwrap().to_owned();
    (reply.json()["folder"].as_str().unwrap().to_owned(), cookie)
}

fn is_unauthorized(reply: &Reply) -> bool {
    reply.status == 401 && reply.json() == json!({ "error": "Invalid or expired token", "status": "unauthorized" })
}

#[test]
fn the_page_is_public_and_has_no_data() {
    let server = Server::start();
    server.log(json!([{ "level": "error", "message": "only for those who may read" }]));
    for path in ["/", "/open"] {
        let page = server.request("GET", path).token(None).send();
        assert_eq!(page.status, 200);
        assert!(page.head.contains("content-type: text/html"), "{}", page.head);
        for header in [
            format!("content-security-policy: {}", POLICY.to_ascii_lowercase()),
            "x-content-type-options: nosniff".to_owned(),
            "referrer-policy: no-referrer".to_owned(),
            "cross-origin-resource-policy: same-origin".to_owned(),
            "cross-origin-opener-policy: same-origin".to_owned(),
            "cache-control: no-store".to_owned(),
        ] {
            assert!(page.head.contains(&header), "{header} is not in {}", page.head);
        }
        assert!(!page.body.contains("only for those"), "{}", page.body);
        let is_built = page.body.contains("/dashboard/app.js");
        assert!(is_built || page.body.contains("cargo xtask build"), "{}", page.body);
    }
    // Other sites, and other ports of this host, do not get even that.
    for site in ["cross-site", "same-site"] {
        assert_eq!(server.request("GET", "/").token(None).header("Sec-Fetch-Site", site).send().status, 403);
    }
    assert_eq!(server.request("GET", "/").token(None).host(Some("evil.example")).send().status, 403);
    for path in ["/dashboard/nothing.js", "/dashboard/index.html", "/dashboard/..%2fapp.js", "/dashboard/x"] {
        assert_eq!(server.request("GET", path).token(None).send().status, 404, "{path}");
    }
    assert_eq!(server.request("POST", "/").token(Some(TOKEN)).send().status, 405);
}

#[test]
fn only_clients_with_the_token_get_a_key() {
    let server = Server::start();
    assert!(is_unauthorized(&server.request("POST", "/dashboard/key").token(None).send()));
    assert!(is_unauthorized(&server.request("POST", "/dashboard/key").token(Some("wrong")).send()));
    assert!(is_unauthorized(&from_page(&server, "POST", "/dashboard/key").send()));
    assert_eq!(server.get("/dashboard/key").status, 405);
    assert_eq!(server.request("POST", "/dashboard/key").header("Origin", EXTENSION).send().status, 200);
    let (one, other) = (key(&server), key(&server));
    assert_ne!(one, other);
    assert_eq!(one.len(), 64);
}

#[test]
fn a_key_opens_one_dashboard_and_sets_a_cookie_for_it_only() {
    let server = Server::start();
    let key = key(&server);
    let reply = open(&server, &key);
    assert_eq!(reply.status, 200);
    let cookie = reply.head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    let folder = reply.json()["folder"].as_str().unwrap().to_owned();
    assert!(cookie.starts_with(&format!("gasoline_{}=", server.port)), "{cookie}");
    for part in ["httponly", "samesite=strict", &format!("path={folder}"), "max-age=43200"] {
        assert!(cookie.split("; ").any(|given| given == part), "{part} is not in {cookie}");
    }
    assert!(!cookie.contains("domain"), "{cookie}");
    assert!(!cookie.contains(TOKEN) && !cookie.contains(&key), "{cookie}");
    assert!(is_unauthorized(&open(&server, &key)), "the key was used");
    assert!(is_unauthorized(&open(&server, "")));
    assert!(is_unauthorized(&open(&server, TOKEN)));
}

#[test]
fn only_our_own_page_may_use_a_key() {
    let server = Server::start();
    let key = key(&server);
    let body = json!({ "key": key }).to_string();
    let post = || server.request("POST", "/dashboard/session").token(None).body(body.clone());
    assert!(is_unauthorized(&post().send()), "no browser reports that our page made the request");
    for site in ["cross-site", "same-site"] {
        assert_eq!(post().header("Sec-Fetch-Site", site).send().status, 403);
    }
    assert!(is_unauthorized(&post().header("Sec-Fetch-Site", "none").send()));
    for origin in ["http://127.0.0.1:1", "http://localhost", "null", "https://evil.example", "http://127.0.0.1"] {
        let reply = from_page(&server, "POST", "/dashboard/session").header("Origin", origin).body(body.clone()).send();
        assert_eq!(reply.status, 403, "{origin}");
    }
    let broken = from_page(&server, "POST", "/dashboard/session").body("key").send();
    assert_eq!(broken.status, 400);
    assert!(broken.body.contains("gasoline open"), "{}", broken.body);
    assert_eq!(from_page(&server, "GET", "/dashboard/session").send().status, 405);
    assert_eq!(open(&server, &key).status, 200, "none of them used it up");
}

#[test]
fn the_cookie_gives_access_to_what_the_page_reads_and_nothing_else() {
    let server = Server::start();
    server.log(json!([{ "level": "error", "message": "seen by whoever may" }]));
    let (folder, cookie) = opened(&server);
    let read = |path: &str| from_page(&server, "GET", path).header("Cookie", &cookie);
    let picture = read(&format!("{folder}state")).send();
    assert_eq!(picture.status, 200);
    assert!(picture.body.contains("seen by whoever may"));
    assert!(picture.head.contains("cache-control: no-store") && picture.head.contains("nosniff"), "{}", picture.head);
    let own = read(&format!("{folder}state")).header("Origin", &own_origin(&server)).send();
    assert_eq!(own.status, 200);
    assert!(!own.has_header("access-control-allow-origin"), "{}", own.head);
    let id = picture.json()["rows"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(read(&format!("{folder}entry?id={id}")).send().json()["entry"]["message"], "seen by whoever may");
    assert_eq!(read(&format!("{folder}entry?id=log-0000-1")).send().status, 404);
    assert_eq!(read(&format!("{folder}entry")).send().status, 400);
    assert_eq!(read(&format!("{folder}call?number=1")).send().status, 404);

    // Without the browser's header that the request comes from the same origin.
    let plain = |site: Option<&str>| {
        let request = server.request("GET", &format!("{folder}state")).token(None).header("Cookie", &cookie);
        site.into_iter().fold(request, |request, site| request.header("Sec-Fetch-Site", site)).send()
    };
    assert!(is_unauthorized(&plain(None)));
    assert!(is_unauthorized(&plain(Some("none"))));
    assert_eq!(plain(Some("same-site")).status, 403);
    assert_eq!(plain(Some("cross-site")).status, 403);
    let foreign = format!("http://127.0.0.1:{}", server.port.wrapping_add(1));
    assert_eq!(read(&format!("{folder}state")).header("Origin", &foreign).send().status, 403);

    // Another cookie, another folder.
    let with = |path: &str, cookie: &str| from_page(&server, "GET", path).header("Cookie", cookie).send();
    let path = format!("{folder}state");
    let (other_folder, other_cookie) = opened(&server);
    assert!(is_unauthorized(&with(&path, &other_cookie)));
    assert!(is_unauthorized(&with(&format!("{other_folder}state"), &cookie)));
    assert!(is_unauthorized(&with(&path, &cookie.replace("gasoline_", "gasoline_1"))), "of another port");
    assert!(is_unauthorized(&with(&path, "")));
    assert!(is_unauthorized(&with(&path, cookie.split('=').next().unwrap())));
    assert!(is_unauthorized(&with("/dashboard//state", &cookie)));
    assert_eq!(with(&path, &format!("theme=dark; {cookie}; {other_cookie}")).status, 200, "others stand beside it");

    // It can read the dashboard, but change nothing.
    for (method, path) in [
        ("GET", "/logs"),
        ("GET", "/snapshot"),
        ("GET", "/events/stream"),
        ("GET", "/metrics"),
        ("GET", "/pending-queries"),
        ("POST", "/mcp"),
        ("POST", "/clear"),
        ("DELETE", "/logs"),
        ("POST", "/logs"),
        ("POST", "/shutdown"),
        ("POST", "/dashboard/key"),
        ("POST", &path),
        ("DELETE", &path),
        ("GET", &format!("{folder}other")),
        ("GET", &format!("{folder}state/more")),
    ] {
        let reply = from_page(&server, method, path).header("Cookie", &cookie).send();
        assert!(is_unauthorized(&reply), "{method} {path}: {reply:?}");
    }
    let health = from_page(&server, "GET", "/health").header("Cookie", &cookie).send().json();
    assert!(health.get("uptime_seconds").is_none(), "{health}");
}

#[test]
fn with_no_auth_the_page_reads_without_a_key_and_others_cannot() {
    let server = Server::with(&["--no-auth"]);
    assert_eq!(from_page(&server, "GET", "/dashboard/-/state").send().status, 200);
    for site in ["same-site", "cross-site"] {
        let reply = server.request("GET", "/dashboard/-/state").token(None).header("Sec-Fetch-Site", site).send();
        assert_eq!(reply.status, 403, "{site}");
    }
    let page = from_page(&server, "GET", "/dashboard/-/state").header("Origin", "http://localhost:3000").send();
    assert_eq!(page.status, 403);
}

/// A connection that receives updates.
struct Live(BufReader<TcpStream>);

impl Live {
    fn open(server: &Server, after: Option<&str>) -> (Self, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let seen = after.map(|mark| format!("Last-Event-ID: {mark}\r\n")).unwrap_or_default();
        let head = format!(
            "GET /dashboard/-/live HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {TOKEN}\r\n{seen}\r\n",
            server.port
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut lines = BufReader::new(stream);
        let mut status = String::new();
        lines.read_line(&mut status).unwrap();
        (Self(lines), status)
    }

    /// The next update that has a section of this name.
    fn next(&mut self, name: &str) -> Value {
        loop {
            let mut line = String::new();
            assert!(self.0.read_line(&mut line).unwrap() > 0, "the line ended");
            let Some(data) = line.strip_prefix("data: ") else { continue };
            let news: Value = serde_json::from_str(data).unwrap();
            if news.get(name).is_some() {
                return news;
            }
        }
    }
}

fn texts(news: &Value) -> Vec<&str> {
    news["rows"].as_array().unwrap().iter().map(|row| row["x"].as_str().unwrap()).collect()
}

#[test]
fn updates_arrive_live_and_a_reconnect_gets_the_missed_ones() {
    let server = Server::start();
    server.log(json!([{ "level": "log", "type": "console", "message": "before" }]));
    let (mut live, status) = Live::open(&server, None);
    assert!(status.contains("200"), "{status}");
    let first = live.next("rows");
    assert_eq!((first["reset"].as_bool(), texts(&first)), (Some(true), vec!["console.log: before"]));
    server.log(json!([{ "level": "error", "type": "console", "message": "now" }]));
    let news = live.next("rows");
    assert_eq!(texts(&news), ["console.error: now"]);
    assert!(news.get("reset").is_none());
    assert_eq!(news["errors"]["errors"][0]["message"], "now");
    let mark = news["mark"].as_str().unwrap().to_owned();
    drop(live);
    server.log(json!([{ "level": "log", "type": "console", "message": "meanwhile" }]));

    let (mut back, _) = Live::open(&server, Some(&mark));
    let rest = back.next("rows");
    assert_eq!((rest.get("reset"), texts(&rest)), (None, vec!["console.log: meanwhile"]));
    server.request("POST", "/clear").send();
    let cleared = back.next("rows");
    assert_eq!((cleared["reset"].as_bool(), texts(&cleared).len()), (Some(true), 0));
    // Marks from before the restart are stale: everything is sent again.
    for old in [mark.as_str(), "0000-1-0", "nonsense", ""] {
        let (mut live, _) = Live::open(&server, Some(old));
        assert_eq!(live.next("rows")["reset"], true, "{old}");
    }
}

#[test]
fn an_error_that_is_explained_later_is_sent_again() {
    let server = Server::start();
    let (mut live, _) = Live::open(&server, None);
    live.next("rows");
    server.log(json!([{ "id": "e1", "level": "error", "type": "exception", "message": "Error: broken",
        "stack": "Error: broken\n    at f (http://localhost/app.js:1:1)" }]));
    assert_eq!(live.next("rows")["rows"][0]["id"], "e1");
    let map = json!({ "version": 3, "sources": ["src/cart.ts"], "names": [], "mappings": "AAAA",
        "sourcesContent": ["throw new Error('broken');"] });
    let upload = json!({ "url": "http://localhost/app.js", "map": map.to_string() });
    assert_eq!(server.post("/source-maps", &upload).status, 200);
    let again = live.next("rows");
    assert_eq!(again["rows"][0]["id"], "e1");
    assert!(texts(&again)[0].ends_with("at src/cart.ts:1"), "{again}");
    assert!(again["errors"]["errors"][0]["at"].as_str().unwrap().starts_with("src/cart.ts:1"), "{again}");
}

#[test]
fn the_number_of_live_dashboards_is_bounded() {
    let server = Server::start();
    let mut lines: Vec<Live> = Vec::new();
    for _ in 0..limits::DASHBOARD_STREAMS {
        let (live, status) = Live::open(&server, None);
        assert!(status.contains("200"), "{status}");
        lines.push(live);
    }
    let (_, status) = Live::open(&server, None);
    assert!(status.contains("429"), "{status}");
    lines.pop();
    wait_for("a place", || Live::open(&server, None).1.contains("200").then_some(()));
}

#[test]
fn a_dashboard_that_stops_reading_is_disconnected() {
    let server = Server::with(&["--max-events-per-second", "0"]);
    let stuck: Vec<(Live, String)> = (0..limits::DASHBOARD_STREAMS).map(|_| Live::open(&server, None)).collect();
    assert!(Live::open(&server, None).1.contains("429"));
    let mut round = 0;
    wait_for("a place", || {
        round += 1;
        let state = |number: usize| format!("{round} {number} {}", "x".repeat(9_000));
        let entries: Vec<Value> = (0..12)
            .map(|number| {
                json!({ "level": "error", "type": "console", "message": "e".repeat(number + 1),
                    "_aiContext": { "stateSnapshot": state(number) } })
            })
            .collect();
        server.log(json!(entries));
        Live::open(&server, None).1.contains("200").then_some(())
    });
    assert!(stuck.iter().all(|(_, status)| status.contains("200")));
}

#[test]
fn a_background_server_keeps_running_while_a_dashboard_is_open() {
    let server = Server::with(&["--background", "--idle-exit-seconds", "5"]);
    let (mut live, _) = Live::open(&server, None);
    live.next("rows");
    std::thread::sleep(Duration::from_secs(7));
    assert_eq!(server.get("/health").status, 200);
    drop(live);
    let (code, _) = server.terminate_after();
    assert_eq!(code, Some(0), "then it ends by itself");
}

#[test]
fn the_dashboard_shows_the_calls_of_ai_clients() {
    let server = Server::start();
    server.log(json!([{ "level": "error", "message": "for the model" }]));
    let mut client = server.client();
    let secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    let answer = client.call("get_browser_errors", json!({ "url_filter": secret, "limit": 3 }));
    client.call("query_dom", json!({ "selector": "#pay" }));
    client.request("resources/read", json!({ "uri": "gasoline://errors" }));
    let calls = server.get("/dashboard/-/state").json()["calls"].clone();
    let list = calls["list"].as_array().unwrap();
    let names: Vec<&str> = list.iter().map(|call| call["tool"].as_str().unwrap()).collect();
    assert_eq!(names[..2], ["get_browser_errors", "query_dom"]);
    assert!(list.iter().all(|call| call["client"] == "test"), "{calls}");
    assert_eq!((&list[0]["failed"], &list[1]["failed"]), (&json!(false), &json!(true)));
    let text = answer["content"][0]["text"].as_str().unwrap();
    assert_eq!(list[0]["answerBytes"], text.len());
    assert!(list[0]["tokens"].as_u64().unwrap() > 0 && list[0]["millis"].as_f64().unwrap() >= 0.0);
    let one = server.get(&format!("/dashboard/-/call?number={}", list[0]["number"])).json();
    assert_eq!(one["answer"], text);
    let asked: Value = serde_json::from_str(one["argumentsText"].as_str().unwrap()).unwrap();
    assert_eq!(asked["limit"], 3);
    assert!(!server.get("/dashboard/-/state").body.contains(secret) && !one.to_string().contains(secret), "{one}");

    let (mut live, _) = Live::open(&server, None);
    assert_eq!(live.next("calls")["calls"]["whole"], true);
    client.call("get_status", json!({}));
    let news = live.next("calls")["calls"].clone();
    assert_eq!((&news["whole"], &news["list"][0]["tool"]), (&json!(false), &json!("get_status")));
    assert_eq!(news["list"].as_array().unwrap().len(), 1);
}

#[test]
fn what_a_dashboard_shows_is_bounded() {
    let server = Server::with(&["--ci"]);
    for test in 0..3 {
        let entries: Vec<Value> =
            (0..900).map(|number| json!({ "level": "log", "message": format!("{number}") })).collect();
        let batch = json!({ "test_id": format!("test {test}"), "entries": entries });
        assert_eq!(server.post("/logs", &batch).json()["received"], 900);
    }
    let picture = server.get("/dashboard/-/state").json();
    let rows = picture["rows"].as_array().unwrap();
    assert_eq!(rows.len(), limits::DASHBOARD_MOMENTS);
    assert_eq!(rows.last().unwrap()["c"], 2_700, "the newest stay");
}

#[test]
fn open_starts_the_server_and_gives_an_address_that_works_once() {
    let state = TempDir::new().unwrap();
    let port = free_port();
    let background = Background { state: state.path(), port };
    let output = gasoline(state.path()).args(["open", "--print", "--port", &port.to_string()]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let key = text.trim().strip_prefix(&format!("http://127.0.0.1:{port}/open#")).unwrap();
    assert_eq!(key.len(), 64);
    assert!(!text.contains(TOKEN));
    assert!(background.health().is_some(), "the server runs");
    let wrong = gasoline(state.path()).args(["open", "--print", "--port", "0"]).output().unwrap();
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("fixed port"));
    let held = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = held.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in held.incoming().take(20_000).flatten() {
            let _ = (&stream).write_all(b"SSH-2.0-other\r\n");
        }
    });
    let open =
        |port: u16| gasoline(state.path()).args(["open", "--print", "--port", &port.to_string()]).output().unwrap();
    let refused = open(taken);
    assert_eq!(refused.status.code(), Some(3), "{refused:?}");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("is in use by"), "{refused:?}");

    // A program that closes every connection at the first request.
    let rude = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = rude.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in rude.incoming().take(20_000).flatten() {
            let _ = stream.peek(&mut [0]);
        }
    });
    let refused = open(taken);
    assert_eq!(refused.status.code(), Some(3), "{refused:?}");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("is in use by"), "{refused:?}");
}
