//! One HTTP connection to the server on a port.

use std::net::Ipv4Addr;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::client::conn::http1::{self, SendRequest};
use hyper::upgrade::Upgraded;
use hyper::{Method, Request, Response, StatusCode, header};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;

use super::holder::{is_held_by_us, port_holder};
use crate::directory;
use crate::http::{DIRECTORY_HEADER, STDIO_PATH, STDIO_PROTOCOL};

const ANSWER_TIME: Duration = Duration::from_secs(5);
/// The report of a long run takes longer than other requests.
const REPORT_TIME: Duration = Duration::from_secs(30);

/// Why the server cannot be used.
#[derive(Debug)]
pub(crate) enum Problem {
    /// Nothing listens on the port.
    NotRunning,
    /// Another program listens on the port.
    Foreign {
        port: u16,
    },
    /// A Gasoline server of another state directory.
    WrongToken {
        port: u16,
    },
    /// The listener belongs to another user: it must not see our token, whatever it claims to be.
    OtherUser {
        port: u16,
    },
    /// A Gasoline server by its process name, but it does not answer.
    Hung {
        port: u16,
    },
    Broken(String),
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotRunning => write!(f, "no Gasoline server is running"),
            Self::Foreign { port } => {
                let holder = port_holder(*port).unwrap_or_else(|| "another program".to_owned());
                write!(
                    f,
                    "port {port} is in use by {holder}, which is not a Gasoline server; choose another with --port or GASOLINE_PORT"
                )
            }
            Self::WrongToken { port } => write!(
                f,
                "the Gasoline server on port {port} uses another token: it belongs to another state directory; \
                 set GASOLINE_STATE_DIR to the same folder, or choose another port with --port"
            ),
            Self::OtherUser { port } => write!(
                f,
                "port {port} is in use by a program of another user of this machine; choose another with --port or GASOLINE_PORT"
            ),
            Self::Hung { port } => {
                let holder = port_holder(*port).unwrap_or_else(|| "a process".to_owned());
                write!(
                    f,
                    "the Gasoline server on port {port}, {holder}, does not answer; stop that process and try again"
                )
            }
            Self::Broken(what) => write!(f, "the Gasoline server did not answer: {what}"),
        }
    }
}

impl std::error::Error for Problem {}

pub(crate) struct Connection {
    sender: SendRequest<Full<Bytes>>,
    port: u16,
    token: String,
}

impl Connection {
    /// Connects, and verifies the other side before sending it the token.
    pub(crate) async fn open(port: u16, token: &str) -> Result<Self, Problem> {
        let mut connection = Self::connect(port, token).await?;
        if !is_held_by_us(port) {
            return Err(Problem::OtherUser { port });
        }
        let request = Request::builder().uri("/health").header(header::HOST, format!("127.0.0.1:{port}"));
        let health = connection.json(request).await?;
        if health.get("service").and_then(Value::as_str) != Some("gasoline") {
            return Err(Problem::Foreign { port });
        }
        Ok(connection)
    }

    async fn connect(port: u16, token: &str) -> Result<Self, Problem> {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await.map_err(|error| match error.kind() {
            std::io::ErrorKind::ConnectionRefused => Problem::NotRunning,
            _ => Problem::Broken(error.to_string()),
        })?;
        let _ = stream.set_nodelay(true);
        let (sender, connection) =
            http1::handshake(TokioIo::new(stream)).await.map_err(|error| Problem::Broken(error.to_string()))?;
        tokio::spawn(connection.with_upgrades());
        Ok(Self { sender, port, token: token.to_owned() })
    }

    /// The full `/health`, once the server has accepted our token.
    pub(crate) async fn health(&mut self) -> Result<Value, Problem> {
        let health = self.json(self.request(Method::GET, "/health")).await?;
        if health.get("uptime_seconds").is_none() {
            return Err(Problem::WrongToken { port: self.port });
        }
        Ok(health)
    }

    pub(crate) async fn shutdown(&mut self) -> Result<(), Problem> {
        self.json(self.request(Method::POST, "/shutdown")).await.map(drop)
    }

    /// A key that opens the dashboard once.
    pub(crate) async fn dashboard_key(&mut self) -> Result<String, Problem> {
        let answer = self.json(self.request(Method::POST, "/dashboard/key")).await?;
        let key = answer.get("key").and_then(Value::as_str).map(str::to_owned);
        key.ok_or_else(|| Problem::Broken("it has no dashboard; stop it with `gasoline stop` and try again".to_owned()))
    }

    /// Turns the connection into a pipe of JSON-RPC lines.
    pub(super) async fn into_pipe(mut self) -> Result<TokioIo<Upgraded>, Problem> {
        let mut request = self
            .request(Method::GET, STDIO_PATH)
            .header(header::CONNECTION, "upgrade")
            .header(header::UPGRADE, STDIO_PROTOCOL);
        if let Ok(here) = std::env::current_dir() {
            request = request.header(DIRECTORY_HEADER, directory::write(&here));
        }
        let response = self.send(request).await?;
        match response.status() {
            StatusCode::SWITCHING_PROTOCOLS => {}
            StatusCode::UNAUTHORIZED => return Err(Problem::WrongToken { port: self.port }),
            _ => return Err(Problem::Foreign { port: self.port }),
        }
        hyper::upgrade::on(response).await.map(TokioIo::new).map_err(|error| Problem::Broken(error.to_string()))
    }

    /// The text that the server returns for a path.
    pub(crate) async fn text(&mut self, path: &str) -> Result<String, Problem> {
        let response = self.send(self.request(Method::GET, path)).await?;
        let status = response.status();
        let body = tokio::time::timeout(REPORT_TIME, response.into_body().collect())
            .await
            .map_err(|_| Problem::Broken("its answer was cut off".to_owned()))?
            .map_err(|error| Problem::Broken(error.to_string()))?;
        let text = String::from_utf8_lossy(&body.to_bytes()).into_owned();
        match status {
            StatusCode::OK => Ok(text),
            StatusCode::UNAUTHORIZED => Err(Problem::WrongToken { port: self.port }),
            status => Err(Problem::Broken(format!("{status}: {}", text.trim()))),
        }
    }

    async fn json(&mut self, request: hyper::http::request::Builder) -> Result<Value, Problem> {
        let response = self.send(request).await?;
        let body = tokio::time::timeout(ANSWER_TIME, response.into_body().collect())
            .await
            .map_err(|_| Problem::Broken("its answer was cut off".to_owned()))?
            .map_err(|_| Problem::Foreign { port: self.port })?;
        serde_json::from_slice(&body.to_bytes()).map_err(|_| Problem::Foreign { port: self.port })
    }

    fn request(&self, method: Method, path: &str) -> hyper::http::request::Builder {
        Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, format!("127.0.0.1:{}", self.port))
            .header(header::AUTHORIZATION, format!("Bearer {}", self.token))
    }

    async fn send(
        &mut self,
        request: hyper::http::request::Builder,
    ) -> Result<Response<hyper::body::Incoming>, Problem> {
        let request = request.body(Full::default()).map_err(|error| Problem::Broken(error.to_string()))?;
        let asked = async {
            // The connection may not be ready for the next request yet, although the last answer was read.
            self.sender.ready().await?;
            self.sender.send_request(request).await
        };
        match tokio::time::timeout(ANSWER_TIME, asked).await {
            Ok(Ok(response)) => Ok(response),
            // A program that does not speak HTTP is not ours. One that closed the connection half-way may have been.
            Ok(Err(error)) if error.is_parse() => Err(Problem::Foreign { port: self.port }),
            Ok(Err(error)) => Err(Problem::Broken(error.to_string())),
            Err(_) if port_holder(self.port).is_some_and(|holder| holder.starts_with("gasoline")) => {
                Err(Problem::Hung { port: self.port })
            }
            Err(_) => Err(Problem::Foreign { port: self.port }),
        }
    }
}
