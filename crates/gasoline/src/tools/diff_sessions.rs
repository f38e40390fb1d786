//! Named snapshots of the session, and the differences between two of them.

use engine::Kind;
use engine::text::{counted, shorten};
use engine::verify::{
    Caller, Differences, LIVE, SnapshotBrief, SnapshotRefusal, SnapshotSummary, Snapshots, Summary, Window,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use wire::limits;

use super::answer::ToolError;
use super::caller::{Asking, Hinted, one_line};
use super::{Context, Effect, Outcome, Tool, hint};
use crate::clock;

pub(super) struct DiffSessions;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Action {
    Capture,
    Compare,
    List,
    Delete,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// Action.
    action: Action,
    /// To capture or delete.
    name: Option<String>,
    /// Snapshot before.
    compare_a: Option<String>,
    /// Snapshot after (current).
    compare_b: Option<String>,
    /// Part of a URL.
    #[serde(alias = "url")]
    url_filter: Option<String>,
    /// Delete another client's snapshot.
    force: Option<bool>,
}

#[skip_serializing_none]
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Done {
    /// With `capture`.
    Captured {
        /// Always `captured`.
        action: &'static str,
        /// Name of the snapshot.
        name: String,
        /// What the snapshot holds.
        snapshot: Box<SnapshotSummary>,
        /// Whether it replaced a snapshot of the same name.
        replaced: Option<bool>,
        /// The snapshot that was evicted to make room.
        evicted: Option<String>,
    },
    /// With `compare`.
    Compared {
        /// Always `compared`.
        action: &'static str,
        /// The first snapshot.
        a: String,
        /// The second snapshot.
        b: String,
        /// The times that both cover.
        window: Windows,
        /// What differs.
        diff: Box<Differences>,
        /// The differences as a verdict and four counts.
        summary: Summary,
        /// Why an issue listed as resolved may still exist.
        warnings: Option<Vec<String>>,
    },
    /// With `list`.
    Listed {
        /// Always `listed`.
        action: &'static str,
        /// All snapshots.
        snapshots: Vec<SnapshotBrief>,
        /// How many snapshots are stored.
        total: usize,
        /// How many are listed.
        returned: usize,
    },
    /// With `delete`.
    Deleted {
        /// Always `deleted`.
        action: &'static str,
        /// Name of the snapshot.
        name: String,
    },
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct Windows {
    /// The time that the first covers.
    a: Window,
    /// The time that the second covers.
    b: Window,
}

impl Tool for DiffSessions {
    const NAME: &'static str = "diff_sessions";
    const TITLE: &'static str = "Compare sessions";
    const DESCRIPTION: &'static str = "Compares named snapshots of errors, requests and load times; each covers the \
        time since the previous one. Capture one before a change, compare after it.";
    /// `delete` removes a snapshot, not captured data.
    const EFFECT: Effect = Effect::Adds;
    const READS: &'static [Kind] = &[Kind::Logs, Kind::NetworkBodies, Kind::Performance];
    type Params = Params;
    type Answer = Hinted<Done>;

    async fn call(context: &Context, params: Params) -> Outcome<Hinted<Done>> {
        let asking = Asking::new(context);
        let caller = asking.caller();
        let now = clock::now();
        let app = &context.app;
        let given = |text: Option<String>| text.filter(|text| !text.is_empty()).map(|text| app.redactor.text(&text));
        let named = |text: Option<String>| given(text).map(|text| one_line(&text)).filter(|text| !text.is_empty());
        let (name, url) = (named(params.name), given(params.url_filter));
        let (a, b) = (named(params.compare_a), named(params.compare_b));
        let session = app.session();
        let mut comparisons = app.comparisons();
        let snapshots = &mut comparisons.snapshots;
        snapshots.forget(now);
        let (mut why_empty, mut not_exercised, mut empty_list) = (None, None, None);
        let done = match params.action {
            Action::Capture => {
                let name = name.ok_or_else(|| refused(SnapshotRefusal::NoName, snapshots, &caller))?;
                let captured = snapshots.capture(&session, &name, url.clone(), &caller, now);
                let (summary, stored) = captured.map_err(|refusal| refused(refusal, snapshots, &caller))?;
                if summary.console_errors == 0 && summary.network_requests == 0 {
                    why_empty = Some((session.store.logs.len() + session.store.network.len(), url.is_some()));
                }
                Done::Captured {
                    action: "captured",
                    name,
                    snapshot: Box::new(summary),
                    replaced: stored.replaced.then_some(true),
                    evicted: stored.evicted,
                }
            }
            Action::Compare => {
                let a = a.ok_or_else(|| {
                    let hint = format!("{}; compare_b defaults to {LIVE}", known(snapshots, &caller));
                    ToolError::invalid_params("`compare_a` is missing: expected the name of a snapshot", hint)
                })?;
                let b = b.unwrap_or_else(|| LIVE.to_owned());
                let diff = snapshots.compare(&session, &a, &b, url.as_deref(), now);
                let diff = diff.map_err(|refusal| refused(refusal, snapshots, &caller))?;
                if diff.is_live_empty {
                    why_empty = Some((session.store.logs.len() + session.store.network.len(), url.is_some()));
                }
                if let count @ 1.. = diff.not_exercised {
                    not_exercised = Some(format!(
                        "\"{b}\" did not exercise {} of \"{a}\": do what `repeat` says, then compare again",
                        counted(count, "issue")
                    ));
                }
                let [window_a, window_b] = diff.windows;
                Done::Compared {
                    action: "compared",
                    a,
                    b,
                    window: Windows { a: window_a, b: window_b },
                    diff: Box::new(diff.answer()),
                    summary: diff.summary,
                    warnings: Some(diff.warnings).filter(|warnings| !warnings.is_empty()),
                }
            }
            Action::List => {
                let listed: Vec<_> = snapshots.list().iter().map(|kept| kept.brief(&caller)).collect();
                if listed.is_empty() {
                    empty_list = Some(known(snapshots, &caller));
                }
                let count = listed.len();
                Done::Listed { action: "listed", snapshots: listed, total: count, returned: count }
            }
            Action::Delete => {
                let name = name.ok_or_else(|| refused(SnapshotRefusal::NoName, snapshots, &caller))?;
                let deleted = snapshots.delete(&name, &caller, params.force == Some(true), now);
                deleted.map_err(|refusal| match refusal {
                    SnapshotRefusal::NotYours(owner) => ToolError::invalid_params(
                        not_yours(&owner),
                        format!("leave it, ask {owner} to delete it, or delete it with `force: true`"),
                    ),
                    other => refused(other, snapshots, &caller),
                })?;
                Done::Deleted { action: "deleted", name }
            }
        };
        drop((comparisons, session));
        let hint = match (why_empty, not_exercised) {
            (Some((0, _)), _) => Some(hint::for_empty(context, Self::READS, 0, false)),
            (_, Some(why)) => Some(why),
            (Some((captured, true)), None) => Some(format!(
                "the filter matched no request and no error among {captured} captured entries; widen it or leave it out"
            )),
            (Some(_), None) => {
                Some("no request and no error since then: repeat the scenario, then compare again".to_owned())
            }
            (None, None) => empty_list,
        };
        Ok(Hinted { done, hint }.into())
    }
}

/// The stored snapshots on one line.
fn known(snapshots: &Snapshots, caller: &Caller<'_>) -> String {
    let names: Vec<String> =
        snapshots.list().iter().map(|kept| format!("{} (made by {})", kept.name, caller.calls(&kept.owner))).collect();
    if names.is_empty() {
        "no snapshot is stored: action capture stores one".to_owned()
    } else {
        format!("stored: {}", names.join(", "))
    }
}

fn refused(refusal: SnapshotRefusal, snapshots: &Snapshots, caller: &Caller<'_>) -> ToolError {
    match refusal {
        SnapshotRefusal::NoName => ToolError::invalid_params("`name` is missing", known(snapshots, caller)),
        SnapshotRefusal::NameTooLong => ToolError::invalid_params(
            format!("the name has more than {} characters", limits::SAVED_SNAPSHOT_NAME_CHARS),
            "use a few words",
        ),
        SnapshotRefusal::FilterTooLong => ToolError::invalid_params(
            format!("`url_filter` has more than {} characters", limits::VERIFY_FILTER_CHARS),
            "use a part of the URL",
        ),
        SnapshotRefusal::Reserved => ToolError::invalid_params(
            format!("\"{LIVE}\" is the name of the live state: a snapshot cannot have it"),
            "choose another name",
        ),
        SnapshotRefusal::Unknown(name) => ToolError::not_found(
            format!(
                "there is no snapshot \"{}\"; they are kept for {} hours, the {} last used",
                shorten(&name, limits::SAVED_SNAPSHOT_NAME_CHARS),
                limits::SAVED_SNAPSHOT_SECONDS / 3_600,
                limits::SAVED_SNAPSHOTS
            ),
            known(snapshots, caller),
        ),
        SnapshotRefusal::NotYours(owner) => {
            ToolError::invalid_params(not_yours(&owner), "choose another name, or delete it first with `force: true`")
        }
    }
}

fn not_yours(owner: &str) -> String {
    format!("that snapshot belongs to {owner}, who is still connected: others may only read it")
}
