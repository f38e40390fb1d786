//! What a developer would have missed, and what nobody needs to see.

pub mod noise;
pub mod security;
