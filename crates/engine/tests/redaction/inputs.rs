//! What is typed into password and card inputs.

use serde_json::{Value, json};

use crate::support::{Kind, redact};

fn stored(action: Value) -> Value {
    redact(Kind::Action, &action).0
}

#[test]
fn sensitive_inputs() {
    for how in [
        json!({ "inputType": "password" }),
        json!({ "inputType": "PASSWORD" }),
        json!({ "autocomplete": "cc-number" }),
        json!({ "autocomplete": "cc-csc" }),
        json!({ "autocomplete": "CC-EXP" }),
        json!({ "autocomplete": "cc-name" }),
        json!({ "autocomplete": "section-a billing cc-number" }),
        json!({ "autocomplete": "current-password" }),
        json!({ "autocomplete": "one-time-code" }),
        json!({ "selectors": { "id": "cardNumber" } }),
        json!({ "selectors": { "id": "CVV" } }),
        json!({ "selectors": { "ariaLabel": "Card number" } }),
        json!({ "selectors": { "testId": "cvc-field" } }),
        json!({ "selectors": { "role": { "role": "textbox", "name": "CVC" } } }),
        json!({ "selectors": { "cssPath": "form > input[name=\"cardnumber\"]" } }),
        json!({ "selectors": { "cssPath": "div.row input#cvv" } }),
        json!({ "selectors": { "ariaLabel": "Password" } }),
        json!({ "target": "#card-number" }),
        json!({ "target": "input[name=cvc]" }),
        json!({ "target": "#login input[name='user password']" }),
    ] {
        let mut action =
            json!({ "type": "input", "value": "ada 1", "selectedValue": "12", "selectedText": "December", "key": "a" });
        action.as_object_mut().unwrap().extend(how.as_object().unwrap().clone());
        let stored = stored(action);
        for field in ["value", "selectedValue", "selectedText", "key"] {
            assert_eq!(stored[field], "[redacted]", "{how}: {stored}");
        }
    }
}

#[test]
fn other_inputs_stay() {
    for how in [
        json!({}),
        json!({ "inputType": "email", "autocomplete": "email" }),
        json!({ "autocomplete": "billing postal-code" }),
        json!({ "selectors": { "id": "email", "cssPath": "div.card > div.card-body > input#email" } }),
        json!({ "target": ".card .password-form input.cvc-like[name=city]" }),
    ] {
        let mut action = json!({ "type": "input", "value": "ada 1", "key": "a" });
        action.as_object_mut().unwrap().extend(how.as_object().unwrap().clone());
        let stored = stored(action);
        assert_eq!((&stored["value"], &stored["key"]), (&json!("ada 1"), &json!("a")), "{how}");
    }
}

#[test]
fn named_keys_and_empty_values_tell_nothing() {
    let stored = stored(json!({ "type": "keypress", "inputType": "password", "key": "Enter", "value": "" }));
    assert_eq!((&stored["key"], &stored["value"]), (&json!("Enter"), &json!("")));
}

/// So many digits, the last of which makes the number valid.
fn luhn(length: usize) -> String {
    let head: String = "4539148803436467291".chars().cycle().take(length - 1).collect();
    let sum = |digits: &str| -> u32 {
        digits
            .chars()
            .rev()
            .enumerate()
            .map(|(place, digit)| match (place % 2, digit.to_digit(10).unwrap()) {
                (0, digit) => digit,
                (_, digit) => digit * 2 / 10 + digit * 2 % 10,
            })
            .sum()
    };
    (0..10).map(|digit| format!("{head}{digit}")).find(|number| sum(number).is_multiple_of(10)).unwrap()
}

#[test]
fn card_numbers_by_their_check_digit() {
    for length in 10..=22 {
        let valid = luhn(length);
        let last = valid.chars().last().unwrap().to_digit(10).unwrap();
        let near = format!("{}{}", &valid[..length - 1], (last + 1) % 10);
        let groups: Vec<String> =
            valid.as_bytes().chunks(4).map(|group| String::from_utf8_lossy(group).into_owned()).collect();
        let is_card = (13..=19).contains(&length);
        for written in [valid.clone(), groups.join(" "), groups.join("-")] {
            let stored = stored(json!({ "type": "input", "value": written }));
            assert_eq!(stored["value"] == "[redacted]", is_card, "{written}: {stored}");
        }
        assert_eq!(stored(json!({ "type": "input", "value": near }))["value"], near.as_str());
        let prose = format!("{valid} times");
        assert_eq!(stored(json!({ "type": "input", "value": prose }))["value"], prose.as_str());
    }
    for known in ["4111 1111 1111 1111", "5555-5555-5555-4444", "378282246310005", "6011111111111117"] {
        assert_eq!(stored(json!({ "value": known }))["value"], "[redacted]");
    }
}
