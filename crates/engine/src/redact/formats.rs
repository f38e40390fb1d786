//! Credential formats that are recognised by their form alone.
//!
//! Each is found by a literal that the scanner's automaton searches for; its [`Shape`] then determines how far it
//! reaches. Every function looks at each byte a bounded number of times: hostile text costs no more than plain text.

use base64::Engine as _;

use super::edges::{at, before, follows, is_base64, is_base64url, is_token, is_word, run_end, run_start, slice};
use super::names;
use super::scan::is_placeholder;

/// No scanned text is longer, so a run is always followed to its end.
const LONGEST: usize = 32 * 1024;
/// The least that counts as a credential where a text was cut; a shorter rest reveals nothing.
const CUT_MIN: usize = 8;

pub(super) struct Format {
    pub(super) kind: &'static str,
    /// Found in any case; `shape` checks the case where it matters.
    pub(super) literal: &'static str,
    pub(super) shape: Shape,
}

pub(super) enum Shape {
    /// The literal and at least `min` more characters. Distinctive enough to be found in the middle of a word.
    Prefix { min: usize, of: fn(u8) -> bool },
    /// The same with exactly `len` characters.
    Exact { len: usize, of: fn(u8) -> bool },
    /// The same, but not in the middle of a word: for literals that end ordinary words, as in `cache-key-…` or `TASK…`.
    Alone { len: usize, of: fn(u8) -> bool },
    /// A separate rule: returns the secret's span, given the literal's start and end.
    Rule(fn(&str, usize, usize) -> Option<(usize, usize)>),
}

macro_rules! formats {
    ($( $kind:literal: $($literal:literal)|+ => $shape:expr; )*) => {
        pub(super) const FORMATS: &[Format] = &[
            $( $( Format { kind: $kind, literal: $literal, shape: $shape }, )+ )*
        ];
    };
}

use Shape::{Alone, Exact, Prefix, Rule};

formats! {
    "jwt": "eyJ" => Rule(jwt);
    "bearer": "bearer " | "bearer%20" | "bearer+" | "bearer\t" | "bearer\n" | "bearer\r" | "bearer\\"
        => Rule(bearer);
    "basic_auth": "basic " | "basic%20" => Rule(basic);
    "basic_auth": "-u " | "--user " => Rule(curl_user);
    "private_key": "-----begin " => Rule(private_key);
    "url_password": "://" => Rule(url_password);
    "aws_access_key": "AKIA" | "ASIA" | "ABIA" | "ACCA" => Exact { len: 16, of: is_upper_alphanumeric };
    "aws_secret_key": "aws" | "secret" => Rule(aws_secret);
    "github_token": "ghp_" | "gho_" | "ghu_" | "ghs_" | "ghr_" => Prefix { min: 36, of: is_word };
    "github_token": "github_pat_" => Prefix { min: 22, of: is_word };
    "gitlab_token": "glpat-" | "gldt-" | "glrt-" | "glptt-" | "glcbt-" | "glsoat-" | "glft-" | "glimt-" | "glagent-"
        | "gloas-" => Prefix { min: 20, of: is_base64url };
    "stripe_key": "sk_live_" | "sk_test_" | "rk_live_" | "rk_test_" => Prefix { min: 24, of: is_word };
    "stripe_key": "whsec_" => Prefix { min: 24, of: is_base64 };
    "slack_token": "xoxa-" | "xoxb-" | "xoxc-" | "xoxd-" | "xoxe-" | "xoxe." | "xoxo-" | "xoxp-" | "xoxr-" | "xoxs-" | "xapp-"
        => Prefix { min: 10, of: is_base64url };
    "slack_webhook": "hooks.slack.com/services/" | "hooks.slack.com/workflows/" | "hooks.slack.com/triggers/"
        => Prefix { min: 20, of: is_token };
    "google_api_key": "AIza" => Prefix { min: 35, of: is_base64url };
    "google_oauth": "ya29." | "GOCSPX-" => Prefix { min: 20, of: is_base64url };
    "google_oauth": "1//0" => Prefix { min: 40, of: is_base64url };
    "firebase_key": ":APA91b" => Rule(firebase);
    "anthropic_key": "sk-ant-" => Prefix { min: 20, of: is_base64url };
    "openai_key": "sk-proj-" | "sk-svcacct-" | "sk-admin-" | "sk-None-" => Prefix { min: 20, of: is_base64url };
    "openrouter_key": "sk-or-v1-" => Prefix { min: 64, of: is_hex };
    "openai_key": "sk-" => Rule(plain_sk);
    "groq_key": "gsk_" => Prefix { min: 48, of: is_alphanumeric };
    "xai_key": "xai-" => Prefix { min: 70, of: is_alphanumeric };
    "perplexity_key": "pplx-" => Prefix { min: 40, of: is_alphanumeric };
    "replicate_token": "r8_" => Exact { len: 37, of: is_alphanumeric };
    "langsmith_key": "lsv2_pt_" | "lsv2_sk_" => Prefix { min: 32, of: is_word };
    "npm_token": "npm_" => Exact { len: 36, of: is_alphanumeric };
    "pypi_token": "pypi-Ag" => Prefix { min: 50, of: is_base64url };
    "sendgrid_key": "SG." => Rule(sendgrid);
    "twilio_key": "SK" => Alone { len: 32, of: is_lower_hex };
    "azure_key": "AccountKey=" | "SharedAccessKey=" => Prefix { min: 40, of: is_base64 };
    "azure_client_secret": "8Q~" => Rule(azure_client_secret);
    "mailchimp_key": "-us" => Rule(mailchimp);
    "brevo_key": "xkeysib-" | "xsmtpsib-" => Prefix { min: 64, of: is_base64url };
    "shopify_token": "shpat_" | "shpca_" | "shppa_" | "shpss_" => Prefix { min: 32, of: is_hex };
    "huggingface_token": "hf_" => Exact { len: 34, of: is_alphanumeric };
    "digitalocean_token": "dop_v1_" | "doo_v1_" | "dor_v1_" => Prefix { min: 64, of: is_hex };
    "databricks_token": "dapi" => Exact { len: 32, of: is_lower_hex };
    "vault_token": "hvs." | "hvb." | "hvr." => Prefix { min: 24, of: is_base64url };
    "terraform_token": ".atlasv1." => Rule(terraform);
    "linear_key": "lin_api_" | "lin_oauth_" => Prefix { min: 32, of: is_alphanumeric };
    "notion_token": "ntn_" => Prefix { min: 40, of: is_alphanumeric };
    "notion_token": "secret_" => Exact { len: 43, of: is_alphanumeric };
    "supabase_key": "sbp_" | "sb_secret_" => Prefix { min: 20, of: is_base64url };
    "square_token": "sq0atp-" | "sq0csp-" | "sq0idb-" => Prefix { min: 22, of: is_base64url };
    "square_token": "EAAA" => Alone { len: 60, of: is_base64url };
    "braintree_token": "access_token$production$" | "access_token$sandbox$" => Prefix { min: 40, of: is_word_or_dollar };
    "plaid_token": "access-production-" | "access-sandbox-" | "access-development-"
        => Prefix { min: 36, of: is_hex_or_dash };
    "planetscale_token": "pscale_tkn_" | "pscale_pw_" | "pscale_oauth_" => Prefix { min: 32, of: is_base64url };
    "postman_key": "PMAK-" => Prefix { min: 50, of: is_base64url };
    "figma_token": "figd_" => Prefix { min: 36, of: is_base64url };
    "mailgun_key": "key-" => Alone { len: 32, of: is_lower_hex };
    "telegram_token": "/bot" => Rule(telegram);
    "telegram_token": ":AA" => Rule(bare_telegram);
    "discord_token": "Bot " | "Bot%20" | "Bot+" => Rule(discord_bot);
    "discord_webhook": "discord.com/api/webhooks/" | "discordapp.com/api/webhooks/" => Rule(discord_webhook);
    "doppler_token": "dp.pt." | "dp.st." | "dp.ct." | "dp.sa." | "dp.scim." | "dp.audit."
        => Prefix { min: 40, of: is_word_or_dot };
    "atlassian_token": "ATATT3xFf" | "ATCTT3xFf" => Prefix { min: 60, of: is_base64url };
    "grafana_token": "glsa_" => Prefix { min: 40, of: is_word };
    "grafana_token": "glc_" => Prefix { min: 40, of: is_base64 };
    "sentry_token": "sntrys_" | "sntryu_" => Prefix { min: 60, of: is_base64_or_underscore };
    "docker_token": "dckr_pat_" | "dckr_oat_" => Prefix { min: 24, of: is_base64url };
    "rubygems_key": "rubygems_" => Prefix { min: 48, of: is_lower_hex };
    "crates_token": "cio" => Alone { len: 32, of: is_alphanumeric };
    "dropbox_token": "sl." => Prefix { min: 130, of: is_base64url };
    "newrelic_key": "NRAK-" => Prefix { min: 27, of: is_upper_alphanumeric };
    "heroku_key": "HRKU-" => Prefix { min: 36, of: is_base64url };
    "netlify_token": "nfp_" => Prefix { min: 36, of: is_alphanumeric };
    "fly_token": "fo1_" => Prefix { min: 40, of: is_base64url };
    "fly_token": "FlyV1 fm1" | "FlyV1 fm2" => Prefix { min: 40, of: is_token_or_comma };
    "mapbox_token": "sk.eyJ" => Rule(mapbox);
    "contentful_token": "CFPAT-" => Prefix { min: 40, of: is_base64url };
    "pulumi_token": "pul-" => Alone { len: 40, of: is_lower_hex };
    "dynatrace_token": "dt0c01." | "dt0s01." => Prefix { min: 80, of: is_word_or_dot };
    "tailscale_key": "tskey-" => Prefix { min: 20, of: is_base64url };
    "age_key": "AGE-SECRET-KEY-1" => Prefix { min: 50, of: is_upper_alphanumeric };
    "launchdarkly_key": "sdk-" => Alone { len: 36, of: is_hex_or_dash };
    "posthog_key": "phx_" => Prefix { min: 40, of: is_alphanumeric };
    "buildkite_token": "bkua_" => Prefix { min: 40, of: is_lower_hex };
    "circleci_token": "CCIPAT_" | "CCIPRJ_" => Prefix { min: 40, of: is_word };
    "artifactory_key": "AKCp" => Prefix { min: 60, of: is_alphanumeric };
    "typeform_token": "tfp_" => Prefix { min: 40, of: is_word_or_dot_or_dash };
    "prefect_key": "pnu_" => Prefix { min: 36, of: is_alphanumeric };
}

impl Format {
    /// The secret's span, if what follows the literal at `start..end` has the format's shape.
    pub(super) fn span(&self, text: &str, start: usize, end: usize) -> Option<(usize, usize)> {
        let bytes = text.as_bytes();
        match self.shape {
            // Case matters for these. The automaton, which also searches for names, ignores it.
            Prefix { .. } | Exact { .. } | Alone { .. } if slice(text, start, end) != self.literal => None,
            Alone { .. } if follows(bytes, start, is_base64url) => None,
            Prefix { min, of } => {
                let reach = run_end(bytes, end, LONGEST, of);
                // A text cut at its limit may end inside a credential, so a shorter one counts there.
                let enough = reach - end >= min || (is_cut(bytes, reach) && reach - end >= min.min(CUT_MIN));
                enough.then_some((start, reach))
            }
            Exact { len, of } | Alone { len, of } => {
                let reach = run_end(bytes, end, len + 1, of);
                let cut = is_cut(bytes, reach)
                    && (CUT_MIN..len).contains(&(reach - end))
                    && !slice(text, end, reach).bytes().all(|byte| byte.is_ascii_lowercase());
                (reach - end == len || cut).then_some((start, reach))
            }
            Rule(rule) => rule(text, start, end),
        }
    }

    /// Whether its literal is common in ordinary text while checking a hit is cheap: every address contains `://`,
    /// every locale `-us`.
    pub(super) fn is_common(&self) -> bool {
        matches!(self.literal, "://" | "-us" | ":AA" | "Bot " | "Bot+" | "sl." | "cio" | "pul-" | "sdk-")
    }

    /// After a miss: up to where the same literal need not be tried again. Only a JWT's header can be long and still
    /// miss.
    pub(super) fn hopeless_to(&self, text: &str, end: usize) -> Option<usize> {
        (self.kind == "jwt").then(|| run_end(text.as_bytes(), end, LONGEST, is_base64url))
    }
}

/// Whether the text ends here, or its sender cut it here and left a mark.
fn is_cut(bytes: &[u8], index: usize) -> bool {
    let rest = bytes.get(index..).unwrap_or_default();
    rest.is_empty() || rest.starts_with("…".as_bytes()) || rest.starts_with(b"...") || rest.starts_with(b"[truncated")
}

/// Base64 of `{"alg"`, `{"typ"`, `{"kid"`, `{"enc"`, `{"cty"`, `{"x5t"`, `{"x5u"`, `{"jku"` and `{"zip"`.
const JWT_HEADERS: &[&str] =
    &["eyJhbGci", "eyJ0eXAi", "eyJraWQi", "eyJlbmMi", "eyJjdHki", "eyJ4NXQi", "eyJ4NXUi", "eyJqa3Ui", "eyJ6aXAi"];

/// `eyJ….….…`, or the start of one that was cut.
fn jwt(text: &str, start: usize, end: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    if slice(text, start, end) != "eyJ" {
        return None;
    }
    let header = run_end(bytes, end, LONGEST, is_base64url);
    if is_cut(bytes, header) {
        // Base64 of any JSON starts like this, page cursors too; a token's header begins with its algorithm or type.
        let is_header = JWT_HEADERS.contains(&slice(text, start, start + 8));
        return (is_header && header - start >= 10).then_some((start, header));
    }
    if header - start < 10 || at(bytes, header) != b'.' {
        return None;
    }
    let payload = run_end(bytes, header + 1, LONGEST, is_base64url);
    if is_cut(bytes, payload) {
        return Some((start, payload));
    }
    if at(bytes, payload) != b'.' {
        // Two parts are enough if the second part starts like JSON, too.
        return (slice(text, header + 1, header + 4) == "eyJ").then_some((start, payload));
    }
    let mut reach = run_end(bytes, payload + 1, LONGEST, is_base64url);
    // An encrypted token has two more parts.
    while at(bytes, reach) == b'.' && is_base64url(at(bytes, reach + 1)) && reach - start < LONGEST {
        reach = run_end(bytes, reach + 1, LONGEST, is_base64url);
    }
    Some((start, reach))
}

fn bearer(text: &str, _: usize, end: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    // The literal may end with the backslash of an escaped line break.
    let mut from = if before(bytes, end) == b'\\' { end - 1 } else { end };
    for _ in 0..4 {
        from = run_end(bytes, from, 4, |byte| byte.is_ascii_whitespace());
        let escape = run_end(bytes, from, 8, |byte| byte == b'\\');
        if escape > from && matches!(at(bytes, escape), b'n' | b'r' | b't') {
            from = escape + 1;
        }
    }
    let reach = run_end(bytes, from, LONGEST, |byte| is_token(byte) || byte == b'%');
    let token = slice(text, from, reach).trim_end_matches(['.', ',']);
    // `?sort=bearer HTTP/1.1` is a log line.
    if token.starts_with("HTTP/") {
        return None;
    }
    let random = token.len() >= 8 && token.bytes().any(|byte| byte.is_ascii_digit());
    let long = token.len() >= 24;
    (random || long).then_some((from, from + token.len()))
}

fn basic(text: &str, _: usize, end: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let from = run_end(bytes, end, 4, |byte| byte == b' ');
    let reach = run_end(bytes, from, LONGEST, is_base64);
    let encoded = slice(text, from, reach).trim_end_matches('=');
    // Where the text was cut, the last group of four may be incomplete.
    let whole = if is_cut(bytes, reach) { encoded.len() / 4 * 4 } else { encoded.len() };
    let decoded = base64::engine::general_purpose::STANDARD_NO_PAD.decode(slice(encoded, 0, whole)).ok()?;
    let printable = decoded.iter().all(|byte| *byte >= b' ');
    let is_pair = match memchr::memchr(b':', &decoded) {
        Some(colon) => std::str::from_utf8(decoded.get(..colon)?).is_ok(),
        // The text was cut inside the user's name.
        None => is_cut(bytes, reach) && encoded.len() >= 12 && decoded.is_ascii(),
    };
    (encoded.len() >= 4 && is_pair && printable).then_some((from, reach))
}

/// The password of `curl -u user:password`.
fn curl_user(text: &str, start: usize, end: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let from = run_end(bytes, end, 4, |byte| matches!(byte, b' ' | b'\\' | b'"' | b'\''));
    let part = |byte: u8| byte > b' ' && !matches!(byte, b'"' | b'\'' | b'\\' | b'`');
    let user = run_end(bytes, from, 256, |byte| part(byte) && byte != b':');
    let reach = run_end(bytes, user + 1, 512, part);
    let password = slice(text, user + 1, reach);
    let template = password.starts_with(['$', '{', '*', '<', '[']);
    if at(bytes, user) != b':' || password.is_empty() || template {
        return None;
    }
    let command = bytes.get(start.saturating_sub(200)..start)?;
    memchr::memmem::find(command, b"curl").map(|_| (user + 1, reach))
}

/// From its first line to its last, or to the end of a text that was cut between them.
fn private_key(text: &str, start: usize, end: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let title = run_end(bytes, end, 40, |byte| byte.is_ascii_alphanumeric() || byte == b' ');
    let name = slice(text, end, title).to_ascii_uppercase();
    if !name.trim_end_matches(" BLOCK").ends_with("PRIVATE KEY") {
        return None;
    }
    let rest = bytes.get(title..).unwrap_or_default();
    let Some(last_line) = memchr::memmem::find(rest, b"-----END ") else { return Some((start, bytes.len())) };
    let after = title + last_line + b"-----END ".len();
    let name_end = run_end(bytes, after, 40, |byte| byte.is_ascii_alphanumeric() || byte == b' ');
    Some((start, run_end(bytes, name_end, 5, |byte| byte == b'-')))
}

/// The password of `scheme://user:password@host`, or a token in place of the user.
fn url_password(text: &str, start: usize, end: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    if !is_word(before(bytes, start)) {
        return None;
    }
    // A password may contain an `@`, so the last one before the host's end counts.
    let part =
        |byte: u8| byte > b' ' && !matches!(byte, b'/' | b'"' | b'\'' | b'<' | b'>' | b'\\' | b'?' | b'#' | b'`');
    let user = run_end(bytes, end, 256, |byte| part(byte) && !matches!(byte, b':' | b'@'));
    // The user itself can be a token, with any password or none.
    let is_token_user = names::is_opaque(slice(text, end, user), 16);
    if at(bytes, user) == b'@' && is_token_user {
        return Some((end, user));
    }
    if at(bytes, user) != b':' {
        return None;
    }
    let reach = run_end(bytes, user + 1, 512, part);
    let rest = slice(text, user + 1, reach);
    let rest = rest.split_once('…').map_or(rest, |(rest, _)| rest);
    let reach = user + 1 + rest.len();
    let password = match rest.rfind('@') {
        Some(length) => slice(rest, 0, length),
        // The text was cut before the host: what follows a colon and is not a port can only be a password.
        None if is_cut(bytes, reach) && rest.len() >= 4 && rest.bytes().any(|byte| !byte.is_ascii_digit()) => rest,
        None => return None,
    };
    if is_token_user && rest.contains('@') {
        return Some((end, user + 1 + password.len()));
    }
    let template = password.starts_with(['$', '{', '*']) || password.starts_with("%s") || is_placeholder(password);
    (!password.is_empty() && !template).then_some((user + 1, user + 1 + password.len()))
}

/// Forty random-looking characters of base64 near the word. In a path or a long name, the kind of character changes far
/// less often.
fn aws_secret(text: &str, start: usize, end: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    // A part of a key is only a word with digits, so the name has to identify it. `Laws of physics` contains `aws`, and
    // a message may mention a component that runs at AWS.
    let name_start = run_start(bytes, start, 32, |byte| is_word(byte) || byte == b'-');
    let name_end = run_end(bytes, end, 32, |byte| is_word(byte) || byte == b'-');
    let name = slice(text, name_start, name_end).to_ascii_lowercase();
    let is_name = name.contains("key") || name.contains("access");
    let class = |byte: &u8| match byte {
        b'a'..=b'z' => 0,
        b'A'..=b'Z' => 1,
        b'0'..=b'9' => 2,
        _ => 3,
    };
    let mut from = end;
    while from < end + 100 && from < bytes.len() {
        let reach = run_end(bytes, from, 128, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'));
        let run = bytes.get(from..reach).unwrap_or_default();
        let whole = run.len() == 40;
        let cut = is_name && is_cut(bytes, reach) && (12..40).contains(&run.len());
        if whole || cut {
            let mixed = (0..3).all(|kind| run.iter().any(|byte| class(byte) == kind));
            let changes = run.iter().zip(run.iter().skip(1)).filter(|(one, next)| class(one) != class(next)).count();
            if mixed && changes >= if whole { 12 } else { run.len() / 3 } {
                return Some((from, reach));
            }
        }
        from = reach + 1;
    }
    None
}

/// The old form of an OpenAI key: only letters and digits.
fn plain_sk(text: &str, start: usize, end: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    // Class names such as `sk-cube-grid` begin with the same letters; keys have no early hyphens.
    let head = run_end(bytes, end, 20, is_alphanumeric);
    let long = head - end >= 16 || (is_cut(bytes, head) && head - end >= CUT_MIN);
    if slice(text, start, end) != "sk-" || follows(bytes, start, is_alphanumeric) || !long {
        return None;
    }
    let reach = run_end(bytes, end, LONGEST, is_base64url);
    let key = slice(text, end, reach);
    let has = |test: fn(&u8) -> bool| key.as_bytes().iter().any(test);
    let mixed = has(u8::is_ascii_alphabetic) && (has(u8::is_ascii_digit) || has(u8::is_ascii_uppercase));
    ((key.len() >= 20 || is_cut(bytes, reach)) && mixed).then_some((start, reach))
}

fn sendgrid(text: &str, start: usize, end: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let first = run_end(bytes, end, 64, is_base64url);
    let second = run_end(bytes, first + 1, 128, is_base64url).min(bytes.len());
    let dotted = at(bytes, first) == b'.' && first - end >= 16;
    let whole = dotted && (second.saturating_sub(first + 1) >= 16 || is_cut(bytes, second));
    let cut = is_cut(bytes, first) && first - end >= CUT_MIN;
    let alone = slice(text, start, end) == "SG." && !follows(bytes, start, is_word);
    (alone && (whole || cut)).then_some((start, if whole { second } else { first }))
}

fn telegram(text: &str, _: usize, end: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let number = run_end(bytes, end, 12, |byte| byte.is_ascii_digit());
    if number - end < 6 || at(bytes, number) != b':' {
        return None;
    }
    let reach = run_end(bytes, number + 1, 64, is_base64url);
    let length = reach - (number + 1);
    // A port has at most five digits, so such a long number can only be a bot's id.
    (length >= 30 || is_cut(bytes, reach)).then_some((end, reach))
}

/// A bot's token outside of an address. Ten digits, a colon and two letters can begin many things, so the length must
/// match.
fn bare_telegram(text: &str, start: usize, end: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let digits = start - run_start(bytes, start, 10, |byte| byte.is_ascii_digit());
    // Digits of an escape such as `%92` may precede it.
    let number = (8..=digits).rev().map(|count| start - count).find(|from| !follows(bytes, *from, is_word))?;
    let reach = run_end(bytes, end, 40, is_base64url);
    let whole = reach - end == 33;
    let cut = is_cut(bytes, reach) && (CUT_MIN..33).contains(&(reach - end));
    (slice(text, start, end) == ":AA" && (whole || cut)).then_some((number, reach))
}

/// `Bot `, then the user's id in base64, a time and a signature.
fn discord_bot(text: &str, start: usize, end: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let user = run_end(bytes, end, 40, is_base64url);
    let time = run_end(bytes, user + 1, 12, is_base64url);
    let reach = run_end(bytes, time + 1, 64, is_base64url);
    let is_scheme = slice(text, start, start + 3) == "Bot" && !follows(bytes, start, is_word);
    // Base64 of a digit starts with one of these letters.
    let is_user = matches!(at(bytes, end), b'M' | b'N' | b'O') && (22..=30).contains(&(user - end));
    let is_cut_user = matches!(at(bytes, end), b'M' | b'N' | b'O') && is_cut(bytes, user) && user - end >= CUT_MIN;
    let is_dotted = is_user && at(bytes, user) == b'.';
    let is_time = is_dotted && time - user - 1 == 6 && at(bytes, time) == b'.';
    match () {
        () if !is_scheme => None,
        () if is_time && (reach - time > 27 || is_cut(bytes, reach)) => Some((end, reach)),
        () if is_dotted && is_cut(bytes, time) => Some((end, time)),
        () => is_cut_user.then_some((end, user)),
    }
}

/// The address is the credential: anyone who has it can post.
fn discord_webhook(text: &str, start: usize, end: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let number = run_end(bytes, end, 24, |byte| byte.is_ascii_digit());
    let reach = run_end(bytes, number + 1, 128, is_base64url);
    let enough = reach.saturating_sub(number + 1) >= 40 || is_cut(bytes, reach) || is_cut(bytes, number);
    (number - end >= 10 && (at(bytes, number) == b'/' || is_cut(bytes, number)) && enough)
        .then_some((start, reach.min(bytes.len()).max(number)))
}

/// The old server key for push messages: a short name, `:APA91b` and many random characters.
fn firebase(text: &str, start: usize, end: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let from = run_start(bytes, start, 32, is_base64url);
    let reach = run_end(bytes, end, LONGEST, is_base64url);
    let enough = reach - end >= 100 || (is_cut(bytes, reach) && reach - end >= CUT_MIN);
    (slice(text, start, end) == ":APA91b" && start - from >= 7 && enough).then_some((from, reach))
}

/// The secret of an app registration has `8Q~` as its fourth to sixth character.
fn azure_client_secret(text: &str, start: usize, end: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let of = |byte: u8| is_base64url(byte) || matches!(byte, b'~' | b'.');
    let from = run_start(bytes, start, 4, of);
    let reach = run_end(bytes, end, 40, of);
    // A few more are accepted, because the mark of a cut consists of dots, too.
    let enough = (31..=37).contains(&(reach - end)) || (is_cut(bytes, reach) && (CUT_MIN..31).contains(&(reach - end)));
    (slice(text, start, end) == "8Q~" && start - from >= 3 && enough).then(|| (start - 3, reach))
}

/// 32 hex digits and the data centre, such as `-us21`.
fn mailchimp(text: &str, start: usize, end: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let reach = run_end(bytes, end, 3, |byte| byte.is_ascii_digit());
    if slice(text, start, end) != "-us" || !(1..=2).contains(&(reach - end)) || is_word(at(bytes, reach)) {
        return None;
    }
    let from = run_start(bytes, start, 32, is_lower_hex);
    (start - from == 32 && !follows(bytes, from, is_word)).then_some((from, reach))
}

/// 14 letters and digits, `.atlasv1.`, then 60 or more.
fn terraform(text: &str, start: usize, end: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let from = run_start(bytes, start, 14, is_alphanumeric);
    let reach = run_end(bytes, end, LONGEST, |byte| is_base64url(byte) || byte == b'=');
    let enough = reach - end >= 60 || (is_cut(bytes, reach) && reach - end >= CUT_MIN);
    (start - from == 14 && enough).then_some((from, reach))
}

/// A secret token: the account as base64 of JSON, a dot and a signature. `pk.…` is public.
fn mapbox(text: &str, start: usize, end: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let account = run_end(bytes, end, 256, is_base64url);
    let reach = run_end(bytes, account + 1, 64, is_base64url);
    let whole = at(bytes, account) == b'.' && reach > account + 16;
    let cut = (is_cut(bytes, account) && account - end >= CUT_MIN)
        || (at(bytes, account) == b'.' && is_cut(bytes, reach) && account - end >= CUT_MIN);
    let alone = slice(text, start, end) == "sk.eyJ" && !follows(bytes, start, is_word);
    (alone && (whole || cut)).then_some((start, reach.min(bytes.len()).max(account)))
}

fn is_word_or_dot(byte: u8) -> bool {
    is_word(byte) || byte == b'.'
}

fn is_word_or_dot_or_dash(byte: u8) -> bool {
    is_base64url(byte) || byte == b'.'
}

fn is_word_or_dollar(byte: u8) -> bool {
    is_word(byte) || byte == b'$'
}

fn is_hex_or_dash(byte: u8) -> bool {
    byte.is_ascii_hexdigit() || byte == b'-'
}

fn is_base64_or_underscore(byte: u8) -> bool {
    is_base64(byte) || byte == b'_'
}

fn is_token_or_comma(byte: u8) -> bool {
    is_token(byte) || byte == b','
}

fn is_upper_alphanumeric(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit()
}

fn is_alphanumeric(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}

fn is_hex(byte: u8) -> bool {
    byte.is_ascii_hexdigit()
}

fn is_lower_hex(byte: u8) -> bool {
    byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// This many characters of the format, in turns.
    fn body(of: fn(u8) -> bool, length: usize) -> String {
        "a1C2e3B4d5F6".chars().filter(|c| of(*c as u8)).cycle().take(length).collect()
    }

    fn is_found(format: &Format, literal: &str, body: &str) -> bool {
        let text = format!("it is {literal}{body} now");
        format.span(&text, 6, 6 + literal.len()).is_some()
    }

    #[test]
    fn every_format_has_a_length_and_a_spelling() {
        for format in FORMATS {
            let (least, most, of) = match format.shape {
                Prefix { min, of } => (min, usize::MAX, of),
                Exact { len, of } | Alone { len, of } => (len, len, of),
                Rule(_) => continue,
            };
            let found = |length| is_found(format, format.literal, &body(of, length));
            assert!(found(least), "{}", format.literal);
            assert!(!found(least - 1), "{} and one less", format.literal);
            assert_eq!(found(least + 1), most > least, "{} and one more", format.literal);
            // The automaton ignores case; a format may not.
            let other = if format.literal.bytes().any(|byte| byte.is_ascii_lowercase()) {
                format.literal.to_ascii_uppercase()
            } else {
                format.literal.to_ascii_lowercase()
            };
            let is_letterless = other == format.literal;
            assert_eq!(is_found(format, &other, &body(of, least)), is_letterless, "{other}");
            if matches!(format.shape, Alone { .. }) {
                let text = format!("task{}{}", format.literal, body(of, least));
                assert_eq!(format.span(&text, 4, 4 + format.literal.len()), None, "{text}");
            }
        }
    }
}
