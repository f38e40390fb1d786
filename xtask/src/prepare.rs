//! Builds what tests and the demo need: Node packages, the browser parts, the binary.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::shell::{root, run, run_aside};

/// The debug build that tests, the demo and generated files share. It is always built with `--workspace`: for one
/// package alone, cargo would build the dependencies again with fewer features.
pub(crate) const BINARY: &str = "target/debug/gasoline";

/// Installs the Node packages of the lock file. Does nothing when they are installed already.
pub(crate) fn npm_packages(folder: &str) -> Result<()> {
    if has_npm_packages(folder) {
        return Ok(());
    }
    run_aside(folder, "npm", &["ci", "--no-audit", "--no-fund"])?;
    std::fs::copy(root().join(folder).join(LOCK), root().join(folder).join(INSTALLED_LOCK))?;
    Ok(())
}

const LOCK: &str = "package-lock.json";
/// npm rewrites its own marker on every run, so we keep a copy of the lock file that was installed.
const INSTALLED_LOCK: &str = "node_modules/.installed-lock.json";

pub(crate) fn has_npm_packages(folder: &str) -> bool {
    let read = |name: &str| std::fs::read(root().join(folder).join(name)).ok();
    read(INSTALLED_LOCK).is_some_and(|installed| read(LOCK) == Some(installed))
}

/// The packages whose `dist` folders are embedded in the binary or used by tests.
const BUILT_PARTS: [&str; 5] = ["extension", "dashboard", "ci", "playwright", "demo"];

/// Builds the parts that run in a browser. Does nothing when they are up to date: new files would make cargo rebuild
/// the binary.
pub(crate) fn browser_parts() -> Result<()> {
    npm_packages(".")?;
    let stamp = root().join("target/browser-parts.txt");
    let sources = browser_sources()?;
    let is_built = BUILT_PARTS.iter().all(|part| root().join("browser").join(part).join("dist").is_dir());
    if is_built && std::fs::read_to_string(&stamp).is_ok_and(|built| built == sources) {
        return Ok(());
    }
    run_aside(".", "npm", &["run", "--silent", "build"])?;
    std::fs::create_dir_all(root().join("target"))?;
    std::fs::write(stamp, sources)?;
    Ok(())
}

/// Every file that goes into the browser parts, with its size and time.
fn browser_sources() -> Result<String> {
    let mut files = vec![root().join("package-lock.json"), root().join("Cargo.toml")];
    for part in BUILT_PARTS.into_iter().chain(["capture"]) {
        files.extend(files_below(&root().join("browser").join(part))?);
    }
    let mut lines = String::new();
    for file in files {
        let about = std::fs::metadata(&file)?;
        let changed = about.modified()?.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        lines.push_str(&format!("{} {} {}\n", file.display(), about.len(), changed.as_nanos()));
    }
    Ok(lines)
}

/// All files below a folder, sorted, except installed and built ones. A folder that does not exist counts as empty.
pub(crate) fn files_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    if !folder.is_dir() {
        return Ok(found);
    }
    let mut paths = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.retain(|path| path.file_name().is_some_and(|name| name != "node_modules" && name != "dist"));
    paths.sort();
    for path in paths {
        if path.is_dir() {
            found.extend(files_below(&path)?);
        } else {
            found.push(path);
        }
    }
    Ok(found)
}

pub(crate) fn debug_binary(more: &[&str]) -> Result<()> {
    run("cargo", &[&["build", "--locked", "--workspace", "--bin", "gasoline"], more].concat())
}

pub(crate) fn release_binary() -> Result<()> {
    browser_parts()?;
    run("cargo", &["build", "--release", "--locked", "--package", "gasoline"])
}

/// Runs two tasks in parallel. If both fail, the first error is returned and the second one printed.
pub(crate) fn both(aside: impl FnOnce() -> Result<()> + Send, main: impl FnOnce() -> Result<()>) -> Result<()> {
    std::thread::scope(|scope| {
        let aside = scope.spawn(aside);
        let main = main();
        let aside = aside.join().unwrap_or_else(|_| Err(anyhow::anyhow!("a background task panicked")));
        if let (Err(_), Err(error)) = (&main, &aside) {
            eprintln!("{error:#}");
        }
        main.and(aside)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use crate::shell::command;

    /// The features of every package that a command builds.
    fn features(args: &[&str]) -> BTreeMap<String, BTreeSet<String>> {
        let tree = [&["tree", "--locked", "--offline", "--prefix", "none", "--format", "{p}|{f}"], args].concat();
        let output = command(".", "cargo", &tree).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let Some((package, features)) = line.trim_end_matches(" (*)").split_once('|') else { continue };
            found.entry(package.to_owned()).or_default().extend(features.split(',').map(str::to_owned));
        }
        found
    }

    /// Different features make cargo build a dependency again. If this fails, add the missing feature in
    /// `xtask/Cargo.toml`.
    #[test]
    fn xtask_and_the_binary_and_the_tests_share_their_dependencies() {
        let tests = features(&["--workspace", "--edges", "normal,build,dev"]);
        for args in [["--package", "xtask"].as_slice(), &["--workspace"]] {
            let built = features(&[args, &["--edges", "normal,build"]].concat());
            assert!(built.len() > 40, "{built:?}");
            for (package, features) in &built {
                assert_eq!(Some(features), tests.get(package), "{package} with {args:?}, and in the tests");
            }
        }
    }
}
