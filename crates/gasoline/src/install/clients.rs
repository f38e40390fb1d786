//! The AI clients that we know, and where each keeps its list of MCP servers.

use std::path::PathBuf;

use super::Syntax;

/// This system's folders for config files.
#[derive(Debug, Clone)]
pub(crate) struct Places {
    pub(crate) home: PathBuf,
    /// `~/.config`, `~/Library/Application Support` or `%APPDATA%`.
    pub(crate) config: PathBuf,
}

impl Places {
    pub(crate) fn of_system() -> Option<Self> {
        let home = std::env::home_dir().filter(|home| !home.as_os_str().is_empty())?;
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let config = if cfg!(target_os = "macos") {
            home.join("Library/Application Support")
        } else if cfg!(windows) {
            set("APPDATA").unwrap_or_else(|| home.join("AppData/Roaming"))
        } else {
            set("XDG_CONFIG_HOME").unwrap_or_else(|| home.join(".config"))
        };
        Some(Self { home, config })
    }
}

#[derive(Debug, Clone, Copy)]
enum Base {
    Home,
    Config,
}

#[derive(Debug)]
pub(crate) struct Client {
    /// The name on the command line: `--client cursor`.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    base: Base,
    path: &'static str,
    pub(crate) syntax: Syntax,
    /// The member that holds the servers.
    pub(crate) section: &'static str,
    /// Members of an entry besides its command.
    pub(crate) members: &'static [(&'static str, &'static str)],
    /// The member and value that disable an entry. `None` for clients that keep this elsewhere.
    pub(crate) off: Option<(&'static str, bool)>,
}

impl Client {
    pub(crate) fn config(&self, places: &Places) -> Option<PathBuf> {
        let base = match self.base {
            Base::Home => &places.home,
            Base::Config => &places.config,
        };
        // Zed uses the Linux path on every system except Windows.
        let base = if self.name == "zed" && cfg!(target_os = "macos") { &places.home.join(".config") } else { base };
        Some(base.join(self.path))
    }

    /// The folder whose existence shows that the client is installed. A file directly in the home directory has none.
    pub(crate) fn folder(&self, places: &Places) -> Option<PathBuf> {
        if self.name == "claude-code" {
            return Some(places.home.join(".claude"));
        }
        self.config(places)?.parent().map(PathBuf::from)
    }
}

pub(crate) const CLIENTS: &[Client] = &[
    Client {
        name: "claude-code",
        title: "Claude Code",
        base: Base::Home,
        path: ".claude.json",
        syntax: Syntax::Json,
        section: "mcpServers",
        members: &[("type", "stdio")],
        off: None,
    },
    Client {
        name: "claude-desktop",
        title: "Claude Desktop",
        base: Base::Config,
        path: "Claude/claude_desktop_config.json",
        syntax: Syntax::Json,
        section: "mcpServers",
        members: &[],
        off: None,
    },
    Client {
        name: "cursor",
        title: "Cursor",
        base: Base::Home,
        path: ".cursor/mcp.json",
        syntax: Syntax::Json,
        section: "mcpServers",
        members: &[],
        off: None,
    },
    Client {
        name: "vscode",
        title: "VS Code",
        base: Base::Config,
        path: "Code/User/mcp.json",
        syntax: Syntax::Json,
        section: "servers",
        members: &[("type", "stdio")],
        off: None,
    },
    Client {
        name: "windsurf",
        title: "Windsurf",
        base: Base::Home,
        path: ".codeium/windsurf/mcp_config.json",
        syntax: Syntax::Json,
        section: "mcpServers",
        members: &[],
        off: Some(("disabled", true)),
    },
    Client {
        name: "zed",
        title: "Zed",
        base: Base::Config,
        path: "zed/settings.json",
        syntax: Syntax::Json,
        section: "context_servers",
        members: &[("source", "custom")],
        off: Some(("enabled", false)),
    },
    Client {
        name: "codex",
        title: "Codex",
        base: Base::Home,
        path: ".codex/config.toml",
        syntax: Syntax::Toml,
        section: "mcp_servers",
        members: &[],
        off: Some(("enabled", false)),
    },
    Client {
        name: "gemini",
        title: "Gemini CLI",
        base: Base::Home,
        path: ".gemini/settings.json",
        syntax: Syntax::Json,
        section: "mcpServers",
        members: &[],
        off: None,
    },
];
