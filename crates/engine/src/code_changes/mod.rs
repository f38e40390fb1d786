//! When pages received new code, so that errors of the new code can be told from those of the old.

pub mod dev_server;
pub mod hot_update;

use std::collections::VecDeque;

use serde::Serialize;
use wire::Timestamp;

use crate::code_changes::hot_update::Update;
use crate::store::page_loads::load_of;
use crate::url::path_of;

const CHANGES: usize = 50;
/// Tabs whose pages are remembered, and pages for each tab.
const TABS: usize = 50;
const PAGES: usize = 10;
const PATHS: usize = 20;
const MODULES: usize = 10;
/// One update shows several times: as a message to the client, a line for each module, a reload.
const SAME_CHANGE_MILLIS: u64 = 2_000;
const SAME_MESSAGE_MILLIS: u64 = 50;

/// How new code arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum ChangeKind {
    /// Modules were exchanged while the page ran.
    HotUpdate,
    /// The page was reloaded.
    Reload,
}

/// New code that a page received.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct CodeChange {
    /// When it arrived.
    pub at: Timestamp,
    /// How it arrived.
    pub kind: ChangeKind,
    /// `vite`, `webpack`, `next`, `parcel`; absent for a reload that no tool announced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<&'static str>,
    /// Paths of the changed modules, as far as they are known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub modules: Vec<String>,
    /// The tab whose page received it.
    #[serde(skip)]
    pub tab: Option<i64>,
    /// Modules that console lines named. A module that is named again has changed again.
    #[serde(skip)]
    announced: Vec<String>,
    /// The path of a page that was reloaded; a hot update applies to whatever the tab shows.
    #[serde(skip)]
    path: Option<String>,
}

/// The latest code changes, and the pages that each tab showed.
#[derive(Debug, Default)]
pub struct CodeChanges {
    changes: VecDeque<CodeChange>,
    tabs: VecDeque<TabPages>,
}

#[derive(Debug)]
struct TabPages {
    tab: Option<i64>,
    pages: VecDeque<Page>,
}

#[derive(Debug)]
struct Page {
    id: String,
    paths: Vec<String>,
}

impl CodeChanges {
    /// Records new code that a message of a development server announced: one message for each update.
    pub fn note_update(&mut self, tab: Option<i64>, at: Timestamp, update: Update) {
        self.note(changed(tab, at, update), |known| known.at.millis().abs_diff(at.millis()) <= SAME_MESSAGE_MILLIS);
    }

    /// Records new code that a console line announced: one line for each module, after the message if that was
    /// captured.
    pub fn note_line(&mut self, tab: Option<i64>, at: Timestamp, update: Update) {
        let change = CodeChange { announced: update.modules.clone(), ..changed(tab, at, update) };
        let modules = change.announced.clone();
        self.note(change, |known| is_near(known, at) && !modules.iter().any(|module| known.announced.contains(module)));
    }

    /// Records that data came from a page. A new page at an address that the tab showed before is a reload.
    pub fn note_page(&mut self, tab: Option<i64>, page: Option<&str>, url: Option<&str>, at: Timestamp) {
        let (Some(page), Some(url)) = (page, url) else { return };
        // The page id of a frame: two frames of one address are not a reload.
        if load_of(page) != page {
            return;
        }
        let path = path_of(url);
        let place = self.tabs.iter().position(|known| known.tab == tab).unwrap_or_else(|| {
            if self.tabs.len() >= TABS {
                self.tabs.pop_front();
            }
            self.tabs.push_back(TabPages { tab, pages: VecDeque::new() });
            self.tabs.len() - 1
        });
        let Some(known) = self.tabs.get_mut(place) else { return };
        if let Some(page) = known.pages.iter_mut().find(|known| known.id == page) {
            if page.paths.len() < PATHS && !page.paths.iter().any(|known| known == path) {
                page.paths.push(path.to_owned());
            }
            return;
        }
        let is_reload = known.pages.iter().any(|page| page.paths.iter().any(|known| known == path));
        if known.pages.len() >= PAGES {
            known.pages.pop_front();
        }
        known.pages.push_back(Page { id: page.to_owned(), paths: vec![path.to_owned()] });
        if is_reload {
            let (by, modules, announced, path) = (None, Vec::new(), Vec::new(), Some(path.to_owned()));
            let change = CodeChange { at, kind: ChangeKind::Reload, by, modules, tab, announced, path };
            self.note(change, |known| is_near(known, at));
        }
    }

    /// Adds a change, or extends the last one. `is_part` decides whether it belongs to the last change of its tab, if
    /// they are of one kind.
    fn note(&mut self, change: CodeChange, is_part: impl Fn(&CodeChange) -> bool) {
        let last = self.changes.iter_mut().rev().find(|known| known.tab == change.tab);
        let same = last.filter(|known| {
            let is_same_kind =
                known.kind == change.kind && (known.by == change.by || known.by.is_none() || change.by.is_none());
            let is_same_page = known.path.is_none() || change.path.is_none() || known.path == change.path;
            is_same_kind && is_same_page && is_part(known)
        });
        let Some(known) = same else {
            if self.changes.len() >= CHANGES {
                self.changes.pop_front();
            }
            self.changes.push_back(change);
            return;
        };
        // The earliest time counts: what breaks while the new code is applied is new. A reload counts from its page on.
        let is_page = change.path.is_some();
        known.at = if is_page { change.at } else { known.at.min(change.at) };
        known.by = known.by.or(change.by);
        known.path = known.path.take().or(change.path);
        known.announced.extend(change.announced.into_iter().take(MODULES));
        for module in change.modules {
            if known.modules.len() < MODULES && !known.modules.contains(&module) {
                known.modules.push(module);
            }
        }
    }

    /// The last code that a page of this tab received.
    pub fn latest(&self, tab: Option<i64>, page_url: Option<&str>) -> Option<&CodeChange> {
        let path = page_url.map(path_of);
        let fits = |change: &&CodeChange| {
            change.tab == tab && (change.path.is_none() || path.is_none() || change.path.as_deref() == path)
        };
        self.changes.iter().filter(fits).max_by_key(|change| change.at)
    }

    /// The last code that any page received.
    pub fn newest(&self) -> Option<&CodeChange> {
        self.changes.iter().max_by_key(|change| change.at)
    }

    /// All changes, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &CodeChange> {
        self.changes.iter()
    }

    /// Forgets all changes.
    pub fn clear(&mut self) {
        self.changes.clear();
    }
}

fn changed(tab: Option<i64>, at: Timestamp, update: Update) -> CodeChange {
    let kind = if update.is_reload { ChangeKind::Reload } else { ChangeKind::HotUpdate };
    CodeChange { at, kind, by: Some(update.tool), modules: update.modules, tab, announced: Vec::new(), path: None }
}

fn is_near(known: &CodeChange, at: Timestamp) -> bool {
    known.at.millis().abs_diff(at.millis()) <= SAME_CHANGE_MILLIS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(millis)
    }

    fn update(modules: &[&str]) -> Update {
        let modules = modules.iter().map(|module| (*module).to_owned()).collect();
        Update { tool: "vite", is_reload: false, modules }
    }

    #[test]
    fn all_messages_of_one_update_are_one_change() {
        let mut changes = CodeChanges::default();
        changes.note_update(Some(1), at(1_000), update(&["a.js", "b.js"]));
        changes.note_line(Some(1), at(1_050), update(&["a.js"]));
        changes.note_line(Some(1), at(1_090), update(&["b.js"]));
        changes.note_update(Some(2), at(1_060), update(&["c.js"]));
        // The next edit, a second later, of the same file.
        changes.note_update(Some(1), at(2_000), update(&["a.js"]));
        changes.note_line(Some(1), at(2_040), update(&["a.js"]));
        let found: Vec<(i64, String)> =
            changes.iter().map(|change| (change.at.millis(), change.modules.join(" "))).collect();
        let expected = [(1_000, "a.js b.js"), (1_060, "c.js"), (2_000, "a.js")];
        assert_eq!(found, expected.map(|(at, modules)| (at, modules.to_owned())));
        assert_eq!(changes.latest(Some(1), None).unwrap().modules, ["a.js"]);
        assert!(changes.latest(Some(3), None).is_none());
    }

    #[test]
    fn console_lines_alone_distinguish_two_edits() {
        let mut changes = CodeChanges::default();
        for (time, module) in [(1_000, "a.js"), (1_020, "b.js"), (1_900, "a.js"), (1_930, "b.js")] {
            changes.note_line(Some(1), at(time), update(&[module]));
        }
        let found: Vec<i64> = changes.iter().map(|change| change.at.millis()).collect();
        assert_eq!(found, [1_000, 1_900]);
    }

    #[test]
    fn a_new_page_at_a_known_address_is_a_reload() {
        let mut changes = CodeChanges::default();
        let shop = Some("http://localhost/shop?x=1");
        changes.note_page(Some(1), Some("p1"), shop, at(1));
        changes.note_page(Some(1), Some("p1"), Some("http://localhost/cart"), at(2));
        assert!(changes.newest().is_none(), "another address of the same page");
        changes.note_page(Some(1), Some("p2"), Some("http://localhost/help"), at(3));
        assert!(changes.newest().is_none(), "another page");
        changes.note_page(Some(1), Some("p3"), Some("http://localhost/cart"), at(5_000));
        let reload = changes.newest().unwrap();
        assert_eq!((reload.kind, reload.by, reload.at), (ChangeKind::Reload, None, at(5_000)));
        assert!(changes.latest(Some(1), Some("http://localhost/cart#top")).is_some());
        assert!(changes.latest(Some(1), shop).is_none(), "the shop was not loaded anew");
        changes.note_page(Some(1), Some("p4.7"), shop, at(5_500));
        changes.note_page(Some(1), Some("p5.8"), shop, at(5_600));
        assert_eq!(changes.iter().count(), 1, "two frames of one address");
        changes.note_page(Some(1), Some("p3"), shop, at(6_000));
        assert_eq!(changes.iter().count(), 1, "the page is known by now");
    }

    #[test]
    fn an_announced_reload_is_one_change_from_its_page_on() {
        let mut changes = CodeChanges::default();
        changes.note_page(Some(1), Some("p1"), Some("http://localhost/"), at(1));
        changes.note_update(
            Some(1),
            at(9_000),
            Update { tool: "vite", is_reload: true, modules: vec!["main.js".to_owned()] },
        );
        changes.note_page(Some(1), Some("p2"), Some("http://localhost/"), at(9_300));
        let found: Vec<&CodeChange> = changes.iter().collect();
        assert_eq!(found.len(), 1);
        assert_eq!(
            (found[0].by, found[0].at, found[0].modules.join("")),
            (Some("vite"), at(9_300), "main.js".to_owned())
        );
    }

    #[test]
    fn memory_is_bounded() {
        let mut changes = CodeChanges::default();
        for number in 0..1_000 {
            changes.note_update(Some(number), at(number * 10_000), update(&["a.js"]));
            changes.note_page(Some(number), Some("p"), Some("http://localhost/"), at(0));
            changes.note_page(Some(0), Some(&format!("p{number}")), Some(&format!("http://localhost/{number}")), at(0));
        }
        assert_eq!(changes.iter().count(), CHANGES);
        assert!(changes.tabs.len() <= TABS && changes.tabs.iter().all(|tab| tab.pages.len() <= PAGES));
    }
}
