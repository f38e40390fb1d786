//! What the demo says.
use super::server::Answer;
use super::story::Told;
use crate::terminal::say;
use engine::report::tokens::estimate;

pub(super) const TOOLS: [&str; 3] = ["diagnose", "security_audit", "check_performance"];

pub(super) struct Show;
impl Show {
    pub(super) fn on_stdout() -> Self { Self }
    pub(super) fn opening(&self) {}
    pub(super) fn ready(&self, what: &str, about: &str) { say(format!("{what} {about}")); }
    pub(super) fn story(&self, told: &Told) { for (at, line) in told { say(format!("{at:?} {line}")); } }
    pub(super) fn question(&self) {}
    pub(super) fn answer(&self, tool: &str, answer: &Answer) { say(format!("{tool} {}\n{}\n{:#}", estimate(&answer.text), answer.text, answer.fields)); }
    pub(super) fn closing(&self, _answers: &[Answer]) {}
}
