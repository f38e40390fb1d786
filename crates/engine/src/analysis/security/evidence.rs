//! How a secret is named and shown: never more of it than the finding beside its entry keeps.

use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;
use wire::{Level, Timestamp};

use super::scope::Scope;
use super::{address, personal};
use crate::entry::{ActionKind, Log, Request};
use crate::redact::Finding;
use crate::store::Stored;
use crate::store::id::IdKind;
use crate::text::shorten;
use crate::url::without_query;

/// Shown where not even a part of the secret may be shown.
pub(super) const HIDDEN: &str = "***";
const URL_CHARS: usize = 300;
const PREVIEW_CHARS: usize = 160;
/// How much of the text before a secret is shown.
const LEAD_CHARS: usize = 60;

/// What proves an issue. Which fields are present depends on the check.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct Evidence {
    /// The entry it was seen in.
    pub(super) id: Option<String>,
    /// The kind of that user action.
    pub(super) action: Option<ActionKind>,
    /// `console`, if the page logged it.
    #[serde(rename = "type")]
    pub(super) kind: Option<&'static str>,
    /// Level of the console line.
    pub(super) level: Option<Level>,
    /// HTTP method.
    pub(super) method: Option<String>,
    /// Address, with secrets cut to their ends.
    pub(super) url: Option<String>,
    /// Address of the page.
    pub(super) page_url: Option<String>,
    /// The unencrypted resource.
    pub(super) resource_url: Option<String>,
    /// The type of that resource.
    pub(super) resource_type: Option<String>,
    /// Where in the entry it was found.
    pub(super) field: Option<&'static str>,
    /// The query parameter.
    pub(super) param_name: Option<String>,
    /// The name it goes by there.
    pub(super) name: Option<String>,
    /// What it was recognised as.
    pub(super) pattern: Option<&'static str>,
    /// At most its first six and last three characters.
    pub(super) redacted_value: Option<String>,
    /// The text around it.
    pub(super) redacted_preview: Option<String>,
    /// File and line that logged it.
    pub(super) source: Option<String>,
    /// When it expires.
    pub(super) expires: Option<Timestamp>,
    /// HTTP status.
    pub(super) status: Option<u16>,
    /// Whether the request carried an Authorization header; null if that is not known.
    pub(super) auth_header_present: Option<Option<bool>>,
    /// Whether the response contains personal data.
    pub(super) response_contains_pii: Option<bool>,
    /// Which personal data.
    pub(super) pii_fields: Option<Vec<&'static str>>,
    /// The cookie.
    pub(super) cookie: Option<String>,
    /// The flag it lacks.
    pub(super) missing: Option<&'static str>,
    /// Whether it has `Secure`.
    pub(super) secure: Option<bool>,
    /// Whether it has `HttpOnly`.
    pub(super) http_only: Option<bool>,
    /// Its `SameSite`.
    pub(super) same_site: Option<String>,
    /// The origin that responds.
    pub(super) origin: Option<String>,
    /// The response header.
    pub(super) header: Option<&'static str>,
    /// Whether it is present.
    pub(super) present: Option<bool>,
    /// All places in this entry that hold the same secret.
    pub(super) places: Option<Vec<&'static str>>,
    /// How often it was seen.
    pub(super) count: Option<usize>,
}

impl Evidence {
    /// The same evidence, completed with the entry's own data.
    pub(super) fn beside(self, base: &Self) -> Self {
        let or = |own: Option<String>, base: &Option<String>| own.or_else(|| base.clone());
        Self {
            id: or(self.id, &base.id),
            action: self.action.or_else(|| base.action.clone()),
            method: or(self.method, &base.method),
            url: or(self.url, &base.url),
            ..self
        }
    }
}

/// First 6 and last 3 characters, or nothing.
pub(super) fn value(finding: &Finding) -> String {
    finding.preview.clone().unwrap_or_else(|| HIDDEN.to_owned())
}

/// The text with previews in place of its placeholders.
pub(super) fn shown(text: &str, findings: &[Finding]) -> String {
    let mut text = text.to_owned();
    for finding in findings.iter().filter(|finding| !finding.placeholder.is_empty()) {
        if text.contains(&finding.placeholder) {
            text = text.replace(&finding.placeholder, &value(finding));
        }
    }
    text
}

pub(super) fn url(url: &str, findings: &[Finding]) -> String {
    shorten(&shown(url, findings), URL_CHARS)
}

/// The part of a console entry's text around a mark, with only the ends of secrets and personal data.
pub(super) fn around(entry: &Log, findings: &[Finding], mark: &str) -> String {
    let message = entry.message.as_str();
    let args = entry.args.as_ref().map(|args| args.text()).unwrap_or_default();
    let text = if message.contains(mark) || !args.contains(mark) { message } else { args };
    let before = text.find(mark).and_then(|at| text.get(..at)).unwrap_or_default();
    let skipped = before.chars().count().saturating_sub(LEAD_CHARS);
    let cut: String = text.chars().skip(skipped).take(4 * PREVIEW_CHARS).collect();
    let lead = if skipped > 0 { "…" } else { "" };
    // Personal data first: the preview of a secret may look like some.
    shorten(&format!("{lead}{}", shown(&personal::masked(&cut), findings)), PREVIEW_CHARS)
}

/// Where the page logged it: `auth.js:45`.
pub(super) fn source(entry: &Log) -> Option<String> {
    let file = entry.filename.as_deref().filter(|file| !file.is_empty());
    let Some(file) = file else { return entry.source.clone().filter(|source| source != "console") };
    let name = without_query(file).rsplit('/').next().unwrap_or(file);
    Some(entry.lineno.map_or_else(|| name.to_owned(), |line| format!("{name}:{line}")))
}

/// Evidence that every finding about a request shows.
pub(super) fn of_request(scope: &Scope<'_>, stored: &Stored<Request>) -> Evidence {
    let request = &stored.entry;
    Evidence {
        id: Some(scope.id(IdKind::Network, stored)),
        method: Some(address::method(request).to_owned()),
        url: Some(url(request.url.as_str(), &stored.findings)),
        ..Evidence::default()
    }
}

/// Whether this is a format that is a credential by its looks. Others are recognised by the name beside them, or by a
/// scheme.
pub(super) fn is_format(kind: &str) -> bool {
    !matches!(
        kind,
        "jwt" | "bearer" | "basic_auth" | "password" | "secret" | "token" | "api_key" | "cookie" | "url_password"
    )
}

/// The name of this kind of credential in sentences.
pub(super) fn label(kind: &str) -> String {
    match kind {
        "jwt" => return "JWT".to_owned(),
        "api_key" => return "API key".to_owned(),
        "bearer" => return "Bearer token".to_owned(),
        "basic_auth" => return "Basic credentials".to_owned(),
        "url_password" => return "Password".to_owned(),
        "cookie" => return "Cookie".to_owned(),
        _ => {}
    }
    let (maker, rest) = kind.split_once('_').unwrap_or((kind, ""));
    let maker = match maker {
        "aws" => "AWS",
        "github" => "GitHub",
        "gitlab" => "GitLab",
        "openai" => "OpenAI",
        "openrouter" => "OpenRouter",
        "xai" => "xAI",
        "npm" => "npm",
        "pypi" => "PyPI",
        "sendgrid" => "SendGrid",
        "digitalocean" => "DigitalOcean",
        "huggingface" => "Hugging Face",
        "planetscale" => "PlanetScale",
        "langsmith" => "LangSmith",
        "launchdarkly" => "LaunchDarkly",
        "posthog" => "PostHog",
        "newrelic" => "New Relic",
        "circleci" => "CircleCI",
        "rubygems" => "RubyGems",
        "crates" => "crates.io",
        _ => "",
    };
    let words = rest.replace('_', " ");
    if !maker.is_empty() {
        return format!("{maker} {words}").trim().to_owned();
    }
    let kind = kind.replace('_', " ");
    let mut letters = kind.chars();
    letters.next().map_or_else(String::new, |first| format!("{}{}", first.to_ascii_uppercase(), letters.as_str()))
}

/// The same in the middle of a sentence.
pub(super) fn noun(kind: &str) -> String {
    let label = label(kind);
    match kind {
        "password" | "secret" | "token" | "cookie" | "private_key" | "bearer" | "basic_auth" | "url_password" => {
            label.to_ascii_lowercase()
        }
        _ => label,
    }
}

/// The same for the start of a title, where the vendor matters less than the kind.
pub(super) fn generic_label(kind: &str) -> String {
    match kind {
        "aws_secret_key" | "private_key" => label(kind),
        _ if kind.ends_with("_key") => "API key".to_owned(),
        _ => label(kind),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_read_well_in_sentences_and_titles() {
        for (kind, expected) in [
            ("jwt", "JWT"),
            ("api_key", "API key"),
            ("aws_access_key", "AWS access key"),
            ("github_token", "GitHub token"),
            ("private_key", "Private key"),
            ("slack_webhook", "Slack webhook"),
            ("huggingface_token", "Hugging Face token"),
            ("password", "Password"),
        ] {
            assert_eq!(label(kind), expected);
        }
        assert_eq!(generic_label("openai_key"), "API key");
    }
}
