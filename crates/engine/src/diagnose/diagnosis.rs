//! The answer of a diagnosis, and how it is shortened to its budget.

use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;
use wire::Timestamp;

use crate::answer::Confidence;
use crate::answer::fit::json_len;
use crate::text::shorten;

/// One failure with its likely cause and what happened around it.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Diagnosis {
    /// The failure that is explained.
    pub error: FailedPart,
    /// The likely cause, in one sentence.
    pub cause: String,
    /// How well the evidence supports the cause.
    pub confidence: Confidence,
    /// What supports the cause.
    pub because: Option<Vec<String>>,
    /// The request behind the failure.
    pub request: Option<RequestPart>,
    /// The last user action before the cause.
    pub action: Option<ActionPart>,
    /// What changed in the code, or since the request last worked.
    pub changed: Option<String>,
    /// What else happened within seconds, with milliseconds before (-) or after (+) the failure.
    pub around: Option<Vec<String>>,
    /// What to call next.
    pub next: Option<String>,
}

/// The failure a diagnosis is about.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct FailedPart {
    /// Its id, for other tools.
    pub id: String,
    /// Such as `TypeError`.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// Its message.
    pub message: String,
    /// File, line and column, in the developer's own file if a source map is known.
    pub at: Option<String>,
    /// The line of source code that threw.
    pub code: Option<String>,
    /// The components it happened in, outermost first.
    #[serde(rename = "in")]
    pub component: Option<String>,
    /// How often it happened, if more than once.
    pub count: Option<u64>,
    /// When it happened.
    pub ts: Option<Timestamp>,
}

/// The request a diagnosis blames.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RequestPart {
    /// Its id, for `get_network_bodies`.
    pub id: String,
    /// Method, path, status and duration.
    pub text: String,
    /// What matters of the request body, if the server refused it.
    pub sent: Option<String>,
    /// What matters of the response body.
    pub received: Option<String>,
    /// Whether it carried credentials, if the answer was 401 or 403.
    pub auth_header: Option<bool>,
    /// When the same request last succeeded.
    pub last_worked: Option<Timestamp>,
}

/// The action a diagnosis names.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ActionPart {
    /// Its id, for `get_enhanced_actions`.
    pub id: String,
    /// What the user did, and to which element.
    pub text: String,
    /// Milliseconds between the action and the failure.
    pub ms_before: i64,
}

impl Diagnosis {
    /// Leaves out what matters least, then shortens the rest, until it takes at most this many bytes.
    pub(super) fn fit(&mut self, most_bytes: usize) {
        while self.bytes() > most_bytes
            && let Some(lines) = self.around.as_mut().filter(|lines| lines.len() > 1)
        {
            lines.remove(0);
        }
        let steps: [fn(&mut Self); 12] = [
            |this| this.around = None,
            |this| this.changed = None,
            |this| this.shorten_request(120),
            |this| this.next = None,
            |this| this.shorten_error(80),
            |this| this.because = None,
            |this| this.action = None,
            |this| this.request = None,
            |this| this.cause = shorten(&this.cause, 120),
            Self::reduce_error,
            |this| {
                this.shorten_error(40);
                this.cause = shorten(&this.cause, 60);
            },
            // Letters that take four bytes each.
            |this| {
                this.shorten_error(16);
                this.cause = shorten(&this.cause, 16);
            },
        ];
        for step in steps {
            if self.bytes() <= most_bytes {
                return;
            }
            step(self);
        }
    }

    fn bytes(&self) -> usize {
        json_len(self)
    }

    fn shorten_request(&mut self, most: usize) {
        for text in self.request.iter_mut().flat_map(|part| [&mut part.sent, &mut part.received]).flatten() {
            *text = shorten(text, most);
        }
    }

    fn shorten_error(&mut self, most: usize) {
        let FailedPart { message, at, code, component, .. } = &mut self.error;
        // A source position that is cut is useless, so it stays whole while there is room for it.
        let at = at.as_mut().filter(|_| most < 80);
        for text in [Some(message), at, code.as_mut(), component.as_mut()].into_iter().flatten() {
            *text = shorten(text, most);
        }
    }

    fn reduce_error(&mut self) {
        let FailedPart { id, message, at, .. } = std::mem::take(&mut self.error);
        self.error = FailedPart { id, message, at, ..FailedPart::default() };
    }
}
