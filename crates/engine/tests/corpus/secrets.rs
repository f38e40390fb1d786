//! Made-up credentials of every format.

use base64::Engine as _;

use crate::Lot;

const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const DIGITS: &str = "0123456789";
const ALPHANUMERIC: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const HEX: &str = "0123456789abcdef";
const URL: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const BASE64: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

pub(crate) struct Made {
    /// The text for the gap.
    pub(crate) text: String,
    /// The part of it that must not survive.
    pub(crate) core: String,
}

enum Form {
    /// A prefix, the alphabet of the rest, and its length.
    Prefixed(&'static str, &'static str, usize),
    Made(fn(&mut Lot) -> String),
    /// The same where only a part is secret.
    Part(fn(&mut Lot) -> (String, String)),
}

use Form::{Made as Of, Part, Prefixed};

macro_rules! forms {
    ($($name:literal => $form:expr;)*) => {
        pub(crate) const NAMES: &[&str] = &[$($name),*];

        fn form(name: &str) -> Form {
            match name {
                $($name => $form,)*
                _ => panic!("no format is called {name}"),
            }
        }
    };
}

pub(crate) fn make(name: &str, lot: &mut Lot) -> Made {
    let text = match form(name) {
        // The prefix alone reveals nothing.
        Prefixed(prefix, alphabet, length) => {
            let core = lot.text(alphabet, length);
            return Made { text: format!("{prefix}{core}"), core };
        }
        Of(make) => make(lot),
        Part(make) => {
            let (text, core) = make(lot);
            return Made { text, core };
        }
    };
    Made { core: text.clone(), text }
}

forms! {
    "github_pat" => Prefixed("ghp_", ALPHANUMERIC, 36);
    "github_fine_grained" => Of(|lot| format!("github_pat_{}_{}", lot.text(ALPHANUMERIC, 22), lot.text(ALPHANUMERIC, 59)));
    "github_oauth" => Prefixed("gho_", ALPHANUMERIC, 36);
    "github_app" => Prefixed("ghu_", ALPHANUMERIC, 36);
    "github_server" => Prefixed("ghs_", ALPHANUMERIC, 36);
    "github_refresh" => Prefixed("ghr_", ALPHANUMERIC, 76);
    "gitlab_pat" => Prefixed("glpat-", URL, 20);
    "gitlab_deploy" => Prefixed("gldt-", URL, 20);
    "gitlab_runner" => Prefixed("glrt-", URL, 20);
    "gitlab_feature" => Prefixed("glft-", URL, 20);
    "stripe_live" => Prefixed("sk_live_", ALPHANUMERIC, 24);
    "stripe_restricted" => Prefixed("rk_live_", ALPHANUMERIC, 99);
    "stripe_webhook" => Prefixed("whsec_", ALPHANUMERIC, 32);
    "slack_bot" => Of(|lot| format!("xoxb-{}-{}-{}", lot.text(DIGITS, 12), lot.text(DIGITS, 13), lot.text(ALPHANUMERIC, 24)));
    "slack_user" => Of(|lot| format!("xoxp-{}-{}-{}", lot.text(DIGITS, 12), lot.text(DIGITS, 12), lot.text(HEX, 32)));
    "slack_app" => Of(|lot| format!("xapp-1-A{}-{}-{}", lot.text(UPPER, 10), lot.text(DIGITS, 13), lot.text(HEX, 64)));
    "slack_cookie" => Prefixed("xoxd-", ALPHANUMERIC, 120);
    "slack_hook" => Of(|lot| format!("https://hooks.slack.com/services/T{}/B{}/{}", lot.text(UPPER, 8), lot.text(UPPER, 10), lot.text(ALPHANUMERIC, 24)));
    "google_api" => Prefixed("AIza", URL, 35);
    "google_access" => Prefixed("ya29.", URL, 160);
    "google_client_secret" => Prefixed("GOCSPX-", URL, 28);
    "google_refresh" => Prefixed("1//0", URL, 90);
    "anthropic" => Of(|lot| format!("sk-ant-api03-{}AA", lot.text(URL, 93)));
    "openai_project" => Of(|lot| format!("sk-proj-{}T3BlbkFJ{}", lot.text(URL, 74), lot.text(URL, 74)));
    "openai_service" => Prefixed("sk-svcacct-", URL, 120);
    "openai_plain" => Of(|lot| format!("sk-{}T3BlbkFJ{}", lot.text(ALPHANUMERIC, 20), lot.text(ALPHANUMERIC, 20)));
    "openrouter" => Prefixed("sk-or-v1-", HEX, 64);
    "groq" => Prefixed("gsk_", ALPHANUMERIC, 52);
    "xai" => Prefixed("xai-", ALPHANUMERIC, 80);
    "perplexity" => Prefixed("pplx-", ALPHANUMERIC, 48);
    "replicate" => Prefixed("r8_", ALPHANUMERIC, 37);
    "langsmith" => Of(|lot| format!("lsv2_pt_{}_{}", lot.text(HEX, 32), lot.text(HEX, 10)));
    "npm" => Prefixed("npm_", ALPHANUMERIC, 36);
    "pypi" => Of(|lot| format!("pypi-AgEIcHlwaS5vcmc{}", lot.text(URL, 150)));
    "sendgrid" => Of(|lot| format!("SG.{}.{}", lot.text(URL, 22), lot.text(URL, 43)));
    "twilio_key" => Prefixed("SK", HEX, 32);
    "azure_storage" => Of(|lot| format!("AccountKey={}==", lot.text(BASE64, 86)));
    "azure_shared" => Of(|lot| format!("SharedAccessKey={}=", lot.text(BASE64, 43)));
    "azure_client" => Of(|lot| format!("{}8Q~{}", lot.text(ALPHANUMERIC, 3), lot.text(ALPHANUMERIC, 34)));
    "mailchimp" => Of(|lot| format!("{}-us{}", lot.text(HEX, 32), 1 + lot.below(21)));
    "brevo" => Of(|lot| format!("xkeysib-{}-{}", lot.text(HEX, 64), lot.text(ALPHANUMERIC, 16)));
    "shopify" => Prefixed("shpat_", HEX, 32);
    "shopify_shared" => Prefixed("shpss_", HEX, 32);
    "huggingface" => Prefixed("hf_", LETTERS, 34);
    "digitalocean" => Prefixed("dop_v1_", HEX, 64);
    "databricks" => Prefixed("dapi", HEX, 32);
    "vault" => Prefixed("hvs.", URL, 95);
    "vault_batch" => Prefixed("hvb.", URL, 140);
    "terraform" => Of(|lot| format!("{}.atlasv1.{}", lot.text(ALPHANUMERIC, 14), lot.text(ALPHANUMERIC, 67)));
    "linear" => Prefixed("lin_api_", ALPHANUMERIC, 40);
    "notion" => Prefixed("ntn_", ALPHANUMERIC, 46);
    "notion_old" => Prefixed("secret_", ALPHANUMERIC, 43);
    "supabase" => Prefixed("sbp_", HEX, 40);
    "supabase_secret" => Prefixed("sb_secret_", URL, 31);
    "square" => Prefixed("sq0csp-", URL, 43);
    "square_access" => Prefixed("EAAA", URL, 60);
    "braintree" => Of(|lot| format!("access_token$production${}${}", lot.text(HEX, 16), lot.text(HEX, 32)));
    "plaid" => Of(|lot| format!("access-production-{}-{}-{}-{}-{}", lot.text(HEX, 8), lot.text(HEX, 4), lot.text(HEX, 4), lot.text(HEX, 4), lot.text(HEX, 12)));
    "planetscale" => Prefixed("pscale_tkn_", URL, 43);
    "postman" => Of(|lot| format!("PMAK-{}-{}", lot.text(HEX, 24), lot.text(HEX, 34)));
    "figma" => Prefixed("figd_", URL, 40);
    "mailgun" => Prefixed("key-", HEX, 32);
    "telegram_url" => Part(|lot| {
        let token = format!("{}:AA{}", lot.text("123456789", 10), lot.text(URL, 33));
        (format!("https://api.telegram.org/bot{token}/getMe"), token)
    });
    "telegram" => Of(|lot| format!("{}:AA{}", lot.text("123456789", 10), lot.text(URL, 33)));
    "discord_bot" => Part(|lot| {
        let user = base64::engine::general_purpose::STANDARD_NO_PAD.encode(lot.text("123456789", 18));
        let token = format!("{user}.{}.{}", lot.text(URL, 6), lot.text(URL, 38));
        (format!("Bot {token}"), token)
    });
    "discord_hook" => Part(|lot| {
        let token = format!("{}/{}", lot.text("123456789", 18), lot.text(URL, 68));
        (format!("https://discord.com/api/webhooks/{token}"), token)
    });
    "doppler" => Prefixed("dp.pt.", ALPHANUMERIC, 43);
    "atlassian" => Of(|lot| format!("ATATT3xFfGF0{}={}", lot.text(URL, 170), lot.text(UPPER, 8)).replace('=', "_"));
    "grafana" => Of(|lot| format!("glsa_{}_{}", lot.text(ALPHANUMERIC, 32), lot.text(HEX, 8)));
    "grafana_cloud" => Of(|lot| format!("glc_eyJ{}", lot.text(ALPHANUMERIC, 120)));
    "sentry_org" => Of(|lot| format!("sntrys_eyJ{}_{}", lot.text(ALPHANUMERIC, 120), lot.text(BASE64, 43)));
    "sentry_user" => Prefixed("sntryu_", HEX, 64);
    "docker" => Prefixed("dckr_pat_", URL, 27);
    "rubygems" => Prefixed("rubygems_", HEX, 48);
    "crates" => Prefixed("cio", ALPHANUMERIC, 32);
    "dropbox" => Prefixed("sl.", URL, 140);
    "newrelic" => Prefixed("NRAK-", UPPER, 27);
    "heroku" => Prefixed("HRKU-", URL, 60);
    "netlify" => Prefixed("nfp_", ALPHANUMERIC, 36);
    "fly" => Prefixed("fo1_", URL, 43);
    "mapbox" => Of(|lot| {
        let account = format!(r#"{{"u":"shop","a":"{}"}}"#, lot.text(HEX, 25));
        format!("sk.{}.{}", base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(account), lot.text(URL, 22))
    });
    "contentful" => Prefixed("CFPAT-", URL, 43);
    "pulumi" => Prefixed("pul-", HEX, 40);
    "dynatrace" => Of(|lot| format!("dt0c01.{}.{}", lot.text(UPPER, 24), lot.text(UPPER, 64)));
    "tailscale" => Of(|lot| format!("tskey-auth-k{}CNTRL-{}", lot.text(ALPHANUMERIC, 11), lot.text(ALPHANUMERIC, 32)));
    "age" => Prefixed("AGE-SECRET-KEY-1", "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58);
    "launchdarkly" => Of(|lot| format!("sdk-{}-{}-{}-{}-{}", lot.text(HEX, 8), lot.text(HEX, 4), lot.text(HEX, 4), lot.text(HEX, 4), lot.text(HEX, 12)));
    "posthog" => Prefixed("phx_", ALPHANUMERIC, 43);
    "buildkite" => Prefixed("bkua_", HEX, 40);
    "circleci" => Of(|lot| format!("CCIPAT_{}_{}", lot.text(ALPHANUMERIC, 22), lot.text(HEX, 40)));
    "artifactory" => Prefixed("AKCp", ALPHANUMERIC, 69);
    "typeform" => Prefixed("tfp_", URL, 59);
    "prefect" => Prefixed("pnu_", ALPHANUMERIC, 36);
    "firebase" => Of(|lot| format!("{}:APA91b{}", lot.text(ALPHANUMERIC, 11), lot.text(URL, 134)));
    "aws_access" => Prefixed("AKIA", UPPER, 16);
    "aws_session_key" => Prefixed("ASIA", UPPER, 16);
    "aws_secret" => Of(|lot| lot.text(BASE64, 40));
    "jwt" => Of(|lot| {
        let subject = lot.text(DIGITS, 10);
        token(lot, &format!(r#"{{"sub":"{subject}","exp":1893456000}}"#))
    });
    "jwt_service_role" => Of(|lot| token(lot, r#"{"iss":"supabase","role":"service_role"}"#));
    "private_key_rsa" => Of(|lot| pem(lot, "RSA "));
    "private_key_ec" => Of(|lot| pem(lot, "EC "));
    "opaque" => Of(|lot| format!("{}7{}", lot.text(ALPHANUMERIC, 20), lot.text(ALPHANUMERIC, 20)));
    "password" => Of(|lot| format!("{}9-{}", lot.text(LETTERS, 8), lot.text(ALPHANUMERIC, 6)));
    "basic" => Of(|lot| base64::engine::general_purpose::STANDARD.encode(format!("ada:{}", lot.text(ALPHANUMERIC, 17))));
}

fn token(lot: &mut Lot, claims: &str) -> String {
    let part = |text: &str| base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(text);
    format!("{}.{}.{}", part(r#"{"alg":"HS256","typ":"JWT"}"#), part(claims), lot.text(URL, 43))
}

fn pem(lot: &mut Lot, kind: &str) -> String {
    let lines: Vec<String> = (0..6).map(|_| lot.text(BASE64, 64)).collect();
    format!("-----BEGIN {kind}PRIVATE KEY-----\n{}\n-----END {kind}PRIVATE KEY-----", lines.join("\n"))
}
