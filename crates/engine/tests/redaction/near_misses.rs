//! Texts that begin or look like a credential and are not one: a character too few, a letter too many, a word.

use serde_json::json;

use crate::support::{Kind, corpus, redact};

fn kinds(text: &str) -> Vec<&'static str> {
    redact(Kind::Log, &json!({ "message": text })).1.iter().map(|finding| finding.kind).collect()
}

/// The first letters of the alphabet in order, then digits: valid characters, but not random.
fn run(length: usize) -> String {
    "a1b2c3d4e5f6".chars().cycle().take(length).collect()
}

#[test]
fn one_character_too_few_is_not_a_credential() {
    for (prefix, least, kind) in [
        ("ghp_", 36, "github_token"),
        ("github_pat_", 22, "github_token"),
        ("glft-", 20, "gitlab_token"),
        ("sk_live_", 24, "stripe_key"),
        ("rk_live_", 24, "stripe_key"),
        ("xoxc-", 10, "slack_token"),
        ("AIza", 35, "google_api_key"),
        ("1//0", 40, "google_oauth"),
        ("sk-or-v1-", 64, "openrouter_key"),
        ("gsk_", 48, "groq_key"),
        ("xai-", 70, "xai_key"),
        ("pplx-", 40, "perplexity_key"),
        ("lsv2_pt_", 32, "langsmith_key"),
        ("xkeysib-", 64, "brevo_key"),
        ("shpat_", 32, "shopify_token"),
        ("dop_v1_", 64, "digitalocean_token"),
        ("hvs.", 24, "vault_token"),
        ("lin_oauth_", 32, "linear_key"),
        ("ntn_", 40, "notion_token"),
        ("sq0idb-", 22, "square_token"),
        ("pscale_oauth_", 32, "planetscale_token"),
        ("dp.pt.", 40, "doppler_token"),
        ("ATATT3xFf", 60, "atlassian_token"),
        ("glsa_", 40, "grafana_token"),
        ("glc_", 40, "grafana_token"),
        ("sntrys_", 60, "sentry_token"),
        ("dckr_pat_", 24, "docker_token"),
        ("rubygems_", 48, "rubygems_key"),
        ("sl.", 130, "dropbox_token"),
        ("HRKU-", 36, "heroku_key"),
        ("nfp_", 36, "netlify_token"),
        ("fo1_", 40, "fly_token"),
        ("CFPAT-", 40, "contentful_token"),
        ("dt0c01.", 80, "dynatrace_token"),
        ("tskey-", 20, "tailscale_key"),
        ("phx_", 40, "posthog_key"),
        ("bkua_", 40, "buildkite_token"),
        ("CCIPAT_", 40, "circleci_token"),
        ("AKCp", 60, "artifactory_key"),
        ("tfp_", 40, "typeform_token"),
        ("pnu_", 36, "prefect_key"),
        ("access-sandbox-", 36, "plaid_token"),
    ] {
        let text = |length| format!("it is {prefix}{} now", run(length));
        assert_eq!(kinds(&text(least)), [kind], "{prefix}");
        assert_eq!(kinds(&text(least + 1)), [kind], "{prefix}");
        assert_eq!(kinds(&text(least - 1)), [""; 0], "{prefix}");
    }
}

#[test]
fn of_a_fixed_length_one_character_more_is_not_one_either() {
    for (prefix, length, kind) in [
        ("npm_", 36, "npm_token"),
        ("hf_", 34, "huggingface_token"),
        ("dapi", 32, "databricks_token"),
        ("r8_", 37, "replicate_token"),
        ("secret_", 43, "notion_token"),
        ("EAAA", 60, "square_token"),
        ("cio", 32, "crates_token"),
        ("pul-", 40, "pulumi_token"),
        ("key-", 32, "mailgun_key"),
        ("SK", 32, "twilio_key"),
    ] {
        let text = |length| format!("it is {prefix}{} now", run(length));
        assert_eq!(kinds(&text(length)), [kind], "{prefix}");
        for other in [length - 1, length + 1] {
            assert_eq!(kinds(&text(other)), [""; 0], "{prefix} and {other}");
        }
    }
}

#[test]
fn similar_words_and_numbers_stay() {
    for text in [
        "AKIAIOSFODNN7 is short",
        "akiaiosfodnn7abcdefg is in small letters",
        "locale en-us1 and de-us",
        "0123456789abcdef0123456789abcde-us1 has 31 digits",
        "0123456789abcdef0123456789abcdef0-us1 has 33",
        "at 12:AA-34 and 1234567890:AAbbcc",
        "https://shop.example/bot/12345:open",
        "Bot user joined; Bot MTIzNDU2 left",
        "https://discord.com/api/webhooks/ is where they live, https://discord.com/api/webhooks/123/short",
        "ACdeadbeefdeadbeefdeadbeefdeadbeef is an account, which is no secret",
        "precio0123456789abcdef0123456789abcdef is a word before a number",
        "sdk-0.9.1-beta and sdk-android-2024",
        "pk.eyJ1IjoiYWNjdCIsImEiOiJjbHgifQ.abcdefghijklmnopqrstuv is public",
        "pk_live_0123456789abcdefghijABCDEFGH is public",
        "phc_0123456789abcdefghijABCDEFGHIJ0123456789abcd is public",
        "sk-cube-grid sk-folding-cube sk-loading-indicator-with-a-long-name",
        "SG.1.2 and SG.northamerica.example",
        "hooks.slack.com/services/ is documented",
        "version 8Q~ of abc8Q~def",
        "a.atlasv1.b",
        "x:APA91bshort",
    ] {
        assert_eq!(kinds(text), [""; 0], "{text}");
    }
}

#[test]
fn a_service_role_is_more_than_a_token() {
    use base64::Engine as _;
    let token = |role: &str| {
        let part = |text: String| base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(text);
        let claims = json!({ "iss": "supabase", "role": role }).to_string();
        format!("{}.{}.{}", part(r#"{"alg":"HS256"}"#.to_owned()), part(claims), run(43))
    };
    assert_eq!(kinds(&token("service_role")), ["supabase_key"]);
    assert_eq!(kinds(&token("anon")), ["jwt"]);
}

#[test]
fn only_live_formats_are_never_excused() {
    let example = |text: &str| {
        let (_, findings) = redact(Kind::Log, &json!({ "message": text }));
        assert_eq!(findings.len(), 1, "{text}: {findings:?}");
        findings[0].example
    };
    for (prefix, body, made_up) in [
        ("sk_live_", "testtesttesttesttesttest", false),
        ("sk_test_", "a1b2c3a1b2c3a1b2c3a1b2c3", true),
        ("rk_live_", "demodemodemodemodemodemo", false),
        ("ghp_", "exampleexampleexampleexampleexample1", false),
        ("ghs_", "dummydummydummydummydummydummydummy1", false),
        ("gho_", "dummydummydummydummydummydummydummy1", true),
        ("AKIA", "DEVDEMOTESTABCDE", false),
        ("AKIA", "IOSFODNN7EXAMPLE", true),
        ("AIza", "sampleA1b2C3d4E5f6G7h8I9j0K1l2M3n4O", true),
        ("AIza", "zzzzzzA1b2C3d4E5f6G7h8I9j0K1l2M3n4O", false),
        // Random letters may spell anything.
        ("AIza", "nbqnsGpWLuqIA1id6Vw5DdEv5HA064GiIjH", false),
        ("AIza", "nbqnsGpWLuqIA1id6VtEsT5dEv5HA064GiI", false),
        ("glpat-", "a1b2latest3c4d5e6f7g8h", false),
        ("glpat-", "a1b2-test-3c4d5e6f7g8h", true),
        ("hf_", "demolitionA1b2C3d4E5f6G7h8I9j0K1l2", false),
        ("xoxb-", "your-token-here-a1b2", true),
    ] {
        assert_eq!(example(&format!("it is {prefix}{body} now")), made_up, "{prefix}{body}");
    }
}

#[test]
fn the_corpus_has_no_secret_in_one_piece() {
    let file = include_str!("../../../../fixtures/redaction/secrets.json");
    for secret in corpus().secrets.iter().filter(|secret| secret.lead.is_empty()) {
        assert!(!file.contains(&secret.text), "{} lies in the file as it is", secret.kind);
    }
}
