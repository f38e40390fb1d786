//! Resources, which a client can show or watch without calling a tool. Each is a tool's answer.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Arc, Weak};

use engine::Session;
use engine::failures::failures;
use engine::store::Filter;
use rmcp::model::{ResourceUpdatedNotification, ResourceUpdatedNotificationParam, ServerNotification};
use rmcp::service::{Peer, RoleServer};
use serde_json::json;

use super::{Streams, push};
use crate::app::App;
use crate::clients::Client;

/// The shortest time between two update notifications of a resource that keeps changing.
const GAP_MILLIS: u64 = 1_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Resource {
    Errors,
    Timeline,
    Status,
}

impl Resource {
    pub(crate) const ALL: [Self; 3] = [Self::Errors, Self::Timeline, Self::Status];

    pub(crate) const fn uri(self) -> &'static str {
        match self {
            Self::Errors => "gasoline://errors",
            Self::Timeline => "gasoline://timeline",
            Self::Status => "gasoline://status",
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Errors => "Browser errors",
            Self::Timeline => "Session timeline",
            Self::Status => "Gasoline status",
        }
    }

    pub(crate) const fn description(self) -> &'static str {
        match self {
            Self::Errors => "Errors and failed requests of captured pages, grouped, newest first.",
            Self::Timeline => "What happened in the browser, in order: actions, requests, console, sockets.",
            Self::Status => "Whether a browser is connected, which tabs are captured, how full the buffers are.",
        }
    }

    /// The tool whose answer it is.
    pub(crate) const fn tool(self) -> &'static str {
        match self {
            Self::Errors => "get_browser_errors",
            Self::Timeline => "get_session_timeline",
            Self::Status => "get_status",
        }
    }

    pub(crate) fn of_uri(uri: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|resource| resource.uri() == uri)
    }

    /// A value that changes whenever the resource's content changes.
    fn version(self, app: &App, session: &Session) -> u64 {
        match self {
            Self::Errors => {
                let cleared = session.store.logs_cleared().map_or(0, |(_, cursor)| cursor);
                let newest = failures(session, &Filter { without_noise: true, ..Filter::default() });
                newest.last().map_or(0, |failure| failure.cursor()).wrapping_add(cleared << 32)
            }
            Self::Timeline => {
                session.store.cursor().wrapping_add(session.store.cleared().map_or(0, |at| at.millis().cast_unsigned()))
            }
            // Ignore times, which always change: only connections and settings count as a change.
            Self::Status => {
                let mut hasher = DefaultHasher::new();
                let extension = app.extension.report();
                let seen = json!([extension.connected, extension.version, extension.tabs, extension.settings]);
                seen.to_string().hash(&mut hasher);
                app.clients.count().hash(&mut hasher);
                hasher.finish()
            }
        }
    }
}

/// One client that watches one resource.
#[derive(Debug)]
pub(crate) struct Watched {
    resource: Resource,
    owner: Weak<Client>,
    peer: Peer<RoleServer>,
    told: u64,
    told_at: u64,
}

impl Streams {
    pub(crate) fn watch(
        &self,
        app: &App,
        session: &Session,
        client: &Arc<Client>,
        peer: Peer<RoleServer>,
        resource: Resource,
    ) {
        let told = resource.version(app, session);
        let mut state = self.state();
        state.watched.retain(|of| !of.is(client, resource));
        state.watched.push(Watched { resource, owner: Arc::downgrade(client), peer, told, told_at: 0 });
        self.count(&state);
    }

    pub(crate) fn unwatch(&self, client: &Arc<Client>, resource: Resource) {
        let mut state = self.state();
        state.watched.retain(|of| !of.is(client, resource));
        self.count(&state);
    }

    pub(super) fn tell_of_resources(&self, app: &App, session: &Session) {
        let now = self.now();
        let mut state = self.state();
        if state.watched.is_empty() {
            return;
        }
        state.watched.retain(|of| of.owner.strong_count() > 0);
        let versions = Resource::ALL.map(|resource| {
            let is_watched = state.watched.iter().any(|of| of.resource == resource);
            (resource, is_watched.then(|| resource.version(app, session)))
        });
        for watched in &mut state.watched {
            let version = versions.iter().find(|(resource, _)| *resource == watched.resource).and_then(|(_, of)| *of);
            let Some(version) = version.filter(|version| *version != watched.told) else { continue };
            if watched.told_at != 0 && now < watched.told_at + GAP_MILLIS {
                continue;
            }
            (watched.told, watched.told_at) = (version, now.max(1));
            let (peer, owner) = (watched.peer.clone(), Weak::clone(&watched.owner));
            let update =
                ResourceUpdatedNotification::new(ResourceUpdatedNotificationParam::new(watched.resource.uri()));
            // Do not wait for a client that does not read.
            tokio::spawn(async move {
                let notification = ServerNotification::ResourceUpdatedNotification(update);
                if !push::send(&peer, notification).await
                    && let Some(client) = owner.upgrade()
                {
                    client.hang_up();
                }
            });
        }
        self.count(&state);
    }
}

impl Watched {
    fn is(&self, client: &Arc<Client>, resource: Resource) -> bool {
        self.resource == resource && std::ptr::eq(self.owner.as_ptr(), Arc::as_ptr(client))
    }
}
