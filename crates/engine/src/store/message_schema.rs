//! What the messages of a connection have in common, for senders that do not report it themselves.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer as _, IgnoredAny, MapAccess, Visitor};
use wire::websocket::MessageSchema;

use super::connections::SCHEMA_NAMES;

/// Longer keys are content, not structure.
const NAME_CHARS: usize = 64;
/// Variants that are listed; the others add up to a few percent at most.
const SHOWN_VARIANTS: usize = 10;

/// What was seen so far in one direction. Directions differ: sent messages are often only subscriptions.
#[derive(Debug, Clone, Default)]
pub(super) struct SchemaCount {
    incoming: Seen,
    outgoing: Seen,
}

#[derive(Debug, Clone, Default)]
struct Seen {
    keys: Vec<String>,
    messages: u64,
    /// A message had other keys than the first one, or was not a JSON object.
    differs: bool,
    /// How many messages had each `type`.
    types: Vec<(String, u64)>,
}

impl SchemaCount {
    pub(super) fn add(&mut self, data: &str, outgoing: bool) {
        let seen = if outgoing { &mut self.outgoing } else { &mut self.incoming };
        seen.add(data);
    }

    pub(super) fn incoming(&self) -> Option<MessageSchema> {
        self.incoming.schema()
    }

    pub(super) fn outgoing(&self) -> Option<MessageSchema> {
        self.outgoing.schema()
    }

    pub(super) fn bytes(&self) -> usize {
        let of = |seen: &Seen| {
            seen.keys.iter().chain(seen.types.iter().map(|(name, _)| name)).map(|name| name.len() + 32).sum::<usize>()
        };
        of(&self.incoming) + of(&self.outgoing)
    }
}

impl Seen {
    fn add(&mut self, data: &str) {
        let Some(shape) = Shape::read(data) else {
            self.differs = true;
            return;
        };
        let known = shape.keys.iter().filter(|key| self.keys.contains(key)).count();
        self.differs |= self.messages > 0 && (known < shape.keys.len() || known < self.keys.len());
        for key in shape.keys {
            if self.keys.len() < SCHEMA_NAMES && !self.keys.contains(&key) {
                self.keys.push(key);
            }
        }
        self.messages += 1;
        if let Some(kind) = shape.kind {
            if let Some((_, count)) = self.types.iter_mut().find(|(name, _)| *name == kind) {
                *count += 1;
            } else if self.types.len() < SCHEMA_NAMES {
                self.types.push((kind, 1));
            }
        }
    }

    fn schema(&self) -> Option<MessageSchema> {
        if self.messages == 0 {
            return None;
        }
        let mut types: Vec<_> = self.types.iter().collect();
        types.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let variants = (types.len() > 1).then(|| {
            let percent = |count: u64| (count as f64 * 100.0 / self.messages as f64).round();
            types.iter().take(SHOWN_VARIANTS).map(|(name, count)| format!("{name} ({}%)", percent(*count))).collect()
        });
        Some(MessageSchema {
            detected_keys: Some(self.keys.clone()),
            message_count: Some(self.messages),
            consistent: Some(!self.differs && variants.is_none()),
            variants,
        })
    }
}

/// The top level of one message.
struct Shape {
    keys: Vec<String>,
    kind: Option<String>,
}

impl Shape {
    /// `None` for text that is not a JSON object. The rest of the message is skipped instead of parsed.
    fn read(data: &str) -> Option<Self> {
        let mut deserializer = serde_json::Deserializer::from_str(data);
        let shape = deserializer.deserialize_map(ShapeVisitor).ok()?;
        deserializer.end().ok()?;
        Some(shape)
    }
}

struct ShapeVisitor;

impl<'de> Visitor<'de> for ShapeVisitor {
    type Value = Shape;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Shape, A::Error> {
        let mut shape = Shape { keys: Vec::new(), kind: None };
        let cut = |name: &str| name.chars().take(NAME_CHARS).collect::<String>();
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            if key == "type" {
                shape.kind = match map.next_value::<serde_json::Value>()? {
                    serde_json::Value::String(kind) => Some(cut(&kind)),
                    _ => None,
                };
            } else {
                map.next_value::<IgnoredAny>()?;
            }
            let key = cut(&key);
            if shape.keys.len() < SCHEMA_NAMES && !shape.keys.contains(&key) {
                shape.keys.push(key);
            }
        }
        Ok(shape)
    }
}
