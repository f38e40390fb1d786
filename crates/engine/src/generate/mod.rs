//! Turns captured data into scripts that a developer can run.
//!
//! All captured text is untrusted. It gets into a script only through [`literal`], as a string, as a comment or as the
//! name of a property, never as code.

mod address;
mod cause;
mod cypress;
mod endpoint;
mod fixtures;
mod flow;
mod literal;
mod locator;
mod matcher;
mod playwright;
mod regression;
mod reproduction;
mod settle;
mod shown;
mod steps;
mod symptom;

pub use regression::{Assertions, GeneratedTest, TestOutcome, TestRequest, generate_test};
pub use reproduction::{ErrorContext, Outcome, Reproduction, ScriptRequest, reproduce};

/// The test runner that a script is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Format {
    /// Playwright.
    #[default]
    Playwright,
    /// Cypress.
    Cypress,
}
