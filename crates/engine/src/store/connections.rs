//! The WebSocket connections of the recent past: open ones, and those that closed within the last minutes.
//!
//! A page that counts its messages knows more than its events show, because it does not send every message of a fast
//! connection. Once it has sent its totals, they win; until then messages are counted here.

use std::collections::{HashMap, VecDeque};

use wire::websocket::{DirectionStats, MessageSchema, Sampling, SamplingState};
use wire::{Timestamp, limits};

use super::message_schema::SchemaCount;
use super::{Buffer, BufferReport};
use crate::entry::{SocketEvent, SocketEventKind};
use crate::text::shorten;

/// Memory of a connection besides its texts.
const OVERHEAD_BYTES: usize = 1024;
/// Longest reason that a close frame can carry.
const REASON_CHARS: usize = 123;
const SLOT_MILLIS: i64 = 500;
const SLOTS: usize = (limits::WEBSOCKET_RATE_WINDOW_SECONDS * 1000) as usize / SLOT_MILLIS as usize;
/// A page that receives messages sends its totals every second; for this long, its last figures are current.
const STATED_MILLIS: i64 = 2_000;
const WINDOW_MILLIS: i64 = limits::WEBSOCKET_RATE_WINDOW_SECONDS as i64 * 1000;
/// Keys and variants that are kept of a page's report about its messages.
pub(super) const SCHEMA_NAMES: usize = 50;

/// The state of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// The handshake is under way.
    Connecting,
    /// Messages can pass.
    Open,
    /// It was closed.
    Closed,
    /// It failed; the close event follows.
    Error,
}

impl State {
    /// The state as it is written in answers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Connecting => "connecting",
            Self::Open => "open",
            Self::Closed => "closed",
            Self::Error => "error",
        }
    }
}

/// A connection with its totals.
#[derive(Debug, Clone)]
pub struct Connection {
    /// The page's id of the connection, else its address.
    pub id: String,
    /// The address that it was opened to.
    pub url: Option<String>,
    /// Its state after the last event.
    pub state: State,
    /// The browser tab of its page.
    pub tab_id: Option<i64>,
    /// The test that opened it. Absent outside of test runs.
    pub test_id: Option<String>,
    /// When it opened. Absent until then.
    pub opened_at: Option<Timestamp>,
    /// When it closed. Absent until then.
    pub closed_at: Option<Timestamp>,
    /// The close code, if the close event had one.
    pub close_code: Option<u16>,
    /// The close reason, if the close event had one.
    pub close_reason: Option<String>,
    /// Received messages.
    pub incoming: Traffic,
    /// Sent messages.
    pub outgoing: Traffic,
    /// The page's own report about its sampling.
    pub sampling: Option<SamplingState>,
    /// The sampling that the last message states, from senders that report no totals.
    pub sampled: Option<Sampling>,
    schema: Option<MessageSchema>,
    counted_schema: SchemaCount,
    /// When the server received its end.
    ended: Option<Timestamp>,
}

/// The messages of one direction.
#[derive(Debug, Clone, Default)]
pub struct Traffic {
    /// How many messages.
    pub total: u64,
    /// Their size in bytes.
    pub bytes: u64,
    /// When the last message passed.
    pub last_at: Option<Timestamp>,
    /// The start of the last message.
    pub last_preview: Option<String>,
    /// Messages a second, as reported by the page.
    stated_rate: Option<f64>,
    /// When the page last sent its totals, by the server's clock. They include the events that it sends.
    stated_at: Option<Timestamp>,
    /// Messages for each half second: which half second, and how many. A slot is reused when its time is over.
    slots: [(i64, u32); SLOTS],
}

impl Traffic {
    fn message(&mut self, event: &SocketEvent, at: Timestamp, arrived: Timestamp) {
        if self.last_at.is_none_or(|last| last <= at) {
            self.last_at = Some(at);
            self.last_preview = event.data.as_deref().map(preview);
        }
        if self.stated_at.is_none() {
            self.total += 1;
            self.bytes += event.size.or(event.data.as_ref().map(|data| data.len() as u64)).unwrap_or(0);
        }
        // A clock ahead of the server's would count for longer than the window.
        let slot = at.min(arrived).millis().div_euclid(SLOT_MILLIS);
        if let Some((held, count)) = self.slots.get_mut(slot.rem_euclid(SLOTS as i64) as usize) {
            if *held < slot {
                (*held, *count) = (slot, 0);
            }
            if *held == slot {
                *count = count.saturating_add(1);
            }
        }
    }

    fn state(&mut self, stats: DirectionStats, arrived: Timestamp) {
        let DirectionStats { total, bytes, per_second, last_at, last_preview } = stats;
        self.stated_at = Some(arrived);
        self.total = total.unwrap_or(self.total);
        self.bytes = bytes.unwrap_or(self.bytes);
        self.stated_rate = per_second.filter(|rate| rate.is_finite() && *rate >= 0.0).or(self.stated_rate);
        if last_at.is_none_or(|at| self.last_at.is_none_or(|last| last <= at)) {
            self.last_at = last_at.or(self.last_at);
            self.last_preview = last_preview.as_deref().map(preview).or(self.last_preview.take());
        }
    }

    /// Messages a second over the last five seconds: the page's figure, or the rate of received messages if that is
    /// higher.
    fn per_second(&self, now: Timestamp) -> f64 {
        let stated = self.stated_rate.unwrap_or(0.0) * self.freshness(now);
        stated.max(self.arrived_per_second(now))
    }

    /// How much of the page's last figure still counts, from 1 to 0. A page counts only while messages come, so it
    /// never corrects its last figure, although the messages behind it leave the window.
    fn freshness(&self, now: Timestamp) -> f64 {
        let Some(stated_at) = self.stated_at else { return 0.0 };
        let age = (now.millis() - stated_at.millis()).clamp(0, WINDOW_MILLIS);
        ((WINDOW_MILLIS - age) as f64 / (WINDOW_MILLIS - STATED_MILLIS) as f64).min(1.0)
    }

    fn arrived_per_second(&self, now: Timestamp) -> f64 {
        let newest = now.millis().div_euclid(SLOT_MILLIS);
        let recent = self.slots.iter().filter(|(slot, _)| (newest - SLOTS as i64 + 1..=newest).contains(slot));
        let messages: u64 = recent.map(|(_, count)| u64::from(*count)).sum();
        messages as f64 * 1000.0 / WINDOW_MILLIS as f64
    }
}

fn preview(data: &str) -> String {
    data.chars().take(limits::WEBSOCKET_PREVIEW_CHARS).collect()
}

impl Connection {
    fn new(id: &str, event: &SocketEvent, at: Timestamp) -> Self {
        // A connection with messages is open; its start is unknown, but not later than now.
        let opened = matches!(event.event, SocketEventKind::Open | SocketEventKind::Message | SocketEventKind::Stats);
        Self {
            id: id.to_owned(),
            url: event.url.clone(),
            state: if opened { State::Open } else { State::Connecting },
            tab_id: event.tab_id,
            test_id: event.test_id.clone(),
            opened_at: opened.then_some(at),
            closed_at: None,
            close_code: None,
            close_reason: None,
            incoming: Traffic::default(),
            outgoing: Traffic::default(),
            sampling: None,
            sampled: None,
            schema: None,
            counted_schema: SchemaCount::default(),
            ended: None,
        }
    }

    fn is_of(&self, id: &str, event: &SocketEvent) -> bool {
        self.id == id && self.test_id == event.test_id
    }

    /// Whether it closed.
    pub fn is_closed(&self) -> bool {
        self.state == State::Closed
    }

    /// Whether it closed so long ago that it is no longer listed.
    pub fn is_over(&self, now: Timestamp) -> bool {
        let kept = limits::CLOSED_CONNECTION_SECONDS as i64 * 1000;
        self.ended.is_some_and(|ended| now.millis() - ended.millis() > kept)
    }

    /// Messages a second, received and sent.
    pub fn rates(&self, now: Timestamp) -> (f64, f64) {
        (self.incoming.per_second(now), self.outgoing.per_second(now))
    }

    /// Whether the page's last report about its messages is recent enough to be current.
    pub fn is_fresh(&self, now: Timestamp) -> bool {
        [&self.incoming, &self.outgoing].iter().any(|traffic| traffic.freshness(now) >= 1.0)
    }

    /// Whether no message passed within the window of the rates.
    pub fn is_silent(&self, now: Timestamp) -> bool {
        let latest = self.incoming.last_at.max(self.outgoing.last_at);
        latest.is_none_or(|at| now.millis() - at.millis() > WINDOW_MILLIS)
    }

    /// What received messages look like. `None` when none was JSON. The page knows best because it sees every message,
    /// but it does not separate directions, so its report counts only while nothing was sent.
    pub fn schema(&self) -> Option<MessageSchema> {
        let stated = self.schema.clone();
        if self.outgoing.total == 0 && stated.is_some() {
            return stated;
        }
        let mut counted = self.counted_schema.incoming()?;
        if let (Some(keys), Some(stated)) = (&mut counted.detected_keys, stated.and_then(|stated| stated.detected_keys))
        {
            // The page's keys are those of the first messages.
            let common: Vec<String> = stated.into_iter().filter(|key| keys.contains(key)).collect();
            *keys = if common.is_empty() { std::mem::take(keys) } else { common };
        }
        if self.incoming.stated_at.is_some() {
            counted.message_count = Some(self.incoming.total);
        }
        Some(counted)
    }

    /// The same for sent messages.
    pub fn outgoing_schema(&self) -> Option<MessageSchema> {
        let mut counted = self.counted_schema.outgoing()?;
        if self.outgoing.stated_at.is_some() {
            counted.message_count = Some(self.outgoing.total);
        }
        Some(counted)
    }

    fn take(&mut self, event: &SocketEvent, at: Timestamp, arrived: Timestamp) {
        if self.url.is_none() {
            self.url.clone_from(&event.url);
        }
        self.tab_id = self.tab_id.or(event.tab_id);
        match event.event {
            SocketEventKind::Open if self.state != State::Closed => {
                self.state = State::Open;
                self.opened_at = Some(at);
            }
            // The close always follows an error; a late event does not reopen a connection.
            SocketEventKind::Error if self.state != State::Closed => self.state = State::Error,
            SocketEventKind::Close => {
                self.state = State::Closed;
                self.ended.get_or_insert(arrived);
                self.closed_at = Some(at);
                self.close_code = event.code;
                self.close_reason = event.reason.as_deref().map(|reason| shorten(reason, REASON_CHARS));
            }
            SocketEventKind::Message => {
                if self.state == State::Connecting {
                    self.state = State::Open;
                    self.opened_at = Some(at);
                }
                self.message(event, at, arrived);
            }
            _ => {}
        }
        if let Some(stats) = event.stats.clone() {
            if let Some(stats) = stats.incoming {
                self.incoming.state(stats, arrived);
            }
            if let Some(stats) = stats.outgoing {
                self.outgoing.state(stats, arrived);
            }
            if let Some(mut schema) = stats.schema {
                for names in [&mut schema.detected_keys, &mut schema.variants].into_iter().flatten() {
                    names.truncate(SCHEMA_NAMES);
                }
                self.schema = Some(schema);
            }
            self.sampling = stats.sampling.or(self.sampling.take());
        }
    }

    fn message(&mut self, event: &SocketEvent, at: Timestamp, arrived: Timestamp) {
        let outgoing = event.is_outgoing();
        if let Some(data) = event.data.as_deref()
            && event.truncated != Some(true)
        {
            self.counted_schema.add(data, outgoing);
        }
        self.sampled.clone_from(&event.sampled);
        let traffic = if outgoing { &mut self.outgoing } else { &mut self.incoming };
        traffic.message(event, at, arrived);
    }

    fn bytes(&self) -> usize {
        let of = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        let names = |names: &Option<Vec<String>>| names.iter().flatten().map(|name| name.len() + 24).sum::<usize>();
        OVERHEAD_BYTES
            + self.id.len()
            + of(&self.url)
            + of(&self.test_id)
            + of(&self.close_reason)
            + of(&self.incoming.last_preview)
            + of(&self.outgoing.last_preview)
            + self.counted_schema.bytes()
            + self.schema.as_ref().map_or(0, |schema| names(&schema.detected_keys) + names(&schema.variants))
            + self.sampling.as_ref().map_or(0, |sampling| of(&sampling.rate) + of(&sampling.reason))
            + self.sampled.as_ref().map_or(0, |sampled| of(&sampled.rate) + of(&sampled.logged) + of(&sampled.window))
    }
}

/// All connections. If tests are kept apart, each test has its own room for them.
#[derive(Debug, Default)]
pub struct Connections {
    /// The most recently used room is last.
    rooms: VecDeque<Room>,
    is_per_test: bool,
    dropped: u64,
    received: u64,
    removed: u64,
}

/// Connections in the order of their first event; a closed one moves to the end.
#[derive(Debug, Default)]
struct Room {
    test_id: Option<String>,
    all: VecDeque<Connection>,
    bytes: usize,
}

impl Connections {
    /// Takes any event, and returns the address of its connection.
    pub fn take(&mut self, event: &SocketEvent, arrived: Timestamp) -> Option<&str> {
        self.forget(arrived);
        let test_id = event.test_id.as_ref().filter(|_| self.is_per_test);
        let place = self.rooms.iter().rposition(|room| room.test_id.as_ref() == test_id);
        let mut room = place
            .and_then(|place| self.rooms.remove(place))
            .unwrap_or_else(|| Room { test_id: test_id.cloned(), ..Room::default() });
        let before = room.all.len() as u64;
        let (is_new, dropped) = room.take(event, arrived);
        self.received += u64::from(is_new);
        self.dropped += dropped;
        // A connection that is opened again replaces what is known about its earlier life.
        self.removed += (before + u64::from(is_new)).saturating_sub(dropped + room.all.len() as u64);
        self.rooms.push_back(room);
        while self.rooms.len() > limits::CI_CONNECTION_TESTS {
            self.dropped += self.rooms.pop_front().map_or(0, |room| room.all.len() as u64);
        }
        self.rooms.back()?.connection_of(event)?.url.as_deref()
    }

    /// Forgets closed connections when their time is over.
    pub fn forget(&mut self, now: Timestamp) {
        self.retain(|connection| !connection.is_over(now));
    }

    /// Oldest first; closed ones in the order in which they closed.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Connection> {
        self.rooms.iter().flat_map(|room| room.all.iter())
    }

    /// Keeps only the connections for which `keep` holds; the others count as removed.
    pub fn retain(&mut self, mut keep: impl FnMut(&Connection) -> bool) {
        let all = self.len();
        self.rooms.retain_mut(|room| {
            let before = room.all.len();
            room.all.retain(&mut keep);
            if room.all.len() < before {
                room.bytes = room.all.iter().map(Connection::bytes).sum();
            }
            !room.all.is_empty()
        });
        self.removed += (all - self.len()) as u64;
    }

    /// The number of connections.
    pub fn len(&self) -> usize {
        self.rooms.iter().map(|room| room.all.len()).sum()
    }

    /// Whether there is no connection.
    pub fn is_empty(&self) -> bool {
        self.rooms.iter().all(|room| room.all.is_empty())
    }
}

impl Buffer for Connections {
    fn report(&self) -> BufferReport {
        BufferReport {
            count: self.len(),
            capacity: limits::OPEN_CONNECTIONS + limits::CLOSED_CONNECTIONS,
            memory_bytes: self.bytes(),
            dropped: self.dropped,
            removed: self.removed,
            received: self.received,
        }
    }

    fn bytes(&self) -> usize {
        self.rooms.iter().map(|room| room.bytes).sum()
    }

    fn make_per_test(&mut self) {
        self.is_per_test = true;
    }

    fn drop_all(&mut self) {
        self.dropped += self.len() as u64;
        self.rooms = VecDeque::new();
    }

    /// Connections are derived from events, and the events are counted.
    fn evict_test(&mut self, test_id: Option<&str>) -> usize {
        let before = self.len();
        self.rooms.retain(|room| room.test_id.as_deref() != test_id);
        self.dropped += (before - self.len()) as u64;
        0
    }

    fn take_out(&mut self, test_id: Option<&str>, _: &mut HashMap<String, usize>) -> usize {
        self.retain(|connection| test_id.is_some_and(|test_id| connection.test_id.as_deref() != Some(test_id)));
        0
    }

    /// A test with only connections has no known last activity, so it is evicted before all others.
    fn newest_of_tests<'s>(&'s self) -> Box<dyn Iterator<Item = (Option<&'s str>, u64)> + 's> {
        Box::new(self.rooms.iter().map(|room| (room.test_id.as_deref(), 0)))
    }
}

impl Room {
    /// Returns whether the connection is new, and how many were evicted for it.
    fn take(&mut self, event: &SocketEvent, arrived: Timestamp) -> (bool, u64) {
        let Some(id) = id_of(event) else { return (false, 0) };
        let at = event.at;
        let known = self.all.iter().position(|known| known.is_of(id, event));
        let is_new_life = matches!(event.event, SocketEventKind::Connecting | SocketEventKind::Open);
        // A connection that was evicted must not reappear, as a new one, with each of its messages.
        let is_end = event.event == SocketEventKind::Close;
        if known.is_none() && !is_new_life && !is_end && self.count(false) >= limits::OPEN_CONNECTIONS {
            return (false, 0);
        }
        let (mut connection, place, is_new) = match known.and_then(|index| Some((self.all.remove(index)?, index))) {
            Some((connection, index)) if !(connection.is_closed() && is_new_life) => (connection, index, false),
            _ => (Connection::new(id, event, at), self.all.len(), true),
        };
        let was_closed = connection.is_closed();
        connection.take(event, at, arrived);
        let ended = connection.is_closed() && !was_closed;
        self.all.insert(if ended { self.all.len() } else { place }, connection);
        self.bytes = self.all.iter().map(Connection::bytes).sum();
        (is_new, self.evict())
    }

    fn connection_of(&self, event: &SocketEvent) -> Option<&Connection> {
        let id = id_of(event)?;
        self.all.iter().find(|known| known.is_of(id, event))
    }

    fn evict(&mut self) -> u64 {
        let mut dropped = 0;
        while self.count(true) > limits::CLOSED_CONNECTIONS {
            dropped += self.evict_oldest(true);
        }
        while self.count(false) > limits::OPEN_CONNECTIONS {
            dropped += self.evict_oldest(false);
        }
        // Closed connections are evicted before open ones.
        while self.bytes > limits::CONNECTION_BYTES && !self.all.is_empty() {
            dropped += self.evict_oldest(self.count(true) > 0);
        }
        dropped
    }

    fn evict_oldest(&mut self, closed: bool) -> u64 {
        let oldest = self.all.iter().position(|connection| connection.is_closed() == closed);
        let Some(left) = oldest.and_then(|index| self.all.remove(index)) else { return 0 };
        self.bytes -= left.bytes();
        1
    }

    fn count(&self, closed: bool) -> usize {
        self.all.iter().filter(|connection| connection.is_closed() == closed).count()
    }
}

/// The id of an event's connection. Senders without ids are assumed to have one connection for each address.
fn id_of(event: &SocketEvent) -> Option<&str> {
    event.connection_id.as_deref().or(event.url.as_deref())
}
