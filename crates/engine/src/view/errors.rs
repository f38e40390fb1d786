//! Failures, as the model reads them.

use serde_json::{Map, Value, json};

use super::logs;
use crate::answer::fit::Texts;
use crate::entry::{Log, Request};
use crate::failures::{ErrorGroup, Failure, request_message};
use crate::session::Session;
use crate::store::Stored;
use crate::store::id::{IdKind, Ids};
use crate::symbolicate::explain;

const BODY_CHARS: usize = 300;
/// So many of the pages that an error happened in are named.
const PAGES: usize = 5;

/// One failure, as a list shows it.
pub fn brief(failure: &Failure<'_>, ids: &Ids, texts: &Texts) -> Map<String, Value> {
    match failure {
        Failure::Log(stored, body) => {
            let mut out = logs::brief(stored, ids, texts);
            if let Some(body) = body {
                out.insert("body_id".to_owned(), json!(ids.format(IdKind::Network, body.cursor)));
                if let Some(text) = body.entry.response_body.as_deref() {
                    out.insert("responseBody".to_owned(), json!(texts.show(text, BODY_CHARS)));
                }
            }
            if let Some(context) = &stored.entry.ai_context {
                let mut context = context.clone();
                // The stack of the developer's files says all that the other one does; the whole entry has both.
                if let Some(mapped) = context.mapped_stack.take() {
                    out.insert("stack".to_owned(), json!(logs::head_of(&mapped, texts)));
                    let place = explain::location(&stored.entry);
                    let place = place.map(|(file, line, column)| format!("{file}:{line}:{column}"));
                    out.extend(place.map(|place| ("at".to_owned(), json!(place))));
                }
                out.insert("_aiContext".to_owned(), json!(context));
            }
            out
        }
        Failure::Request(stored) => brief_request(stored, ids, texts),
    }
}

/// The same failure as often as it happened, as a list shows it.
pub fn brief_group(group: &ErrorGroup<'_>, session: &Session, texts: &Texts) -> Value {
    let mut value = brief(&group.newest, &session.store.ids, texts);
    value.shift_remove("ts");
    value.insert("count".to_owned(), json!(group.count));
    value.insert("first_seen".to_owned(), json!(group.first_seen));
    value.insert("last_seen".to_owned(), json!(group.last_seen));
    if group.pages.len() > 1 {
        let shown: Vec<&str> = group.pages.iter().take(PAGES).copied().collect();
        value.insert("pages".to_owned(), json!(shown));
    }
    if let Some(rule) = session.noise.of(&group.newest) {
        value.insert("noise".to_owned(), json!(rule));
    }
    if let Some((label, _)) = group.since_update(session) {
        value.insert("since_update".to_owned(), json!(label));
    }
    if let Failure::Log(stored, _) = group.newest
        && let Some(why) = why_unmapped(&stored.entry, session)
    {
        value.insert("source_map".to_owned(), json!(why));
    }
    Value::Object(value)
}

/// Why an error's stack does not speak of the developer's files, where that was found out. A script that stands in the
/// page itself is where the browser says it is.
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

fn brief_request(stored: &Stored<Request>, ids: &Ids, texts: &Texts) -> Map<String, Value> {
    let entry = &stored.entry;
    let mut out = Map::new();
    let mut put = |name: &str, value: Value| {
        if !value.is_null() {
            out.insert(name.to_owned(), value);
        }
    };
    put("id", json!(ids.format(IdKind::Network, stored.cursor)));
    put("ts", json!(entry.at));
    put("level", json!("error"));
    put("type", json!("network"));
    put("message", json!(request_message(entry)));
    put("url", json!(entry.page_url));
    put("method", json!(entry.method));
    put("requestUrl", json!(entry.url));
    put("status", json!(entry.status));
    put("duration", json!(entry.duration));
    put(
        "responseBody",
        json!(entry.response_body.as_deref().map(|body| texts.show_cut(
            body,
            BODY_CHARS,
            entry.cut_from(entry.response_size)
        ))),
    );
    put("tabId", json!(entry.tab_id));
    put("test_id", json!(entry.test_id));
    out
}
