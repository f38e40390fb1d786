//! Points in time, in milliseconds since 1970, read from every format the wire allows.

use std::fmt;

use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};

/// Milliseconds since the Unix epoch. Written as ISO 8601 with milliseconds; read from that or from a number.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub i64);

/// The same, written as a plain number of milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EpochMillis(pub Timestamp);

impl Timestamp {
    /// The last time that can be written and read again with any offset: late on the 30th of December 9999.
    const LATEST: i64 = 253_402_207_199_999;

    /// From milliseconds since 1970.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Milliseconds since 1970.
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// Reads ISO 8601 with `Z`, with an offset, or without either (then UTC).
    pub fn parse_iso(text: &str) -> Option<Self> {
        let text = text.trim();
        let moment = match text.parse::<jiff::Timestamp>() {
            Ok(moment) => moment,
            Err(_) => text.parse::<jiff::civil::DateTime>().ok()?.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp(),
        };
        Some(Self(moment.as_millisecond())).filter(|moment| moment.0 <= Self::LATEST)
    }

    fn from_number(millis: f64) -> Option<Self> {
        (millis.is_finite() && millis >= 0.0 && millis <= Self::LATEST as f64).then_some(Self(millis as i64))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(moment) => write!(f, "{moment:.3}"),
            Err(_) => write!(f, "{}", self.0),
        }
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Input may use either form: ISO 8601, or milliseconds since 1970.
fn either() -> schemars::Schema {
    schemars::json_schema!({ "type": ["string", "number"] })
}

impl schemars::JsonSchema for Timestamp {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Timestamp".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        if generator.contract().is_deserialize() {
            return either();
        }
        schemars::json_schema!({ "type": "string", "format": "date-time" })
    }
}

impl schemars::JsonSchema for EpochMillis {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "EpochMillis".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        if generator.contract().is_deserialize() {
            return either();
        }
        schemars::json_schema!({ "type": "integer" })
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TimeVisitor)
    }
}

impl Serialize for EpochMillis {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(self.0.0)
    }
}

impl<'de> Deserialize<'de> for EpochMillis {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Timestamp::deserialize(deserializer).map(Self)
    }
}

struct TimeVisitor;

impl Visitor<'_> for TimeVisitor {
    type Value = Timestamp;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ISO 8601, for example 2026-11-16T08:00:00Z, or milliseconds since 1970")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Timestamp, E> {
        Timestamp::parse_iso(text).ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
    }

    fn visit_u64<E: de::Error>(self, millis: u64) -> Result<Timestamp, E> {
        self.visit_f64(millis as f64)
    }

    fn visit_i64<E: de::Error>(self, millis: i64) -> Result<Timestamp, E> {
        self.visit_f64(millis as f64)
    }

    fn visit_f64<E: de::Error>(self, millis: f64) -> Result<Timestamp, E> {
        Timestamp::from_number(millis).ok_or_else(|| E::invalid_value(de::Unexpected::Float(millis), &self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_time_can_be_written_and_read_again() {
        let last: Timestamp = serde_json::from_str(&Timestamp::LATEST.to_string()).unwrap();
        let written = serde_json::to_string(&last).unwrap();
        assert_eq!(written, "\"9999-12-30T21:59:59.999Z\"");
        assert_eq!(serde_json::from_str::<Timestamp>(&written).unwrap(), last);
        for later in [(Timestamp::LATEST + 1).to_string(), "\"9999-12-30T22:00:00Z\"".to_owned()] {
            assert!(serde_json::from_str::<Timestamp>(&later).is_err(), "{later}");
        }
    }

    #[test]
    fn every_format_gives_the_same_time() {
        for text in [
            "\"2026-02-07T23:00:00.000Z\"",
            "\"2026-02-07T23:00:00Z\"",
            "\"2026-02-08T00:00:00.000+01:00\"",
            "\"2026-02-07T23:00:00\"",
            "1770505200000",
            "1770505200000.4",
        ] {
            let read: Timestamp = serde_json::from_str(text).unwrap();
            assert_eq!(read, Timestamp(1_770_505_200_000), "{text}");
        }
    }

    #[test]
    fn invalid_times_are_rejected() {
        for text in ["\"yesterday\"", "-1", "1e300", "true", "{}", "\"\"", "253402300800000"] {
            assert!(serde_json::from_str::<Timestamp>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn times_are_written_with_milliseconds() {
        assert_eq!(Timestamp(1_770_505_200_000).to_string(), "2026-02-07T23:00:00.000Z");
        assert_eq!(serde_json::to_string(&EpochMillis(Timestamp(5))).unwrap(), "5");
    }
}
