//! From what an error says to what it means: which line of which source file, in which component, and in one sentence.

pub mod dev_server;
pub mod diagnose;
pub mod explain;
pub mod hot_update;
pub(crate) mod marks;
pub mod original_path;
pub mod source_map;
pub mod stack;
pub mod summary;
