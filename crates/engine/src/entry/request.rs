//! Requests, with their bodies where the user allows capturing them.

use wire::network::Cookie;
use wire::{Headers, NetworkBody, Timestamp, limits};

use super::{Arrival, Parse, Refusal, page_of, time_of};
use crate::redact::{Redact, Scrubber};

/// The browsers' messages for a request that the page cancelled.
const ABORTED: [&str; 4] =
    ["aborted", "the user aborted a request", "the operation was aborted", "signal is aborted without reason"];
/// Cookies of one response that are kept.
const COOKIES: usize = 50;

entry! {
    /// One request and its response.
    #[serde(tag = "type", rename = "network_body")]
    pub struct Request from NetworkBody {
        #[serde(rename = "ts")]
        at: Timestamp,
        /// In capitals.
        method: String,
        url: String,
    } optional {
        /// 0 when no response arrived; absent when the sender does not know the status.
        status: u16,
        #[serde(rename = "requestBody")]
        request_body: String,
        #[serde(rename = "responseBody")]
        response_body: String,
        #[serde(rename = "contentType")]
        content_type: String,
        /// Milliseconds.
        duration: f64,
        #[serde(rename = "requestHeaders")]
        request_headers: Headers,
        #[serde(rename = "responseHeaders")]
        response_headers: Headers,
        #[serde(rename = "hasAuthHeader")]
        has_auth_header: bool,
        #[serde(rename = "requestSize")]
        request_size: u64,
        #[serde(rename = "responseSize")]
        response_size: u64,
        truncated: bool,
        #[serde(rename = "pageUrl")]
        page_url: String,
        error: String,
        #[serde(rename = "requestId")]
        request_id: String,
        initiator: String,
        stack: String,
        trigger: String,
        cookies: Vec<Cookie>,
    } addresses {
        request => [Some(&request.url), request.page_url.as_deref(), None]
    }
}

impl Request {
    /// Whether the page itself cancelled it.
    pub(crate) fn is_aborted(&self) -> bool {
        let Some(error) = self.error.as_deref() else { return false };
        let error = error.trim().trim_end_matches('.').to_ascii_lowercase();
        let reason =
            error.strip_prefix("aborterror").map_or(error.as_str(), |rest| rest.trim_start_matches([':', ' ']));
        ABORTED.contains(&reason) || error.starts_with("aborterror")
    }

    /// The size of a body before it was cut; `None` for a whole one.
    pub(crate) fn cut_from(&self, size: Option<u64>) -> Option<u64> {
        size.filter(|_| self.truncated == Some(true))
    }

    /// Whether a request or response body was captured.
    pub fn has_body(&self) -> bool {
        self.request_body.is_some() || self.response_body.is_some()
    }
}

impl Parse for Request {
    type Wire = NetworkBody;

    fn parse(mut wire: NetworkBody, arrival: Arrival<'_>) -> Result<Self, Refusal> {
        let url = wire.url.take().filter(|url| !url.is_empty()).ok_or("a network body needs `url`")?;
        let method = wire.method.take().map_or_else(|| "GET".to_owned(), |method| method.to_ascii_uppercase());
        wire.page_url = page_of(&mut wire.page_url, arrival);
        if wire.cookies.is_none()
            && let Some(headers) = &wire.response_headers
            && let Some((_, set)) = headers.0.iter().find(|(name, _)| name.eq_ignore_ascii_case("set-cookie"))
        {
            // Values are dropped, but the flags of a cookie are worth knowing.
            wire.cookies = Some(set.lines().filter_map(cookie).take(COOKIES).collect());
        }
        for (size, body, most) in [
            (&mut wire.request_size, &wire.request_body, limits::REQUEST_BODY_BYTES),
            (&mut wire.response_size, &wire.response_body, limits::RESPONSE_BODY_BYTES),
        ] {
            // The body is cut to what is kept, and the sender may not have given its size.
            let cut_from = body.as_ref().map(String::len).filter(|length| *length > most);
            *size = size.or(cut_from.map(|length| length as u64));
        }
        Ok(Self::with(time_of(&wire, arrival), method, url, wire))
    }
}

fn cookie(line: &str) -> Option<Cookie> {
    let mut parts = line.split(';').map(str::trim);
    let (name, _) = parts.next()?.split_once('=')?;
    let mut cookie =
        Cookie { name: Some(name.trim().to_owned()), secure: Some(false), http_only: Some(false), same_site: None };
    for flag in parts {
        let (flag, value) = flag.split_once('=').unwrap_or((flag, ""));
        match flag.to_ascii_lowercase().as_str() {
            "secure" => cookie.secure = Some(true),
            "httponly" => cookie.http_only = Some(true),
            "samesite" => cookie.same_site = Some(value.trim().to_owned()),
            _ => {}
        }
    }
    Some(cookie)
}

impl Redact for Request {
    fn scrub(&mut self, scrubber: &mut Scrubber<'_>) {
        let Self {
            at: _,
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
        scrubber.text("url", url);
        scrubber.url("pageUrl", page_url);
        scrubber.text("method", method);
        for (field, text) in [
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

pub(super) fn scrub_cookies(cookies: &mut Option<Vec<Cookie>>, scrubber: &mut Scrubber<'_>) {
    for Cookie { name, secure: _, http_only: _, same_site } in cookies.iter_mut().flatten() {
        scrubber.opt_text("cookies", name);
        // The page's server chose this text, so only its valid values are kept.
        if !same_site
            .as_deref()
            .is_none_or(|value| ["lax", "strict", "none"].iter().any(|known| value.eq_ignore_ascii_case(known)))
        {
            *same_site = None;
        }
    }
}
