//! Regression tests from any captured session: each option, each limit, what makes tests flaky, and that captured text
//! never becomes code.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use std::time::Instant;

use engine::entry::{Action, Arrival, DomSnapshot, Log, Parse, Request};
use engine::generate::{Assertions, GeneratedTest, TestOutcome, TestRequest, generate_test};
use engine::store::Filter;
use engine::{Redactor, Session};
use serde_json::{Value, json};
use wire::{Timestamp, limits};

const START: i64 = 1_770_600_000_000;
const NOW: Timestamp = Timestamp::from_millis(START);
const PAGE: &str = "http://localhost:3000/shop";

/// A store with these entries; `kind` selects their type, `at` is the time in milliseconds after the start.
fn store(entries: &[Value]) -> Session {
    let mut session = Session::new("t");
    let redactor = Redactor::new();
    for entry in entries {
        let mut entry = entry.clone();
        let fields = entry.as_object_mut().unwrap();
        let kind = fields.remove("kind").unwrap();
        let at = fields.remove("at").and_then(|at| at.as_i64()).unwrap_or_default();
        fields.insert("ts".to_owned(), json!(START + at));
        match kind.as_str().unwrap() {
            "action" => {
                let entry = Action::from_json(entry, Arrival::at(NOW)).unwrap();
                session.push_action(redactor.redact(entry), NOW, 100).unwrap();
            }
            "request" => {
                let entry = Request::from_json(entry, Arrival::at(NOW)).unwrap();
                session.push_network(redactor.redact(entry), NOW, 100).unwrap();
            }
            "snapshot" => {
                let entry = DomSnapshot::from_json(entry, Arrival::at(NOW)).unwrap();
                session.push_dom_snapshot(redactor.redact(entry), NOW, 100).unwrap();
            }
            _ => {
                let entry = Log::from_json(entry, Arrival::at(NOW)).unwrap();
                session.push_log(redactor.redact(entry), NOW, 100).unwrap();
            }
        }
    }
    session
}

fn with(mut base: Value, fields: Value) -> Value {
    base.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    base
}

fn click(at: i64, id: &str) -> Value {
    json!({ "kind": "action", "type": "click", "at": at, "url": PAGE, "selectors": { "testId": id } })
}

fn get(at: i64, path: &str, body: &str) -> Value {
    json!({ "kind": "request", "at": at, "method": "GET", "url": format!("http://localhost:3000{path}"), "status": 200,
        "contentType": "application/json", "responseBody": body, "pageUrl": PAGE, "duration": 5 })
}

fn snapshot(at: i64, elements: Value) -> Value {
    json!({ "kind": "snapshot", "at": at, "url": PAGE, "title": "Shop", "elements": elements })
}

fn made(session: &Session, request: &TestRequest<'_>) -> GeneratedTest {
    match generate_test(session, request) {
        TestOutcome::Test(test) => *test,
        other => panic!("{other:?}"),
    }
}

fn usual(entries: &[Value]) -> GeneratedTest {
    made(&store(entries), &TestRequest::default())
}

/// The lines of the test's body that do or check something.
fn lines(script: &str) -> Vec<&str> {
    let body = script.lines().skip_while(|line| !line.contains("// Step 1")).map(str::trim);
    body.filter(|line| ["await ", "expect(", "const "].iter().any(|start| line.starts_with(start))).collect()
}

fn shop() -> Vec<Value> {
    vec![
        get(0, "/api/products", r#"[{"id":7,"name":"Apples"}]"#),
        snapshot(
            300,
            json!([{ "role": "heading", "level": 1, "text": "Products" }, { "testId": "hint", "text": "Choose well" }]),
        ),
        click(1_000, "add"),
        with(get(1_010, "/api/cart", r#"{"count":1}"#), json!({ "method": "POST", "status": 201, "trigger": "click" })),
    ]
}

#[test]
fn a_whole_script() {
    let test = made(&store(&shop()), &TestRequest { test_name: Some("Fill the cart!"), ..TestRequest::default() });
    let (_, body) = test.script.split_once("\ntest(").unwrap();
    let body = format!("test({body}");
    let expected = r#"test('Fill the cart!', async ({ page }) => {
  const consoleErrors = [];
  const noise = ['/favicon.ico'];
  page.on('pageerror', (error) => consoleErrors.push(`${error.name}: ${error.message}`));
  page.on('console', (message) => {
    const text = `${message.text()} ${message.location().url}`;
    if (message.type() === 'error' && !noise.some((part) => text.includes(part))) consoleErrors.push(text.trim());
  });
  const settled = settling(page);
  // Answers to alerts and questions are not captured; accepting them is the most likely answer.
  page.on('dialog', (dialog) => dialog.accept());
  // Pages write test ids in different attributes; each of these counts.
  page.getByTestId = (id) => {
    const names = ['data-testid', 'data-test-id', 'data-cy', 'data-test'];
    const value = id.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\a ');
    return page.locator(names.map((name) => `[${name}="${value}"]`).join(', '));
  };

  // Step 1: Open http://localhost:3000/shop
  const pending1 = laterWithBody(page.waitForResponse(answerTo('GET', '/api/products'), { timeout: 10_000 }));
  await page.goto('http://localhost:3000/shop');
  const answer1 = await pending1;
  // GET /api/products: status (confidence: high)
  expect(answer1.status()).toBe(200);
  // GET /api/products: shape (confidence: medium)
  expect(await answer1.json()).toEqual(expect.arrayContaining([expect.objectContaining({ id: expect.any(Number), name: expect.any(String) })]));
  // Heading (confidence: low)
  await expect(page.locator('h1:visible', { hasText: 'Products' }).first()).toBeVisible();
  // Text (confidence: low)
  await expect(page.getByTestId('hint').first()).toContainText('Choose well');

  // Step 2: Click "add"
  const pending2 = laterWithBody(page.waitForResponse(answerTo('POST', '/api/cart'), { timeout: 10_000 }));
  await page.getByTestId('add').click();
  const answer2 = await pending2;
  // POST /api/cart: status (confidence: high)
  expect(answer2.status()).toBe(201);
  // POST /api/cart: shape (confidence: medium)
  expect(await answer2.json()).toEqual(expect.objectContaining({ count: expect.any(Number) }));

  // No console errors (confidence: high)
  await settled(1000);
  expect(consoleErrors).toEqual([]);
});
"#;
    assert_eq!(body, expected);
    let head = "// Made from a captured session: passes while the application works as it did then.\n\
        // Captured 2026-02-09T01:20:00.000Z in 1.0 s: 1 actions, 2 requests; 7 assertions.\n\
        // http://localhost:3000/shop → /shop\nimport { test, expect } from '@playwright/test';\n";
    assert!(test.script.starts_with(head), "{}", test.script);
    assert_eq!((test.name.as_str(), test.actions, test.assertions), ("fill-the-cart", 1, 7));
    assert_eq!((test.fixture_file, test.warnings, test.bodies_missing), (None, vec![], 0));
}

#[test]
fn each_option_can_be_switched_on_and_off() {
    type Option = fn(&mut Assertions) -> &mut bool;
    let parts: [(&str, Option); 5] = [
        (".status())", |all| &mut all.network),
        (".json())", |all| &mut all.response_shape),
        ("consoleErrors", |all| &mut all.no_errors),
        ("toBeVisible()", |all| &mut all.dom_state),
        ("toHaveScreenshot('2-click-add.png')", |all| &mut all.visual),
    ];
    let session = store(&shop());
    for (part, option) in parts {
        for on in [false, true] {
            let mut assertions = Assertions::default();
            *option(&mut assertions) = on;
            let test = made(&session, &TestRequest { assertions, ..TestRequest::default() });
            assert_eq!(test.script.contains(part), on, "{part}\n{}", test.script);
            let counted = lines(&test.script).iter().filter(|line| line.contains("expect(")).count();
            assert_eq!(test.assertions, counted, "{}", test.script);
        }
    }
    let none = Assertions { network: false, response_shape: false, no_errors: false, dom_state: false, visual: false };
    let bare = made(&session, &TestRequest { assertions: none, ..TestRequest::default() });
    assert_eq!(
        lines(&bare.script),
        ["await page.goto('http://localhost:3000/shop');", "await page.getByTestId('add').click();"]
    );
    assert_eq!(bare.assertions, 0);
    // The first run makes the screenshots.
    let pictures =
        made(&session, &TestRequest { assertions: Assertions { visual: true, ..none }, ..TestRequest::default() });
    assert_eq!((pictures.assertions, pictures.warnings.len()), (2, 1));
}

#[test]
fn the_other_parameters_are_honoured() {
    let mut entries = shop();
    entries.push(with(click(5_000, "elsewhere"), json!({ "url": "http://localhost:3000/help" })));
    let session = store(&entries);
    let last = made(&session, &TestRequest { last_n_actions: Some(1), ..TestRequest::default() });
    assert!(
        last.script.contains("goto('http://localhost:3000/help')") && !last.script.contains("'add'"),
        "{}",
        last.script
    );
    let filter = Filter { url: Some("/shop".to_owned()), ..Filter::default() };
    let shop = made(&session, &TestRequest { filter, ..TestRequest::default() });
    assert!(!shop.script.contains("'elsewhere'") && shop.script.contains("'/api/cart'"), "{}", shop.script);
    let base = made(&session, &TestRequest { base_url: Some("https://stage.example"), ..TestRequest::default() });
    assert!(
        base.script.contains("goto('https://stage.example/shop')") && !base.script.contains("localhost"),
        "{}",
        base.script
    );
    assert_eq!(
        generate_test(&session, &TestRequest { base_url: Some("nonsense"), ..TestRequest::default() }),
        TestOutcome::BadBase
    );
    assert_eq!(generate_test(&Session::new("t"), &TestRequest::default()), TestOutcome::Nothing);
    for (given, slug) in [("", "shop-click-elsewhere"), ("Ünï", "n"), ("…", "captured-session"), ("A  b", "a-b")] {
        let named = made(&session, &TestRequest { test_name: Some(given), ..TestRequest::default() });
        assert_eq!(named.name, slug, "{given}");
    }
}

#[test]
fn errors_of_the_session_are_listed_and_noise_is_not() {
    let error = |at: i64, message: &str| json!({ "kind": "log", "at": at, "type": "exception", "level": "error", "message": message });
    let mut entries = shop();
    entries.push(error(1_100, "boom\nand more"));
    let test = usual(&entries);
    let end = "  // The captured session had errors, 1 of them. Once they are fixed, use the last two lines.\n  //   boom and more\n  // await settled(1000);\n  // expect(consoleErrors).toEqual([]);\n});\n";
    assert!(test.script.ends_with(end), "{}", test.script);
    assert_eq!(test.assertions, 6);
    // An error of another tab, one from before, and noise.
    let mut entries = shop();
    for entry in &mut entries {
        entry["tabId"] = json!(1);
    }
    entries.push(with(error(1_100, "of another tab"), json!({ "tabId": 2 })));
    entries.push(error(-5_000, "from before"));
    entries.push(json!({ "kind": "log", "at": 1_100, "type": "network", "level": "error", "status": 0,
        "message": "GET https://www.google-analytics.com/g/collect → failed", "method": "GET",
        "requestUrl": "https://www.google-analytics.com/g/collect?v=2&token=abc" }));
    let test = usual(&entries);
    assert!(test.script.contains("\n  expect(consoleErrors).toEqual([]);\n});"), "{}", test.script);
    assert!(test.script.contains("const noise = ['/favicon.ico', 'https://www.google-analytics.com/g/collect'];"));
    let many: Vec<Value> = shop().into_iter().chain((0..12).map(|n| error(1_100 + n, &format!("error {n}")))).collect();
    let script = usual(&many).script;
    assert!(
        script.contains("errors, 12 of them") && script.contains("error 9") && !script.contains("error 10"),
        "{script}"
    );
}

/// The responses that a test waits for after a click at 5,000 that caused these requests.
fn waited(requests: &[Value]) -> Vec<String> {
    let entries: Vec<Value> = [click(5_000, "go")].into_iter().chain(requests.iter().cloned()).collect();
    let test = usual(&entries);
    let answers = lines(&test.script).into_iter().filter_map(|line| line.split_once("answerTo(")?.1.split_once("), {"));
    answers.map(|(answer, _)| answer.to_owned()).collect()
}

#[test]
fn only_responses_that_will_come_again_are_waited_for() {
    let soon = |fields: Value| with(get(5_010, "/api/x", "{}"), fields);
    let x = ["'GET', '/api/x'"];
    assert_eq!(waited(&[soon(json!({}))]), x);
    assert_eq!(
        waited(&[soon(json!({ "url": "http://localhost:4000/api/x" }))]),
        x,
        "another port is another server of ours"
    );
    for (why, fields) in [
        ("aborted", json!({ "status": 0, "error": "aborted" })),
        ("no answer", json!({ "status": 0 })),
        ("status unknown", json!({ "status": null })),
        ("not by a script", json!({ "initiator": "img" })),
        ("analytics", json!({ "url": "https://www.google-analytics.com/g/collect" })),
        ("a stranger's", json!({ "url": "https://cdn.stranger.example/x" })),
        ("of a stranger's frame", json!({ "pageUrl": "https://ads.stranger.example/" })),
        ("a stream", json!({ "contentType": "text/event-stream" })),
        ("too late", json!({ "ts": START + 7_001, "at": 7_001 })),
        ("while scrolling", json!({ "trigger": "scroll" })),
        ("of another page load", json!({ "page_id": "other" })),
    ] {
        let mut entries = vec![with(click(5_000, "go"), json!({ "page_id": "own" }))];
        entries.push(soon(fields));
        let script = usual(&entries).script;
        assert!(!script.contains("waitForResponse("), "{why}\n{script}");
    }
    // One wait for several calls of an endpoint, whatever their ids and queries.
    let calls = [get(5_010, "/api/p/1?a=1", "{}"), get(5_011, "/api/p/2?a=2", "{}"), get(5_012, "/api/p/3", "{}")];
    assert_eq!(waited(&calls), ["'GET', new RegExp('^/api/p/[^/]+$')"]);
    let polls: Vec<Value> = (0..9).map(|n| get(n * 1_000, "/api/news", "[]")).collect();
    assert_eq!(waited(&polls), Vec::<String>::new());
}

#[test]
fn a_request_that_is_retried_until_it_succeeds_has_to_succeed() {
    let failed = with(get(5_010, "/pay", r#"{"error":"busy"}"#), json!({ "status": 503 }));
    let made = usual(&[click(5_000, "pay"), failed.clone(), get(5_400, "/pay", r#"{"paid":true}"#)]);
    let script = &made.script;
    assert!(script.contains("page.waitForResponse(succeeds(answerTo('GET', '/pay')), "), "{script}");
    assert!(script.contains("// It failed 1 time before it succeeded."), "{script}");
    assert!(
        script.contains("// GET /pay: status (confidence: high)\n  expect(answer1.status()).toBe(200);"),
        "{script}"
    );
    assert!(script.contains("toEqual(expect.objectContaining({ paid: expect.any(Boolean) }))"), "{script}");
    // In the other order, nobody knows which is right.
    let made = usual(&[click(5_000, "pay"), get(5_010, "/pay", "{}"), with(failed, json!({ "at": 5_400 }))]);
    assert!(
        made.warnings.iter().any(|warning| warning.starts_with("GET /pay succeeded and then failed")),
        "{:?}",
        made.warnings
    );
}

#[test]
fn different_statuses_and_shapes_are_merged() {
    let script = |requests: &[Value]| {
        let entries: Vec<Value> = [click(5_000, "go")].into_iter().chain(requests.iter().cloned()).collect();
        usual(&entries).script
    };
    let mixed = script(&[
        get(5_010, "/a", r#"{"x":1,"y":1}"#),
        with(get(5_020, "/a", r#"{"x":2,"z":1}"#), json!({ "status": 409 })),
    ]);
    assert!(mixed.contains("expect([200, 409]).toContain(answer1.status());"), "{mixed}");
    assert!(mixed.contains("// GET /a: status (confidence: low)"), "{mixed}");
    assert!(mixed.contains("toEqual(expect.objectContaining({ x: expect.any(Number) }));"), "{mixed}");
    let unchanged = script(&[with(get(5_010, "/a", ""), json!({ "status": 304, "responseBody": null }))]);
    assert!(unchanged.contains("expect([200, 304]).toContain(answer1.status());"), "{unchanged}");
    // A conditional request may get 304 Not Modified.
    for (headers, loose) in [(json!({ "ETag": "v1" }), true), (json!({ "x-a": "b" }), false)] {
        let versioned = |at: i64| with(get(at, "/a", "{}"), json!({ "responseHeaders": headers, "trigger": "click" }));
        let entries = [click(5_000, "go"), versioned(5_010), click(6_000, "again"), versioned(6_010)];
        let twice = usual(&entries).script;
        assert!(twice.contains("expect(answer1.status()).toBe(200);"), "{twice}");
        assert_eq!(twice.contains("expect([200, 304]).toContain(answer2.status());"), loose, "{twice}");
    }
    for (body, expected) in [
        ("[]", Some("toEqual(expect.any(Array))")),
        (r#"{"a":null}"#, Some("toEqual(expect.any(Object))")),
        ("null", None),
        ("<html>", None),
    ] {
        let made = script(&[get(5_010, "/a", body)]);
        assert_eq!(made.contains(".json()"), expected.is_some(), "{made}");
        assert!(expected.is_none_or(|part| made.contains(part)), "{made}");
    }
    let text = script(&[with(get(5_010, "/a", "{}"), json!({ "contentType": "text/html" }))]);
    assert!(!text.contains(".json()") && text.contains("toBe(200)"), "{text}");
}

#[test]
fn without_bodies_only_statuses_are_checked() {
    let entries = [click(5_000, "go"), with(get(5_010, "/a", ""), json!({ "responseBody": null }))];
    let test = made(&store(&entries), &TestRequest { fixtures: true, ..TestRequest::default() });
    assert!(test.script.contains("toBe(200)") && !test.script.contains(".json()"), "{}", test.script);
    assert_eq!((test.bodies_missing, test.fixture_file), (1, None));
    assert_eq!(test.warnings, ["No answers were captured with their bodies, so there is no mocked test"]);
    assert!(!test.script.contains("mock"), "{}", test.script);
    let cut = with(get(5_010, "/a", "[1,"), json!({ "truncated": true }));
    assert_eq!(usual(&[click(5_000, "go"), cut]).bodies_missing, 1);
}

#[test]
fn page_content_is_checked_where_it_is_settled() {
    let heading = json!([{ "level": 1, "text": "Products" }]);
    let has = |entries: &[Value]| usual(entries).script.contains("'Products'");
    assert!(has(&[snapshot(300, heading.clone()), click(1_000, "go")]));
    // The response arrived after the snapshot: what it shows may be gone.
    let late = with(get(0, "/api/x", "{}"), json!({ "duration": 500 }));
    assert!(!has(&[late, snapshot(300, heading.clone()), click(1_000, "go")]));
    // Taken right after a step without effect so far: it shows the earlier state.
    let quick = [
        snapshot(300, heading.clone()),
        click(250, "go"),
        with(get(260, "/api/x", "{}"), json!({ "duration": 500 })),
        get(0, "/api/first", "{}"),
    ];
    let script = usual(&quick).script;
    assert!(script.find("'Products'").unwrap() < script.find("// Step 2").unwrap(), "{script}");
    // There were earlier actions on the page.
    let session = store(&[click(0, "before"), snapshot(300, heading.clone()), click(1_000, "go")]);
    let last = made(&session, &TestRequest { last_n_actions: Some(1), ..TestRequest::default() });
    assert!(!last.script.contains("'Products'"), "{}", last.script);
    // The last step led to another page.
    let arrived = with(
        snapshot(2_000, json!([{ "level": 1, "text": "Thank you" }])),
        json!({ "url": "http://localhost:3000/done" }),
    );
    let script = usual(&[click(1_000, "go"), arrived]).script;
    assert!(
        script.contains("await page.waitForURL('http://localhost:3000/done');") && script.contains("'Thank you'"),
        "{script}"
    );
    assert!(script.contains("// http://localhost:3000/shop → /done"), "{script}");
}

#[test]
fn long_pauses_are_repeated() {
    for (gap, waits) in [(1_999, false), (2_000, false), (2_001, true)] {
        let script = usual(&[click(1_000, "a"), click(1_000 + gap, "b")]).script;
        assert_eq!(script.contains("waitForLoadState('networkidle'"), waits, "{gap}");
        // A page was loaded in between.
        let elsewhere = with(click(1_000 + gap, "b"), json!({ "url": "http://localhost:3000/next" }));
        let script = usual(&[click(1_000, "a"), elsewhere]).script;
        assert_eq!(script.contains("waitForLoadState('networkidle'"), waits, "{gap}");
    }
}

#[test]
fn fixtures_come_with_a_mocked_test() {
    let mut entries = shop();
    entries.push(get(1_500, "/api/products", r#"[{"id":9,"password":"hunter2hunter2"}]"#));
    let session = store(&entries);
    let test = made(&session, &TestRequest { fixtures: true, test_name: Some("Cart"), ..TestRequest::default() });
    let file = test.fixture_file.unwrap();
    let literal = file.split_once("export const fixtures = ").unwrap().1.strip_suffix(";\n").unwrap();
    let fixtures: Value = serde_json::from_str(literal).unwrap();
    assert_eq!(fixtures["GET /api/products"]["body"], json!([{ "id": 9, "password": "[user-provided]" }]));
    assert_eq!(fixtures["GET /api/products"]["earlier"][0]["body"][0]["name"], "Apples");
    assert_eq!(
        fixtures["POST /api/cart"],
        json!({ "status": 201, "contentType": "application/json", "body": { "count": 1 } })
    );
    assert!(test.script.contains("import { fixtures } from './cart.fixtures.js';"), "{}", test.script);
    assert!(test.script.contains("test('Cart', ") && test.script.contains("test('Cart (mocked)', "), "{}", test.script);
    assert_eq!(test.script.matches("await session(page);").count(), 2);
}

#[test]
fn at_most_twenty_bodies_are_checked() {
    for (count, checked) in [(19, 19), (20, 20), (21, 20)] {
        let requests = (0..count).map(|n| get(5_010 + n, &format!("/api/x{n}"), r#"{"a":1}"#));
        let entries: Vec<Value> = [click(5_000, "go")].into_iter().chain(requests).collect();
        let test = usual(&entries);
        assert_eq!(test.script.matches(".json())").count(), checked);
        assert_eq!(test.script.matches(".status())").count(), count as usize, "statuses are for free");
    }
}

#[test]
fn at_most_fifty_actions_are_used() {
    for (count, used) in [(49, 49), (50, 50), (51, 50)] {
        let clicks: Vec<Value> = (0..count).map(|n| click(n, &format!("b{n}"))).collect();
        let session = store(&clicks);
        let many = TestRequest { last_n_actions: Some(1_000), ..TestRequest::default() };
        assert_eq!((made(&session, &TestRequest::default()).actions, made(&session, &many).actions), (used, used));
    }
}

#[test]
fn long_scripts_lose_their_oldest_steps_and_no_call_is_slow() {
    let session = |bytes: usize| {
        let typed = (0..50).map(|n| json!({ "kind": "action", "type": "input", "at": n * 100, "url": PAGE, "value": format!("{n}-{}", "v".repeat(bytes)), "selectors": { "testId": format!("f{n}") } }));
        store(&typed.collect::<Vec<_>>())
    };
    let size = |bytes: usize| {
        let test = made(&session(bytes), &TestRequest::default());
        (test.script.len(), test.actions, test.warnings)
    };
    let (below, used, warnings) = size(1_500);
    assert!(below < limits::TEST_SCRIPT_BYTES && used == 50 && warnings.is_empty(), "{below} {used}");
    let spare = (limits::TEST_SCRIPT_BYTES - below) / 50;
    let (at, used, _) = size(1_500 + spare);
    assert!(at <= limits::TEST_SCRIPT_BYTES && used == 50, "{at}");
    let (above, used, warnings) = size(1_500 + spare + 1);
    assert!(above <= limits::TEST_SCRIPT_BYTES && used == 49, "{above} {used}");
    assert_eq!(warnings, ["1 older actions are left out: the script stays within 100 KB"]);

    let (full, request) = full();
    let test = made(&full, &request);
    assert!(
        test.script.len() <= limits::TEST_SCRIPT_BYTES && test.actions >= 1,
        "{} {}",
        test.script.len(),
        test.actions
    );
    assert!(test.fixture_file.unwrap().len() <= limits::TEST_FIXTURE_BYTES);
}

/// Every buffer full of the largest entries.
fn full() -> (Session, TestRequest<'static>) {
    let fields: Vec<String> = (0..700).map(|n| format!("\"field-number-{n}\":1")).collect();
    let body = format!("{{{}}}", fields.join(","));
    let mut entries: Vec<Value> = (0..50)
        .map(|n| json!({ "kind": "action", "type": "input", "at": n * 100, "url": PAGE, "value": "'\\\u{2028}".repeat(1_200), "selectors": { "testId": format!("f{n}") } }))
        .collect();
    entries.extend((0..100).map(|n| get(n * 50, &format!("/api/x{n}"), &body)));
    entries.extend((0..20).map(|n| snapshot(n * 250, json!([{ "level": 1, "text": "T".repeat(100) }]))));
    entries.extend((0..1_000).map(
        |n| json!({ "kind": "log", "at": n, "type": "exception", "level": "error", "message": "m".repeat(5_000) }),
    ));
    (store(&entries), TestRequest { fixtures: true, ..TestRequest::default() })
}

#[test]
#[ignore = "only with --all: asserts how fast this machine is"]
fn full_buffers_are_fast() {
    let (full, request) = full();
    let timed = || {
        let began = Instant::now();
        made(&full, &request);
        began.elapsed()
    };
    // The best of three, because other programs may use the processor, too.
    let took = (0..3).map(|_| timed()).min().unwrap();
    // The documented time is that of the release build.
    let most = if cfg!(debug_assertions) { 3_000 } else { 200 };
    assert!(took.as_millis() < most, "{took:?}");
}

/// Every field that a page can set.
fn hostile(text: &str) -> Vec<Value> {
    let page = format!("http://localhost:3000/{text}?{text}={text}#{text}");
    let selectors = [
        json!({ "testId": text }),
        json!({ "role": { "role": "button", "name": text }, "text": text }),
        json!({ "ariaLabel": text }),
        json!({ "id": text }),
        json!({ "cssPath": text }),
        json!({ "testId": text, "cssPath": format!("li:nth-child(2) > {text}") }),
    ];
    let mut entries: Vec<Value> = Vec::new();
    for (place, selectors) in selectors.iter().enumerate() {
        let kind = ["click", "input", "select", "submit", "keypress", text][place];
        entries.push(json!({
            "kind": "action", "type": kind, "selectors": selectors, "at": place * 3_000, "url": page, "text": text, "value": text,
            "key": text, "selectedValue": text, "page_id": text,
        }));
        let url = format!("http://localhost:3000/api/{text}/{place}?{text}#{text}");
        let body = json!({ text: { text: [text, { text: text }], "__proto__": text }, "a": text }).to_string();
        entries.push(json!({
            "kind": "request", "at": place * 3_000 + 1, "method": if place == 0 { text } else { "POST" }, "url": url, "status": 200,
            "contentType": if place == 1 { text } else { "application/json" }, "responseBody": body, "pageUrl": page, "page_id": text,
            "requestBody": json!({ "operationName": text, "query": text }).to_string(),
        }));
        let elements = json!([{ "level": 1, "text": text }, { "testId": text, "text": text }, { "testId": "n", "text": format!("{text} 5 words") }]);
        entries.push(json!({ "kind": "snapshot", "at": place * 3_000 + 500, "url": page, "title": text, "elements": elements, "page_id": text }));
    }
    entries.push(
        json!({ "kind": "action", "type": "navigate", "at": 18_500, "url": text, "fromUrl": text, "toUrl": page }),
    );
    entries.push(
        json!({ "kind": "log", "at": 19_000, "type": "exception", "level": "error", "message": text, "url": text }),
    );
    entries.push(json!({ "kind": "log", "at": 19_001, "type": "network", "level": "error", "message": text, "requestUrl": format!("https://www.google-analytics.com/{text}") }));
    entries
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
            (Some('\'' | '"'), '\n' | '\u{2028}' | '\u{2029}' | '\r') => {
                panic!("a string over the end of a line: {script}")
            }
            (Some(_), _) => {}
            (None, '\'' | '`' | '"') => quote = Some(c),
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
    let plain = Value::from("plain words");
    for text in [&plain].into_iter().chain(corpus["texts"].as_array().unwrap()) {
        let text = text.as_str().unwrap();
        let session = store(&hostile(text));
        for name in [None, Some(text)] {
            let assertions = Assertions { visual: true, ..Assertions::default() };
            let test =
                made(&session, &TestRequest { test_name: name, fixtures: true, assertions, ..TestRequest::default() });
            // The constant parts contain a regular expression with quotes, which this reader takes for a string.
            let script = test.script.replace(r#"/["\\]/g"#, "/x/g");
            let fixtures = test.fixture_file.unwrap_or_default();
            for written in [script.as_str(), fixtures.as_str()] {
                let code = code(written);
                for word in ["process", "exit", "evil", "import('", "words"] {
                    assert!(!code.contains(word), "{text:?} became code:\n{written}");
                }
                assert!(code.is_ascii(), "{text:?} became code:\n{written}");
                assert!(!written.contains("</script"), "{text:?}\n{written}");
            }
            assert!(!fixtures.contains("\"__proto__\":"), "{fixtures}");
        }
    }
}

#[test]
fn effects_of_a_click_are_checked_and_missing_data_is_reported() {
    let shown = |more: Value| {
        let mut elements = vec![json!({ "role": "heading", "level": 1, "text": "Products" })];
        elements.extend(more.as_array().cloned().unwrap_or_default());
        json!(elements)
    };
    let told = [json!({ "role": "alert", "text": "Added to your cart" })];
    let session = |after: Option<Value>| {
        let mut entries = vec![get(0, "/api/products", "[]"), snapshot(300, shown(json!([]))), click(1_000, "add")];
        entries.extend(after.map(|elements| snapshot(1_400, elements)));
        usual(&entries)
    };
    let seen = session(Some(shown(json!(told))));
    let check =
        "await expect(page.getByRole('alert').filter({ hasText: 'Added to your cart' }).first()).toBeVisible();";
    assert!(lines(&seen.script).contains(&check), "{}", seen.script);
    assert_eq!(seen.warnings, Vec::<String>::new());
    for unseen in [session(None), session(Some(shown(json!([]))))] {
        assert!(unseen.warnings[0].starts_with("What step 2 led to is not checked"), "{:?}", unseen.warnings);
    }
}

#[test]
fn a_title_is_escaped_once() {
    let named = made(&store(&shop()), &TestRequest { test_name: Some("shows </b> \\ once"), ..TestRequest::default() });
    assert!(named.script.contains(r"test('shows <\/b> \\ once', async"), "{}", named.script);
    let mut entries = shop();
    entries.push(json!({ "kind": "action", "at": 2_000, "type": "click", "url": PAGE,
        "selectors": { "role": { "role": "button", "name": "Close </i>" } } }));
    let script = usual(&entries).script;
    assert!(script.contains(r"Click Close <\/i>', async") && !script.contains(r"<\\/i>"), "{script}");
}
