//! The formats of a report.

use std::str::FromStr;

/// A format of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// For a terminal.
    Text,
    /// For programs.
    Json,
    /// For a model: the cause of each failure in less than 500 tokens.
    AiContext,
    /// For dashboards of CI systems.
    Junit,
    /// For the summary page of a job.
    Markdown,
}

impl Format {
    /// Every format with the name that callers use for it.
    pub const ALL: [(Self, &'static str); 5] = [
        (Self::Text, "text"),
        (Self::Json, "json"),
        (Self::AiContext, "ai-context"),
        (Self::Junit, "junit"),
        (Self::Markdown, "markdown"),
    ];

    /// The HTTP content type of a report in this format.
    pub fn content_type(self) -> &'static str {
        match self {
            Self::Text => "text/plain; charset=utf-8",
            Self::Json => "application/json",
            Self::AiContext | Self::Markdown => "text/markdown; charset=utf-8",
            Self::Junit => "application/xml; charset=utf-8",
        }
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let known = Self::ALL.iter().find(|(_, known)| *known == name).map(|(format, _)| *format);
        known.ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|(_, name)| *name).collect();
            format!("unknown format `{name}`: expected one of {}", names.join(", "))
        })
    }
}
