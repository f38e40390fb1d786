//! How like two things are that stand in different windows of time.

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Likeness {
    Other,
    /// The same but for something that is mostly of no account: a number, the query of an address, the content of a request.
    Near,
    Same,
}

impl Likeness {
    /// Of two things that are at least near.
    pub(super) fn same_if(is_same: bool) -> Self {
        if is_same { Self::Same } else { Self::Near }
    }
}
