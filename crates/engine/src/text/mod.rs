//! Cuts texts to a length and repairs characters that were cut in half.

mod whole_characters;

pub use whole_characters::whole_characters;

/// `1 issue`, `3 issues`.
pub fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// At most `most` characters, with a mark where some are missing.
pub fn shorten(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
