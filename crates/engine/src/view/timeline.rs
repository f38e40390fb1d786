//! The session in order, and what each action caused.

use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;
use wire::{Level, Timestamp};

use crate::answer::fit::{Budget, Extent, Fitted, fit};
use crate::entry::ActionKind;
use crate::moments::{Include, Moment, MomentKind, What, is_failed, moments};
use crate::session::Session;
use crate::store::Filter;
use crate::store::id::Ids;

/// An event this long after an action, with no other action in between, is taken as caused by it.
const CAUSED_WITHIN_MILLIS: i64 = 2_000;
/// How many events before an action are examined for another one that may be the cause.
const LOOKED_BACK: usize = 20;

/// What happened, oldest first.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Timeline {
    /// Oldest first.
    pub timeline: Vec<Fitted<TimelineEntry>>,
    /// How much of it is shown.
    #[serde(flatten)]
    pub extent: Extent,
    /// How much happened, shown or not.
    pub summary: Summary,
}

/// Something that happened.
#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TimelineEntry {
    /// When.
    pub ts: Timestamp,
    /// Its kind.
    #[serde(rename = "type")]
    pub kind: MomentKind,
    /// Pass it as `id` to get the whole entry.
    pub id: Option<String>,
    /// In one line.
    pub text: String,
    /// Id of the action in whose event handler the page sent this request.
    pub caused_by: Option<String>,
    /// Id of the last action before it, within two seconds.
    pub likely_caused_by: Option<String>,
    /// What the action caused.
    pub triggered: Option<Triggered>,
}

/// Counts of what an action caused.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct Triggered {
    /// Requests sent by its event handler.
    pub requests: Option<usize>,
    /// Those of them that failed.
    pub failed: Option<usize>,
    /// Errors that followed before the next action.
    pub errors: Option<usize>,
}

/// How much happened.
#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct Summary {
    /// User actions.
    pub actions: usize,
    /// Requests.
    pub requests: usize,
    /// Requests that failed.
    pub failed_requests: usize,
    /// Errors.
    pub errors: usize,
    /// Console lines.
    pub console: usize,
    /// Socket events.
    pub websocket: usize,
    /// New code in pages.
    pub code_updates: usize,
    /// When the first of them happened.
    pub from: Option<Timestamp>,
    /// When the last of them happened.
    pub to: Option<Timestamp>,
    /// Milliseconds in between.
    pub duration_ms: Option<i64>,
}

/// The timeline, oldest first. `last_actions` limits it to the last actions and what followed the first of these.
pub fn timeline(
    session: &Session,
    filter: &Filter,
    include: Include,
    last_actions: Option<usize>,
    budget: Budget,
) -> Timeline {
    // Causes are searched for whether or not actions are shown.
    let everything = moments(session, filter, Include { actions: true, ..include });
    let first = last_actions.and_then(|wanted| {
        let actions: Vec<usize> =
            everything.iter().enumerate().filter(|(_, moment)| is_action(moment)).map(|(index, _)| index).collect();
        actions.get(actions.len().checked_sub(wanted)?).copied()
    });
    let everything = everything.get(first.unwrap_or(0)..).unwrap_or_default();
    // Newest first, because only shown entries are computed.
    let shown: Vec<(Level, (usize, &Moment<'_>))> = everything
        .iter()
        .enumerate()
        .rev()
        .filter(|(_, moment)| include.actions || !is_action(moment))
        .map(|(index, moment)| (moment.severity(), (index, moment)))
        .collect();
    let mut list = fit(&shown, |(index, moment), _| entry(everything, *index, moment, &session.store.ids), budget);
    list.entries.reverse();
    Timeline { timeline: list.entries, extent: list.extent, summary: summary(everything) }
}

fn entry(everything: &[Moment<'_>], index: usize, moment: &Moment<'_>, ids: &Ids) -> TimelineEntry {
    let cause = cause_of(moment, everything.get(..index).unwrap_or_default());
    let action = |certain: bool| cause.filter(|cause| cause.certain == certain).and_then(|cause| cause.action.id(ids));
    TimelineEntry {
        ts: moment.at,
        kind: moment.kind(),
        id: moment.id(ids),
        text: moment.text(),
        caused_by: action(true),
        likely_caused_by: action(false),
        triggered: triggered(everything, index, moment),
    }
}

fn is_action(moment: &Moment<'_>) -> bool {
    matches!(moment.what, What::Action(_))
}

/// The action that caused an event.
#[derive(Clone, Copy)]
pub struct Cause<'a> {
    /// The action.
    pub action: Moment<'a>,
    /// Whether the page saw the action's event handler send the request.
    pub certain: bool,
}

/// Searches backwards for the user action that caused an event. `before` is what happened earlier, oldest first.
pub fn cause_of<'a>(moment: &Moment<'a>, before: &[Moment<'a>]) -> Option<Cause<'a>> {
    if matches!(moment.what, What::Action(_) | What::Update(_)) {
        return None;
    }
    // What runs in a frame of another page, such as an advertisement, did not result from a user action there.
    let is_same_page = |action: &Moment<'_>| match (action.page_id(), moment.page_id()) {
        (Some(one), Some(other)) => one == other,
        _ => true,
    };
    let mut actions = before
        .iter()
        .rev()
        .take_while(|earlier| is_near(earlier, moment, CAUSED_WITHIN_MILLIS))
        .filter(|earlier| is_action(earlier) && earlier.tab_id() == moment.tab_id() && is_same_page(earlier));
    if let What::Request(stored) = moment.what
        && let Some(trigger) = stored.entry.trigger.as_deref()
    {
        // Typing is reported when it ends, so an `input` may follow what it triggered.
        if let Some(action) = actions.clone().find(|action| kind_of(action) == Some(&event_kind(trigger))) {
            return Some(Cause { action: *action, certain: true });
        }
    }
    let latest = actions.find(|action| kind_of(action) != Some(&ActionKind::Scroll))?;
    Some(Cause { action: *latest, certain: false })
}

fn is_near(earlier: &Moment<'_>, later: &Moment<'_>, millis: i64) -> bool {
    later.at.millis() - earlier.at.millis() <= millis
}

fn kind_of<'a>(moment: &Moment<'a>) -> Option<&'a ActionKind> {
    match moment.what {
        What::Action(stored) => Some(&stored.entry.kind),
        _ => None,
    }
}

/// The kind of action that a browser event is captured as.
fn event_kind(event: &str) -> ActionKind {
    match event {
        "keydown" | "keyup" => ActionKind::Keypress,
        "change" => ActionKind::Select,
        "popstate" | "hashchange" => ActionKind::Navigate,
        "mousedown" | "mouseup" | "pointerdown" | "pointerup" | "dblclick" => ActionKind::Click,
        other => ActionKind::named(other),
    }
}

/// What an action caused: requests sent by its event handler, and errors that followed before the next action.
fn triggered(everything: &[Moment<'_>], index: usize, moment: &Moment<'_>) -> Option<Triggered> {
    if !is_action(moment) || kind_of(moment) == Some(&ActionKind::Scroll) {
        return None;
    }
    let (mut requests, mut failed, mut errors) = (0, 0, 0);
    let after = everything.iter().enumerate().skip(index + 1);
    for (place, later) in after.take_while(|(_, later)| is_near(moment, later, CAUSED_WITHIN_MILLIS)) {
        if !matches!(later.kind(), MomentKind::Network | MomentKind::Error) {
            continue;
        }
        // Uses the same range as the caused entry does when it searches for its cause.
        let earlier = everything.get(index.saturating_sub(LOOKED_BACK)..place).unwrap_or_default();
        let Some(cause) = cause_of(later, earlier).filter(|cause| cause.action.is_same(moment)) else { continue };
        if later.kind() == MomentKind::Error {
            errors += 1;
        } else if cause.certain {
            requests += 1;
            failed += usize::from(later.severity() >= Level::Warn);
        }
    }
    let counted = |count: usize| Some(count).filter(|count| *count > 0);
    let triggered = Triggered { requests: counted(requests), failed: counted(failed), errors: counted(errors) };
    (triggered != Triggered::default()).then_some(triggered)
}

fn summary(all: &[Moment<'_>]) -> Summary {
    let count = |fits: &dyn Fn(&Moment<'_>) -> bool| all.iter().filter(|moment| fits(moment)).count();
    let (from, to) = (all.first().map(|moment| moment.at), all.last().map(|moment| moment.at));
    Summary {
        actions: count(&is_action),
        requests: count(&|moment| moment.kind() == MomentKind::Network),
        failed_requests: count(&|moment| match moment.what {
            What::Request(stored) => is_failed(&stored.entry),
            What::Console(_) => moment.kind() == MomentKind::Network,
            _ => false,
        }),
        errors: count(&|moment| moment.kind() == MomentKind::Error),
        console: count(&|moment| moment.kind() == MomentKind::Console),
        websocket: count(&|moment| moment.kind() == MomentKind::WebSocket),
        code_updates: count(&|moment| moment.kind() == MomentKind::CodeUpdate),
        from,
        to,
        duration_ms: from.zip(to).map(|(from, to)| to.millis() - from.millis()),
    }
}
