//! Personal data in texts. E-mail addresses, phone numbers, social security numbers and card numbers are recognised by
//! their form, other data by the names of JSON fields.
//!
//! Every function looks at each byte a bounded number of times.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use wire::limits;

use super::fields::{self, Content};
use crate::entry::Request;
use crate::redact::{Finding, at, before, has_check_digit, preview};
use crate::store::Stored;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sort {
    Email,
    Phone,
    SocialSecurity,
    CreditCard,
}

impl Sort {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::Phone => "phone",
            Self::SocialSecurity => "ssn",
            Self::CreditCard => "credit_card",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Match {
    pub(super) sort: Sort,
    start: usize,
    end: usize,
}

impl Match {
    pub(super) fn text(self, of: &str) -> &str {
        of.get(self.start..self.end).unwrap_or_default()
    }
}

/// Values with such a word in them are made up.
const MOCK_WORDS: &[&str] = &["test", "mock", "example"];
const LONGEST_LOCAL_PART: usize = 64;
const LONGEST_DOMAIN: usize = 255;
/// The longest number that is searched for, separators included.
const LONGEST_NUMBER: usize = 32;

pub(super) fn is_mock(value: &str) -> bool {
    // `test2@…` and `testuser@…` are made up; `contest` and `testarossa` are other words.
    const MORE: &[&str] = &["user", "account", "er", "ing", "mail", "data", "person"];
    let value = value.to_ascii_lowercase();
    value.split(|c: char| !c.is_ascii_alphabetic()).any(|part| {
        let rest = MOCK_WORDS.iter().find_map(|word| part.strip_prefix(word));
        rest.is_some_and(|rest| rest.is_empty() || MORE.contains(&rest))
    })
}

/// The part of a text that is scanned.
fn head(text: &str) -> &str {
    let most = limits::SECURITY_SCAN_BYTES;
    let end = (0..=most.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    text.get(..end).unwrap_or(text)
}

/// Whether this byte may be part of a match.
fn is_mark(byte: u8) -> bool {
    matches!(byte, b'@' | b'+' | b'(' | b'0'..=b'9')
}

/// The first `most` matches, in order.
pub(super) fn matches(text: &str, most: usize) -> Vec<Match> {
    let bytes = text.as_bytes();
    let mut found: Vec<Match> = Vec::new();
    let mut index = 0;
    while found.len() < most {
        // Most bytes are letters, and most texts hold nothing else.
        index += bytes.get(index..).unwrap_or_default().iter().take_while(|byte| !is_mark(**byte)).count();
        let Some(&byte) = bytes.get(index) else { break };
        let match_ = match byte {
            b'@' => email(bytes, index),
            b'+' => international(bytes, index),
            b'(' => with_area_code(bytes, index),
            b'0'..=b'9' if !joins(bytes, index) => number(bytes, index),
            _ => None,
        };
        match match_ {
            Some(match_) if found.last().is_none_or(|last| last.end <= match_.start) => {
                index = match_.end.max(index + 1);
                found.push(match_);
            }
            // The rest of a group of digits does not start a number.
            _ if byte.is_ascii_digit() => index += run(bytes, index, LONGEST_NUMBER, |byte| byte.is_ascii_digit()),
            _ => index += 1,
        }
    }
    found
}

/// The text with only the ends of personal data.
pub(super) fn masked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for match_ in matches(text, usize::MAX) {
        out.push_str(text.get(from..match_.start).unwrap_or_default());
        out.push_str(&ends(match_.text(text)));
        from = match_.end;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}

/// The first 6 and last 3 characters of a value that is long enough.
pub(super) fn ends(value: &str) -> String {
    preview(value).unwrap_or_else(|| super::evidence::HIDDEN.to_owned())
}

fn run(bytes: &[u8], from: usize, most: usize, of: impl Fn(u8) -> bool) -> usize {
    bytes.get(from..).unwrap_or_default().iter().take(most).take_while(|byte| of(**byte)).count()
}

/// Whether the byte before makes this the middle of a longer word.
fn joins(bytes: &[u8], index: usize) -> bool {
    let byte = before(bytes, index);
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/' | b'#' | b'%') || !byte.is_ascii()
}

/// Whether the bytes here make the preceding number the start of a longer one.
fn goes_on(bytes: &[u8], index: usize) -> bool {
    let byte = at(bytes, index);
    let next_is_digit = at(bytes, index + 1).is_ascii_digit();
    byte.is_ascii_alphanumeric() || byte == b'_' || (matches!(byte, b'-' | b'.' | b':' | b'/') && next_is_digit)
}

fn email(bytes: &[u8], sign: usize) -> Option<Match> {
    let is_local = |byte: u8| byte.is_ascii_alphanumeric() || b"._%+-".contains(&byte);
    let local = bytes.get(..sign)?.iter().rev().take(LONGEST_LOCAL_PART).take_while(|byte| is_local(**byte)).count();
    let start = sign - local;
    let length = run(bytes, sign + 1, LONGEST_DOMAIN, |byte| byte.is_ascii_alphanumeric() || b".-".contains(&byte));
    let domain = std::str::from_utf8(bytes.get(sign + 1..sign + 1 + length)?).ok()?;
    let domain = domain.trim_end_matches(['.', '-']);
    let (_, top) = domain.rsplit_once('.')?;
    let is_top = top.len() >= 2 && top.bytes().all(|byte| byte.is_ascii_alphabetic());
    let mut labels = domain.split('.');
    let is_number = |label: Option<&str>| label.is_some_and(|label| label.bytes().all(|byte| byte.is_ascii_digit()));
    // `lodash@4.17.21-beta.js` is a package, `logo@2x.png` an image.
    let is_version = is_number(labels.next()) && is_number(labels.next());
    const FILES: &[&str] = &[
        "png", "jpg", "jpeg", "gif", "webp", "svg", "avif", "ico", "js", "mjs", "cjs", "ts", "tsx", "jsx", "css",
        "map", "json", "html", "vue", "tgz", "pdf",
    ];
    let is_file = FILES.iter().any(|file| top.eq_ignore_ascii_case(file));
    // `https://user@host` and `git@host:path` name accounts of machines.
    let is_account = before(bytes, start) == b'/' || bytes.get(start..sign) == Some(b"git".as_slice());
    let is_one = local > 0 && is_top && !is_version && !is_file && !is_account && !domain.contains("..");
    is_one.then(|| Match { sort: Sort::Email, start, end: sign + 1 + domain.len() })
}

/// `+`, then 8 to 15 digits in groups.
fn international(bytes: &[u8], start: usize) -> Option<Match> {
    let byte = before(bytes, start);
    if byte.is_ascii_alphanumeric() || byte == b'+' || !matches!(at(bytes, start + 1), b'1'..=b'9') {
        return None;
    }
    let mut index = start + 1;
    let mut end = index;
    let mut digits = 0;
    while index < start + LONGEST_NUMBER {
        match at(bytes, index) {
            b'0'..=b'9' => {
                digits += 1;
                index += 1;
                end = index;
            }
            // One separator between groups; `) ` and ` (` have two.
            b' ' | b'-' | b'.' | b'(' | b')' if index - end < 2 => index += 1,
            _ => break,
        }
    }
    ((8..=15).contains(&digits) && !goes_on(bytes, end)).then_some(Match { sort: Sort::Phone, start, end })
}

/// `(555) 123-4567`.
fn with_area_code(bytes: &[u8], start: usize) -> Option<Match> {
    let is_digit = |byte: u8| byte.is_ascii_digit();
    let after = start + 5 + usize::from(at(bytes, start + 5) == b' ');
    let is_one = run(bytes, start + 1, 4, is_digit) == 3
        && at(bytes, start + 4) == b')'
        && run(bytes, after, 4, is_digit) == 3
        && matches!(at(bytes, after + 3), b'-' | b'.' | b' ')
        && run(bytes, after + 4, 5, is_digit) == 4
        && !goes_on(bytes, after + 8);
    is_one.then_some(Match { sort: Sort::Phone, start, end: after + 8 })
}

/// Digits in groups with the same separator: a card, a social security number, a phone number.
fn number(bytes: &[u8], start: usize) -> Option<Match> {
    let mut lengths = [0; 6];
    let mut count = 0;
    let mut mark = 0;
    let mut end = start;
    let mut index = start;
    for place in &mut lengths {
        if index >= start + LONGEST_NUMBER {
            break;
        }
        let length = run(bytes, index, LONGEST_NUMBER, |byte| byte.is_ascii_digit());
        if length == 0 {
            break;
        }
        *place = length;
        count += 1;
        end = index + length;
        let next = at(bytes, end);
        if !matches!(next, b' ' | b'-' | b'.') || (mark != 0 && next != mark) {
            break;
        }
        mark = next;
        index = end + 1;
    }
    let mark = if count > 1 { mark } else { 0 };
    let sort = match (lengths.get(..count)?, mark) {
        ([3, 2, 4], b'-') if is_social_security(bytes.get(start..end)?) => Sort::SocialSecurity,
        ([3, 3, 4], b'-' | b'.') | ([1, 3, 3, 4], b'-') => Sort::Phone,
        ([13..=19] | [4, 4, 4, 4] | [4, 4, 4, 4, 1..=3] | [4, 6, 4 | 5], 0 | b' ' | b'-')
            if is_card(bytes.get(start..end)?) =>
        {
            Sort::CreditCard
        }
        _ => return None,
    };
    (!goes_on(bytes, end)).then_some(Match { sort, start, end })
}

/// Not every number of this form is assigned: none begins with 000 or 666, and no group is all zeros.
fn is_social_security(text: &[u8]) -> bool {
    !text.starts_with(b"000") && !text.starts_with(b"666") && text.get(4..6) != Some(b"00") && !text.ends_with(b"0000")
}

/// A number that a card issuer could have assigned, with a valid check digit.
fn is_card(text: &[u8]) -> bool {
    let digits: Vec<u32> = text.iter().filter_map(|byte| char::from(*byte).to_digit(10)).collect();
    let begins = |count: usize| digits.iter().take(count).fold(0, |number, digit| number * 10 + digit);
    let is_issued = match digits.len() {
        13 | 19 => begins(1) == 4,
        14 => matches!(begins(2), 30 | 36 | 38 | 39),
        15 => matches!(begins(2), 34 | 37),
        16 => {
            begins(1) == 4
                || (51..=55).contains(&begins(2))
                || (2221..=2720).contains(&begins(4))
                || matches!(begins(2), 35 | 64 | 65)
                || begins(4) == 6011
        }
        _ => false,
    };
    is_issued && has_check_digit(&digits)
}

/// The personal data in a response.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Personal {
    /// `email`, `phone`, `address` and the like.
    pub(super) fields: BTreeSet<&'static str>,
    /// Whether some of it is not made up.
    pub(super) is_real: bool,
}

impl Personal {
    fn add(&mut self, name: &'static str, is_mock: bool) {
        self.fields.insert(name);
        self.is_real |= !is_mock;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }
}

/// By names and values of a JSON text, down to the depth limit; in other texts by values alone.
fn of_text(text: &str) -> Personal {
    let text = head(text);
    let mut personal = Personal::default();
    let mut left = limits::SECURITY_MATCHES_PER_BODY;
    if !fields::is_json(text) {
        for match_ in matches(text, left) {
            personal.add(match_.sort.name(), is_mock(match_.text(text)));
        }
        return personal;
    }
    for field in fields::fields(text) {
        if left == 0 {
            break;
        }
        if field.depth > limits::SECURITY_FIELD_DEPTH {
            continue;
        }
        let value = match &field.content {
            Content::Text(text) => text.as_ref(),
            Content::Number(number) => number,
            Content::Word | Content::Nested => "",
        };
        let is_nested = field.content == Content::Nested;
        if let Some(name) = field.name.as_deref().and_then(|name| by_name(name, value, is_nested)) {
            personal.add(name, is_mock(value));
            left -= 1;
        }
        let found = matches(value, left);
        left -= found.len();
        for match_ in found {
            personal.add(match_.sort.name(), is_mock(match_.text(value)));
        }
    }
    personal
}

/// The personal data in a response, both in its text and redacted from it.
pub(super) fn of_answer(stored: &Stored<Request>) -> Personal {
    let mut personal = of_text(stored.entry.response_body.as_deref().unwrap_or_default());
    of_findings(&stored.findings, &mut personal);
    personal
}

/// Personal data among what was redacted from the response.
fn of_findings(findings: &[Finding], into: &mut Personal) {
    for finding in findings.iter().filter(|finding| finding.field == "responseBody" && !finding.example) {
        match finding.kind {
            "jwt" => into.add("jwt", false),
            "password" => into.add("password", false),
            _ => {}
        }
    }
}

/// Whether the name contains any part that [`by_name`] looks for. Almost no name does, and this runs for every field of
/// every response.
fn may_be_personal(name: &str) -> bool {
    const PARTS: &[&str] = &[
        "email",
        "phone",
        "ssn",
        "socialsecurity",
        "creditcard",
        "cardnumber",
        "address",
        "dateofbirth",
        "birthdate",
        "dob",
    ];
    static FINDER: OnceLock<Option<AhoCorasick>> = OnceLock::new();
    let finder = FINDER.get_or_init(|| {
        let mut builder = AhoCorasick::builder();
        builder.kind(Some(AhoCorasickKind::DFA)).ascii_case_insensitive(true).prefilter(false).build(PARTS).ok()
    });
    let is_bare = name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let bare = if is_bare { Cow::Borrowed(name) } else { name.chars().filter(char::is_ascii_alphanumeric).collect() };
    finder.as_ref().is_none_or(|finder| finder.is_match(bare.as_ref()))
}

/// What a field of this name contains, if its value fits: the labels of a form have the same names.
fn by_name(name: &str, value: &str, is_nested: bool) -> Option<&'static str> {
    if !may_be_personal(name) {
        return None;
    }
    let bare: String = name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let is_word = |wanted: &str| {
        let mut words = name.split(|c: char| !c.is_ascii_alphanumeric());
        words.any(|word| word.eq_ignore_ascii_case(wanted))
    };
    const PLACES_OF_MACHINES: &[&str] =
        &["ip", "mac", "wallet", "contract", "web", "url", "base", "memory", "token", "remote"];
    let is_machine = bare
        .split_once("address")
        .is_some_and(|(before, _)| PLACES_OF_MACHINES.iter().any(|place| before.ends_with(place)));
    if bare.contains("email") {
        value.contains('@').then_some("email")
    } else if bare.contains("phone") {
        (7..=18).contains(&digits).then_some("phone")
    } else if is_word("ssn") || bare.contains("socialsecurity") {
        (digits >= 4).then_some("ssn")
    } else if bare.contains("creditcard") || bare.contains("cardnumber") {
        (digits >= 4).then_some("credit_card")
    } else if bare.contains("address") && !is_machine {
        (is_nested || (digits > 0 && value.contains(' '))).then_some("address")
    } else if bare.contains("dateofbirth") || bare.contains("birthdate") || is_word("dob") {
        (digits >= 4).then_some("date_of_birth")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(&'static str, &str)> {
        matches(text, usize::MAX).into_iter().map(|match_| (match_.sort.name(), match_.text(text))).collect()
    }

    #[test]
    fn email_addresses_are_found() {
        for (text, expected) in [
            ("ada@lovelace.org", Some("ada@lovelace.org")),
            ("mail to <ada.b+c_d%e-f@mail.lovelace.co.uk>.", Some("ada.b+c_d%e-f@mail.lovelace.co.uk")),
            ("a@163.com", Some("a@163.com")),
            ("write a@b.co.", Some("a@b.co")),
            ("@decorator", None),
            ("a@b", None),
            ("a@b.c", None),
            ("a@b.c1", None),
            ("@lovelace.org", None),
            ("lodash@4.17.21", None),
            ("lodash@4.17.21-beta.next", None),
            ("logo@2x.png", None),
            ("pkg@latest/index.mjs", None),
            ("git@github.com:a/b", None),
            ("https://ada@lovelace.org/", None),
            ("a@b..org", None),
        ] {
            let expected: Vec<_> = expected.iter().map(|text| ("email", *text)).collect();
            assert_eq!(found(text), expected, "{text}");
        }
        let long = format!("{}@{}.org", "a".repeat(100), "b".repeat(300));
        assert_eq!(found(&long), []);
    }

    #[test]
    fn made_up_values_are_recognised_by_whole_words() {
        for value in ["test@corp.io", "ada.test2@corp.io", "testuser@corp.io", "ada@example.com", "MOCK-17"] {
            assert!(is_mock(value), "{value}");
        }
        for value in ["ada@contest.org", "latesta@corp.io", "ada@testarossa.it", "hammock@corp.io"] {
            assert!(!is_mock(value), "{value}");
        }
    }

    #[test]
    fn phone_numbers_are_found() {
        for (text, expected) in [
            ("call +49 30 901820 now", Some("+49 30 901820")),
            ("+14155550123", Some("+14155550123")),
            ("+1 (415) 555-0123.", Some("+1 (415) 555-0123")),
            ("tel:+44-20-7946-0958", Some("+44-20-7946-0958")),
            ("(555) 123-4567", Some("(555) 123-4567")),
            ("(555)123-4567", Some("(555)123-4567")),
            ("555-123-4567", Some("555-123-4567")),
            ("555.123.4567", Some("555.123.4567")),
            ("1-555-123-4567", Some("1-555-123-4567")),
            ("+1234567", None),
            ("+12345678", Some("+12345678")),
            ("+123456789012345", Some("+123456789012345")),
            ("+1234567890123456", None),
            ("+0123456789", None),
            ("4155550123", None),
            ("14155550123", None),
            ("2024-01-15", None),
            ("2024-01-15T10:20:30+01:00", None),
            ("10:20:30 +0100", None),
            ("2024-01-15 10:20:30", None),
            ("15.01.2024", None),
            ("01/15/2024", None),
            ("192.168.100.1000", None),
            ("555 123 4567", None),
            ("1e+12345678", None),
            ("a+12345678", None),
            ("(123) 456", None),
            ("(1234) 567-8901", None),
            ("x555-123-4567", None),
            ("555-123-45678", None),
            ("555-123-4567-8", None),
            ("#555-123-4567", None),
            ("550e8400-e29b-41d4-a716-446655440000", None),
            ("1.234.567.8901", None),
        ] {
            let expected: Vec<_> = expected.iter().map(|text| ("phone", *text)).collect();
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn social_security_numbers_are_found() {
        for text in ["123-45-6789", "SSN: 078-05-1120.", "987-65-4321"] {
            assert_eq!(found(text).first().map(|(sort, _)| *sort), Some("ssn"), "{text}");
        }
        for text in [
            "000-45-6789",
            "666-45-6789",
            "123-00-6789",
            "123-45-0000",
            "123-45-67890",
            "1123-45-6789",
            "123 45 6789",
            "123-456-789",
            "123-45-6789-1",
        ] {
            assert_eq!(found(text), [], "{text}");
        }
    }

    #[test]
    fn cards_pass_the_check_digit() {
        for text in [
            "4111111111111111",
            "4111 1111 1111 1111",
            "4111-1111-1111-1111",
            "5555555555554444",
            "378282246310005",
            "3782 822463 10005",
            "6011111111111117",
            "30569309025904",
            "4222222222222",
            "2223003122003222",
        ] {
            assert_eq!(found(text), [("credit_card", text)], "{text}");
        }
        for text in [
            "4111111111111112",
            "4111 1111 1111 1112",
            "1234567812345670",
            "411111111111",
            "41111111111111111",
            "4111 1111-1111 1111",
            "1700000000000000",
            "x4111111111111111",
            "4111111111111111.5",
            "id_4111111111111111",
        ] {
            assert_eq!(found(text), [], "{text}");
        }
    }

    #[test]
    fn matches_never_exceed_the_limit() {
        let text = "a@b.org ".repeat(150);
        for most in [99, 100, 101] {
            assert_eq!(matches(&text, most).len(), most);
        }
    }

    #[test]
    fn masks_leave_the_ends() {
        assert_eq!(masked("from ada.lovelace@mail.org to 123-45-6789"), "from ada.lo…org to ***");
        assert_eq!(masked("nothing"), "nothing");
    }

    fn fields_of(text: &str) -> (Vec<&'static str>, bool) {
        let personal = of_text(text);
        (personal.fields.into_iter().collect(), personal.is_real)
    }

    #[test]
    fn names_of_fields_need_a_value_that_fits() {
        for (text, expected) in [
            (r#"{"email":"ada@lovelace.org"}"#, vec!["email"]),
            (r#"{"userEmail":"a***@l.org"}"#, vec!["email"]),
            (r#"{"email":"Your e-mail"}"#, vec![]),
            (r#"{"emailVerified":true}"#, vec![]),
            (r#"{"phone":"0301234567"}"#, vec!["phone"]),
            (r#"{"phoneNumber":4155550123}"#, vec!["phone"]),
            (r#"{"phone":"Phone"}"#, vec![]),
            (r#"{"ssn":"***-**-6789"}"#, vec!["ssn"]),
            (r#"{"lesson":"1234"}"#, vec![]),
            (r#"{"social_security":"123456789"}"#, vec!["ssn"]),
            (r#"{"credit_card":"ends in 4242"}"#, vec!["credit_card"]),
            (r#"{"address":"12 Main Street"}"#, vec!["address"]),
            (r#"{"address":{"street":"Main"}}"#, vec!["address"]),
            (r#"{"ip_address":"10.0.0.1 and 2"}"#, vec![]),
            (r#"{"date_of_birth":"1990-01-01"}"#, vec!["date_of_birth"]),
            (r#"{"dob":"01/02/1990"}"#, vec!["date_of_birth"]),
            (r#"{"name":"Ada"}"#, vec![]),
            (r#"{"note":"write ada@lovelace.org or +49 30 901820"}"#, vec!["email", "phone"]),
            (r#"{"emails":["ada@lovelace.org"]}"#, vec!["email"]),
            ("name,mail\nAda,ada@lovelace.org", vec!["email"]),
            (r#"[{"email":"cut@short.or"#, vec!["email"]),
        ] {
            assert_eq!(fields_of(text).0, expected, "{text}");
        }
    }

    #[test]
    fn mock_values_are_recognised() {
        for (text, is_real) in [
            (r#"{"email":"ada@example.org"}"#, false),
            (r#"{"email":"test@lovelace.org"}"#, false),
            (r#"{"email":"mock@lovelace.org"}"#, false),
            (r#"{"email":"ada@lovelace.org"}"#, true),
            (r#"{"email":"ada@example.org","phone":"+49 30 901820"}"#, true),
        ] {
            assert_eq!(fields_of(text).1, is_real, "{text}");
        }
    }

    #[test]
    fn five_levels_are_searched_and_no_deeper_one() {
        let nested = |levels: usize| {
            format!("{}{}{}", r#"{"a":"#.repeat(levels - 1), r#"{"email":"ada@lovelace.org"}"#, "}".repeat(levels - 1))
        };
        for levels in 1..=7 {
            assert_eq!(of_text(&nested(levels)).fields.contains("email"), levels <= 5, "{levels}");
        }
    }

    #[test]
    fn ten_kilobytes_are_searched_and_no_more() {
        let tail = r#","email":"a@b.org"}"#;
        let head = r#"{"x":""#;
        for (past, expected) in [(0, true), (40, false)] {
            let room = limits::SECURITY_SCAN_BYTES + past - head.len() - tail.len() - 1;
            let text = format!("{head}{}\"{tail}", "y".repeat(room));
            assert_eq!(of_text(&text).fields.contains("email"), expected, "{past}");
        }
    }

    #[test]
    fn a_hundred_matches_are_examined_and_no_more() {
        for (before, expected) in [(98, true), (99, true), (100, false), (101, false)] {
            let list = vec![r#""a@b.org""#; before].join(",");
            let text = format!(r#"{{"l":[{list}],"s":"123-45-6789"}}"#);
            assert_eq!(of_text(&text).fields.contains("ssn"), expected, "{before}");
        }
    }
}
