//! Names whose values nobody should read: of fields, headers, inputs, and parts of a page's state.
//!
//! One table with a column for each place that asks. The server's redaction reads it, and `sensitive.gen.ts` takes it
//! into the browser, so a name is added here and nowhere else. Redaction decides what may follow a name (`token_type`,
//! `passwordHint`) and what a value must look like.

/// A name, and where it is sensitive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SensitiveName {
    /// Its words in lower case, separated by spaces. Real names separate them in different ways.
    pub name: &'static str,
    /// Where it is sensitive in names of fields and query parameters.
    pub field: Field,
    /// Where it is sensitive in names of headers.
    pub header: Header,
    /// Where it is sensitive in ids, names and labels of inputs.
    pub input: Input,
    /// Where it is sensitive in names of a page's state.
    pub state: State,
}

impl SensitiveName {
    /// The name without the spaces between its words.
    pub fn bare(&self) -> String {
        self.name.replace(' ', "")
    }
}

/// The name of a JSON field, form field or query parameter, with the kind of credential in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// Not sensitive as a field.
    No,
    /// Anywhere in a name. Of several matches, the first in the table decides.
    Part(&'static str),
    /// As the whole name: inside longer names it means something else.
    Whole(&'static str),
    /// As the last word of a name.
    Last(&'static str),
    /// As the whole name of a query parameter; in JSON it is an ordinary word.
    Parameter(&'static str),
    /// As the whole name, and only if the value looks opaque.
    Opaque,
    /// The same as [`Field::Opaque`], but only in a query parameter.
    OpaqueParameter,
}

/// The name of a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Header {
    /// Not sensitive as a header.
    No,
    /// Anywhere in a name.
    Part,
    /// As a word between dashes.
    Word,
    /// The same, but the page sends the value: the server's placeholder still shows which values are equal.
    ServerWord,
}

/// The id, name or label of an input for passwords, codes or cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// Not sensitive as an input.
    No,
    /// Anywhere in a name.
    Part,
    /// The same, and as a class of the input. Not for words that style what surrounds an input: `card`, `token`.
    Class,
    /// As a separate word: in `user-pass`, but not in `passenger` or `compass`.
    Word,
    /// The same, and as a class. The page's pattern cannot tell `smsOTPCode` from `hotplug`, so it matches both.
    LooseWord,
}

/// A part of a page's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Not sensitive in a page's state.
    No,
    /// Anywhere in a name.
    Part,
    /// As the whole name.
    Whole,
    /// At the end of a name.
    End,
}

macro_rules! names {
    ($($name:literal: $field:expr, $header:ident, $input:ident, $state:ident;)*) => {
        /// Every sensitive name. Where several match a field, the first decides.
        pub const NAMES: &[SensitiveName] = &[$(SensitiveName {
            name: $name,
            field: $field,
            header: Header::$header,
            input: Input::$input,
            state: State::$state,
        },)*];
    };
}

use Field::{Last, No, Opaque, OpaqueParameter, Parameter, Part, Whole};

names! {
    // Name: field, header, input, state.
    "password": Part("password"), Part, Class, Part;
    "passwd": Part("password"), No, Class, Part;
    "passphrase": Part("password"), No, Class, Part;
    "passcode": Part("password"), No, Class, Part;
    "secret": Part("secret"), Part, Part, Part;
    "token": Part("token"), Part, Part, Part;
    "api key": Part("api_key"), No, Part, Part;
    "access key": Part("api_key"), No, Part, Part;
    "auth key": Part("api_key"), No, Part, Part;
    "private key": Part("private_key"), No, No, Part;
    "encryption key": Part("private_key"), No, No, Part;
    "signing key": Part("private_key"), No, No, Part;
    "credential": Part("secret"), ServerWord, No, Part;
    "authorization": Part("bearer"), Word, No, Part;
    "amz signature": Part("token"), No, No, No;
    "goog signature": Part("token"), No, No, No;
    "passwort": Part("password"), No, Class, Part;
    "access code": Part("password"), No, No, Part;
    "master key": Part("secret"), No, No, Part;
    "pwd": Whole("password"), No, Class, Part;
    "pass": Whole("password"), No, Word, Whole;
    "pw": Whole("password"), No, No, Whole;
    "auth": Whole("token"), ServerWord, No, No;
    "bearer": Whole("token"), No, No, Part;
    "jwt": Whole("token"), ServerWord, No, Part;
    "session id": Whole("token"), ServerWord, No, Part;
    "sid": Whole("token"), ServerWord, No, Whole;
    "connect sid": Whole("token"), No, No, Part;
    "php sessid": Whole("token"), No, No, Part;
    "jsessionid": Whole("token"), No, No, Part;
    "otp": Whole("password"), No, LooseWord, Part;
    "cvv": Whole("password"), No, Class, Part;
    "cvc": Whole("password"), No, Class, Part;
    "pass1": Whole("password"), No, No, Whole;
    "pass2": Whole("password"), No, No, Whole;
    "pin": Whole("password"), No, Word, Whole;
    "cookie": Last("cookie"), Word, No, Part;
    "set cookie": Last("cookie"), Word, No, Part;
    "cookie2": Last("cookie"), No, No, Part;
    "set cookie2": Last("cookie"), No, No, Part;
    "session": Opaque, ServerWord, No, Part;
    "ticket": OpaqueParameter, No, No, No;
    "code": OpaqueParameter, No, No, No;
    "key": Parameter("api_key"), Part, No, End;
    "sig": Parameter("token"), No, No, No;
    "signature": Parameter("token"), ServerWord, No, No;
    "credentials": No, ServerWord, No, Part;
    "csrf": No, ServerWord, No, No;
    "xsrf": No, ServerWord, No, No;
    // Names that only inputs and states have.
    "passw": No, No, Part, Part;
    "card": No, No, Part, Part;
    "card number": No, No, Class, Part;
    "one time": No, No, Part, No;
    "security code": No, No, Part, No;
    "pin code": No, No, Part, No;
    "user pass": No, No, Word, No;
    "totp": No, No, Word, Part;
    "csc": No, No, Word, No;
    "cc": No, No, Word, No;
    "iban": No, No, No, Part;
    "ssn": No, No, No, Part;
}

/// How the `autocomplete` of an input for passwords, codes or cards begins: `cc-number`, `cc-csc`.
pub const AUTOCOMPLETE_STARTS: &[&str] = &["cc-"];
/// What may stand anywhere in it: `current-password`.
pub const AUTOCOMPLETE_PARTS: &[&str] = &["password", "one-time-code"];

/// Headers that authenticate the sender of a request.
pub const AUTH_HEADERS: &[&str] = &["authorization", "proxy-authorization", "x-api-key", "x-auth-token"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_once_and_alike() {
        let mut names: Vec<&str> = NAMES.iter().map(|name| name.name).collect();
        let is_plain = |name: &&str| name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b' ');
        assert!(names.iter().all(is_plain), "{names:?}");
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), NAMES.len());
    }

    #[test]
    fn every_name_is_sensitive_somewhere() {
        for SensitiveName { name, field, header, input, state } in NAMES {
            let is_unused = (field, header, input, state) == (&Field::No, &Header::No, &Input::No, &State::No);
            assert!(!is_unused, "{name}");
        }
    }
}
