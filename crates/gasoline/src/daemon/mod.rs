//! The background server from the view of other processes: how they find it, start it and talk to it.

pub(crate) mod bridge;
mod connection;
mod conversation;
mod holder;
mod start;

pub(crate) use connection::{Connection, Problem};
pub(crate) use holder::port_holder;
pub(crate) use start::{ensure_running, wait_until_gone};
