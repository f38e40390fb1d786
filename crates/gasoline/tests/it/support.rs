//! What drives the binary is shared with the benchmarks.

pub(crate) use driver::*;
