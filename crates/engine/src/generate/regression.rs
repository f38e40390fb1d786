//! A test that passes while the application works as it did when it was captured.

use wire::{Timestamp, limits};

use super::address::is_origin;
use super::cause::Asked;
use super::fixtures::{Fixtures, fixtures};
use super::flow::{Act, Flow, Seen, flow};
use super::literal::{comment, of_comment, one_line, quoted};
use super::matcher::Shape;
use super::playwright::{Body, DIALOGS, PICK, TEST_IDS, url};
use super::reproduction::{in_order, of_tab};
use super::settle;
use super::shown::{Place, Shown, Text, shown};
use super::steps::{Step, VALUE_CHARS};
use crate::entry::{Action, DomSnapshot};
use crate::session::Session;
use crate::store::Filter;
use crate::text::counted;
use crate::url::path_of;

const TITLE_CHARS: usize = 100;
const SLUG_CHARS: usize = 60;
const ERROR_CHARS: usize = 200;

/// What the caller asks for.
#[derive(Debug, Clone, Default)]
pub struct TestRequest<'r> {
    /// The test's title. Absent: made from what is tested.
    pub test_name: Option<&'r str>,
    /// Only the last actions of the session. Absent: all.
    pub last_n_actions: Option<usize>,
    /// Replaces the application's origin in the script.
    pub base_url: Option<&'r str>,
    /// What the test checks.
    pub assertions: Assertions,
    /// Whether to add a second test that plays the captured responses.
    pub fixtures: bool,
    /// Selects the captured data.
    pub filter: Filter,
}

/// What a test checks.
#[derive(Debug, Clone, Copy)]
pub struct Assertions {
    /// Each response's status.
    pub network: bool,
    /// The shape of each response.
    pub response_shape: bool,
    /// That no errors happen.
    pub no_errors: bool,
    /// What the page shows, and its address.
    pub dom_state: bool,
    /// A screenshot of the page.
    pub visual: bool,
}

impl Default for Assertions {
    fn default() -> Self {
        Self { network: true, response_shape: true, no_errors: true, dom_state: true, visual: false }
    }
}

/// A regression test and facts about it.
#[derive(Debug, PartialEq)]
pub struct GeneratedTest {
    /// The test as source code.
    pub script: String,
    /// A file with the captured responses, if they were requested and there are any.
    pub fixture_file: Option<String>,
    /// A name that is safe as a file's name.
    pub name: String,
    /// How many actions it repeats.
    pub actions: usize,
    /// How many assertions it makes.
    pub assertions: usize,
    /// What the reader should know about the test.
    pub warnings: Vec<String>,
    /// Responses that would have been checked if their bodies had been captured.
    pub bodies_missing: usize,
}

/// The result of generating a test.
#[derive(Debug, PartialEq)]
pub enum TestOutcome {
    /// The test.
    Test(Box<GeneratedTest>),
    /// There are no actions to make a test from.
    Nothing,
    /// `base_url` is not an address that a page can have.
    BadBase,
}

/// Generates a test that passes while the application works as it did when it was captured.
pub fn generate_test(session: &Session, request: &TestRequest<'_>) -> TestOutcome {
    if request.base_url.is_some_and(|base| !is_origin(base)) {
        return TestOutcome::BadBase;
    }
    let known = in_order(session, &request.filter);
    let Some(newest) = known.last() else { return TestOutcome::Nothing };
    let tab = newest.entry.tab_id;
    let chosen = of_tab(&known, tab);
    // What the filter leaves out happened all the same.
    let all = of_tab(&in_order(session, &Filter { url: None, ..request.filter.clone() }), tab);
    let seen = Seen::from_session(session, tab, &request.filter);
    TestOutcome::Test(Box::new(write(&seen, &chosen, &all, request)))
}

fn write<'a>(seen: &Seen<'a>, chosen: &[&'a Action], all: &[&'a Action], request: &TestRequest<'_>) -> GeneratedTest {
    let asked = request.last_n_actions.unwrap_or(chosen.len()).min(limits::ACTION_ENTRIES);
    let most = chosen.len().min(asked);
    // A value takes at least its own length, so longer tests need not be tried.
    let mut room = limits::TEST_SCRIPT_BYTES;
    let newest = chosen.iter().rev().take(most).take_while(|action| {
        room = room.saturating_sub(action.value.as_deref().unwrap_or_default().len().min(VALUE_CHARS));
        room > 0
    });
    let hopeful = newest.count();
    let flow_of = |count: usize| {
        let kept = chosen.get(chosen.len() - count..).unwrap_or_default();
        flow(seen, kept, all, request.base_url)
    };
    let try_with = |count: usize| written(&flow_of(count), count, request, request.fixtures);
    let fits = |made: &GeneratedTest| made.script.len() <= limits::TEST_SCRIPT_BYTES;
    let mut made = try_with(hopeful);
    if !fits(&made) {
        let (mut good, mut bad) = (1, hopeful);
        made = try_with(good);
        while bad - good > 1 {
            let middle = good + (bad - good) / 2;
            let attempt = try_with(middle);
            if fits(&attempt) {
                good = middle;
                made = attempt;
            } else {
                bad = middle;
            }
        }
    }
    if request.fixtures {
        let flow = flow_of(made.actions);
        let played = fixtures(&flow.asked);
        if played.is_none() {
            made = written(&flow, made.actions, request, false);
        }
        made.warnings.extend(fixture_warnings(played.as_ref()));
        made.fixture_file = played.map(|played| played.file);
    }
    if made.actions < most {
        let kilobytes = limits::TEST_SCRIPT_BYTES / 1024;
        let left_out = most - made.actions;
        made.warnings.push(format!("{left_out} older actions are left out: the script stays within {kilobytes} KB"));
    }
    made
}

/// `plays`: adds a second test that plays the captured responses.
fn written(flow: &Flow<'_>, actions: usize, request: &TestRequest<'_>, plays: bool) -> GeneratedTest {
    let title = title(request.test_name, flow);
    let name = slug(&title);
    let mut warnings = flow.warnings.clone();
    let mut test = Test {
        asserts: request.assertions,
        body: Body::default(),
        answers: 0,
        shapes: 0,
        bodies_missing: 0,
        unseen: Vec::new(),
        mixed: Vec::new(),
    };
    test.body(flow);
    warnings.extend(unseen_warning(&test.unseen));
    warnings.extend(test.mixed.iter().map(|label| {
        format!("{label} succeeded and then failed in the session, so the test accepts both: expect the status that is right")
    }));
    let assertions = test.body.lines.iter().filter(|line| is_assertion(line)).count();
    if request.assertions.visual {
        warnings.push("Screenshots have nothing to compare with yet: run once with --update-snapshots".to_owned());
    }
    let has_answers = test.answers > 0;
    let mut script = header(flow, actions, assertions);
    script.push_str("import { test, expect } from '@playwright/test';\n");
    if plays {
        script.push_str(&format!("import {{ fixtures }} from {};\n", quoted(&format!("./{name}.fixtures.js"))));
    }
    script.push('\n');
    if has_answers {
        script.push_str(ANSWERS);
    }
    if test.body.picks {
        script.push_str(PICK);
    }
    if request.assertions.no_errors {
        script.push_str(settle::PLAYWRIGHT);
        script.push('\n');
    }
    if plays {
        script.push_str(MOCK);
        script.push_str("async function session(page) {\n");
    } else {
        script.push_str(&format!("test({}, async ({{ page }}) => {{\n", quoted(&title)));
    }
    if request.assertions.no_errors {
        script.push_str(&collector(&flow.noise));
        script.push_str(settle::PLAYWRIGHT_START);
    }
    script.push_str(DIALOGS);
    if test.body.test_ids {
        script.push_str(TEST_IDS);
    }
    for line in &test.body.lines {
        if !line.is_empty() {
            script.push_str("  ");
        }
        script.push_str(line);
        script.push('\n');
    }
    if plays {
        script.push_str("}\n");
        let mocked = format!("{title} (mocked)");
        script.push_str(&format!(
            "\ntest({}, async ({{ page }}) => {{\n  await session(page);\n}});\n\
             \ntest({}, async ({{ page }}) => {{\n  await mock(page);\n  await session(page);\n}});\n",
            quoted(&title),
            quoted(&mocked)
        ));
    } else {
        script.push_str("});\n");
    }
    GeneratedTest {
        script,
        fixture_file: None,
        name,
        actions,
        assertions,
        warnings,
        bodies_missing: test.bodies_missing,
    }
}

fn is_assertion(line: &str) -> bool {
    line.starts_with("expect(") || line.starts_with("await expect(")
}

/// Whether users take this step to see something happen.
fn leads_to_something(step: &Step<'_>) -> bool {
    matches!(step, Step::Click { .. } | Step::ClickAt { .. } | Step::Submit { .. })
}

fn unseen_warning(steps: &[usize]) -> Option<String> {
    let numbers = steps.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    let of = match steps {
        [] => return None,
        [_] => "step",
        _ => "steps",
    };
    Some(format!(
        "What {of} {numbers} led to is not checked: no answer, address, heading, message or element with a data-testid that changed was captured"
    ))
}

fn fixture_warnings(played: Option<&Fixtures>) -> Vec<String> {
    let Some(played) = played else {
        return vec!["No answers were captured with their bodies, so there is no mocked test".to_owned()];
    };
    let mut warnings = Vec::new();
    if played.left_out > 0 {
        let (bodies, kilobytes) = (limits::TEST_BODIES, limits::TEST_FIXTURE_BYTES / 1024);
        let endpoints = played.left_out;
        warnings.push(format!(
            "Answers of {endpoints} endpoints are not mocked, or only the last: fixtures hold {bodies} answers and {kilobytes} KB"
        ));
    }
    if played.unknown > 0 {
        warnings.push(format!("{} endpoints are not mocked: their answers were not captured whole", played.unknown));
    }
    warnings
}

fn header(flow: &Flow<'_>, actions: usize, assertions: usize) -> String {
    let requests = flow.asked.len();
    let seconds = (flow.to - flow.from).max(0) as f64 / 1_000.0;
    let start = flow.start.as_ref().map_or("an unknown page", |start| start.text.as_str());
    let end = flow.end.as_ref().map_or("", |end| path_of(&end.text));
    format!(
        "// Made from a captured session: passes while the application works as it did then.\n\
         // Captured {} in {seconds:.1} s: {actions} actions, {requests} requests; {assertions} assertions.\n\
         // {} → {}\n",
        Timestamp::from_millis(flow.from),
        comment(start, TITLE_CHARS * 2),
        comment(end, TITLE_CHARS * 2),
    )
}

/// The test's title: the given one, or where it happens and what is done last.
fn title(given: Option<&str>, flow: &Flow<'_>) -> String {
    if let Some(given) = given {
        let given = one_line(given, TITLE_CHARS);
        if !given.is_empty() {
            return given;
        }
    }
    let path = flow.start.as_ref().map_or("page", |start| path_of(&start.text));
    let is_main = |act: &&Act<'_>| {
        matches!(act.line.step, Step::Click { .. } | Step::Submit { .. } | Step::Press { .. } | Step::Choose { .. })
    };
    let last = flow.acts.iter().rev().find(is_main).map(|act| of_comment(&act.line.comment).replace('"', ""));
    let title = last.map_or_else(|| path.to_owned(), |last| format!("{path}: {last}"));
    one_line(&title, TITLE_CHARS)
}

/// Lower case, digits and dashes.
fn slug(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if out.len() == SLUG_CHARS {
            break;
        }
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    let slug = out.trim_end_matches('-');
    if slug.is_empty() { "captured-session".to_owned() } else { slug.to_owned() }
}

const ANSWERS: &str = "\
// Recognises a response by its request's method and path. Of a redirect, only the last response counts.
const answerTo = (method, path, operation) => (response) => {
  let request = response.request();
  while (request.redirectedFrom()) request = request.redirectedFrom();
  if (!['fetch', 'xhr'].includes(request.resourceType())) return false;
  if (response.headers().location && response.status() >= 300 && response.status() < 400) return false;
  const { pathname } = new URL(request.url());
  const isPath = path instanceof RegExp ? path.test(pathname) : path === pathname;
  return isPath && request.method() === method && (!operation || operationOf(request) === operation);
};

function operationOf(request) {
  try {
    return request.postDataJSON()?.operationName;
  } catch {
    return undefined;
  }
}

// Skips responses that failed.
const succeeds = (isMeant) => (response) => isMeant(response) && response.status() < 400;

// After a failed step nobody awaits this response, which must not count as a second failure.
function later(answer) {
  answer.catch(() => {});
  return answer;
}

// Reads an answer as soon as it comes: after a page load it would be gone.
function laterWithBody(answer) {
  const read = async (response) => {
    await response.body().catch(() => {});
    return response;
  };
  return later(answer.then(read));
}

";

const MOCK: &str = "\
// Plays the captured answers: earlier ones once each, then the last. Requests without one go on to the server.
async function mock(page) {
  const similar = (key) => key.replace(/\\/(?:\\d+|[0-9a-f-]{8,})(?=[/ ]|$)/gi, '/:id');
  const played = {};
  await page.route('**/*', async (route) => {
    const request = route.request();
    if (!['fetch', 'xhr'].includes(request.resourceType())) return route.fallback();
    let wanted = `${request.method()} ${new URL(request.url()).pathname}`;
    try {
      const operation = request.postDataJSON()?.operationName;
      if (fixtures[`${wanted} ${operation}`]) wanted = `${wanted} ${operation}`;
    } catch {}
    const keys = Object.keys(fixtures);
    const key = keys.find((key) => key === wanted) ?? keys.find((key) => similar(key) === similar(wanted));
    if (!key) return route.fallback();
    const { earlier = [], ...last } = fixtures[key];
    played[key] = (played[key] ?? 0) + 1;
    const { status, contentType, body } = earlier[played[key] - 1] ?? last;
    const isText = body === '' || !/json/i.test(contentType);
    await route.fulfill({ status, contentType, body: isText ? body : JSON.stringify(body) });
  });
}

";

fn collector(noise: &[String]) -> String {
    let noise: Vec<String> = noise.iter().map(|text| quoted(text)).collect();
    format!(
        "  const consoleErrors = [];
  const noise = [{}];
  page.on('pageerror', (error) => consoleErrors.push(`${{error.name}}: ${{error.message}}`));
  page.on('console', (message) => {{
    const text = `${{message.text()}} ${{message.location().url}}`;
    if (message.type() === 'error' && !noise.some((part) => text.includes(part))) consoleErrors.push(text.trim());
  }});
",
        noise.join(", ")
    )
}

struct Test {
    asserts: Assertions,
    body: Body,
    answers: usize,
    shapes: usize,
    bodies_missing: usize,
    /// Numbers of steps without any result that could be checked.
    unseen: Vec<usize>,
    /// Requests that both succeeded and failed after the same step, so that the test accepts either.
    mixed: Vec<String>,
}

/// All calls of one endpoint that a step caused. A test waits for the first of them.
struct Awaited<'s, 'a> {
    calls: Vec<&'s Asked<'a>>,
    shape: Option<Shape>,
    /// Its number, which names its variable.
    number: usize,
    /// Calls that failed before one succeeded: the test waits for the success.
    failed_first: usize,
}

impl Awaited<'_, '_> {
    /// Whether some calls failed in the session and others did not.
    fn is_mixed(&self) -> bool {
        let failed = self.calls.iter().filter(|call| has_failed(call)).count();
        failed > 0 && failed < self.calls.len()
    }
}

fn has_failed(call: &Asked<'_>) -> bool {
    call.request.status.is_some_and(|status| status == 0 || status >= 400)
}

impl Test {
    fn body(&mut self, flow: &Flow<'_>) {
        let mut number = 0;
        let mut known: Vec<String> = Vec::new();
        let mut before: Option<&DomSnapshot> = None;
        for (place, act) in flow.acts.iter().enumerate() {
            self.body.blank();
            if place > 0 && matches!(act.line.step, Step::Note) {
                self.body.lines.push(format!("// {}", act.line.comment));
                continue;
            }
            number += 1;
            self.body.lines.push(format!("// Step {number}: {}", comment(&act.line.comment, TITLE_CHARS * 2)));
            let awaited = self.awaited(act);
            for one in &awaited {
                let Some(call) = one.calls.first() else { continue };
                let arguments = call.endpoint.arguments();
                let meant = match one.failed_first {
                    0 => format!("answerTo({arguments})"),
                    _ => format!("succeeds(answerTo({arguments}))"),
                };
                let answer = format!("page.waitForResponse({meant}, {{ timeout: 10_000 }})");
                let later = if one.shape.is_some() { "laterWithBody" } else { "later" };
                self.body.lines.push(format!("const pending{} = {later}({answer});", one.number));
            }
            if place == 0 {
                self.body.open(flow.start.as_ref());
            } else {
                self.body.step(&act.line.step, false);
            }
            for one in &awaited {
                self.check_answer(one, &mut known);
            }
            for arrival in &act.arrivals {
                self.arrive(arrival);
            }
            let mut is_seen = !awaited.is_empty() || !act.arrivals.is_empty();
            if self.asserts.dom_state {
                is_seen |= self.check_page(act, before);
            }
            // A caller that switched checks off does not expect them.
            let is_asked = self.asserts.dom_state && self.asserts.network;
            if is_asked && !is_seen && place > 0 && leads_to_something(&act.line.step) {
                self.unseen.push(number);
            }
            before = act.snapshot.or(before);
            if self.asserts.visual {
                let name = slug(&format!("{number}-{}", act.line.comment));
                self.body
                    .lines
                    .push(format!("await expect(page).toHaveScreenshot({});", quoted(&format!("{name}.png"))));
            }
            if let Some(pause) = act.pause {
                self.body.lines.push(format!(
                    "// The user waited {:.1} s. A page that keeps asking never gets quiet.",
                    pause as f64 / 1_000.0
                ));
                self.body.line("await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => {});");
            }
        }
        if self.asserts.no_errors {
            self.check_errors(flow);
        }
    }

    fn awaited<'s, 'a>(&mut self, act: &'s Act<'a>) -> Vec<Awaited<'s, 'a>> {
        let mut found: Vec<Awaited<'s, 'a>> = Vec::new();
        if !self.asserts.network && !self.asserts.response_shape {
            return found;
        }
        for call in &act.calls {
            let known = found.iter_mut().find(|one| one.calls.iter().any(|other| other.endpoint == call.endpoint));
            match known {
                Some(known) => known.calls.push(call),
                None => found.push(Awaited { calls: vec![call], shape: None, number: 0, failed_first: 0 }),
            }
        }
        for one in &mut found {
            // A page that retries until it succeeds works only if it succeeds.
            if one.is_mixed() && one.calls.last().is_some_and(|last| !has_failed(last)) {
                let tries = one.calls.len();
                one.calls.retain(|call| !has_failed(call));
                one.failed_first = tries - one.calls.len();
            }
        }
        for one in found.iter_mut().filter(|_| self.asserts.response_shape) {
            if self.shapes == limits::TEST_BODIES {
                break;
            }
            let bodies: Vec<Captured> = one.calls.iter().map(|call| captured(call)).collect();
            self.bodies_missing += usize::from(bodies.contains(&Captured::Missing));
            let shapes = bodies.into_iter().map(|body| match body {
                Captured::Shape(shape) => Some(shape),
                Captured::Missing | Captured::Other => None,
            });
            let common = shapes.collect::<Option<Vec<Shape>>>().and_then(|all| all.into_iter().reduce(Shape::meet));
            if let Some(shape) = common.filter(|shape| *shape != Shape::Unknown) {
                self.shapes += 1;
                one.shape = Some(shape);
            }
        }
        let network = self.asserts.network;
        found.retain(|one| network || one.shape.is_some());
        for one in &mut found {
            self.answers += 1;
            one.number = self.answers;
        }
        found
    }

    fn check_answer(&mut self, one: &Awaited<'_, '_>, known: &mut Vec<String>) {
        let Some(first) = one.calls.first() else { return };
        let (number, label) = (one.number, comment(&first.endpoint.label(), TITLE_CHARS * 2));
        self.body.lines.push(format!("const answer{number} = await pending{number};"));
        if self.asserts.network {
            let mut statuses: Vec<u16> = one.calls.iter().filter_map(|call| call.request.status).collect();
            // A browser with a cached response may get 304 Not Modified.
            let may_be_kept = known.contains(&label) && one.calls.iter().any(|call| is_versioned(call));
            if (may_be_kept && statuses.contains(&200)) || statuses.contains(&304) {
                statuses.extend([200, 304]);
            }
            statuses.sort_unstable();
            statuses.dedup();
            let confidence = if one.is_mixed() { "low" } else { "high" };
            match one.failed_first {
                _ if one.is_mixed() => self.mixed.push(label.clone()),
                0 => {}
                failed => {
                    self.body.lines.push(format!("// It failed {} before it succeeded.", counted(failed, "time")));
                }
            }
            self.body.lines.push(format!("// {label}: status (confidence: {confidence})"));
            self.body.lines.push(match statuses.as_slice() {
                [only] => format!("expect(answer{number}.status()).toBe({only});"),
                several => {
                    let list: Vec<String> = several.iter().map(u16::to_string).collect();
                    format!("expect([{}]).toContain(answer{number}.status());", list.join(", "))
                }
            });
        }
        if let Some(shape) = &one.shape {
            self.body.lines.push(format!("// {label}: shape (confidence: medium)"));
            self.body.lines.push(format!("expect(await answer{number}.json()).toEqual({});", shape.matcher(2)));
        }
        known.push(label);
    }

    fn arrive(&mut self, arrival: &Step<'_>) {
        match arrival {
            Step::Arrive { at, by_history: true } if self.asserts.dom_state => {
                self.body.line("// Address (confidence: medium)");
                self.body.lines.push(format!("await expect(page).toHaveURL({});", url(at)));
            }
            other => self.body.step(other, false),
        }
    }

    /// Adds checks for what the step changed in the page. Returns whether there are any.
    fn check_page(&mut self, act: &Act<'_>, before: Option<&DomSnapshot>) -> bool {
        let found = act.snapshot.map(|snapshot| shown(snapshot, before)).unwrap_or_default();
        let brings = found.iter().any(|one| one.is_new);
        for Shown { place, text, .. } in found {
            let wanted = match &text {
                Text::Whole(text) => Some(quoted(text)),
                Text::Pattern(source) => Some(format!("new RegExp({})", quoted(source))),
                Text::Any => None,
            };
            let line = match (place, wanted) {
                (Place::Heading(level), wanted) => {
                    let with = wanted.map(|text| format!(", {{ hasText: {text} }}")).unwrap_or_default();
                    let tag = if level == 0 { "[role=\"heading\"]".to_owned() } else { format!("h{level}") };
                    let found = quoted(&format!("{tag}:visible"));
                    format!("await expect(page.locator({found}{with}).first()).toBeVisible();")
                }
                (Place::TestId(id), Some(text)) => {
                    format!("await expect({}.first()).toContainText({text});", self.body.by_test_id(id))
                }
                (Place::TestId(id), None) => {
                    format!("await expect({}.first()).toBeVisible();", self.body.by_test_id(id))
                }
                (Place::Role(role), wanted) => {
                    let with = wanted.map(|text| format!(".filter({{ hasText: {text} }})")).unwrap_or_default();
                    format!("await expect(page.getByRole({}){with}.first()).toBeVisible();", quoted(role))
                }
            };
            let what = if matches!(place, Place::Heading(_)) { "Heading" } else { "Text" };
            self.body.lines.push(format!("// {what} (confidence: low)"));
            self.body.lines.push(line);
        }
        brings
    }

    fn check_errors(&mut self, flow: &Flow<'_>) {
        self.body.blank();
        if flow.errors.is_empty() {
            self.body.line("// No console errors (confidence: high)");
            self.body.lines.push(settled());
            self.body.line("expect(consoleErrors).toEqual([]);");
            return;
        }
        let count = flow.errors.len();
        self.body.lines.push(format!(
            "// The captured session had errors, {count} of them. Once they are fixed, use the last two lines."
        ));
        for failure in flow.errors.iter().take(limits::TEST_ERRORS) {
            self.body.lines.push(format!("//   {}", comment(&failure.message(), ERROR_CHARS)));
        }
        self.body.lines.push(format!("// {}", settled()));
        self.body.line("// expect(consoleErrors).toEqual([]);");
    }
}

/// Waits for errors shortly after the last step, which count as well.
fn settled() -> String {
    format!("await settled({});", settle::QUIET_MILLIS)
}

/// Whether a browser that repeats the request can send a validator for its cached response.
fn is_versioned(call: &Asked<'_>) -> bool {
    let mut names = call.request.response_headers.iter().flat_map(|headers| headers.0.keys());
    let tells = |name: &String| ["etag", "last-modified"].iter().any(|header| name.eq_ignore_ascii_case(header));
    call.endpoint.method == "GET" && names.any(tells)
}

/// What is known about a response's body.
#[derive(Debug, PartialEq)]
enum Captured {
    Shape(Shape),
    /// It was JSON, but was not captured, or was cut.
    Missing,
    /// Nothing that could be compared.
    Other,
}

fn captured(call: &Asked<'_>) -> Captured {
    let request = call.request;
    let content_type = request.content_type.as_deref().unwrap_or_default().to_ascii_lowercase();
    let may_be_json = content_type.contains("json") || content_type.is_empty();
    match request.response_body.as_deref() {
        Some(text) if may_be_json => match Shape::read(text) {
            Some(shape) => Captured::Shape(shape),
            None if request.truncated == Some(true) && content_type.contains("json") => Captured::Missing,
            None => Captured::Other,
        },
        None if content_type.contains("json") && !matches!(request.status, Some(204 | 304)) => Captured::Missing,
        _ => Captured::Other,
    }
}
