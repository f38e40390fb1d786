//! Recognises the connection that a development server keeps to its own client in the page.

use crate::url::Url;

/// Paths that no application uses itself.
const PATHS: [&str; 7] =
    ["/_next/webpack-hmr", "/__webpack_hmr", "/sockjs-node", "/ng-cli-ws", "/_nuxt/", "/__vite_hmr", "/livereload"];
/// Ports that Vite listens on unless another server uses them.
const VITE_PORTS: std::ops::RangeInclusive<u16> = 5_173..=5_179;

/// Whether a socket belongs to a development server, by its address. Some tools use addresses that an application may
/// have, too; for these the page's console has to name the tool.
pub fn is_dev_socket(url: &str, mut page_said: impl FnMut(&[&str]) -> bool) -> bool {
    let url = Url::new(url);
    if url.origin().is_none() {
        return false;
    }
    let path = url.path;
    if PATHS.iter().any(|own| path.starts_with(own)) {
        return true;
    }
    let has_token_alone = url.query.is_some_and(|query| query.starts_with("token=") && !query.contains('&'));
    if has_token_alone && matches!(path, "" | "/") {
        return url.port().is_some_and(|port| VITE_PORTS.contains(&port)) || page_said(&["[vite] "]);
    }
    let is_webpack = path == "/ws";
    is_webpack && page_said(&["[webpack-dev-server]", "[HMR]", "[WDS]"])
}
