//! Security issues in the captured traffic.

use engine::Kind;
use engine::analysis::security::{
    Audit, AuditSummary, CHECKS, Check, Scope, Severity, audit, blind_without_bodies, checks_named,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::answer::{LIST_BYTES, ToolError};
use super::list::Common;
use super::{Context, Effect, Outcome, Tool, hint};

pub(super) struct SecurityAudit;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// credentials, auth_patterns, pii_exposure, transport, security_headers, cookie_security (all).
    checks: Option<Vec<String>>,
    /// info, warning or critical (warning).
    severity_min: Option<String>,
    /// Part of a URL.
    #[serde(alias = "url")]
    url_filter: Option<String>,
    // Accepted but not advertised: these are rarely useful here, and the list of tools is read in every session.
    #[schemars(skip)]
    tab_id: Option<i64>,
    #[schemars(skip)]
    test_id: Option<String>,
    #[schemars(skip)]
    since: Option<String>,
}

#[skip_serializing_none]
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answered {
    #[serde(flatten)]
    audit: Audit,
    /// What could not be checked, or why nothing was found.
    hint: Option<String>,
}

impl Tool for SecurityAudit {
    const NAME: &'static str = "security_audit";
    const TITLE: &'static str = "Security audit";
    const DESCRIPTION: &'static str = "Security issues in traffic and console: credentials, data without \
        authentication, PII, transport, headers, cookies. Use it before shipping.";
    const EFFECT: Effect = Effect::Reads;
    const READS: &'static [Kind] = &[Kind::NetworkBodies, Kind::Logs, Kind::WebsocketEvents];
    type Params = Params;
    type Answer = Answered;

    async fn call(context: &Context, params: Params) -> Outcome<Answered> {
        let names = params.checks.unwrap_or_default();
        let checks = checks_named(&names).map_err(|unknown| {
            let known: Vec<&str> = CHECKS.iter().map(|check| check.name).collect();
            let message = format!("unknown check `{unknown}` in `checks`");
            ToolError::invalid_params(message, format!("use any of {}", known.join(", ")))
        })?;
        let least = match params.severity_min.as_deref() {
            None => Severity::Warning,
            Some(name) => Severity::of_name(name).ok_or_else(|| {
                let message = format!("unknown severity `{name}` in `severity_min`");
                ToolError::invalid_params(message, "use info, warning or critical")
            })?,
        };
        let common = Common {
            url: params.url_filter.as_deref(),
            tab_id: params.tab_id,
            test_id: params.test_id.as_deref(),
            since: params.since.as_deref(),
            max_tokens: None,
        };
        let filter = common.filter(context, Self::NAME)?;
        let (audit, in_scope, has_bodies, known) = {
            let session = context.app.session();
            let known = session.store.network.len()
                + session.store.logs.len()
                + session.store.websocket.len()
                + session.store.performance.len();
            let scope = Scope::from_session(&session, &filter);
            let in_scope = InScope { nothing: scope.is_empty(), no_requests: scope.requests.is_empty() };
            (audit(&scope, &checks, least, LIST_BYTES), in_scope, scope.has_bodies(), known)
        };
        let blind = if has_bodies { None } else { without_bodies(context, &checks, in_scope.no_requests) };
        let hint = match (!audit.findings.is_empty(), blind) {
            (false, _) if in_scope.nothing => Some(hint::for_empty(context, Self::READS, known, filter.is_set())),
            (_, Some(blind)) => Some(blind),
            (false, None) => Some(nothing_found(&audit.summary, least)),
            (true, None) => None,
        };
        Ok(Answered { audit, hint }.into())
    }
}

struct InScope {
    nothing: bool,
    no_requests: bool,
}

/// Which of these checks need bodies, if no body was captured.
fn without_bodies(context: &Context, checks: &[&Check], no_requests: bool) -> Option<String> {
    let blind = blind_without_bodies(checks);
    let off = hint::bodies_are_off(context);
    if blind.is_empty() || (no_requests && !off) {
        return None;
    }
    let checks = blind.join(", ");
    Some(if off {
        format!("{checks} could not see bodies: {}", hint::BODIES_OFF)
    } else {
        format!("{checks} could not see bodies: none of the requests has one")
    })
}

fn nothing_found(summary: &AuditSummary, least: Severity) -> String {
    match summary.below_severity_min {
        None => format!(
            "nothing found in {} requests and {} console entries",
            summary.scanned.network_requests, summary.scanned.console_entries
        ),
        Some(below) => {
            format!("nothing of severity {} or above; {below} below it: set severity_min to info", least.name())
        }
    }
}
