//! Nothing leaves the machine. The program runs in a network namespace that has only the loopback interface. The kernel
//! counts every packet to any other address, including DNS lookups.
#![cfg(target_os = "linux")]

use std::net::{TcpStream, UdpSocket};
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{McpProcess, Server, gasoline};

const INSIDE: &str = "outbound::inside_a_network_of_its_own";

#[test]
fn nothing_leaves_the_machine() {
    let is_root = std::fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
    let isolate: &[&str] = if is_root { &["--net"] } else { &["--user", "--map-root-user", "--net"] };
    let may = Command::new("unshare").args(isolate).args(["sh", "-ec", "ip link set lo up"]).status();
    if !may.is_ok_and(|status| status.success()) {
        eprintln!("skipped: this machine does not allow network namespaces (unshare, ip)");
        return;
    }
    let run = Command::new("unshare")
        .args(isolate)
        .args(["sh", "-ec", "ip link set lo up; exec \"$0\" --exact \"$1\" --ignored --nocapture"])
        .arg(std::env::current_exe().unwrap())
        .arg(INSIDE)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stdout).into_owned() + &String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success() && said.contains("1 passed"), "{said}");
}

#[test]
#[ignore = "run by the test above, inside a network namespace"]
fn inside_a_network_of_its_own() {
    assert_eq!((packets_without_a_way(), datagrams()), (0, 0));
    let server = Server::start();
    let mut client = server.client();
    client.initialize();
    server.log(json!([
        { "level": "error", "message": "Failed to load https://api.example.com/me", "url": "https://shop.example.com/",
          "stack": "Error: x\n    at f (https://cdn.example.com/app.js:1:10)" },
        { "type": "network", "level": "error", "message": "GET https://api.example.com/me 500", "status": 500 },
    ]));
    let body = json!({ "method": "GET", "url": "https://api.example.com/me", "status": 200, "responseBody": "{\"id\":1}",
        "contentType": "application/json", "pageUrl": "https://shop.example.com/" });
    assert_eq!(server.post("/network-bodies", &json!({ "bodies": [body] })).status, 200);
    let map =
        json!({ "version": 3, "sources": ["https://cdn.example.com/src/app.ts"], "mappings": "AAAA", "names": [] });
    let map = json!({ "url": "https://cdn.example.com/app.js", "map": map.to_string(),
        "map_url": "https://cdn.example.com/app.js.map" });
    assert_eq!(server.post("/source-maps", &map).status, 200);
    call_every_tool(&mut client);
    let home = tempfile::tempdir().unwrap();
    let copy = home.path().join("copy").display().to_string();
    // The demo is left out, because the browser that it starts may open connections.
    for (args, code) in [
        (&["doctor"][..], 1),
        (&["status"], 0),
        (&["token"], 0),
        (&["open", "--print"], 0),
        (&["extension", "--out", &copy], 0),
        (&["ci-script"], 0),
        (&["install", "--dry-run"], 0),
        (&["install"], 0),
        (&["uninstall"], 0),
        (&["scrub", "no-such-trace.zip"], 2),
        (&["report"], 0),
        (&["stop"], 0),
    ] {
        let port = server.port.to_string();
        let mut command = gasoline(server.state.path());
        let run = command.env("HOME", home.path()).env("GASOLINE_PORT", port).args(args).output().unwrap();
        assert_eq!(run.status.code(), Some(code), "{args:?}: {run:?}");
    }
    drop(client);
    assert_eq!(packets_without_a_way(), 0, "something was sent to another machine");
    assert_eq!(datagrams(), 0, "a name was looked up");
    // Check that the counters count; otherwise they would prove nothing.
    let away = "192.0.2.1:80".parse().unwrap();
    assert!(TcpStream::connect_timeout(&away, Duration::from_secs(2)).is_err());
    assert!(packets_without_a_way() > 0);
    let asking = UdpSocket::bind("127.0.0.1:0").unwrap();
    asking.send_to(b"where is example.com?", "127.0.0.53:53").unwrap();
    assert!(datagrams() > 0);
}

/// Tools that need a live page answer that there is none, which is fine here.
fn call_every_tool(client: &mut McpProcess) {
    let listed = client.request("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap();
    assert!(tools.len() > 20, "{listed}");
    for tool in tools {
        client.call(tool["name"].as_str().unwrap(), json!({}));
    }
    for (tool, action) in [("verify_fix", "start"), ("validate_api", "report"), ("configure_streaming", "enable")] {
        let answer: Value = client.call(tool, json!({ "action": action }));
        assert_eq!(answer.pointer("/result/isError").unwrap_or(&json!(false)), false, "{answer}");
    }
}

/// The packets that the kernel could not send because the loopback does not lead to their address.
fn packets_without_a_way() -> u64 {
    counted("Ip:", "OutNoRoutes") + counted6("Ip6OutNoRoutes")
}

/// The system calls of DNS lookups, which on some machines use the loopback.
fn datagrams() -> u64 {
    counted("Udp:", "OutDatagrams") + counted6("Udp6OutDatagrams")
}

fn counted(protocol: &str, name: &str) -> u64 {
    let snmp = std::fs::read_to_string("/proc/self/net/snmp").unwrap();
    let lines: Vec<&str> = snmp.lines().filter(|line| line.starts_with(protocol)).collect();
    let place = lines[0].split_whitespace().position(|column| column == name).unwrap();
    lines[1].split_whitespace().nth(place).unwrap().parse().unwrap()
}

fn counted6(name: &str) -> u64 {
    let snmp6 = std::fs::read_to_string("/proc/self/net/snmp6").unwrap_or_default();
    snmp6.lines().find_map(|line| line.strip_prefix(name)).map_or(0, |count| count.trim().parse().unwrap())
}
