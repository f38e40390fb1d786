//! Drives the real binary: a server of its own for each test, and clients that speak to it byte by byte.
//!
//! For tests, benchmarks and generated docs alike. Nothing in here is careful: what does not work ends the run.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

pub const TOKEN: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
pub const EXTENSION: &str = wire::identity::EXTENSION_ORIGIN;
/// Ten times as long as anything takes on a machine that has nothing else to do.
const PATIENCE: Duration = Duration::from_secs(90);

/// The binary that was built beside the running program, or the one `GASOLINE_BINARY` names.
pub fn binary() -> PathBuf {
    if let Some(named) = std::env::var_os("GASOLINE_BINARY") {
        return named.into();
    }
    let mut folder = std::env::current_exe().unwrap();
    folder.pop();
    if folder.ends_with("deps") {
        folder.pop();
    }
    folder.join("gasoline")
}

/// The binary, in an environment of its own.
pub fn gasoline(state: &Path) -> Command {
    gasoline_of(&binary(), state)
}

pub fn gasoline_of(binary: &Path, state: &Path) -> Command {
    let mut command = Command::new(binary);
    command
        .env_remove("GASOLINE_PORT")
        .env_remove("GASOLINE_INGEST_TOKEN")
        .env("GASOLINE_STATE_DIR", state)
        .env("GASOLINE_TOKEN", TOKEN)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// A port that nobody listens on. It lies below those that the system hands out by itself, so that no connection of a test
/// that runs at the same time gets it before it is used.
pub fn free_port() -> u16 {
    const FIRST: u32 = 15_000;
    const COUNT: u32 = 15_000;
    static NEXT: AtomicU32 = AtomicU32::new(0);
    loop {
        // Processes begin in different places: several test programs may run at once.
        let place = std::process::id().wrapping_mul(97).wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed));
        let port = (FIRST + place % COUNT) as u16;
        if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return port;
        }
    }
}

/// Writes a shell script that can be run at once. Another process writes it: while this one holds a file open for writing, a
/// test that starts a program at that moment passes it on, and the kernel refuses to run what someone may still write to.
pub fn write_program(path: &Path, script: &str) {
    let write = ["-c", "cat > \"$0\" && chmod 755 \"$0\""];
    let mut child = Command::new("sh").args(write).arg(path).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(format!("#!/bin/sh\n{script}\n").as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
}

/// Sends a signal to a process.
pub fn signal(pid: u32, signal: &str) {
    let sent = Command::new("kill").args([signal, &pid.to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Stops a process as a debugger would. Its threads stop one after the other, some only when they next run on a processor; until
/// then they still read and answer.
pub fn freeze(pid: u32) {
    signal(pid, "-STOP");
    wait_for("all threads to stop", || {
        let Ok(threads) = std::fs::read_dir(format!("/proc/{pid}/task")) else {
            // Only Linux shows the threads of a process.
            std::thread::sleep(Duration::from_millis(500));
            return Some(());
        };
        let is_stopped = |thread: PathBuf| {
            let stat = std::fs::read_to_string(thread.join("stat")).unwrap_or_default();
            // `pid (name) state …`
            stat.rsplit_once(") ").is_none_or(|(_, rest)| rest.starts_with('T'))
        };
        threads.flatten().all(|thread| is_stopped(thread.path())).then_some(())
    });
}

pub fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(began.elapsed() < PATIENCE, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

pub struct Server {
    pub port: u16,
    pub state: TempDir,
    /// What the server said at its start, if it was started with `--ci`.
    pub ingest_token: Option<String>,
    binary: PathBuf,
    child: Child,
}

impl Server {
    pub fn start() -> Self {
        Self::with(&[])
    }

    pub fn with(args: &[&str]) -> Self {
        Self::in_state(TempDir::new().unwrap(), args)
    }

    pub fn in_state(state: TempDir, args: &[&str]) -> Self {
        Self::launch(binary(), state, args)
    }

    /// A server of another build.
    pub fn of_build(binary: &Path, args: &[&str]) -> Self {
        Self::launch(binary.to_owned(), TempDir::new().unwrap(), args)
    }

    fn launch(binary: PathBuf, state: TempDir, args: &[&str]) -> Self {
        let any_port: &[&str] = if args.contains(&"--port") { &[] } else { &["--port", "0"] };
        let mut command = gasoline_of(&binary, state.path());
        Self::spawned(command.arg("serve").args(any_port).args(args), binary, state)
    }

    /// The same with one more variable in its environment.
    pub fn with_variable(args: &[&str], name: &str, value: &str) -> Self {
        Self::with_variables(args, &[(name, value)])
    }

    pub fn with_variables(args: &[&str], variables: &[(&str, &str)]) -> Self {
        let (binary, state) = (binary(), TempDir::new().unwrap());
        let mut command = gasoline_of(&binary, state.path());
        let variables = variables.iter().copied();
        Self::spawned(command.args(["serve", "--port", "0"]).args(args).envs(variables), binary, state)
    }

    fn spawned(command: &mut Command, binary: PathBuf, state: TempDir) -> Self {
        let mut child = command.spawn().unwrap();
        let mut ingest_token = None;
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let port = lines
            .by_ref()
            .map_while(Result::ok)
            .inspect(|line| {
                if let Some(token) = line.strip_prefix("ingest token ") {
                    ingest_token = Some(token.to_owned());
                }
            })
            .find_map(|line| line.strip_prefix("listening on http://127.0.0.1:").map(|port| port.parse().unwrap()))
            .expect("the server did not say where it listens");
        // Keep the pipe drained, or the server's own log could fill it.
        std::thread::spawn(move || lines.for_each(drop));
        Self { port, state, ingest_token, binary, child }
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub fn journal(&self) -> PathBuf {
        self.state.path().join("logs.jsonl")
    }

    pub fn signal(&self, signal: &str) {
        crate::signal(self.pid(), signal);
    }

    /// Ends it as a user would and returns its exit code.
    pub fn terminate(self) -> (Option<i32>, TempDir) {
        self.signal("-TERM");
        self.terminate_after()
    }

    /// Waits for an end that was already asked for, or that comes by itself.
    pub fn terminate_after(mut self) -> (Option<i32>, TempDir) {
        let status = wait_for("the server's end", || self.child.try_wait().unwrap());
        let state = std::mem::replace(&mut self.state, TempDir::new().unwrap());
        (status.code(), state)
    }

    pub fn request(&self, method: &str, path: &str) -> Request {
        Request {
            port: self.port,
            head: format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n"),
            host: Some(format!("127.0.0.1:{}", self.port)),
            token: Some(TOKEN.to_owned()),
            body: Vec::new(),
        }
    }

    pub fn get(&self, path: &str) -> Reply {
        self.request("GET", path).send()
    }

    pub fn post(&self, path: &str, body: &Value) -> Reply {
        self.request("POST", path).body(body.to_string()).send()
    }

    pub fn health(&self) -> Value {
        self.get("/health").json()
    }

    /// Posts log entries and expects all of them to be taken.
    pub fn log(&self, entries: Value) {
        let sent = entries.as_array().unwrap().len();
        let reply = self.post("/logs", &json!({ "entries": entries })).json();
        assert_eq!(reply["received"], sent, "{reply}");
    }

    /// Calls a tool as a fresh client would.
    pub fn tool(&self, name: &str, arguments: Value) -> Value {
        self.client().tool(name, arguments)
    }

    /// A stdio client of this server, already introduced.
    pub fn client(&self) -> McpProcess {
        let mut command = gasoline_of(&self.binary, self.state.path());
        let mut client = McpProcess::from(command.args(["--port", &self.port.to_string()]).stderr(Stdio::null()));
        client.initialize();
        client
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub struct Request {
    port: u16,
    head: String,
    host: Option<String>,
    token: Option<String>,
    body: Vec<u8>,
}

impl Request {
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.head.push_str(&format!("{name}: {value}\r\n"));
        self
    }

    pub fn host(mut self, host: Option<&str>) -> Self {
        self.host = host.map(str::to_owned);
        self
    }

    pub fn token(mut self, token: Option<&str>) -> Self {
        self.token = token.map(str::to_owned);
        self
    }

    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    pub fn send(self) -> Reply {
        let mut bytes = self.head.into_bytes();
        if let Some(host) = self.host {
            bytes.extend(format!("Host: {host}\r\n").bytes());
        }
        if let Some(token) = self.token {
            bytes.extend(format!("Authorization: Bearer {token}\r\n").bytes());
        }
        bytes.extend(format!("Content-Type: application/json\r\nContent-Length: {}\r\n\r\n", self.body.len()).bytes());
        bytes.extend(self.body);
        Reply::parse(&raw(SocketAddr::from((Ipv4Addr::LOCALHOST, self.port)), &bytes))
    }
}

/// Sends bytes and reads until the other side hangs up.
pub fn raw(address: SocketAddr, bytes: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    // The server may answer and hang up before it read all: then writing fails, and the answer is there all the same.
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    answer
}

#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Reply {
    pub fn parse(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no HTTP answer: {text:?}"));
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Self { status, head: head.to_ascii_lowercase(), body: body.to_owned() }
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub fn has_header(&self, name: &str) -> bool {
        self.head.lines().any(|line| line.starts_with(&format!("{name}:")))
    }
}

/// A stdio process, driven line by line.
pub struct McpProcess {
    pub child: Child,
    stdin: Option<ChildStdin>,
    lines: mpsc::Receiver<String>,
    next_id: i64,
}

impl McpProcess {
    pub fn spawn(state: &Path, port: u16) -> Self {
        Self::from(gasoline(state).args(["--port", &port.to_string()]).stderr(Stdio::null()))
    }

    pub fn from(command: &mut Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let stdin = child.stdin.take();
        Self { child, stdin, lines, next_id: 0 }
    }

    pub fn send(&mut self, message: &Value) {
        self.send_line(&message.to_string());
    }

    pub fn send_line(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(format!("{line}\n").as_bytes()).unwrap();
        stdin.flush().unwrap();
    }

    /// Sends a request without waiting, and returns its id.
    pub fn ask(&mut self, method: &str, params: Value) -> i64 {
        self.next_id += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params }));
        self.next_id
    }

    pub fn read(&self) -> Value {
        let line = self.lines.recv_timeout(PATIENCE).expect("no line came");
        serde_json::from_str(&line)
            .unwrap_or_else(|error| panic!("stdout carries something else than JSON: {error}: {line}"))
    }

    /// The next line as it came, for those who only count time.
    pub fn read_line(&self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("no line came")
    }

    /// Whether a line comes within this time.
    pub fn read_within(&self, time: Duration) -> Option<Value> {
        self.lines.recv_timeout(time).ok().map(|line| serde_json::from_str(&line).unwrap())
    }

    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        loop {
            let message = self.read();
            if message["id"] == id {
                return message;
            }
        }
    }

    pub fn initialize(&mut self) -> Value {
        let answer = self.request(
            "initialize",
            json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } }),
        );
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        answer
    }

    pub fn call(&mut self, name: &str, arguments: Value) -> Value {
        let answer = self.request("tools/call", json!({ "name": name, "arguments": arguments }));
        assert!(answer["result"].is_object(), "{answer}");
        answer["result"].clone()
    }

    /// Calls a tool and returns its JSON, having checked that text and structure say the same.
    pub fn tool(&mut self, name: &str, arguments: Value) -> Value {
        let result = self.call(name, arguments);
        let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(text, result["structuredContent"]);
        text
    }

    pub fn close_stdin(&mut self) {
        self.stdin = None;
    }

    pub fn wait(&mut self) -> Option<i32> {
        wait_for("the stdio process to end", || self.child.try_wait().unwrap()).code()
    }
}

impl Drop for McpProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Ends the background server of a port when the test is over, however it ends.
pub struct Background<'s> {
    pub state: &'s Path,
    pub port: u16,
}

impl Background<'_> {
    pub fn health(&self) -> Option<Value> {
        let output =
            gasoline(self.state).args(["status", "--json", "--port", &self.port.to_string()]).output().unwrap();
        serde_json::from_slice(&output.stdout).ok()
    }
}

impl Drop for Background<'_> {
    fn drop(&mut self) {
        let _ = gasoline(self.state).args(["stop", "--port", &self.port.to_string()]).output();
    }
}
