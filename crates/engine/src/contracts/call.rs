//! The part of a request that concerns its endpoint's contract. It is made before the store is locked: reading a body
//! takes longer than storing it.

use wire::limits;

use super::endpoint::Endpoint;
use super::shape::{Elements, Fields, Shape};
use crate::entry::Request;

/// A request, read for its endpoint's contract.
#[derive(Debug)]
pub struct Call {
    pub(super) endpoint: Endpoint,
    pub(super) status: u16,
    pub(super) body: Body,
    /// Whether it looks like an API call. Other requests are only followed where an API call was seen before.
    pub(super) is_api: bool,
}

#[derive(Debug)]
pub(super) enum Body {
    Json(Shape),
    /// JSON was expected, but it was not captured, or was cut.
    Unread,
    /// An HTML page where JSON may have been expected: development servers send one for unknown addresses.
    Page,
    None,
}

impl Call {
    /// `None` for a request that says nothing about its endpoint: it got no response because the page cancelled it, or
    /// for an unknown reason.
    pub fn from_request(body: &Request) -> Option<Self> {
        let endpoint = Endpoint::from_request(body);
        let Some(status) = body.status.filter(|status| *status > 0) else {
            let is_failure = body.error.as_deref().is_some_and(|error| !error.is_empty()) && !body.is_aborted();
            return is_failure.then_some(Self { endpoint, status: 0, body: Body::None, is_api: false });
        };
        let content_type = body.content_type.as_deref().unwrap_or_default().to_ascii_lowercase();
        let says_json = content_type.contains("json");
        let text = body.response_body.as_deref().unwrap_or_default();
        let looks_json = text.trim_start().starts_with(['{', '[']) && !content_type.contains("html");
        // GraphQL's `data` adds one level above what other APIs have at the top.
        let levels = limits::API_SHAPE_LEVELS + usize::from(endpoint.operation.is_some());
        let shape = if says_json || looks_json { Shape::read(text, levels) } else { None };
        let by_script = matches!(body.initiator.as_deref(), Some("fetch" | "xhr"));
        // What a link or a frame loads is meant to be a page.
        let is_page = content_type.contains("html") && (by_script || body.initiator.is_none()) && status != 204;
        let is_api = says_json || shape.is_some() || (by_script && content_type.is_empty());
        let body = match shape {
            Some(shape) => Body::Json(shape),
            None if says_json && status != 204 => Body::Unread,
            None if is_page => Body::Page,
            None => Body::None,
        };
        Some(Self { endpoint, status, body, is_api })
    }

    pub(super) fn outcome(&self) -> Outcome {
        match self.status {
            200..=299 if self.is_failed_graphql() => Outcome::Failure,
            200..=299 => Outcome::Success,
            0 | 400.. => Outcome::Failure,
            _ => Outcome::Neither,
        }
    }

    /// GraphQL answers with 200 even to failures; a response without data is one.
    fn is_failed_graphql(&self) -> bool {
        let (true, Body::Json(Shape::Object(Fields { named, .. }))) = (self.endpoint.operation.is_some(), &self.body)
        else {
            return false;
        };
        matches!(named.get("errors"), Some(Shape::Array(Elements { first: Some(_), .. })))
            && matches!(named.get("data"), None | Some(Shape::Null))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Success,
    Failure,
    /// A redirect, or "not modified": it neither keeps nor breaks the contract.
    Neither,
}
