//! A captured session as steps, each with what it caused: requests, and what the page showed afterwards.

use super::address::{Address, Addresses, mark_placeholders, split};
use super::cause::{Asked, Cause, Doing, causes};
use super::endpoint::Endpoint;
use super::steps::{CAUSED_MILLIS, Line, Step, first_page, millis, steps, stripped_warning};
use crate::entry::{Action, ActionKind, DomSnapshot, Log, Request};
use crate::failures::{Failure, failures};
use crate::session::Session;
use crate::store::Filter;
use crate::store::Stored;
use crate::url::Url;

/// The content of a test, before it is written.
pub(super) struct Flow<'a> {
    pub(super) start: Option<Address>,
    /// The address where it ends.
    pub(super) end: Option<Address>,
    pub(super) acts: Vec<Act<'a>>,
    /// All requests whose responses may be played, whatever caused them.
    pub(super) asked: Vec<Asked<'a>>,
    pub(super) errors: Vec<Failure<'a>>,
    /// Texts of console errors that are noise.
    pub(super) noise: Vec<String>,
    pub(super) warnings: Vec<String>,
    pub(super) from: i64,
    pub(super) to: i64,
}

/// One step with its consequences.
pub(super) struct Act<'a> {
    pub(super) line: Line<'a>,
    pub(super) arrivals: Vec<Step<'a>>,
    pub(super) calls: Vec<Asked<'a>>,
    pub(super) snapshot: Option<&'a DomSnapshot>,
    /// Milliseconds to the next step, if that was long.
    pub(super) pause: Option<i64>,
}

/// `chosen` are the actions to repeat, `all` are those of their tab.
pub(super) fn flow<'a>(seen: &Seen<'a>, chosen: &[&'a Action], all: &[&'a Action], base_url: Option<&str>) -> Flow<'a> {
    let page = first_page(chosen);
    let addresses = Addresses::new(base_url, page).that_vary();
    let mut made = steps(chosen, &addresses, None);
    let start = page.and_then(|page| addresses.read(page));
    match &start {
        Some(start) if start.stripped => {
            let warning = stripped_warning(start);
            if !made.warnings.contains(&warning) {
                made.warnings.insert(0, warning);
            }
        }
        None => made.warnings.insert(0, "No page address was captured: write the one to open yourself".to_owned()),
        _ => {}
    }
    let first = chosen.iter().find(|action| action.kind != ActionKind::Navigate).or(chosen.last()).copied();
    let first_at = first.map(millis).unwrap_or_default();
    let opened = first.and_then(|first| seen.opened(first, chosen, all));
    let opening = Line {
        pause: None,
        comment: format!("Open {}", start.as_ref().map_or("the page", |start| start.text.as_str())),
        step: Step::Note,
        at: opened.unwrap_or(first_at),
        told_later: false,
        page_id: first.and_then(|first| first.page_id.as_deref()),
    };
    let mut acts = acts(opening, made.lines, seen);
    let end = arrive(&mut acts, seen, made.here, &addresses);
    let causes_of = causes_of(&acts, chosen, all);
    let waited: Vec<Asked<'a>> =
        seen.requests.iter().filter(|one| is_waited_for(one.request, chosen)).cloned().collect();
    let from = acts.first().map_or(first_at, |act| act.line.at);
    let waited: Vec<Asked<'a>> = waited.into_iter().filter(|one| one.from() >= from).collect();
    let steps: Vec<Cause<'a>> = causes_of.iter().map(|(cause, _)| cause.clone()).collect();
    for (one, cause) in waited.iter().zip(causes(&steps, &waited)) {
        let act = cause.and_then(|place| causes_of.get(place)).and_then(|(_, act)| *act);
        if let Some(act) = act.and_then(|act| acts.get_mut(act)) {
            act.calls.push(one.clone());
        }
    }
    show(&mut acts, &causes_of, seen);
    let asked: Vec<Asked<'a>> = seen.requests.iter().filter(|one| one.from() >= from).cloned().collect();
    let ends = [
        acts.last().map(|act| act.line.at),
        acts.iter().flat_map(|act| &act.calls).map(Asked::to).max(),
        acts.iter().filter_map(|act| act.snapshot).map(time_of).max(),
    ];
    let is_of_session = |failure: &Failure<'_>| {
        let page_id = match failure {
            Failure::Log(stored, _) => stored.entry.page_id.as_deref(),
            Failure::Request(stored) => stored.entry.page_id.as_deref(),
        };
        let is_of_load =
            opened.is_some() && page_id.is_some() && page_id == first.and_then(|one| one.page_id.as_deref());
        failure.time().millis() >= from || is_of_load
    };
    let errors = seen.errors.iter().filter(|failure| is_of_session(failure)).copied().collect();
    Flow {
        start,
        end,
        acts,
        asked,
        errors,
        noise: seen.noise.clone(),
        warnings: made.warnings,
        from,
        to: ends.into_iter().flatten().max().unwrap_or(from),
    }
}

/// What was captured in a tab besides the actions, in order of time.
pub(super) struct Seen<'a> {
    requests: Vec<Asked<'a>>,
    snapshots: Vec<&'a DomSnapshot>,
    errors: Vec<Failure<'a>>,
    noise: Vec<String>,
}

impl<'a> Seen<'a> {
    pub(super) fn from_session(session: &'a Session, tab: Option<i64>, filter: &Filter) -> Self {
        let is_of_tab = |other: Option<i64>| tab.is_none() || other.is_none() || other == tab;
        let (noisy, requests): (Vec<&Stored<Request>>, Vec<&Stored<Request>>) = session
            .store
            .network
            .iter()
            .filter(|stored| is_of_tab(stored.entry.tab_id))
            .filter(|stored| filter.admits(stored))
            .partition(|stored| session.noise.rule_for(&stored.entry).is_some());
        let mut requests: Vec<Asked<'a>> = requests
            .into_iter()
            .filter_map(|stored| {
                Some(Asked { request: &stored.entry, endpoint: Endpoint::from_request(&stored.entry)? })
            })
            .collect();
        requests.sort_by_key(Asked::from);
        let mut snapshots: Vec<&'a DomSnapshot> = session
            .store
            .dom_snapshots
            .iter()
            .filter(|stored| is_of_tab(stored.entry.tab_id) && filter.admits(stored))
            .map(|stored| &stored.entry)
            .collect();
        snapshots.sort_by_key(|snapshot| time_of(snapshot));
        let mut noise = vec!["/favicon.ico".to_owned()];
        let addresses = noisy.iter().filter_map(|stored| address_of(&stored.entry.url));
        let lines = session.store.logs.iter().filter(|stored| is_of_tab(stored.entry.tab_id));
        let lines = lines.filter(|stored| is_loud(&stored.entry) && session.noise.rule_for(&stored.entry).is_some());
        for text in addresses.chain(lines.filter_map(|stored| noise_text(&stored.entry))) {
            if !noise.contains(&text) && noise.len() < NOISE_TEXTS {
                noise.push(text);
            }
        }
        let mut errors = failures(session, &Filter { without_noise: true, ..filter.clone() });
        errors.retain(|failure| is_of_tab(failure.tab_id()));
        Self { requests, snapshots, errors, noise }
    }

    /// When the page of the first action was loaded, as far as that was captured. `None` when earlier actions are left
    /// out: opening the page would not restore the state that they led to.
    fn opened(&self, first: &Action, chosen: &[&'a Action], all: &[&'a Action]) -> Option<i64> {
        let is_of_page = |id: Option<&str>, url: Option<&str>| match (id, first.page_id.as_deref()) {
            (Some(id), Some(own)) => id == own,
            _ => url == first.url.as_deref(),
        };
        let is_chosen = |action: &Action| chosen.iter().any(|one| std::ptr::eq(*one, action));
        let others = all.iter().filter(|action| !is_chosen(action) && millis(action) <= millis(first));
        if others.clone().any(|action| is_of_page(action.page_id.as_deref(), action.url.as_deref())) {
            return None;
        }
        // Where the page navigated by itself before the first action, only later requests are made again.
        let moved =
            chosen.iter().take_while(|action| action.kind == ActionKind::Navigate).map(|action| millis(action)).max();
        let after = moved.or(others.map(|action| millis(action)).max());
        let is_within = |at: &i64| *at <= millis(first) && after.is_none_or(|after| *at >= after);
        let requests = self
            .requests
            .iter()
            .filter(|one| is_of_page(one.request.page_id.as_deref(), one.request.page_url.as_deref()))
            .map(Asked::from);
        let snapshots = self
            .snapshots
            .iter()
            .filter(|snapshot| is_of_page(snapshot.page_id.as_deref(), Some(&snapshot.url)))
            .map(|snapshot| time_of(snapshot));
        requests.chain(snapshots).filter(is_within).min()
    }

    /// The same for a page that the user opened between two actions.
    fn opened_between(&self, line: &Line<'_>, after: i64) -> Option<i64> {
        let id = line.page_id?;
        let requests = self.requests.iter().filter(|one| one.request.page_id.as_deref() == Some(id)).map(Asked::from);
        let snapshots = self.snapshots.iter().filter(|snapshot| snapshot.page_id.as_deref() == Some(id));
        let times = requests.chain(snapshots.map(|snapshot| time_of(snapshot)));
        times.filter(|at| *at > after && *at <= line.at).min()
    }
}

const NOISE_TEXTS: usize = 10;
const NOISE_CHARS: usize = 100;

fn is_loud(entry: &Log) -> bool {
    entry.level >= wire::Level::Warn
}

/// A text that console lines about the same thing will contain.
fn noise_text(entry: &Log) -> Option<String> {
    if let Some(url) = entry.request_url.as_deref() {
        return address_of(url);
    }
    let message = entry.message.lines().next()?.trim();
    let part: String = mark_placeholders(message, '\u{1}').split('\u{1}').next()?.chars().take(NOISE_CHARS).collect();
    (!part.trim().is_empty()).then_some(part)
}

/// An address up to the end of its path.
fn address_of(url: &str) -> Option<String> {
    let marked = mark_placeholders(url, '\u{1}');
    let steady = marked.split(['?', '#', '\u{1}']).next()?;
    (split(steady).is_some() && steady.chars().count() <= NOISE_CHARS * 2).then(|| steady.to_owned())
}

fn time_of(snapshot: &DomSnapshot) -> i64 {
    snapshot.at.millis()
}

fn acts<'a>(opening: Line<'a>, lines: Vec<Line<'a>>, seen: &Seen<'_>) -> Vec<Act<'a>> {
    let act = |line| Act { line, arrivals: Vec::new(), calls: Vec::new(), snapshot: None, pause: None };
    let mut acts = vec![act(opening)];
    for mut line in lines {
        let Some(last) = acts.last_mut() else { break };
        last.pause = last.pause.or(line.pause);
        if matches!(line.step, Step::Arrive { .. }) {
            last.arrivals.push(line.step);
            continue;
        }
        if line.told_later {
            line.at = seen.opened_between(&line, last.line.at).unwrap_or(line.at);
        }
        acts.push(act(line));
    }
    acts
}

/// The last step may have led to a page without further actions: only what the page showed reveals it.
fn arrive(acts: &mut [Act<'_>], seen: &Seen<'_>, here: Option<&str>, addresses: &Addresses<'_>) -> Option<Address> {
    let reached = here.and_then(|here| addresses.read(here));
    let Some(last) = acts.iter_mut().rfind(|act| !matches!(act.line.step, Step::Note)) else { return reached };
    let shown = seen.snapshots.last().filter(|snapshot| {
        let after = time_of(snapshot) - last.line.at;
        (0..=CAUSED_MILLIS).contains(&after) && Some(snapshot.url.as_str()) != here
    });
    let Some(at) = shown.and_then(|snapshot| addresses.read(&snapshot.url)) else { return reached };
    last.arrivals.push(Step::Arrive { at: at.clone(), by_history: false });
    Some(at)
}

/// Everything that can be a cause, with its act if it has one. An action that is not repeated ends what came before it.
fn causes_of<'a>(acts: &[Act<'a>], chosen: &[&Action], all: &[&'a Action]) -> Vec<(Cause<'a>, Option<usize>)> {
    let mut found: Vec<(Cause<'a>, Option<usize>)> = Vec::new();
    for (place, act) in acts.iter().enumerate() {
        let doing = match &act.line.step {
            _ if place == 0 => Doing::Opens,
            Step::Open(_) if act.line.told_later => Doing::Opens,
            Step::Open(_) | Step::Back(_) => Doing::Moves,
            Step::Click { .. } | Step::ClickAt { .. } | Step::Submit { .. } | Step::Check { .. } => Doing::Presses,
            Step::Press { .. } => Doing::Strikes,
            Step::Fill { value, .. } => Doing::Types(value.chars().count() as i64),
            Step::Choose { .. } => Doing::Chooses,
            Step::Note | Step::Arrive { .. } => Doing::Nothing,
        };
        let leaves = act.arrivals.iter().any(|step| matches!(step, Step::Arrive { by_history: false, .. }));
        let leaves = leaves || doing == Doing::Moves;
        found.push((Cause { from: act.line.at, doing, page_id: act.line.page_id, leaves }, Some(place)));
    }
    let first = acts.first().map_or(i64::MIN, |act| act.line.at);
    for action in all.iter().filter(|action| !chosen.iter().any(|one| std::ptr::eq(*one, **action))) {
        if millis(action) >= first {
            let page_id = action.page_id.as_deref();
            found.push((Cause { from: millis(action), doing: Doing::Nothing, page_id, leaves: false }, None));
        }
    }
    found.sort_by_key(|(cause, _)| cause.from);
    found
}

/// The page's last state after each step and before the next, if all responses of the step had arrived by then. If not,
/// that state belongs to the step before.
fn show<'a>(acts: &mut [Act<'a>], causes: &[(Cause<'a>, Option<usize>)], seen: &Seen<'a>) {
    for (place, (cause, act)) in causes.iter().enumerate() {
        let Some(act) = act.filter(|_| cause.doing != Doing::Nothing) else { continue };
        let next = causes.get(place + 1).map_or(i64::MAX, |(next, _)| next.from);
        let is_of_page = |snapshot: &DomSnapshot| match (snapshot.page_id.as_deref(), cause.page_id) {
            (Some(id), Some(own)) => id == own || cause.leaves,
            _ => true,
        };
        let is_settled = |act: &Act<'_>, at: i64| act.calls.iter().all(|call| call.to() <= at);
        let mut shown = seen.snapshots.iter().rev().filter(|snapshot| is_of_page(snapshot));
        let Some(snapshot) = shown.find(|snapshot| (cause.from..next).contains(&time_of(snapshot))) else { continue };
        let at = time_of(snapshot);
        let stays = acts.get(act).is_some_and(|act| act.arrivals.is_empty());
        let before = place
            .checked_sub(1)
            .and_then(|place| causes.get(place))
            .filter(|(before, _)| stays && before.doing != Doing::Nothing && before.page_id == cause.page_id);
        let before = before.and_then(|(_, act)| *act);
        if acts.get(act).is_some_and(|act| is_settled(act, at)) {
            if let Some(act) = acts.get_mut(act) {
                act.snapshot = Some(snapshot);
            }
        } else if let Some(before) = before.and_then(|before| acts.get_mut(before))
            && before.snapshot.is_none()
            && is_settled(before, at)
        {
            before.snapshot = Some(snapshot);
        }
    }
}

/// Whether a test can rely on this response: it arrived, from the application's own servers, for its own pages.
fn is_waited_for(request: &Request, chosen: &[&Action]) -> bool {
    let answered = request.status.is_some_and(|status| status >= 200);
    let by_script = matches!(request.initiator.as_deref(), None | Some("fetch" | "xhr"));
    let content_type = request.content_type.as_deref().unwrap_or_default();
    let is_stream = ["event-stream", "ndjson", "jsonl", "json-seq"].iter().any(|kind| content_type.contains(kind));
    let pages = || chosen.iter().flat_map(|action| [action.url.as_deref(), action.to_url.as_deref()]).flatten();
    let is_ours = |url: Option<&str>| {
        let Some(host) = url.and_then(host_of) else { return true };
        let mut hosts = pages().filter_map(host_of).peekable();
        hosts.peek().is_none() || hosts.any(|own| is_same_site(own, host))
    };
    answered && by_script && !is_stream && is_ours(Some(&request.url)) && is_ours(request.page_url.as_deref())
}

/// The host without the port: on development machines each server has another port.
fn host_of(url: &str) -> Option<&str> {
    let url = Url::new(url);
    url.host().filter(|_| url.is_of_web())
}

fn is_same_site(one: &str, other: &str) -> bool {
    let is_local = |host: &str| {
        matches!(host, "localhost" | "::1")
            || ["127.", "10.", "192.168."].iter().any(|start| host.starts_with(start))
            || [".localhost", ".local", ".test"].iter().any(|end| host.ends_with(end))
    };
    let site = |host: &str| host.rsplit('.').take(2).map(str::to_owned).collect::<Vec<_>>();
    one == other || (is_local(one) && is_local(other)) || (one.contains('.') && site(one) == site(other))
}
