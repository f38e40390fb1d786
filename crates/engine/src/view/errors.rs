//! Lists of failures for the model.

use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;
use wire::log::AiContext;
use wire::{Level, Timestamp};

use super::logs::{self, LogBrief};
use crate::answer::fit::Texts;
use crate::entry::{Log, LogKind, Request};
use crate::failures::{ErrorGroup, Failure, SinceUpdate, request_message};
use crate::session::Session;
use crate::store::Stored;
use crate::store::id::{IdKind, Ids};
use crate::symbolicate::explain;

const BODY_CHARS: usize = 300;
/// How many of an error's pages are named.
const PAGES: usize = 5;

/// A failure with its occurrences, as lists show it.
#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ErrorBrief {
    /// The latest occurrence.
    #[serde(flatten)]
    pub newest: LogBrief,
    /// The captured request, for `get_network_bodies`.
    pub body_id: Option<String>,
    /// The response body of the request.
    #[serde(rename = "responseBody")]
    pub response_body: Option<String>,
    /// What is known about the error: a summary, code, components, state.
    #[serde(rename = "_aiContext")]
    pub ai_context: Option<AiContext>,
    /// When it first happened.
    pub first_seen: Timestamp,
    /// When it last happened.
    pub last_seen: Timestamp,
    /// Pages it happened on, if more than one.
    pub pages: Option<Vec<String>>,
    /// Whether it happened before and after the last change of the code.
    pub since_update: Option<SinceUpdate>,
    /// Why the stack is not mapped to the developer's files.
    pub source_map: Option<String>,
}

/// A failure with its occurrences, as a list shows it.
pub fn brief_group(group: &ErrorGroup<'_>, session: &Session, texts: &Texts) -> ErrorBrief {
    let ids = &session.store.ids;
    let mut brief = match group.newest {
        Failure::Log(stored, body) => {
            ErrorBrief { source_map: why_unmapped(&stored.entry, session), ..of_log(stored, body, ids, texts, group) }
        }
        Failure::Request(stored) => of_request(stored, ids, texts, group),
    };
    if group.pages.len() > 1 {
        brief.pages = Some(group.pages.iter().take(PAGES).map(|page| (*page).to_owned()).collect());
    }
    brief.newest.ts = None;
    brief.newest.count = Some(group.count);
    brief.newest.noise = session.noise.rule_for(&group.newest).map(str::to_owned);
    brief.since_update = group.since_update(session).map(|(since, _)| since);
    brief
}

fn plain(newest: LogBrief, group: &ErrorGroup<'_>) -> ErrorBrief {
    ErrorBrief {
        newest,
        body_id: None,
        response_body: None,
        ai_context: None,
        first_seen: group.first_seen,
        last_seen: group.last_seen,
        pages: None,
        since_update: None,
        source_map: None,
    }
}

fn of_log(
    stored: &Stored<Log>,
    body: Option<&Stored<Request>>,
    ids: &Ids,
    texts: &Texts,
    group: &ErrorGroup<'_>,
) -> ErrorBrief {
    let mut brief = plain(logs::brief(stored, ids, texts), group);
    if let Some(body) = body {
        brief.body_id = Some(ids.format(IdKind::Network, body.cursor));
        brief.response_body = body.entry.response_body.as_deref().map(|text| texts.show(text, BODY_CHARS));
    }
    if let Some(mut context) = stored.entry.ai_context.clone() {
        // The mapped stack says all that the other one does; the whole entry has both.
        if let Some(mapped) = context.mapped_stack.take() {
            brief.newest.stack = Some(logs::head_of(&mapped, texts));
            let place = explain::location(&stored.entry);
            let place = place.map(|(file, line, column)| format!("{file}:{line}:{column}"));
            brief.newest.at = place.or(brief.newest.at);
        }
        brief.ai_context = Some(context);
    }
    brief
}

fn of_request(stored: &Stored<Request>, ids: &Ids, texts: &Texts, group: &ErrorGroup<'_>) -> ErrorBrief {
    let entry = &stored.entry;
    let newest = LogBrief {
        id: ids.format(IdKind::Network, stored.cursor),
        ts: None,
        level: Level::Error,
        kind: LogKind::Network,
        message: request_message(entry),
        args: None,
        url: entry.page_url.clone(),
        at: None,
        stack: None,
        method: Some(entry.method.clone()),
        request_url: Some(entry.url.clone()),
        status: entry.status,
        duration: entry.duration,
        count: None,
        screenshot: None,
        tab_id: entry.tab_id,
        test_id: entry.test_id.clone(),
        noise: None,
    };
    let body = entry.response_body.as_deref();
    let response_body = body.map(|body| texts.show_cut(body, BODY_CHARS, entry.cut_from(entry.response_size)));
    ErrorBrief { response_body, ..plain(newest, group) }
}

/// Why an error's stack is not mapped, if that was found out. A script inside the page needs no mapping.
fn why_unmapped(entry: &Log, session: &Session) -> Option<String> {
    if entry.ai_context.as_ref().is_some_and(|context| context.mapped_stack.is_some()) {
        return None;
    }
    let url = *explain::scripts_of(entry).first()?;
    if entry.url.as_deref().is_some_and(|page| page.split('#').next() == url.split('#').next()) {
        return None;
    }
    let why = session.source_maps().why_missing(url, entry.page_id.as_deref())?;
    let file = url.rsplit('/').next().filter(|file| !file.is_empty()).unwrap_or(url);
    Some(format!("none for {file}: {why}"))
}
