//! What has to be done before anything can be said about an issue that is absent.

/// Why an absent issue is not called resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Missing {
    /// These steps have to be repeated.
    Repeat(String),
    /// Nothing that anyone does would show whether it persists; why, and what to do instead.
    Unprovable(String),
    /// The steps were repeated, and the error may still happen.
    Wait { seconds: i64 },
}

impl Missing {
    pub(super) fn of_wait(millis: i64) -> Self {
        Self::Wait { seconds: millis.saturating_add(999) / 1_000 }
    }

    pub(super) fn text(&self) -> String {
        match self {
            Self::Repeat(text) | Self::Unprovable(text) => text.clone(),
            Self::Wait { seconds } => {
                format!("the steps were repeated: wait {seconds} s more, the error may still come")
            }
        }
    }

    pub(super) fn is_unprovable(&self) -> bool {
        matches!(self, Self::Unprovable(_))
    }

    pub(super) fn wait_seconds(&self) -> Option<i64> {
        if let Self::Wait { seconds } = self { Some(*seconds) } else { None }
    }
}
