//! Values typed into password and card inputs.

use serde_json::{Value, json};

use crate::support::{Kind, redact};

fn stored(action: Value) -> Value {
    redact(Kind::Action, &action).0
}

#[test]
fn values_of_sensitive_inputs_are_hidden() {
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
        json!({ "name": "pwd" }),
        json!({ "name": "user[pass]" }),
        json!({ "name": "userPass" }),
        json!({ "name": "pass2" }),
        json!({ "name": "smsOTP" }),
        json!({ "name": "OTPCode" }),
        json!({ "selectors": { "id": "user-pass" } }),
        json!({ "selectors": { "id": "otp" } }),
        json!({ "selectors": { "id": "securityCode" } }),
        json!({ "selectors": { "ariaLabel": "One-time code" } }),
        json!({ "selectors": { "testId": "security-code" } }),
        json!({ "selectors": { "ariaLabel": "Your PIN" } }),
        json!({ "selectors": { "text": "Password" } }),
        json!({ "selectors": { "cssPath": "form.login > input.field.password" } }),
        json!({ "target": "input#pin" }),
    ] {
        let mut action = json!({ "type": "input", "value": "ada 1", "selectedValue": "12", "selectedText": "December", "key": "a",
                "text": "ada 1" });
        action.as_object_mut().unwrap().extend(how.as_object().unwrap().clone());
        let stored = stored(action);
        for field in ["value", "selectedValue", "selectedText", "key", "text"] {
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
        json!({ "name": "passenger" }),
        json!({ "name": "passport_number" }),
        json!({ "selectors": { "id": "compass", "ariaLabel": "Spinning wheel" } }),
        json!({ "selectors": { "id": "laptop-price", "text": "Hotplug" } }),
        json!({ "selectors": { "text": "We never ask for your password. ".repeat(4) } }),
    ] {
        let mut action = json!({ "type": "input", "value": "ada 1", "key": "a" });
        action.as_object_mut().unwrap().extend(how.as_object().unwrap().clone());
        let stored = stored(action);
        assert_eq!((&stored["value"], &stored["key"]), (&json!("ada 1"), &json!("a")), "{how}");
    }
}

#[test]
fn named_keys_and_empty_values_reveal_nothing() {
    let stored = stored(json!({ "type": "keypress", "inputType": "password", "key": "Enter", "value": "" }));
    assert_eq!((&stored["key"], &stored["value"]), (&json!("Enter"), &json!("")));
}

#[test]
fn keys_typed_into_a_sensitive_input_are_hidden() {
    for (key, stays) in [
        ("Enter", true),
        ("Escape", true),
        ("ArrowLeft", true),
        ("F12", true),
        ("Shift+Tab", true),
        ("Backspace", true),
        ("x", false),
        ("hunter2", false),
        ("Shift+A", false),
        ("F99", false),
    ] {
        let stored = stored(json!({ "type": "keypress", "inputType": "password", "key": key }));
        assert_eq!(stored["key"] == key, stays, "{key}: {stored}");
    }
}

#[test]
fn a_button_keeps_its_label() {
    for how in [
        json!({ "selectors": { "role": { "role": "button", "name": "Show password" } } }),
        json!({ "selectors": { "cssPath": "form > button#show-password" } }),
        json!({ "target": "a.forgot[href='/password']" }),
        json!({ "inputType": "submit", "name": "pass" }),
    ] {
        let mut action = json!({ "type": "click", "text": "Show password" });
        action.as_object_mut().unwrap().extend(how.as_object().unwrap().clone());
        assert_eq!(stored(action)["text"], "Show password", "{how}");
    }
}

/// A number of this many digits with a valid check digit.
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
fn card_numbers_are_recognised_by_their_check_digit() {
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
    for known in ["4111 1111 1111 1111", "5555-5555-5555-4444", "378282246310005", "4111.1111.1111.1111"] {
        assert_eq!(stored(json!({ "value": known }))["value"], "[redacted]");
        assert_eq!(stored(json!({ "text": known }))["text"], "[redacted]");
        assert_eq!(stored(json!({ "selectedText": known }))["selectedText"], "[redacted]");
    }
}

#[test]
fn same_site_is_one_of_three() {
    for (given, kept) in
        [("Lax", json!("Lax")), ("strict", json!("strict")), ("None", json!("None")), ("Zq8vLmTr4x", Value::Null)]
    {
        let (stored, _) = redact(Kind::Network, &json!({ "cookies": [{ "name": "a", "sameSite": given }] }));
        assert_eq!(stored["cookies"][0]["sameSite"], kept, "{given}");
    }
}
