//! The source maps of scripts that errors pointed into: a few, the latest used.

use wire::{Timestamp, limits};

use crate::understand::source_map::SourceMap;

/// Page loads that are remembered with a script, and as many that wait for it; an older one asks again.
const PAGES: usize = 32;
/// Scripts that are remembered without a map: asked for, or known to have none.
const KNOWN_SCRIPTS: usize = 200;

#[derive(Debug, Default)]
pub struct SourceMaps {
    /// The least recently used first.
    scripts: Vec<Script>,
}

#[derive(Debug)]
struct Script {
    url: String,
    map: Option<Map>,
    /// Why there is none.
    missing: Option<String>,
    /// The page loads that the map (or its absence) is of: a development server gives the same address to changed code.
    /// None is known for what nobody had asked for, which is of all.
    pages: Vec<Option<String>>,
    /// Several pages may wait for the same script at once: two tabs, or the workers of a test run.
    asked: Vec<Asked>,
}

impl Script {
    fn new(url: &str) -> Self {
        Self { url: url.to_owned(), map: None, missing: None, pages: Vec::new(), asked: Vec::new() }
    }

    fn is_of(&self, page: Option<&str>) -> bool {
        let is_same = |known: &Option<String>| known.is_none() || known.as_deref() == page;
        page.is_none() || self.pages.is_empty() || self.pages.iter().any(is_same)
    }
}

#[derive(Debug)]
struct Map {
    map: SourceMap,
    hash: u64,
}

#[derive(Debug)]
struct Asked {
    page: Option<String>,
    at: Timestamp,
}

/// What came for a script.
#[derive(Debug)]
pub enum Brought {
    Map { map: SourceMap, hash: u64 },
    Missing(String),
}

impl SourceMaps {
    /// The map of a script as a page load ran it, which counts as use. A map of another load may be of other code.
    pub fn find(&mut self, url: &str, page: Option<&str>) -> Option<&SourceMap> {
        let is_meant = |script: &Script| script.url == url && script.map.is_some() && script.is_of(page);
        let place = self.scripts.iter().position(is_meant)?;
        let script = self.scripts.remove(place);
        self.scripts.push(script);
        self.scripts.last()?.map.as_ref().map(|map| &map.map)
    }

    /// Whether what is known of a script holds for a page load.
    pub fn is_of(&self, url: &str, page: Option<&str>) -> bool {
        self.scripts.iter().any(|script| script.url == url && script.is_of(page))
    }

    /// Why a script has no map, where that is known.
    pub fn why_missing(&self, url: &str) -> Option<&str> {
        self.scripts.iter().find(|script| script.url == url)?.missing.as_deref()
    }

    /// Whether to ask for this script's map, on behalf of a page load; notes that it was asked for.
    pub fn want(&mut self, url: &str, page: Option<&str>, now: Timestamp) -> bool {
        let asked = Asked { page: page.map(str::to_owned), at: now };
        let Some(script) = self.scripts.iter_mut().find(|script| script.url == url) else {
            self.scripts.push(Script { asked: vec![asked], ..Script::new(url) });
            self.evict();
            return true;
        };
        let is_answered = script.map.is_some() || script.missing.is_some();
        if is_answered && script.pages.contains(&asked.page) {
            return false;
        }
        let is_late = |before: &Asked| now.millis().abs_diff(before.at.millis()) >= limits::SOURCE_MAP_PATIENCE_MILLIS;
        if script.asked.iter().any(|before| before.page == asked.page && !is_late(before)) {
            return false;
        }
        script.asked.retain(|before| before.page != asked.page);
        push_bounded(&mut script.asked, asked);
        true
    }

    /// Takes what came, for all who wait for it. Returns whether lookups may now give another result.
    pub fn bring(&mut self, url: &str, brought: Brought) -> bool {
        let known = self.scripts.iter().position(|script| script.url == url);
        let mut script = known.map(|place| self.scripts.remove(place)).unwrap_or_else(|| Script::new(url));
        let waiting: Vec<Option<String>> = script.asked.drain(..).map(|asked| asked.page).collect();
        let changed = match brought {
            Brought::Map { map, hash } => {
                let is_same = script.map.as_ref().is_some_and(|known| known.hash == hash);
                let changed = !is_same || waiting.iter().any(|page| !script.pages.contains(page));
                // Who ran the code before ran other code.
                if !is_same && !waiting.is_empty() {
                    script.pages.clear();
                }
                script.missing = None;
                script.map = Some(Map { map, hash });
                changed
            }
            // Someone else found it meanwhile.
            Brought::Missing(_) if waiting.is_empty() && script.map.is_some() => false,
            // A map that was there before is of code that is gone.
            Brought::Missing(why) => {
                script.pages.clear();
                script.missing = Some(why);
                script.map.take().is_some()
            }
        };
        for page in waiting {
            if !script.pages.contains(&page) {
                push_bounded(&mut script.pages, page);
            }
        }
        self.scripts.push(script);
        self.evict();
        changed
    }

    pub fn clear(&mut self) {
        self.scripts.clear();
    }

    pub fn maps(&self) -> usize {
        self.scripts.iter().filter(|script| script.map.is_some()).count()
    }

    pub fn bytes(&self) -> usize {
        self.scripts.iter().filter_map(|script| script.map.as_ref()).map(|map| map.map.bytes()).sum()
    }

    /// The newest stays: its errors are looked up next.
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

    fn map(hash: u64) -> Brought {
        let text = r#"{"version":3,"sources":["a.js"],"names":[],"mappings":"AAAA"}"#;
        Brought::Map { map: SourceMap::parse(text, "http://a/b.js", "http://a/b.js", &Redactor::new()).unwrap(), hash }
    }

    #[test]
    fn a_map_is_asked_for_once_per_page_load() {
        let mut maps = SourceMaps::default();
        let at = Timestamp::from_millis;
        assert!(maps.want("x.js", Some("one"), at(0)));
        assert!(!maps.want("x.js", Some("one"), at(9_999)), "on its way");
        assert!(maps.want("x.js", Some("one"), at(10_000)), "it got lost");
        assert!(maps.bring("x.js", map(1)));
        assert!(!maps.want("x.js", Some("one"), at(60_000)));
        assert!(maps.want("x.js", Some("two"), at(60_000)), "the code may have changed");
        assert!(maps.find("x.js", Some("one")).is_some() && maps.find("x.js", Some("two")).is_none());
        assert!(maps.bring("x.js", map(1)), "the same, for another page");
        assert!(maps.find("x.js", Some("two")).is_some() && maps.find("x.js", None).is_some());
        assert!(!maps.bring("x.js", map(1)), "the same for the same");
        assert!(maps.want("x.js", Some("three"), at(70_000)));
        assert!(maps.bring("x.js", map(2)));
        assert!(maps.find("x.js", Some("two")).is_none() && maps.find("x.js", Some("three")).is_some());
        assert!(maps.want("x.js", Some("four"), at(80_000)));
        assert!(maps.bring("x.js", Brought::Missing("404".to_owned())));
        assert!(maps.find("x.js", None).is_none());
        assert_eq!(maps.why_missing("x.js"), Some("404"));
        assert!(!maps.want("x.js", Some("four"), at(90_000)));
    }

    #[test]
    fn pages_that_wait_at_once_all_get_the_map() {
        let mut maps = SourceMaps::default();
        let at = Timestamp::from_millis;
        for page in ["one", "two", "three"] {
            assert!(maps.want("x.js", Some(page), at(0)), "{page} does not depend on the others");
        }
        assert!(maps.bring("x.js", map(1)));
        assert!(["one", "two", "three"].iter().all(|page| maps.find("x.js", Some(page)).is_some()));
        assert!(maps.find("x.js", Some("four")).is_none());
        // The second brings the same, the third was too slow to get it.
        assert!(!maps.bring("x.js", map(1)));
        assert!(!maps.bring("x.js", Brought::Missing("it could not be fetched".to_owned())));
        assert!(["one", "two", "three"].iter().all(|page| maps.find("x.js", Some(page)).is_some()));
        // The slow one first: the map is for it, too.
        assert!(maps.want("y.js", Some("one"), at(0)) && maps.want("y.js", Some("two"), at(0)));
        assert!(!maps.bring("y.js", Brought::Missing("it could not be fetched".to_owned())));
        assert!(maps.bring("y.js", map(1)));
        assert!(["one", "two"].iter().all(|page| maps.find("y.js", Some(page)).is_some()));
        // Of other code for one of them: the others ran what is gone.
        assert!(maps.want("x.js", Some("five"), at(0)));
        assert!(maps.bring("x.js", map(2)));
        assert!(maps.find("x.js", Some("five")).is_some() && maps.find("x.js", Some("one")).is_none());
    }

    #[test]
    fn pages_are_bounded() {
        let mut maps = SourceMaps::default();
        let name = |number: usize| format!("page {number}");
        for number in 0..=PAGES {
            assert!(maps.want("x.js", Some(&name(number)), Timestamp::from_millis(0)));
        }
        maps.bring("x.js", map(1));
        assert!(maps.find("x.js", Some(&name(0))).is_none(), "it asks again");
        assert!((1..=PAGES).all(|number| maps.find("x.js", Some(&name(number))).is_some()));
    }

    #[test]
    fn twenty_maps_the_least_recently_used_leaves() {
        let mut maps = SourceMaps::default();
        for number in 0..limits::SOURCE_MAPS {
            maps.bring(&format!("{number}.js"), map(1));
        }
        assert_eq!(maps.maps(), limits::SOURCE_MAPS);
        assert!(maps.find("0.js", None).is_some(), "in use");
        maps.bring("one more.js", map(1));
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
            Brought::Map { map, hash: 1 }
        };
        let mut maps = SourceMaps::default();
        for number in 0..4 {
            maps.bring(&format!("{number}.js"), large(limits::SOURCE_MAP_CACHE_BYTES / 3));
            assert!(maps.bytes() <= limits::SOURCE_MAP_CACHE_BYTES, "{}", maps.bytes());
        }
        assert_eq!(maps.maps(), 2);
        assert!(maps.find("3.js", None).is_some() && maps.find("0.js", None).is_none());
    }
}
