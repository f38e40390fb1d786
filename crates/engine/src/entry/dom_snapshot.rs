//! What a page showed at one time: its headings and marked elements.

use wire::dom_snapshot::SnapshotElement;
use wire::{Timestamp, limits};

use super::page_load::as_millis;
use super::{Arrival, Parse, Refusal, page_of, time_of};
use crate::redact::{Redact, Scrubber};

entry! {
    /// The headings and marked elements that a page showed.
    pub struct DomSnapshot from wire::DomSnapshot {
        url: String,
        #[serde(rename = "timestamp", serialize_with = "as_millis")]
        at: Timestamp,
    } optional {
        title: String,
        elements: Vec<SnapshotElement>,
    } addresses {
        snapshot => [Some(&snapshot.url), None, None]
    }
}

impl Parse for DomSnapshot {
    type Wire = wire::DomSnapshot;

    fn parse(mut wire: wire::DomSnapshot, arrival: Arrival<'_>) -> Result<Self, Refusal> {
        let url = page_of(&mut wire.url, arrival).ok_or("a DOM snapshot needs `url`")?;
        if let Some(elements) = &mut wire.elements {
            elements.truncate(limits::SNAPSHOT_ELEMENTS);
            for text in elements.iter_mut().filter_map(|element| element.text.as_mut()) {
                if let Some((end, _)) = text.char_indices().nth(limits::SNAPSHOT_TEXT_CHARS) {
                    text.truncate(end);
                }
            }
        }
        Ok(Self::with(url, time_of(&wire, arrival), wire))
    }
}

impl Redact for DomSnapshot {
    fn scrub(&mut self, scrubber: &mut Scrubber<'_>) {
        let Self { url, at: _, title, elements, tab_id: _, test_id, page_id, worker } = self;
        scrubber.text("url", url);
        for (field, text) in [("title", title), ("test_id", test_id), ("page_id", page_id), ("worker", worker)] {
            scrubber.opt_text(field, text);
        }
        for SnapshotElement { role, level: _, text, test_id, visible: _ } in elements.iter_mut().flatten() {
            for content in [role, text, test_id] {
                scrubber.opt_text("elements", content);
            }
        }
    }
}
