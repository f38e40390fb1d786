//! How similar two things from different time spans are.

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Likeness {
    Other,
    /// The same except for a detail that rarely matters: a number, the query of an address, the content of a request.
    Near,
    Same,
}

impl Likeness {
    /// For two things that are at least near.
    pub(super) fn same_if(is_same: bool) -> Self {
        if is_same { Self::Same } else { Self::Near }
    }
}
