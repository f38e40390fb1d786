//! Code that could not be loaded: a lazy chunk that the server does not have.

use super::Cause;
use super::scene::Scene;
use crate::text::shorten;

const WORDS: [&str; 6] = [
    "dynamically imported module",
    "Importing a module script failed",
    "Loading chunk",
    "ChunkLoadError",
    "Loading CSS chunk",
    "Unable to preload CSS",
];

pub(super) fn cause<'a>(scene: &Scene<'a>) -> Option<Cause<'a>> {
    if !WORDS.iter().any(|word| scene.message.contains(word)) {
        return None;
    }
    let address = scene.message.split([' ', '(', ')', '\n']).find(|word| word.contains("://") || word.starts_with('/'));
    let request = scene
        .requests
        .iter()
        .copied()
        .find(|stored| address.is_some_and(|address| stored.entry.url.ends_with(address)));
    let status = request.and_then(|stored| stored.entry.status).or_else(|| status_in(scene, address?));
    let file = address
        .map_or("a lazily loaded chunk".to_owned(), |address| shorten(address.trim_end_matches(['.', ',']), 160));
    let because = match status {
        Some(status) => format!("it was answered with {status}"),
        None => "the browser could not load it".to_owned(),
    };
    let text = format!(
        "{file} could not be loaded: the file is missing on the server (an older page after a new build, or a wrong import path) or the server is away"
    );
    Some(Cause { score: 9, because: vec![because], request, ..Cause::new(text) })
}

/// The status of a failed resource with that address, which may have been reported as a separate entry.
fn status_in(scene: &Scene<'_>, address: &str) -> Option<u16> {
    let entries = scene.session.store.logs.iter().rev();
    entries
        .filter(|stored| stored.entry.request_url.as_deref().is_some_and(|url| url.ends_with(address)))
        .find_map(|stored| stored.entry.status)
}
