//! `POST /pair`: gives the token to our extension and to no one else. It needs no click.

use std::net::SocketAddr;

use axum::extract::{Extension, State};
use axum::http::{HeaderMap, header};
use axum::routing::post;
use axum::{Json, Router};
use serde_json::{Value, json};
use wire::identity::EXTENSION_ORIGIN;

use super::{HttpError, Shared};

/// Both ends of a connection.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ends {
    pub(super) ours: SocketAddr,
    pub(super) theirs: SocketAddr,
}

pub(super) fn routes() -> Router<Shared> {
    Router::new().route("/pair", post(pair))
}

async fn pair(
    State(app): State<Shared>,
    headers: HeaderMap,
    Extension(ends): Extension<Ends>,
) -> Result<Json<Value>, HttpError> {
    let from_extension =
        headers.get(header::ORIGIN).is_some_and(|origin| origin.as_bytes() == EXTENSION_ORIGIN.as_bytes());
    if !from_extension {
        return Err(HttpError::Forbidden("only the Gasoline extension can pair; others use `gasoline token`"));
    }
    if !is_same_user(ends) {
        return Err(HttpError::Forbidden("the browser belongs to another user of this machine"));
    }
    Ok(Json(json!({ "token": app.token.as_deref().unwrap_or("") })))
}

/// Any program can claim to be the extension. On Linux the kernel reports which user runs it.
#[cfg(target_os = "linux")]
pub(super) fn is_same_user(ends: Ends) -> bool {
    socket_owner(ends).is_some_and(|owner| owner == rustix::process::geteuid().as_raw())
}

#[cfg(not(target_os = "linux"))]
pub(super) fn is_same_user(_: Ends) -> bool {
    true
}

/// The user who owns the other end of the connection, from the kernel's table of connections.
#[cfg(target_os = "linux")]
fn socket_owner(ends: Ends) -> Option<u32> {
    let table = if ends.theirs.is_ipv4() { "/proc/self/net/tcp" } else { "/proc/self/net/tcp6" };
    // A browser may use a dual-stack socket for an IPv4 address, which the kernel lists in the IPv6 table.
    let tables = [table, "/proc/self/net/tcp6"];
    tables.into_iter().find_map(|table| {
        let text = std::fs::read_to_string(table).ok()?;
        text.lines().skip(1).find_map(|line| {
            let mut columns = line.split_ascii_whitespace();
            let local = columns.nth(1)?;
            let remote = columns.next()?;
            let owner = columns.nth(4)?;
            let matches = ends_in_port(local, ends.theirs.port()) && ends_in_port(remote, ends.ours.port());
            matches.then(|| owner.parse().ok())?
        })
    })
}

#[cfg(target_os = "linux")]
fn ends_in_port(address: &str, port: u16) -> bool {
    address.rsplit_once(':').is_some_and(|(_, hex)| u16::from_str_radix(hex, 16) == Ok(port))
}
