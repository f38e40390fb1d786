//! Checks of the sources that do not run the product.

use anyhow::Result;

use crate::{generated, prepare, shell};

pub(crate) fn run() -> Result<()> {
    prepare::npm_packages(".")?;
    prepare::both(typescript, || {
        formatting()?;
        clippy()
    })?;
    generated::run(true)
}

pub(crate) fn formatting() -> Result<()> {
    shell::run("cargo", &["fmt", "--all", "--check"])
}

pub(crate) fn clippy() -> Result<()> {
    shell::run("cargo", &["clippy", "--locked", "--workspace", "--all-targets", "--", "--deny", "warnings"])
}

/// Lints, formatting and types of everything that is TypeScript.
pub(crate) fn typescript() -> Result<()> {
    shell::run_aside(".", "npm", &["run", "--silent", "check"])
}
