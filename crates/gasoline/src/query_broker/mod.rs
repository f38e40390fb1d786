//! The query broker: queries to the live page wait here for a browser, and results wait for the caller. The extension's
//! socket and browsers that poll share one broker.

mod breaker;
mod results;

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use engine::Redacted;
use tokio::sync::Notify;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Instant, timeout_at};
use wire::limits;
use wire::query::{PendingQuery, QueryAction, QueryParams, QueryResult};
use wire::time::EpochMillis;

use crate::clock;
use crate::http::metrics::count;
use crate::state::random_hex;

use breaker::Breaker;
use results::Results;

pub(crate) use results::Completed;

const PICK_UP: Duration = Duration::from_secs(limits::QUERY_PICK_UP_SECONDS);
/// The browser's own deadline ends first. This is the extra time for its result to arrive.
const MARGIN: Duration = Duration::from_millis(limits::QUERY_SERVER_MARGIN_MILLIS);

/// Who takes queries: an open socket, or a browser that polls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holder {
    Socket(u64),
    Poller,
}

/// A query that has no id yet.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    pub(crate) action: QueryAction,
    pub(crate) params: QueryParams,
    pub(crate) tab_id: Option<i64>,
    /// How long the browser may take once it has the query.
    pub(crate) timeout: Duration,
}

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unanswered {
    /// The most queries that may be pending are pending.
    Full,
    /// The pending queries would exceed their limit in bytes.
    TooLarge,
    /// The browser failed too often.
    Blocked,
    NotPickedUp,
    /// The browser picked the query up, but did not answer in time.
    TimedOut,
    /// The browser disconnected with a query that must not be sent twice.
    Lost,
}

enum News {
    Answer(Box<Redacted<QueryResult>>),
    /// The query was handed out or put back.
    Moved,
    Lost,
}

struct Ticket {
    query: PendingQuery,
    /// The socket that the query is for; if `None`, any browser may take it.
    meant_for: Option<u64>,
    since: Instant,
    /// It was handed out before, to a browser that has disconnected.
    again: bool,
    news: UnboundedSender<News>,
}

struct Lease {
    ticket: Ticket,
    holder: Holder,
    until: Instant,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Ticket>,
    leased: HashMap<String, Lease>,
    results: Results,
    breaker: Breaker,
}

/// Counters for `/metrics`.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    pub(crate) asked: AtomicU64,
    pub(crate) answered: AtomicU64,
    pub(crate) unanswered: AtomicU64,
    pub(crate) refused: AtomicU64,
}

#[derive(Default)]
pub(crate) struct QueryBroker {
    state: Mutex<State>,
    arrived: Notify,
    pub(crate) counts: Counts,
}

impl std::fmt::Debug for QueryBroker {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("QueryBroker").field("counts", &self.counts).finish_non_exhaustive()
    }
}

/// What happened to a delivered result.
#[derive(Debug)]
pub(crate) enum Receipt {
    Received,
    /// A result is already stored, which is this one.
    Known(Box<Completed>),
    /// No caller waits for it any more.
    Expired,
}

impl QueryBroker {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues a query and waits for its result.
    pub(crate) async fn ask(
        &self,
        question: Question,
        meant_for: Option<u64>,
    ) -> Result<Redacted<QueryResult>, Unanswered> {
        let (id, mut news) = self.put(question, meant_for).inspect_err(|_| count(&self.counts.refused))?;
        // The caller may stop waiting at any time; dropping this guard then withdraws the query.
        let _withdrawn = Withdraw { broker: self, id: &id };
        let answer = self.wait(&id, &mut news).await;
        count(if answer.is_ok() { &self.counts.answered } else { &self.counts.unanswered });
        answer
    }

    fn put(&self, question: Question, meant_for: Option<u64>) -> Result<(String, UnboundedReceiver<News>), Unanswered> {
        let mut state = self.state();
        if state.breaker.is_open() {
            return Err(Unanswered::Blocked);
        }
        if state.waiting.len() + state.leased.len() >= limits::PENDING_QUERIES {
            return Err(Unanswered::Full);
        }
        let query = number(question);
        let bytes = |query: &PendingQuery| serde_json::to_string(query).map_or(0, |text| text.len());
        let waiting = state.waiting.iter().map(|ticket| bytes(&ticket.query));
        let leased = state.leased.values().map(|lease| bytes(&lease.ticket.query));
        if waiting.chain(leased).sum::<usize>() + bytes(&query) > limits::PENDING_QUERIES_BYTES {
            return Err(Unanswered::TooLarge);
        }
        count(&self.counts.asked);
        let id = query.id.clone();
        let (sender, receiver) = unbounded_channel();
        state.waiting.push_back(Ticket { query, meant_for, since: Instant::now(), again: false, news: sender });
        drop(state);
        self.arrived.notify_waiters();
        Ok((id, receiver))
    }

    async fn wait(&self, id: &str, news: &mut UnboundedReceiver<News>) -> Result<Redacted<QueryResult>, Unanswered> {
        loop {
            let deadline = match self.deadline(id) {
                Some(deadline) => deadline,
                // The query was answered or withdrawn: its last event is about to arrive.
                None => Instant::now(),
            };
            let told = match timeout_at(deadline, news.recv()).await {
                Ok(told) => told,
                Err(_) => Some(self.give_up(id, news)?),
            };
            match told {
                Some(News::Answer(result)) => return Ok(*result),
                Some(News::Lost) | None => return Err(Unanswered::Lost),
                Some(News::Moved) => {}
            }
        }
    }

    /// The current deadline: for being picked up, or for the result.
    fn deadline(&self, id: &str) -> Option<Instant> {
        let state = self.state();
        let waiting = state.waiting.iter().find(|ticket| ticket.query.id == id).map(|ticket| ticket.since + PICK_UP);
        waiting.or_else(|| state.leased.get(id).map(|lease| lease.until))
    }

    /// Handles the end of the deadline, unless the state has just changed.
    fn give_up(&self, id: &str, news: &mut UnboundedReceiver<News>) -> Result<News, Unanswered> {
        let mut state = self.state();
        if let Ok(told) = news.try_recv() {
            return Ok(told);
        }
        if state.leased.contains_key(id) {
            state.breaker.failed(Instant::now());
            Err(Unanswered::TimedOut)
        } else {
            Err(Unanswered::NotPickedUp)
        }
    }

    /// Hands out the queries for this holder, each of them once.
    pub(crate) fn take(&self, holder: Holder) -> Vec<PendingQuery> {
        let mut state = self.state();
        let mut taken = Vec::new();
        let mut left = VecDeque::new();
        while let Some(ticket) = state.waiting.pop_front() {
            let fits = match (ticket.meant_for, holder) {
                (None, _) => true,
                (Some(wanted), Holder::Socket(socket)) => wanted == socket,
                (Some(_), Holder::Poller) => false,
            };
            if !fits {
                left.push_back(ticket);
                continue;
            }
            taken.push(ticket.query.clone());
            let until = Instant::now() + Duration::from_millis(ticket.query.timeout_ms) + MARGIN;
            let _ = ticket.news.send(News::Moved);
            state.leased.insert(ticket.query.id.clone(), Lease { ticket, holder, until });
        }
        state.waiting = left;
        taken
    }

    /// The same, but waits for a query if there is none.
    pub(crate) async fn next(&self, holder: Holder) -> Vec<PendingQuery> {
        loop {
            let arrived = self.arrived.notified();
            tokio::pin!(arrived);
            // From here on, no new query is missed.
            arrived.as_mut().enable();
            let taken = self.take(holder);
            if !taken.is_empty() {
                return taken;
            }
            arrived.await;
        }
    }

    /// Accepts a result, for the caller and for clients that fetch it later.
    pub(crate) fn receive(&self, result: Redacted<QueryResult>) -> Receipt {
        let mut state = self.state();
        let entry = result.entry();
        if let Some(known) = state.results.again(entry, Instant::now()) {
            return Receipt::Known(Box::new(known));
        }
        let id = entry.query_id.as_deref().unwrap_or_default();
        let by_correlation = || {
            let wanted = entry.correlation_id.as_deref()?;
            let found = state.leased.iter().find(|(_, lease)| lease.ticket.query.correlation_id == wanted);
            found.map(|(id, _)| id.clone())
        };
        let id = if state.leased.contains_key(id) { Some(id.to_owned()) } else { by_correlation() };
        let Some(lease) = id.and_then(|id| state.leased.remove(&id)) else {
            return Receipt::Expired;
        };
        if entry.error.as_ref().is_some_and(|error| breaker::counts(error.code.as_deref())) {
            state.breaker.failed(Instant::now());
        }
        state.results.keep(&lease.ticket.query, entry, Instant::now());
        let _ = lease.ticket.news.send(News::Answer(Box::new(result)));
        Receipt::Received
    }

    /// The result or state under a correlation id.
    pub(crate) fn completed(&self, correlation_id: &str) -> Option<Completed> {
        self.state().results.get(correlation_id, Instant::now())
    }

    pub(crate) fn is_pending(&self, correlation_id: &str) -> bool {
        let state = self.state();
        let waiting = state.waiting.iter().map(|ticket| &ticket.query);
        let leased = state.leased.values().map(|lease| &lease.ticket.query);
        waiting.chain(leased).any(|query| query.correlation_id == correlation_id)
    }

    /// A browser has connected: resets the breaker, whatever failed before.
    pub(crate) fn browser_came(&self) {
        self.state().breaker.reset();
        self.arrived.notify_waiters();
    }

    /// A socket has closed. Its unanswered queries go to the next browser, unless running them twice could have an
    /// effect twice.
    pub(crate) fn browser_left(&self, socket: u64) {
        let mut state = self.state();
        for ticket in &mut state.waiting {
            if ticket.meant_for == Some(socket) {
                ticket.meant_for = None;
            }
        }
        let left: Vec<String> = state
            .leased
            .iter()
            .filter(|(_, lease)| lease.holder == Holder::Socket(socket))
            .map(|(id, _)| id.clone())
            .collect();
        for id in left {
            let Some(Lease { mut ticket, .. }) = state.leased.remove(&id) else { continue };
            // A query that crashes the browser would otherwise be handed out forever.
            if is_repeatable(&ticket.query) && !ticket.again {
                (ticket.meant_for, ticket.since, ticket.again) = (None, Instant::now(), true);
                let _ = ticket.news.send(News::Moved);
                state.waiting.push_back(ticket);
            } else {
                state.breaker.failed(Instant::now());
                let _ = ticket.news.send(News::Lost);
            }
        }
        drop(state);
        self.arrived.notify_waiters();
    }

    fn withdraw(&self, id: &str) {
        let mut state = self.state();
        state.waiting.retain(|ticket| ticket.query.id != id);
        state.leased.remove(id);
    }
}

/// Withdraws a query when its caller no longer waits.
struct Withdraw<'d> {
    broker: &'d QueryBroker,
    id: &'d str,
}

impl Drop for Withdraw<'_> {
    fn drop(&mut self) {
        self.broker.withdraw(self.id);
    }
}

const fn is_repeatable(query: &PendingQuery) -> bool {
    match query.action {
        QueryAction::QueryDom | QueryAction::GetPageInfo | QueryAction::ExecuteA11yAudit => true,
        // A screenshot of a whole page takes so long that no caller would wait for a second one.
        QueryAction::TakeScreenshot => !matches!(query.params.full_page, Some(true)),
        QueryAction::ExecuteJs | QueryAction::RecordStart | QueryAction::RecordStop => false,
    }
}

/// Ids cannot be guessed, so only the browser that got the query can deliver its result.
fn number(question: Question) -> PendingQuery {
    let Question { action, params, tab_id, timeout } = question;
    let random = || random_hex(8).unwrap_or_else(|_| format!("{:x}", clock::now().millis()));
    let now = clock::now().millis();
    let short = match action {
        QueryAction::QueryDom => "dom",
        QueryAction::GetPageInfo => "page",
        QueryAction::ExecuteA11yAudit => "a11y",
        QueryAction::ExecuteJs => "exec",
        QueryAction::TakeScreenshot => "screenshot",
        QueryAction::RecordStart => "record_start",
        QueryAction::RecordStop => "record_stop",
    };
    PendingQuery {
        id: format!("q-{}", random()),
        correlation_id: format!("{short}_{now}_{}", random()),
        action,
        params,
        tab_id,
        timeout_ms: timeout.as_millis() as u64,
        created_at: EpochMillis(clock::now()),
    }
}
