//! Whether a change fixed the bug: compares the sessions before and after it.

use engine::Kind;
use engine::text::{counted, shorten};
use engine::verify::{
    Baseline, Caller, Compared, Comparison, Coverage, Refusal, SessionBrief, Stage, Start, Trust, Verification,
    Verifications,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use wire::{Timestamp, limits};

use super::answer::{Answer, ToolError};
use super::caller::{Asking, Hinted, one_line};
use super::{Context, Effect, Outcome, Tool, hint};
use crate::clock;

pub(super) struct VerifyFix;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Action {
    Start,
    Watch,
    Compare,
    Status,
    Cancel,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// Action.
    action: Action,
    /// Session id returned by start.
    session_id: Option<String>,
    /// Name of the fix.
    label: Option<String>,
    /// Part of a URL.
    #[serde(alias = "url")]
    url_filter: Option<String>,
    /// Watch or cancel another client's session.
    force: Option<bool>,
}

#[skip_serializing_none]
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Done {
    /// With `start`.
    Started {
        /// Pass it to the other actions.
        session_id: String,
        /// The session's stage.
        status: Stage,
        /// Name of the fix.
        label: Option<String>,
        /// The errors and failed requests so far.
        baseline: Box<Baseline>,
        /// When the session expires.
        expires_at: Timestamp,
    },
    /// With `watch`.
    Watching {
        /// The session.
        session_id: String,
        /// The session's stage.
        status: Stage,
        /// What to do next.
        message: &'static str,
        /// When the session expires.
        expires_at: Timestamp,
    },
    /// With `compare`.
    Compared {
        /// The session.
        session_id: String,
        /// Always `compared`.
        status: &'static str,
        /// Name of the fix.
        label: Option<String>,
        /// The verdict and its evidence.
        result: Box<Compared>,
    },
    /// With `status` and a session.
    Session {
        #[serde(flatten)]
        session: Box<SessionBrief>,
        /// The errors and failed requests when the session started.
        baseline: Box<Baseline>,
    },
    /// With `status` alone.
    Sessions {
        /// All open sessions.
        sessions: Vec<SessionBrief>,
        /// How many sessions are open.
        total: usize,
        /// How many are listed.
        returned: usize,
    },
    /// With `cancel`.
    Cancelled {
        /// The session.
        session_id: String,
        /// Always `cancelled`.
        status: &'static str,
    },
}

impl Done {
    fn with(self, hint: Option<String>) -> Answer<Hinted<Done>> {
        Hinted { done: self, hint }.into()
    }
}

impl Tool for VerifyFix {
    const NAME: &'static str = "verify_fix";
    const TITLE: &'static str = "Verify fix";
    const DESCRIPTION: &'static str =
        "Verifies a fix: start while the bug shows, change the code, watch, have the same steps repeated, compare.";
    /// `cancel` removes a verification, not captured data.
    const EFFECT: Effect = Effect::Adds;
    const READS: &'static [Kind] = &[Kind::Logs, Kind::NetworkBodies];
    type Params = Params;
    type Answer = Hinted<Done>;

    async fn call(context: &Context, params: Params) -> Outcome<Hinted<Done>> {
        let asking = Asking::new(context);
        let caller = asking.caller();
        let now = clock::now();
        let app = &context.app;
        let url = params.url_filter.filter(|url| !url.is_empty());
        let session = app.session();
        let mut comparisons = app.comparisons();
        let verifications = &mut comparisons.verifications;
        verifications.forget(now);
        let id = match (params.action, params.session_id) {
            (Action::Start, _) => {
                let label = params.label.map(|label| one_line(&app.redactor.text(&label)));
                let label = label.filter(|label| !label.is_empty());
                let url = url.map(|url| app.redactor.text(&url));
                let captured = session.store.logs.len() + session.store.network.len();
                let wanted = Start { label, url, sees_actions: sees_actions(context) };
                let started = verifications.start(&session, wanted, &caller, now).map(started);
                let (done, is_empty) = started.map_err(|refusal| refused(refusal, "", verifications, &caller))?;
                drop((comparisons, session));
                return Ok(done.with(is_empty.then(|| nothing_wrong(context, captured))));
            }
            (Action::Status, None) => return Ok(all(verifications, &caller)),
            (_, None) => {
                let message = "`session_id` is missing: expected the id that start returned";
                return Err(ToolError::invalid_params(message, open(verifications, &caller)));
            }
            (_, Some(id)) => id,
        };
        let done = match params.action {
            Action::Start | Action::Status => verifications.find(&session, &id, now).map(|verification| {
                let session = Box::new(verification.brief(&caller));
                Done::Session { session, baseline: Box::new(verification.baseline.baseline()) }
            }),
            Action::Watch => verifications.watch(&session, &id, &caller, params.force == Some(true), now).map(watching),
            Action::Cancel => verifications
                .cancel(&session, &id, &caller, params.force == Some(true), now)
                .map(|verification| Done::Cancelled { session_id: verification.id.clone(), status: "cancelled" }),
            Action::Compare => match verifications.compare(&session, &id, url.as_deref(), now) {
                Err(refusal) => Err(refusal),
                Ok((comparison, coverage)) => {
                    let verification = verifications.find(&session, &id, now).ok();
                    let (label, own) = verification.map(|one| (one.label.clone(), one.url.clone())).unwrap_or_default();
                    drop((comparisons, session));
                    // A filter given with this call is the first to suggest leaving out.
                    let own = own.filter(|_| url.is_none());
                    let (result, hint) = compared(context, own.as_deref(), &comparison, coverage);
                    let result = Box::new(result);
                    return Ok(Done::Compared { session_id: id, status: "compared", label, result }.with(hint));
                }
            },
        };
        let done = done.map_err(|refusal| refused(refusal, &id, verifications, &caller))?;
        Ok(done.with(None))
    }
}

/// The answer for a new session, and whether its baseline has no failure.
fn started(verification: &Verification) -> (Done, bool) {
    let done = Done::Started {
        session_id: verification.id.clone(),
        status: verification.stage,
        label: verification.label.clone(),
        baseline: Box::new(verification.baseline.baseline()),
        expires_at: verification.expires(),
    };
    (done, verification.baseline.failures() == (0, 0))
}

/// Whether user actions are captured. Assumed if no browser is connected to report it.
fn sees_actions(context: &Context) -> bool {
    let browser = context.app.extension.report();
    !browser.connected || hint::switched_off(Kind::EnhancedActions, &browser.settings).is_none()
}

fn nothing_wrong(context: &Context, captured: usize) -> String {
    let why = match captured {
        0 => hint::for_empty(context, VerifyFix::READS, 0, false),
        _ => format!(
            "none of the {captured} captured entries is a matching error, apart from those that your sessions proved fixed"
        ),
    };
    format!("{why}; this session can only find new errors: to verify a fix, reproduce the bug and start again")
}

fn watching(verification: &Verification) -> Done {
    Done::Watching {
        session_id: verification.id.clone(),
        status: verification.stage,
        message: "Monitoring started. Ask the user to reproduce the scenario.",
        expires_at: verification.expires(),
    }
}

/// `own`: the filter that the session was started with, if it is the only one.
fn compared(
    context: &Context,
    own: Option<&str>,
    comparison: &Comparison,
    mut coverage: Coverage,
) -> (Compared, Option<String>) {
    let browser = context.app.extension.report();
    if browser.connected {
        coverage.warnings.extend(hint::switched_off(Kind::Logs, &browser.settings));
        if comparison.changes.iter().chain(&comparison.not_exercised).next().is_some() {
            coverage.warnings.extend(hint::switched_off(Kind::EnhancedActions, &browser.settings));
        }
    }
    let trust = coverage.trust();
    let scenario = match repeats(comparison) {
        steps if steps.is_empty() => "the scenario".to_owned(),
        steps => format!("the scenario ({steps})"),
    };
    let hint = match (trust, coverage.captured) {
        (Trust::None, 0) if coverage.lost_errors => {
            Some(format!("call watch again, have {scenario} repeated, then compare"))
        }
        (Trust::None, 0) if !browser.connected => Some(format!(
            "no browser is connected: ask the user to open the page with the Gasoline extension and repeat {scenario}, then compare again"
        )),
        (Trust::None, 0) => Some(format!(
            "ask the user to repeat {scenario}, or use a tool that sends real clicks and keys (events that scripts dispatch are not captured), then compare again"
        )),
        (Trust::None, captured) => Some(match own {
            Some(own) => format!(
                "the filter matched none of {captured} entries; the session covers only \"{own}\": have {scenario} repeated there, or start again with a wider url_filter"
            ),
            None => {
                format!("the filter matched none of {captured} entries; widen it or leave it out, then compare again")
            }
        }),
        _ => match comparison.not_exercised.len() {
            0 => None,
            count if coverage.lost_errors => Some(format!(
                "nothing is known about {} of the baseline because entries are missing: call watch again, have {scenario} repeated, then compare",
                counted(count, "issue")
            )),
            _ if let Some(seconds) = wait_seconds(comparison) => Some(format!(
                "everything was repeated, but errors may still follow: wait {seconds} s, then compare again"
            )),
            _ if comparison.not_exercised.iter().all(|change| change.is_unprovable) => Some(repeats(comparison)),
            count => Some(format!(
                "nothing has exercised {} of the baseline since watch: repeat {scenario}, then compare again",
                counted(count, "issue")
            )),
        },
    };
    if trust == Trust::None {
        let why = match coverage.captured {
            0 if coverage.lost_errors => "every entry captured after watch has been evicted".to_owned(),
            0 => "nothing was captured after watch, so nothing was exercised".to_owned(),
            captured => format!("url_filter matched none of the {captured} entries captured after watch"),
        };
        coverage.warnings.insert(0, format!("{why}: the absence of errors proves nothing"));
    }
    (comparison.answer(trust, coverage.warnings), hint)
}

/// How long to wait, if waiting is all that is missing.
fn wait_seconds(comparison: &Comparison) -> Option<i64> {
    comparison.not_exercised.iter().map(|change| change.wait_seconds).collect::<Option<Vec<_>>>()?.into_iter().max()
}

/// The first few steps to repeat, from what was not exercised.
fn repeats(comparison: &Comparison) -> String {
    const SHOWN: usize = 3;
    let mut steps: Vec<&str> = Vec::new();
    // Steps that nobody can repeat are listed only if there are no others.
    let all = &comparison.not_exercised;
    let has_steps = all.iter().any(|change| !change.is_unprovable);
    let shown = all.iter().filter(|change| !(has_steps && change.is_unprovable));
    for step in shown.filter_map(|change| change.repeat.as_deref()) {
        if !steps.contains(&step) {
            steps.push(step);
        }
    }
    let more = steps.len().saturating_sub(SHOWN);
    let shown = steps.iter().take(SHOWN).copied().collect::<Vec<_>>().join("; ");
    if more > 0 { format!("{shown}; {more} more in not_exercised") } else { shown }
}

/// Every open verification, for clients that lost an id.
fn all(verifications: &Verifications, caller: &Caller<'_>) -> Answer<Hinted<Done>> {
    let sessions: Vec<_> = verifications.iter().map(|verification| verification.brief(caller)).collect();
    let hint = sessions.is_empty().then(|| "no session is open: action start opens one".to_owned());
    let count = sessions.len();
    Done::Sessions { sessions, total: count, returned: count }.with(hint)
}

/// The open sessions on one line, for errors.
fn open(verifications: &Verifications, caller: &Caller<'_>) -> String {
    let brief = |verification: &Verification| {
        let label = verification.label.as_ref().map(|label| format!("\"{label}\", ")).unwrap_or_default();
        let maker = caller.calls(&verification.owner);
        format!(
            "{} ({label}{}, made by {maker}, until {})",
            verification.id,
            verification.stage.name(),
            verification.expires()
        )
    };
    let open: Vec<String> = verifications.iter().map(brief).collect();
    if open.is_empty() {
        "no session is open: action start opens one".to_owned()
    } else {
        format!("open: {}", open.join(", "))
    }
}

fn refused(refusal: Refusal, id: &str, verifications: &Verifications, caller: &Caller<'_>) -> ToolError {
    let id = shorten(id, limits::ENTRY_ID_CHARS);
    let open = || open(verifications, caller);
    match refusal {
        Refusal::Full => ToolError::rate_limited(
            format!("there are already {} sessions, which is the maximum; {}", limits::VERIFY_SESSIONS, open()),
            "use one of them, or cancel one; `force: true` cancels another client's",
        ),
        Refusal::LabelTooLong => ToolError::invalid_params(
            format!("`label` has more than {} characters", limits::VERIFY_LABEL_CHARS),
            "use a few words",
        ),
        Refusal::FilterTooLong => ToolError::invalid_params(
            format!("`url_filter` has more than {} characters", limits::VERIFY_FILTER_CHARS),
            "use a part of the URL",
        ),
        Refusal::Ended => ToolError::not_found(
            format!(
                "{id} has ended: it was cancelled, or its {} minutes have passed",
                limits::VERIFY_SESSION_SECONDS / 60
            ),
            open(),
        ),
        Refusal::EarlierRun => ToolError::not_found(
            format!("{id} is from before the server restarted: sessions are kept in memory only"),
            open(),
        ),
        Refusal::Unknown => ToolError::not_found(format!("there is no session {id}"), open()),
        Refusal::NotWatching => ToolError::invalid_params(
            format!("{id} is not watching yet: nothing was captured after the change"),
            "change the code, call watch, have the scenario repeated, then compare",
        ),
        Refusal::NotYours(owner) => ToolError::invalid_params(
            format!("{id} belongs to {owner}, who is still connected: others may read and compare it"),
            format!("to take it over, pass `force: true`; otherwise leave it to {owner}, or start your own session"),
        ),
    }
}
