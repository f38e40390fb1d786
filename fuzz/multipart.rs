//! What must hold for any multipart body that is uploaded. Shared by the fuzz target and the regular tests.

use std::convert::Infallible;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, header};

#[path = "../crates/gasoline/src/http/drain.rs"]
mod drain;
#[allow(dead_code)]
#[path = "../crates/gasoline/src/http/error.rs"]
mod error;
#[path = "../crates/gasoline/src/http/upload.rs"]
mod upload;

use self::error::HttpError;
use self::upload::Upload;

const STALL: Duration = Duration::from_secs(600);

/// The name and the content of every part, and whether the body came to its end.
#[derive(Debug, PartialEq, Eq)]
struct Parts {
    parts: Vec<(String, Vec<u8>)>,
    is_whole: bool,
}

thread_local! {
    static RUNTIME: tokio::runtime::Runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
}

/// The first byte says in how large pieces the body comes, the first line is the header's boundary, the rest the body.
pub fn check(input: &[u8]) {
    let Some((&first, rest)) = input.split_first() else { return };
    let end = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
    let (boundary, body) = (&rest[..end], rest.get(end + 1..).unwrap_or_default());
    let Ok(content_type) = HeaderValue::from_bytes(&[b"multipart/form-data; boundary=", boundary].concat()) else {
        return;
    };
    let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, content_type)]);

    let whole = at_once(read(&headers, body, body.len().max(1)));
    let pieces = at_once(read(&headers, body, usize::from(first % 16) + 1));
    match (whole, pieces) {
        (None, None) => {}
        (Some(whole), Some(pieces)) => {
            let held: usize = whole.parts.iter().map(|(name, content)| name.len() + content.len()).sum();
            assert!(held <= body.len() * 3, "nothing comes from nowhere");
            if whole.is_whole || pieces.is_whole {
                assert_eq!(whole, pieces, "the same in pieces");
            }
        }
        other => panic!("the header alone decides: {other:?}"),
    }
}

/// Nothing here waits for anything outside, so it is only asked again. That is quicker than letting a runtime do it.
fn at_once<T>(work: impl Future<Output = T>) -> T {
    RUNTIME.with(|runtime| {
        let _timers = runtime.enter();
        let mut work = pin!(work);
        for _ in 0..1_000_000 {
            if let Poll::Ready(outcome) = work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                return outcome;
            }
        }
        panic!("it never ends")
    })
}

async fn read(headers: &HeaderMap, body: &[u8], piece: usize) -> Option<Parts> {
    let pieces: Vec<Result<Bytes, Infallible>> =
        body.chunks(piece).map(|piece| Ok(Bytes::copy_from_slice(piece))).collect();
    let body = Body::from_stream(futures_util::stream::iter(pieces));
    let mut upload = match Upload::new(headers, body, STALL) {
        Ok(upload) => upload,
        Err(HttpError::BadRequest(why)) => {
            assert!(!why.is_empty(), "a refusal has its reason");
            return None;
        }
        Err(other) => panic!("{other:?}"),
    };
    let mut read = Parts { parts: Vec::new(), is_whole: false };
    let outcome = receive(&mut upload, &mut read.parts).await;
    match outcome {
        Ok(()) => read.is_whole = true,
        Err(HttpError::BadRequest(_)) => upload.drain().await,
        Err(other) => panic!("{other:?}"),
    }
    Some(read)
}

async fn receive(upload: &mut Upload, parts: &mut Vec<(String, Vec<u8>)>) -> Result<(), HttpError> {
    while let Some(mut part) = upload.next_part().await? {
        let mut content = Vec::new();
        while let Some(chunk) = part.chunk().await? {
            content.extend_from_slice(&chunk);
        }
        parts.push((part.name().to_owned(), content));
    }
    Ok(())
}
