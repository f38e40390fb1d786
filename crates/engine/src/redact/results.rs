//! Which fields to redact in data that is not a captured entry: test records and results of queries.

use wire::Json;
use wire::limits;
use wire::query::{QueryAction, QueryError, QueryResult};
use wire::test_run::TestRecord;

use super::{Redact, Scrubber};

impl Redact for TestRecord {
    fn scrub(&mut self, scrubber: &mut Scrubber<'_>) {
        let Self {
            test_id,
            title,
            file,
            line: _,
            project,
            retry: _,
            repeat: _,
            shard,
            worker,
            status: _,
            expected_status: _,
            duration_ms: _,
            error,
            location,
            started: _,
            ended: _,
            entries_removed: _,
        } = self;
        scrubber.text("test_id", test_id);
        scrubber.opt_text("worker", worker);
        for (field, text) in
            [("title", title), ("file", file), ("project", project), ("shard", shard), ("location", location)]
        {
            if let Some(text) = text {
                scrubber.bounded(field, text, limits::TEST_TEXT_BYTES);
            }
        }
        if let Some(error) = error {
            scrubber.bounded("error", error, limits::TEST_ERROR_BYTES);
        }
    }
}

impl Redact for QueryResult {
    fn scrub(&mut self, scrubber: &mut Scrubber<'_>) {
        let Self {
            query_id: _,
            correlation_id: _,
            action,
            result,
            error,
            execution_time_ms: _,
            tab_id: _,
            url,
            timestamp: _,
        } = self;
        if let Some(result) = result {
            scrubber.opt_text("type", &mut result.kind);
            match action {
                Some(QueryAction::TakeScreenshot) => scrub_around_picture(&mut result.value, scrubber),
                _ => scrubber.json("value", &mut result.value),
            }
        }
        if let Some(QueryError { message, kind, stack, code }) = error {
            for text in [message, kind, stack, code] {
                scrubber.opt_text("error", text);
            }
        }
        scrubber.url("url", url);
    }
}

/// An image is not text: its base64 may seem to contain anything. Data that only claims to be an image is redacted as
/// text.
fn scrub_around_picture(value: &mut Option<Json>, scrubber: &mut Scrubber<'_>) {
    const FIELD: &str = "data_url";
    let is_picture = |text: &str| {
        let data = text.strip_prefix("data:image/").and_then(|rest| rest.split_once(";base64,"));
        data.is_some_and(|(kind, data)| {
            kind.bytes().all(|byte| byte.is_ascii_lowercase())
                && data.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='))
        })
    };
    let mut whole = value.as_ref().map(Json::value).unwrap_or_default();
    let picture = whole.as_object_mut().and_then(|fields| fields.remove(FIELD));
    let picture = picture.filter(|picture| picture.as_str().is_some_and(is_picture));
    let Some(picture) = picture else { return scrubber.json("value", value) };
    let mut rest = Some(Json::from_value(&whole));
    scrubber.json("value", &mut rest);
    let mut rest = rest.map(|rest| rest.value()).unwrap_or_default();
    if let Some(fields) = rest.as_object_mut() {
        fields.insert(FIELD.to_owned(), picture);
    }
    *value = Some(Json::from_value(&rest));
}
