//! The macro that entries are written with.

/// A struct with the tags that every entry has. The first fields are always there and are decided when an entry is
/// parsed; the `optional` ones are taken over from the wire struct as they are, by a function `with` that the macro makes.
macro_rules! entry {
    (
        $(#[$meta:meta])*
        pub struct $name:ident from $wire:ty {
            $( $(#[$decided_meta:meta])* $decided:ident: $decided_ty:ty, )*
        } optional {
            $( $(#[$kept_meta:meta])* $kept:ident: $kept_ty:ty, )*
        } addresses { $entry:ident => $addresses:expr }
    ) => {
        #[derive(Debug, Clone, PartialEq, serde::Serialize, schemars::JsonSchema)]
        #[allow(missing_docs, reason = "the wire struct documents the fields")]
        $(#[$meta])*
        pub struct $name {
            $( $(#[$decided_meta])* pub $decided: $decided_ty, )*
            $(
                $(#[$kept_meta])*
                #[serde(skip_serializing_if = "Option::is_none")]
                pub $kept: Option<$kept_ty>,
            )*
            #[serde(rename = "tabId", skip_serializing_if = "Option::is_none")]
            pub tab_id: Option<i64>,
            #[serde(skip_serializing_if = "Option::is_none")]
            pub test_id: Option<String>,
            #[serde(skip_serializing_if = "Option::is_none")]
            pub page_id: Option<String>,
            #[serde(skip_serializing_if = "Option::is_none")]
            pub worker: Option<String>,
        }

        impl $name {
            fn with($($decided: $decided_ty,)* wire: $wire) -> Self {
                Self {
                    $($decided,)*
                    $($kept: wire.$kept,)*
                    tab_id: wire.tab_id,
                    test_id: wire.test_id,
                    page_id: wire.page_id,
                    worker: wire.worker,
                }
            }
        }

        impl $crate::entry::Entry for $name {
            fn at(&self) -> wire::Timestamp {
                self.at
            }

            fn tab_id(&self) -> Option<i64> {
                self.tab_id
            }

            fn test_id(&self) -> Option<&str> {
                self.test_id.as_deref()
            }

            fn page_id(&self) -> Option<&str> {
                self.page_id.as_deref()
            }

            fn worker(&self) -> Option<&str> {
                self.worker.as_deref()
            }

            fn addresses(&self) -> [Option<&str>; 3] {
                let $entry = self;
                $addresses
            }
        }
    };
}

/// Serializes an enum as its name. The schema lists the names as all that there are (`enum`) or as `examples`.
macro_rules! written_as_text {
    ($name:ident, $key:literal, [$($text:literal),*]) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", $key: [$($text),*] })
            }
        }
    };
}

/// An enum of the names that the wire uses for something.
macro_rules! names {
    (
        $(#[$meta:meta])*
        pub enum $name:ident { $( $(#[$variant_meta:meta])* $variant:ident = $text:literal, )* }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "most variants say no more than their names")]
        pub enum $name { $( $(#[$variant_meta])* $variant, )* }

        impl $name {
            /// Its name on the wire.
            pub const fn name(self) -> &'static str {
                match self { $( Self::$variant => $text, )* }
            }

            /// The one with this name.
            pub fn named(name: &str) -> Option<Self> {
                match name { $( $text => Some(Self::$variant), )* _ => None }
            }
        }

        written_as_text!($name, "enum", [$($text),*]);
    };
}

/// The same where senders may use names that we do not know; those are kept as they are.
macro_rules! open_names {
    (
        $(#[$meta:meta])*
        pub enum $name:ident { $( $(#[$variant_meta:meta])* $variant:ident = $text:literal, )* }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "most variants say no more than their names")]
        pub enum $name {
            $( $(#[$variant_meta])* $variant, )*
            /// A name that only its sender knows.
            Other(String),
        }

        impl $name {
            /// Its name on the wire.
            pub fn name(&self) -> &str {
                match self {
                    $( Self::$variant => $text, )*
                    Self::Other(name) => name,
                }
            }

            /// The one with this name, or `Other`.
            pub fn named(name: &str) -> Self {
                match name {
                    $( $text => Self::$variant, )*
                    _ => Self::Other(name.to_owned()),
                }
            }

            fn scrub(&mut self, scrubber: &mut $crate::redact::Scrubber<'_>) {
                if let Self::Other(name) = self {
                    scrubber.text("type", name);
                }
            }
        }

        written_as_text!($name, "examples", [$($text),*]);
    };
}
