//! What went wrong.

use engine::Kind;
use engine::view::errors::{error_groups, failures};
use engine::view::fit::{fit, fit_value};
use engine::view::id::{IdKind, Lookup};
use engine::view::logs;
use serde_json::{Map, Value, json};
use wire::{Level, limits};

use super::answer::{Answer, ToolError};
use super::list::list_params;
use super::{Context, Effect, Tool, hint};

pub(super) struct GetBrowserErrors;

list_params! {
    Params {
        /// How many groups to return (20).
        limit: Option<u32>,
    }
}

impl Tool for GetBrowserErrors {
    const NAME: &'static str = "get_browser_errors";
    const TITLE: &'static str = "Browser errors";
    const DESCRIPTION: &'static str = "What went wrong in the browser: exceptions, rejections, console.error and failed \
        requests, the same error grouped with its count. Use it first when something does not work.";
    const EFFECT: Effect = Effect::Reads;
    const READS: &'static [Kind] = &[Kind::Logs, Kind::NetworkBodies];
    type Params = Params;

    async fn call(context: &Context, params: Params) -> Result<Answer, ToolError> {
        if let Some(id) = &params.id {
            return one(context, id, params.common().bytes());
        }
        let common = params.common();
        let filter = common.filter(context, Self::NAME)?;
        let budget = common.budget(params.limit, limits::ERROR_LIST_DEFAULT)?;
        let app = &context.app;
        let (mut answer, empty, known) = {
            let store = app.store();
            let groups: Vec<_> = error_groups(&store, &filter).into_iter().map(|group| (Level::Error, group)).collect();
            let answer = fit("errors", &groups, |group| group.brief(&app.ids), budget);
            (answer, groups.is_empty(), store.logs.len() + store.network.len())
        };
        if empty {
            let all_errors = failures(&app.store(), &Default::default()).len();
            let text = match (filter.is_set() && all_errors > 0, known) {
                (true, _) => format!("the filter matched none of {all_errors} errors; widen it or leave it out"),
                (false, 0) => hint::for_empty(context, Self::READS, 0, false),
                (false, known) => format!("no errors among {known} captured entries"),
            };
            answer.insert("hint".to_owned(), json!(text));
        }
        Ok(answer.into())
    }
}

/// One error in full: the log entry, or the failed request.
pub(super) fn one(context: &Context, id: &str, most_bytes: usize) -> Result<Answer, ToolError> {
    let app = &context.app;
    let store = app.store();
    let found = match app.ids.read(id) {
        Lookup::Entry(IdKind::Log, cursor) => store.logs.find(cursor).map(|stored| logs::full(stored, &app.ids)),
        Lookup::Entry(IdKind::Network, cursor) => store.network.find(cursor).map(|stored| {
            let mut out = Map::new();
            out.insert("id".to_owned(), json!(id));
            if let Ok(Value::Object(fields)) = serde_json::to_value(&stored.entry) {
                out.extend(fields);
            }
            out
        }),
        Lookup::EarlierRun => {
            let message = format!("{id} is from before the server was restarted");
            return Err(ToolError::not_found(message, "list the entries again and use an id from that answer"));
        }
        Lookup::Entry(..) | Lookup::Foreign => logs::by_page_id(&store, id).map(|stored| logs::full(stored, &app.ids)),
    };
    let entry = found.ok_or_else(|| {
        ToolError::not_found(format!("no entry has the id {id}"), "it may have left the buffer; list the entries again")
    })?;
    drop(store);
    let mut entry = Value::Object(entry);
    let cut = fit_value(&mut entry, most_bytes);
    let mut answer = Map::new();
    answer.insert("entry".to_owned(), entry);
    if cut > 0 {
        answer.insert("cut".to_owned(), json!(format!("{cut} bytes, to keep the answer small")));
    }
    Ok(answer.into())
}
