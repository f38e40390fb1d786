//! Maps an error, as the browser reports it, to the developer's own files: which line of which source file, in which
//! component, and in one sentence.

pub mod explain;
pub mod original_path;
pub mod source_map;
mod source_maps;
pub mod stack;
pub mod summary;

pub use source_maps::{SourceMapResult, SourceMaps};
