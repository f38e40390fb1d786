//! Credentials as headers, forms, markup, commands and addresses contain them.

use serde_json::{Value, json};

use crate::support::{Kind, fields_of, redact};

/// Opaque, and of no known format.
const GONE: &str = "q7Zk3v9sLp2Xw8Rt5Yb1";

fn in_text(text: &str) -> [Value; 4] {
    [
        redact(Kind::Log, &json!({ "message": text })).0["message"].clone(),
        redact(Kind::Log, &json!({ "args": [text] })).0["args"][0].clone(),
        redact(Kind::Network, &json!({ "responseBody": text })).0["responseBody"].clone(),
        redact(Kind::WebSocket, &json!({ "data": text })).0["data"].clone(),
    ]
}

#[track_caller]
fn gone(texts: &[&str]) {
    for text in texts {
        let text = text.replace("GONE", GONE);
        for stored in in_text(&text) {
            let stored = stored.as_str().unwrap();
            assert!(!stored.contains(GONE) && stored.contains("[secret:"), "{text} became {stored}");
            for again in in_text(stored) {
                assert_eq!(again, stored, "{text}");
            }
        }
        // The same as a string within JSON.
        let body = json!({ "log": text, "after": "kept" }).to_string();
        let stored = redact(Kind::Network, &json!({ "responseBody": body })).0["responseBody"].clone();
        assert!(!stored.as_str().unwrap().contains(GONE), "{body} became {stored}");
    }
}

#[track_caller]
fn kept(texts: &[&str]) {
    for text in texts {
        for stored in in_text(text) {
            assert_eq!(stored, *text);
        }
    }
}

#[test]
fn cookies_are_redacted() {
    gone(&[
        "Cookie: session=GONE",
        "cookie: a=1; session=GONE; theme=dark",
        "GET / HTTP/1.1\r\nCookie: session=GONE\r\nAccept: */*",
        "Set-Cookie: a=GONE; Path=/; HttpOnly",
        "Set-Cookie: a=\"GONE\"; Path=/",
        "Cookie: first=\"quoted one\"; a=GONE",
        "curl -H 'Cookie: session=GONE' https://a.example",
        "document.cookie = \"session=GONE\"",
        "document.cookie='session=GONE; path=/'",
        "{\"cookie\":\"session=GONE\"}",
        "{\"headers\":{\"Cookie\":\"a=b; c=GONE\"}}",
        "{\"set-cookie\":[\"a=GONE; Path=/\",\"b=GONE\"]}",
        "{\"cookie\":\"GONE\"}",
        "[[\"Cookie\",\"session=GONE\"]]",
        "[[\"accept\",\"*/*\"],[\"Cookie\", \"session=GONE\"]]",
        "[[\"Authorization\",\"Token GONE\"]]",
        "[\"Authorization\",\"GONE\"]",
        "[\"x-session-id\",\"GONE\"]",
    ]);
    kept(&[
        "Cookie: none",
        "Cookie: the server sent no cookie at all",
        "{\"cookie\":\"accepted\",\"cookies\":true}",
        "document.cookie = name + \"=\" + value",
        "document.cookie = \"session=; expires=Thu, 01 Jan 1970 00:00:00 GMT; path=/\"",
        "{\"cookieConsent\":\"all\",\"cookie\":{\"path\":\"/\",\"httpOnly\":true,\"originalMaxAge\":86400000}}",
        "[\"token\",\"password\",\"cookie\",\"authorization\"]",
        "if (document.cookie === \"a=1\") {}",
    ]);
    for args in [
        json!([{ "cookie": format!("session={GONE}") }]),
        json!([{ "headers": { "Set-Cookie": [format!("a={GONE}; Path=/")] } }]),
        json!([[["Cookie", format!("session={GONE}")]]]),
        json!([[["Authorization", format!("ApiKey {GONE}")]]]),
        json!(["Cookie:", format!("session={GONE}")]),
    ] {
        let stored = redact(Kind::Log, &json!({ "args": args })).0.to_string();
        assert!(!stored.contains(GONE), "{args} became {stored}");
    }
}

#[test]
fn tokens_after_a_scheme_are_redacted() {
    gone(&[
        "Authorization: Token GONE",
        "authorization: ApiKey GONE",
        "Authorization: Custom-Scheme GONE",
        "Authorization: Token token=\"GONE\", nonce=\"x\"",
        "Authorization: Digest username=\"ada\", realm=\"a b\", nonce=\"n\", response=\"GONE\"",
        "Proxy-Authorization: AWS4-HMAC-SHA256 Credential=x/y, Signature=GONE",
        "Bearer\tGONE",
        "Bearer\nGONE",
        "bearer\r\n GONE",
        "Authorization: Bearer\tGONE",
    ]);
    kept(&[
        "Authorization: Token required",
        "Authorization: the header is missing",
        "Authorization: Bearer <token>",
        "the bearer\nof this letter",
    ]);
}

#[test]
fn private_keys_are_redacted() {
    gone(&[
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nGONE\n=abcd\n-----END PGP PRIVATE KEY BLOCK-----",
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nGONE",
    ]);
    kept(&["-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmQENBF\n-----END PGP PUBLIC KEY BLOCK-----"]);
}

#[test]
fn forms_are_redacted() {
    gone(&[
        "--b\r\nContent-Disposition: form-data; name=\"password\"\r\nContent-Type: text/plain\r\n\r\nGONE\r\n--b--",
        "--b\nContent-Disposition: form-data; name=\"pwd\"\nContent-Type: text/plain\nX-A: 1\n\nGONE\n--b--",
        "a=1&user_pass=GONE&b=2",
        "log=ada&pass1=GONE&pass2=GONE",
        "passwort=GONE",
        "{\"masterKey\":\"GONE\"}",
        "{\"access_code\":\"GONE\"}",
        "{\"db_pass\":\"GONE\",\"userPass\":\"GONE\"}",
        "{\"session\":\"GONE\"}",
        "session=GONE",
        "{'session': 'GONE'}",
        "--b\r\nContent-Disposition: form-data; name=\"session\"\r\n\r\nGONE\r\n--b--",
        "{\"x-session-id\":\"GONE\"}",
        "x-csrf: GONE",
    ]);
    for body in ["pin=4711", "{\"pin\":\"4711\"}", "{\"pin\":4711}", "a=1&pin=4711&b=2"] {
        for stored in in_text(body) {
            assert!(!stored.as_str().unwrap().contains("4711"), "{body} became {stored}");
        }
    }
    kept(&[
        "{\"session\":\"active\"}",
        "{\"name\":\"session\",\"value\":\"active\"}",
        "x-csrf: missing",
        "{\"session\":{\"id\":17,\"startedAt\":\"2024-05-01T10:00:00.000Z\"}}",
        "{\"pin\":13,\"mode\":\"output\"}",
        "{\"pin\":\"top\"}",
        "{\"bypass\":\"yes\",\"compass\":\"north\"}",
        "Content-Disposition: form-data; name=\"city\"\r\nContent-Type: text/plain\r\n\r\nLondon\r\n--b--",
    ]);
}

#[test]
fn markup_is_redacted() {
    gone(&[
        "<input type=\"password\" value=\"GONE\">",
        "<input value='GONE' class=\"x\" type='password'/>",
        "<input type=password value=GONE>",
        "<input value=GONE type=password>",
        "<ns:password>GONE</ns:password>",
        "<wsse:Password Type=\"PasswordText\">GONE</wsse:Password>",
        "<password type=\"x\">GONE</password>",
        "<password><![CDATA[GONE]]></password>",
        "<ns:password a=\"b\"> <![CDATA[a<b>GONE]]></ns:password>",
    ]);
    kept(&[
        "<input type=\"password\" placeholder=\"Your password\" value=\"\">",
        "<input type=password autofocus>",
        "<password/><user type=\"x\">ada</user>",
        "usage: login <user> <password> [options]",
    ]);
}

#[test]
fn commands_and_labels_are_redacted() {
    gone(&[
        "api key: GONE",
        "API Key = GONE",
        "Your secret key: GONE",
        "curl -u ada:GONE https://a.example",
        "curl -s -X POST --user 'ada:GONE' https://a.example",
    ]);
    kept(&[
        "api key: missing",
        "primary key: customer_id",
        "press any key: 12345678",
        "curl -u $USER:$PASS https://a.example",
        "sort -u file:name",
        "git push -u origin main",
    ]);
}

#[test]
fn addresses_are_redacted() {
    gone(&[
        "https://GONE@a.example/repo.git",
        "https://GONE:x-oauth-basic@a.example/repo.git",
        "https://a.example/f?X-Goog-Signature=GONE&a=1",
        "https://a.example/f?X-Amz-Signature=GONE",
        "https://a.example/f?X-Amz-Credential=GONE%2F20240101&a=1",
        "https://a.example/?session=GONE",
        "https://a.example/login?a=1&ticket=ST-1-GONE",
        "https://a.example/callback?code=GONE&state=1",
        "https://a.example/#code=4%2FGONE",
    ]);
    kept(&[
        "https://ada@a.example/",
        "https://a.example/@ada",
        "https://a.example/?code=404&session=2&ticket=JIRA-1234",
        "https://a.example/?code=SUMMER24&lang=en",
        "https://a.example/?statusCode=200&currencyCode=EUR",
    ]);
}

#[test]
fn opaque_values_of_harmless_names_are_redacted() {
    for name in ["tokenVersion", "token_address", "token_url", "passwordHint", "secret_label"] {
        gone(&[&format!("{{\"{name}\":\"GONE\"}}"), &format!("?a=1&{name}=GONE")]);
        let stored = redact(Kind::Log, &json!({ "args": [{ name: GONE }] })).0.to_string();
        assert!(!stored.contains(GONE), "{name}: {stored}");
    }
    gone(&["{\"token_url\":\"https://a.example/?token=GONE\"}"]);
    for value in [
        "https://a.example/oauth2/v1/token-endpoint-2024",
        "0x52908400098527886E0F7030069857D2E4169EE7",
        "6513270e-269e-0d37-f2a7-4de452e6b438",
        "2024-05-01T10:00:00.000Z",
        "2024-05-01T10-00-00-000Z",
        "1.22.333-beta.4-build20240501",
        "/oauth2/v1/token/refresh1234567890ab",
        "at-least-8-characters-and-1-digit",
        "v2",
        "12345678901234567890",
    ] {
        kept(&[&json!({ "tokenVersion": value }).to_string()]);
        let entry = json!({ "args": [{ "token_address": value }] });
        assert_eq!(fields_of(&entry, &redact(Kind::Log, &entry).0), entry);
    }
}
