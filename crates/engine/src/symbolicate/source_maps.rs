//! The source maps of scripts that errors pointed into: a few, the most recently used.

use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};

use wire::{Timestamp, limits};

use super::source_map::SourceMap;

/// Page loads that are remembered for a script, and as many that wait for it; older ones ask again.
const PAGES: usize = 32;
/// Scripts that are remembered without a map: requested, or known to have none.
const KNOWN_SCRIPTS: usize = 200;

/// The source maps that are kept, and requests for missing ones.
#[derive(Debug, Default)]
pub struct SourceMaps {
    /// The least recently used first.
    scripts: Vec<Script>,
}

/// A page load, by the hash of its id; `None` for data without one.
type Page = Option<u64>;

fn page_of(name: Option<&str>) -> Page {
    name.map(|name| BuildHasherDefault::<DefaultHasher>::default().hash_one(name))
}

/// A development server serves changed code under the same address, so what is known about a script holds for certain
/// page loads.
#[derive(Debug, Default)]
struct Script {
    url: String,
    map: Option<Map>,
    /// Why none was found at the last attempt.
    missing: Option<String>,
    /// Page loads that ran the code of the map. A map that nobody requested has none listed: then it holds for all.
    with: Vec<Page>,
    /// Page loads for which none was found.
    without: Vec<Page>,
    /// Several page loads may wait at once: two tabs, or the workers of a test run.
    asked: Vec<Asked>,
}

impl Script {
    fn has_map_for(&self, page: Page) -> bool {
        if self.map.is_none() || (page.is_some() && self.without.contains(&page)) {
            return false;
        }
        match page {
            None => self.missing.is_none(),
            Some(_) => self.with.is_empty() || self.with.contains(&None) || self.with.contains(&page),
        }
    }

    /// Forgets requests that were made too long ago to be answered.
    fn forget_late(&mut self, now: Timestamp) {
        let is_late = |asked: &Asked| now.millis().abs_diff(asked.at.millis()) >= limits::SOURCE_MAP_PATIENCE_MILLIS;
        self.asked.retain(|asked| !is_late(asked));
    }
}

#[derive(Debug)]
struct Map {
    map: SourceMap,
    hash: u64,
}

#[derive(Debug)]
struct Asked {
    page: Page,
    at: Timestamp,
}

/// What was uploaded for a script.
#[derive(Debug)]
pub enum SourceMapResult {
    /// Its source map.
    Map {
        /// The parsed map.
        map: SourceMap,
        /// A hash of the map's text: equal hashes are the same map.
        hash: u64,
    },
    /// The reason why it has none.
    Missing(String),
}

impl SourceMaps {
    /// The map of a script as a page load ran it; this counts as use. A map of another load may belong to other code.
    pub fn find(&mut self, url: &str, page: Option<&str>) -> Option<&SourceMap> {
        let page = page_of(page);
        let place = self.scripts.iter().position(|script| script.url == url && script.has_map_for(page))?;
        let script = self.scripts.remove(place);
        self.scripts.push(script);
        self.scripts.last()?.map.as_ref().map(|map| &map.map)
    }

    /// Whether there is such a map.
    pub fn has(&self, url: &str, page: Option<&str>) -> bool {
        let page = page_of(page);
        self.scripts.iter().any(|script| script.url == url && script.has_map_for(page))
    }

    /// Why there is none, if that was found out for this page load.
    pub fn why_missing(&self, url: &str, page: Option<&str>) -> Option<&str> {
        let page = page_of(page);
        let script = self.scripts.iter().find(|script| script.url == url && script.without.contains(&page))?;
        script.missing.as_deref()
    }

    /// Whether to request this script's map for a page load. Remembers the request.
    pub fn want(&mut self, url: &str, page: Option<&str>, now: Timestamp) -> bool {
        let page = page_of(page);
        let asked = Asked { page, at: now };
        let Some(script) = self.scripts.iter_mut().find(|script| script.url == url) else {
            self.scripts.push(Script { url: url.to_owned(), asked: vec![asked], ..Script::default() });
            self.evict();
            return true;
        };
        script.forget_late(now);
        let is_known = script.with.contains(&page) || script.without.contains(&page);
        if is_known || script.asked.iter().any(|before| before.page == page) {
            return false;
        }
        push_bounded(&mut script.asked, asked);
        true
    }

    /// Takes an upload, for every page load that waits for it and for the one that it names. Returns whether lookups
    /// may now give another result.
    pub fn add(&mut self, url: &str, result: SourceMapResult, page: Option<&str>, now: Timestamp) -> bool {
        let known = self.scripts.iter().position(|script| script.url == url);
        let mut script = match known {
            Some(place) => self.scripts.remove(place),
            None => Script { url: url.to_owned(), ..Script::default() },
        };
        script.forget_late(now);
        let mut meant: Vec<Page> = script.asked.iter().map(|asked| asked.page).collect();
        meant.extend(page.map(|page| page_of(Some(page))).filter(|page| !meant.contains(page)));
        let changed = match result {
            SourceMapResult::Map { map, hash } => {
                let is_same = script.map.as_ref().is_some_and(|known| known.hash == hash);
                let changed = !is_same || meant.iter().any(|page| !script.with.contains(page));
                // Page loads that ran the earlier code ran other code.
                if !is_same && !meant.is_empty() {
                    script.with.clear();
                }
                script.asked.clear();
                script.without.retain(|page| !meant.contains(page));
                meant.iter().for_each(|page| note(&mut script.with, *page));
                script.missing = None;
                script.map = Some(Map { map, hash });
                changed
            }
            // The others go on waiting, because another tab may still find it. Page loads that have a map keep it.
            SourceMapResult::Missing(why) => {
                meant.retain(|page| !script.with.contains(page));
                meant.iter().for_each(|page| note(&mut script.without, *page));
                if script.map.is_none() || !meant.is_empty() {
                    script.missing = Some(why);
                }
                false
            }
        };
        self.scripts.push(script);
        self.evict();
        changed
    }

    /// Forgets all maps and requests.
    pub fn clear(&mut self) {
        self.scripts.clear();
    }

    /// How many maps are kept.
    pub fn maps(&self) -> usize {
        self.scripts.iter().filter(|script| script.map.is_some()).count()
    }

    /// Memory that they take.
    pub fn bytes(&self) -> usize {
        self.scripts.iter().filter_map(|script| script.map.as_ref()).map(|map| map.map.bytes()).sum()
    }

    /// The newest map stays, because its errors are looked up next.
    fn evict(&mut self) {
        while self.maps() > limits::SOURCE_MAPS || (self.bytes() > limits::SOURCE_MAP_CACHE_BYTES && self.maps() > 1) {
            let Some(oldest) = self.scripts.iter().position(|script| script.map.is_some()) else { break };
            self.scripts.remove(oldest);
        }
        while self.scripts.len() > KNOWN_SCRIPTS + limits::SOURCE_MAPS {
            self.scripts.remove(0);
        }
    }
}

fn note(pages: &mut Vec<Page>, page: Page) {
    if !pages.contains(&page) {
        push_bounded(pages, page);
    }
}

fn push_bounded<T>(list: &mut Vec<T>, item: T) {
    if list.len() >= PAGES {
        list.remove(0);
    }
    list.push(item);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redact::Redactor;

    fn map(hash: u64) -> SourceMapResult {
        let text = r#"{"version":3,"sources":["a.js"],"names":[],"mappings":"AAAA"}"#;
        SourceMapResult::Map {
            map: SourceMap::parse(text, "http://a/b.js", "http://a/b.js", &Redactor::new()).unwrap(),
            hash,
        }
    }

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(millis)
    }

    fn missing(why: &str) -> SourceMapResult {
        SourceMapResult::Missing(why.to_owned())
    }

    #[test]
    fn a_map_is_requested_once_per_page_load() {
        let mut maps = SourceMaps::default();
        assert!(maps.want("x.js", Some("one"), at(0)));
        assert!(!maps.want("x.js", Some("one"), at(9_999)), "on its way");
        assert!(maps.want("x.js", Some("one"), at(10_000)), "it got lost");
        assert!(maps.add("x.js", map(1), None, at(10_000)));
        assert!(!maps.want("x.js", Some("one"), at(60_000)));
        assert!(maps.want("x.js", Some("two"), at(60_000)), "the code may have changed");
        assert!(maps.has("x.js", Some("one")) && !maps.has("x.js", Some("two")));
        assert!(maps.add("x.js", map(1), None, at(60_000)), "the same, for another page");
        assert!(maps.has("x.js", Some("two")) && maps.has("x.js", Some("one")) && maps.has("x.js", None));
        assert!(!maps.add("x.js", map(1), None, at(60_000)), "the same for the same");
        assert!(maps.want("x.js", Some("three"), at(70_000)));
        assert!(maps.add("x.js", map(2), None, at(70_000)));
        assert!(!maps.has("x.js", Some("two")) && maps.has("x.js", Some("three")));
        assert!(maps.want("x.js", Some("four"), at(80_000)));
        assert!(!maps.add("x.js", missing("404"), None, at(80_000)));
        assert!(!maps.has("x.js", Some("four")) && !maps.has("x.js", None));
        assert_eq!(maps.why_missing("x.js", Some("four")), Some("404"));
        assert_eq!(maps.why_missing("x.js", Some("three")), None);
        assert!(maps.has("x.js", Some("three")), "it ran what had a map");
        assert!(!maps.want("x.js", Some("four"), at(95_000)));
    }

    #[test]
    fn all_waiting_pages_get_the_map() {
        let mut maps = SourceMaps::default();
        let pages = ["one", "two", "three"];
        for page in pages {
            assert!(maps.want("x.js", Some(page), at(0)), "{page} does not depend on the others");
        }
        assert!(maps.add("x.js", map(1), Some("two"), at(1)));
        assert!(pages.iter().all(|page| maps.has("x.js", Some(page))) && !maps.has("x.js", Some("four")));
        // The second upload is the same map, the third is too late, and so is one after that.
        assert!(!maps.add("x.js", map(1), None, at(2)));
        assert!(!maps.add("x.js", missing("it could not be fetched"), Some("three"), at(2)));
        assert!(maps.want("x.js", Some("four"), at(3)));
        assert!(!maps.add("x.js", missing("it could not be fetched"), None, at(4)));
        assert!(pages.iter().all(|page| maps.has("x.js", Some(page))) && !maps.has("x.js", Some("four")));
        // The slow ones come first: the map is for them, too.
        assert!(maps.want("y.js", Some("one"), at(0)) && maps.want("y.js", Some("two"), at(0)));
        for _ in 0..2 {
            assert!(!maps.add("y.js", missing("it could not be fetched"), None, at(1)));
            assert!(!maps.want("y.js", Some("one"), at(2)), "it is known to have none");
        }
        assert!(maps.add("y.js", map(1), None, at(3)));
        assert!(["one", "two"].iter().all(|page| maps.has("y.js", Some(page))));
        // Two page loads that ran different code.
        assert!(maps.want("z.js", Some("old"), at(0)) && maps.want("z.js", Some("new"), at(0)));
        assert!(maps.add("z.js", map(1), Some("old"), at(1)));
        assert!(maps.add("z.js", map(2), Some("new"), at(2)));
        assert!(maps.has("z.js", Some("new")) && !maps.has("z.js", Some("old")));
    }

    #[test]
    fn an_old_request_is_not_answered_by_newer_code() {
        let mut maps = SourceMaps::default();
        assert!(maps.want("x.js", Some("morning"), at(0)));
        assert!(maps.want("x.js", Some("noon"), at(10_000)));
        assert!(maps.add("x.js", map(1), None, at(10_001)));
        assert!(maps.has("x.js", Some("noon")) && !maps.has("x.js", Some("morning")));
    }

    #[test]
    fn an_unrequested_map_belongs_to_the_page_it_names() {
        let mut maps = SourceMaps::default();
        assert!(maps.add("x.js", map(1), Some("one"), at(0)));
        assert!(maps.has("x.js", Some("one")) && !maps.has("x.js", Some("two")));
        assert!(maps.add("x.js", map(1), Some("two"), at(60_000)), "after a reload");
        assert!(maps.has("x.js", Some("one")) && maps.has("x.js", Some("two")));
        assert!(maps.add("x.js", map(2), Some("three"), at(90_000)), "after a change");
        assert!(maps.has("x.js", Some("three")) && !maps.has("x.js", Some("one")));
        // For no page in particular.
        assert!(maps.add("y.js", map(1), None, at(0)));
        assert!(maps.has("y.js", Some("any")));
    }

    #[test]
    fn pages_are_bounded() {
        let mut maps = SourceMaps::default();
        let name = |number: usize| format!("page {number}");
        for number in 0..=PAGES {
            assert!(maps.want("x.js", Some(&name(number)), at(0)));
        }
        maps.add("x.js", map(1), None, at(0));
        assert!(maps.find("x.js", Some(&name(0))).is_none(), "it asks again");
        assert!((1..=PAGES).all(|number| maps.find("x.js", Some(&name(number))).is_some()));
    }

    #[test]
    fn the_least_recently_used_of_twenty_maps_is_evicted() {
        let mut maps = SourceMaps::default();
        for number in 0..limits::SOURCE_MAPS {
            maps.add(&format!("{number}.js"), map(1), None, at(0));
        }
        assert_eq!(maps.maps(), limits::SOURCE_MAPS);
        assert!(maps.find("0.js", None).is_some(), "in use");
        maps.add("one more.js", map(1), None, at(0));
        assert_eq!(maps.maps(), limits::SOURCE_MAPS);
        assert!(maps.find("0.js", None).is_some());
        assert!(maps.find("1.js", None).is_none(), "the longest unused");
    }

    #[test]
    fn bytes_are_bounded() {
        let large = |bytes: usize| {
            let content = "x".repeat(1_000);
            let sources: Vec<String> = (0..bytes / 1_000).map(|n| format!("{n}.js")).collect();
            let contents: Vec<&str> = sources.iter().map(|_| content.as_str()).collect();
            let text =
                serde_json::json!({"version": 3, "sources": sources, "sourcesContent": contents, "mappings": ""});
            let redactor = Redactor::new();
            let map = SourceMap::parse(&text.to_string(), "http://a/b.js", "http://a/b.js", &redactor).unwrap();
            SourceMapResult::Map { map, hash: 1 }
        };
        let mut maps = SourceMaps::default();
        for number in 0..4 {
            maps.add(&format!("{number}.js"), large(limits::SOURCE_MAP_CACHE_BYTES / 3), None, at(0));
            assert!(maps.bytes() <= limits::SOURCE_MAP_CACHE_BYTES, "{}", maps.bytes());
        }
        assert_eq!(maps.maps(), 2);
        assert!(maps.find("3.js", None).is_some() && maps.find("0.js", None).is_none());
    }
}
