//! What has to happen before anything can be said of an issue that is not there any more.

/// Why something that did not come again is not called resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Missing {
    /// These steps.
    Repeat(String),
    /// Nothing that anybody does shows what became of it; why, and what to do instead.
    Unprovable(String),
    /// They were repeated, and it may still come.
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
