//! What `build`, `test` and `check` consist of.

use anyhow::Result;

use crate::shell::{Background, npm_install, root, run, run_in};
use crate::{chromium, generated};

pub(crate) fn build() -> Result<()> {
    browser_parts()?;
    run("cargo", &["build", "--release", "--locked", "--package", "gasoline"])
}

/// What the binary carries, so it has to be there first.
fn browser_parts() -> Result<()> {
    npm_install(".")?;
    run("npm", &["run", "--silent", "build"])
}

pub(crate) fn test() -> Result<()> {
    chromium::ensure()?;
    browser_parts()?;
    npm_install("browser/mcp-clients")?;
    run("cargo", &["test", "--locked", "--workspace"])?;
    lints()?;
    run("npm", &["run", "--silent", "check"])?;
    run("npm", &["run", "--silent", "test"])?;
    generated::run(true)?;
    mcp_clients()?;
    browser_suites()
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

/// The whole workspace, as in `cargo test --workspace`: of one package alone the dependencies have fewer features, and are
/// built once more.
pub(crate) fn build_for_tests(more: &[&str]) -> Result<()> {
    run("cargo", &[&["build", "--locked", "--workspace", "--bin", "gasoline"], more].concat())
}

/// Real MCP clients: the inspector over stdio and HTTP, the official conformance suite over HTTP.
fn mcp_clients() -> Result<()> {
    const BUILT: &str = "target/debug/gasoline";
    const WITH_FIXTURES: &str = "target/conformance/gasoline";
    // Moved away at once: the fixture tools must never stay in the place of the binary that people use.
    build_for_tests(&["--features", "gasoline/conformance"])?;
    std::fs::create_dir_all(root().join("target/conformance"))?;
    std::fs::rename(root().join(BUILT), root().join(WITH_FIXTURES))?;
    build_for_tests(&[])?;
    let [plain, conformance] = [BUILT, WITH_FIXTURES].map(|path| root().join(path).display().to_string());
    run_in("browser/mcp-clients", "node", &["run.mjs", "--binary", &plain, "--conformance-binary", &conformance])
}

/// Chromium with the extension, the binary, an MCP client: the whole way. The soak mostly waits, as the browser does.
fn browser_suites() -> Result<()> {
    build_for_tests(&[])?;
    let soak = Background::start(
        "cargo",
        &["test", "--locked", "--workspace", "--test", "it", "soak", "--", "--ignored", "--nocapture"],
    )?;
    let browser = run_in("browser/e2e", "npx", &["playwright", "test"]);
    soak.finish()?;
    browser
}
