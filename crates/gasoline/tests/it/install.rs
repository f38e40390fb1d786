//! `gasoline install` and `uninstall`: the user's own settings are never lost.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{binary, gasoline};

const CONFIGS: [(&str, &str); 8] = [
    ("claude-code", ".claude.json"),
    ("claude-desktop", ".config/Claude/claude_desktop_config.json"),
    ("cursor", ".cursor/mcp.json"),
    ("vscode", ".config/Code/User/mcp.json"),
    ("windsurf", ".codeium/windsurf/mcp_config.json"),
    ("zed", ".config/zed/settings.json"),
    ("codex", ".codex/config.toml"),
    ("gemini", ".gemini/settings.json"),
];

struct Home(TempDir);

impl Home {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn put(&self, path: &str, text: &str) -> PathBuf {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    fn run(&self, args: &[&str]) -> Output {
        gasoline(&self.path("state"))
            .env("HOME", self.0.path())
            .env_remove("XDG_CONFIG_HOME")
            .args(args)
            .output()
            .unwrap()
    }

    /// All files with their contents, except those of the state directory.
    fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        fn collect(folder: &Path, found: &mut Vec<(PathBuf, Vec<u8>)>) {
            for entry in fs::read_dir(folder).unwrap().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    collect(&path, found);
                } else {
                    found.push((path.clone(), fs::read(&path).unwrap()));
                }
            }
        }
        let mut found = Vec::new();
        collect(self.0.path(), &mut found);
        found.retain(|(path, _)| !path.starts_with(self.path("state")));
        found.sort();
        found
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn command() -> String {
    binary().canonicalize().unwrap().display().to_string()
}

#[test]
fn each_client_gets_its_entry_in_its_own_format() {
    let home = Home::new();
    for (name, path) in CONFIGS {
        let output = home.run(&["install", "--client", name]);
        let text = home.read(path);
        assert!(text.contains(&command()), "{name}: {text}\n{}", said(&output));
        let section = match name {
            "vscode" => "servers",
            "zed" => "context_servers",
            "codex" => "[mcp_servers.gasoline]",
            _ => "mcpServers",
        };
        assert!(text.contains(section), "{name}: {text}");
        if name != "codex" {
            let read: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(read[section]["gasoline"]["args"], serde_json::json!([]), "{name}");
        }
        // Installing again changes nothing.
        let before = home.files();
        let again = home.run(&["install", "--client", name]);
        assert!(said(&again).contains("needs no change"), "{}", said(&again));
        assert_eq!(home.files(), before, "{name}");
    }
}

#[test]
fn another_port_is_part_of_the_entry() {
    let home = Home::new();
    home.run(&["install", "--client", "cursor", "--port", "7999"]);
    let read: Value = serde_json::from_str(&home.read(".cursor/mcp.json")).unwrap();
    assert_eq!(read["mcpServers"]["gasoline"]["args"], serde_json::json!(["--port", "7999"]));
}

#[test]
fn an_entry_that_is_switched_off_is_reported() {
    let off = [
        ("windsurf", ".codeium/windsurf/mcp_config.json", r#""disabled": true"#, r#""disabled": true"#),
        ("zed", ".config/zed/settings.json", r#""enabled": false"#, r#""enabled": false"#),
        ("codex", ".codex/config.toml", "enabled = false", "enabled = false"),
    ];
    for (name, path, member, told) in off {
        let home = Home::new();
        assert!(!said(&home.run(&["install", "--client", name])).contains("switched off"));
        let text = home.read(path);
        let text = match name {
            "codex" => format!("{text}{member}\n"),
            _ => text.replace(r#""args""#, &format!(r#"{member}, "args""#)),
        };
        home.put(path, &text);
        let output = said(&home.run(&["install", "--client", name]));
        assert!(
            output.contains("needs no change") && output.contains(&format!("switched off there ({told})")),
            "{output}"
        );
        // The user has switched it off, so it stays off.
        assert_eq!(home.read(path), text);
    }
}

const ZED: &str = r#"// My settings. Keep out.
{
  "theme": "One Dark", // the good one
  /* servers */
  "context_servers": {
    "files": {
      "source": "custom",
      "command": "npx",
      "args": ["-y", "files"], // with a trailing comma
    },
  },
  "vim_mode": true,
}
"#;

const CURSOR: &str = "{\n    \"mcpServers\": {\n        \"github\": { \"command\": \"docker\", \"args\": [\"run\", \"-i\"], \"env\": { \"TOKEN\": \"x\" } }\n    },\n    \"other\": [1, 2.50, 1e3, \"\\u00e9\"]\n}\n";

const CODEX: &str = "# Mine\nmodel = \"o5\"   # the fast one\n\n[mcp_servers.files]\ncommand = \"npx\"\nargs = [\"-y\", \"files\"]\n\n[tui]\ntheme = \"dark\"\n";

#[test]
fn everything_else_stays_unchanged_to_the_letter() {
    for (name, path, text) in [
        ("zed", ".config/zed/settings.json", ZED),
        ("cursor", ".cursor/mcp.json", CURSOR),
        ("codex", ".codex/config.toml", CODEX),
    ] {
        let home = Home::new();
        home.put(path, text);
        let output = home.run(&["install"]);
        let after = home.read(path);
        assert!(after.contains(&command()), "{name}: {}", said(&output));
        // Every earlier line is still there, in order. Only our lines are new, and a comma where one was needed.
        let bare = |line: &str| line.trim_end().trim_end_matches(',').to_owned();
        let kept: Vec<String> = after.lines().map(bare).collect();
        let mut from = 0;
        for line in text.lines().map(bare) {
            let place = kept.iter().skip(from).position(|other| *other == line);
            from += place.unwrap_or_else(|| panic!("{name}: {line:?} is gone from\n{after}")) + 1;
        }
        // Uninstalling restores the original.
        let output = home.run(&["uninstall"]);
        assert!(said(&output).contains("removed from"), "{}", said(&output));
        let restored = home.read(path);
        assert_eq!(restored.replace(",\n", "\n").trim(), text.replace(",\n", "\n").trim(), "{name}");
        assert_eq!(home.read(&format!("{path}.gasoline-backup")), text, "the first copy is the original");
    }
}

#[test]
fn an_entry_of_our_name_is_updated_and_its_other_members_stay() {
    let home = Home::new();
    let text = "{ \"mcpServers\": { \"gasoline\": { \"command\": \"/old/gasoline\", \"args\": [\"-x\"], \"env\": { \"A\": \"1\" }, \"disabled\": true } } }";
    home.put(".cursor/mcp.json", text);
    let output = home.run(&["install"]);
    assert!(said(&output).contains("launched \"/old/gasoline\" and now launches this program"), "{}", said(&output));
    let read: Value = serde_json::from_str(&home.read(".cursor/mcp.json")).unwrap();
    let entry = &read["mcpServers"]["gasoline"];
    assert_eq!(entry["command"], command());
    assert_eq!((&entry["env"]["A"], &entry["disabled"]), (&"1".into(), &true.into()));
    assert_eq!(home.read(".cursor/mcp.json.gasoline-backup"), text);
}

#[test]
fn a_dry_run_shows_the_lines_and_writes_nothing() {
    let home = Home::new();
    home.put(".cursor/mcp.json", CURSOR);
    let before = home.files();
    let output = home.run(&["install", "--dry-run"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(said(&output).contains("would change"), "{}", said(&output));
    assert!(
        said(&output).lines().any(|line| line.starts_with("  + ") && line.contains("\"gasoline\"")),
        "{}",
        said(&output)
    );
    assert!(
        !said(&output).lines().any(|line| line.starts_with("  - ") && line.contains("\"other\"")),
        "{}",
        said(&output)
    );
    assert_eq!(home.files(), before);
    assert!(!home.path("state/extension").exists());
}

/// A file that cannot be read or must not be written is named and not changed. The others get their entry.
#[test]
fn files_that_cannot_be_changed_are_not_touched() {
    for (text, reason) in [
        ("{ \"mcpServers\": { ", "not valid JSON"),
        ("[]", "not a JSON object"),
        ("{ \"mcpServers\": {}, \"mcpServers\": {} }", "`mcpServers` more than once"),
        ("{ \"mcpServers\": { \"gasoline\": {}, \"gasoline\": {} } }", "`gasoline` more than once"),
        (
            "{ \"mcpServers\": { \"gasoline\": { \"command\": \"a\", \"command\": \"b\" } } }",
            "`command` more than once",
        ),
        ("{ \"mcpServers\": [] }", "its `mcpServers` is not an object"),
        ("{ \"mcpServers\": { \"gasoline\": 5 } }", "its `mcpServers.gasoline` is not an object"),
    ] {
        let home = Home::new();
        home.put(".cursor/mcp.json", text);
        home.put(".gemini/settings.json", "{}");
        let output = home.run(&["install"]);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(
            said(&output).contains("was not changed") && said(&output).contains(reason),
            "{text}: {}",
            said(&output)
        );
        assert_eq!(home.read(".cursor/mcp.json"), text);
        assert!(home.read(".gemini/settings.json").contains("gasoline"));
        assert!(!home.path(".cursor/mcp.json.gasoline-backup").exists());
    }
    let home = Home::new();
    home.put(".codex/config.toml", "model = ");
    let output = home.run(&["install"]);
    assert!(said(&output).contains("not valid TOML"), "{}", said(&output));

    let home = Home::new();
    let path = home.put(".cursor/mcp.json", CURSOR);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let output = home.run(&["install"]);
    assert!(said(&output).contains("it is read-only"), "{}", said(&output));
    assert_eq!(home.read(".cursor/mcp.json"), CURSOR);
}

#[test]
fn links_stay_links_and_modes_stay() {
    let home = Home::new();
    let real = home.put("dotfiles/mcp.json", CURSOR);
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    fs::create_dir_all(home.path(".cursor")).unwrap();
    symlink(&real, home.path(".cursor/mcp.json")).unwrap();
    home.run(&["install"]);
    assert!(home.path(".cursor/mcp.json").is_symlink());
    assert!(home.read("dotfiles/mcp.json").contains("gasoline"));
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(home.read("dotfiles/mcp.json.gasoline-backup"), CURSOR);
}

#[test]
fn only_clients_that_are_here_are_touched() {
    let home = Home::new();
    fs::create_dir_all(home.path(".cursor")).unwrap();
    let output = home.run(&["install"]);
    assert!(said(&output).contains("Cursor: added"), "{}", said(&output));
    assert!(said(&output).contains("Load unpacked"), "{}", said(&output));
    let paths: Vec<PathBuf> = home.files().into_iter().map(|(path, _)| path).collect();
    assert_eq!(paths, [home.path(".cursor/mcp.json")]);

    let none = Home::new();
    let output = none.run(&["install"]);
    assert!(said(&output).contains("No AI client was found"), "{}", said(&output));
    let unknown = none.run(&["install", "--client", "emacs"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(said(&unknown).contains("claude-code, claude-desktop, cursor"), "{}", said(&unknown));
}

#[test]
fn uninstall_removes_the_extension_and_nothing_else() {
    let home = Home::new();
    fs::create_dir_all(home.path(".cursor")).unwrap();
    home.run(&["install"]);
    let had_extension = home.path("state/extension/manifest.json").exists();
    let output = home.run(&["uninstall"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(!home.path("state/extension").exists());
    assert_eq!(said(&output).contains("The extension was removed"), had_extension, "{}", said(&output));
    let read: Value = serde_json::from_str(&home.read(".cursor/mcp.json")).unwrap();
    assert!(read["mcpServers"].get("gasoline").is_none());
    // Without a config there is nothing to do, and no file is created.
    let fresh = Home::new();
    let output = fresh.run(&["uninstall", "--client", "zed"]);
    assert!(said(&output).contains("needs no change"), "{}", said(&output));
    assert!(fresh.files().is_empty());
}

#[test]
fn copies_are_never_overwritten() {
    let home = Home::new();
    home.put(".cursor/mcp.json", CURSOR);
    home.run(&["install"]);
    home.put(".cursor/mcp.json", "{ \"mcpServers\": {} }");
    home.run(&["install"]);
    assert_eq!(home.read(".cursor/mcp.json.gasoline-backup"), CURSOR);
    assert_eq!(home.read(".cursor/mcp.json.gasoline-backup-1"), "{ \"mcpServers\": {} }");
}

#[test]
fn a_dangling_link_stays_a_link() {
    let home = Home::new();
    let link = home.path(".codex/config.toml");
    std::fs::create_dir_all(link.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink("/nowhere/dotfiles/config.toml", &link).unwrap();
    let run = home.run(&["install", "--client", "codex"]);
    let told = said(&run);
    assert!(told.contains("it is a link to /nowhere/dotfiles/config.toml, which does not exist"), "{told}");
    assert_eq!(std::fs::read_link(&link).unwrap(), std::path::Path::new("/nowhere/dotfiles/config.toml"));
}

#[test]
fn a_dry_run_and_a_read_only_command_create_no_folder() {
    let home = Home::new();
    home.run(&["install", "--dry-run"]);
    home.run(&["uninstall", "--dry-run"]);
    assert!(!home.path("state").exists());
}
