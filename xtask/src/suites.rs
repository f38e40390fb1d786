//! What `build`, `test` and `check` consist of.

use anyhow::Result;

use crate::generated;
use crate::shell::{npm_install, root, run, run_in};

pub(crate) fn build() -> Result<()> {
    run("cargo", &["build", "--release", "--locked", "--package", "gasoline"])
}

pub(crate) fn test() -> Result<()> {
    npm_install(".")?;
    npm_install("browser/mcp-clients")?;
    run("cargo", &["test", "--locked", "--workspace"])?;
    lints()?;
    run("npm", &["run", "--silent", "check"])?;
    run("npm", &["run", "--silent", "test"])?;
    generated::run(true)?;
    mcp_clients()
}

pub(crate) fn check() -> Result<()> {
    npm_install(".")?;
    lints()?;
    run("npm", &["run", "--silent", "check"])?;
    generated::run(true)
}

fn lints() -> Result<()> {
    run("cargo", &["fmt", "--all", "--check"])?;
    run("cargo", &["clippy", "--locked", "--workspace", "--all-targets", "--", "--deny", "warnings"])
}

/// Real MCP clients: the inspector over stdio and HTTP, the official conformance suite over HTTP.
fn mcp_clients() -> Result<()> {
    run("cargo", &["build", "--locked", "--package", "gasoline"])?;
    // A folder of its own: the fixture tools must never end up in the binary that people use.
    let fixtures = ["--features", "conformance", "--target-dir", "target/conformance"];
    run("cargo", &[&["build", "--locked", "--package", "gasoline"][..], &fixtures].concat())?;
    let plain = root().join("target/debug/gasoline").display().to_string();
    let conformance = root().join("target/conformance/debug/gasoline").display().to_string();
    run_in("browser/mcp-clients", "node", &["run.mjs", "--binary", &plain, "--conformance-binary", &conformance])
}
