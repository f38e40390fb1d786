//! Scripts from any captured history: their content, what is left out, and that captured text never becomes code.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use std::time::Instant;

use engine::entry::{Action, Arrival, Log, Parse, Request};
use engine::generate::{Format, Outcome, Reproduction, ScriptRequest, reproduce};
use engine::{Redactor, Session};
use serde_json::{Value, json};
use wire::{Timestamp, limits};

const START: i64 = 1_770_600_000_000;
const NOW: Timestamp = Timestamp::from_millis(START);

/// A store with these entries; `at` is the time, in milliseconds after the start.
fn store(actions: &[Value], errors: &[Value]) -> Session {
    let mut session = Session::new("t");
    let redactor = Redactor::new();
    let timed = |entry: &Value| {
        let mut entry = entry.clone();
        let at = entry.as_object_mut().unwrap().remove("at").and_then(|at| at.as_i64()).unwrap_or_default();
        entry["ts"] = json!(START + at);
        entry
    };
    for action in actions {
        let mut action = timed(action);
        if action.get("url").is_none() {
            action["url"] = json!("http://localhost:3000/");
        }
        let entry = Action::from_json(action, Arrival::at(NOW)).unwrap();
        session.push_action(redactor.redact(entry), NOW, 100).unwrap();
    }
    for error in errors {
        let mut error = timed(error);
        if error.get("responseBody").is_some() {
            let entry = Request::from_json(error, Arrival::at(NOW)).unwrap();
            session.push_network(redactor.redact(entry), NOW, 100).unwrap();
            continue;
        }
        if error.get("level").is_none() {
            error["level"] = json!("error");
        }
        let entry = Log::from_json(error, Arrival::at(NOW)).unwrap();
        session.push_log(redactor.redact(entry), NOW, 100).unwrap();
    }
    session
}

fn script(session: &Session, request: &ScriptRequest<'_>) -> Reproduction {
    match reproduce(session, request) {
        Outcome::Script(reproduction) => *reproduction,
        other => panic!("{other:?}"),
    }
}

fn asserting() -> ScriptRequest<'static> {
    ScriptRequest { include_assertions: true, ..ScriptRequest::default() }
}

/// The lines of the test's body that do something, without the set-up and the final check.
fn steps(script: &str) -> Vec<&str> {
    let body = script.lines().skip_while(|line| !line.starts_with("  await page.goto(")).map(str::trim);
    body.filter(|line| line.starts_with("await ") && !line.starts_with("await expect.poll")).collect()
}

fn check(actions: &[Value], expected: &[&str]) {
    let session = store(actions, &[]);
    assert_eq!(steps(&script(&session, &asserting()).script), expected);
}

const OPEN: &str = "await page.goto('http://localhost:3000/');";

#[test]
fn the_seeds_example() {
    let session = store(
        &[
            json!({ "type": "input", "at": 0, "url": "http://localhost:3000/login", "inputType": "email", "value": "user@example.com", "selectors": { "testId": "email-input" } }),
            json!({ "type": "input", "at": 500, "url": "http://localhost:3000/login", "inputType": "password", "value": "hunter2", "selectors": { "testId": "password-input" } }),
            json!({ "type": "click", "at": 2_800, "url": "http://localhost:3000/login", "selectors": { "role": { "role": "button", "name": "Log in" }, "cssPath": "form#login > button.submit-btn" } }),
        ],
        &[
            json!({ "type": "exception", "at": 2_810, "url": "http://localhost:3000/login", "filename": "src/components/LoginForm.tsx", "lineno": 42, "message": "Cannot read properties of undefined (reading 'user')" }),
        ],
    );
    let made = script(&session, &asserting());
    let expected = r#"import { test, expect } from '@playwright/test';

// Repeats what led to a captured error. This test PASSES while the error occurs and FAILS once it is fixed;
// after the fix, invert its last check, as the comment there says.
test('reproduction: Cannot read properties of undefined (reading \'user\')', async ({ page }) => {
  // What goes wrong while the steps run.
  const problems = [];
  page.on('pageerror', (error) => problems.push(`${error.name}: ${error.message}`));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  const settled = settling(page);
  // Answers to alerts and questions are not captured; accepting them is the most likely answer.
  page.on('dialog', (dialog) => dialog.accept());
  // Pages write test ids in different attributes; each of these counts.
  page.getByTestId = (id) => {
    const names = ['data-testid', 'data-test-id', 'data-cy', 'data-test'];
    const value = id.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\a ');
    return page.locator(names.map((name) => `[${name}="${value}"]`).join(', '));
  };
  await page.goto('http://localhost:3000/login');

  // Fill "email-input"
  await page.getByTestId('email-input').fill('user@example.com');

  // Fill "password-input"
  await page.getByTestId('password-input').fill('[user-provided]');

  // [2.3s pause]
  // Click "Log in"
  await page.getByRole('button', { name: 'Log in', exact: true }).click();

  // Error occurred here: Cannot read properties of undefined (reading 'user')
  // Passes while the bug is there. Once it is fixed this fails: then use the two lines after it instead.
  await expect.poll(() => problems.join('\n')).toContain('Cannot read properties of undefined (reading \'user\')');
  // await settled(1010);
  // expect(problems.join('\n')).not.toContain('Cannot read properties of undefined (reading \'user\')');
});
"#;
    let (test, helper) = made.script.split_once("\n// Watches the page").unwrap();
    assert_eq!(test, expected);
    assert!(helper.contains("function settling(page) {"), "{helper}");
    assert_eq!((made.actions_used, made.checks_error), (3, true));
    assert_eq!(made.selectors_used, ["testId", "role"]);
    assert_eq!(made.warnings, ["Password field value redacted — replace '[user-provided]' with test credentials"]);
    let error = made.error.unwrap();
    assert_eq!((error.file.as_deref(), error.line), (Some("src/components/LoginForm.tsx"), Some(42)));
    let plain = script(&session, &ScriptRequest::default());
    assert!(!plain.script.contains("expect.poll") && plain.script.contains("// Error occurred here: Cannot read"));
    assert!(!plain.checks_error);
}

#[test]
fn the_best_selector_is_used() {
    let all = json!({ "testId": "t", "role": { "role": "button", "name": "N" }, "ariaLabel": "L", "text": "T", "id": "i.d", "cssPath": "a > b" });
    let order = ["testId", "role", "ariaLabel", "text", "id", "cssPath"];
    let expected = [
        "page.getByTestId('t')",
        "page.getByRole('button', { name: 'N', exact: true })",
        "page.getByLabel('L', { exact: true })",
        "page.getByText('T', { exact: true })",
        "page.locator('#i\\\\.d')",
        "page.locator('a > b')",
    ];
    let mut left = all.clone();
    for (kind, locator) in order.iter().zip(expected) {
        let session = store(&[json!({ "type": "click", "selectors": left })], &[]);
        let made = script(&session, &asserting());
        assert_eq!(steps(&made.script), [OPEN, &format!("await {locator}.click();")]);
        assert_eq!(made.selectors_used, [*kind]);
        left.as_object_mut().unwrap().remove(*kind);
    }
    // Only the position is left, then nothing at all.
    check(&[json!({ "type": "click", "position": { "x": 4.0, "y": 7.5 } })], &[OPEN, "await page.mouse.click(4, 7);"]);
    check(&[json!({ "type": "click" })], &[OPEN]);
    // A name with a redacted credential would match nothing.
    let cut = json!({ "testId": "[secret:jwt#1]", "text": "Save" });
    check(
        &[json!({ "type": "click", "selectors": cut })],
        &[OPEN, "await page.getByText('Save', { exact: true }).click();"],
    );
    // Test runners give a summary no role.
    let summary =
        json!({ "role": { "role": "button", "name": "More" }, "text": "More", "cssPath": "details > summary" });
    check(
        &[json!({ "type": "click", "selectors": summary })],
        &[OPEN, "await page.getByText('More', { exact: true }).click();"],
    );
    let twin = json!({ "role": { "role": "button", "name": "Delete" }, "cssPath": "li:nth-child(2) > button" });
    let picked = "await (await pick(page.getByRole('button', { name: 'Delete', exact: true }), 'li:nth-child(2) > button')).click();";
    check(&[json!({ "type": "click", "selectors": twin })], &[OPEN, picked]);
}

#[test]
fn every_action_has_its_code() {
    let of = |id: &str| json!({ "testId": id });
    for (action, expected) in [
        (
            json!({ "type": "input", "value": "a'b", "selectors": of("x") }),
            vec!["await page.getByTestId('x').fill('a\\'b');"],
        ),
        (
            json!({ "type": "input", "value": "[redacted]", "selectors": of("x") }),
            vec!["await page.getByTestId('x').fill('[user-provided]');"],
        ),
        (
            json!({ "type": "input", "inputType": "checkbox", "value": "true", "selectors": of("x") }),
            vec!["await page.getByTestId('x').check();"],
        ),
        (json!({ "type": "input", "inputType": "file", "value": "C:\\x", "selectors": of("x") }), vec![]),
        (json!({ "type": "submit", "selectors": of("x") }), vec!["await page.getByTestId('x').click();"]),
        (
            json!({ "type": "submit", "selectors": { "testId": "x", "cssPath": "main > form" } }),
            vec![r#"await page.getByTestId('x').locator('[type="submit"], button:not([type])').first().click();"#],
        ),
        (
            json!({ "type": "keypress", "key": "Enter", "selectors": of("x") }),
            vec!["await page.keyboard.press('Enter');"],
        ),
        (json!({ "type": "keypress", "key": "Escape" }), vec!["await page.keyboard.press('Escape');"]),
        (
            json!({ "type": "keypress", "key": "Enter", "selectors": { "testId": "x", "cssPath": "input" } }),
            vec!["await page.getByTestId('x').focus();", "await page.keyboard.press('Enter');"],
        ),
        (json!({ "type": "keypress", "key": "');evil('" }), vec![]),
        (
            json!({ "type": "select", "selectedValue": "l", "selectors": of("x") }),
            vec!["await page.getByTestId('x').selectOption('l');"],
        ),
        (
            json!({ "type": "select", "selectedValue": "s,l", "selectedText": "Small, Large", "selectors": of("x") }),
            vec!["await page.getByTestId('x').selectOption(['s', 'l']);"],
        ),
        (json!({ "type": "scroll", "scrollY": 320 }), vec![]),
        (json!({ "type": "teleport" }), vec![]),
        (
            json!({ "type": "click", "text": "Pay now", "selectors": { "testId": "x", "cssPath": "main > button.pay" } }),
            vec![
                "await expect(page.getByTestId('x')).toContainText('Pay now');",
                "await page.getByTestId('x').click();",
            ],
        ),
    ] {
        let expected: Vec<&str> = std::iter::once(OPEN).chain(expected).collect();
        check(&[action], &expected);
    }
    let scrolled = store(&[json!({ "type": "scroll", "scrollY": 320 })], &[]);
    assert!(script(&scrolled, &asserting()).script.contains("// User scrolled to y=320"));
}

#[test]
fn a_form_is_submitted_once() {
    let click = |at: i64| json!({ "type": "click", "at": at, "selectors": { "testId": "go" } });
    let enter = |at: i64| json!({ "type": "keypress", "key": "Enter", "at": at, "selectors": { "testId": "field" } });
    let submit = |at: i64| json!({ "type": "submit", "at": at, "selectors": { "testId": "form", "cssPath": "form" } });
    let sent = r#"await page.getByTestId('form').locator('[type="submit"], button:not([type])').first().click();"#;
    check(&[click(0), submit(2)], &[OPEN, "await page.getByTestId('go').click();"]);
    check(&[enter(0), submit(2)], &[OPEN, "await page.keyboard.press('Enter');"]);
    check(&[click(0), submit(5_000)], &[OPEN, "await page.getByTestId('go').click();", sent]);
    check(&[submit(0)], &[OPEN, sent]);
}

#[test]
fn pages_that_a_step_leads_to_are_awaited_and_others_opened() {
    let click = |at: i64, url: &str| json!({ "type": "click", "at": at, "url": url, "selectors": { "testId": "x" } });
    let navigate = |at: i64, from: &str, to: &str| json!({ "type": "navigate", "at": at, "url": to, "fromUrl": from, "toUrl": to });
    let clicked = "await page.getByTestId('x').click();";
    let (a, b, c) = ("http://localhost:3000/", "http://localhost:3000/b", "http://localhost:3000/c");
    let [wait_b, expect_b] =
        [format!("await page.waitForURL('{b}');"), format!("await expect(page).toHaveURL('{b}');")];
    let [wait_c, expect_c] =
        [format!("await page.waitForURL('{c}');"), format!("await expect(page).toHaveURL('{c}');")];
    let open_c = format!("await page.goto('{c}');");
    // By the history, by a redirect, by a page load.
    check(&[click(0, a), navigate(10, a, b), click(900, b)], &[OPEN, clicked, &wait_b, &expect_b, clicked]);
    check(&[click(0, a), navigate(10, a, b), navigate(20, b, c)], &[OPEN, clicked, &wait_c, &expect_c]);
    check(&[click(0, a), click(60_000, b)], &[OPEN, clicked, &wait_b, clicked]);
    // The user used the address bar or the back button.
    check(&[click(0, a), navigate(10, a, b), navigate(9_000, b, c)], &[OPEN, clicked, &wait_b, &expect_b, &open_c]);
    let wait_a = format!("await page.waitForURL('{a}');");
    check(
        &[click(0, a), navigate(10, a, b), navigate(9_000, b, a)],
        &[OPEN, clicked, &wait_b, &expect_b, "await page.goBack();", &wait_a],
    );
    // Typing that changes the address is reported with the new one.
    let typed = json!({ "type": "input", "at": 0, "url": b, "value": "q", "selectors": { "testId": "x" } });
    check(&[typed, navigate(1, a, b)], &[OPEN, "await page.getByTestId('x').fill('q');", &wait_b, &expect_b]);
    // A navigation before the first action is where the script begins.
    check(&[navigate(0, a, b), click(1, b)], &["await page.goto('http://localhost:3000/b');", clicked]);
    let session = store(&[click(0, a), navigate(10, a, b)], &[]);
    let base = ScriptRequest { base_url: Some("http://127.0.0.1:9/"), ..asserting() };
    let moved = script(&session, &base).script;
    assert!(moved.contains("goto('http://127.0.0.1:9/')") && moved.contains("toHaveURL('http://127.0.0.1:9/b')"));
    assert!(!moved.contains("localhost:3000"), "{moved}");
    let quiet = script(&session, &ScriptRequest::default()).script;
    assert!(quiet.contains("waitForURL") && !quiet.contains("toHaveURL"));
    for bad in ["javascript:alert(1)", "localhost:3000", "file:///x"] {
        assert_eq!(
            reproduce(&session, &ScriptRequest { base_url: Some(bad), ..asserting() }),
            Outcome::BadBase,
            "{bad}"
        );
    }
}

#[test]
fn credentials_are_not_in_scripts_and_cause_a_warning() {
    let url = "http://localhost:3000/cb?access_token=abcdefghijklmnop1234&tab=2";
    let field = json!({ "role": { "role": "textbox", "name": "API token" }, "cssPath": "input" });
    let actions = [
        json!({ "type": "click", "url": url, "selectors": { "testId": "x" } }),
        json!({ "type": "input", "url": url, "value": "ghp_0123456789abcdefghijklmnopqrstuvwxyz", "selectors": field }),
    ];
    let made = script(&store(&actions, &[]), &asserting());
    assert!(made.script.contains("page.goto('http://localhost:3000/cb?tab=2')"), "{}", made.script);
    for leak in ["abcdefghijklmnop", "ghp_", "[secret:", "access_token"] {
        assert!(!made.script.contains(leak), "{leak} in {}", made.script);
    }
    assert!(made.warnings[0].contains("stripped from the URL http://localhost:3000/cb?tab=2"), "{:?}", made.warnings);
    assert!(made.warnings[1].starts_with("API token field value redacted"), "{:?}", made.warnings);
}

#[test]
fn the_script_ends_at_the_requested_error() {
    let click =
        |id: &str, at: i64, tab: i64| json!({ "type": "click", "at": at, "tabId": tab, "selectors": { "testId": id } });
    let error =
        |message: &str, at: i64, tab: i64| json!({ "type": "exception", "at": at, "tabId": tab, "message": message });
    let session = store(
        &[click("a", 0, 1), click("other", 5, 2), click("b", 10, 1), click("c", 1_000, 1), click("d", 2_000, 1)],
        &[error("First thing broke", 20, 1), error("Second thing broke", 1_010, 1), error("elsewhere", 3_000, 3)],
    );
    let clicks = |request: &ScriptRequest<'_>| {
        let made = script(&session, request);
        let ids: Vec<String> = made
            .script
            .split("getByTestId('")
            .skip(1)
            .map(|rest| rest.split('\'').next().unwrap().to_owned())
            .collect();
        (ids.join(","), made.error.map(|error| error.message).unwrap_or_default(), made.warnings)
    };
    let (ids, message, warnings) = clicks(&asserting());
    assert_eq!((ids.as_str(), message.as_str()), ("a,b,c", "Second thing broke"));
    assert_eq!(warnings, ["1 actions after the error are left out: the script ends at the error"]);
    let first = ScriptRequest { error_message: Some("FIRST thing"), ..asserting() };
    assert_eq!(clicks(&first).0, "a,b");
    let elsewhere = ScriptRequest { error_message: Some("elsewhere"), ..asserting() };
    let (ids, _, warnings) = clicks(&elsewhere);
    assert_eq!(ids, "");
    assert_eq!(warnings.last().unwrap(), "No actions were captured before this error: the script only opens its page");
    let last = ScriptRequest { last_n_actions: Some(1), ..asserting() };
    assert_eq!(clicks(&last).0, "c");
    let none = ScriptRequest { error_message: Some("never"), ..asserting() };
    assert_eq!(reproduce(&session, &none), Outcome::NoSuchError(3));
    let mut tab = asserting();
    tab.filter.tab_id = Some(2);
    assert_eq!(clicks(&tab), ("other".to_owned(), String::new(), vec![]));
    assert_eq!(reproduce(&Session::new("t"), &asserting()), Outcome::Nothing);
}

#[test]
fn an_error_on_a_page_without_actions_is_reproduced() {
    let click = json!({ "type": "click", "at": 0, "selectors": { "testId": "x" } });
    let error =
        |at: i64| json!({ "type": "exception", "at": at, "message": "boom", "url": "http://localhost:3000/next" });
    let clicked = "await page.getByTestId('x').click();";
    let opened = "await page.goto('http://localhost:3000/next');";
    for (at, expected) in [(500, vec![OPEN, clicked]), (60_000, vec![OPEN, clicked, opened])] {
        let made = script(&store(std::slice::from_ref(&click), &[error(at)]), &asserting());
        assert_eq!(steps(&made.script), expected, "{at}");
    }
}

#[test]
fn an_error_while_typing_keeps_the_typing() {
    let typed =
        |at: i64, value: &str| json!({ "type": "input", "at": at, "value": value, "selectors": { "testId": "q" } });
    let error = [json!({ "type": "exception", "at": 1_000, "message": "boom" })];
    let used = |action: Value| {
        let first = json!({ "type": "click", "at": 0, "selectors": { "testId": "q" } });
        script(&store(&[first, action], &error), &asserting()).actions_used
    };
    assert_eq!(used(typed(1_800, "words")), 2);
    assert_eq!(used(typed(9_000, "words")), 1);
}

#[test]
fn errors_of_every_kind_are_checked_for() {
    let click = json!({ "type": "click", "at": 0, "selectors": { "testId": "x" } });
    let cypress = ScriptRequest { format: Format::Cypress, ..asserting() };
    for (error, playwright_check, cypress_check) in [
        (
            json!({ "type": "rejection", "message": "Error: no stock" }),
            "await expect.poll(() => problems.join('\\n')).toContain('no stock');",
            "cy.wrap(problems).should((seen) => expect(seen.join('\\n')).to.contain('no stock'));",
        ),
        (
            json!({ "type": "console", "message": "saving 123456 failed" }),
            "await expect.poll(() => problems.join('\\n')).toMatch(new RegExp('saving[^]*failed'));",
            "cy.wrap(problems).should((seen) => expect(seen.join('\\n')).to.match(new RegExp('saving[^]*failed')));",
        ),
        (
            json!({ "type": "network", "message": "POST http://localhost:3000/api/pay → 500", "method": "POST", "requestUrl": "http://localhost:3000/api/pay", "status": 500 }),
            "await expect.poll(() => requests).toContain('POST /api/pay 500');",
            "cy.wrap(requests).should((seen) => expect(seen.join('\\n')).to.contain('POST /api/pay 500'));",
        ),
        (
            json!({ "method": "GET", "url": "http://localhost:3000/orders/81234", "status": 404, "responseBody": "{}" }),
            "await expect.poll(() => requests.join('\\n')).toMatch(new RegExp('^GET /orders/[^/ ]+ 404$', 'm'));",
            "cy.wrap(requests).should((seen) => expect(seen.join('\\n')).to.match(new RegExp('^GET /orders/[^/ ]+ 404$', 'm')));",
        ),
        (
            json!({ "type": "network", "message": "GET http://localhost:3000/x → failed: Failed to fetch", "method": "GET", "requestUrl": "http://localhost:3000/x", "status": 0 }),
            "await expect.poll(() => requests).toContain('GET /x failed');",
            "// Cypress does not see requests that got no answer: look at its network log.",
        ),
        (
            json!({ "type": "resource", "message": "Failed to load <img> http://localhost:3000/a.png", "requestUrl": "http://localhost:3000/a.png" }),
            "await expect.poll(() => requests.join('\\n')).toMatch(new RegExp('^GET /a\\\\.png (?:[45]\\\\d\\\\d|failed)$', 'm'));",
            "cy.wrap(requests).should((seen) => expect(seen.join('\\n')).to.match(new RegExp('^GET /a\\\\.png (?:[45]\\\\d\\\\d|failed)$', 'm')));",
        ),
    ] {
        let mut error = error;
        error["at"] = json!(5);
        let session = store(std::slice::from_ref(&click), &[error]);
        for (request, check) in [(&asserting(), playwright_check), (&cypress, cypress_check)] {
            let text = script(&session, request).script;
            assert!(text.contains(check), "{check} in {text}");
        }
    }
}

#[test]
fn the_check_for_after_the_fix_waits_for_a_settled_page() {
    let click = json!({ "type": "click", "at": 0, "selectors": { "testId": "x" } });
    let lines = |at: i64, format: Format| {
        let error = json!({ "type": "rejection", "at": at, "message": "Error: no stock" });
        let text =
            script(&store(std::slice::from_ref(&click), &[error]), &ScriptRequest { format, ..asserting() }).script;
        let lines = text.lines().map(str::trim).skip_while(|line| !line.contains("Once it is fixed this fails"));
        lines.skip(1).take(3).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(
        lines(300, Format::Playwright),
        [
            "await expect.poll(() => problems.join('\\n')).toContain('no stock');",
            "// await settled(1300);",
            "// expect(problems.join('\\n')).not.toContain('no stock');",
        ]
    );
    // The error came late, so both checks wait longer.
    assert_eq!(
        lines(4_000, Format::Playwright)[..2],
        [
            "await expect.poll(() => problems.join('\\n'), { timeout: 12000 }).toContain('no stock');",
            "// await settled(6000);"
        ]
    );
    // Without a step, the delay counts from the page's opening.
    let load = |at: i64, level: &str, message: &str| json!({ "type": "console", "level": level, "at": at, "message": message, "page_id": "p1" });
    let opened =
        [load(0, "log", "hello"), json!({ "type": "rejection", "at": 20_000, "message": "no stock", "page_id": "p1" })];
    let made = script(&store(&[], &opened), &asserting());
    assert!(made.script.contains("// await settled(30000);"), "{}", made.script);
    // By default, Playwright ends a test after thirty seconds.
    assert!(made.script.contains("test.setTimeout(120000);"), "{}", made.script);
    let late = json!({ "type": "rejection", "at": 90_000, "message": "no stock" });
    let made = script(&store(std::slice::from_ref(&click), &[late]), &asserting());
    assert!(made.script.contains("// await settled(60000);"), "{}", made.script);
    assert!(
        made.warnings.iter().any(|warning| warning.contains("came 90 s after the last step")),
        "{:?}",
        made.warnings
    );
    assert_eq!(
        lines(300, Format::Cypress)[1..],
        [
            "// settled(1300);",
            "// cy.wrap(problems).should((seen) => expect(seen.join('\\n')).not.to.contain('no stock'));"
        ]
    );
}

#[test]
fn objects_are_compared_as_json_and_empty_ones_are_not_a_pattern() {
    let click = json!({ "type": "click", "at": 0, "selectors": { "testId": "x" } });
    let made = |error: Value, format: Format| {
        script(&store(std::slice::from_ref(&click), &[error]), &ScriptRequest { format, ..asserting() })
    };
    let thrown = json!({ "type": "exception", "at": 5, "message": "{\"code\":5}" });
    let logged = json!({ "type": "console", "at": 5, "message": "{\"code\":5}", "args": [{ "code": 5 }] });
    for error in [thrown, logged] {
        for format in [Format::Playwright, Format::Cypress] {
            let text = made(error.clone(), format).script;
            assert!(text.contains("'\"code\":5'") && text.contains("JSON.stringify"), "{text}");
            assert!(!text.contains("RegExp"), "{text}");
        }
    }
    let varies = made(json!({ "type": "exception", "at": 5, "message": "8123456" }), Format::Playwright);
    assert!(!varies.checks_error && !varies.script.contains("expect.poll"), "{}", varies.script);
    assert_eq!(varies.warnings, ["Nothing in the error's message stays the same, so the script does not check for it"]);
}

#[test]
fn cypress_scripts_cover_every_action() {
    let actions = [
        json!({ "type": "input", "value": "{enter}", "selectors": { "testId": "x\"y" } }),
        json!({ "type": "click", "at": 1, "selectors": { "role": { "role": "button", "name": "Save" }, "text": "Save", "cssPath": "button" } }),
        json!({ "type": "click", "at": 2, "selectors": { "role": { "role": "textbox", "name": "Name" }, "ariaLabel": "Name" } }),
        json!({ "type": "select", "at": 3, "selectedValue": "l", "selectors": { "id": "size" } }),
        json!({ "type": "keypress", "at": 4, "key": "Escape" }),
        json!({ "type": "keypress", "at": 5, "key": "Enter" }),
        json!({ "type": "keypress", "at": 6, "key": "Tab" }),
        json!({ "type": "navigate", "at": 7, "fromUrl": "http://localhost:3000/", "toUrl": "http://localhost:3000/b" }),
        json!({ "type": "scroll", "at": 8, "scrollY": 9, "url": "http://localhost:3000/b" }),
    ];
    let made = script(&store(&actions, &[]), &ScriptRequest { format: Format::Cypress, ..asserting() });
    let lines: Vec<&str> = made.script.lines().map(str::trim).filter(|line| line.starts_with("cy.")).collect();
    let field = r#"cy.get('[data-testid="x\\"y"], [data-test-id="x\\"y"], [data-cy="x\\"y"], [data-test="x\\"y"]')"#;
    assert_eq!(
        lines,
        [
            "cy.on('uncaught:exception', () => false);",
            "cy.visit('http://localhost:3000/');",
            &format!("{field}.clear();"),
            &format!("{field}.type('{{enter}}', {{ parseSpecialCharSequences: false }});"),
            r#"cy.contains('button, [role="button"], summary', 'Save').click();"#,
            r#"cy.get('[aria-label="Name"]').click();"#,
            "cy.get('#size').select('l');",
            "cy.get('body').type('{esc}');",
            "cy.focused().type('{enter}');",
            "cy.press('Tab');",
            "cy.url().should('eq', 'http://localhost:3000/b');",
        ]
    );
}

/// Every field of an action and of an error that a page can set.
fn hostile(text: &str) -> (Vec<Value>, Vec<Value>) {
    let selectors = [
        json!({ "testId": text }),
        json!({ "role": { "role": text, "name": text } }),
        json!({ "role": { "role": "button", "name": text }, "text": text }),
        json!({ "ariaLabel": text }),
        json!({ "text": text }),
        json!({ "id": text }),
        json!({ "cssPath": text }),
        json!({ "testId": text, "cssPath": format!("li:nth-child(2) > {text}") }),
    ];
    let mut actions: Vec<Value> = Vec::new();
    for (place, selectors) in selectors.iter().enumerate() {
        let kind = ["click", "input", "select", "submit", "keypress", text][place % 6];
        let page = format!("http://localhost:3000/{text}?{text}={text}#{text}");
        actions.push(json!({
            "type": kind, "selectors": selectors, "at": place * 3_000, "url": page, "text": text, "value": text, "name": text,
            "inputType": text, "key": text, "selectedValue": text, "selectedText": text, "target": text,
            "formAction": text, "method": text, "autocomplete": text,
        }));
    }
    actions.push(json!({ "type": "navigate", "at": 25_000, "url": text, "fromUrl": text, "toUrl": text }));
    let errors = [
        json!({ "type": "exception", "at": 30_000, "message": text, "filename": text, "stack": text, "url": text }),
        json!({ "type": "console", "at": 30_001, "message": text, "args": [text, { "a": text }], "url": text }),
        json!({ "type": "network", "at": 30_002, "message": text, "method": text, "requestUrl": text, "status": 500 }),
        json!({ "type": text, "at": 30_003, "message": format!("{text} last") }),
    ];
    (actions, errors.to_vec())
}

/// A script without its strings and comments.
fn code(script: &str) -> String {
    let mut out = String::new();
    let mut chars = script.chars().peekable();
    let mut quote: Option<char> = None;
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(_), '\\') => drop(chars.next()),
            (Some(open), c) if c == open => quote = None,
            (Some('\''), '\n' | '\u{2028}' | '\u{2029}' | '\r') => panic!("a string over the end of a line: {script}"),
            (Some(_), _) => {}
            (None, '\'' | '`') => quote = Some(c),
            (None, '/') if chars.peek() == Some(&'/') => {
                for c in chars.by_ref() {
                    assert!(!matches!(c, '\r' | '\u{2028}' | '\u{2029}' | '\0'), "{script}");
                    if c == '\n' {
                        break;
                    }
                }
            }
            (None, c) => out.push(c),
        }
    }
    assert_eq!(quote, None, "{script}");
    out
}

#[test]
fn captured_text_never_becomes_code() {
    let corpus: Value = serde_json::from_str(include_str!("../../../fixtures/hostile/texts.json")).unwrap();
    for text in corpus["texts"].as_array().unwrap() {
        let text = text.as_str().unwrap();
        let (actions, errors) = hostile(text);
        for format in [Format::Playwright, Format::Cypress] {
            for last in 0..errors.len() {
                let made = script(&store(&actions, &errors[..=last]), &ScriptRequest { format, ..asserting() });
                let code = code(&made.script);
                for word in ["process", "exit", "evil", "import('"] {
                    assert!(!code.contains(word), "{text:?} became code:\n{}", made.script);
                }
                assert!(code.is_ascii(), "{text:?} became code:\n{}", made.script);
            }
        }
    }
}

/// A user who fills in this many fields, each with this text repeated this often.
fn session_of(text: &str, count: usize, times: usize) -> Session {
    let actions: Vec<Value> = (0..count)
        .map(|place| json!({ "type": "input", "at": place, "value": format!("{place}-{}", text.repeat(times)), "selectors": { "testId": format!("field-{place}") } }))
        .collect();
    store(&actions, &[json!({ "type": "exception", "at": 100, "message": "boom" })])
}

#[test]
fn long_scripts_lose_their_oldest_steps() {
    let session = |count: usize, bytes: usize| session_of("v", count, bytes);
    // Below, at and above the limit: the last value that fits, and one byte more.
    let size = |bytes: usize| {
        let made = script(&session(40, bytes), &asserting());
        (made.script.len(), made.actions_used, made.warnings)
    };
    let (below, used, warnings) = size(1_000);
    assert!(
        below < limits::REPRODUCTION_SCRIPT_BYTES && used == 40 && warnings.is_empty(),
        "{below} {used} {warnings:?}"
    );
    let spare = (limits::REPRODUCTION_SCRIPT_BYTES - 1 - below) / 40;
    let (at, used, _) = size(1_000 + spare);
    assert!(at < limits::REPRODUCTION_SCRIPT_BYTES && used == 40, "{at} {used}");
    let (above, used, warnings) = size(1_000 + spare + 1);
    assert!(above < limits::REPRODUCTION_SCRIPT_BYTES && used == 39, "{above} {used}");
    assert_eq!(warnings, ["1 older actions are left out: the script stays under 50 KB"]);

    for huge in huge_sessions() {
        let made = script(&huge, &asserting());
        assert!(
            made.script.len() < limits::REPRODUCTION_SCRIPT_BYTES && made.actions_used >= 2,
            "{}",
            made.actions_used
        );
        assert!(made.script.contains("field-49") && made.script.contains("toContain('boom')"));
    }
}

fn huge_sessions() -> [Session; 3] {
    ["v", "\u{2028}", "'\\\n"].map(|text| session_of(text, 50, 16_000 / text.len()))
}

#[test]
#[ignore = "only with --all: asserts how fast this machine is"]
fn huge_sessions_are_fast() {
    for huge in huge_sessions() {
        // The best of three, because other programs may use the processor, too.
        let timed = || {
            let began = Instant::now();
            script(&huge, &asserting());
            began.elapsed()
        };
        let took = (0..3).map(|_| timed()).min().unwrap();
        // The documented time is that of the release build.
        let most = if cfg!(debug_assertions) { 500 } else { 50 };
        assert!(took.as_millis() < most, "{took:?}");
    }
}

#[test]
fn at_most_fifty_actions_are_used() {
    for (count, used) in [(49, 49), (50, 50), (51, 50)] {
        let actions: Vec<Value> = (0..count)
            .map(|place| json!({ "type": "click", "at": place, "selectors": { "testId": format!("b{place}") } }))
            .collect();
        let made = script(&store(&actions, &[]), &asserting());
        assert_eq!(made.actions_used, used);
        assert_eq!(made.script.contains("getByTestId('b0')"), count <= 50);
        let last = ScriptRequest { last_n_actions: Some(3), ..asserting() };
        assert_eq!(script(&store(&actions, &[]), &last).actions_used, 3);
    }
}
