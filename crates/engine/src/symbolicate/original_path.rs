//! The path of a source file in the developer's project, as far as a source map reveals it.

use crate::url::path_of;

/// A path such as `src/App.tsx`. `base` is the address that the map was read from (for an inline map, the script's);
/// `script` is the script's address.
pub fn original_path(source: &str, source_root: &str, base: &str, script: &str) -> String {
    let joined;
    let source = if source_root.is_empty() || is_absolute(source) {
        source
    } else {
        joined = format!("{}/{source}", source_root.trim_end_matches('/'));
        &joined
    };
    let source = source.split('?').next().unwrap_or(source).trim_start_matches('\0');
    // Some builds on Windows write backslashes.
    let source = &source.replace('\\', "/");
    let path = match source.split_once("://") {
        Some(("file", path)) => return absolute(&normal(path, true), script),
        // `webpack://my-app/./src/App.js`: the part before the path is the name of the build.
        Some((_, rest)) => rest.split_once('/').map_or(rest, |(_, path)| path).to_owned(),
        None if source.starts_with("/@fs/") => {
            return absolute(&normal(source.trim_start_matches("/@fs"), true), script);
        }
        None if source.starts_with('/') || is_drive(source) => return absolute(&normal(source, true), script),
        None => {
            let directory = path_of(base).rsplit_once('/').map_or("", |(directory, _)| directory);
            format!("{directory}/{source}")
        }
    };
    let path = normal(&path, false);
    // Bundlers prefix a module with its group: `(app-pages-browser)/./src/page.js`, `[project]/src/page.js`.
    match path.split_once('/') {
        Some((layer, rest)) if is_layer(layer) => normal(rest, false),
        _ => path,
    }
}

/// Whether it is the code of a dependency, or of the build tool.
pub fn is_dependency(path: &str) -> bool {
    let starts = ["webpack/", "vite/", "@vite/", "@react-refresh", "@id/", "[turbopack]"];
    path.contains("node_modules/")
        || starts.iter().any(|start| path.starts_with(start))
        || path.contains("/.vite/deps/")
        || path.contains("vite/preload-helper")
        || path.contains("vite/modulepreload-polyfill")
        || path.contains("commonjsHelpers")
}

fn is_layer(part: &str) -> bool {
    (part.starts_with('(') && part.ends_with(')')) || part == "[project]"
}

fn is_absolute(source: &str) -> bool {
    source.starts_with('/') || source.contains("://") || is_drive(source)
}

/// `C:/shop/src/App.tsx`
fn is_drive(path: &str) -> bool {
    let mut chars = path.chars();
    chars.next().is_some_and(|letter| letter.is_ascii_alphabetic()) && chars.next() == Some(':')
}

/// The project path of a path on a disk or on the server. If the script is served under its project path, that is the
/// one.
fn absolute(path: &str, script: &str) -> String {
    let served = path_of(script);
    if served.len() > 1 && path.ends_with(served) {
        return served.trim_start_matches('/').to_owned();
    }
    // `/src/App.tsx` is relative to the project's root; `/home/…` is a path on disk.
    let on_disk = [
        "/home/",
        "/Users/",
        "/root/",
        "/tmp/",
        "/var/",
        "/private/",
        "/workspace",
        "/app/",
        "/opt/",
        "/mnt/",
        "/srv/",
        "/usr/",
        "/data/",
        "/builds/",
        "/github/",
        "/runner/",
    ];
    if is_drive(path.trim_start_matches('/')) || !on_disk.iter().any(|start| path.starts_with(start)) {
        return path.trim_start_matches('/').to_owned();
    }
    path.to_owned()
}

/// The path without `.` and `..`.
fn normal(path: &str, rooted: bool) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    if rooted { format!("/{joined}") } else { joined }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_project() {
        let vite = "http://localhost:5173/src/App.jsx?t=1";
        let built = "http://localhost:4173/assets/index-abc.js";
        let map = "http://localhost:4173/assets/index-abc.js.map";
        for (source, root, base, script, expected) in [
            ("App.jsx", "", vite, vite, "src/App.jsx"),
            ("../../src/App.jsx", "", map, built, "src/App.jsx"),
            ("src/App.jsx", "/", map, built, "src/App.jsx"),
            ("App.jsx", "src", map, built, "assets/src/App.jsx"),
            ("webpack://my-app/./src/App.js", "", map, built, "src/App.js"),
            ("webpack:///./src/App.vue?4f1a", "", map, built, "src/App.vue"),
            ("webpack://_N_E/(app-pages-browser)/./src/page.js", "", map, built, "src/page.js"),
            ("turbopack:///[project]/src/page.tsx", "", map, built, "src/page.tsx"),
            ("file:///home/me/shop/src/page.tsx", "", map, built, "/home/me/shop/src/page.tsx"),
            (
                "/home/me/shop/src/App.svelte",
                "",
                "http://a/src/App.svelte",
                "http://a/src/App.svelte",
                "src/App.svelte",
            ),
            ("/src/App.vue", "", map, built, "src/App.vue"),
            ("/@fs/home/me/lib/x.ts", "", map, built, "/home/me/lib/x.ts"),
            ("http://localhost:5173/src/a.ts", "", map, built, "src/a.ts"),
            ("../../../../etc/x.js", "", map, built, "etc/x.js"),
            ("..\\..\\src\\App.tsx", "", map, built, "src/App.tsx"),
            ("file:///C:/shop/src/App.tsx", "", map, built, "C:/shop/src/App.tsx"),
            ("C:\\shop\\src\\App.tsx", "", map, built, "C:/shop/src/App.tsx"),
        ] {
            assert_eq!(original_path(source, root, base, script), expected, "{source}");
        }
    }

    #[test]
    fn dependencies_are_recognised() {
        assert!(is_dependency("node_modules/react-dom/index.js"));
        assert!(is_dependency("@vite/client"));
        assert!(is_dependency("webpack/runtime/chunk loading"));
        assert!(!is_dependency("src/webpack/config.js"));
        assert!(!is_dependency("src/App.tsx"));
    }
}
