//! `security_audit` on stores with a single entry: every row of its tables, and every limit at, below and above.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod bounds;
mod rows;
mod support;
