//! Card numbers.

/// 13 to 19 digits, in groups or not, with a valid check digit.
pub(crate) fn is_card_number(value: &str) -> bool {
    let digits: Vec<u32> = value.chars().filter_map(|c| c.to_digit(10)).collect();
    // A single dot is a decimal point.
    let dots = value.matches('.').count();
    let only_groups = value.chars().all(|c| c.is_ascii_digit() || matches!(c, ' ' | '-' | '.')) && dots != 1;
    only_groups && (13..=19).contains(&digits.len()) && has_check_digit(&digits)
}

/// Whether the last digit is the check digit that Luhn's formula gives for the others.
pub(crate) fn has_check_digit(digits: &[u32]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, &digit)| match (place % 2, digit * 2) {
            (0, _) => digit,
            (_, doubled) if doubled > 9 => doubled - 9,
            (_, doubled) => doubled,
        })
        .sum();
    sum.is_multiple_of(10)
}
