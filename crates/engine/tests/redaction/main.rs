//! No credential survives redaction, whatever its format, place or encoding; and nothing else is touched.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::print_stdout
)]

mod benign;
mod echoes;
mod findings;
mod formats;
mod inputs;
mod limits;
mod named;
mod near_misses;
mod properties;
mod sentences;
mod support;
mod written;
