//! `gasoline extension`: a copy of the extension, for tests, CI and managed machines.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use super::WRONG_USAGE;
use crate::embedded::{self, Defaults};
use crate::terminal::{complain, say};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The folder to write to; created if missing.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Sites to capture: `all`, `local` (development hosts), or hosts such as `*.example.com` and `app.test:8080`.
    #[arg(long, num_args = 1.., default_value = "local", value_parser = site, value_name = "SITE")]
    sites: Vec<String>,
    /// Capture request and response bodies, too.
    #[arg(long)]
    bodies: bool,
}

pub(super) fn run(port: u16, args: Args) -> Result<ExitCode> {
    if port == 0 {
        complain("gasoline: the extension needs a fixed port, not 0; leave out --port for the default");
        return Ok(ExitCode::from(WRONG_USAGE));
    }
    let mut sites = Vec::new();
    for site in args.sites {
        if !sites.contains(&site) {
            sites.push(site);
        }
    }
    let bodies = if args.bodies { "with" } else { "without" };
    let about = format!("It talks to port {port} and captures {}, {bodies} request bodies.", sites.join(", "));
    embedded::unpack(&args.out, &Defaults { port, sites, bodies: args.bodies })?;
    let folder = args.out.canonicalize().unwrap_or(args.out);
    say(format!("The extension is in {}", folder.display()));
    say(about);
    say("To load it: open chrome://extensions, turn on Developer mode, choose \"Load unpacked\" and pick that folder.");
    Ok(ExitCode::SUCCESS)
}

/// Checks a site: a keyword, or a host that may contain `*` and end with a port. URLs are rejected because only the
/// host would count.
fn site(text: &str) -> Result<String, String> {
    let site = text.trim().to_lowercase();
    let (host, port) = match site.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, Some(port)),
        _ => (site.as_str(), None),
    };
    let is_ip6 = host.starts_with('[')
        && host.ends_with(']')
        && host.trim_matches(['[', ']']).chars().all(|c| c.is_ascii_hexdigit() || c == ':');
    // Chrome's match patterns allow `*` as the first label only.
    let plain = host.strip_prefix("*.").unwrap_or(if host == "*" { "all" } else { host });
    let is_name = !host.is_empty()
        && !plain.contains('*')
        && host.split('.').all(|label| !label.is_empty() && !label.starts_with('-') && !label.ends_with('-'))
        && host.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | '*'));
    let is_port = port.is_none_or(|port| port == "*" || port.parse::<u16>().is_ok_and(|port| port > 0));
    if (is_name || is_ip6) && is_port {
        Ok(site)
    } else {
        Err("expected all, local, or a host without scheme and path, for example *.example.com or app.test:8080"
            .to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::site;

    #[test]
    fn sites() {
        for good in [
            "all",
            "local",
            "*.example.com",
            "app.test:8080",
            "APP.test",
            "127.0.0.1:3000",
            "[::1]:80",
            "[::1]",
            "*",
            "bücher.test",
            "x:*",
        ] {
            assert_eq!(site(good).as_deref(), Ok(good.to_lowercase().as_str()));
        }
        for bad in [
            "",
            " ",
            "http://app.test",
            "app.test/",
            "app.test/path",
            "a b",
            "app.test:",
            "app.test:0",
            "app.test:99999",
            "a..b",
            ".test",
            "user@host",
            "host?x",
            "::1",
            "[::1",
            "--bodies",
            "*.example.*",
            "a*b.com",
            "app.*.com",
        ] {
            assert!(site(bad).is_err(), "{bad}");
        }
    }
}
