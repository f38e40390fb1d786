//! Finds the suites that `cargo xtask test NAME…` names. Folders and test files of the tree are the names.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::browser::LEFT_OUT;
use super::rust::{Pick, Target};
use crate::prepare::files_below;

pub(super) const CHECK: &str = "check";
pub(super) const MCP_CLIENTS: &str = "mcp-clients";

/// The suites to run.
#[derive(Default, Debug, PartialEq, Eq)]
pub(super) struct Selection {
    pub(super) rust: Vec<Pick>,
    /// Paths below `browser/e2e`.
    pub(super) browser: Vec<String>,
    pub(super) unit: Vec<String>,
    pub(super) mcp_clients: bool,
    pub(super) check: bool,
}

impl Selection {
    /// `all`: include the tests that the quick command leaves out, even if a name also matches others.
    pub(super) fn named(root: &Path, names: &[String], all: bool) -> Result<Self> {
        let tree = Tree::read(root)?;
        let mut selection = Self::default();
        for name in names {
            let found = tree.find(name, all);
            if found == Self::default() {
                bail!("there is no suite `{name}`. {}", tree.known());
            }
            selection.rust.extend(found.rust);
            selection.browser.extend(found.browser);
            selection.unit.extend(found.unit);
            selection.mcp_clients |= found.mcp_clients;
            selection.check |= found.check;
        }
        selection.rust.sort();
        selection.rust.dedup();
        Ok(selection)
    }

    /// Whether the suites start the binary, which embeds the browser parts.
    pub(super) fn needs_binary(&self) -> bool {
        let starts_it = |pick: &Pick| pick.target == Target::Integration("it".to_owned());
        self.mcp_clients
            || !self.browser.is_empty()
            || self.rust.iter().any(starts_it)
            || self.unit.iter().any(|file| file.starts_with("npm/"))
    }

    /// Whether the browser parts must be built: some unit tests read them.
    pub(super) fn needs_parts(&self) -> bool {
        !self.unit.is_empty() || self.needs_binary()
    }

    pub(super) fn needs_node(&self) -> bool {
        self.check || self.needs_parts()
    }
}

/// Where tests are.
struct Tree {
    rust: Vec<RustFile>,
    /// `suites/network/network.test.ts`
    browser: Vec<String>,
    /// `browser/capture/test/url.test.ts`
    unit: Vec<String>,
}

struct RustFile {
    target: Target,
    /// The folder of its crate.
    package: String,
    /// Its module path in its target; empty for the target's root.
    module: String,
    /// `crates/gasoline/tests/it/stdio.rs`
    path: String,
}

impl Tree {
    fn read(root: &Path) -> Result<Self> {
        let mut rust = Vec::new();
        let mut packages = folders(&root.join("crates"))?;
        packages.push(root.join("xtask"));
        for package in packages {
            read_package(root, &package, &mut rust)?;
        }
        let browser = tests_below(&root.join("browser/e2e/suites"), &root.join("browser/e2e"))?;
        let mut unit = tests_below(&root.join("npm/test"), root)?;
        for package in folders(&root.join("browser"))? {
            unit.extend(tests_below(&package.join("test"), root)?);
        }
        Ok(Self { rust, browser, unit })
    }

    fn find(&self, name: &str, all: bool) -> Selection {
        // A path works as well as a name.
        let name =
            name.trim_start_matches("./").trim_end_matches('/').trim_end_matches(".rs").trim_end_matches(".test.ts");
        let rust = self.rust.iter().filter(|file| file.is_called(name));
        let files = |files: &[String]| -> Vec<String> {
            let mut found: Vec<String> = files.iter().filter(|file| is_file_called(file, name)).cloned().collect();
            if !all && found.iter().any(|file| !is_left_out(file)) {
                found.retain(|file| !is_left_out(file));
            }
            found
        };
        let rust = rust.map(|file| Pick {
            target: file.target.clone(),
            module: Some(format!("{}::", file.module)).filter(|_| !file.module.is_empty()),
        });
        Selection {
            rust: rust.collect(),
            browser: files(&self.browser),
            unit: files(&self.unit),
            mcp_clients: name == MCP_CLIENTS,
            check: name == CHECK,
        }
    }

    fn known(&self) -> String {
        let mut browser: Vec<&str> = self.browser.iter().filter_map(|file| file.split('/').nth(1)).collect();
        browser.dedup();
        format!(
            "Names are those of a Rust crate, module or test file, of a unit test file, `{MCP_CLIENTS}`, `{CHECK}`, or of a \
             browser suite: {}",
            browser.join(", ")
        )
    }
}

impl RustFile {
    fn is_called(&self, name: &str) -> bool {
        if name.contains('/') {
            return self.path.trim_end_matches(".rs") == name;
        }
        let name = name.replace('-', "_");
        let target = match &self.target {
            Target::Integration(target) => *target == name,
            Target::Unit(_) => false,
        };
        // A crate or a target is its root module, which includes everything below.
        if self.module.is_empty() {
            return target || self.package == name;
        }
        self.module.split("::").any(|part| part == name)
    }
}

/// `live/screenshot` is `suites/live/screenshot.test.ts`; `live` is everything in that folder; `screenshot` is that
/// file in any folder; `capture` is everything in that package.
fn is_file_called(file: &str, name: &str) -> bool {
    let stem = file.trim_end_matches(".test.ts");
    let plain = LEFT_OUT.iter().find_map(|(ending, _)| file.strip_suffix(ending)).unwrap_or(stem);
    let name = name.strip_prefix("browser/e2e/").unwrap_or(name);
    [stem, plain].iter().any(|stem| *stem == name || stem.ends_with(&format!("/{name}")))
        || file.starts_with(&format!("{name}/"))
        || file.split('/').rev().skip(1).any(|folder| folder == name && !["test", "suites", "browser"].contains(&name))
}

fn is_left_out(file: &str) -> bool {
    LEFT_OUT.iter().any(|(ending, _)| file.ends_with(ending))
}

fn read_package(root: &Path, package: &Path, found: &mut Vec<RustFile>) -> Result<()> {
    let name = package.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut add = |target: Target, module: String, file: &Path| {
        let path = file.strip_prefix(root).unwrap_or(file).to_string_lossy().replace('\\', "/");
        found.push(RustFile { target, package: name.clone(), module, path });
    };
    let unit = Target::Unit(name.clone());
    add(unit.clone(), String::new(), package);
    for file in rust_files_below(&package.join("src"))? {
        if let Some(module) = tested_module(&file, &package.join("src")) {
            add(unit.clone(), module, &file);
        }
    }
    // `tests/x.rs` and `tests/x/main.rs` are the targets, `tests/x/y.rs` is a module of one.
    let tests = package.join("tests");
    for file in rust_files_below(&tests)? {
        let below = file.strip_prefix(&tests)?;
        let Some(first) = below.iter().next().map(|part| part.to_string_lossy().into_owned()) else { continue };
        let target = Target::Integration(first.trim_end_matches(".rs").to_owned());
        let folder = tests.join(&first);
        if folder == file || file == folder.join("main.rs") {
            add(target, String::new(), &file);
        } else if folder.join("main.rs").is_file()
            && let Some(module) = tested_module(&file, &folder)
        {
            add(target, module, &file);
        }
    }
    Ok(())
}

fn rust_files_below(folder: &Path) -> Result<Vec<PathBuf>> {
    Ok(files_below(folder)?.into_iter().filter(|path| path.extension().is_some_and(|end| end == "rs")).collect())
}

/// The module of a source file that has tests.
fn tested_module(file: &Path, below: &Path) -> Option<String> {
    let path = file.strip_prefix(below).ok()?.with_extension("");
    let mut parts: Vec<String> =
        path.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    if parts.last().is_some_and(|last| last == "mod") {
        parts.pop();
    }
    let is_root = matches!(parts.last().map(String::as_str), None | Some("main" | "lib"));
    let text = std::fs::read_to_string(file).ok()?;
    (!is_root && ["#[test]", "#[tokio::test"].iter().any(|mark| text.contains(mark))).then(|| parts.join("::"))
}

fn tests_below(folder: &Path, root: &Path) -> Result<Vec<String>> {
    Ok(files_below(folder)?
        .iter()
        .filter_map(|path| path.strip_prefix(root).ok()?.to_str().map(|path| path.replace('\\', "/")))
        .filter(|path| path.ends_with(".test.ts"))
        .collect())
}

fn folders(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    found.retain(|path| path.is_dir());
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::root;

    fn select(name: &str) -> Selection {
        Selection::named(&root(), &[name.to_owned()], false).unwrap()
    }

    fn integration(target: &str, module: &str) -> Pick {
        let module = Some(format!("{module}::")).filter(|_| !module.is_empty());
        Pick { target: Target::Integration(target.to_owned()), module }
    }

    #[test]
    fn a_rust_module_is_picked_in_its_target() {
        assert_eq!(select("stdio").rust, [integration("it", "stdio")]);
        assert!(select("stdio").needs_binary());
        assert_eq!(select("regression").rust, [integration("regression", "")]);
        assert!(!select("regression").needs_node());
    }

    #[test]
    fn a_crate_is_all_of_its_tests() {
        let picks = select("engine").rust;
        assert!(picks.contains(&Pick { target: Target::Unit("engine".to_owned()), module: None }));
        assert!(picks.contains(&integration("regression", "")));
        assert!(!picks.iter().any(|pick| pick.target == Target::Integration("it".to_owned())));
    }

    #[test]
    fn a_browser_suite_is_a_folder_or_a_file_in_it() {
        let network = select("network");
        assert_eq!(network.browser, ["suites/network/network.test.ts"]);
        assert_eq!(select("live/screenshot").browser, ["suites/live/screenshot.test.ts"]);
        assert_eq!(select("lifetime").browser, ["suites/lifetime/lifetime.test.ts"]);
        let all = Selection::named(&root(), &["lifetime".to_owned()], true).unwrap();
        assert!(all.browser.contains(&"suites/lifetime/idle.slow.test.ts".to_owned()));
        assert_eq!(select("idle").browser, ["suites/lifetime/idle.slow.test.ts"]);
    }

    #[test]
    fn one_name_may_mean_several_suites() {
        let dashboard = select("dashboard");
        assert!(dashboard.rust.contains(&integration("it", "dashboard")));
        assert!(dashboard.browser.iter().any(|file| file == "suites/dashboard/live.test.ts"));
        assert!(dashboard.unit.iter().all(|file| file.starts_with("browser/dashboard/test/")));
    }

    #[test]
    fn a_unit_test_needs_no_build() {
        let file = select("distribution");
        assert_eq!(file.unit, ["npm/test/distribution.test.ts"]);
        assert!(select("mcp-clients").mcp_clients);
        assert!(select("check").check);
    }

    #[test]
    fn an_unknown_name_is_an_error_with_the_known_ones() {
        let error = Selection::named(&root(), &["nonsense".to_owned()], false).unwrap_err().to_string();
        assert!(error.contains("`nonsense`") && error.contains("network"), "{error}");
    }

    #[test]
    fn a_path_works_as_well_as_a_name() {
        assert_eq!(select("crates/gasoline/tests/it/stdio.rs").rust, [integration("it", "stdio")]);
        assert_eq!(select("browser/e2e/suites/network/network.test.ts"), select("suites/network"));
        assert_eq!(select("./npm/test/distribution.test.ts").unit, ["npm/test/distribution.test.ts"]);
    }

    #[test]
    fn a_folder_of_modules_is_all_of_them() {
        let unit = |module: &str| Pick { target: Target::Unit("gasoline".to_owned()), module: Some(module.to_owned()) };
        assert!(select("response_budget").rust.contains(&unit("http::response_budget::")));
        assert!(select("http").rust.contains(&unit("http::response_budget::")));
    }
}
