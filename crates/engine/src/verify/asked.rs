//! Recognises a request when it is sent again, whatever its response.

use super::content::same_content;
use super::likeness::Likeness;
use super::page::{Page, request_origin};
use super::same::{endpoint, is_shared, same_address};
use crate::entry::Request;

/// Identifiers in the path are ignored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Asked {
    pub(super) page: Option<Page>,
    /// Method, path, and the operation where one path serves many.
    name: String,
    origin: String,
    /// A hash of the whole address, with identifiers and query.
    address: u64,
    /// A hash of the request body.
    content: Option<u64>,
    /// Whether one address serves many operations and this request's operation is unknown.
    pub(super) is_shared: bool,
    /// Whether the handler of a user event sent it.
    pub(super) by_user: bool,
    /// Whether it failed.
    pub(super) is_failed: bool,
}

impl Asked {
    pub(super) fn from_request(body: &Request) -> Self {
        let page = body.page_url.as_deref();
        let (endpoint, url) = endpoint(body);
        Self {
            page: page.map(Page::from_url),
            is_shared: endpoint.operation.is_none() && is_shared(&endpoint.name),
            name: endpoint.name,
            origin: request_origin(&url, page),
            address: same_address(&url),
            content: body.request_body.as_deref().map(same_content),
            by_user: body.trigger.is_some(),
            is_failed: matches!(body.status, Some(0 | 400..)),
        }
    }

    pub(super) fn likeness(&self, other: &Self) -> Likeness {
        if !self.is_same(other) {
            return Likeness::Other;
        }
        Likeness::same_if(self.address == other.address && self.has_same_content(other))
    }

    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.page == other.page && self.origin == other.origin && self.name == other.name
    }

    /// Whether the request bodies are equal, as far as that is known.
    pub(super) fn has_same_content(&self, other: &Self) -> bool {
        self.content.is_none() || other.content.is_none() || self.content == other.content
    }

    pub(super) fn text(&self) -> &str {
        &self.name
    }

    pub(super) fn bytes(&self) -> usize {
        self.page.as_ref().map_or(0, Page::bytes) + self.name.len() + self.origin.len()
    }
}
