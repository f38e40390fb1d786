//! Estimates how many tokens a text takes; rather too many than too few.
//!
//! Each model has its own tokenizer, and this crate contains none of their tables. They agree on this much: common
//! words are one token, other letters form small groups, digits groups of three, and punctuation is mostly one token
//! each. A test with a real tokenizer verifies that reports cut by this estimate stay within their limit.

/// Letters in a token, where they do not form a common word.
const LETTERS: usize = 4;
const DIGITS: usize = 3;
/// This many consonants in a row are not a word in any language.
const UNPRONOUNCEABLE: usize = 5;

/// An upper estimate of the text's tokens.
pub fn estimate(text: &str) -> usize {
    let mut tokens = 0;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (taken, cost) = match first {
            ' ' => spaces(rest),
            c if c.is_ascii_alphanumeric() => word(rest),
            c if c.is_ascii() => (1, 1),
            // Outside the languages that tokenizers are made for, one to three bytes make a token.
            c => (c.len_utf8(), c.len_utf8() - 1),
        };
        tokens += cost;
        rest = rest.get(taken..).unwrap_or_default();
    }
    tokens
}

/// One space belongs to the next word.
fn spaces(text: &str) -> (usize, usize) {
    let len = text.bytes().take_while(|byte| *byte == b' ').count();
    (len, usize::from(len > 1))
}

/// Letters and digits, piece by piece: `checkoutV2` has three pieces, a hash has many.
fn word(text: &str) -> (usize, usize) {
    let bytes = text.as_bytes();
    let len = bytes.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let mut rest = bytes.get(..len).unwrap_or_default();
    let (mut cost, mut pieces) = (0, 0);
    while let Some(first) = rest.first() {
        let same = |byte: &&u8| class(byte) == class(first);
        let mut piece = rest.iter().take_while(same).count();
        // A capital letter belongs to the lower-case letters after it.
        if piece == 1 && first.is_ascii_uppercase() {
            piece += rest.iter().skip(1).take_while(|byte| byte.is_ascii_lowercase()).count();
        }
        let (taken, left) = rest.split_at(piece.min(rest.len()));
        cost += if first.is_ascii_digit() {
            piece.div_ceil(DIGITS)
        } else if piece >= UNPRONOUNCEABLE && !taken.iter().any(is_vowel) {
            (piece * 2).div_ceil(3)
        } else {
            piece.div_ceil(LETTERS)
        };
        pieces += 1;
        rest = left;
    }
    // Many pieces of two or three letters are not words either, whatever they look like.
    if pieces > 3 && pieces * 3 > len {
        cost = cost.max((len * 2).div_ceil(3));
    }
    (len, cost)
}

fn is_vowel(byte: &u8) -> bool {
    matches!(byte.to_ascii_lowercase(), b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

fn class(byte: &u8) -> u8 {
    match byte {
        byte if byte.is_ascii_digit() => 0,
        byte if byte.is_ascii_uppercase() => 1,
        _ => 2,
    }
}

/// The start of a text in at most `most` tokens, with a mark where the rest is missing.
pub fn shorten_to(text: &str, most: usize) -> String {
    if estimate(text) <= most {
        return text.to_owned();
    }
    // Room for the mark itself.
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
    fn words_numbers_and_punctuation_are_counted() {
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
        assert_eq!(estimate("a1b2c3d4e5f6"), 12, "a hash has no words in it");
        assert_eq!(estimate("innerHTML"), 3);
        assert_eq!(estimate("CheckoutPage"), 3);
        assert_eq!(estimate("bcdfghjk"), 6, "no word either");
    }

    #[test]
    fn a_long_text_is_cut_with_a_mark() {
        assert_eq!(shorten_to("one two three", 10), "one two three");
        for most in 2..12 {
            let cut = shorten_to("one two three four five six seven eight nine", most);
            assert!(estimate(&cut) <= most, "{cut}: {} of {most}", estimate(&cut));
            assert!(cut.ends_with('…'), "{cut}");
        }
        assert_eq!(shorten_to("日本語のテキストです", 8), "日本語…");
    }
}
