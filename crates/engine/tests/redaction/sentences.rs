//! Sentences in log lines that state credentials, and words and symbols that are not credentials.

use engine::Redactor;

#[test]
fn a_credential_in_a_sentence_is_redacted() {
    let token = "8f14e45fceea167a5a36dedd4bea2543";
    for (line, secret) in [
        ("the API key is {}", token),
        ("token is {}", token),
        ("Token is {}.", token),
        ("got token {} from server", token),
        ("auth token {}", token),
        ("client secret {}", "Zx9kPq27LmNv4Tr8"),
        ("secret is {}", "Zx9kPq27LmNv4Tr8"),
        ("PASSWORD IS {}", "HUNTER2"),
        ("password is {}", "12345678"),
        ("password was set to {}", "hunter2"),
        ("password changed to {}", "hunter2"),
        ("password is {}", "Tr0ub4dor&3"),
        ("password={}", "Tr0ub4dor&3xyz!"),
        ("signed in with password={} as ada", "Tr0ub4dor#3;x"),
    ] {
        let kept = Redactor::new().text(&line.replace("{}", secret));
        assert!(!kept.contains(secret) && kept.contains("[secret:"), "{kept}");
    }
}

#[test]
fn a_password_ends_where_another_parameter_begins() {
    for (line, kept) in [
        ("password=Tr0ub4dor&user=ada", "&user=ada"),
        ("https://shop.example/?password=Tr0ub4dor3&page=2#top", "&page=2#top"),
        ("password=Tr0ub4dor3&amp;user=ada", "&amp;user=ada"),
        ("password=Tr0ub4dor3; next()", "; next()"),
        ("password=Tr0ub4dor3 && go", " && go"),
    ] {
        let text = Redactor::new().text(line);
        assert!(text.ends_with(kept) && !text.contains("Tr0ub"), "{text}");
    }
}

#[test]
fn words_and_symbols_are_kept() {
    for text in [
        r#"{"token":"ETH","price":3000}"#,
        r#"[{"token":"USDC"}]"#,
        "Unexpected token in JSON at position 14",
        "token refresh-in-progress-please-wait",
        "token 3f2504e0-4f89-11d3-9a0c-0305e82c3301 has no owner",
        "secret manager2 started",
        "password is required",
        "password is too short: 8 characters",
        "token src/components/Login2026/index.tsx",
    ] {
        assert_eq!(Redactor::new().text(text), text);
    }
}

#[test]
fn tokens_that_resemble_words_are_redacted() {
    for (text, secret) in [
        (r#"{"email":"Ann","password":"Sunshine"}"#, "Sunshine"),
        (r#"{"token":"abcdefgh"}"#, "abcdefgh"),
        (r#"{"token":"a1b2"}"#, "a1b2"),
        (r#"{"secret":"ETH"}"#, "ETH"),
        ("https://shop.example/?token=ethxyz", "ethxyz"),
    ] {
        let kept = Redactor::new().text(text);
        assert!(!kept.contains(secret), "{kept}");
    }
}
