//! The changes of a text, as lines with `-` and `+`.

use similar::{ChangeTag, TextDiff};

const AROUND: usize = 2;

pub(crate) fn diff(before: &str, after: &str) -> String {
    let compared = TextDiff::from_lines(before, after);
    let mut out = String::new();
    for group in compared.grouped_ops(AROUND) {
        if !out.is_empty() {
            out.push_str("    …\n");
        }
        for change in group.iter().flat_map(|op| compared.iter_changes(op)) {
            let mark = match change.tag() {
                ChangeTag::Equal => ' ',
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
            };
            out.push_str(&format!("  {mark} {}", change.value()));
            if change.missing_newline() {
                out.push('\n');
            }
        }
    }
    out
}
