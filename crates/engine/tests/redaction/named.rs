//! Values that are credentials only by their name, whatever they look like.

use engine::redact::Redactor;
use serde_json::{Value, json};

use crate::support::{Kind, percent, percent_all, redact, redact_with};

const NAMES: &[&str] = &[
    "password",
    "Password",
    "PASSWORD",
    "passwd",
    "pwd",
    "pass",
    "passphrase",
    "secret",
    "token",
    "api_key",
    "apiKey",
    "api-key",
    "ApiKey",
    "APIKEY",
    "client_secret",
    "clientSecret",
    "client-secret",
    "access_token",
    "accessToken",
    "access-token",
    "refresh_token",
    "refreshToken",
    "id_token",
    "csrf_token",
    "csrfToken",
    "x-csrf-token",
    "authToken",
    "auth_token",
    "session_token",
    "sessionid",
    "session_id",
    "private_key",
    "privateKey",
    "user_password",
    "newPassword",
    "new-password",
    "password_confirmation",
    "currentPassword",
    "aws_secret_access_key",
    "secretKey",
    "credential",
    "authorization",
    "jwt",
    "otp",
    "cvv",
    "user.password",
    "user[password]",
];

const VALUES: &[&str] = &[
    "x",
    "1",
    "ab",
    "hunter2",
    "correct horse battery staple",
    "pässwörd",
    "パスワード",
    "with \"quotes\" in it",
    "back\\slash",
    "trailing\\",
    "it's",
    "a\nb",
    "<b>&amp;</b>",
    "{\"a\":1}",
    "a,b",
    "a&b=c#d?e",
    "100%",
    "%41%42",
    "`tick`",
    "0123456789abcdef0123456789abcdef",
    "ends with \\\"",
];

fn is_placeholder(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.starts_with("[secret:") && text.ends_with(']') && !text.contains(' '))
}

fn response(body: &str) -> String {
    let (stored, _) = redact(Kind::Network, &json!({ "responseBody": body, "requestBody": body }));
    assert_eq!(stored["responseBody"], stored["requestBody"]);
    stored["responseBody"].as_str().unwrap().to_owned()
}

#[test]
fn json_fields_are_redacted() {
    for &name in NAMES {
        for value in VALUES {
            let given = json!({ "a": "kept", name: value, "b": { name: value }, "z": [1, "kept"] });
            let compact = response(&given.to_string());
            let pretty = response(&serde_json::to_string_pretty(&given).unwrap());
            let spaced = response(&given.to_string().replace("\":", "\" : "));
            for (style, text) in [("compact", compact), ("pretty", pretty), ("spaced", spaced)] {
                if style == "spaced" && value.contains("\":") {
                    continue;
                }
                let stored: Value = serde_json::from_str(&text)
                    .unwrap_or_else(|error| panic!("{name}: {value}, {style}: {error}: {text}"));
                assert!(is_placeholder(&stored[name]), "{name}: {value}, {style}: {text}");
                assert!(is_placeholder(&stored["b"][name]), "{name}: {value}, {style}: {text}");
                assert_eq!(stored["a"], "kept");
                assert_eq!(stored["z"], given["z"]);
            }
        }
    }
}

#[test]
fn json_fields_within_json_texts_are_redacted() {
    for &name in NAMES {
        for value in VALUES {
            let inner = json!({ "a": "kept", name: value, "z": "kept" }).to_string();
            let text = response(&json!({ "payload": inner, "after": "kept" }).to_string());
            let stored: Value =
                serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {value}: {error}: {text}"));
            let inner: Value = serde_json::from_str(stored["payload"].as_str().unwrap())
                .unwrap_or_else(|error| panic!("{name}: {value}: {error}: {text}"));
            assert!(is_placeholder(&inner[name]), "{name}: {value}: {text}");
            assert_eq!((&inner["a"], &inner["z"], &stored["after"]), (&json!("kept"), &json!("kept"), &json!("kept")));
        }
    }
}

#[test]
fn arguments_and_metadata_are_redacted() {
    for &name in NAMES {
        for value in VALUES {
            let object = json!({ "a": "kept", name: value, "deep": [{ name: value }] });
            let (stored, _) = redact(Kind::Log, &json!({ "message": "m", "args": ["x", object], "metadata": object }));
            for object in [&stored["args"][1], &stored["metadata"]] {
                assert!(is_placeholder(&object[name]), "{name}: {value}: {stored}");
                assert!(is_placeholder(&object["deep"][0][name]), "{name}: {value}: {stored}");
                assert_eq!(object["a"], "kept");
            }
        }
    }
}

#[test]
fn numbers_lists_and_objects_are_redacted() {
    let given = json!({
        "secret": ["w", "x", ["y"]], "token": ["a", "b"], "api_key": { "value": "v", "type": "kept" },
        "credentials": { "user": "ada", "pass": "p", "list": ["q", { "deep": "r" }] },
        "tokens": 42, "max_tokens": 7, "a": [1, "kept"], "z": { "kept": "kept" },
    });
    let many: Vec<String> = (0..150).map(|n| format!("entry {n}")).collect();
    let many_text = response(&json!({ "tokens": many, "z": "kept" }).to_string());
    assert!(!many_text.contains("entry"), "{many_text}");
    let (stored, _) = redact(Kind::Log, &json!({ "message": "m", "args": [given] }));
    for stored in [serde_json::from_str(&response(&given.to_string())).unwrap(), stored["args"][0].clone()] {
        let stored: Value = stored;
        for place in [
            "/secret/1",
            "/secret/2/0",
            "/token/0",
            "/token/1",
            "/api_key/value",
            "/credentials/pass",
            "/credentials/list/0",
            "/credentials/list/1/deep",
        ] {
            assert!(is_placeholder(stored.pointer(place).unwrap()), "{place}: {stored}");
        }
        assert_eq!(stored["api_key"]["type"], "kept");
        assert_eq!((&stored["a"], &stored["z"]), (&given["a"], &given["z"]));
        assert_eq!((&stored["tokens"], &stored["max_tokens"]), (&json!(42), &json!(7)));
    }
}

/// In a text, a number is replaced in place, so the text is no longer JSON. The number has to be gone all the same.
#[test]
fn numbers_in_texts_are_redacted() {
    for (body, gone) in [
        (r#"{"password":123456,"a":1}"#, "123456"),
        (r#"{"pwd": 4711}"#, "4711"),
        (r#"{"access_token":-99887766.5e3}"#, "99887766"),
        (r#"{\"otp\":  445566 }"#, "445566"),
        (r#"{"secret":[1234,5678]}"#, "5678"),
    ] {
        assert!(!response(body).contains(gone), "{body}");
    }
}

#[test]
fn query_parameters_and_forms_are_redacted() {
    for name in NAMES.iter().chain(&["key", "sig", "signature", "X-Amz-Signature"]) {
        for value in VALUES {
            for (how, name, value) in [
                ("encoded", percent(name), percent(value)),
                ("all encoded", percent_all(name), percent_all(value)),
                ("name encoded", percent_all(name), percent(value)),
                ("plain name", (*name).to_owned(), percent_all(value)),
            ] {
                let pairs = format!("page=2&{name}={value}&sort=asc");
                let at =
                    |url: String| redact(Kind::Network, &json!({ "url": url })).0["url"].as_str().unwrap().to_owned();
                for stored in [
                    at(format!("https://a.example/p?{pairs}")),
                    at(format!("https://a.example/p#{pairs}")),
                    response(&pairs),
                    response(&format!("{name}={value}")),
                ] {
                    let after = stored.split_once(&format!("{name}=")).unwrap().1;
                    let rest = after.strip_prefix("[secret:").and_then(|rest| rest.split_once(']'));
                    let (_, rest) = rest.unwrap_or_else(|| panic!("{how}, {pairs} became {stored}"));
                    assert!(rest.is_empty() || rest == "&sort=asc", "{how}, {pairs} became {stored}");
                }
            }
        }
    }
}

#[test]
fn other_notations_of_a_name_and_a_value_are_redacted() {
    for text in [
        "<input type=\"hidden\" name=\"csrf_token\" value=\"GONE\">",
        "<input value='GONE' type=hidden name='csrf_token'>",
        "<meta name=\"csrf-token\" content=\"GONE\" />",
        "<Password>GONE</Password><user>ada</user>",
        "{\"name\":\"password\",\"value\":\"GONE\"}",
        "[{\"name\":\"user\",\"value\":\"ada\"},{\"value\":\"GONE\",\"name\":\"password\"}]",
        "{\\\"key\\\":\\\"api_key\\\",\\\"value\\\":\\\"GONE\\\"}",
        "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nGONE\r\n--b--",
        "{\"password\"=>\"GONE\", \"a\"=>1}",
        "{&quot;token&quot;:&quot;GONEGONE&quot;,&quot;a&quot;:1}",
        "{\\u0022token\\u0022:\\u0022GONEGONE\\u0022}",
        "{\"pass\\u0077ord\":\"GONE\"}",
        "{'password': 'GONE'}",
        "https://a.example/?user[password]=GONE&a=1",
        "https:\\/\\/ada:GONE@a.example\\/",
        "https://ada:GONE@not-the-host@a.example/",
        "?data=%7B%22password%22%3A%22GONE%22%7D",
        "?next=%2Fcallback%3Faccess_token%3DGONE%26a%3D1",
        "token=GONE",
        "a=1&amp;token=GONE&amp;b=2",
    ] {
        let stored = response(text);
        assert!(!stored.contains("GONE") && stored.contains("[secret:"), "{text} became {stored}");
    }
    for args in [
        json!(["token:", "8f7a6s5d4f3g2h1j"]),
        json!(["Access token", "8f7a6s5d4f3g2h1j"]),
        json!(["password =", "hunter22"]),
        json!([{ "name": "password", "value": "8f7a6s5d4f3g2h1j hunter22" }]),
    ] {
        let stored = redact(Kind::Log, &json!({ "message": "m", "args": args })).0.to_string();
        assert!(!stored.contains("8f7a6s5d") && !stored.contains("hunter22"), "{args} became {stored}");
    }
}

#[test]
fn the_same_secret_has_the_same_placeholder_everywhere() {
    for secret in [
        "q7Zk3+v/9sLp2=Xw8",
        "hunter2hunter2",
        "a \"quoted\" one 1",
        "ünï-cödé 12345",
        concat!("gh", "p_0123456789abcdefghijABCDEFGHIJ012345"),
    ] {
        let redactor = Redactor::new();
        let mut seen = Vec::new();
        let mut note = |kind, entry: Value, pointer: &str| {
            let (stored, _) = redact_with(&redactor, kind, &entry);
            let text = stored.pointer(pointer).unwrap().as_str().unwrap().to_owned();
            let start = text.find("[secret:").unwrap_or_else(|| panic!("{entry} became {text}"));
            let end = start + text[start..].find(']').unwrap() + 1;
            seen.push(text[start..end].to_owned());
        };
        note(Kind::Network, json!({ "url": format!("/?token={}&a=1", percent(secret)) }), "/url");
        note(Kind::Network, json!({ "url": format!("/?{}={}", percent_all("token"), percent_all(secret)) }), "/url");
        note(Kind::Network, json!({ "responseBody": json!({ "access_token": secret }).to_string() }), "/responseBody");
        let twice = json!({ "in": json!({ "access_token": secret }).to_string() }).to_string();
        note(Kind::Network, json!({ "responseBody": twice }), "/responseBody");
        note(Kind::Log, json!({ "message": "m", "args": [{ "password": secret }] }), "/args/0/password");
        note(
            Kind::Log,
            json!({ "message": "m", "args": [{ "authorization": format!("Bearer {secret}") }] }),
            "/args/0/authorization",
        );
        if !secret.contains([' ', '"']) {
            note(Kind::Log, json!({ "message": format!("sent Bearer {secret} now") }), "/message");
        }
        assert!(seen.iter().all(|placeholder| *placeholder == seen[0]), "{secret}: {seen:?}");
        let other = redact_with(&redactor, Kind::Log, &json!({ "message": "m", "args": [{ "token": "another" }] })).0;
        assert_ne!(other["args"][0]["token"], seen[0].as_str());
    }
}

/// A missing credential is what a developer looks for, and is not secret. A password may be anything.
#[test]
fn a_missing_value_is_not_a_secret() {
    for value in ["null", "undefined", "true", "false", "[object Object]", "***", "••••••••"] {
        for name in ["token", "access_token", "secret", "api_key", "sid"] {
            let json = json!({ name: value }).to_string();
            assert_eq!(response(&json), json);
            let console = format!("{name}={value}");
            let (stored, findings) = redact(Kind::Log, &json!({ "message": console, "args": [console] }));
            assert_eq!((&stored["message"], findings.len()), (&json!(console), 0));
        }
        assert!(is_placeholder(
            &serde_json::from_str::<Value>(&response(&json!({ "password": value }).to_string())).unwrap()["password"]
        ));
    }
    assert_eq!(response("token=null&user=null"), "token=null&user=null");
    assert_eq!(redact(Kind::Log, &json!({ "message": "token=null, user=null" })).0["message"], "token=null, user=null");
}

#[test]
fn descriptions_of_a_field_stay() {
    let answer = r#"{"errors":{"password":["is too short (minimum is 8 characters)"],"token":["has expired"]}}"#;
    assert_eq!(response(answer), answer);
    for harmless in [
        r#"{"tokenizer":"cl100k_base"}"#,
        r#"{"secretary":"jane-doe"}"#,
        r#"{"tokenName":"Ethereum Classic"}"#,
        r#"{"credentials":"same-origin"}"#,
        r#"{"auth":"required"}"#,
        "https://www.google-analytics.com/g/collect?v=2&sid=1700000000&_p=1700000000",
        "https://a.example/?tokenize=true&pwd=/home",
    ] {
        assert_eq!(response(harmless), harmless);
    }
    // A passphrase is a password, also in a list.
    assert!(!response(r#"{"password":["correct horse battery"]}"#).contains("horse"));
}

#[test]
fn json_stays_valid_without_a_secret_number() {
    for (given, path) in [
        (r#"{"id":1,"session_id":42,"email":"a@b.example"}"#, "/session_id"),
        (r#"{"otp":482113}"#, "/otp"),
        (r#"{"token":{"a":12,"b":[34]}}"#, "/token/b/0"),
    ] {
        let stored: Value = serde_json::from_str(&response(given)).unwrap();
        assert!(is_placeholder(stored.pointer(path).unwrap()), "{stored}");
        let within = json!({ "payload": given }).to_string();
        let stored: Value = serde_json::from_str(&response(&within)).unwrap();
        let inner: Value = serde_json::from_str(stored["payload"].as_str().unwrap()).unwrap();
        assert!(is_placeholder(inner.pointer(path).unwrap()), "{inner}");
    }
}

#[test]
fn a_word_under_a_sensitive_name_stays_elsewhere() {
    let body =
        json!({ "url": "https://a.example/x?token=identifier", "responseBody": r#"{"msg":"identifier missing"}"# });
    let (stored, _) = redact(Kind::Network, &body);
    assert_eq!(stored["responseBody"], r#"{"msg":"identifier missing"}"#);
    assert!(!stored["url"].as_str().unwrap().contains("identifier"));
}
