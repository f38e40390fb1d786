//! `POST /recordings/save`.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{EXTENSION, Reply, Server, TOKEN, resident_kilobytes, wait_for};

const MAGIC: &[u8] = b"\x1a\x45\xdf\xa3";
const BOUNDARY: &str = "----gasoline";

/// An upload, written piece by piece as a browser does.
struct Upload(TcpStream);

impl Upload {
    fn begin(server: &Server) -> Self {
        Self::with(server, "Transfer-Encoding: chunked", &format!("multipart/form-data; boundary={BOUNDARY}"))
    }

    fn with(server: &Server, size: &str, content_type: &str) -> Self {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, server.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let head = format!(
            "POST /recordings/save HTTP/1.1\r\nHost: localhost:{}\r\nConnection: close\r\nOrigin: {EXTENSION}\r\n\
             Authorization: Bearer {TOKEN}\r\nContent-Type: {content_type}\r\n{size}\r\n\r\n",
            server.port
        );
        stream.write_all(head.as_bytes()).unwrap();
        Self(stream)
    }

    /// Sends one HTTP chunk. The server may already have answered and closed the connection, so errors are ignored.
    fn chunk(&mut self, bytes: &[u8]) -> &mut Self {
        // An empty chunk would end the body.
        if bytes.is_empty() {
            return self;
        }
        let _ = self.0.write_all(&[format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat());
        self
    }

    fn part(&mut self, name: &str, bytes: &[u8]) -> &mut Self {
        self.chunk(head(name).as_bytes()).chunk(bytes).chunk(b"\r\n")
    }

    fn metadata(&mut self, metadata: &Value) -> &mut Self {
        self.part("metadata", metadata.to_string().as_bytes())
    }

    fn end(&mut self) -> Reply {
        self.chunk(format!("--{BOUNDARY}--\r\n").as_bytes()).cut()
    }

    /// Ends the body correctly for HTTP, whatever it contains.
    fn cut(&mut self) -> Reply {
        let _ = self.0.write_all(b"0\r\n\r\n");
        self.reply()
    }

    fn reply(&mut self) -> Reply {
        let mut answer = Vec::new();
        let _ = self.0.read_to_end(&mut answer);
        Reply::parse(&answer)
    }
}

fn head(name: &str) -> String {
    format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"{name}\"\r\n\r\n")
}

fn video(size: usize) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.resize(size, b'v');
    bytes
}

fn save(server: &Server, metadata: &Value, video: &[u8]) -> Reply {
    Upload::begin(server).metadata(metadata).part("video", video).end()
}

/// Every file in the state directory, including drafts.
fn files(server: &Server) -> Vec<String> {
    let Ok(folder) = std::fs::read_dir(server.state.path().join("recordings")) else { return Vec::new() };
    let mut names: Vec<String> = folder.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn a_video_is_saved_with_its_metadata() {
    let server = Server::start();
    let metadata = json!({
        "name": "login", "duration_seconds": 2.5, "resolution": "1280x720", "frame_rate": 30, "tab_id": 7,
        "mime_type": "video/webm;codecs=vp9", "url": "http://localhost/?token=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
    });
    let sent = video(300_000);
    let reply = save(&server, &metadata, &sent);
    assert_eq!(reply.status, 200, "{reply:?}");
    let folder = server.state.path().join("recordings");
    let (path, about) = (folder.join("login.webm"), folder.join("login_meta.json"));
    assert_eq!(
        reply.json(),
        json!({
            "status": "saved", "name": "login", "path": path, "metadata_path": about, "size_bytes": 300_000,
            "duration_seconds": 2.5,
        })
    );
    assert_eq!(std::fs::read(&path).unwrap(), sent);
    assert_eq!((mode(&path), mode(&about), mode(&folder)), (0o600, 0o600, 0o700));
    assert_eq!(files(&server), ["login.webm", "login_meta.json"]);
    let text = std::fs::read_to_string(&about).unwrap();
    assert!(!text.contains("eyJ"), "a credential stays nowhere: {text}");
    let about: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&about["name"], &about["tab_id"], &about["size_bytes"]), (&json!("login"), &json!(7), &json!(300_000)));
    assert!(about["url"].as_str().unwrap().starts_with("http://localhost/?token="), "{about}");
    assert!(about["recorded_at"].as_str().unwrap().starts_with("20"), "{about}");
}

#[test]
fn both_spellings_and_both_orders_are_accepted() {
    let server = Server::start();
    let metadata =
        json!({ "name": "camel", "durationSeconds": 1.5, "frameRate": 15, "mimeType": "video/webm", "tabId": 3 });
    let reply = Upload::begin(&server).part("video", &video(100)).metadata(&metadata).end();
    assert_eq!((&reply.json()["name"], &reply.json()["duration_seconds"]), (&json!("camel"), &json!(1.5)), "{reply:?}");
    let about = std::fs::read_to_string(server.state.path().join("recordings/camel_meta.json")).unwrap();
    let about: Value = serde_json::from_str(&about).unwrap();
    assert_eq!(
        (&about["frame_rate"], &about["tab_id"], &about["mime_type"]),
        (&json!(15.0), &json!(3), &json!("video/webm"))
    );
}

#[test]
fn a_name_that_is_taken_gets_a_number() {
    let server = Server::start();
    for name in ["demo", "demo-2", "demo-3"] {
        assert_eq!(save(&server, &json!({ "name": "demo" }), &video(10)).json()["name"], name);
    }
    std::fs::remove_file(server.state.path().join("recordings/demo_meta.json")).unwrap();
    assert_eq!(save(&server, &json!({ "name": "demo" }), &video(10)).json()["name"], "demo-4", "a video alone counts");
    let unnamed = save(&server, &json!({}), &video(10)).json();
    assert!(unnamed["name"].as_str().unwrap().starts_with("recording--20"), "{unnamed}");
    assert_eq!(unnamed["duration_seconds"], Value::Null);
}

#[test]
fn hostile_names_write_nothing_anywhere() {
    let server = Server::start();
    let before = tree(server.state.path());
    let long = "x".repeat(101);
    for name in [
        "",
        ".",
        "..",
        "../x",
        "..\\x",
        "/absolute/x",
        "C:\\x",
        "a/b",
        "a\0b",
        "a\0",
        "..%2fx",
        "%2e%2e%2fx",
        "a\nb",
        "a b",
        ".hidden",
        "a..b",
        "con",
        "NUL.txt",
        "com1",
        "\u{ff0e}\u{ff0e}\u{ff0f}x",
        "a\u{202e}mbew",
        "a\u{2215}b",
        "caf\u{e9}",
        long.as_str(),
    ] {
        let metadata = json!({ "name": name });
        for reply in [
            save(&server, &metadata, &video(1000)),
            Upload::begin(&server).part("video", &video(1000)).metadata(&metadata).end(),
        ] {
            assert_eq!(reply.status, 400, "{name:?}: {reply:?}");
            assert!(reply.json()["error"].as_str().unwrap().contains("A-Z, a-z, 0-9"), "{name:?}: {reply:?}");
        }
        assert_eq!(files(&server), Vec::<String>::new(), "{name:?}");
    }
    assert_eq!(tree(server.state.path()), before);
    assert_eq!(save(&server, &json!({ "name": "x".repeat(100) }), &video(10)).status, 200);
}

/// The files outside `recordings` and the journal, which grows by itself.
fn tree(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| name != "recordings" && !name.starts_with("logs"));
    names.sort();
    names
}

#[test]
fn an_invalid_recording_is_rejected_and_leaves_no_file() {
    let server = Server::start();
    let good = json!({ "name": "x" });
    for bytes in [b"".as_slice(), b"\x1a\x45", b"\x1a\x45\xdf\xa4", b"RIFF....AVI ", b"<html>"] {
        let reply = save(&server, &good, bytes);
        assert_eq!(
            (reply.status, reply.json()["error"].as_str().unwrap().contains("not a WebM file")),
            (400, true),
            "{reply:?}"
        );
    }
    let refusals = [
        (Upload::begin(&server).metadata(&good).end(), "`video` is missing"),
        (Upload::begin(&server).part("video", &video(10)).end(), "`metadata` is missing"),
        (Upload::begin(&server).end(), "missing"),
        (Upload::begin(&server).metadata(&good).metadata(&good).part("video", &video(10)).end(), "unexpected part"),
        (Upload::begin(&server).part("video", &video(10)).part("video", &video(10)).end(), "unexpected part"),
        (Upload::begin(&server).part("file", &video(10)).metadata(&good).end(), "unexpected part"),
        (Upload::begin(&server).part("metadata", b"{").part("video", &video(10)).end(), "JSON"),
        (Upload::begin(&server).part("metadata", b"[]").part("video", &video(10)).end(), "JSON"),
        (save(&server, &json!({ "name": 5 }), &video(10)), "JSON"),
        (Upload::begin(&server).chunk(b"nothing of parts").cut(), "multipart"),
        (Upload::with(&server, "Content-Length: 2", "application/json").reply(), "multipart"),
        (Upload::with(&server, "Content-Length: 2", "multipart/form-data").reply(), "boundary"),
    ];
    for (reply, says) in refusals {
        assert_eq!(reply.status, 400, "{says}: {reply:?}");
        assert!(reply.json()["error"].as_str().unwrap().contains(says), "{says}: {reply:?}");
    }
    assert_eq!(server.get("/recordings/save").status, 405);
    assert_eq!(server.request("POST", "/recordings/save").token(None).send().status, 401);
    let page = server.request("POST", "/recordings/save").header("Origin", "http://localhost:3000");
    assert_eq!(page.send().status, 403);
    assert_eq!(files(&server), Vec::<String>::new());
}

/// The start may arrive in pieces of any size, and boundaries may be split.
#[test]
fn bytes_may_arrive_one_by_one() {
    let server = Server::start();
    let mut upload = Upload::begin(&server);
    upload.metadata(&json!({ "name": "slow" }));
    let tricky = [MAGIC, b"\r\n--", b"\r\n----gasolin", b"\r\r\n---", b"\r\n"].concat();
    for byte in [head("video").as_bytes(), &tricky, b"\r\n"].concat() {
        upload.chunk(&[byte]);
    }
    assert_eq!(upload.end().json()["size_bytes"], tricky.len());
    assert_eq!(std::fs::read(server.state.path().join("recordings/slow.webm")).unwrap(), tricky);
}

#[test]
fn a_video_of_the_largest_size_is_accepted_and_one_byte_more_is_not() {
    const LIMIT: usize = 1_000_000;
    let server = Server::with(&["--recording-limits", &format!("{LIMIT},30")]);
    let metadata = json!({ "name": "large" });
    for size in [LIMIT - 1, LIMIT] {
        assert_eq!(save(&server, &metadata, &video(size)).json()["size_bytes"], size);
    }
    let before = files(&server);
    let over = save(&server, &metadata, &video(LIMIT + 1));
    assert_eq!(over.status, 413, "{over:?}");
    assert!(over.json()["error"].as_str().unwrap().contains("1000000 bytes"), "{over:?}");
    // Far more, still being sent when the server rejects it: the answer arrives anyway.
    let mut upload = Upload::begin(&server);
    upload.metadata(&metadata).chunk(head("video").as_bytes()).chunk(MAGIC);
    for _ in 0..30 {
        upload.chunk(&vec![0; 1_000_000]);
    }
    assert_eq!(upload.end().status, 413);
    assert_eq!(files(&server), before);
}

#[test]
fn a_stated_size_over_the_limit_is_rejected_unread() {
    let server = Server::start();
    let size = format!("Content-Length: {}", wire::limits::RECORDING_BYTES + 1024 * 1024);
    let mut upload = Upload::with(&server, &size, &format!("multipart/form-data; boundary={BOUNDARY}"));
    upload.0.shutdown(Shutdown::Write).unwrap();
    let reply = upload.reply();
    assert_eq!(reply.status, 413, "{reply:?}");
    assert!(reply.json()["error"].as_str().unwrap().contains("536870912 bytes"), "{reply:?}");
    assert_eq!(files(&server), Vec::<String>::new());
}

#[test]
fn metadata_and_part_headers_have_limits_too() {
    let server = Server::start();
    let metadata = |size: usize| {
        let frame = r#"{"name":"m","filler":""}"#.len();
        json!({ "name": "m", "filler": "y".repeat(size - frame) })
    };
    let limit = wire::limits::RECORDING_METADATA_BYTES;
    for size in [limit - 1, limit] {
        assert_eq!(metadata(size).to_string().len(), size);
        assert_eq!(save(&server, &metadata(size), &video(10)).status, 200, "{size}");
    }
    assert_eq!(save(&server, &metadata(limit + 1), &video(10)).status, 400);
    // What the parser must buffer: headers that never end, and a body that starts without a part.
    for start in [format!("--{BOUNDARY}\r\nX: "), String::new()] {
        let before = resident_kilobytes(&server, "VmRSS");
        let mut upload = Upload::begin(&server);
        upload.chunk(start.as_bytes());
        for _ in 0..50 {
            upload.chunk(&[b'x'; 1_000_000]);
        }
        assert_eq!(upload.cut().status, 400);
        let grown = resident_kilobytes(&server, "VmHWM").saturating_sub(before);
        assert!(grown < 20_000, "{grown} KB more");
    }
}

#[test]
fn two_hundred_megabytes_pass_through_without_staying_in_memory() {
    let server = Server::start();
    assert_eq!(save(&server, &json!({ "name": "warm" }), &video(1000)).status, 200);
    let before = resident_kilobytes(&server, "VmRSS");
    let mut upload = Upload::begin(&server);
    upload.metadata(&json!({ "name": "large" })).chunk(head("video").as_bytes()).chunk(MAGIC);
    let piece: Vec<u8> = (0..1024 * 1024).map(|n: u32| (n ^ (n >> 8)) as u8).collect();
    for _ in 0..200 {
        upload.chunk(&piece);
    }
    let reply = upload.chunk(b"\r\n").end();
    assert_eq!(reply.json()["size_bytes"], 200 * 1024 * 1024 + MAGIC.len(), "{reply:?}");
    let most = resident_kilobytes(&server, "VmHWM");
    assert!(most - before < 20 * 1024, "{before} KB before, {most} KB at most");
}

#[test]
fn several_uploads_at_once_of_the_same_name_do_not_mix() {
    let server = Server::start();
    let send = |fill: u8| {
        let mut upload = Upload::begin(&server);
        upload.metadata(&json!({ "name": "same" })).chunk(head("video").as_bytes()).chunk(MAGIC);
        for _ in 0..20 {
            upload.chunk(&vec![fill; 100_000]);
        }
        let reply = upload.chunk(b"\r\n").end().json();
        (fill, reply["path"].as_str().unwrap().to_owned())
    };
    let saved: Vec<(u8, String)> = std::thread::scope(|scope| {
        let uploads: Vec<_> =
            [b'a', b'b', b'c', b'd'].map(|fill| scope.spawn(move || send(fill))).into_iter().collect();
        uploads.into_iter().map(|upload| upload.join().unwrap()).collect()
    });
    for (fill, path) in saved {
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(bytes.len(), MAGIC.len() + 2_000_000);
        assert!(bytes.iter().skip(MAGIC.len()).all(|byte| *byte == fill), "{path}");
    }
    let videos: Vec<String> = files(&server).into_iter().filter(|name| name.ends_with(".webm")).collect();
    assert_eq!(videos, ["same-2.webm", "same-3.webm", "same-4.webm", "same.webm"]);
}

#[test]
fn an_upload_that_is_cut_off_leaves_no_file() {
    let server = Server::start();
    for clean in [true, false] {
        let mut upload = Upload::begin(&server);
        upload.metadata(&json!({ "name": "half" })).chunk(head("video").as_bytes()).chunk(&video(500_000));
        wait_for("the draft", || (files(&server).len() == 1).then_some(()));
        if clean {
            // The body ends correctly for HTTP, but the parts do not.
            assert_eq!(upload.cut().status, 400);
        }
        drop(upload);
        wait_for("the draft to be deleted", || files(&server).is_empty().then_some(()));
    }
    let mut upload = Upload::begin(&server);
    upload.metadata(&json!({ "name": "half" })).chunk(head("video").as_bytes()).chunk(&video(500_000));
    wait_for("the draft", || (files(&server).len() == 1).then_some(()));
    let (code, state) = server.terminate();
    assert_eq!(code, Some(0));
    assert_eq!(std::fs::read_dir(state.path().join("recordings")).unwrap().count(), 0, "a shutdown cuts it off, too");
}

#[test]
fn an_upload_that_stalls_is_given_up() {
    let server = Server::with(&["--recording-limits", "1000000,5"]);
    let mut upload = Upload::begin(&server);
    upload.metadata(&json!({ "name": "stalled" })).chunk(head("video").as_bytes()).chunk(&video(1000));
    let mut last = Instant::now();
    for _ in 0..12 {
        std::thread::sleep(Duration::from_millis(500));
        last = Instant::now();
        upload.chunk(b"slow, but alive");
    }
    assert_eq!(files(&server).len(), 1, "an upload that makes progress goes on");
    assert_eq!(upload.reply().status, 408);
    // By default it may pause for thirty.
    assert!((5..25).contains(&last.elapsed().as_secs()), "{:?}", last.elapsed());
    wait_for("the draft to be deleted", || files(&server).is_empty().then_some(()));
}
