//! How many tokens a text takes, rather too many than too few.
//!
//! Models cut text in their own ways, and none of their tables belongs in here. What they share: common words are one
//! token, other letters go in small groups, digits in groups of three, signs mostly one by one. A test with a real
//! tokenizer holds the reports that are cut by this estimate to their bound.

/// Letters in a token, where they make no common word.
const LETTERS: usize = 4;
/// The same where letters and digits alternate, as in ids and hashes.
const MIXED: usize = 2;
const DIGITS: usize = 3;

/// An estimate from above.
pub fn estimate(text: &str) -> usize {
    let mut tokens = 0;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (taken, cost) = match first {
            ' ' => spaces(rest),
            c if c.is_ascii_alphanumeric() => word(rest),
            c if c.is_ascii() => (1, 1),
            // One to three bytes make a token, outside the languages that tables are made for.
            c => (c.len_utf8(), c.len_utf8() - 1),
        };
        tokens += cost;
        rest = rest.get(taken..).unwrap_or_default();
    }
    tokens
}

/// One space belongs to the word after it.
fn spaces(text: &str) -> (usize, usize) {
    let len = text.bytes().take_while(|byte| *byte == b' ').count();
    (len, usize::from(len > 1))
}

fn word(text: &str) -> (usize, usize) {
    let bytes = text.as_bytes();
    let len = bytes.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let word = bytes.get(..len).unwrap_or_default();
    let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
    // `innerHTML` turns twice, a hash all the time.
    let turns = word.windows(2).filter(|pair| class(pair.first()) != class(pair.last())).count();
    let cost = if digits == len {
        len.div_ceil(DIGITS)
    } else if turns > 2 && turns * 4 > len {
        len.div_ceil(MIXED)
    } else {
        len.div_ceil(LETTERS) + turns / 2
    };
    (len, cost)
}

fn class(byte: Option<&u8>) -> u8 {
    match byte {
        Some(byte) if byte.is_ascii_digit() => 0,
        Some(byte) if byte.is_ascii_uppercase() => 1,
        _ => 2,
    }
}

/// The beginning of a text in at most so many tokens, with a mark where the rest is missing.
pub fn shorten_to(text: &str, most: usize) -> String {
    if estimate(text) <= most {
        return text.to_owned();
    }
    // The mark itself.
    let most = most.saturating_sub(2);
    let (mut fits, mut too_long) = (0, text.chars().count());
    let start = |chars: usize| text.char_indices().nth(chars).map_or(text, |(end, _)| text.get(..end).unwrap_or(text));
    while fits + 1 < too_long {
        let middle = fits.midpoint(too_long);
        if estimate(start(middle)) <= most { fits = middle } else { too_long = middle }
    }
    format!("{}…", start(fits).trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_numbers_and_signs() {
        for (text, tokens) in [
            ("", 0),
            ("test", 1),
            (" test", 1),
            ("checkout", 2),
            ("123", 1),
            ("1234", 2),
            ("a b", 2),
            ("a  b", 3),
            ("{}", 2),
            ("→", 2),
            ("é", 1),
            ("日本", 4),
        ] {
            assert_eq!(estimate(text), tokens, "{text}");
        }
        assert_eq!(estimate("a1b2c3d4e5f6"), 6, "a hash has no words in it");
        assert_eq!(estimate("innerHTML"), 3);
    }

    #[test]
    fn what_is_too_long_is_cut_with_a_mark() {
        assert_eq!(shorten_to("one two three", 10), "one two three");
        for most in 2..12 {
            let cut = shorten_to("one two three four five six seven eight nine", most);
            assert!(estimate(&cut) <= most, "{cut}: {} of {most}", estimate(&cut));
            assert!(cut.ends_with('…'), "{cut}");
        }
        assert_eq!(shorten_to("日本語のテキストです", 8), "日本語…");
    }
}
