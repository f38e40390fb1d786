//! Notifications: who subscribes to what, and when each client gets a message. The engine decides what is significant.
//!
//! Nothing is computed without a subscriber. If both locks are needed, lock the store first.

mod push;
mod resources;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use engine::Session;
use engine::stream::{Event, Notification, Settings, Throttle, Watcher};
use tokio::sync::{Notify, mpsc};
use wire::{Timestamp, limits};

use crate::app::App;
use crate::clients::Client;
use crate::clock;

pub(crate) use push::push_events;
pub(crate) use resources::{Resource, Watched};

/// The time resolution of delayed messages and unanswered forms.
const TICK: Duration = Duration::from_millis(250);

#[derive(Debug)]
pub(crate) struct Streams {
    state: Mutex<State>,
    /// The number of listeners and watched resources, readable without a lock.
    busy: AtomicUsize,
    begun: Notify,
    epoch: Instant,
}

#[derive(Debug, Default)]
struct State {
    watcher: Option<Watcher>,
    listeners: Vec<Listener>,
    watched: Vec<Watched>,
    last_number: u64,
}

#[derive(Debug)]
struct Listener {
    number: u64,
    /// The AI client; `None` for readers of `/events/stream`.
    owner: Option<Weak<Client>>,
    throttle: Throttle,
    queue: mpsc::Sender<Notification>,
}

impl Listener {
    fn is_of(&self, client: &Arc<Client>) -> bool {
        self.owner.as_ref().is_some_and(|owner| std::ptr::eq(owner.as_ptr(), Arc::as_ptr(client)))
    }

    fn is_gone(&self) -> bool {
        self.queue.is_closed() || self.owner.as_ref().is_some_and(|owner| owner.strong_count() == 0)
    }
}

impl Default for Streams {
    fn default() -> Self {
        Self { state: Mutex::default(), busy: AtomicUsize::new(0), begun: Notify::new(), epoch: Instant::now() }
    }
}

impl Streams {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> u64 {
        u64::try_from(self.epoch.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// This client's settings, if it listens.
    pub(crate) fn settings(&self, client: &Arc<Client>) -> Option<Settings> {
        self.state().listeners.iter().find(|of| of.is_of(client)).map(|of| of.throttle.settings().clone())
    }

    /// Changes a listening client's settings. `false` if it does not listen.
    pub(crate) fn change(&self, client: &Arc<Client>, settings: Settings) -> bool {
        let mut state = self.state();
        let Some(listener) = state.listeners.iter_mut().find(|of| of.is_of(client)) else { return false };
        listener.throttle.change(settings);
        true
    }

    /// Subscribes from now on. The messages end when the listener is disconnected.
    pub(crate) fn listen(
        &self,
        session: &Session,
        owner: Option<&Arc<Client>>,
        settings: Settings,
    ) -> mpsc::Receiver<Notification> {
        let (queue, messages) = mpsc::channel(limits::STREAM_QUEUE);
        let mut state = self.state();
        state.watcher.get_or_insert_with(|| Watcher::new(session));
        state.last_number += 1;
        let number = state.last_number;
        let throttle = Throttle::new(settings, session);
        state.listeners.push(Listener { number, owner: owner.map(Arc::downgrade), throttle, queue });
        self.count(&state);
        messages
    }

    pub(crate) fn leave(&self, client: &Arc<Client>) {
        let mut state = self.state();
        state.listeners.retain(|of| !of.is_of(client));
        self.count(&state);
    }

    /// Examines new entries. Call it while the store that has just received them is still locked.
    pub(crate) fn look(&self, session: &Session, now: Timestamp) {
        if self.busy.load(Ordering::Relaxed) == 0 {
            return;
        }
        let mut state = self.state();
        let events = state.watcher.as_mut().map(|watcher| watcher.look(session, now)).unwrap_or_default();
        self.deliver(&mut state, &events);
    }

    fn deliver(&self, state: &mut State, events: &[Event]) {
        let now = self.now();
        let mut gone = Vec::new();
        for listener in &mut state.listeners {
            let due = listener.throttle.offer(events, now);
            // Disconnect a listener that falls behind; the others must not wait for it.
            let is_stuck = due.is_some_and(|notification| listener.queue.try_send(notification).is_err());
            if is_stuck || listener.is_gone() {
                gone.push(listener.number);
            }
        }
        if !gone.is_empty() {
            state.listeners.retain(|listener| !gone.contains(&listener.number));
            self.count(state);
        }
    }

    fn count(&self, state: &State) {
        let busy = state.listeners.len() + state.watched.len();
        self.busy.store(busy, Ordering::Relaxed);
        if busy > 0 {
            self.begun.notify_one();
        }
    }

    /// Whether nobody listens. If so, the watcher's state is dropped: the next listener starts fresh.
    fn is_idle(&self) -> bool {
        // Check under the lock: a new listener may be subscribing right now and needs the watcher.
        let mut state = self.state();
        let is_idle = state.listeners.is_empty() && state.watched.is_empty();
        if is_idle {
            state.watcher = None;
        }
        is_idle
    }

    /// The timer for delayed messages, unanswered forms and changed resources.
    pub(crate) async fn run(app: Arc<App>) {
        loop {
            if app.streams.is_idle() {
                tokio::select! {
                    () = app.shutdown.cancelled() => return,
                    () = app.streams.begun.notified() => {}
                }
            }
            tokio::select! {
                () = app.shutdown.cancelled() => return,
                () = tokio::time::sleep(TICK) => {}
            }
            let session = app.session();
            app.streams.look(&session, clock::now());
            app.streams.tell_of_resources(&app, &session);
        }
    }
}
