//! The extension's settings: one table of switches, and the few settings that are not switches.
//!
//! A row of [`Switch`] decides a switch's name, default, place and words in the popup or options page, whether the
//! extension reports it to the server, and its name in the page. `settings.gen.ts` is generated from here. What a
//! switch does is written where it acts, never here.

use serde::{Deserialize, Serialize};

use crate::Json;

/// A setting that is on or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Switch {
    /// Its name in storage, on the wire and in `data-setting`.
    pub key: &'static str,
    /// Whether it is on until the user says otherwise.
    pub on: bool,
    /// Its name among the capture's switches, for those that the page itself obeys.
    pub page: Option<&'static str>,
    /// What it captures, for switches without which something is missing.
    pub captures: Option<Captures>,
    /// Where the user finds it.
    pub rows: &'static [Row],
}

/// What a switch captures, for the sentences that say why it is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Captures {
    /// The buffers that stay empty without it, by the name that answers use.
    pub buffers: &'static [&'static str],
    /// What is "switched off", for AI clients.
    pub capture: &'static str,
    /// What is captured "without", for `gasoline doctor`.
    pub what: &'static str,
}

/// The row that shows a switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// Where it is shown.
    pub place: Place,
    /// The switch's label.
    pub label: &'static str,
    /// What it costs, or adds. Text between backticks is set as code.
    pub cost: &'static str,
    /// What the user should know while it is on.
    pub note: Option<&'static str>,
}

macro_rules! places {
    ($($(#[$doc:meta])* $name:ident = $key:literal,)*) => {
        /// Part of the popup or options page. The page marks it with `<template data-switches="…">`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Place {
            $($(#[$doc])* $name,)*
        }

        impl Place {
            /// Every place, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The place's name in `data-switches`.
            pub const fn key(self) -> &'static str {
                match self {
                    $(Self::$name => $key,)*
                }
            }
        }
    };
}

places! {
    /// Popup, "What is captured", above the console level.
    Console = "console",
    /// Popup, "What is captured".
    Captured = "captured",
    /// Popup, "Added to each error".
    Added = "added",
    /// Popup, "Lets the AI act".
    Acting = "acting",
    /// Options, "AI error context".
    Context = "context",
    /// Options, the parts of the AI error context. They have no effect without it.
    ContextParts = "context-parts",
    /// Options, "Debugging Gasoline itself".
    Debug = "debug",
}

const SWITCH: Switch = Switch { key: "", on: false, page: None, captures: None, rows: &[] };

const fn row(place: Place, label: &'static str, cost: &'static str) -> Row {
    Row { place, label, cost, note: None }
}

const fn noted(place: Place, label: &'static str, cost: &'static str, note: &'static str) -> Row {
    Row { place, label, cost, note: Some(note) }
}

/// `reported` switches are fields of [`Settings`], `private` ones stay in the browser.
macro_rules! switches {
    (
        reported { $($(#[$doc:meta])* $field:ident = $key:literal: $switch:expr;)* }
        private { $($(#[$private_doc:meta])* $private_key:literal: $private:expr;)* }
    ) => {
        /// Every switch, in the order of the pages that show them.
        pub const SWITCHES: &[Switch] =
            &[$(Switch { key: $key, ..$switch },)* $(Switch { key: $private_key, ..$private },)*];

        /// The switches that the server and its AI clients know.
        pub const REPORTED: &[&str] = &[$($key,)*];

        /// The settings, as far as the server needs to know them.
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
        #[serde(rename_all(serialize = "camelCase"))]
        pub struct Settings {
            $(
                $(#[$doc])*
                #[serde(alias = $key, skip_serializing_if = "Option::is_none")]
                pub $field: Option<bool>,
            )*
            /// The least console level that is captured: `error`, `warn` (and errors) or `all`.
            #[serde(alias = "captureLevel", skip_serializing_if = "Option::is_none")]
            pub capture_level: Option<String>,
            /// What is captured: `local` stands for the development hosts, `all` for everything, the rest are host patterns.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub sites: Option<Json>,
            /// Hosts that the user switched off.
            #[serde(alias = "blockedSites", skip_serializing_if = "Option::is_none")]
            pub blocked_sites: Option<Json>,
        }

        impl Settings {
            /// Whether a switch is on, if the extension reported it.
            pub fn is_on(&self, switch: &Switch) -> Option<bool> {
                match switch.key {
                    $($key => self.$field,)*
                    _ => None,
                }
            }
        }
    };
}

switches! {
    reported {
        /// Console messages; uncaught errors are captured in any case.
        capture_console = "captureConsole": Switch {
            on: true,
            page: Some("console"),
            captures: Some(Captures { buffers: &["logs"], capture: "console capture", what: "console" }),
            rows: &[row(Place::Console, "Console", "Up to 16 KB per message")],
            ..SWITCH
        };
        /// Messages of WebSockets and event streams.
        capture_web_sockets = "captureWebSockets": Switch {
            on: true,
            page: Some("webSockets"),
            captures: Some(Captures {
                buffers: &["websocket_events", "connections"],
                capture: "WebSocket capture",
                what: "WebSockets",
            }),
            rows: &[row(Place::Captured, "WebSockets", "Up to 4 KB per message")],
            ..SWITCH
        };
        /// What the user does: clicks, input, navigation.
        capture_actions = "captureActions": Switch {
            on: true,
            page: Some("actions"),
            captures: Some(Captures { buffers: &["enhanced_actions"], capture: "action capture", what: "actions" }),
            rows: &[row(Place::Captured, "User actions", "~2 KB per error")],
            ..SWITCH
        };
        /// Bodies of requests and responses. Requests are captured whether or not their bodies are.
        capture_network_bodies = "captureNetworkBodies": Switch {
            captures: Some(Captures { buffers: &[], capture: "body capture", what: "request bodies" }),
            rows: &[noted(
                Place::Captured,
                "Network bodies",
                "Up to 24 KB per request; may hold personal data",
                "What pages send and receive is readable by your AI client",
            )],
            ..SWITCH
        };
        /// Source, components and state around an error.
        ai_context_enabled = "aiContextEnabled": Switch {
            on: true,
            rows: &[
                row(Place::Added, "AI error context", "Source lines and components around the error"),
                row(Place::Context, "Add context to errors", "The same switch as in the popup"),
            ],
            ..SWITCH
        };
        /// A screenshot of the page when an error happens.
        screenshot_on_error = "screenshotOnError": Switch {
            rows: &[noted(
                Place::Added,
                "Screenshot on error",
                "A JPEG file on disk per error",
                "High-resolution displays will produce large files",
            )],
            ..SWITCH
        };
        /// The timing of recent requests, with each error.
        network_waterfall = "networkWaterfall": Switch {
            page: Some("networkWaterfall"),
            rows: &[noted(
                Place::Added,
                "Network waterfall",
                "~50 KB per error",
                "Adds ~50KB of timing data per error",
            )],
            ..SWITCH
        };
        /// The page's own `performance.mark` and `measure`, with each error.
        performance_marks = "performanceMarks": Switch {
            page: Some("performanceMarks"),
            rows: &[noted(
                Place::Added,
                "Performance marks",
                "2–10 KB per error",
                "Adds timing data to log entries",
            )],
            ..SWITCH
        };
        /// The source lines around an error.
        ai_context_source_snippets = "aiContextSourceSnippets": Switch {
            on: true,
            rows: &[row(
                Place::ContextParts,
                "Source code snippets",
                "The lines around the error, from source maps that contain the source",
            )],
            ..SWITCH
        };
        /// The components that an error happened in.
        ai_context_component_tree = "aiContextComponentTree": Switch {
            on: true,
            rows: &[row(
                Place::ContextParts,
                "Component ancestry",
                "The components around the error, in React, Vue, Svelte and Angular",
            )],
            ..SWITCH
        };
        /// The state of the application's stores when an error happened.
        ai_context_state_snapshot = "aiContextStateSnapshot": Switch {
            rows: &[noted(
                Place::ContextParts,
                "State snapshot",
                "The application’s state when the error happened; may hold sensitive values",
                "Your AI client can read the values that are in the state",
            )],
            ..SWITCH
        };
        /// Whether AI clients may run scripts in captured pages.
        allow_execute_js = "allowExecuteJs": Switch {
            rows: &[noted(
                Place::Acting,
                "Allow AI to run JavaScript",
                "Any code, in your pages, with your logins",
                "Your AI client can now change pages. Switch this off when you no longer need it.",
            )],
            ..SWITCH
        };
    }
    private {
        /// Measures the extension's own share of a page's time, and logs what the extension does.
        "debugMode": Switch {
            page: Some("debug"),
            rows: &[row(
                Place::Debug,
                "Debug mode",
                "Writes `gasoline:perf` metrics into the debug log every minute: memory, buffers, dropped events, what was left out because it took too long",
            )],
            ..SWITCH
        };
    }
}

/// The values of the least console level that is captured.
pub const CAPTURE_LEVELS: [&str; 3] = ["error", "warn", "all"];
/// Everything is captured until the user says otherwise.
pub const CAPTURE_LEVEL: &str = "all";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_switch_has_a_row_and_a_unique_name() {
        let mut keys: Vec<&str> = SWITCHES.iter().map(|switch| switch.key).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), SWITCHES.len());
        for switch in SWITCHES {
            assert!(!switch.rows.is_empty(), "{} can be switched nowhere", switch.key);
        }
    }

    #[test]
    fn reported_settings_are_read_in_both_spellings_and_written_as_the_table_says() {
        for key in REPORTED {
            let switch = SWITCHES.iter().find(|switch| switch.key == *key).unwrap();
            let snake: String =
                key.chars().flat_map(|c| c.is_uppercase().then_some('_').into_iter().chain(c.to_lowercase())).collect();
            for spelling in [key.to_string(), snake] {
                let settings: Settings = serde_json::from_str(&format!("{{\"{spelling}\":false}}")).unwrap();
                assert_eq!(settings.is_on(switch), Some(false), "{spelling}");
                assert_eq!(serde_json::to_string(&settings).unwrap(), format!("{{\"{key}\":false}}"));
            }
        }
    }
}
