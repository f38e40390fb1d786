//! Real MCP clients: the inspector over stdio and HTTP, the official conformance suite over HTTP.

use std::time::Instant;

use anyhow::{Result, bail};

use super::outcome::{Suite, Test, TestResult};
use crate::prepare::{BINARY, debug_binary};
use crate::shell::{root, show_aside};

const FOLDER: &str = "browser/mcp-clients";
const WITH_FIXTURES: &str = "target/conformance/gasoline";

/// The binary with the tools that the conformance suite calls.
pub(super) fn build() -> Result<()> {
    debug_binary(&["--features", "gasoline/conformance"])?;
    // Move it away at once: a binary with fixture tools must never stay where people look for the real one.
    std::fs::create_dir_all(root().join("target/conformance"))?;
    std::fs::rename(root().join(BINARY), root().join(WITH_FIXTURES))?;
    debug_binary(&[])
}

pub(super) fn run() -> Result<Vec<Suite>> {
    let [plain, conformance] = [BINARY, WITH_FIXTURES].map(|path| root().join(path).display().to_string());
    let args = ["run.mjs", "--binary", &plain, "--conformance-binary", &conformance];
    let began = Instant::now();
    let output = show_aside(FOLDER, "node", &args)?;
    let text = String::from_utf8_lossy(&output.stdout);
    let tests: Vec<Test> = text.lines().filter_map(test).collect();
    let suite = Suite { name: "mcp-clients".to_owned(), tests, seconds: began.elapsed().as_secs_f64() };
    if !output.status.success() && suite.count(|result| *result == TestResult::Failed) == 0 {
        bail!("the MCP clients ended with {}, and no check failed", output.status);
    }
    Ok(vec![suite])
}

/// `ok    name` or `FAIL  name`.
fn test(line: &str) -> Option<Test> {
    let (result, name) = match line.split_once("  ")? {
        ("ok", name) => (TestResult::Passed, name),
        ("FAIL", name) => (TestResult::Failed, name),
        _ => return None,
    };
    Some(Test::new(name.trim(), result, None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_script_are_read() {
        let read = |line: &str| test(line).map(|test| (test.name, test.result));
        assert_eq!(read("ok    inspector: tools/list"), Some(("inspector: tools/list".into(), TestResult::Passed)));
        assert_eq!(read("FAIL  conformance: ping"), Some(("conformance: ping".into(), TestResult::Failed)));
        assert_eq!(read("      why it failed"), None);
        assert_eq!(read("58 passed, 0 failed"), None);
    }
}
