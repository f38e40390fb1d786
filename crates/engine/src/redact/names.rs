//! Names whose values are credentials: of headers, JSON fields, query parameters and form fields.

use std::borrow::Cow;
use std::sync::{LazyLock, OnceLock};

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use wire::sensitive::{Field, Header, Input, NAMES, SensitiveName, State};

use super::edges::is_token;

/// The table of [`wire::sensitive`], prepared for the questions of this module. Names are written without separators.
struct Names {
    /// Parts that make a field or parameter sensitive anywhere in its name, with the kind for a finding.
    parts: Vec<(String, &'static str)>,
    wholes: Vec<(String, &'static str)>,
    /// Sensitive as the last word of a name; the value is a list of pairs, or opaque.
    lasts: Vec<(String, &'static str)>,
    /// Sensitive only as the whole name of a query parameter.
    parameters: Vec<(String, &'static str)>,
    opaques: Vec<String>,
    opaque_parameters: Vec<String>,
    header_parts: Vec<String>,
    header_words: Vec<String>,
    input_parts: Vec<String>,
    input_words: Vec<String>,
    input_classes: Vec<String>,
    state_parts: Vec<String>,
    state_wholes: Vec<String>,
    state_ends: Vec<String>,
}

impl Names {
    fn read() -> Self {
        let kinds = |kind: fn(Field) -> Option<&'static str>| {
            NAMES.iter().filter_map(|name| Some((name.bare(), kind(name.field)?))).collect::<Vec<_>>()
        };
        let bare = |is_one: fn(&SensitiveName) -> bool| {
            NAMES.iter().filter(|name| is_one(name)).map(SensitiveName::bare).collect::<Vec<_>>()
        };
        Self {
            parts: kinds(|field| if let Field::Part(kind) = field { Some(kind) } else { None }),
            wholes: kinds(|field| if let Field::Whole(kind) = field { Some(kind) } else { None }),
            lasts: kinds(|field| if let Field::Last(kind) = field { Some(kind) } else { None }),
            parameters: kinds(|field| if let Field::Parameter(kind) = field { Some(kind) } else { None }),
            opaques: bare(|name| name.field == Field::Opaque),
            opaque_parameters: bare(|name| name.field == Field::OpaqueParameter),
            header_parts: bare(|name| name.header == Header::Part),
            header_words: bare(|name| matches!(name.header, Header::Word | Header::ServerWord)),
            input_parts: bare(|name| matches!(name.input, Input::Part | Input::Class)),
            input_words: bare(|name| matches!(name.input, Input::Word | Input::LooseWord)),
            input_classes: bare(|name| matches!(name.input, Input::Class | Input::LooseWord)),
            state_parts: bare(|name| name.state == State::Part),
            state_wholes: bare(|name| name.state == State::Whole),
            state_ends: bare(|name| name.state == State::End),
        }
    }
}

static KNOWN: LazyLock<Names> = LazyLock::new(Names::read);

/// From this length on, a value of mixed letters and digits is opaque under a name that suggests a credential.
const OPAQUE_MIN: usize = 16;
/// The same under a name that suggests no credential.
const HARMLESS_OPAQUE_MIN: usize = 20;

/// A shorter value under a name that is also an ordinary word is not a credential.
const LEAST_TOKEN: usize = 8;
/// The same for a member of such an object, whose own name says nothing.
const LEAST_NESTED_TOKEN: usize = 16;
/// From this length on, a value is a token even without digits.
const LONG_TOKEN: usize = 20;
/// Endings that make a sensitive word the name of a setting: `passwordless`, `token_login`.
const SETTING_ENDS: &[&str] = &["less", "login", "signin", "auth", "mode", "only", "on", "off", "check", "storage"];
/// Values that switch something on or off.
const SWITCHES: &[&str] =
    &["0", "1", "on", "off", "yes", "no", "y", "n", "true", "false", "enabled", "disabled", "none"];

/// Endings after which a sensitive word no longer names the credential itself: `token_type`, `passwordHint`.
const HARMLESS_ENDS: &[&str] = &[
    "type",
    "count",
    "counts",
    "limit",
    "limits",
    "expires",
    "expiry",
    "expiresin",
    "expiresat",
    "expiration",
    "length",
    "usage",
    "field",
    "fieldname",
    "label",
    "hint",
    "placeholder",
    "required",
    "valid",
    "status",
    "strength",
    "policy",
    "rules",
    "url",
    "uri",
    "endpoint",
    "visible",
    "error",
    "errors",
    "minlength",
    "maxlength",
    "budget",
    "size",
    "symbol",
    "decimals",
    "address",
    "confirmed",
    "changed",
    "changedat",
    "updatedat",
    "createdat",
    "resetat",
    "ttl",
    "scope",
    "scopes",
    "issuer",
    "version",
    "enabled",
    "algorithm",
    "prefix",
    "index",
    "ids",
    "used",
    "remaining",
    "ize",
    "izer",
    "izers",
    "ized",
    "ization",
    "name",
    "names",
    "question",
    "questions",
    "ary",
    "aries",
    "ariat",
    "reseturl",
];

/// Prefixes of things that are counted in tokens: `max_tokens`, `prompt_tokens`.
const HARMLESS_STARTS: &[&str] = &[
    "max",
    "min",
    "total",
    "prompt",
    "completion",
    "input",
    "output",
    "num",
    "forgot",
    "reset",
    "show",
    "toggle",
    "has",
    "is",
    "use",
    "require",
    "requires",
    "cached",
    "reasoning",
    "missing",
    "invalid",
    "no",
    "count",
    "design",
    "cancel",
];

/// Whether the value of a header of this name is a credential.
pub fn is_sensitive_header(name: &str) -> bool {
    let name = without_placeholders(name).to_ascii_lowercase();
    KNOWN.header_parts.iter().any(|part| name.contains(part))
        || name.split(['-', '_', '.', ' ']).any(|word| KNOWN.header_words.iter().any(|known| known == word))
}

/// Whether the value of a query parameter of this name is a credential.
pub fn is_sensitive_parameter(name: &str) -> bool {
    parameter_kind(name).is_some()
}

/// Whether this id, name or label belongs to an input for passwords, codes or cards.
pub(crate) fn is_input_name(name: &str) -> bool {
    let bare_name = bare(name);
    KNOWN.input_parts.iter().any(|part| bare_name.contains(part))
        || words(name).iter().any(|word| KNOWN.input_words.contains(word))
}

/// Whether a whole class names inputs of this kind: `password`, but not `password-form` or `card`, which style what
/// surrounds them.
pub(crate) fn is_input_class(class: &str) -> bool {
    let class = bare(class);
    let name = class.strip_suffix("input").or_else(|| class.strip_suffix("field")).unwrap_or(&class);
    KNOWN.input_classes.iter().any(|known| known == name)
}

/// Whether a part of a page's state is private, judged by the last part of its path.
pub(crate) fn is_state_name(path: &str) -> bool {
    let last = bare(path.rsplit('.').next().unwrap_or(path));
    KNOWN.state_parts.iter().any(|part| last.contains(part))
        || KNOWN.state_wholes.contains(&last)
        || KNOWN.state_ends.iter().any(|end| last.ends_with(end))
}

/// Whether this is exactly the name of a field. `password` is a bad password, and is in every page that asks for one.
pub(super) fn is_plain_name(text: &str) -> bool {
    KNOWN.parts.iter().chain(&KNOWN.wholes).any(|(name, _)| text.eq_ignore_ascii_case(name))
}

/// Words of which every sensitive name of a field or header contains one. Separators vary, so a name of several words
/// is found by its last one.
pub(super) fn clues() -> Vec<&'static str> {
    const LEAST: usize = 3;
    let is_written = |name: &&SensitiveName| (name.field, name.header) != (Field::No, Header::No);
    let clue = |name: &SensitiveName| name.name.rsplit(' ').find(|word| word.len() >= LEAST).unwrap_or(name.name);
    let mut clues: Vec<&str> = NAMES.iter().filter(is_written).map(clue).collect();
    clues.sort_unstable();
    clues.dedup();
    clues
}

/// Whether this is the name or the kind of a credential rather than a credential.
pub(super) fn is_word(text: &str) -> bool {
    let plain =
        text.len() <= 64 && text.bytes().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-' | b' '));
    plain
        && (field_kind(text).is_some()
            || ["redacted", "undefined", "string", "function"].contains(&bare(text).as_str()))
}

/// The words of `userPass`, `user-pass2` and `User pass`, in lower case.
fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut after = name.chars().skip(1);
    let mut previous = ' ';
    for c in name.chars() {
        let next = after.next().unwrap_or(' ');
        // `userOTP` and `OTPField` have two words each.
        let begins = c.is_ascii_uppercase() && (!previous.is_ascii_uppercase() || next.is_ascii_lowercase());
        if (begins || !c.is_alphabetic()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphabetic() {
            word.extend(c.to_lowercase());
        }
        previous = c;
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// The kind of credential in a JSON field or form field of this name.
pub(crate) fn field_kind(name: &str) -> Option<&'static str> {
    let (kind, harmless) = named(name)?;
    (!harmless).then_some(kind)
}

/// For a name that alone says too little: the kind, and the length from which an opaque value counts. `tokenVersion`
/// suggests that its value is not a credential, but not every sender uses it like that.
pub(super) fn opaque_kind(name: &str) -> Option<(&'static str, usize)> {
    opaque(name, named(name))
}

/// The kind of a field for a credential, or else the result of [`opaque_kind`].
pub(super) fn field_or_opaque_kind(name: &str) -> Option<(&'static str, Option<usize>)> {
    match named(name) {
        Some((kind, false)) => Some((kind, None)),
        suggested => opaque(name, suggested).map(|(kind, min)| (kind, Some(min))),
    }
}

fn opaque(name: &str, suggested: Option<(&'static str, bool)>) -> Option<(&'static str, usize)> {
    let is_header = name.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("x-"))
        && name.split('-').any(|word| KNOWN.header_words.iter().any(|known| word.eq_ignore_ascii_case(known)));
    let is_kept = matches!(suggested, Some((_, false)));
    if (is_header && !is_kept) || KNOWN.opaques.contains(&bare(name)) {
        return Some(("token", OPAQUE_MIN));
    }
    suggested.filter(|(_, harmless)| *harmless).map(|(kind, _)| (kind, HARMLESS_OPAQUE_MIN))
}

/// The same for a query parameter.
pub(super) fn opaque_parameter_kind(name: &str) -> Option<(&'static str, usize)> {
    let is_one = KNOWN.opaque_parameters.contains(&bare(name));
    if is_one { Some(("token", OPAQUE_MIN)) } else { opaque_kind(name) }
}

/// Whether the value looks random. Under a harmless name, an address, a number, a date, a UUID or words do not count.
pub(super) fn is_opaque(value: &str, min: usize) -> bool {
    let has = |test: fn(&u8) -> bool| value.as_bytes().iter().any(test);
    let is_token = value.bytes().all(|byte| is_token(byte) || byte == b'%');
    if value.len() < min || !is_token || !has(u8::is_ascii_digit) || !has(u8::is_ascii_alphabetic) {
        return false;
    }
    if min < HARMLESS_OPAQUE_MIN {
        return true;
    }
    let is_hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_address = value.strip_prefix("0x").is_some_and(is_hex);
    let is_date = value.bytes().take(4).all(|byte| byte.is_ascii_digit()) && value.as_bytes().get(4) == Some(&b'-');
    let is_version = value.split('.').take(2).all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()));
    let is_path = value.starts_with(['/', '.']);
    let is_mixed = |piece: &str| {
        piece.len() >= 10
            && piece.bytes().any(|byte| byte.is_ascii_digit())
            && piece.bytes().any(|byte| byte.is_ascii_alphabetic())
    };
    !is_address
        && !is_uuid(value)
        && !is_date
        && !is_version
        && !is_path
        && value.split(['-', '_', '.', '/']).any(is_mixed)
}

/// Whether a value of this length and form can belong to the name: a PIN is a few digits, anything else under `pin` is
/// the name of a place.
pub(super) fn fits(name: &str, value: &str) -> bool {
    let is_number = || value.bytes().all(|byte| byte.is_ascii_digit());
    match bare(name).as_str() {
        "pin" => (3..=12).contains(&value.len()) && is_number(),
        // Analytics scripts number their sessions under this name.
        "sid" => !is_number(),
        "pwd" => !value.starts_with('/'),
        "auth" | "bearer" => is_token_like(value, LEAST_TOKEN),
        "credentials" => !["include", "omit", "same-origin"].contains(&value),
        bare_name => !is_setting(bare_name, value),
    }
}

/// Whether the name only contains a sensitive word, and the value switches or selects something: `csrf_token_on=1`,
/// `passwordless=true`, `token_login=google`.
fn is_setting(bare_name: &str, value: &str) -> bool {
    let Some((at, part, kind)) = sensitive_part(bare_name) else { return false };
    let after = bare_name.get(at + part.len()..).unwrap_or_default();
    let is_switch = SWITCHES.iter().any(|switch| value.eq_ignore_ascii_case(switch));
    let has = |test: fn(&u8) -> bool| value.as_bytes().iter().any(test);
    let is_word = value.len() < LEAST_TOKEN && has(u8::is_ascii_alphabetic) && !has(u8::is_ascii_digit);
    // `password_confirmation` does contain a password.
    SETTING_ENDS.contains(&after) && (is_switch || (is_word && matches!(kind, "token" | "api_key")))
}

/// Whether a name is also an ordinary word: `auth` may say how users sign in, or hold facts about the user. Its value
/// has to look like a token.
pub(super) fn is_weak(name: &str) -> bool {
    matches!(bare(name).as_str(), "auth" | "bearer")
}

/// Whether a member of an object under such a name is a token, judged by its form alone: addresses, roles, paths and
/// ids are not.
pub(super) fn is_token_member(member: Option<&str>, value: &str) -> bool {
    let is_id = member.is_some_and(|member| {
        let member = bare(member);
        member.ends_with("id") || member.ends_with("ids")
    });
    !is_id && is_token_like(value, LEAST_NESTED_TOKEN)
}

/// Whether a word of the value looks like a token, a password with special characters, or an unguessable number.
fn is_token_like(value: &str, min: usize) -> bool {
    value.split_whitespace().any(|word| is_token_word(word.trim_matches(['"', '\'', ',', ';']), min))
}

fn is_token_word(word: &str, min: usize) -> bool {
    let bytes = word.as_bytes();
    let is_letter = |byte: u8| byte.is_ascii_alphabetic() || !byte.is_ascii();
    let is_mixed = |text: &str| text.bytes().any(|byte| byte.is_ascii_digit()) && text.bytes().any(is_letter);
    let is_date = bytes.iter().take(4).all(u8::is_ascii_digit) && matches!(bytes.get(4), Some(b'-' | b'/'));
    if word.len() < min || word.contains("://") || is_address(word) || is_date && !is_uuid(word) {
        return false;
    }
    if let Some(path) = word.strip_prefix('/') {
        let is_hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
        return path.split('/').any(|part| part.len() >= LONG_TOKEN && is_mixed(part) && !is_hex(part));
    }
    if bytes.iter().all(u8::is_ascii_digit) {
        return min < LEAST_NESTED_TOKEN || word.len() >= LONG_TOKEN;
    }
    if is_uuid(word) || word.split(|c| "-_./:|@,~".contains(c)).any(|part| part.len() >= LEAST_TOKEN && is_mixed(part))
    {
        return true;
    }
    let class = |byte: u8| match byte {
        b'0'..=b'9' => 0,
        b'a'..=b'z' => 1,
        b'A'..=b'Z' => 2,
        0x80.. => 3,
        _ => 4,
    };
    if word.len() >= LONG_TOKEN {
        // Random characters with others between them; in words and numbers, the kind of character changes far less
        // often.
        let pairs = bytes.iter().zip(bytes.iter().skip(1)).map(|(one, next)| (class(*one), class(*next)));
        let changes = pairs.filter(|(one, next)| one != next && *one != 4 && *next != 4).count();
        let is_drawn = is_mixed(word) && changes * 4 >= word.len();
        return is_drawn || (bytes.iter().all(u8::is_ascii_alphabetic) && !is_camel_case(bytes));
    }
    let has = |kind: u8| bytes.iter().any(|byte| class(*byte) == kind);
    let has_sign = bytes.iter().any(|byte| class(*byte) == 4 && !b"-_./:|@,~+=%&()[]".contains(byte));
    min < LEAST_NESTED_TOKEN && has_sign && u8::from(has(0)) + u8::from(has(1)) + u8::from(has(2)) >= 2
}

/// `authorizationCode`: at least two words of at least three letters each.
fn is_camel_case(letters: &[u8]) -> bool {
    let mut words = 1;
    let mut length = 0;
    for letter in letters {
        if letter.is_ascii_uppercase() && length > 0 {
            if length < 3 {
                return false;
            }
            words += 1;
            length = 0;
        }
        length += 1;
    }
    words > 1
}

/// `ada@shop.example`
fn is_address(text: &str) -> bool {
    text.split_once('@').is_some_and(|(user, host)| {
        let end = host.rsplit('.').next().unwrap_or_default();
        let is_host =
            host.contains('.') && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-".contains(&byte));
        !user.is_empty() && is_host && end.len() >= 2 && end.bytes().all(|byte| byte.is_ascii_alphabetic())
    })
}

fn is_uuid(text: &str) -> bool {
    let is_hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    text.len() == 36 && text.split('-').map(str::len).eq([8, 4, 4, 4, 12]) && text.split('-').all(is_hex)
}

/// Whether the word after `the password is` describes how it is stored.
pub(super) fn is_encoding(word: &str) -> bool {
    const HEADS: &[&str] =
        &["base", "sha", "md", "bcrypt", "argon", "scrypt", "pbkdf", "utf", "oauth", "aes", "rsa", "hmac", "auth0"];
    let letters = word.bytes().take_while(u8::is_ascii_alphabetic).count();
    let head = word.get(..letters).unwrap_or_default();
    HEADS.iter().any(|known| head.eq_ignore_ascii_case(known)) || word.starts_with(|c: char| c.is_ascii_digit())
}

/// Whether the value says that there is none, or is masked. A password may be anything.
pub(super) fn is_no_value(value: &str) -> bool {
    let value = value.trim_end_matches([',', ';', '.', ')', '}', ']']);
    let is_mask = |mark: char| value.chars().all(|c| c == mark);
    value.len() >= 3 && ['*', '•', '#', '-'].into_iter().any(is_mask)
        || ["null", "undefined", "true", "false", "none", "nil", "nan", "[object", "[object object"]
            .iter()
            .any(|nothing| value.eq_ignore_ascii_case(nothing))
}

/// Length of the longest coin symbol.
const SYMBOL_CHARS: usize = 6;

/// Whether this is the symbol of a coin, which is not a credential: `ETH`, `USDC`.
pub(super) fn is_symbol(kind: &str, value: &str) -> bool {
    kind == "token" && (2..=SYMBOL_CHARS).contains(&value.len()) && value.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Whether the value only describes what the name suggests: a sentence under `login.form.password`, as in translations,
/// or the version of the package `jsonwebtoken`.
pub(super) fn is_about(name: &str, value: &str, kind: &str) -> bool {
    let is_sentence = name.matches('.').count() >= 2
        && value.starts_with(|c: char| c.is_ascii_uppercase())
        && matches!(kind, "password" | "secret" | "token" | "api_key")
        && value.bytes().filter(|byte| *byte == b' ').count() >= 3
        && value.bytes().all(|byte| byte.is_ascii_alphabetic() || b" .,!?".contains(&byte));
    let is_version = value.len() <= 16
        && value.strip_prefix(['^', '~']).is_some_and(|version| {
            version.contains('.') && version.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        });
    is_sentence || is_version
}

/// Whether this value in a list under a credential's name is an error message about it: `"password":["is too short"]`.
pub(super) fn is_complaint(value: &str) -> bool {
    const SAID: &[&str] = &["is", "must", "should", "cannot", "can't", "has", "does", "was", "too", "please"];
    let first = value.split(' ').next().unwrap_or_default();
    let is_line = value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b" .,!?'()-:".contains(&byte));
    value.contains(' ') && is_line && SAID.iter().any(|said| first.eq_ignore_ascii_case(said))
}

/// The kind that a name suggests, and whether the name itself says that it holds something else.
fn named(name: &str) -> Option<(&'static str, bool)> {
    let written = name;
    let name = bare(written);
    let last = written.rsplit(['.', ' ']).next().filter(|last| last.len() < written.len()).map(bare);
    if let Some((_, kind)) = KNOWN.lasts.iter().find(|(known, _)| known == last.as_ref().unwrap_or(&name)) {
        return Some((kind, false));
    }
    if let Some((_, kind)) = KNOWN.wholes.iter().find(|(whole, _)| *whole == name) {
        return Some((kind, false));
    }
    let Some((at, part, kind)) = sensitive_part(&name) else {
        // `user_pass`; `bypass` is another word.
        let is_pass = name.ends_with("pass") && words(written).last().is_some_and(|word| word == "pass");
        return is_pass.then_some(("password", false));
    };
    let before = name.get(..at).unwrap_or_default();
    let after = name.get(at + part.len()..).unwrap_or_default();
    let counted = part == "token" && after.starts_with('s') && HARMLESS_STARTS.contains(&before);
    let harmless =
        HARMLESS_ENDS.contains(&after) || after.strip_prefix('s').is_some_and(|end| HARMLESS_ENDS.contains(&end));
    let question = matches!(before, "forgot" | "reset" | "show" | "toggle" | "has" | "is" | "missing" | "invalid")
        && after.is_empty()
        && part != "token";
    Some((kind, counted || harmless || question))
}

/// The first part of the list that the name contains: its index, the part and its kind.
fn sensitive_part(name: &str) -> Option<(usize, &'static str, &'static str)> {
    static PARTS: OnceLock<Option<AhoCorasick>> = OnceLock::new();
    let parts = PARTS.get_or_init(|| {
        let parts = KNOWN.parts.iter().map(|(part, _)| part);
        AhoCorasick::builder().kind(Some(AhoCorasickKind::DFA)).build(parts).ok()
    });
    match parts {
        Some(parts) => {
            let hits = parts.find_overlapping_iter(name).map(|hit| (hit.pattern().as_usize(), hit.start()));
            let (index, at) = hits.min()?;
            KNOWN.parts.get(index).map(|(part, kind)| (at, part.as_str(), *kind))
        }
        None => KNOWN.parts.iter().find_map(|(part, kind)| Some((name.find(part)?, part.as_str(), *kind))),
    }
}

/// The same for a query parameter, where a few more names are common.
pub(super) fn parameter_kind(name: &str) -> Option<&'static str> {
    let bare_name = bare(name);
    KNOWN.parameters.iter().find(|(whole, _)| *whole == bare_name).map(|(_, kind)| *kind).or_else(|| field_kind(name))
}

/// Whether a number under this name can be the credential. `tokens` with a number is a count.
pub(super) fn may_be_number(name: &str) -> bool {
    let name = bare(name);
    !["tokens", "secrets", "passwords"].iter().any(|counted| name.ends_with(counted))
}

/// Whether this member of an object called `password` or `token` describes it instead of containing it.
pub(super) fn is_harmless_member(name: &str) -> bool {
    let name = bare(name);
    HARMLESS_ENDS.contains(&name.as_str())
        || HARMLESS_STARTS.contains(&name.as_str())
        || ["name", "title", "description", "message", "id", "exp", "iat", "nbf"].contains(&name.as_str())
}

/// The kind of credential that a label such as `Access token:` announces, judged by its last word.
pub(super) fn label_kind(label: &str) -> Option<&'static str> {
    let label = label.trim_end_matches([' ', ':', '=', '>', '-', '\t', '\n']);
    field_kind(label.rsplit(char::is_whitespace).next()?)
}

/// The name in lower case and without separators.
fn bare(name: &str) -> String {
    let name = without_placeholders(name);
    let mut bare = String::with_capacity(name.len());
    bare.extend(name.bytes().filter(u8::is_ascii_alphanumeric).map(|byte| char::from(byte.to_ascii_lowercase())));
    bare
}

/// The name without placeholders: `[secret:jwt#1]` in a name says nothing about the value.
fn without_placeholders(name: &str) -> Cow<'_, str> {
    // Almost no name has a bracket, and this runs for every name.
    if memchr::memchr(b'[', name.as_bytes()).is_none() || !name.contains("[secret:") {
        return Cow::Borrowed(name);
    }
    let mut pieces = name.split("[secret:");
    let first = pieces.next().unwrap_or_default();
    let rest = pieces.map(|piece| piece.split_once(']').map_or(piece, |(_, after)| after));
    Cow::Owned(std::iter::once(first).chain(rest).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A name in the styles that senders use.
    fn styles(name: &str) -> [String; 4] {
        let camel: String = name
            .split(' ')
            .enumerate()
            .map(|(place, word)| match word.split_at(1) {
                (first, rest) if place > 0 => first.to_uppercase() + rest,
                _ => word.to_owned(),
            })
            .collect();
        [name.replace(' ', "_"), name.replace(' ', "-"), name.replace(' ', ""), camel]
    }

    /// Fails when a user of the table misses one of its names.
    #[test]
    fn every_consumer_knows_every_name_of_the_table() {
        for name in NAMES {
            for written in styles(name.name) {
                let text = format!("{{\"{written}\":\"x9Kq2Lm7Vt4Rw8Zc1Bn6\"}}");
                match name.field {
                    Field::No => {}
                    Field::Part(kind) | Field::Whole(kind) | Field::Last(kind) => {
                        assert_eq!(field_kind(&written), Some(kind), "{written}");
                        assert!(super::super::scan::is_suspicious(&text), "{written}");
                    }
                    Field::Parameter(kind) => assert_eq!(parameter_kind(&written), Some(kind), "{written}"),
                    Field::Opaque => assert!(opaque_kind(&written).is_some(), "{written}"),
                    Field::OpaqueParameter => assert!(opaque_parameter_kind(&written).is_some(), "{written}"),
                }
                if name.field != Field::No || name.header != Header::No {
                    assert!(super::super::scan::is_suspicious(&text), "{written}");
                }
                assert!(name.state == State::No || is_state_name(&format!("user.{written}")), "state: {written}");
            }
            let [_, dashed, ..] = styles(name.name);
            // The words of a header's name are separated by hyphens; `sessionid` is one word.
            let header = if matches!(name.header, Header::ServerWord) { name.bare() } else { dashed.clone() };
            assert!(name.header == Header::No || is_sensitive_header(&header), "header: {header}");
            assert!(name.input == Input::No || is_input_name(&dashed), "input: {dashed}");
            let is_class = matches!(name.input, Input::Class | Input::LooseWord);
            assert_eq!(is_input_class(&dashed), is_class, "class: {dashed}");
        }
    }

    #[test]
    fn sensitive_headers_are_recognised() {
        for name in [
            "Authorization",
            "proxy-authorization",
            "Cookie",
            "SET-COOKIE",
            "x-api-key",
            "X-Auth-Token",
            "x-csrf-token",
            "X-Secret",
            "my-password",
            "Idempotency-Key",
            "x-session-id",
            "X-CSRF",
            "x-xsrf",
            "x-amz-signature",
            "X-Hub-Signature",
            "x-auth",
            "x-amz-credential",
        ] {
            assert!(is_sensitive_header(name), "{name}");
        }
        for name in ["content-type", "accept", "x-request-id", "authority", "etag", "x-author", "x-obsession"] {
            assert!(!is_sensitive_header(name), "{name}");
        }
    }

    #[test]
    fn sensitive_fields_are_recognised() {
        for (name, kind) in [
            ("password", "password"),
            ("user_password", "password"),
            ("newPassword", "password"),
            ("token", "token"),
            ("access_token", "token"),
            ("refreshToken", "token"),
            ("csrf-token", "token"),
            ("api_key", "api_key"),
            ("apiKey", "api_key"),
            ("X-API-Key", "api_key"),
            ("client_secret", "secret"),
            ("pwd", "password"),
            ("aws_secret_access_key", "secret"),
            ("tokens", "token"),
            ("passwordHash", "password"),
            ("jwt", "token"),
            ("user_pass", "password"),
            ("userPass", "password"),
            ("pass1", "password"),
            ("passwort", "password"),
            ("masterKey", "secret"),
            ("access_code", "password"),
            ("pin", "password"),
            ("Set-Cookie", "cookie"),
            ("document.cookie", "cookie"),
        ] {
            assert_eq!(field_kind(name), Some(kind), "{name}");
        }
        for name in [
            "key",
            "name",
            "max_tokens",
            "total_tokens",
            "token_type",
            "tokenCount",
            "passwordHint",
            "forgotPassword",
            "author",
            "compass",
            "monkey",
            "token_limit",
            "promptTokens",
            "password_policy",
            "expires_in",
            "code",
            "passwordStrength",
            "token_status",
            "bypass",
            "spinner",
            "session",
            "cookieConsent",
            "[secret:jwt#1]",
        ] {
            assert_eq!(field_kind(name), None, "{name}");
        }
    }

    #[test]
    fn descriptions_of_credentials_are_kept() {
        for (name, value, about) in [
            ("login.form.password", "Your password is required", true),
            ("password", "Your password is required", false),
            ("a.db.password", "correct horse battery staple", false),
            ("db.password", "Your password is required", false),
            ("db.password", "hunter2", false),
            ("jsonwebtoken", "^9.0.2", true),
            ("token", "~1.2", true),
            ("token", "^9", false),
            ("token", "^9.0.2-a", false),
        ] {
            assert_eq!(is_about(name, value, "password"), about, "{name}: {value}");
        }
        assert!(!is_about("request.headers.authorization", "Bearer a b c", "bearer"));
        assert!(!may_be_number("secrets") && may_be_number("secret"));
    }

    #[test]
    fn sensitive_parameters_are_recognised() {
        assert_eq!(parameter_kind("key"), Some("api_key"));
        assert_eq!(parameter_kind("API-KEY"), Some("api_key"));
        assert_eq!(parameter_kind("sig"), Some("token"));
        assert_eq!(parameter_kind("keyword"), None);
        assert_eq!(parameter_kind("page"), None);
    }
}
