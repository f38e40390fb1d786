//! The background server as seen from other processes: finding it, starting it, talking to it.

pub(crate) mod bridge;
mod connection;
mod conversation;
mod holder;
mod start;

pub(crate) use connection::{Connection, Problem};
pub(crate) use holder::port_holder;
pub(crate) use start::{ensure_running, wait_until_gone};
