//! What `validate_api` promises: when a contract is established, and what breaks it.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use engine::contracts::EndpointFilter;
use engine::entry::{Arrival, Parse, Request};
use engine::{Redactor, Session};
use serde_json::{Map, Value, json};
use wire::{NetworkBody, Timestamp, limits};

const NOW: i64 = 1_770_600_000_000;

struct Api {
    session: Session,
    redactor: Redactor,
    clock: i64,
}

impl Api {
    fn new() -> Self {
        Self { session: Session::new("t"), redactor: Redactor::new(), clock: NOW }
    }

    fn post(&mut self, body: NetworkBody) {
        self.clock += 1_000;
        let time = Timestamp::from_millis(self.clock);
        let body = Request::parse(body, Arrival::at(time)).unwrap();
        self.session.push_network(self.redactor.redact(body), time, 100).unwrap();
    }

    fn answer(&mut self, url: &str, status: u16, answer: &Value) {
        self.post(NetworkBody {
            method: Some("GET".to_owned()),
            url: Some(url.to_owned()),
            status: Some(status),
            content_type: Some("application/json".to_owned()),
            response_body: Some(answer.to_string()),
            ..NetworkBody::default()
        });
    }

    fn graphql(&mut self, operation: &str, answer: &Value) {
        let request = json!({ "operationName": operation, "query": format!("query {operation} {{ user {{ id }} }}") });
        self.post(NetworkBody {
            method: Some("POST".to_owned()),
            url: Some("/graphql".to_owned()),
            status: Some(200),
            request_body: Some(request.to_string()),
            response_body: Some(answer.to_string()),
            ..NetworkBody::default()
        });
    }

    fn analyze(&self) -> Value {
        json!(self.session.contracts.analyze(&EndpointFilter::default(), &self.session.store.ids))
    }

    fn violations(&self) -> Vec<Value> {
        self.analyze()["violations"].as_array().unwrap().clone()
    }

    fn endpoint(&self) -> Value {
        json!(self.session.contracts.report(&EndpointFilter::default()))["endpoints"][0].clone()
    }
}

fn only(part: &str) -> EndpointFilter {
    EndpointFilter { only: Some(part.to_owned()), ignored: vec![] }
}

/// The violations after several equal responses and one that may differ: type, severity, and where.
fn broken_by(usual: &Value, last: &Value) -> Vec<(String, String, Value)> {
    let mut api = Api::new();
    for _ in 0..3 {
        api.answer("/api", 200, usual);
    }
    api.answer("/api", 200, last);
    api.violations()
        .into_iter()
        .map(|found| {
            let text = |name: &str| found[name].as_str().unwrap().to_owned();
            let place = ["missing_fields", "field", "new_fields"].iter().find_map(|name| found.get(name));
            (text("type"), text("severity"), place.cloned().unwrap())
        })
        .collect()
}

#[test]
fn every_violation_has_its_type_severity_and_field() {
    let usual = json!({ "id": 1, "name": "Ann", "tags": ["a"], "home": { "city": "X" }, "orders": [{ "id": 1 }] });
    let with = |change: fn(&mut Map<String, Value>)| {
        let mut changed = usual.clone();
        change(changed.as_object_mut().unwrap());
        changed
    };
    let set = |name: &'static str, value: Value| {
        let mut changed = usual.clone();
        changed[name] = value;
        changed
    };
    for (last, kind, severity, place) in [
        (with(|answer| drop(answer.remove("name"))), "shape_change", "warning", json!(["name"])),
        (
            with(|answer| {
                answer.remove("name");
                answer.remove("id");
            }),
            "shape_change",
            "warning",
            json!(["id", "name"]),
        ),
        (set("home", json!({})), "shape_change", "warning", json!(["home.city"])),
        (set("id", json!("1")), "type_change", "warning", json!("id")),
        (set("home", json!(null)), "type_change", "warning", json!("home")),
        (set("tags", json!("a")), "type_change", "warning", json!("tags")),
        (json!([usual]), "type_change", "warning", json!("(response)")),
        (set("more", json!(true)), "new_field", "info", json!({ "more": "boolean" })),
        (set("orders", json!([{ "id": "1" }])), "array_shape_change", "warning", json!("orders")),
        (set("orders", json!([{ "id": 1 }, { "number": 2 }])), "array_shape_change", "warning", json!("orders")),
        (set("tags", json!([1])), "array_shape_change", "warning", json!("tags")),
        (set("name", json!(null)), "null_field", "info", json!("name")),
    ] {
        assert_eq!(broken_by(&usual, &last), [(kind.to_owned(), severity.to_owned(), place)], "{last}");
    }
    for same in [usual.clone(), set("orders", json!([])), set("tags", json!(["b", "c"])), set("id", json!(2.5))] {
        assert_eq!(broken_by(&usual, &same), [], "{same}");
    }
    let twice = set("id", json!(null));
    let mut twice = twice.as_object().unwrap().clone();
    twice.remove("tags");
    let found = broken_by(&usual, &Value::Object(twice));
    assert_eq!(found.iter().map(|(kind, ..)| kind.as_str()).collect::<Vec<_>>(), ["shape_change", "null_field"]);
}

#[test]
fn a_field_seen_less_than_three_times_is_a_milder_violation() {
    for (seen, severity) in [(2, "info"), (3, "warning"), (4, "warning")] {
        let mut api = Api::new();
        for _ in 0..3 {
            api.answer("/api", 200, &json!({ "owner": null }));
        }
        for _ in 0..seen {
            api.answer("/api", 200, &json!({ "owner": { "name": "x" } }));
        }
        api.answer("/api", 200, &json!({ "owner": {} }));
        let found = api.violations();
        assert_eq!((&found[0]["type"], &found[0]["severity"]), (&json!("shape_change"), &json!(severity)), "{seen}");
        let said = format!("'owner.name' was present in {seen} responses");
        assert!(found[0]["description"].as_str().unwrap().contains(&said), "{found:?}");
    }
}

#[test]
fn three_equal_responses_establish_a_shape() {
    let mut api = Api::new();
    for (answer, learning, consistency) in [
        (json!({ "a": 1 }), Some("1 of 3 agreeing responses"), "100%"),
        (json!({ "a": 1 }), Some("2 of 3 agreeing responses"), "100%"),
        // Still learning: either shape may be established.
        (json!({ "b": 1 }), Some("2 of 3 agreeing responses"), "67%"),
        (json!({ "b": 1 }), Some("2 of 3 agreeing responses"), "50%"),
        (json!({ "b": 1 }), None, "60%"),
        (json!({ "c": 1 }), None, "50%"),
        (json!({ "b": 1 }), None, "57%"),
    ] {
        api.answer("/api", 200, &answer);
        let endpoint = api.endpoint();
        assert_eq!(endpoint.get("learning").and_then(Value::as_str), learning, "{endpoint}");
        assert_eq!(endpoint["consistency"], consistency, "{endpoint}");
        assert_eq!(endpoint.get("established_shape").is_some(), learning.is_none());
        assert_eq!(endpoint.get("shape_so_far").is_some(), learning.is_some());
    }
    assert_eq!(api.endpoint()["established_shape"], json!({ "b": "number" }));
    let kinds: Vec<Value> = api.violations().into_iter().map(|found| found["type"].clone()).collect();
    assert_eq!(kinds, ["shape_change", "new_field"]);
}

#[test]
fn equal_responses_need_not_come_in_a_row() {
    let mut api = Api::new();
    for _ in 0..3 {
        api.answer("/api", 200, &json!({ "a": 1, "b": 2 }));
        api.answer("/api", 200, &json!({ "a": 1 }));
    }
    let endpoint = api.endpoint();
    assert_eq!(endpoint["established_shape"], json!({ "a": "number", "b": "number" }), "{endpoint}");
    assert_eq!(endpoint["consistency"], "50%");
    assert_eq!(api.violations()[0]["missing_fields"], json!(["b"]));
}

#[test]
fn an_endpoint_that_starts_to_fail_is_reported() {
    for (statuses, severity) in [
        (vec![201, 201, 201, 500, 500], Some("critical")),
        (vec![200, 200, 200, 404], Some("warning")),
        (vec![200, 200, 200, 404, 503, 404], Some("critical")),
        (vec![200, 200, 500], None),
        (vec![200, 200, 200, 500, 200], None),
        (vec![500, 500, 500], None),
        (vec![200, 200, 200, 304], None),
        (vec![200, 200, 200, 500, 304], Some("critical")),
        (vec![200, 200, 200, 399], None),
        (vec![200, 200, 200, 400], Some("warning")),
        (vec![200, 200, 200, 499], Some("warning")),
    ] {
        let mut api = Api::new();
        for status in &statuses {
            api.answer("/api", *status, &json!({ "error": "Database connection refused" }));
        }
        let found = api.violations();
        let told = found.first().map(|found| (found["type"].as_str().unwrap(), found["severity"].as_str().unwrap()));
        assert_eq!(told, severity.map(|severity| ("error_spike", severity)), "{statuses:?}");
        if let Some(found) = found.first() {
            assert_eq!(found["status_history"], json!(statuses));
            assert_eq!(found["last_error_body"], json!({ "error": "Database connection refused" }));
        }
    }
    let mut api = Api::new();
    for status in [201, 201, 201, 500, 500] {
        api.answer("/orders", status, &json!({}));
    }
    assert_eq!(
        api.violations()[0]["description"],
        "Endpoint returned success (201) 3 times, then switched to error (500) for the last 2 requests"
    );
}

#[test]
fn failures_for_longer_than_the_history_still_follow_successes() {
    for failures in [limits::API_STATUS_HISTORY - 2, limits::API_STATUS_HISTORY, 3 * limits::API_STATUS_HISTORY] {
        let mut api = Api::new();
        for _ in 0..3 {
            api.answer("/api", 200, &json!({ "a": 1 }));
        }
        for _ in 0..failures {
            api.answer("/api", 500, &json!({}));
        }
        let found = api.violations();
        let said = format!("success (200) 3 times, then switched to error (500) for the last {failures} requests");
        assert!(found[0]["description"].as_str().unwrap().contains(&said), "{found:?}");
        assert_eq!(api.analyze()["clean_endpoints"], 0);
    }
}

#[test]
fn a_call_without_a_response_is_a_failure_unless_the_page_cancelled_it() {
    for (error, expected) in [(Some("Failed to fetch"), true), (Some("aborted"), false), (None, false)] {
        let mut api = Api::new();
        for _ in 0..3 {
            api.answer("/api", 200, &json!({ "a": 1 }));
        }
        for _ in 0..2 {
            let (url, error) = (Some("/api".to_owned()), error.map(str::to_owned));
            api.post(NetworkBody { url, error, status: Some(0), ..NetworkBody::default() });
        }
        let found = api.violations();
        assert_eq!(api.analyze()["clean_endpoints"], usize::from(!expected), "{error:?}");
        assert_eq!(found.len(), usize::from(expected), "{error:?}");
        if let Some(found) = found.first() {
            assert_eq!((&found["type"], &found["severity"]), (&json!("error_spike"), &json!("critical")));
            assert_eq!(found["status_history"], json!([200, 200, 200, 0, 0]));
            let said = "success (200) 3 times, then switched to no answer (0) for the last 2 requests";
            assert!(found["description"].as_str().unwrap().contains(said), "{found}");
        }
    }
}

#[test]
fn a_page_instead_of_json_is_a_type_change() {
    let mut api = Api::new();
    let page = NetworkBody {
        url: Some("/api".to_owned()),
        status: Some(200),
        content_type: Some("text/html; charset=utf-8".to_owned()),
        response_body: Some("<!doctype html><title>App</title>".to_owned()),
        ..NetworkBody::default()
    };
    for _ in 0..2 {
        api.answer("/api", 200, &json!({ "a": 1 }));
        api.post(page.clone());
    }
    assert_eq!(api.violations(), Vec::<Value>::new(), "still learning");
    assert_eq!(api.analyze()["clean_endpoints"], 0, "what is still learned is not known to be clean");
    assert_eq!(api.analyze()["learning_endpoints"], 1);
    api.answer("/api", 200, &json!({ "a": 1 }));
    assert_eq!(api.analyze()["clean_endpoints"], 1);
    assert_eq!(api.analyze().get("learning_endpoints"), None);
    api.post(page);
    let found = api.violations();
    let fields = ["type", "severity", "field", "expected_type", "actual_type", "still_so"].map(|name| &found[0][name]);
    let expected =
        [json!("type_change"), json!("warning"), json!("(response)"), json!("object"), json!("html"), json!(true)];
    assert_eq!(fields, expected.each_ref(), "{found:?}");
    assert_eq!(api.analyze()["clean_endpoints"], 0);

    let mut api = Api::new();
    for calls in 1..=4 {
        let (url, initiator) = (Some("/bare".to_owned()), Some("fetch".to_owned()));
        api.post(NetworkBody { url, initiator, status: Some(204), ..NetworkBody::default() });
        assert_eq!(api.analyze()["clean_endpoints"], usize::from(calls >= 3), "there is no shape to wait for");
    }
}

#[test]
fn an_error_response_does_not_change_the_shape() {
    let mut api = Api::new();
    for _ in 0..3 {
        api.answer("/api", 200, &json!({ "id": 1 }));
    }
    api.answer("/api", 401, &json!({ "error": "no" }));
    api.answer("/api", 200, &json!({ "id": 1 }));
    assert_eq!(api.violations(), Vec::<Value>::new());
    let endpoint = api.endpoint();
    assert_eq!(endpoint["status_codes"], json!({ "200": 4, "401": 1 }));
    assert_eq!((&endpoint["consistency"], &endpoint["call_count"]), (&json!("100%"), &json!(5)));
}

/// The message of an error says more than its shape; it is redacted all the same.
#[test]
fn the_last_errors_message_is_shown_without_secrets() {
    let failed = |content_type: &str, body: &str| {
        let mut api = Api::new();
        for _ in 0..3 {
            api.answer("/api", 200, &json!({ "a": 1 }));
        }
        api.answer("/api", 500, &json!({ "error": "an earlier one" }));
        api.post(NetworkBody {
            method: Some("GET".to_owned()),
            url: Some("/api".to_owned()),
            status: Some(502),
            content_type: Some(content_type.to_owned()),
            response_body: Some(body.to_owned()),
            ..NetworkBody::default()
        });
        api.violations()[0].get("last_error_body").cloned()
    };
    let said = json!({ "error": "Internal server error", "code": 17, "details": { "field": "email", "value": null } });
    assert_eq!(failed("application/json", &said.to_string()), Some(said));
    assert_eq!(failed("text/plain", "Bad gateway"), Some(json!("Bad gateway")));
    assert_eq!(failed("application/json", ""), None);
    let token = ["eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiIxMjM0NTY3ODkwIn0", "c2lnbmF0dXJlLW9mLWl0cw"].join(".");
    let told = failed(
        "application/json",
        &json!({ "error": format!("bad token {token}"), "password": "hunter2" }).to_string(),
    );
    let told = told.unwrap().to_string();
    assert!(told.contains("bad token [secret:jwt") && !told.contains("hunter2"), "{told}");
    let long = failed("application/json", &json!({ "error": "x".repeat(9_000) }).to_string()).unwrap();
    assert!(long.to_string().len() < 800, "{long}");
}

#[test]
fn the_value_that_broke_a_contract_is_shown() {
    for (before, now, kind, sample) in [
        (json!({ "price": 19.99 }), json!({ "price": "19.99" }), "type_change", json!("19.99")),
        (json!({ "price": "19.99" }), json!({ "price": 19.99 }), "type_change", json!(19.99)),
        (json!({ "on": "yes" }), json!({ "on": true }), "type_change", json!(true)),
        (json!({ "user": { "id": 1 } }), json!({ "user": null }), "type_change", json!(null)),
        (json!({ "user": "ada" }), json!({ "user": { "id": 1 } }), "type_change", json!({ "id": "number" })),
        (json!({ "name": "ada" }), json!({ "name": null }), "null_field", json!(null)),
        (json!({ "id": 1 }), json!({ "id": 1, "extra": "x" }), "new_field", json!({ "extra": "a" })),
        (json!([{ "price": 1 }]), json!([{ "price": "1" }]), "array_shape_change", json!({ "price": "string" })),
        (json!({ "sizes": [38] }), json!({ "sizes": ["38"] }), "array_shape_change", json!("38")),
        (json!({ "id": 1 }), json!([{ "id": 1 }]), "type_change", json!([{ "id": "number" }])),
    ] {
        let mut api = Api::new();
        for _ in 0..3 {
            api.answer("/api", 200, &before);
        }
        api.answer("/api", 200, &now);
        let found = api.violations();
        assert_eq!(
            (&found[0]["type"], found[0].get("sample_value")),
            (&json!(kind), Some(&sample)),
            "{before} {now}: {found:?}"
        );
    }
    let mut api = Api::new();
    for _ in 0..3 {
        api.answer("/api", 200, &json!({ "id": 1, "name": "ada" }));
    }
    api.answer("/api", 200, &json!({ "id": 1 }));
    assert_eq!(api.violations()[0].get("sample_value"), None, "what is missing has no value");
}

#[test]
fn a_violation_is_shown_with_its_evidence() {
    let mut api = Api::new();
    for _ in 0..5 {
        api.answer("/api/users/profile", 200, &json!({ "id": 1, "avatar_url": "x" }));
    }
    api.answer("/api/users/profile", 200, &json!({ "id": 1 }));
    let found = api.violations()[0].clone();
    assert_eq!(
        found["description"],
        "Response shape changed: field 'avatar_url' was present in 5 responses but missing in the latest response"
    );
    assert_eq!(found["expected_shape"], json!({ "avatar_url": "string", "id": "number" }));
    assert_eq!(found["actual_shape"], json!({ "id": "number" }));
    let first = Timestamp::from_millis(NOW + 1_000);
    let last = Timestamp::from_millis(NOW + 6_000);
    let occurrences = json!({ "expected_count": 5, "violation_count": 1, "first_seen": first, "last_violation": last });
    assert_eq!((&found["occurrences"], &found["still_so"]), (&occurrences, &json!(true)));

    api.answer("/api/users/profile", 200, &json!({ "id": 1 }));
    assert_eq!(api.violations()[0]["occurrences"]["violation_count"], 2);
    api.answer("/api/users/profile", 200, &json!({ "id": 1, "avatar_url": "x" }));
    let found = api.violations()[0].clone();
    assert_eq!(found["still_so"], false);
    assert!(found["description"].as_str().unwrap().ends_with("missing in an earlier response"), "{found}");
    let answer = api.analyze();
    let counts = ["tracked_endpoints", "total_requests_analyzed", "clean_endpoints"].map(|name| answer[name].clone());
    assert_eq!(counts, [json!(1), json!(8), json!(0)]);
}

#[test]
fn only_values_of_error_messages_are_kept() {
    let mut api = Api::new();
    for number in 0..3 {
        api.answer("/api", 200, &json!({ "owner": "Ann-secret", "n": number, "list": ["Ann-secret"] }));
    }
    api.answer("/api", 200, &json!({ "owner": 12_345_678, "new": "Ann-secret", "list": [{ "a": "Ann-secret" }] }));
    api.answer("/api", 500, &json!({ "error": "no such owner" }));
    let said = format!("{:?}{:?}", api.analyze(), api.session.contracts.report(&EndpointFilter::default()));
    assert!(!said.contains("Ann-secret") && !said.contains("12345678"), "{said}");
    assert!(!format!("{:?}", api.session.contracts).contains("Ann-secret"));
}

#[test]
fn graphql_operations_are_endpoints() {
    let mut api = Api::new();
    for _ in 0..3 {
        api.graphql("GetUser", &json!({ "data": { "user": { "home": { "city": "x" } } } }));
        api.graphql("GetCart", &json!({ "data": { "cart": [] } }));
    }
    assert_eq!(api.violations(), Vec::<Value>::new());
    api.graphql("GetUser", &json!({ "data": { "user": { "home": {} } } }));
    let found = api.violations();
    assert_eq!(
        (&found[0]["endpoint"], &found[0]["missing_fields"]),
        (&json!("POST /graphql GetUser"), &json!(["data.user.home.city"]))
    );
    // Status 200, but a failure.
    api.graphql("GetCart", &json!({ "data": null, "errors": [{ "message": "no" }] }));
    let found = api.violations();
    let spike = found.iter().find(|found| found["type"] == "error_spike").unwrap();
    assert_eq!((&spike["endpoint"], &spike["severity"]), (&json!("POST /graphql GetCart"), &json!("warning")));
    assert_eq!(found.len(), 2, "{found:?}");
}

#[test]
fn responses_that_are_not_json_are_counted_and_not_compared() {
    let mut api = Api::new();
    let bare = |content_type: Option<&str>, text: Option<&str>, initiator: Option<&str>| NetworkBody {
        url: Some("/x".to_owned()),
        status: Some(200),
        content_type: content_type.map(str::to_owned),
        response_body: text.map(str::to_owned),
        initiator: initiator.map(str::to_owned),
        ..NetworkBody::default()
    };
    for (content_type, text, initiator) in [
        (Some("text/html"), Some("<p>"), Some("fetch")),
        (Some("text/html"), Some("{}"), Some("fetch")),
        (Some("image/png"), None, Some("img")),
        (None, Some("plain"), None),
        (None, None, None),
    ] {
        api.post(bare(content_type, text, initiator));
        assert_eq!(api.session.contracts.len(), 0, "{content_type:?} {text:?}");
    }
    api.post(NetworkBody { status: Some(0), ..bare(Some("application/json"), None, Some("fetch")) });
    assert_eq!(api.session.contracts.len(), 0, "no answer came");
    for (content_type, text, initiator) in [
        (Some("application/json"), None, None),
        (Some("application/json"), Some(""), None),
        (Some("application/problem+json; charset=utf-8"), Some("{\"a\":"), None),
        (None, None, Some("fetch")),
    ] {
        api.post(bare(content_type, text, initiator));
    }
    let endpoint = api.endpoint();
    assert_eq!((&endpoint["call_count"], &endpoint["not_compared"]), (&json!(4), &json!(3)), "{endpoint}");
    assert_eq!((endpoint.get("consistency"), endpoint.get("established_shape")), (None, None));
}

#[test]
fn thirty_endpoints_are_followed() {
    let mut api = Api::new();
    let most = limits::API_ENDPOINTS;
    let name = |number: usize| format!("/e{number}");
    for number in 0..most {
        api.answer(&name(number), 200, &json!({}));
        assert_eq!(api.analyze()["tracked_endpoints"], number + 1);
    }
    api.answer(&name(0), 200, &json!({}));
    assert_eq!(api.analyze().get("endpoints_forgotten"), None);
    api.answer("/new", 200, &json!({}));
    let answer = api.analyze();
    assert_eq!((&answer["tracked_endpoints"], &answer["endpoints_forgotten"]), (&json!(most), &json!(1)));
    let coverage = |part: &str| api.session.contracts.coverage(&only(part)).tracked;
    assert_eq!((coverage("/e0"), coverage("/e1") > 0), (1, true), "called again, so it stays");
    let names: Vec<Value> = json!(api.session.contracts.report(&EndpointFilter::default()))["endpoints"]
        .as_array()
        .unwrap()
        .iter()
        .map(|endpoint| endpoint["endpoint"].clone())
        .collect();
    assert_eq!(names[0], "GET /new");
    assert!(!names.contains(&json!("GET /e1")), "the least recently called one left");
    api.session.contracts.clear(&only("/e5"));
    assert_eq!(api.analyze()["endpoints_forgotten"], 1, "it may have been another one");
    api.session.contracts.clear(&EndpointFilter::default());
    assert_eq!(api.analyze().get("endpoints_forgotten"), None);
}

#[test]
fn an_endpoint_keeps_twenty_statuses_and_ten_violations() {
    let mut api = Api::new();
    for _ in 0..limits::API_STATUS_HISTORY {
        api.answer("/s", 200, &json!({}));
    }
    api.answer("/s", 500, &json!({}));
    let history = api.violations()[0]["status_history"].as_array().unwrap().clone();
    assert_eq!((history.len(), history.last()), (limits::API_STATUS_HISTORY, Some(&json!(500))));
    assert_eq!(api.endpoint()["status_codes"], json!({ "200": 20, "500": 1 }), "these are all counted");

    let mut api = Api::new();
    for _ in 0..3 {
        api.answer("/v", 200, &json!({ "a": 1 }));
    }
    let most = limits::API_VIOLATIONS;
    for number in 0..=most {
        api.answer("/v", 200, &json!({ "a": 1, format!("new{number}x"): 1 }));
        let answer = api.analyze();
        assert_eq!(answer["violations"].as_array().unwrap().len(), (number + 1).min(most));
        assert_eq!(answer.get("violations_left_out").is_some(), number == most);
    }
    assert!(!format!("{:?}", api.violations()).contains("new0x"), "the oldest goes");
}

#[test]
fn answers_stay_small_however_much_was_learned() {
    let mut api = Api::new();
    let wide = |kind: Value| -> Value {
        (0..limits::API_SHAPE_FIELDS)
            .map(|n| (format!("{:x<60}{n}", "field"), kind.clone()))
            .collect::<Map<_, _>>()
            .into()
    };
    for endpoint in 0..limits::API_ENDPOINTS {
        for _ in 0..3 {
            api.answer(&format!("/e{endpoint}"), 200, &wide(json!(1)));
        }
        api.answer(&format!("/e{endpoint}"), 200, &wide(json!("x")));
    }
    for answer in [api.analyze(), json!(api.session.contracts.report(&EndpointFilter::default()))] {
        assert!(answer.to_string().len() <= limits::ANSWER_BYTES);
        let left_out = answer.as_object().unwrap().iter().find(|(name, _)| name.ends_with("_left_out")).unwrap().1;
        assert!(left_out.as_u64().unwrap() > 0);
    }
}

#[test]
fn one_wide_violation_leaves_room_for_the_others() {
    let mut api = Api::new();
    let wide: Value = (0..limits::API_SHAPE_FIELDS)
        .map(|n| (format!("{:x<60}{n:03}", "field"), json!(1)))
        .collect::<Map<_, _>>()
        .into();
    for endpoint in 0..20 {
        for _ in 0..3 {
            api.answer(&format!("/e{endpoint}"), 200, &wide);
        }
        api.answer(&format!("/e{endpoint}"), 200, &json!({}));
    }
    let answer = api.analyze();
    let found = answer["violations"].as_array().unwrap();
    assert_eq!((found.len(), answer.get("violations_left_out")), (20, None));
    assert_eq!(
        found[0]["missing_fields_left_out"],
        limits::API_SHAPE_FIELDS - found[0]["missing_fields"].as_array().unwrap().len()
    );
    assert!(
        found[0]["description"].as_str().unwrap().contains(" and 147 more were present in 3 responses"),
        "{found:?}"
    );
    assert_eq!(found[0]["expected_shape"]["…"], "more");
}

#[test]
fn endpoints_that_are_not_shown_are_named() {
    let mut api = Api::new();
    let wide = |kind: Value| -> Value {
        (0..10).map(|n| (format!("{:x<60}{n}", "f"), kind.clone())).collect::<Map<_, _>>().into()
    };
    for endpoint in 0..limits::API_ENDPOINTS {
        for _ in 0..3 {
            api.answer(&format!("/e{endpoint}x"), 200, &wide(json!(1)));
        }
        api.answer(&format!("/e{endpoint}x"), 200, &wide(json!("x")));
    }
    let answer = api.analyze();
    assert!(answer.to_string().len() <= limits::ANSWER_BYTES);
    let shown = answer["violations"].to_string();
    let named = answer["left_out_endpoints"].to_string();
    for endpoint in 0..limits::API_ENDPOINTS {
        let name = format!("\"GET /e{endpoint}x\"");
        assert!(shown.contains(&name) || named.contains(&name), "{name}: {named}");
    }
}

#[test]
fn the_same_path_of_two_hosts_is_two_endpoints() {
    let mut api = Api::new();
    let names = |api: &Api| -> Vec<String> {
        let report = api.session.contracts.report(&EndpointFilter::default());
        json!(report)["endpoints"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["endpoint"].as_str().unwrap().to_owned())
            .collect()
    };
    for _ in 0..3 {
        api.answer("https://a.example/status", 200, &json!({ "a": 1 }));
    }
    assert_eq!(names(&api), ["GET /status"], "one host needs no name");
    for _ in 0..3 {
        api.answer("https://b.example:8443/status", 200, &json!({ "b": 1 }));
    }
    assert_eq!(api.violations(), Vec::<Value>::new());
    assert_eq!(names(&api), ["GET b.example:8443/status", "GET a.example/status"]);
    api.answer("https://a.example/status", 200, &json!({}));
    let found = api.violations();
    assert_eq!((found.len(), &found[0]["endpoint"]), (1, &json!("GET a.example/status")));
    assert_eq!(
        api.session.contracts.coverage(&only("GET a.example/status")).tracked,
        1,
        "as it is told, so it is asked for"
    );
    // A mere path belongs to the page's host.
    api.post(NetworkBody {
        url: Some("/status".to_owned()),
        page_url: Some("https://a.example/shop".to_owned()),
        status: Some(200),
        content_type: Some("application/json".to_owned()),
        response_body: Some("{\"a\":1}".to_owned()),
        ..NetworkBody::default()
    });
    assert_eq!(names(&api).len(), 2);
}

#[test]
fn filters_match_addresses_and_names_whatever_the_id() {
    let mut api = Api::new();
    api.answer("http://localhost:3000/api/users/123/posts?page=1", 200, &json!([]));
    api.answer("http://localhost:4000/health", 200, &json!({}));
    let tracked = |only: Option<&str>, ignored: &[&str]| {
        let ignored = ignored.iter().map(|part| (*part).to_owned()).collect();
        api.session.contracts.coverage(&EndpointFilter { only: only.map(str::to_owned), ignored }).tracked
    };
    for (only, ignored, expected) in [
        (None, &[][..], 2),
        (Some("/api/"), &[], 1),
        (Some("/users/456"), &[], 1),
        (Some("/users/:id/posts"), &[], 1),
        (Some("GET /api"), &[], 1),
        (Some("localhost:3000"), &[], 1),
        (Some("localhost:3000/api"), &[], 1),
        (Some("/nowhere"), &[], 0),
        (None, &["/health"], 1),
        (None, &["/health", "/users"], 0),
        (Some("/api"), &["posts"], 0),
    ] {
        assert_eq!(tracked(only, ignored), expected, "{only:?} {ignored:?}");
    }
}

#[test]
fn evicted_bodies_are_remembered_and_buffered_ones_are_not_learned_twice() {
    let mut api = Api::new();
    for _ in 0..3 {
        api.answer("/early", 200, &json!({ "a": 1 }));
    }
    for _ in 0..limits::NETWORK_ENTRIES {
        api.answer("/late", 200, &json!({}));
    }
    assert_eq!(api.session.store.network.len(), limits::NETWORK_ENTRIES);
    let before = api.analyze();
    assert_eq!((&before["total_requests_analyzed"], &before["tracked_endpoints"]), (&json!(103), &json!(2)));
    assert_eq!(api.analyze(), before, "asking again counts nothing again");
    assert_eq!(api.session.contracts.clear(&only("/late")), 1);
    assert_eq!(api.analyze()["total_requests_analyzed"], 3);
    assert_eq!(api.session.contracts.clear(&EndpointFilter::default()), 1);
    assert_eq!(api.analyze()["total_requests_analyzed"], 0, "what is still buffered stays forgotten");
    api.answer("/late", 200, &json!({}));
    assert_eq!(api.analyze()["total_requests_analyzed"], 1);
}
