//! Access to the dashboard.
//!
//! `gasoline open` gets a key that works once, within a minute. The page exchanges it for a session, whose secret is a
//! cookie. All ports of a host share cookies, so the cookie's name has our port in it, and it is sent only below a path
//! that only our own page knows. Neither the key nor the cookie is the access token.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use anyhow::Result;
use subtle::ConstantTimeEq as _;
use wire::limits;

use crate::state::random_hex;

const KEY_LIFE: Duration = Duration::from_secs(limits::DASHBOARD_KEY_SECONDS);
const SESSION_LIFE: Duration = Duration::from_secs(limits::DASHBOARD_SESSION_SECONDS);

/// The key in the link of `gasoline open`.
#[derive(Debug, Clone)]
pub(crate) struct Key {
    pub(crate) value: String,
    made: Instant,
}

/// The session of an open dashboard.
#[derive(Debug, Clone)]
pub(crate) struct Session {
    /// The folder that its cookie is for.
    pub(crate) id: String,
    pub(crate) secret: String,
    made: Instant,
}

#[derive(Debug, Default)]
pub(crate) struct Access {
    keys: VecDeque<Key>,
    sessions: VecDeque<Session>,
}

impl Access {
    pub(crate) fn new_key(&mut self, now: Instant) -> Result<Key> {
        let key = Key { value: random_hex(32)?, made: now };
        self.forget(now);
        while self.keys.len() >= limits::DASHBOARD_KEYS {
            self.keys.pop_front();
        }
        self.keys.push_back(key.clone());
        Ok(key)
    }

    /// Exchanges a key for a session. `None` if the key is unknown, used or expired.
    pub(crate) fn open(&mut self, key: &str, now: Instant) -> Option<Result<Session>> {
        self.forget(now);
        let place = self.keys.iter().position(|known| is_same(&known.value, key))?;
        self.keys.remove(place);
        Some(self.new_session(now))
    }

    fn new_session(&mut self, now: Instant) -> Result<Session> {
        let session = Session { id: random_hex(16)?, secret: random_hex(32)?, made: now };
        while self.sessions.len() >= limits::DASHBOARD_SESSIONS {
            self.sessions.pop_front();
        }
        self.sessions.push_back(session.clone());
        Ok(session)
    }

    /// Whether this is the secret of the session with this id.
    pub(crate) fn admits(&self, id: &str, secret: &str, now: Instant) -> bool {
        self.sessions.iter().any(|session| {
            let is_alive = now.saturating_duration_since(session.made) < SESSION_LIFE;
            is_alive && is_same(&session.id, id) && is_same(&session.secret, secret)
        })
    }

    fn forget(&mut self, now: Instant) {
        self.keys.retain(|key| now.saturating_duration_since(key.made) < KEY_LIFE);
        self.sessions.retain(|session| now.saturating_duration_since(session.made) < SESSION_LIFE);
    }
}

/// Compares in constant time.
fn is_same(one: &str, other: &str) -> bool {
    one.as_bytes().ct_eq(other.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOMENT: Duration = Duration::from_millis(1);

    #[test]
    fn a_key_works_once_and_for_a_minute() {
        let (mut access, now) = (Access::default(), Instant::now());
        let key = access.new_key(now).unwrap().value;
        assert!(access.open("", now).is_none());
        assert!(access.open(&format!("{key}0"), now).is_none());
        let last = now + KEY_LIFE - MOMENT;
        assert!(access.open(&key, last).is_some());
        assert!(access.open(&key, last).is_none(), "the key was used");
        let late = access.new_key(now).unwrap().value;
        assert!(access.open(&late, now + KEY_LIFE).is_none(), "its minute is over");
        assert!(access.open(&late, now).is_none(), "an expired key is removed");
    }

    #[test]
    fn a_session_needs_its_own_secret_and_ends_after_twelve_hours() {
        let (mut access, now) = (Access::default(), Instant::now());
        let mut open = || {
            let key = access.new_key(now).unwrap().value;
            access.open(&key, now).unwrap().unwrap()
        };
        let (one, other) = (open(), open());
        assert!(access.admits(&one.id, &one.secret, now + SESSION_LIFE - MOMENT));
        assert!(!access.admits(&one.id, &one.secret, now + SESSION_LIFE));
        assert!(!access.admits(&one.id, &other.secret, now));
        assert!(!access.admits(&other.id, &one.secret, now));
        assert!(!access.admits("", "", now));
    }

    #[test]
    fn keys_and_sessions_are_bounded() {
        let (mut access, now) = (Access::default(), Instant::now());
        let first = access.new_key(now).unwrap().value;
        for _ in 1..limits::DASHBOARD_KEYS {
            access.new_key(now).unwrap();
        }
        let mut sessions = vec![access.open(&first, now).unwrap().unwrap()];
        let oldest = access.new_key(now).unwrap();
        for _ in 0..limits::DASHBOARD_KEYS {
            access.new_key(now).unwrap();
        }
        assert!(access.open(&oldest.value, now).is_none(), "the oldest key is evicted");
        while sessions.len() <= limits::DASHBOARD_SESSIONS {
            let key = access.new_key(now).unwrap().value;
            sessions.push(access.open(&key, now).unwrap().unwrap());
        }
        assert!(!access.admits(&sessions[0].id, &sessions[0].secret, now));
        assert!(sessions[1..].iter().all(|session| access.admits(&session.id, &session.secret, now)));
    }
}
