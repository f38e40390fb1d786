//! Turns what was captured into scripts that a developer can run.
//!
//! Everything captured is text of strangers: it gets into a script only through [`literal`], as a string or as a
//! comment, never as code.

mod address;
mod cypress;
mod literal;
mod locator;
mod playwright;
mod reproduction;
mod steps;
mod symptom;

pub use reproduction::{ErrorContext, Outcome, Reproduction, Request, reproduce};

/// Whose test runner the script is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Format {
    #[default]
    Playwright,
    Cypress,
}
