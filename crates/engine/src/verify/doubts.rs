//! The warnings of an uncertain verdict, in as many lines as people read.

const MOST: usize = 8;

pub(super) fn bounded(doubts: Vec<String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for doubt in doubts {
        if !kept.contains(&doubt) {
            kept.push(doubt);
        }
    }
    if let more @ 1.. = kept.len().saturating_sub(MOST) {
        kept.truncate(MOST);
        kept.push(format!("{more} more reasons to doubt what is called resolved"));
    }
    kept
}
