//! How many credentials are found, and how often other text is taken for one, over a corpus of realistic texts.
//!
//! The repository contains no credential: texts have gaps, which are filled here with made-up credentials of the right
//! form.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice, clippy::print_stdout)]

mod benign;
mod secrets;

use engine::Redactor;
use engine::entry::{Arrival, Parse, Request};
use serde_json::{Value, json};
use wire::Timestamp;

/// A generator of the same numbers in every run.
pub(crate) struct Lot(u64);

impl Lot {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % most
    }

    pub(crate) fn text(&mut self, alphabet: &str, length: usize) -> String {
        let letters: Vec<char> = alphabet.chars().collect();
        (0..length).map(|_| letters[self.below(letters.len())]).collect()
    }

    pub(crate) fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }
}

/// What is stored of a response with this text, and the number of findings.
fn stored(text: &str) -> (String, usize) {
    let body = json!({ "url": "/", "responseBody": text });
    let body = Request::from_json(body, Arrival::at(Timestamp::default())).unwrap();
    let (body, findings) = Redactor::new().redact(body).into_parts();
    (body.response_body.unwrap_or_default(), findings.len())
}

fn texts(file: &str) -> Vec<String> {
    let file: Value = serde_json::from_str(file).unwrap();
    let texts = file.get("texts").unwrap_or(&file).as_array().unwrap();
    texts.iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

/// The text with its gaps filled, and the secrets that fill them.
fn filled(text: &str, lot: &mut Lot) -> (String, Vec<(String, String)>) {
    let mut out = String::new();
    let mut secrets = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").unwrap_or_else(|| panic!("{text}"));
        let secret = secrets::make(name, lot);
        out.push_str(before);
        // Within JSON a line break is written as one.
        let is_json = text.starts_with('{');
        out.push_str(&if is_json { secret.text.replace('\n', "\\n") } else { secret.text.clone() });
        secrets.push((name.to_owned(), secret.core));
        rest = after;
    }
    out.push_str(rest);
    (out, secrets)
}

#[test]
fn recall_and_precision() {
    let with = texts(include_str!("../../../../fixtures/corpus/with-secrets.json"));
    assert!(with.len() >= 200, "{}", with.len());
    let (mut total, mut missed) = (0, Vec::new());
    for (seed, text) in with.iter().enumerate() {
        for round in 0..3 {
            let mut lot = Lot::new(1 + seed as u64 * 3 + round);
            let (text, secrets) = filled(text, &mut lot);
            let (kept, _) = stored(&text);
            for (name, secret) in secrets {
                total += 1;
                // Line breaks may be written in two ways; the text between them must not survive.
                let survives = secret.split('\n').any(|line| line.len() >= 6 && kept.contains(line));
                if survives {
                    missed.push(format!("{name}: {kept}"));
                }
            }
        }
    }
    let benign = benign::all();
    assert!(benign.len() >= 500, "{}", benign.len());
    let wrong: Vec<String> = benign
        .iter()
        .filter_map(|text| {
            let (kept, found) = stored(text);
            (found > 0).then(|| kept.chars().take(400).collect())
        })
        .collect();
    let percent = |part: usize, whole: usize| part as f64 * 100.0 / whole as f64;
    // Read by `cargo xtask bench`.
    let found = json!({
        "what": format!("made-up credentials found, of {total} of {} formats in {} texts", secrets::NAMES.len(), with.len() * 3),
        "measured": percent(total - missed.len(), total), "bound": 100, "at_least": true, "unit": "%",
    });
    let mistaken = json!({
        "what": "texts without a credential taken for one",
        "note": format!("{} of {}", wrong.len(), benign.len()),
        "measured": percent(wrong.len(), benign.len()), "bound": 1, "unit": "%",
    });
    println!("\nfigure {found}\nfigure {mistaken}");
    assert!(missed.is_empty(), "missed {}: {:#?}", missed.len(), &missed[..missed.len().min(12)]);
    assert!(wrong.len() * 100 < benign.len(), "{} wrong: {wrong:#?}", wrong.len());
}

#[test]
fn every_format_has_a_text() {
    let with = texts(include_str!("../../../../fixtures/corpus/with-secrets.json")).concat();
    for name in secrets::NAMES {
        assert!(with.contains(&format!("{{{{{name}}}}}")), "{name}");
    }
}
