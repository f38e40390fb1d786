//! A script that repeats the user's actions and reproduces the error.

use wire::{Timestamp, limits};

use super::address::{Address, Addresses, is_origin};
use super::literal::{comment, one_line};
use super::settle::{MOST_QUIET_MILLIS, quiet_millis};
use super::steps::{Line, VALUE_CHARS, first_page, millis, steps, stripped_warning};
use super::symptom::Symptom;
use super::{Format, cypress, playwright};
use crate::entry::{Action, ActionKind};
use crate::failures::{Failure, failures};
use crate::session::Session;
use crate::store::Filter;
use crate::store::Stored;
use crate::text::shorten;
use crate::view::actions::actions;

const TITLE_CHARS: usize = 100;
const ERROR_CHARS: usize = 300;
const MESSAGE_CHARS: usize = 500;
/// Typing is reported when it ends, so an error that its first key caused comes before it. Keys are this close
/// together.
const TYPING_MILLIS: i64 = 500;
/// How many keys an unknown value may have.
const TYPED_KEYS: i64 = 20;

/// What the caller asks for.
#[derive(Debug, Clone, Default)]
pub struct ScriptRequest<'r> {
    /// The test runner.
    pub format: Format,
    /// Whether the script checks that the error happens.
    pub include_assertions: bool,
    /// Replaces the application's origin in the script.
    pub base_url: Option<&'r str>,
    /// Only the last actions. Absent: all that led to the error.
    pub last_n_actions: Option<usize>,
    /// A part of the error's message. Absent: the latest error.
    pub error_message: Option<&'r str>,
    /// Selects the captured data.
    pub filter: Filter,
}

/// A script and facts about it.
#[derive(Debug, PartialEq)]
pub struct Reproduction {
    /// The script as source code.
    pub script: String,
    /// How many actions it repeats.
    pub actions_used: usize,
    /// The error that it reproduces. Absent when it only repeats actions.
    pub error: Option<ErrorContext>,
    /// The kinds of selectors in it.
    pub selectors_used: Vec<&'static str>,
    /// What the reader should know about the script.
    pub warnings: Vec<String>,
    /// Whether the script fails when the error does not happen again.
    pub checks_error: bool,
}

/// The error that a script reproduces.
#[derive(Debug, PartialEq)]
pub struct ErrorContext {
    /// Its message.
    pub message: String,
    /// The file that it happened in, if known.
    pub file: Option<String>,
    /// The line in that file, if known.
    pub line: Option<u32>,
}

/// The result of generating a script.
#[derive(Debug, PartialEq)]
pub enum Outcome {
    /// The script.
    Script(Box<Reproduction>),
    /// There are neither actions nor errors to make a script from.
    Nothing,
    /// No error has that message. The number is that of all errors.
    NoSuchError(usize),
    /// `base_url` is not an address that a page can have.
    BadBase,
}

/// A script, before it is written for a test runner.
pub(super) struct Plan<'a> {
    pub(super) title: String,
    pub(super) start: Option<Address>,
    pub(super) lines: Vec<Line<'a>>,
    pub(super) error: Option<String>,
    /// The symptom that the script waits for at its end.
    pub(super) symptom: Option<Symptom>,
    /// How long the page has to be quiet before the script concludes that the error did not happen again.
    pub(super) quiet: i64,
    pub(super) checks_error: bool,
    pub(super) include_assertions: bool,
}

pub(super) struct Written {
    pub(super) script: String,
    pub(super) used: Vec<&'static str>,
}

/// Generates a script that repeats what led to an error.
pub fn reproduce(session: &Session, request: &ScriptRequest<'_>) -> Outcome {
    if request.base_url.is_some_and(|base| !is_origin(base)) {
        return Outcome::BadBase;
    }
    let known = in_order(session, &request.filter);
    let errors = failures(session, &request.filter);
    let Some(found) = choose(&known, &errors, request.error_message) else {
        return match request.error_message {
            Some(_) => Outcome::NoSuchError(errors.len()),
            None => Outcome::Nothing,
        };
    };
    Outcome::Script(Box::new(write(session, found, request)))
}

/// The actions that the filter admits, oldest first.
pub(super) fn in_order<'a>(session: &'a Session, filter: &Filter) -> Vec<&'a Stored<Action>> {
    let mut known: Vec<&Stored<Action>> =
        actions(&session.store, filter).into_iter().map(|(_, stored)| stored).collect();
    known.reverse();
    // Pages are asked in turn, so actions may arrive out of order.
    known.sort_by_key(|stored| millis(&stored.entry));
    known
}

/// The error, and the actions that led to it.
struct Found<'a> {
    failure: Option<Failure<'a>>,
    actions: Vec<&'a Action>,
    /// How many actions in the same tab followed the error.
    later: usize,
}

fn choose<'a>(known: &[&'a Stored<Action>], errors: &[Failure<'a>], message: Option<&str>) -> Option<Found<'a>> {
    if let Some(message) = message {
        let message = message.to_lowercase();
        let failure = errors.iter().rev().find(|failure| failure.message().to_lowercase().contains(&message))?;
        return Some(before(*failure, known));
    }
    // Errors without preceding actions mostly belong to another tab, or to a page that was just opened.
    let led_to = errors.iter().rev().map(|failure| before(*failure, known)).find(|found| !found.actions.is_empty());
    if led_to.is_some() {
        return led_to;
    }
    let Some(newest) = known.last() else {
        return errors.last().map(|failure| before(*failure, known));
    };
    let tab = newest.entry.tab_id;
    let failure = errors.iter().rev().find(|failure| failure.tab_id().is_none() || failure.tab_id() == tab);
    Some(Found { failure: failure.copied(), actions: of_tab(known, tab), later: 0 })
}

/// The actions in the error's tab up to the error.
fn before<'a>(failure: Failure<'a>, known: &[&'a Stored<Action>]) -> Found<'a> {
    let at = failure.time().millis();
    let tab = failure.tab_id().or_else(|| {
        let newest = known.iter().rev().find(|stored| millis(&stored.entry) <= at).or(known.last());
        newest.and_then(|stored| stored.entry.tab_id)
    });
    let all = of_tab(known, tab);
    let mut used = all.iter().take_while(|action| millis(action) <= at).count();
    if all.get(used).is_some_and(|next| began_typing_before(next, at)) {
        used += 1;
    }
    let later = all.len() - used;
    Found { failure: Some(failure), actions: all.into_iter().take(used).collect(), later }
}

/// The actions of a tab. Actions without a tab may belong to any.
pub(super) fn of_tab<'a>(known: &[&'a Stored<Action>], tab: Option<i64>) -> Vec<&'a Action> {
    let actions = known.iter().map(|stored| &stored.entry);
    actions.filter(|action| action.tab_id.is_none() || action.tab_id == tab).collect()
}

fn began_typing_before(action: &Action, at: i64) -> bool {
    let value = action.value.as_deref().unwrap_or_default();
    let keys = if super::address::has_placeholder(value) { TYPED_KEYS } else { value.chars().count() as i64 };
    action.kind == ActionKind::Input && millis(action) - at <= keys.saturating_mul(TYPING_MILLIS)
}

fn write(session: &Session, found: Found<'_>, request: &ScriptRequest<'_>) -> Reproduction {
    let Found { failure, actions, later } = found;
    let opened = failure.as_ref().and_then(|failure| session.store.opened(failure.page_id()?)).map(Timestamp::millis);
    let asked = request.last_n_actions.unwrap_or(actions.len()).min(limits::ACTION_ENTRIES);
    let most = actions.len().min(asked);
    // A value takes at least its own length, so longer scripts need not be tried.
    let mut room = limits::REPRODUCTION_SCRIPT_BYTES;
    let newest = actions.iter().rev().take(most).take_while(|action| {
        room = room.saturating_sub(action.value.as_deref().unwrap_or_default().len().min(VALUE_CHARS));
        room > 0
    });
    let hopeful = newest.count();
    let try_with = |count: usize| {
        let kept = actions.get(actions.len() - count..).unwrap_or_default();
        written(kept, failure.as_ref(), opened, request)
    };
    let fits = |attempt: &Attempt| attempt.written.script.len() < limits::REPRODUCTION_SCRIPT_BYTES;
    let mut count = hopeful;
    let mut attempt = try_with(hopeful);
    if !fits(&attempt) {
        // The newest steps lead to the error, so as many of those as fit are kept.
        let (mut good, mut bad) = (0, hopeful);
        while bad - good > 1 {
            let middle = good + (bad - good) / 2;
            if fits(&try_with(middle)) {
                good = middle;
            } else {
                bad = middle;
            }
        }
        count = good;
        attempt = try_with(count);
    }
    if count < most {
        let kilobytes = limits::REPRODUCTION_SCRIPT_BYTES / 1024;
        let left_out = most - count;
        attempt.warnings.push(format!("{left_out} older actions are left out: the script stays under {kilobytes} KB"));
    }
    let mut warnings = attempt.warnings;
    if later > 0 {
        warnings.push(format!("{later} actions after the error are left out: the script ends at the error"));
    }
    if count == 0 && failure.is_some() {
        warnings.push("No actions were captured before this error: the script only opens its page".to_owned());
    }
    let error = failure.map(|failure| {
        let (file, line) = failure.location().map_or((None, None), |(file, line)| (Some(file), line));
        ErrorContext { message: shorten(&failure.message(), MESSAGE_CHARS), file, line }
    });
    Reproduction {
        script: attempt.written.script,
        actions_used: count,
        error,
        selectors_used: attempt.written.used,
        warnings,
        checks_error: attempt.checks_error,
    }
}

struct Attempt {
    written: Written,
    warnings: Vec<String>,
    checks_error: bool,
}

/// `opened`: when the error's page was opened, if known.
fn written(
    actions: &[&Action],
    failure: Option<&Failure<'_>>,
    opened: Option<i64>,
    request: &ScriptRequest<'_>,
) -> Attempt {
    let page = first_page(actions).or_else(|| failure.and_then(Failure::page));
    let addresses = Addresses::new(request.base_url, page);
    let end = failure.and_then(|failure| Some((failure.page()?, failure.time().millis())));
    let mut made = steps(actions, &addresses, end);
    let start = page.and_then(|page| addresses.read(page));
    let start = start.or_else(|| Addresses::new(None, None).read(request.base_url?));
    match &start {
        Some(start) if start.stripped => {
            let warning = stripped_warning(start);
            if !made.warnings.contains(&warning) {
                made.warnings.insert(0, warning);
            }
        }
        None => made.warnings.insert(0, "No page address was captured: write the one to open yourself".to_owned()),
        _ => {}
    }
    let wanted = failure.filter(|_| request.include_assertions);
    let symptom = wanted.and_then(Symptom::from_failure);
    if wanted.is_some() && symptom.is_none() {
        made.warnings
            .push("Nothing in the error's message stays the same, so the script does not check for it".to_owned());
    }
    let since = actions.last().map(|action| millis(action)).or(opened);
    let delay = failure.zip(since).map_or(0, |(failure, since)| failure.time().millis().saturating_sub(since));
    if symptom.is_some() && delay > MOST_QUIET_MILLIS {
        let (came, waits) = (delay / 1_000, MOST_QUIET_MILLIS / 1_000);
        made.warnings.push(format!(
            "The error came {came} s after the last step, and the check for after the fix waits for {waits} s: give it more time there"
        ));
    }
    let unseen =
        request.format == Format::Cypress && matches!(symptom, Some(Symptom::Request { unanswered: true, .. }));
    if unseen {
        made.warnings.push("Cypress does not see requests that got no answer: the script does not check it".to_owned());
    }
    let about = match failure {
        Some(failure) => one_line(&failure.message(), TITLE_CHARS),
        None => one_line(start.as_ref().map_or("captured actions", |start| start.text.as_str()), TITLE_CHARS),
    };
    let plan = Plan {
        title: format!("reproduction: {about}"),
        start,
        lines: made.lines,
        error: failure.map(|failure| failure.message().into_owned()),
        checks_error: symptom.is_some() && !unseen,
        symptom,
        quiet: quiet_millis(delay),
        include_assertions: request.include_assertions,
    };
    let written = match request.format {
        Format::Playwright => playwright::write(&plan),
        Format::Cypress => cypress::write(&plan),
    };
    Attempt { written, warnings: made.warnings, checks_error: plan.checks_error }
}

/// The script's first comment. It says whether the test passes or fails while the error occurs.
pub(super) fn header(plan: &Plan<'_>) -> String {
    let text = match (&plan.error, plan.checks_error) {
        (Some(_), true) => {
            "// Repeats what led to a captured error. This test PASSES while the error occurs and FAILS once it is fixed;\n\
             // after the fix, invert its last check, as the comment there says.\n"
        }
        (Some(_), false) => {
            "// Repeats what led to a captured error. It does not check for the error, which the last comment names.\n"
        }
        (None, _) => "// Repeats captured actions. No error was captured with them.\n",
    };
    text.to_owned()
}

pub(super) fn error_comment(message: &str) -> String {
    format!("// Error occurred here: {}", comment(message, ERROR_CHARS))
}

pub(super) fn pause(millis: i64) -> String {
    format!("// [{:.1}s pause]", millis as f64 / 1_000.0)
}
