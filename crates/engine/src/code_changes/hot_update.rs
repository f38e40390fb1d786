//! Recognises when a page received new code, by what Vite, webpack, Next and Parcel write when they apply it.

/// New code, as far as one message describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Update {
    /// The development server: `vite`, `webpack`, `next` or `parcel`.
    pub tool: &'static str,
    /// The page is about to reload instead of exchanging modules.
    pub is_reload: bool,
    /// Paths of the changed modules. Empty when the message names none.
    pub modules: Vec<String>,
}

/// A longer list is dropped: it does not point to any module.
const MODULES: usize = 10;

/// Recognises an update by what a development server's client writes to the console.
pub fn of_console(message: &str) -> Option<Update> {
    let update = |tool, modules: Vec<&str>| {
        Some(Update { tool, is_reload: false, modules: modules.into_iter().filter_map(module).take(MODULES).collect() })
    };
    if let Some(rest) = message.strip_prefix("[vite] ") {
        let (_, path) = rest.split_once("hot updated: ")?;
        return update("vite", vec![path.split(" via ").next().unwrap_or(path)]).filter(is_code);
    }
    if ["[webpack-dev-server] App updated. Reloading", "[WDS] App updated. Reloading"]
        .iter()
        .any(|start| message.starts_with(start))
    {
        return Some(Update { tool: "webpack", is_reload: true, modules: Vec::new() });
    }
    if let Some(rest) = message.strip_prefix("[HMR]") {
        let rest = rest.trim_start();
        return match rest.strip_prefix("- ") {
            Some(path) => update("webpack", vec![path]),
            None if rest.starts_with("Updated modules") => update("webpack", vec![]),
            None => None,
        };
    }
    if let Some(rest) = message.strip_prefix("[Fast Refresh] ") {
        return match rest {
            rest if rest.starts_with("done") => update("next", vec![]),
            rest if rest.starts_with("performing full reload") => {
                Some(Update { tool: "next", is_reload: true, modules: Vec::new() })
            }
            _ => None,
        };
    }
    let is_parcel = message.starts_with("[parcel]") || message.starts_with("✨ [parcel]");
    (is_parcel && message.to_lowercase().contains("updat")).then_some(Update {
        tool: "parcel",
        is_reload: false,
        modules: Vec::new(),
    })
}

/// Recognises an update by what a development server sends to its client. Messages may be cut, so they are not parsed
/// as JSON. An application's own messages of type "update" have another structure.
pub fn of_socket(message: &str) -> Option<Update> {
    let head: String = message.chars().take(120).filter(|c| !c.is_whitespace()).collect();
    if head.starts_with(r#"{"type":"full-reload""#) {
        let modules = texts_of(message, r#""triggeredBy":""#);
        return Some(Update { tool: "vite", is_reload: true, modules });
    }
    let is_vite =
        [r#"{"type":"update","updates":[{"type":"js-update""#, r#"{"type":"update","updates":[{"type":"css-update""#];
    if is_vite.iter().any(|start| head.starts_with(start)) {
        let update = Update { tool: "vite", is_reload: false, modules: texts_of(message, r#""path":""#) };
        return Some(update).filter(is_code);
    }
    let is_parcel = head.starts_with(r#"{"type":"update","assets":["#) && message.contains(r#""envHash""#);
    is_parcel.then(|| Update { tool: "parcel", is_reload: false, modules: texts_of(message, r#""filePath":""#) })
}

/// Whether the update changes code. Style changes cannot cause or fix errors.
fn is_code(update: &Update) -> bool {
    let is_style =
        |module: &String| [".css", ".scss", ".sass", ".less", ".styl", ".pcss"].iter().any(|end| module.ends_with(end));
    update.modules.is_empty() || !update.modules.iter().all(is_style)
}

fn texts_of(message: &str, before: &str) -> Vec<String> {
    let found = message.split(before).skip(1).filter_map(|rest| rest.split_once('"').map(|(text, _)| text));
    let mut modules: Vec<String> = Vec::new();
    for name in found.filter_map(module).take(MODULES) {
        if !modules.contains(&name) {
            modules.push(name);
        }
    }
    modules
}

/// A module's path within the project.
fn module(path: &str) -> Option<String> {
    let path = path.trim().split(['?', ' ']).next()?.trim_start_matches("./").trim_start_matches('/');
    (!path.is_empty() && path != "*").then(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(update: Option<Update>) -> Option<(&'static str, bool, String)> {
        update.map(|update| (update.tool, update.is_reload, update.modules.join(" ")))
    }

    #[test]
    fn console_lines_of_development_clients_are_recognised() {
        for (message, expected) in [
            ("[vite] hot updated: /src/App.jsx", Some(("vite", false, "src/App.jsx"))),
            ("[vite] hot updated: /src/App.jsx?t=17 via /src/main.jsx", Some(("vite", false, "src/App.jsx"))),
            ("[vite] css hot updated: /src/a.css", None),
            ("[webpack-dev-server] App updated. Reloading...", Some(("webpack", true, ""))),
            ("[webpack-dev-server] App updated. Recompiling...", None),
            ("[vite] connected.", None),
            ("[HMR] Updated modules:", Some(("webpack", false, ""))),
            ("[HMR]  - ./src/App.js", Some(("webpack", false, "src/App.js"))),
            ("[HMR] Waiting for update signal from WDS...", None),
            ("[HMR] App is up to date.", None),
            ("[Fast Refresh] rebuilding", None),
            ("[Fast Refresh] done in 112ms", Some(("next", false, ""))),
            (
                "[Fast Refresh] performing full reload because your application had an unrecoverable error",
                Some(("next", true, "")),
            ),
            ("✨ [parcel] Updated", Some(("parcel", false, ""))),
            ("[parcel] 🚨 Build failed", None),
            ("hot updated: /src/App.jsx", None),
        ] {
            let expected = expected.map(|(tool, reload, modules)| (tool, reload, modules.to_owned()));
            assert_eq!(said(of_console(message)), expected, "{message}");
        }
    }

    #[test]
    fn messages_of_development_servers_are_recognised() {
        let vite = r#"{"type":"update","updates":[{"type":"js-update","timestamp":1,"path":"/src/App.jsx","acceptedPath":"/src/App.jsx"},{"type":"css-update","path":"/src/a.css"}]}"#;
        assert_eq!(said(of_socket(vite)), Some(("vite", false, "src/App.jsx src/a.css".to_owned())));
        let cut = r#"{"type":"update","updates":[{"type":"js-update","path":"/src/App.jsx","acce"#;
        assert_eq!(said(of_socket(cut)), Some(("vite", false, "src/App.jsx".to_owned())));
        let reload = r#"{"type":"full-reload","path":"*","triggeredBy":"/home/me/shop/src/main.js"}"#;
        assert_eq!(said(of_socket(reload)), Some(("vite", true, "home/me/shop/src/main.js".to_owned())));
        let parcel = r#"{"type":"update","assets":[{"id":"3f2","url":"http://localhost:1234/a.js","type":"js","output":"...","envHash":"1"}]}"#;
        assert_eq!(said(of_socket(parcel)), Some(("parcel", false, String::new())));
        assert_eq!(said(of_socket(r#"{"type":"connected"}"#)), None);
        for own in [
            r#"{"type":"updated","price":3}"#,
            r#"{"type":"update","path":"/orders/1"}"#,
            r#"{"type":"update","updates":[{"path":"/orders/1"}]}"#,
            r#"{"type":"update","assets":[{"id":1}]}"#,
            r#"{"type":"reload"}"#,
            r#"{"type":"update","updates":[{"type":"css-update","path":"/src/a.css"}]}"#,
        ] {
            assert_eq!(said(of_socket(own)), None, "{own}");
        }
        assert_eq!(said(of_socket("")), None);
    }
}
