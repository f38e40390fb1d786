//! Which fields of each kind hold text that must be looked at.
//!
//! Every `scrub` takes its struct apart field by field, without `..`: a new field does not compile until someone
//! decided here what it may hold.

use wire::Json;
use wire::action::{EnhancedAction, Role, Selectors};
use wire::dom_snapshot::{DomSnapshot, SnapshotElement};
use wire::extension::ExtensionLog;
use wire::limits;
use wire::log::{AiContext, LogEntry};
use wire::network::{Cookie, NetworkBody};
use wire::performance::{InsecureResource, PerformanceSnapshot};
use wire::query::{QueryAction, QueryError, QueryResult};
use wire::test_run::TestRecord;
use wire::websocket::{ConnectionStats, DirectionStats, MessageSchema, Sampling, SamplingState, WebSocketEvent};

use super::{Scrubber, names};

/// A label longer than this is no label.
const LONGEST_LABEL: usize = 64;

pub trait Redact {
    fn scrub(&mut self, scrubber: &mut Scrubber<'_>);
}

impl Redact for LogEntry {
    fn scrub(&mut self, scrubber: &mut Scrubber<'_>) {
        let Self {
            ts: _,
            timestamp: _,
            id,
            kind,
            level: _,
            message,
            args,
            url,
            source,
            stack,
            filename,
            lineno: _,
            colno: _,
            method,
            request_url,
            status: _,
            duration: _,
            request_id,
            count: _,
            context,
            enrichments,
            actions,
            ai_context,
            metadata,
            screenshot,
            tab_id: _,
            test_id,
            page_id,
            worker,
        } = self;
        for (field, text) in [
            ("id", id),
            ("type", kind),
            ("message", message),
            ("source", source),
            ("stack", stack),
            ("method", method),
            ("requestId", request_id),
            ("screenshot", screenshot),
            ("test_id", test_id),
            ("page_id", page_id),
            ("worker", worker),
        ] {
            scrubber.opt_text(field, text);
        }
        for (field, address) in [("url", url), ("filename", filename), ("requestUrl", request_url)] {
            scrubber.url(field, address);
        }
        for (field, json) in [("args", args), ("_context", context), ("_actions", actions), ("metadata", metadata)] {
            scrubber.json(field, json);
        }
        for text in enrichments.iter_mut().flatten() {
            scrubber.text("_enrichments", text);
        }
        if let Some(ai_context) = ai_context {
            ai_context.scrub(scrubber);
        }
    }
}

impl Redact for AiContext {
    fn scrub(&mut self, scrubber: &mut Scrubber<'_>) {
        let Self { summary, mapped_stack, source_snippets, component_ancestry, state_snapshot } = self;
        scrubber.opt_text("_aiContext", summary);
        for frame in mapped_stack.iter_mut().flatten() {
            scrubber.text("_aiContext", frame);
        }
        for json in [source_snippets, component_ancestry] {
            scrubber.json("_aiContext", json);
        }
        scrubber.json_beside_names("_aiContext", state_snapshot, "keys");
        hide_private_state(state_snapshot);
    }
}

/// Values of a page's state that nobody should read, known by the last part of their name or by being a card's number.
fn hide_private_state(state_snapshot: &mut Option<Json>) {
    let Some(mut value) = state_snapshot.as_ref().map(Json::value) else { return };
    let Some(slice) = value.get_mut("relevantSlice").and_then(serde_json::Value::as_object_mut) else { return };
    let mut hidden = false;
    for (name, value) in slice.iter_mut() {
        let is_text = value.as_str().is_some_and(|text| !text.is_empty());
        let text = value.as_str().map(str::to_owned).unwrap_or_else(|| value.to_string());
        if (is_text || value.is_number()) && (is_private_name(name) || is_card_number(&text)) {
            *value = serde_json::Value::from(super::INPUT_PLACEHOLDER);
            hidden = true;
        }
    }
    if hidden {
        *state_snapshot = Some(Json::from_value(&value));
    }
}

fn is_private_name(path: &str) -> bool {
    let last = path.rsplit('.').next().unwrap_or(path).to_ascii_lowercase();
    let parts = [
        "passw",
        "passcode",
        "pwd",
        "token",
        "secret",
        "credential",
        "cookie",
        "session",
        "jwt",
        "bearer",
        "cvv",
        "cvc",
        "card",
        "iban",
        "ssn",
        "otp",
        "apikey",
        "api_key",
        "privatekey",
        "private_key",
    ];
    parts.iter().any(|part| last.contains(part)) || matches!(last.as_str(), "pin" | "key")
}

impl Redact for WebSocketEvent {
    fn scrub(&mut self, scrubber: &mut Scrubber<'_>) {
        let Self {
            ts: _,
            timestamp: _,
            kind,
            event,
            connection_id,
            url,
            direction,
            data,
            size: _,
            truncated,
            sampled,
            code: _,
            reason,
            stats,
            tab_id: _,
            test_id,
            page_id,
            worker,
        } = self;
        if let Some(data) = data
            && scrubber.bounded("data", data, limits::WEBSOCKET_MESSAGE_BYTES)
        {
            *truncated = Some(true);
        }
        scrubber.url("url", url);
        for (field, text) in [
            ("type", kind),
            ("event", event),
            ("id", connection_id),
            ("direction", direction),
            ("reason", reason),
            ("test_id", test_id),
            ("page_id", page_id),
            ("worker", worker),
        ] {
            scrubber.opt_text(field, text);
        }
        if let Some(Sampling { rate, logged, window }) = sampled {
            for text in [rate, logged, window] {
                scrubber.opt_text("sampled", text);
            }
        }
        if let Some(stats) = stats {
            scrub_stats(stats, scrubber);
        }
    }
}

fn scrub_stats(stats: &mut ConnectionStats, scrubber: &mut Scrubber<'_>) {
    let ConnectionStats { incoming, outgoing, schema, sampling } = stats;
    for direction in [incoming, outgoing].into_iter().flatten() {
        let DirectionStats { total: _, bytes: _, per_second: _, last_at: _, last_preview } = direction;
        scrubber.opt_text("stats.lastPreview", last_preview);
    }
    if let Some(MessageSchema { detected_keys, message_count: _, consistent: _, variants }) = schema {
        for text in [detected_keys, variants].into_iter().flatten().flatten() {
            scrubber.text("stats.schema", text);
        }
    }
    if let Some(SamplingState { active: _, rate, reason }) = sampling {
        for text in [rate, reason] {
            scrubber.opt_text("stats.sampling", text);
        }
    }
}

impl Redact for NetworkBody {
    fn scrub(&mut self, scrubber: &mut Scrubber<'_>) {
        let Self {
            ts: _,
            timestamp: _,
            kind,
            method,
            url,
            status: _,
            request_body,
            response_body,
            content_type,
            duration: _,
            request_headers,
            response_headers,
            has_auth_header,
            request_size: _,
            response_size: _,
            truncated,
            page_url,
            error,
            request_id,
            initiator,
            stack,
            trigger,
            cookies,
            tab_id: _,
            test_id,
            page_id,
            worker,
        } = self;
        for (field, body, limit) in [
            ("requestBody", request_body, limits::REQUEST_BODY_BYTES),
            ("responseBody", response_body, limits::RESPONSE_BODY_BYTES),
        ] {
            if let Some(body) = body
                && scrubber.bounded(field, body, limit)
            {
                *truncated = Some(true);
            }
        }
        if scrubber.headers("requestHeaders", request_headers) {
            *has_auth_header = Some(true);
        }
        scrubber.headers("responseHeaders", response_headers);
        scrubber.url("url", url);
        scrubber.url("pageUrl", page_url);
        for (field, text) in [
            ("type", kind),
            ("method", method),
            ("contentType", content_type),
            ("error", error),
            ("requestId", request_id),
            ("initiator", initiator),
            ("stack", stack),
            ("trigger", trigger),
            ("test_id", test_id),
            ("page_id", page_id),
            ("worker", worker),
        ] {
            scrubber.opt_text(field, text);
        }
        scrub_cookies(cookies, scrubber);
    }
}

fn scrub_cookies(cookies: &mut Option<Vec<Cookie>>, scrubber: &mut Scrubber<'_>) {
    for Cookie { name, secure: _, http_only: _, same_site } in cookies.iter_mut().flatten() {
        scrubber.opt_text("cookies", name);
        // The page's server chose this text; only the values that mean something are worth keeping.
        if !same_site
            .as_deref()
            .is_none_or(|value| ["lax", "strict", "none"].iter().any(|known| value.eq_ignore_ascii_case(known)))
        {
            *same_site = None;
        }
    }
}

impl Redact for EnhancedAction {
    fn scrub(&mut self, scrubber: &mut Scrubber<'_>) {
        if is_sensitive_input(self) {
            for typed in [&mut self.value, &mut self.selected_value, &mut self.selected_text] {
                scrubber.input(typed);
            }
            // The text of a button is its label, which nobody typed.
            if !is_button(self) || self.text.as_deref().is_some_and(is_card_number) {
                scrubber.input(&mut self.text);
            }
            // One key after the other is the whole password; `Enter` and `Tab` tell nothing.
            if self.key.as_deref().is_some_and(|key| !key.split('+').all(is_named_key)) {
                scrubber.input(&mut self.key);
            }
        }
        let Self {
            ts: _,
            timestamp: _,
            kind,
            selectors,
            position: _,
            url,
            input_type,
            value,
            autocomplete,
            name,
            text,
            key,
            from_url,
            to_url,
            scroll_x: _,
            scroll_y: _,
            target,
            selected_value,
            selected_text,
            form_action,
            method,
            action_type,
            x: _,
            y: _,
            tab_id: _,
            test_id,
            page_id,
            worker,
        } = self;
        for (field, address) in [("url", url), ("fromUrl", from_url), ("toUrl", to_url), ("formAction", form_action)] {
            scrubber.url(field, address);
        }
        for (field, content) in [
            ("type", kind),
            ("inputType", input_type),
            ("value", value),
            ("autocomplete", autocomplete),
            ("name", name),
            ("text", text),
            ("key", key),
            ("target", target),
            ("selectedValue", selected_value),
            ("selectedText", selected_text),
            ("method", method),
            ("action_type", action_type),
            ("test_id", test_id),
            ("page_id", page_id),
            ("worker", worker),
        ] {
            scrubber.opt_text(field, content);
        }
        if let Some(Selectors { test_id, aria_label, role, id, text, css_path }) = selectors {
            for content in [test_id, aria_label, id, text, css_path] {
                scrubber.opt_text("selectors", content);
            }
            if let Some(Role { role, name }) = role {
                scrubber.opt_text("selectors", role);
                scrubber.opt_text("selectors", name);
            }
        }
    }
}

/// Passwords and cards, by the input's type, its `autocomplete`, its names, or the value itself.
fn is_sensitive_input(action: &EnhancedAction) -> bool {
    let is = |text: &Option<String>, test: &dyn Fn(&str) -> bool| {
        text.as_deref().is_some_and(|text| test(&text.to_ascii_lowercase()))
    };
    let named = |text: &Option<String>| text.as_deref().is_some_and(names::is_input_name);
    // Of a selector only what names the element itself: an address form in a `div.card` is no card.
    let selected = |text: &Option<String>| {
        text.as_deref().is_some_and(|text| names::is_input_name(&own_names(text)) || has_input_class(text))
    };
    // A longer text is a paragraph that speaks of passwords, not the label of an input.
    let labelled = |text: &Option<String>| named(&text.clone().filter(|text| text.len() <= LONGEST_LABEL));
    let selectors = action.selectors.as_ref();
    let is_hint = |hint: &str| hint.starts_with("cc-") || hint.contains("password") || hint == "one-time-code";
    is(&action.input_type, &|kind| kind == "password")
        || is(&action.autocomplete, &|hints| hints.split_ascii_whitespace().any(is_hint))
        || named(&action.name)
        || selected(&action.target)
        || selectors.is_some_and(|of| {
            named(&of.id)
                || named(&of.aria_label)
                || named(&of.test_id)
                || labelled(&of.text)
                || selected(&of.css_path)
                || of.role.as_ref().is_some_and(|role| named(&role.name))
        })
        || [&action.value, &action.selected_value, &action.selected_text, &action.text]
            .into_iter()
            .flatten()
            .any(|value| is_card_number(value))
}

/// Whether the element is pressed rather than filled in.
fn is_button(action: &EnhancedAction) -> bool {
    let is_one = |text: Option<&str>, of: &[&str]| {
        text.is_some_and(|text| of.iter().any(|known| text.trim().eq_ignore_ascii_case(known)))
    };
    let tag = |selector: &Option<String>| {
        let step = last_step(selector.as_deref().unwrap_or_default());
        step.split(['.', '#', '[', ':']).next().unwrap_or_default().to_owned()
    };
    let selectors = action.selectors.as_ref();
    let role = selectors.and_then(|of| of.role.as_ref()).and_then(|role| role.role.as_deref());
    is_one(action.input_type.as_deref(), &["submit", "button", "reset", "image"])
        || is_one(role, &["button", "link", "tab", "menuitem", "heading"])
        || is_one(Some(&tag(&action.target)), &["button", "a", "label"])
        || selectors.is_some_and(|of| is_one(Some(&tag(&of.css_path)), &["button", "a", "label"]))
}

/// A key that puts no character into an input.
fn is_named_key(key: &str) -> bool {
    const NAMED: &[&str] = &[
        "",
        "Enter",
        "Escape",
        "Esc",
        "Tab",
        "Backspace",
        "Delete",
        "Del",
        "Insert",
        "Home",
        "End",
        "PageUp",
        "PageDown",
        "Up",
        "Down",
        "Left",
        "Right",
        "ArrowUp",
        "ArrowDown",
        "ArrowLeft",
        "ArrowRight",
        "Shift",
        "Control",
        "Ctrl",
        "Alt",
        "AltGraph",
        "Meta",
        "CapsLock",
        "NumLock",
        "ScrollLock",
        "ContextMenu",
        "Unidentified",
        "Dead",
        "Process",
    ];
    let is_function_key =
        key.strip_prefix('F').is_some_and(|number| number.parse::<u8>().is_ok_and(|n| (1..=24).contains(&n)));
    NAMED.contains(&key) || is_function_key
}

/// The last step of a CSS selector: the element itself.
fn last_step(selector: &str) -> String {
    let own = match selector.rsplit_once(['>', '+', '~']) {
        Some((_, last)) => last.trim(),
        None => selector.trim(),
    };
    let mut depth = 0_usize;
    let mut last_step = String::new();
    for c in own.chars() {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if c.is_whitespace() && depth == 0 {
            last_step.clear();
        } else {
            last_step.push(c);
        }
    }
    last_step
}

/// Whether the element has a class that is, as a whole, what inputs of this sort are called: `password`, but not
/// `password-form` or `card`, which style what stands around them.
fn has_input_class(selector: &str) -> bool {
    const CLASSES: &[&str] =
        &["password", "passwd", "pwd", "passcode", "otp", "cvv", "cvc", "cardnumber", "passwordinput", "passwordfield"];
    last_step(selector).split('.').skip(1).any(|class| {
        let class = class.split(['#', '[', ':']).next().unwrap_or_default();
        let bare: String = class.chars().filter(char::is_ascii_alphanumeric).collect();
        CLASSES.contains(&bare.to_ascii_lowercase().as_str())
    })
}

/// The id and the attributes in the last step of a CSS selector; all of a text that is no more than a name.
fn own_names(selector: &str) -> String {
    // What follows a dot, up to the next mark, is a class.
    let mut is_class = false;
    last_step(selector)
        .chars()
        .filter(|c| {
            match c {
                '.' => is_class = true,
                '#' | '[' | ':' => is_class = false,
                _ => {}
            }
            !is_class
        })
        .collect()
}

/// 13 to 19 digits, in groups or not, with a valid check digit.
fn is_card_number(value: &str) -> bool {
    let digits: Vec<u32> = value.chars().filter_map(|c| c.to_digit(10)).collect();
    // One dot is a decimal point.
    let dots = value.matches('.').count();
    let only_groups = value.chars().all(|c| c.is_ascii_digit() || matches!(c, ' ' | '-' | '.')) && dots != 1;
    only_groups && (13..=19).contains(&digits.len()) && has_check_digit(&digits)
}

/// Whether the last digit is the one that Luhn's formula gives for the others.
pub(crate) fn has_check_digit(digits: &[u32]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, &digit)| match (place % 2, digit * 2) {
            (0, _) => digit,
            (_, doubled) if doubled > 9 => doubled - 9,
            (_, doubled) => doubled,
        })
        .sum();
    sum.is_multiple_of(10)
}

impl Redact for PerformanceSnapshot {
    fn scrub(&mut self, scrubber: &mut Scrubber<'_>) {
        let Self {
            ts: _,
            timestamp: _,
            url,
            soft_navigation: _,
            timing: _,
            network,
            long_tasks: _,
            cumulative_layout_shift: _,
            interaction_to_next_paint: _,
            page_url,
            insecure_resources,
            cookies,
            document_headers,
            kind,
            metric,
            value: _,
            unit,
            tab_id: _,
            test_id,
            page_id,
            worker,
        } = self;
        scrubber.url("url", url);
        scrubber.url("pageUrl", page_url);
        for InsecureResource { url, kind } in insecure_resources.iter_mut().flatten() {
            scrubber.url("insecureResources", url);
            scrubber.opt_text("insecureResources", kind);
        }
        scrub_cookies(cookies, scrubber);
        scrubber.headers("documentHeaders", document_headers);
        for (field, text) in [
            ("type", kind),
            ("metric", metric),
            ("unit", unit),
            ("test_id", test_id),
            ("page_id", page_id),
            ("worker", worker),
        ] {
            scrubber.opt_text(field, text);
        }
        // What is left is numbers.
        for slow in network.iter_mut().flat_map(|network| network.slowest_requests.iter_mut().flatten()) {
            scrubber.url("slowestRequests", &mut slow.url);
        }
    }
}

impl Redact for DomSnapshot {
    fn scrub(&mut self, scrubber: &mut Scrubber<'_>) {
        let Self { ts: _, timestamp: _, url, title, elements, kind, tab_id: _, test_id, page_id, worker } = self;
        scrubber.url("url", url);
        for (field, text) in
            [("title", title), ("type", kind), ("test_id", test_id), ("page_id", page_id), ("worker", worker)]
        {
            scrubber.opt_text(field, text);
        }
        for SnapshotElement { role, level: _, text, test_id, visible: _ } in elements.iter_mut().flatten() {
            for content in [role, text, test_id] {
                scrubber.opt_text("elements", content);
            }
        }
    }
}

impl Redact for ExtensionLog {
    fn scrub(&mut self, scrubber: &mut Scrubber<'_>) {
        let Self { ts: _, timestamp: _, level: _, message, context, tab_id: _, test_id, page_id, worker } = self;
        for (field, text) in [("message", message), ("test_id", test_id), ("page_id", page_id), ("worker", worker)] {
            scrubber.opt_text(field, text);
        }
        scrubber.json("context", context);
    }
}

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

/// A picture is no text: in its base64 anything may seem to stand. What only calls itself one is text.
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
