//! A tab, driven over the browser's own debugging socket: as a user would, with a mouse.

use std::net::Ipv4Addr;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

const LOOK: Duration = Duration::from_millis(25);

pub(super) struct Page {
    socket: WebSocketStream<TcpStream>,
    session: Option<String>,
    last_id: u64,
}

impl Page {
    pub(super) async fn open(port: u16, path: &str) -> Result<Self> {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await?;
        let (socket, _) = tokio_tungstenite::client_async(format!("ws://127.0.0.1:{port}{path}"), stream)
            .await
            .context("the browser does not let itself be driven")?;
        let mut page = Self { socket, session: None, last_id: 0 };
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

    /// Presses the left button over an element, once it is there and takes clicks.
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

    /// Asks the page until its answer is something.
    pub(super) async fn until(&mut self, script: &str) -> Result<Value> {
        loop {
            let asked = json!({ "expression": script, "returnByValue": true });
            // Between two documents there is nobody to ask.
            if let Ok(answer) = self.call("Runtime.evaluate", asked).await {
                let value = answer.pointer("/result/value").cloned().unwrap_or_default();
                if !value.is_null() && value != Value::Bool(false) {
                    return Ok(value);
                }
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
        self.socket.send(Message::text(request.to_string())).await.context("the browser is gone")?;
        while let Some(message) = self.socket.next().await {
            let message = message.context("the browser is gone")?;
            let Ok(text) = message.to_text() else { continue };
            let Ok(mut answer) = serde_json::from_str::<Value>(text) else { continue };
            // Everything else is news that nobody asked for.
            if answer.get("id").and_then(Value::as_u64) == Some(self.last_id) {
                if let Some(error) = answer.get("error") {
                    bail!("the browser refused {method}: {error}");
                }
                return Ok(answer.get_mut("result").map(Value::take).unwrap_or_default());
            }
        }
        bail!("the browser was closed")
    }
}
