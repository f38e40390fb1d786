//! The report for a terminal.

use super::attempt::{Attempt, ReportedLine, Status};
use super::plain::one_line;
use super::{Report, Summary};
use crate::text::shorten;

const WIDTH: usize = 160;

pub(super) fn write(report: &Report) -> String {
    let mut out = vec![report.note.clone().unwrap_or_else(|| headline(&report.summary))];
    for attempt in report.failures() {
        out.push(String::new());
        out.extend(failure(attempt));
    }
    for attempt in report.warned() {
        out.extend([String::new(), format!("○ {}", titled(attempt))]);
        out.extend(attempt.console.iter().map(said));
    }
    let shared: Vec<_> = report.causes.iter().filter(|group| group.tests.len() > 1).collect();
    if !shared.is_empty() {
        out.push(String::new());
        out.push("Same cause:".to_owned());
        for group in shared {
            out.push(format!("  {} tests: {}", group.tests.len(), line(&group.cause)));
            out.extend(group.tests.iter().map(|test| format!("    {test}")));
        }
    }
    out.join("\n") + "\n"
}

/// `24 tests: 7 failed, 1 flaky, 16 passed; 9 browser errors, 4 failed requests, 3 likely noise`
pub(super) fn headline(summary: &Summary) -> String {
    let counted = |count: usize, word: &str| (count > 0).then(|| format!("{count} {word}"));
    let outcome: Vec<String> = [
        counted(summary.failed, "failed"),
        counted(summary.flaky, "flaky"),
        counted(summary.passed, "passed"),
        counted(summary.skipped, "skipped"),
    ]
    .into_iter()
    .flatten()
    .collect();
    let captured: Vec<String> = [
        counted(summary.browser_errors, if summary.browser_errors == 1 { "browser error" } else { "browser errors" }),
        counted(
            summary.network_failures,
            if summary.network_failures == 1 { "failed request" } else { "failed requests" },
        ),
        counted(summary.noise, "likely noise"),
        counted(summary.unreadable, "entries could not be read"),
    ]
    .into_iter()
    .flatten()
    .collect();
    let tests = match summary.tests {
        0 => "No tests".to_owned(),
        1 => format!("1 test: {}", outcome.join(", ")),
        tests => format!("{tests} tests: {}", outcome.join(", ")),
    };
    let captured = if captured.is_empty() { summary.nothing_wrong().to_owned() } else { captured.join(", ") };
    format!("{tests}; {captured}")
}

fn failure(attempt: &Attempt) -> Vec<String> {
    let mark = if attempt.is_flaky { "~" } else { "✗" };
    let mut out = vec![format!("{mark} {}", titled(attempt))];
    if attempt.status == Status::Fail {
        out.extend(attempt.runner_line().map(|said| format!("  {}", line(said))));
    }
    match &attempt.cause {
        Some(cause) => {
            out.push(format!("  Cause ({}): {}", cause.confidence, line(&cause.text)));
            out.extend(cause.because.iter().map(|because| format!("    because {}", line(because))));
            out.extend(cause.received.as_ref().map(|body| format!("    it answered {}", line(body))));
            out.extend(cause.action.as_ref().map(|action| format!("    after {}", line(action))));
        }
        None => out.extend(attempt.hints.iter().map(|hint| format!("  {}", line(hint)))),
    }
    for error in &attempt.errors {
        let times = if error.count > 1 { format!(" ({}×)", error.count) } else { String::new() };
        out.push(format!("  [{}] {}{times}", error.kind, line(&error.message)));
        match (&error.at, &error.code) {
            (Some(at), Some(code)) => out.push(format!("    at {at}: {code}")),
            (Some(at), None) => out.push(format!("    at {at}")),
            _ => out.extend(error.stack.first().map(|frame| format!("    at {frame}"))),
        }
        out.extend(error.summary.as_ref().map(|summary| format!("    {}", line(summary))));
    }
    for request in &attempt.network_failures {
        out.push(format!("  [network] {}", line(&request.text())));
        out.extend(request.response.as_ref().map(|text| format!("    {}", line(text))));
    }
    out.extend(attempt.ws_errors.iter().map(|socket| format!("  [websocket] {}", line(&socket.text()))));
    out.extend(attempt.console.iter().map(said));
    for noise in &attempt.noise {
        out.push(format!("  [noise: {}] {} ({}×)", noise.rule, line(&noise.message), noise.count));
    }
    out
}

fn titled(attempt: &Attempt) -> String {
    let place = match attempt.place() {
        place if place.is_empty() => String::new(),
        place => format!("  ({place})"),
    };
    format!("{}{place}", line(&attempt.title))
}

fn said(said: &ReportedLine) -> String {
    format!("  [{}] {}", said.level.name(), line(&said.message))
}

fn line(text: &str) -> String {
    shorten(&one_line(text), WIDTH)
}
