//! The report for a model: each failure in a limited number of tokens, the most telling first.

use super::attempt::{Attempt, Status};
use super::plain::one_line;
use super::tokens::{estimate, shorten_to};
use super::{Report, Summary};

/// Tokens of one line at most, so that one line cannot take the room of all others.
const LINE_TOKENS: usize = 110;
const TITLE_TOKENS: usize = 40;
const RUNNER_LINES: usize = 6;
const RUNNER_TOKENS: usize = 90;
const TIMELINE_LINES: usize = 14;
const ERRORS: usize = 6;
/// Lines that repeat an earlier line are dropped first.
const REPEATED_RANK: u32 = 40;

pub(super) fn write(report: &Report, most: usize) -> String {
    let mut parts: Vec<String> = report.failures().map(|attempt| failure(attempt, most)).collect();
    // Tests that share a cause need not be explained one by one.
    for group in report.causes.iter().filter(|group| group.tests.len() > 1) {
        let cause = shorten_to(&one_line(&group.cause), LINE_TOKENS);
        let mut lines = vec![format!("## Same cause in {} tests", group.tests.len()), cause];
        lines.extend(group.tests.iter().take(20).map(|test| format!("- {}", shorten_to(test, TITLE_TOKENS))));
        parts.push(lines.join("\n"));
    }
    if let Some(note) = &report.note {
        return format!("{note}\n");
    }
    if parts.is_empty() {
        parts.push(nothing(&report.summary));
    }
    parts.extend(report.warned().map(|attempt| warned(attempt, most)));
    parts.join("\n\n") + "\n"
}

fn nothing(summary: &Summary) -> String {
    match (summary.tests, summary.noise) {
        (0, 0) if summary.entries == 0 => "Nothing was captured from a browser.".to_owned(),
        (0, 0) => "No errors were captured.".to_owned(),
        (0, noise) => format!("No errors were captured, apart from {noise} that are likely noise."),
        (tests, _) => format!("No failures in {tests} tests."),
    }
}

/// What a test without failures logged, if the reader asked for more than errors.
pub(super) fn warned(attempt: &Attempt, most: usize) -> String {
    let mut page = Page { lines: Vec::new() };
    let word = if attempt.test_id.is_some() { "Passed Test" } else { "Console" };
    page.add(0, format!("## {word}: {}", shorten_to(&one_line(&attempt.title), TITLE_TOKENS)));
    said(&mut page, attempt);
    page.fit(most)
}

fn said(page: &mut Page, attempt: &Attempt) {
    let last = attempt.console.len();
    for (index, line) in attempt.console.iter().enumerate() {
        // The newest lines are dropped last.
        page.add(28 + (last - index) as u32, format!("[{}] {}", line.level.name(), one_line(&line.message)));
    }
}

/// A line and its rank: the highest rank is dropped first.
struct Line {
    text: String,
    rank: u32,
}

struct Page {
    lines: Vec<Line>,
}

impl Page {
    fn add(&mut self, rank: u32, text: impl Into<String>) {
        // Each text stays one line, whatever a page put into it, except for its indentation.
        let text: String = text.into();
        let indent = text.len() - text.trim_start_matches(' ').len();
        let text = format!("{}{}", " ".repeat(indent), one_line(&text));
        self.lines.push(Line { text: shorten_to(&text, LINE_TOKENS), rank });
    }

    fn tokens(&self) -> usize {
        // Each line has a line end.
        self.lines.iter().map(|line| estimate(&line.text) + 1).sum()
    }

    /// Drops lines until the rest fits. A heading whose lines are all dropped is dropped, too.
    fn fit(mut self, most: usize) -> String {
        while self.tokens() > most {
            let least = self.lines.iter().enumerate().max_by_key(|(index, line)| (line.rank, *index));
            let Some((index, rank)) = least.map(|(index, line)| (index, line.rank)) else { break };
            if rank == 0 {
                break;
            }
            self.lines.remove(index);
        }
        let mut out: Vec<String> = Vec::new();
        let mut lines = self.lines.iter().peekable();
        while let Some(line) = lines.next() {
            let is_heading = line.text.starts_with("### ");
            if is_heading && lines.peek().is_none_or(|next| next.text.starts_with("### ")) {
                continue;
            }
            out.push(line.text.clone());
        }
        out.join("\n")
    }
}

pub(super) fn failure(attempt: &Attempt, most: usize) -> String {
    let mut page = Page { lines: Vec::new() };
    let word = match (attempt.status, &attempt.test_id, attempt.is_flaky) {
        (_, None, _) => "Browser errors",
        (_, _, true) => "Flaky Test",
        (Status::Fail, ..) => "Test Failure",
        _ => "Test With Browser Errors",
    };
    page.add(0, format!("## {word}: {}", shorten_to(&one_line(&attempt.title), TITLE_TOKENS)));
    match attempt.place() {
        place if !place.is_empty() => page.add(30, shorten_to(&place, TITLE_TOKENS)),
        _ => {}
    }
    runner(&mut page, attempt);
    errors(&mut page, attempt);
    timeline(&mut page, attempt);
    if !attempt.console.is_empty() {
        page.add(7, "### Console");
        said(&mut page, attempt);
    }
    page.add(1, "### Diagnosis Hints");
    for (index, hint) in attempt.hints.iter().enumerate() {
        // The first is the cause itself.
        let rank = match index {
            0 => 0,
            1 => 3,
            index => 10 + 4 * index as u32,
        };
        page.add(rank, format!("- {}", one_line(hint)));
    }
    page.fit(most)
}

/// What the test expected, without colours and the call log.
fn runner(page: &mut Page, attempt: &Attempt) {
    let lines = attempt.runner_error.as_deref().unwrap_or_default().lines().map(str::trim);
    let mut left = RUNNER_TOKENS;
    // The rest already says what the runner waited for.
    let lines = lines.filter(|line| !line.is_empty()).take_while(|line| *line != "Call log:");
    for (index, line) in lines.take(RUNNER_LINES).enumerate() {
        let text = shorten_to(line, left);
        left = left.saturating_sub(estimate(&text));
        // Quoted, because the message may contain headings.
        let compares = ["Expected", "Received"].iter().any(|word| line.starts_with(word));
        let rank = match index {
            0 => 2,
            _ if compares => 5,
            _ => 12 + 3 * index as u32,
        };
        page.add(rank, format!("> {text}"));
        if left < 8 {
            break;
        }
    }
}

fn errors(page: &mut Page, attempt: &Attempt) {
    let total = attempt.errors.len() + attempt.network_failures.len() + attempt.ws_errors.len();
    let noise: usize = attempt.noise.iter().map(|noise| noise.count).sum();
    let beside = if noise > 0 { format!(", {noise} more likely noise") } else { String::new() };
    page.add(1, format!("### Browser Errors ({total}{beside})"));
    // In order of time, whatever their kind. A place is dropped together with what happened there.
    let mut parts: Vec<(wire::Timestamp, Vec<String>)> = Vec::new();
    for error in &attempt.errors {
        let times = if error.count > 1 { format!(" ({}×)", error.count) } else { String::new() };
        let mut lines = vec![format!("[{}] {}{times}", error.kind, one_line(&error.message))];
        match (&error.at, &error.code) {
            (Some(at), Some(code)) => lines.push(format!("   at {at}: `{code}`")),
            (Some(at), None) => lines.push(format!("   at {at}")),
            _ => {}
        }
        let shown = error.at.as_deref().unwrap_or("-");
        lines.extend(error.stack.iter().filter(|frame| !frame.contains(shown)).map(|frame| format!("   at {frame}")));
        lines.extend(error.component.as_ref().map(|tree| format!("   in {tree}")));
        lines.extend(error.summary.as_ref().map(|summary| format!("   {summary}")));
        parts.push((error.ts, lines));
    }
    for request in &attempt.network_failures {
        let mut lines = vec![format!("[network] {}", request.text())];
        lines.extend(request.request.as_ref().map(|text| format!("   Request: {}", one_line(text))));
        lines.extend(request.response.as_ref().map(|text| format!("   Response: {}", one_line(text))));
        parts.push((request.ts, lines));
    }
    parts.extend(attempt.ws_errors.iter().map(|socket| (socket.ts, vec![format!("[websocket] {}", socket.text())])));
    parts.sort_by_key(|(at, _)| *at);
    for (index, (_, lines)) in parts.iter().take(ERRORS).enumerate() {
        for (depth, line) in lines.iter().enumerate() {
            let number = if depth == 0 { format!("{}. ", index + 1) } else { String::new() };
            let line = shorten_to(line, if depth == 0 { LINE_TOKENS } else { 60 });
            let is_place = depth == 1 && line.starts_with("   at ");
            let rank = 4 + 3 * index as u32 + if is_place { 1 } else { 4 * depth as u32 };
            page.add(rank, format!("{number}{line}"));
        }
    }
    if parts.len() > ERRORS {
        page.add(25, format!("… and {} more", parts.len() - ERRORS));
    }
}

fn timeline(page: &mut Page, attempt: &Attempt) {
    page.add(6, "### Network Timeline");
    let lines: Vec<_> = attempt.timeline.iter().collect();
    let skipped = lines.len().saturating_sub(TIMELINE_LINES);
    if skipped > 0 {
        page.add(29, format!("… {skipped} earlier"));
    }
    let last = lines.len().saturating_sub(skipped);
    let mut said: Vec<&str> = Vec::new();
    for (index, line) in lines.into_iter().skip(skipped).enumerate() {
        // Failures are dropped last, and before them the newest lines.
        let is_repeated = said.contains(&line.text.as_str());
        said.push(&line.text);
        let rank = match (line.failure && line.noise.is_none(), is_repeated) {
            (true, false) => 9,
            (_, true) => REPEATED_RANK,
            (false, false) => 16 + (last - index).min(14) as u32,
        };
        page.add(rank, shorten_to(&line.text(), 45));
    }
}
