//! Analyses of captured data that go beyond errors: security issues and page performance.

pub mod performance;
pub mod security;
