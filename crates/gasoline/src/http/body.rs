//! Reads a request's body, within its size and its time.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::header;
use http_body_util::BodyExt as _;
use wire::limits;

use super::HttpError;

/// A whole body of at most [`limits::REQUEST_BYTES`].
pub(super) struct Body(pub(super) Bytes);

impl<S: Send + Sync> FromRequest<S> for Body {
    type Rejection = HttpError;

    async fn from_request(request: Request, _: &S) -> Result<Self, HttpError> {
        const TOO_LARGE: HttpError = HttpError::TooLarge { limit: limits::REQUEST_BYTES };
        let stated =
            request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        if stated.is_some_and(|length: usize| length > limits::REQUEST_BYTES) {
            return Err(TOO_LARGE);
        }
        let limited = http_body_util::Limited::new(request.into_body(), limits::REQUEST_BYTES);
        match tokio::time::timeout(Duration::from_secs(limits::REQUEST_READ_SECONDS), limited.collect()).await {
            Ok(Ok(body)) => Ok(Self(body.to_bytes())),
            Ok(Err(error)) if error.is::<http_body_util::LengthLimitError>() => Err(TOO_LARGE),
            Ok(Err(error)) => Err(HttpError::BadRequest(format!("the body broke off: {error}"))),
            Err(_) => Err(HttpError::TooSlow),
        }
    }
}
