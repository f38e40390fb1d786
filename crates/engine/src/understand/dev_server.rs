//! Recognises the connection that a development server keeps to its own client in the page.

/// Paths that no application uses for itself.
const PATHS: [&str; 7] =
    ["/_next/webpack-hmr", "/__webpack_hmr", "/sockjs-node", "/ng-cli-ws", "/_nuxt/", "/__vite_hmr", "/livereload"];
/// Where Vite listens unless another server does.
const VITE_PORTS: std::ops::RangeInclusive<u16> = 5_173..=5_179;

/// Whether a socket is one, by its address. Some use addresses that an application may have, too; there it takes what
/// the page says of itself in its console.
pub fn is_dev_socket(url: &str, mut page_said: impl FnMut(&[&str]) -> bool) -> bool {
    let Some((_, rest)) = url.split_once("://") else { return false };
    let (host, path) = rest.find(['/', '?']).and_then(|at| rest.split_at_checked(at)).unwrap_or((rest, ""));
    if PATHS.iter().any(|own| path.starts_with(own)) {
        return true;
    }
    let is_vite =
        path.strip_prefix('/').unwrap_or(path).strip_prefix("?token=").is_some_and(|rest| !rest.contains('&'));
    if is_vite {
        let port = host.rsplit_once(':').and_then(|(_, port)| port.parse().ok());
        return port.is_some_and(|port: u16| VITE_PORTS.contains(&port)) || page_said(&["[vite] "]);
    }
    let is_webpack = path.split('?').next() == Some("/ws");
    is_webpack && page_said(&["[webpack-dev-server]", "[HMR]", "[WDS]"])
}
