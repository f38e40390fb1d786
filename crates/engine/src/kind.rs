//! The table of captured kinds: what a kind is called, its entry, its buffer, and the batch that brings it. Buffers, intake,
//! accounting, clearing and eviction loop over it, so a kind is added by a row here, its wire struct, its entry and its
//! fixture; CONTRIBUTING has the recipe, and a test compares the table with the folders.

use serde::Serialize;

/// Calls a macro with all rows: `Kind = "name", Entry, buffer, batch;`. The name is that of its buffer in answers, the buffer
/// is a field of the store, and the batch is a wire struct, or `alone` for what comes without one.
macro_rules! for_each_kind {
    ($then:ident) => {
        $then! {
            Logs = "logs", Log, logs, LogBatch;
            WebsocketEvents = "websocket_events", SocketEvent, websocket, EventBatch;
            NetworkBodies = "network_bodies", Request, network, BodyBatch;
            EnhancedActions = "enhanced_actions", Action, actions, ActionBatch;
            DomSnapshots = "dom_snapshots", DomSnapshot, dom_snapshots, SnapshotBatch;
            Performance = "performance", PageLoad, performance, alone;
            ExtensionLogs = "extension_logs", ExtensionLog, extension_logs, ExtensionLogBatch;
        }
    };
}

macro_rules! define_kinds {
    ($($kind:ident = $name:literal, $entry:ident, $buffer:ident, $batch:ident;)*) => {
        /// The kinds of things that are captured.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Kind {
            $($kind,)*
            /// What is known of sockets: drawn from their events, and sent by nobody.
            Connections,
        }

        impl Kind {
            pub const ALL: [Self; [$($name,)* "connections"].len()] = [$(Self::$kind,)* Self::Connections];

            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                    Self::Connections => "connections",
                }
            }
        }
    };
}

for_each_kind!(define_kinds);
