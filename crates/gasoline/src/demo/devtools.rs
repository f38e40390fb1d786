//! A tab, driven over the DevTools protocol with mouse events, as a user would.

use std::net::Ipv4Addr;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::process::{ChildStdin, ChildStdout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

const LOOK: Duration = Duration::from_millis(25);

/// The connection to the browser. Only over a pipe, which its parent process has, does it accept an extension, too.
pub(super) enum Line {
    Socket(Box<WebSocketStream<TcpStream>>),
    Pipe(ChildStdin, BufReader<ChildStdout>),
}

impl Line {
    pub(super) async fn socket(port: u16, path: &str) -> Result<Self> {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await?;
        let (socket, _) = tokio_tungstenite::client_async(format!("ws://127.0.0.1:{port}{path}"), stream)
            .await
            .context("cannot connect to the browser over the DevTools protocol")?;
        Ok(Self::Socket(Box::new(socket)))
    }

    async fn send(&mut self, message: String) -> Result<()> {
        match self {
            Self::Socket(socket) => socket.send(Message::text(message)).await.context(GONE),
            Self::Pipe(stdin, _) => {
                let mut message = message.into_bytes();
                message.push(0);
                stdin.write_all(&message).await.context(GONE)
            }
        }
    }

    async fn next(&mut self) -> Result<String> {
        match self {
            Self::Socket(socket) => {
                let message = socket.next().await.context(GONE)?.context(GONE)?;
                Ok(message.into_text().map(|text| text.to_string()).unwrap_or_default())
            }
            Self::Pipe(_, stdout) => {
                let mut message = Vec::new();
                if stdout.read_until(0, &mut message).await.context(GONE)? == 0 {
                    bail!(GONE);
                }
                message.pop();
                Ok(String::from_utf8_lossy(&message).into_owned())
            }
        }
    }
}

pub(super) const GONE: &str = "the browser was closed before the demo was over";

/// The browser answered with an error.
#[derive(Debug)]
struct Refused(String);

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the browser rejected {}", self.0)
    }
}

impl std::error::Error for Refused {}

pub(super) struct Page {
    line: Line,
    session: Option<String>,
    last_id: u64,
}

impl Page {
    /// The first tab. Also loads the extension if the browser does not accept one on its command line.
    pub(super) async fn open(line: Line, extension: Option<&Path>) -> Result<Self> {
        let mut page = Self { line, session: None, last_id: 0 };
        if let Some(folder) = extension {
            page.call("Extensions.loadUnpacked", json!({ "path": folder })).await?;
        }
        let target = loop {
            let targets = page.call("Target.getTargets", json!({})).await?;
            let tabs = targets.get("targetInfos").and_then(Value::as_array).into_iter().flatten();
            let mut tabs = tabs.filter(|target| target.get("type").and_then(Value::as_str) == Some("page"));
            if let Some(id) = tabs.find_map(|target| target.get("targetId").cloned()) {
                break id;
            }
            tokio::time::sleep(LOOK).await;
        };
        let attached = page.call("Target.attachToTarget", json!({ "targetId": target, "flatten": true })).await?;
        page.session = attached.get("sessionId").and_then(Value::as_str).map(str::to_owned);
        Ok(page)
    }

    pub(super) async fn go_to(&mut self, address: &str) -> Result<()> {
        self.call("Page.navigate", json!({ "url": address })).await.map(drop)
    }

    pub(super) async fn reload(&mut self) -> Result<()> {
        self.call("Page.reload", json!({})).await.map(drop)
    }

    /// Clicks an element with the left button, once it exists and accepts clicks.
    pub(super) async fn click(&mut self, selector: &str) -> Result<()> {
        let place = self
            .until(&format!(
                "(() => {{ const element = document.querySelector({});
                   if (!element || element.disabled) return null;
                   element.scrollIntoView({{ block: 'nearest' }});
                   const {{ x, y, width, height }} = element.getBoundingClientRect();
                   return width ? {{ x: x + width / 2, y: y + height / 2 }} : null; }})()",
                json!(selector)
            ))
            .await?;
        for (kind, pressed) in [("mouseMoved", 0), ("mousePressed", 1), ("mouseReleased", 0)] {
            let button = if kind == "mouseMoved" { "none" } else { "left" };
            let event = json!({
                "type": kind, "x": place.get("x"), "y": place.get("y"), "button": button, "buttons": pressed,
                "clickCount": i32::from(kind != "mouseMoved"),
            });
            self.call("Input.dispatchMouseEvent", event).await?;
        }
        Ok(())
    }

    /// Evaluates the expression until its value is truthy.
    pub(super) async fn until(&mut self, script: &str) -> Result<Value> {
        loop {
            let asked = json!({ "expression": script, "returnByValue": true });
            match self.call("Runtime.evaluate", asked).await {
                Ok(answer) => {
                    let value = answer.pointer("/result/value").cloned().unwrap_or_default();
                    if !value.is_null() && value != Value::Bool(false) {
                        return Ok(value);
                    }
                }
                // Between two documents no page can answer.
                Err(error) if error.is::<Refused>() => {}
                Err(error) => return Err(error),
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    async fn call(&mut self, method: &str, params: Value) -> Result<Value> {
        self.last_id += 1;
        let mut request = json!({ "id": self.last_id, "method": method, "params": params });
        if let (Some(session), Some(fields)) = (&self.session, request.as_object_mut()) {
            fields.insert("sessionId".to_owned(), json!(session));
        }
        self.line.send(request.to_string()).await?;
        loop {
            let Ok(mut answer) = serde_json::from_str::<Value>(&self.line.next().await?) else { continue };
            // Everything else is an event that we ignore.
            if answer.get("id").and_then(Value::as_u64) == Some(self.last_id) {
                if let Some(error) = answer.get("error") {
                    return Err(Refused(format!("{method}: {error}")).into());
                }
                return Ok(answer.get_mut("result").map(Value::take).unwrap_or_default());
            }
        }
    }
}
