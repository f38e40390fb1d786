//! Every secret of every format in every place: at the start, middle and end of texts, and across their limits.

use serde_json::{Value, json};
use wire::limits;

use crate::support::{Kind, Secret, corpus, one_of_each, places, redact, survivor};

/// All failures together, because one wrong rule shows in many places.
#[derive(Default)]
struct Failures(Vec<String>);

impl Failures {
    fn check(&mut self, secret: &Secret, case: &str, kind: Kind, entry: &Value) {
        let (stored, findings) = redact(kind, entry);
        if let Some(window) = survivor(secret, &stored) {
            self.0.push(format!("{} in {case}: {window:?} of {:?} in {stored}", secret.kind, secret.text));
        } else if let Some(found) = findings.iter().find(|finding| {
            let name = finding.name.clone().unwrap_or_default();
            survivor(secret, &json!([name, finding.placeholder])).is_some()
        }) {
            self.0.push(format!("{} in {case}: a finding holds it: {found:?}", secret.kind));
        }
    }
}

impl Drop for Failures {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let shown: Vec<_> = self.0.iter().take(12).collect();
            assert!(self.0.is_empty(), "{} survived, such as {shown:#?}", self.0.len());
        }
    }
}

#[test]
fn the_corpus_has_three_of_every_format() {
    let source = include_str!("../../src/redact/formats.rs");
    let table = source.split("formats! {").nth(1).unwrap().split("\n}").next().unwrap();
    let secrets = corpus().secrets;
    for line in table.lines().map(str::trim).filter(|line| line.starts_with('"') && line.contains("\": \"")) {
        let kind = line.split('"').nth(1).unwrap();
        assert!(secrets.iter().filter(|secret| secret.kind == kind).count() >= 3, "{kind}");
    }
}

#[test]
fn no_secret_survives_in_any_place() {
    let mut failures = Failures::default();
    for secret in corpus().secrets {
        for (place, kind, entry) in places(&secret.carrier()) {
            failures.check(&secret, place, kind, &entry);
        }
    }
}

#[test]
fn no_secret_survives_in_any_context() {
    let corpus = corpus();
    let mut failures = Failures::default();
    for secret in &corpus.secrets {
        for context in &corpus.contexts {
            let text = context.replace("{}", &secret.carrier());
            failures.check(secret, context, Kind::Log, &json!({ "message": text, "args": [text] }));
        }
    }
    for secret in one_of_each() {
        for context in &corpus.contexts {
            for (place, kind, entry) in places(&context.replace("{}", &secret.carrier())) {
                failures.check(&secret, &format!("{place}, {context:?}"), kind, &entry);
            }
        }
    }
}

#[test]
fn no_secret_survives_without_separators_around_it() {
    let mut failures = Failures::default();
    let punctuation =
        ["(", ")", "[", "]", "{", "}", ":", ",", ";", "|", "*", "!", "\"", "'", "`", "<", ">", "→", "é", "\u{0}"];
    for secret in corpus().secrets {
        for mark in punctuation {
            let text = format!("{mark}{}{mark}", secret.carrier());
            failures.check(&secret, mark, Kind::Log, &json!({ "message": text, "args": [text] }));
        }
        if !secret.word {
            for letters in ["x", "token", "Key", "ключ", "ID_"] {
                let text = format!("{letters}{} end", secret.carrier());
                failures.check(&secret, letters, Kind::Log, &json!({ "message": text }));
            }
        }
    }
}

#[test]
fn no_secret_survives_beside_another() {
    let mut failures = Failures::default();
    let secrets = one_of_each();
    for (one, other) in secrets.iter().zip(secrets.iter().cycle().skip(1)) {
        for between in [" ", ",", "\n", "\",\"", "&b=", "; "] {
            let text = format!("{}{between}{}", one.carrier(), other.carrier());
            for secret in [one, other] {
                failures.check(
                    secret,
                    &format!("{} and {}", one.kind, other.kind),
                    Kind::Log,
                    &json!({ "message": text }),
                );
            }
        }
    }
}

/// Each place with a limit, and how a text is put there.
const LIMITED: &[(&str, Kind, usize)] = &[
    ("message", Kind::Log, limits::TEXT_BYTES),
    ("requestBody", Kind::Network, limits::REQUEST_BODY_BYTES),
    ("responseBody", Kind::Network, limits::RESPONSE_BODY_BYTES),
    ("data", Kind::WebSocket, limits::WEBSOCKET_MESSAGE_BYTES),
];

#[test]
fn no_secret_survives_across_a_limit() {
    let mut failures = Failures::default();
    for secret in corpus().secrets {
        let carrier = secret.carrier();
        for &(field, kind, limit) in LIMITED {
            for inside in [1, carrier.len() / 4, carrier.len() / 2, carrier.len() - 1] {
                let filler = "all is well ".repeat(limit / 12 + 1);
                let text = format!("{} {carrier} {}", &filler[..limit - 1 - inside], "more of it ".repeat(400));
                failures.check(&secret, &format!("{field}, {inside} inside"), kind, &json!({ field: text }));
            }
        }
    }
}

#[test]
fn a_long_secret_does_not_survive_across_a_limit() {
    let mut failures = Failures::default();
    let body = "x7Qa".repeat(1000);
    let jwt = format!("eyJhbGciOiJIUzI1NiJ9.eyJ{body}.{}", "sIg9".repeat(20));
    let key = format!("-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----");
    for (kind, prefix, text) in [("jwt", "eyJ", jwt), ("private_key", "-----BEGIN PRIVATE KEY-----", key)] {
        let secret = Secret {
            kind: kind.to_owned(),
            text: text.clone(),
            prefix: prefix.to_owned(),
            lead: String::new(),
            tail: String::new(),
            word: false,
        };
        for &(field, kind, limit) in LIMITED {
            let text = format!("{} {text}", "a".repeat(limit - 60));
            failures.check(&secret, field, kind, &json!({ field: text }));
        }
    }
}

#[test]
fn no_part_of_a_secret_that_the_sender_cut_survives() {
    let mut failures = Failures::default();
    for secret in corpus().secrets {
        let start = secret.lead.len() + secret.prefix.len();
        let whole = secret.lead.len() + secret.text.len();
        let carrier = secret.carrier();
        for cut in (start + 12..whole).step_by(3) {
            for mark in ["", "…", "...", "… [truncated]", "[truncated]"] {
                let text = format!("It said {}{mark}", &carrier[..cut]);
                let case = format!("cut at {cut} with {mark:?}");
                failures.check(&secret, &case, Kind::Log, &json!({ "message": text, "args": [text] }));
                failures.check(&secret, &case, Kind::Network, &json!({ "responseBody": text }));
            }
        }
    }
}

#[test]
fn the_kind_is_reported() {
    for secret in corpus().secrets {
        let (_, findings) = redact(Kind::Log, &json!({ "message": format!("got {} there", secret.carrier()) }));
        assert!(findings.iter().any(|finding| finding.kind == secret.kind), "{secret:?}: {findings:?}");
    }
}
