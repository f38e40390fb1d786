//! Steps as a Cypress test.

use super::address::Address;
use super::literal::{css_identifier, css_string, quoted};
use super::locator::{Locator, Target};
use super::reproduction::{Plan, Written, error_comment, header, pause};
use super::settle;
use super::steps::Step;
use super::symptom::Symptom;

/// The capture keeps a test id's value, but not the attribute that it was in.
const TEST_ID_ATTRIBUTES: [&str; 4] = ["data-testid", "data-test-id", "data-cy", "data-test"];

pub(super) fn write(plan: &Plan<'_>) -> Written {
    let mut body = Body { used: Vec::new(), lines: Vec::new() };
    let start = plan.start.as_ref().map_or("about:blank", |start| start.text.as_str());
    body.lines.push(format!("cy.visit({});", quoted(start)));
    for line in &plan.lines {
        body.lines.push(String::new());
        if let Some(gap) = line.pause {
            body.lines.push(pause(gap));
        }
        if !line.comment.is_empty() {
            body.lines.push(format!("// {}", line.comment));
        }
        body.step(&line.step, plan.include_assertions);
    }
    if let Some(message) = plan.error.as_deref() {
        body.lines.push(String::new());
        body.lines.push(error_comment(message));
    }
    if let Some(symptom) = &plan.symptom {
        body.check(symptom, plan.quiet);
    }
    let mut script = header(plan);
    script.push_str(&format!("it({}, () => {{\n", quoted(&plan.title)));
    script.push_str(match &plan.symptom {
        Some(Symptom::Request { .. }) => WATCH_REQUESTS,
        Some(Symptom::Thrown { is_object: true, .. } | Symptom::Logged { is_object: true, .. }) => WATCH_OBJECTS,
        Some(_) => WATCH_PROBLEMS,
        None => GO_ON,
    });
    if plan.checks_error {
        script.push_str(settle::CYPRESS);
    }
    for line in &body.lines {
        if !line.is_empty() {
            script.push_str("  ");
        }
        script.push_str(line);
        script.push('\n');
    }
    script.push_str("});\n");
    Written { script, used: body.used }
}

const GO_ON: &str = "  // The test is about this error, so the error must not end it.
  cy.on('uncaught:exception', () => false);
";

const WATCH_PROBLEMS: &str = "  // What goes wrong while the steps run; an error must not end the test.
  const problems = [];
  cy.on('uncaught:exception', (error) => {
    problems.push(error.message);
    return false;
  });
  cy.on('window:before:load', (win) => {
    const write = win.console.error;
    win.console.error = (...args) => {
      // As the console shows it: console.error('%s failed', name) with the name filled in.
      const [format, ...values] = args.map(String);
      const shown = (format ?? '').replace(/%[sdifoO]/g, (directive) => values.shift() ?? directive);
      problems.push([shown, ...values].join(' '));
      write.apply(win.console, args);
    };
  });
";

const WATCH_OBJECTS: &str = "  // What goes wrong while the steps run, as JSON; an error must not end the test.
  const problems = [];
  cy.on('uncaught:exception', () => false);
  cy.on('window:before:load', (win) => {
    const add = (value) => {
      if (value && typeof value === 'object' && !(value instanceof win.Error)) problems.push(JSON.stringify(value));
    };
    const write = win.console.error;
    win.console.error = (...args) => {
      args.forEach(add);
      write.apply(win.console, args);
    };
    win.addEventListener('error', (event) => add(event.error));
    win.addEventListener('unhandledrejection', (event) => add(event.reason));
  });
";

const WATCH_REQUESTS: &str = "  // How requests end while the steps run; an error must not end the test.
  const requests = [];
  cy.on('uncaught:exception', () => false);
  cy.intercept('**', (request) => {
    request.on('response', (response) => {
      requests.push(`${request.method} ${new URL(request.url).pathname} ${response.statusCode}`);
    });
  });
";

struct Body {
    used: Vec<&'static str>,
    lines: Vec<String>,
}

impl Body {
    fn step(&mut self, step: &Step<'_>, include_assertions: bool) {
        let line = match step {
            Step::Open(address) => format!("cy.visit({});", quoted(&address.text)),
            Step::Back(address) => {
                self.lines.push("cy.go('back');".to_owned());
                format!("cy.url().should({});", url(address))
            }
            Step::Arrive { at, .. } => format!("cy.url().should({});", url(at)),
            Step::Click { target, text } => {
                let found = self.find(target);
                if let Some(text) = text.filter(|_| include_assertions && !found.starts_with("cy.contains(")) {
                    self.lines.push(format!("{found}.should('contain', {});", quoted(text)));
                }
                format!("{found}.click();")
            }
            Step::ClickAt { x, y } => format!("cy.get('body').click({x}, {y});"),
            Step::Fill { target, value } if value.is_empty() => format!("{}.clear();", self.find(target)),
            Step::Fill { target, value } => {
                let found = self.find(target);
                self.lines.push(format!("{found}.clear();"));
                // Braces in a value are text, not keys.
                format!("{found}.type({}, {{ parseSpecialCharSequences: false }});", quoted(value))
            }
            Step::Check { target, on } => format!("{}.{}();", self.find(target), if *on { "check" } else { "uncheck" }),
            Step::Choose { target, options } => {
                let options: Vec<String> = options.iter().map(|option| quoted(option)).collect();
                let list = options.join(", ");
                let list = if options.len() == 1 { list } else { format!("[{list}]") };
                format!("{}.select({list});", self.find(target))
            }
            Step::Press { key: "Tab", .. } => "cy.press('Tab');".to_owned(),
            Step::Press { key, focus } => {
                let typed = format!("'{{{}}}'", typed(key));
                match focus {
                    Some(target) => format!("{}.type({typed});", self.find(target)),
                    // Users press Escape to close something, often without any focused element.
                    None if *key == "Escape" => format!("cy.get('body').type({typed});"),
                    None => format!("cy.focused().type({typed});"),
                }
            }
            Step::Submit { target, is_button: true } => format!("{}.click();", self.find(target)),
            Step::Submit { target, is_button: false } => format!("{}.submit();", self.find(target)),
            Step::Note => return,
        };
        self.lines.push(line);
    }

    fn find(&mut self, target: &Target<'_>) -> String {
        // Cypress acts on exactly one element, and cannot first ask how many there are.
        let by_place = target.place.map(|place| (Locator::Css(place), format!("cy.get({})", quoted(place))));
        let found = by_place.or_else(|| target.ways.iter().find_map(|way| Some((*way, find(way, target)?))));
        let by_name = || match target.ways.first() {
            Some(way @ Locator::Role { name, .. }) => Some((*way, format!("cy.contains({})", quoted(name)))),
            _ => None,
        };
        let Some((way, expression)) = found.or_else(by_name) else { return "cy.focused()".to_owned() };
        if !self.used.contains(&way.kind()) {
            self.used.push(way.kind());
        }
        expression
    }

    /// The error must happen again; the commented lines are for the time after the fix.
    fn check(&mut self, symptom: &Symptom, quiet: i64) {
        let (list, source, flags) = match symptom {
            Symptom::Thrown { parts, .. } | Symptom::Logged { parts, .. } => ("problems", parts.source(), ""),
            Symptom::Request { unanswered: true, .. } => {
                let why = "// Cypress does not see requests that got no answer: look at its network log.";
                self.lines.push(why.to_owned());
                return;
            }
            Symptom::Request { source, .. } => ("requests", source.clone(), ", 'm'"),
        };
        let whole = match symptom {
            Symptom::Thrown { parts, .. } | Symptom::Logged { parts, .. } => parts.whole(),
            Symptom::Request { line, .. } => line.as_deref(),
        };
        let (is, is_not) = match whole {
            Some(text) => (format!("to.contain({})", quoted(text)), format!("not.to.contain({})", quoted(text))),
            None => {
                let expected = format!("match(new RegExp({}{flags}))", quoted(&source));
                (format!("to.{expected}"), format!("not.to.{expected}"))
            }
        };
        let passes =
            "// Passes while the bug is there. Once it is fixed this fails: then use the two lines after it instead.";
        self.lines.push(passes.to_owned());
        self.lines.push(format!("cy.wrap({list}).should((seen) => expect(seen.join('\\n')).{is});"));
        self.lines.push(format!("// settled({quiet});"));
        self.lines.push(format!("// cy.wrap({list}).should((seen) => expect(seen.join('\\n')).{is_not});"));
    }
}

/// `None` where Cypress has no command for it: it does not know accessible names.
fn find(way: &Locator<'_>, target: &Target<'_>) -> Option<String> {
    let get = |selector: &str| format!("cy.get({})", quoted(selector));
    Some(match *way {
        Locator::TestId(id) => {
            let value = css_string(id);
            get(&TEST_ID_ATTRIBUTES.map(|attribute| format!("[{attribute}={value}]")).join(", "))
        }
        Locator::Role { role, name } => {
            // Finds it by its text, where the text is the name.
            let shown = target.ways.iter().any(|way| matches!(way, Locator::Text(text) if *text == name));
            let tags = match role {
                "button" => "button, [role=\"button\"], summary",
                "link" => "a, [role=\"link\"]",
                "tab" => "[role=\"tab\"]",
                "menuitem" => "[role=\"menuitem\"]",
                _ => return None,
            };
            let labelled = target.ways.iter().any(|way| matches!(way, Locator::Label(_)));
            let only_way = !target.ways.iter().any(|way| matches!(way, Locator::Id(_) | Locator::Css(_)));
            if !shown && (labelled || !only_way) {
                return None;
            }
            format!("cy.contains({}, {})", quoted(tags), quoted(name))
        }
        Locator::Label(name) => get(&format!("[aria-label={}]", css_string(name))),
        Locator::Text(text) => format!("cy.contains({})", quoted(text)),
        Locator::Id(id) => get(&format!("#{}", css_identifier(id))),
        Locator::Css(path) => get(path),
    })
}

/// The name of a key in `cy.type`.
fn typed(key: &str) -> &'static str {
    match key {
        "Enter" => "enter",
        "Backspace" => "backspace",
        "Delete" => "del",
        "Home" => "home",
        "End" => "end",
        "PageUp" => "pageUp",
        "PageDown" => "pageDown",
        "ArrowUp" => "upArrow",
        "ArrowDown" => "downArrow",
        "ArrowLeft" => "leftArrow",
        "ArrowRight" => "rightArrow",
        _ => "esc",
    }
}

/// The arguments of `should` that compare an address.
fn url(address: &Address) -> String {
    match &address.pattern {
        Some(source) => format!("'match', new RegExp({})", quoted(source)),
        None => format!("'eq', {}", quoted(&address.text)),
    }
}
