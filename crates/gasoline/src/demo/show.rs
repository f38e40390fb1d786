//! The demo's output: short, as wide as the terminal, and readable without colours.

use std::io::IsTerminal as _;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use engine::url::Url;
use serde_json::Value;

use super::server::Answer;
use crate::program;
use crate::terminal::say;

/// The tools that the AI client calls, in this order.
pub(super) const TOOLS: [&str; 3] = ["diagnose", "security_audit", "check_performance"];

/// Longer lines are hard to read even if they fit.
const WIDEST: usize = 110;
const NARROWEST: usize = 50;
/// The width for a file or another program.
const USUAL: usize = 100;
const LABEL: usize = 11;
/// The regressions that are shown: metric, label and title.
const TOLD_REGRESSIONS: [(&str, &str, &str); 3] = [
    ("load", "slower", "load"),
    ("firstContentfulPaint", "slower", "first paint"),
    ("transferSize", "larger", "transferred"),
];

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default().bold();
const TOOL: Style = AnsiColor::Cyan.on_default().bold();

pub(super) struct Show {
    colours: bool,
    width: usize,
}

impl Show {
    pub(super) fn on_stdout() -> Self {
        let is_terminal = std::io::stdout().is_terminal();
        let wants_none = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let columns = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0)).filter(|_| is_terminal);
        Self { colours: is_terminal && !wants_none, width: columns.unwrap_or(USUAL).clamp(NARROWEST, WIDEST) }
    }

    pub(super) fn opening(&self) {
        say(self
            .painted(BOLD, "Gasoline: a small shop with bugs in it, a browser, and what your AI client would read."));
        say("");
    }

    pub(super) fn ready(&self, what: &str, about: &str) {
        self.wrapped(&format!("  {} ", self.painted(GOOD, "✓")), 4, what, &plain(about));
    }

    pub(super) fn heading(&self, title: &str) {
        say("");
        say(self.painted(BOLD, title));
    }

    /// A line of the story, as it happens.
    pub(super) fn happened(&self, after: Duration, what: &str) {
        let time = format!("{:.1} s", after.as_secs_f64());
        self.wrapped("  ", 2, &time, what);
    }

    pub(super) fn question(&self) {
        self.heading("You ask your AI client: \"Checkout does nothing any more. Why? And what else is wrong?\"");
        self.wrapped("  ", 2, "", "It makes three calls, and this is what it reads, shortened:");
    }

    pub(super) fn answer(&self, tool: &str, answer: &Answer) {
        say("");
        let size = format!("{} tokens", tokens(answer));
        say(format!("  {}  {}", self.painted(TOOL, tool), self.painted(DIM, &size)));
        match tool {
            "diagnose" => self.diagnosis(&answer.fields),
            "security_audit" => self.audit(&answer.fields),
            _ => self.performance(&answer.fields),
        }
    }

    fn diagnosis(&self, fields: &Value) {
        let text = |pointer: &str| plain(fields.pointer(pointer).and_then(Value::as_str).unwrap_or_default());
        self.line("error", &self.painted(BAD, &format!("{}: {}", text("/error/type"), text("/error/message"))));
        self.line("cause", &self.painted(BOLD, &text("/cause")));
        let because = fields.pointer("/because/0").and_then(Value::as_str).map(plain);
        let because = because.map(|because| format!(": {because}")).unwrap_or_default();
        self.line("sure?", &format!("{}{because}", text("/confidence")));
        self.line("at", &text("/error/at"));
        self.line("code", &text("/error/code"));
        self.line("in", &text("/error/in"));
        self.line("after", &text("/action/text"));
    }

    fn audit(&self, fields: &Value) {
        for finding in fields.get("findings").and_then(Value::as_array).into_iter().flatten() {
            let text = |pointer: &str| plain(finding.pointer(pointer).and_then(Value::as_str).unwrap_or_default());
            let place = [text("/evidence/url"), text("/evidence/redacted_preview")];
            let place = place
                .iter()
                .find(|place| !place.is_empty())
                .map(|place| format!(": {}", Url::new(place).path_and_query()));
            let title = format!("{}{}", text("/title"), place.unwrap_or_default());
            self.line(&text("/severity"), &title);
        }
    }

    fn performance(&self, fields: &Value) {
        let number = |value: &Value, field: &str| value.get(field).and_then(Value::as_f64).unwrap_or_default();
        let regressions: Vec<&Value> =
            fields.get("regressions").and_then(Value::as_array).into_iter().flatten().collect();
        for (metric, label, title) in TOLD_REGRESSIONS {
            let is_this = |other: &&Value| other.get("metric").and_then(Value::as_str) == Some(metric);
            let Some(regression) = regressions.iter().copied().find(is_this) else { continue };
            let amount = |field: &str| measured(metric, number(regression, field));
            let worse = self.painted(BAD, &format!("+{:.0} %", number(regression, "percent")));
            self.line(label, &format!("{title}: {}, was {} ({worse})", amount("value"), amount("was")));
        }
        if let Some(slowest) = fields.pointer("/network/slowestRequests/0") {
            let url = plain(slowest.get("url").and_then(Value::as_str).unwrap_or_default());
            let (time, size) = (number(slowest, "duration"), number(slowest, "size"));
            let about = format!("{}, {}", measured("duration", time), measured("transferSize", size));
            self.line("slowest", &format!("{}: {about}", self.painted(BOLD, Url::new(&url).path_and_query())));
        }
    }

    pub(super) fn closing(&self, answers: &[Answer]) {
        let total: usize = answers.iter().map(tokens).sum();
        say("");
        let calls = answers.len();
        self.wrapped(
            "  ",
            2,
            "",
            &format!(
                "{calls} calls, {total} tokens in all (four bytes each). None of them contains the key or the token: credentials are \
                 replaced before anything is stored. No data has left this machine, and the demo leaves nothing on it."
            ),
        );
        self.heading("Use it on your own pages");
        let install = format!("{} install", program::called());
        for (command, effect) in [
            (install.as_str(), "sets up your AI clients and the browser extension"),
            ("then ask", "\"Is Gasoline connected? Then find out what is wrong on my page.\""),
        ] {
            say(format!("  {}  {effect}", self.painted(TOOL, &format!("{command:<16}"))));
        }
        say("");
    }

    /// Prints a labelled line of an answer, unless the text is empty.
    fn line(&self, label: &str, text: &str) {
        if !text.is_empty() {
            self.wrapped("    ", 4, label, text);
        }
    }

    /// Prints a label and wrapped text. `before` is `indent` columns wide.
    fn wrapped(&self, before: &str, indent: usize, label: &str, text: &str) {
        let (label_width, label) =
            if label.is_empty() { (0, String::new()) } else { (LABEL, self.painted(DIM, &format!("{label:<LABEL$}"))) };
        let room = self.width.saturating_sub(indent + label_width);
        let lines = wrap(text, room);
        let mut lines = lines.iter();
        say(format!("{before}{label}{}", lines.next().map(String::as_str).unwrap_or_default()));
        for line in lines {
            say(format!("{:indent$}{:label_width$}{line}", "", ""));
        }
    }

    fn painted(&self, style: Style, text: &str) -> String {
        if self.colours { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }
}

/// Wraps at spaces. A word that is too long is left to the terminal. Colours have no width.
fn wrap(text: &str, room: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split(' ') {
        let width = visible(word);
        if used > 0 && used + 1 + width > room {
            lines.push(String::new());
            used = 0;
        }
        if let Some(line) = lines.last_mut() {
            if used > 0 {
                line.push(' ');
                used += 1;
            }
            line.push_str(word);
            used += width;
        }
    }
    lines
}

/// How many columns a text takes, without its escape sequences.
fn visible(text: &str) -> usize {
    let mut columns = 0;
    let mut is_escape = false;
    for c in text.chars() {
        match (is_escape, c) {
            (false, '\u{1b}') => is_escape = true,
            (true, 'm') => is_escape = false,
            (true, _) => {}
            (false, _) => columns += 1,
        }
    }
    columns
}

/// Removes control characters, so that captured text cannot control the terminal.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn measured(metric: &str, value: f64) -> String {
    match metric {
        "transferSize" => format!("{:.0} KB", value / 1024.0),
        _ if value < 1000.0 => format!("{value:.0} ms"),
        _ => format!("{:.2} s", value / 1000.0),
    }
}

/// As `max_tokens` counts them.
fn tokens(answer: &Answer) -> usize {
    answer.text.len().div_ceil(4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_broken_at_spaces() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("one two three", 8), ["one two", "three"]);
        assert_eq!(wrap("one two three", 13), ["one two three"]);
        assert_eq!(wrap("much-too-long a", 5), ["much-too-long", "a"]);
        assert_eq!(wrap("", 5), [""]);
        assert_eq!(wrap("\u{1b}[1mone two\u{1b}[0m x", 9), ["\u{1b}[1mone two\u{1b}[0m x"], "colours have no width");
    }

    #[test]
    fn captured_text_cannot_control_the_terminal() {
        assert_eq!(plain("a\u{1b}[2Jb\nc"), "a [2Jb c");
    }

    #[test]
    fn numbers_have_their_unit() {
        assert_eq!(measured("load", 223.4), "223 ms");
        assert_eq!(measured("load", 1255.9), "1.26 s");
        assert_eq!(measured("transferSize", 328_697.0), "321 KB");
    }
}
