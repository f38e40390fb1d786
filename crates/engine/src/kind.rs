//! The table of captured kinds. Store, session, intake, routes, accounting, clearing and eviction loop over it, so a kind is
//! added by a row here, its wire struct, its entry and its fixture; CONTRIBUTING has the recipe, and a test compares the
//! table with the folders.

use serde::Serialize;

/// Calls a macro with all rows:
///
/// ```text
/// Kind = "name", Entry, buffer: room(…), how push_function, module::Batch, "/route";
/// ```
///
/// - `name` is the buffer's name in answers.
/// - `buffer` is a field of the store: `ring(ENTRIES, BYTES)` names its limits, `own(Type)` is a type of its own.
/// - `plain` kinds are only stored, and their push functions are generated. For `learned` kinds the store and the session
///   define a push function, because something is learned from each entry. `undated` is the same without the time of
///   arrival.
/// - `Batch` is a struct of the wire crate, with its module, or `alone` for a kind whose entries are sent one by one.
macro_rules! for_each_kind {
    ($then:ident) => {
        $then! {
            /// Console lines and errors.
            Logs = "logs", Log, logs: ring(LOG_ENTRIES, LOG_BYTES),
                learned push_log, log::LogBatch, "/logs";
            /// Socket events.
            WebsocketEvents = "websocket_events", SocketEvent, websocket: ring(WEBSOCKET_ENTRIES, WEBSOCKET_BYTES),
                learned push_websocket, websocket::EventBatch, "/websocket-events";
            /// Requests.
            NetworkBodies = "network_bodies", Request, network: ring(NETWORK_ENTRIES, NETWORK_BYTES),
                learned push_network, network::BodyBatch, "/network-bodies";
            /// User actions.
            EnhancedActions = "enhanced_actions", Action, actions: ring(ACTION_ENTRIES, ACTION_BYTES),
                plain push_action, action::ActionBatch, "/enhanced-actions";
            /// Headings and marked elements that pages showed.
            DomSnapshots = "dom_snapshots", DomSnapshot, dom_snapshots: ring(DOM_SNAPSHOT_ENTRIES, DOM_SNAPSHOT_BYTES),
                plain push_dom_snapshot, dom_snapshot::SnapshotBatch, "/dom-snapshots";
            /// Page loads with their baselines.
            Performance = "performance", PageLoad, performance: own(Performance),
                undated push_performance, alone, "/performance-snapshot";
            /// The extension's own log.
            ExtensionLogs = "extension_logs", ExtensionLog, extension_logs: ring(EXTENSION_LOG_ENTRIES, EXTENSION_LOG_BYTES),
                plain push_extension_log, extension::ExtensionLogBatch, "/extension-logs";
        }
    };
}

macro_rules! define_kinds {
    ($(
        $(#[$meta:meta])*
        $kind:ident = $name:literal, $entry:ident, $buffer:ident: $room:ident($($size:ident),*), $how:ident $push:ident, $($batch:ident)::+, $path:literal;
    )*) => {
        /// The kinds of things that are captured.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Kind {
            $( $(#[$meta])* $kind, )*
            /// What is known of sockets. It is derived from their events; nobody sends it.
            Connections,
        }

        impl Kind {
            /// All kinds.
            pub const ALL: [Self; [$($name,)* "connections"].len()] = [$(Self::$kind,)* Self::Connections];

            /// The name of its buffer in answers.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                    Self::Connections => "connections",
                }
            }

            /// The type of its entries, and the route that takes them; `None` for what nobody sends.
            pub const fn sent_as(self) -> Option<(&'static str, &'static str)> {
                match self {
                    $(Self::$kind => Some((stringify!($entry), $path)),)*
                    Self::Connections => None,
                }
            }
        }
    };
}

for_each_kind!(define_kinds);
