//! Steps as a Playwright test.

use super::address::Address;
use super::literal::{css_identifier, quoted};
use super::locator::{Locator, Target, is_whole};
use super::reproduction::{Plan, Written, error_comment, header, pause};
use super::settle;
use super::steps::Step;
use super::symptom::Symptom;

/// A slower error needs more time than this, so its test gets a longer timeout.
const SLOW_QUIET_MILLIS: i64 = 3_000;
/// How long Playwright lets a test run.
const TEST_MILLIS: i64 = 30_000;

pub(super) fn write(plan: &Plan<'_>) -> Written {
    let mut body = Body::default();
    body.open(plan.start.as_ref());
    for line in &plan.lines {
        body.blank();
        if let Some(gap) = line.pause {
            body.line(&pause(gap));
        }
        if !line.comment.is_empty() {
            body.line(&format!("// {}", line.comment));
        }
        body.step(&line.step, plan.include_assertions);
    }
    if let Some(message) = plan.error.as_deref() {
        body.blank();
        body.line(&error_comment(message));
    }
    if let Some(symptom) = &plan.symptom {
        body.check(symptom, plan.quiet);
    }
    let mut script = String::from("import { test, expect } from '@playwright/test';\n\n");
    script.push_str(&header(plan));
    if body.picks {
        script.push('\n');
        script.push_str(PICK);
    }
    script.push_str(&format!("test({}, async ({{ page }}) => {{\n", quoted(&plan.title)));
    if let Some(symptom) = &plan.symptom {
        if plan.quiet > SLOW_QUIET_MILLIS {
            script.push_str(&format!("  test.setTimeout({});\n", TEST_MILLIS + 3 * plan.quiet));
        }
        script.push_str(watch(symptom));
        script.push_str(settle::PLAYWRIGHT_START);
    }
    script.push_str(DIALOGS);
    if body.test_ids {
        script.push_str(TEST_IDS);
    }
    for line in &body.lines {
        if !line.is_empty() {
            script.push_str("  ");
        }
        script.push_str(line);
        script.push('\n');
    }
    script.push_str("});\n");
    if plan.symptom.is_some() {
        script.push('\n');
        script.push_str(settle::PLAYWRIGHT);
    }
    Written { script, used: body.used }
}

pub(super) const PICK: &str = "\
// Several elements may look alike; then the place tells which one was meant.
async function pick(locator, place) {
  await locator.first().waitFor({ state: 'attached' });
  return (await locator.count()) > 1 ? locator.and(locator.page().locator(place)) : locator;
}

";

pub(super) const DIALOGS: &str =
    "  // Answers to alerts and questions are not captured; accepting them is the most likely answer.
  page.on('dialog', (dialog) => dialog.accept());
";

/// The capture keeps a test id's value, not which of four attributes it was in, and `getByTestId` looks at one.
pub(super) const TEST_IDS: &str = "  // Pages write test ids in different attributes; each of these counts.
  page.getByTestId = (id) => {
    const names = ['data-testid', 'data-test-id', 'data-cy', 'data-test'];
    const value = id.replace(/[\"\\\\]/g, '\\\\$&').replace(/\\n/g, '\\\\a ');
    return page.locator(names.map((name) => `[${name}=\"${value}\"]`).join(', '));
  };
";

const WATCH_THROWN: &str = "  // What goes wrong while the steps run.
  const problems = [];
  page.on('pageerror', (error) => problems.push(`${error.name}: ${error.message}`));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
";

const WATCH_LOGGED: &str = "  // What goes wrong while the steps run.
  const problems = [];
  page.on('pageerror', (error) => problems.push(`${error.name}: ${error.message}`));
  page.on('console', (message) => {
    if (!['error', 'assert'].includes(message.type())) return;
    // As the console shows it: console.error('%s failed', name) with the name filled in.
    const [format, ...values] = message.args().map(String);
    if (format === undefined) return problems.push(message.text());
    const shown = format.replace(/%[sdifoOc]/g, (directive) => {
      const value = values.shift() ?? directive;
      return directive === '%c' ? '' : value;
    });
    problems.push([shown, ...values].join(' '));
  });
";

const WATCH_THROWN_OBJECTS: &str =
    "  // What goes wrong while the steps run. An object that is thrown has no message: the page writes it as JSON.
  const problems = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  await page.addInitScript(() => {
    const write = (thrown) => {
      if (thrown && typeof thrown === 'object' && !(thrown instanceof Error)) console.error(JSON.stringify(thrown));
    };
    addEventListener('error', (event) => write(event.error));
    addEventListener('unhandledrejection', (event) => write(event.reason));
  });
";

const WATCH_LOGGED_OBJECTS: &str = "  // What goes wrong while the steps run, as JSON.
  const problems = [];
  page.on('console', async (message) => {
    if (!['error', 'assert'].includes(message.type())) return;
    const values = await Promise.all(message.args().map((value) => value.jsonValue().catch(String)));
    problems.push(values.map((value) => JSON.stringify(value)).join(' '));
  });
";

const WATCH_REQUESTS: &str = "  // How requests end while the steps run.
  const requests = [];
  const note = (request, outcome) => requests.push(`${request.method()} ${new URL(request.url()).pathname} ${outcome}`);
  page.on('response', (response) => note(response.request(), response.status()));
  page.on('requestfailed', (request) => note(request, 'failed'));
";

fn watch(symptom: &Symptom) -> &'static str {
    match symptom {
        Symptom::Thrown { is_object: false, .. } => WATCH_THROWN,
        Symptom::Thrown { is_object: true, .. } => WATCH_THROWN_OBJECTS,
        Symptom::Logged { is_object: false, .. } => WATCH_LOGGED,
        Symptom::Logged { is_object: true, .. } => WATCH_LOGGED_OBJECTS,
        Symptom::Request { .. } => WATCH_REQUESTS,
    }
}

/// The body of a test, line by line.
#[derive(Default)]
pub(super) struct Body {
    used: Vec<&'static str>,
    /// Whether the helper is needed that distinguishes elements that look alike.
    pub(super) picks: bool,
    pub(super) test_ids: bool,
    pub(super) lines: Vec<String>,
}

impl Body {
    pub(super) fn line(&mut self, line: &str) {
        self.lines.push(line.to_owned());
    }

    pub(super) fn blank(&mut self) {
        self.lines.push(String::new());
    }

    pub(super) fn open(&mut self, start: Option<&Address>) {
        let address = start.map_or("about:blank", |start| start.text.as_str());
        self.lines.push(format!("await page.goto({});", quoted(address)));
    }

    pub(super) fn step(&mut self, step: &Step<'_>, include_assertions: bool) {
        let line = match step {
            Step::Open(address) => format!("await page.goto({});", quoted(&address.text)),
            Step::Back(address) => {
                self.line("await page.goBack();");
                format!("await page.waitForURL({});", url(address))
            }
            Step::Arrive { at, by_history } => {
                let at = url(at);
                if include_assertions && *by_history {
                    self.lines.push(format!("await page.waitForURL({at});"));
                    format!("await expect(page).toHaveURL({at});")
                } else {
                    format!("await page.waitForURL({at});")
                }
            }
            Step::Click { target, text } => {
                let found = self.find(target);
                let by_text = matches!(target.ways.first(), Some(Locator::Role { .. } | Locator::Text(_)));
                if let Some(text) = text.filter(|_| include_assertions && !by_text) {
                    self.lines.push(format!("await expect({found}).toContainText({});", quoted(text)));
                }
                format!("await {found}.click();")
            }
            Step::ClickAt { x, y } => format!("await page.mouse.click({x}, {y});"),
            Step::Fill { target, value } => format!("await {}.fill({});", self.find(target), quoted(value)),
            Step::Check { target, on } => {
                format!("await {}.{}();", self.find(target), if *on { "check" } else { "uncheck" })
            }
            Step::Choose { target, options } => {
                let options: Vec<String> = options.iter().map(|option| quoted(option)).collect();
                let list = options.join(", ");
                let list = if options.len() == 1 { list } else { format!("[{list}]") };
                format!("await {}.selectOption({list});", self.find(target))
            }
            Step::Press { key, focus } => {
                if let Some(target) = focus {
                    let found = self.find(target);
                    self.lines.push(format!("await {found}.focus();"));
                }
                format!("await page.keyboard.press({});", quoted(key))
            }
            Step::Submit { target, is_button: true } => format!("await {}.click();", self.find(target)),
            Step::Submit { target, is_button: false } => {
                // When Enter is pressed, browsers use the first one too.
                let button = quoted("[type=\"submit\"], button:not([type])");
                format!("await {}.locator({button}).first().click();", self.find(target))
            }
            Step::Note => return,
        };
        self.lines.push(line);
    }

    /// An expression for the element. Locators are strict, so names are compared as a whole.
    fn find(&mut self, target: &Target<'_>) -> String {
        let Some(way) = target.ways.first() else { return "page".to_owned() };
        if !self.used.contains(&way.kind()) {
            self.used.push(way.kind());
        }
        let exact = |name: &str| if is_whole(name) { ", exact: true" } else { "" };
        let found = match *way {
            Locator::TestId(id) => self.by_test_id(id),
            Locator::Role { role, name } => {
                format!("page.getByRole({}, {{ name: {}{} }})", quoted(role), quoted(name), exact(name))
            }
            Locator::Label(name) if is_whole(name) => format!("page.getByLabel({}, {{ exact: true }})", quoted(name)),
            Locator::Label(name) => format!("page.getByLabel({})", quoted(name)),
            Locator::Text(text) => format!("page.getByText({}, {{ exact: true }})", quoted(text)),
            Locator::Id(id) => format!("page.locator({})", quoted(&format!("#{}", css_identifier(id)))),
            Locator::Css(path) => format!("page.locator({})", quoted(path)),
        };
        match target.place {
            Some(place) if !matches!(way, Locator::Id(_) | Locator::Css(_)) => {
                self.picks = true;
                format!("(await pick({found}, {}))", quoted(place))
            }
            _ => found,
        }
    }

    pub(super) fn by_test_id(&mut self, id: &str) -> String {
        self.test_ids = true;
        format!("page.getByTestId({})", quoted(id))
    }

    /// The error must happen again; the commented lines are for the time after the fix.
    fn check(&mut self, symptom: &Symptom, quiet: i64) {
        let (seen, matcher) = match symptom {
            Symptom::Thrown { parts, .. } | Symptom::Logged { parts, .. } => {
                let matcher = match parts.whole() {
                    Some(text) => format!("toContain({})", quoted(text)),
                    None => format!("toMatch(new RegExp({}))", quoted(&parts.source())),
                };
                ("problems.join('\\n')", matcher)
            }
            Symptom::Request { line: Some(line), .. } => ("requests", format!("toContain({})", quoted(line))),
            Symptom::Request { source, .. } => {
                ("requests.join('\\n')", format!("toMatch(new RegExp({}, 'm'))", quoted(source)))
            }
        };
        // Playwright waits five seconds by default.
        let patience =
            if quiet > SLOW_QUIET_MILLIS { format!(", {{ timeout: {} }}", quiet * 2) } else { String::new() };
        self.line(
            "// Passes while the bug is there. Once it is fixed this fails: then use the two lines after it instead.",
        );
        self.lines.push(format!("await expect.poll(() => {seen}{patience}).{matcher};"));
        self.lines.push(format!("// await settled({quiet});"));
        self.lines.push(format!("// expect({seen}).not.{matcher};"));
    }
}

pub(super) fn url(address: &Address) -> String {
    match &address.pattern {
        Some(source) => format!("new RegExp({})", quoted(source)),
        None => quoted(&address.text),
    }
}
