//! Captured text as one line of a report: without line breaks and without control sequences that a terminal obeys.

/// Removes colours and other control sequences and replaces line breaks; the result is a single line.
pub(super) fn one_line(text: &str) -> String {
    let text = without_orders(text);
    let words: Vec<&str> =
        text.split(|c: char| c.is_control() || c.is_whitespace()).filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

/// The same, but keeps line breaks.
pub(super) fn lines(text: &str) -> String {
    without_orders(text).chars().filter(|c| *c == '\n' || *c == '\t' || !c.is_control()).collect()
}

/// `ESC [ 31 m` and the like.
fn without_orders(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        out.push_str(before);
        rest = match after.strip_prefix('[') {
            Some(order) => {
                let end = order.find(|c: char| ('@'..='~').contains(&c));
                end.and_then(|end| order.get(end + 1..)).unwrap_or_default()
            }
            None => after,
        };
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_adds_a_line_or_a_colour() {
        for (text, line) in [
            ("plain", "plain"),
            ("a\nb\r\n  c\td", "a b c d"),
            ("\u{1b}[31mred\u{1b}[0m", "red"),
            ("a\u{1b}[2Jb\u{7}c\u{0}d", "ab c d"),
            ("cut \u{1b}[3", "cut"),
            ("\u{1b}lone", "lone"),
            ("日本\u{85}語", "日本 語"),
        ] {
            assert_eq!(one_line(text), line, "{text:?}");
        }
        assert_eq!(lines("a\u{1b}[1mb\n\u{0}c"), "ab\nc");
    }
}
