//! Source maps: from a position in what the browser ran to the position in what the developer wrote.
//!
//! Mappings stay text, with a bookmark every few segments. Decoded tokens of a bundle's map would take six times the
//! memory, and only a few positions are ever looked up. Sources of dependencies are not kept. Tests compare every
//! lookup with the `sourcemap` crate.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{Deserializer, SeqAccess, Visitor};
use serde_json::value::RawValue;
use wire::limits;

use super::original_path::{is_dependency, original_path};
use crate::redact::Redactor;

/// Segments between two bookmarks.
const BOOKMARK_EVERY: usize = 64;
/// Keywords before the name of a function, a class or a variable.
const DECLARED_BY: [&str; 5] = ["function ", "class ", "const ", "let ", "var "];
/// Sections of an indexed map; Turbopack makes one for each module.
const MOST_SECTIONS: usize = 20_000;
const MOST_SOURCES: usize = 50_000;
const MOST_NAMES: usize = 250_000;
const NAME_BYTES: usize = 200;
const PATH_BYTES: usize = 1_000;

/// Redacts a source, or drops it.
type Clean<'c> = &'c mut dyn FnMut(String) -> Option<String>;

/// A parsed source map.
#[derive(Debug)]
pub struct SourceMap {
    /// In order of their start. A map without sections has one part that begins at the top.
    parts: Vec<Part>,
    bytes: usize,
}

#[derive(Debug)]
struct Part {
    line: u32,
    column: u32,
    mappings: Box<str>,
    bookmarks: Vec<Bookmark>,
    sources: Vec<Source>,
    names: Vec<Box<str>>,
}

/// A source file of a map.
#[derive(Debug)]
pub struct Source {
    /// Its path in the project, such as `src/App.tsx`.
    pub path: String,
    /// Whether it belongs to a dependency.
    pub is_dependency: bool,
    content: Option<Content>,
}

/// A source's text with the starts of its lines.
#[derive(Debug)]
struct Content {
    text: Box<str>,
    lines: Vec<u32>,
}

impl Content {
    fn new(text: impl Into<Box<str>>) -> Self {
        let text = text.into();
        let breaks = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at as u32 + 1);
        let lines = std::iter::once(0).chain(breaks).collect();
        Self { text, lines }
    }

    fn bytes(&self) -> usize {
        self.text.len() + self.lines.len() * size_of::<u32>()
    }

    /// The line with this number, counted from 1.
    fn line(&self, number: u32) -> Option<&str> {
        let index = number.checked_sub(1)? as usize;
        let start = *self.lines.get(index)? as usize;
        let end = self.lines.get(index + 1).map_or(self.text.len(), |next| *next as usize);
        let line = self.text.get(start..end)?.trim_end_matches(['\n', '\r']);
        // What follows the last line break is not a line.
        (!line.is_empty() || end < self.text.len() || start < end).then_some(line)
    }
}

impl Source {
    /// The lines around a line, with their numbers, counted from 1.
    pub fn lines_around(&self, line: u32, before: u32, after: u32) -> Vec<(u32, &str)> {
        let Some(content) = &self.content else { return Vec::new() };
        let first = line.saturating_sub(before).max(1);
        (first..=line.saturating_add(after)).map_while(|number| Some((number, content.line(number)?))).collect()
    }

    /// The component that is declared at a position: `Details` at `function Details(` or `const Details = () =>`; else
    /// the file's name, if it is a component's name.
    pub fn component_at(&self, line: u32, column: u32) -> Option<String> {
        let declared = self.lines_around(line, 0, 0).first().and_then(|(_, text)| {
            // Of several on one line, the nearest to the position.
            let names = DECLARED_BY.iter().flat_map(|word| text.match_indices(word)).map(|(at, word)| {
                let name = text.get(at + word.len()..).unwrap_or_default();
                (at, name.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').next().unwrap_or_default())
            });
            let nearest = names
                .filter(|(_, name)| is_component(name))
                .min_by_key(|(at, _)| at.abs_diff(column.saturating_sub(1) as usize));
            nearest.map(|(_, name)| name.to_owned())
        });
        declared.or_else(|| {
            let file = self.path.rsplit('/').next()?;
            let stem = file.split('.').next().filter(|stem| is_component(stem))?;
            Some(stem.to_owned())
        })
    }
}

fn is_component(word: &str) -> bool {
    word.chars().next().is_some_and(char::is_uppercase)
}

/// A position in a source file; line and column count from 1.
#[derive(Debug, Clone, Copy)]
pub struct Original<'m> {
    /// The file.
    pub source: &'m Source,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The name at this position before the build renamed it.
    pub name: Option<&'m str>,
}

#[derive(Deserialize)]
struct Written<'t> {
    version: Option<u32>,
    #[serde(rename = "sourceRoot", default)]
    source_root: Option<String>,
    #[serde(borrow, default)]
    sources: Few<&'t RawValue, MOST_SOURCES>,
    #[serde(rename = "sourcesContent", borrow, default)]
    contents: Option<Few<&'t RawValue, MOST_SOURCES>>,
    #[serde(borrow, default)]
    names: Few<&'t RawValue, MOST_NAMES>,
    #[serde(borrow, default)]
    mappings: Option<Cow<'t, str>>,
    #[serde(borrow, default)]
    sections: Option<Few<Section<'t>, MOST_SECTIONS>>,
    #[serde(rename = "ignoreList", alias = "x_google_ignoreList", default)]
    ignored: Option<Few<usize, MOST_SOURCES>>,
}

/// A list that is refused while it is parsed if it has too many entries: a page can reference any map.
struct Few<T, const MOST: usize>(Vec<T>);

impl<T, const MOST: usize> Default for Few<T, MOST> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>, const MOST: usize> Deserialize<'de> for Few<T, MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<T, const MOST: usize>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>, const MOST: usize> Visitor<'de> for Entries<T, MOST> {
            type Value = Few<T, MOST>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a list of at most {MOST} entries")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
                let mut found = Vec::new();
                while let Some(entry) = entries.next_element()? {
                    if found.len() >= MOST {
                        return Err(serde::de::Error::invalid_length(found.len() + 1, &self));
                    }
                    found.push(entry);
                }
                Ok(Few(found))
            }
        }

        deserializer.deserialize_seq(Entries(PhantomData))
    }
}

#[derive(Deserialize)]
struct Section<'t> {
    offset: Offset,
    #[serde(borrow)]
    map: &'t RawValue,
}

#[derive(Deserialize)]
struct Offset {
    line: u32,
    column: u32,
}

impl SourceMap {
    /// Parses a map. `base` is the map's address, `script` the script's; both may be the same. Sources go through the
    /// redactor, so that no credential in them gets any further.
    pub fn parse(text: &str, base: &str, script: &str, redactor: &Redactor) -> Result<Self, String> {
        let mut room = limits::SOURCE_MAP_CACHE_BYTES / 2;
        let map = Self::read(text, base, script, &mut |content| {
            let content = redactor.source_code(&content)?;
            room = room.checked_sub(content.len())?;
            Some(content)
        })?;
        if map.bytes > limits::SOURCE_MAP_CACHE_BYTES {
            return Err(format!("a source map that takes {} MB is too large to keep", map.bytes / 1_048_576));
        }
        Ok(map)
    }

    fn read(text: &str, base: &str, script: &str, clean: Clean<'_>) -> Result<Self, String> {
        // Some servers prefix `)]}'`, so that the map cannot run as a script.
        let text = text.trim_start_matches('\u{feff}');
        let text = if text.starts_with(")]}") { text.split_once('\n').map_or("", |(_, rest)| rest) } else { text };
        let written: Written<'_> = serde_json::from_str(text).map_err(|error| format!("not a source map: {error}"))?;
        let parts = match written.sections {
            Some(Few(sections)) => {
                let mut parts = Vec::with_capacity(sections.len());
                for Section { offset, map } in sections {
                    let inner: Written<'_> = serde_json::from_str(map.get())
                        .map_err(|error| format!("a section is not a source map: {error}"))?;
                    if inner.sections.is_some() {
                        return Err("sections within sections".to_owned());
                    }
                    parts.push(Part::read(inner, (offset.line, offset.column), base, script, clean)?);
                }
                parts.sort_by_key(|part| (part.line, part.column));
                parts
            }
            None => vec![Part::read(written, (0, 0), base, script, clean)?],
        };
        let bytes = parts.iter().map(Part::bytes).sum();
        Ok(Self { parts, bytes })
    }

    /// The map of a script that runs as it was written: every position maps to itself.
    pub fn of_plain_script(script: &str, text: &str, redactor: &Redactor) -> Result<Self, String> {
        let text = redactor.source_code(text).ok_or("a script that is too large, or can't be shown")?;
        let path = original_path(script, "", script, script);
        let is_dependency = is_dependency(&path);
        let content = Content::new(text);
        let bytes = content.bytes();
        let source = Source { path, is_dependency, content: Some(content) };
        let part = Part {
            line: 0,
            column: 0,
            mappings: "".into(),
            bookmarks: Vec::new(),
            sources: vec![source],
            names: Vec::new(),
        };
        Ok(Self { parts: vec![part], bytes })
    }

    /// The original of a position, counted from 1.
    pub fn lookup(&self, line: u32, column: u32) -> Option<Original<'_>> {
        let (line, column) = (line.checked_sub(1)?, column.checked_sub(1)?);
        let after = self.parts.partition_point(|part| (part.line, part.column) <= (line, column));
        let part = self.parts.get(after.checked_sub(1)?)?;
        let own_column = if line == part.line { column - part.column } else { column };
        part.lookup(line - part.line, own_column)
    }

    /// How many source files the map lists.
    pub fn sources(&self) -> usize {
        self.parts.iter().map(|part| part.sources.len()).sum()
    }

    /// About how much memory it takes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Part {
    fn read(
        written: Written<'_>,
        (line, column): (u32, u32),
        base: &str,
        script: &str,
        clean: Clean<'_>,
    ) -> Result<Self, String> {
        if written.version.is_some_and(|version| version != 3) {
            return Err("a source map of another version than 3".to_owned());
        }
        let mappings = written.mappings.ok_or("a source map without `mappings`")?;
        let root = written.source_root.as_deref().unwrap_or_default();
        let ignored: HashSet<usize> = written.ignored.unwrap_or_default().0.into_iter().collect();
        let contents = written.contents.unwrap_or_default().0;
        let text_of = |raw: &RawValue| serde_json::from_str::<String>(raw.get()).ok();
        let mut sources = Vec::with_capacity(written.sources.0.len());
        for (index, source) in written.sources.0.iter().enumerate() {
            let source = text_of(source).filter(|source| source.len() <= PATH_BYTES);
            let path = original_path(source.as_deref().unwrap_or("unknown"), root, base, script);
            let is_dependency = ignored.contains(&index) || is_dependency(&path);
            let content =
                contents.get(index).filter(|raw| !is_dependency && raw.get().len() <= limits::SOURCE_FILE_BYTES);
            let content = content.and_then(|raw| text_of(raw)).and_then(&mut *clean).map(Content::new);
            sources.push(Source { path, is_dependency, content });
        }
        let names = written.names.0.iter().map(|name| {
            let name = text_of(name).filter(|name| name.len() <= NAME_BYTES);
            name.unwrap_or_default().into()
        });
        let names = names.collect();
        let bookmarks = bookmarks(&mappings)?;
        Ok(Self { line, column, mappings: mappings.into(), bookmarks, sources, names })
    }

    fn bytes(&self) -> usize {
        let sources = self
            .sources
            .iter()
            .map(|source| source.path.len() + source.content.as_ref().map_or(0, Content::bytes) + size_of::<Source>());
        let names = self.names.iter().map(|name| name.len() + size_of::<Box<str>>());
        self.mappings.len()
            + self.bookmarks.len() * size_of::<Bookmark>()
            + sources.sum::<usize>()
            + names.sum::<usize>()
            + size_of::<Self>()
    }

    fn lookup(&self, line: u32, column: u32) -> Option<Original<'_>> {
        if self.mappings.is_empty() && self.bookmarks.is_empty() {
            let source = self.sources.first().filter(|source| source.content.is_some())?;
            return Some(Original { source, line: line + 1, column: column + 1, name: None });
        }
        let after = self.bookmarks.partition_point(|mark| (mark.line, mark.column) <= (line, column));
        let mark = self.bookmarks.get(after.checked_sub(1)?)?;
        let mut reader = mark.reader(&self.mappings);
        let mut best = None;
        // A valid map is sorted; in any other, the search ends at the first position beyond.
        while let Ok(Some(segment)) = reader.next() {
            if (segment.line, segment.column) > (line, column) {
                break;
            }
            best = Some(segment);
        }
        let segment = best.filter(|segment| segment.line == line)?;
        let (source, source_line, source_column) = segment.original?;
        Some(Original {
            source: self.sources.get(source as usize)?,
            line: source_line.checked_add(1)?,
            column: source_column.checked_add(1)?,
            name: segment.name.and_then(|name| self.names.get(name as usize)).map(|name| &**name),
        })
    }
}

/// The state of a reader just before a segment, and that segment's position.
#[derive(Debug, Clone, Copy)]
struct Bookmark {
    at: u32,
    line: u32,
    column: u32,
    state: State,
}

impl Bookmark {
    fn reader<'m>(&self, mappings: &'m str) -> Reader<'m> {
        Reader { text: mappings.as_bytes(), at: self.at as usize, state: self.state }
    }
}

fn bookmarks(mappings: &str) -> Result<Vec<Bookmark>, String> {
    u32::try_from(mappings.len()).map_err(|_| "mappings too large")?;
    let mut reader = Reader { text: mappings.as_bytes(), at: 0, state: State::default() };
    let mut marks = Vec::new();
    let mut segments = 0_usize;
    loop {
        let (at, state) = (reader.at as u32, reader.state);
        let Some(Segment { line, column, .. }) = reader.next()? else { return Ok(marks) };
        if segments.is_multiple_of(BOOKMARK_EVERY) {
            marks.push(Bookmark { at, line, column, state });
        }
        segments += 1;
    }
}

/// Every number in a map is the difference to the one before.
#[derive(Debug, Clone, Copy, Default)]
struct State {
    line: u32,
    column: u32,
    source: u32,
    source_line: u32,
    source_column: u32,
    name: u32,
}

#[derive(Debug, Clone, Copy)]
struct Segment {
    line: u32,
    column: u32,
    original: Option<(u32, u32, u32)>,
    name: Option<u32>,
}

struct Reader<'m> {
    text: &'m [u8],
    at: usize,
    state: State,
}

impl Reader<'_> {
    fn next(&mut self) -> Result<Option<Segment>, String> {
        loop {
            match self.text.get(self.at) {
                None => return Ok(None),
                Some(b',') => self.at += 1,
                Some(b';') => {
                    self.at += 1;
                    self.state.line += 1;
                    self.state.column = 0;
                }
                Some(_) => break,
            }
        }
        self.state.column = self.difference(self.state.column)?;
        let mut segment = Segment { line: self.state.line, column: self.state.column, original: None, name: None };
        if self.has_more() {
            self.state.source = self.difference(self.state.source)?;
            self.state.source_line = self.difference(self.state.source_line)?;
            self.state.source_column = self.difference(self.state.source_column)?;
            segment.original = Some((self.state.source, self.state.source_line, self.state.source_column));
        }
        if self.has_more() {
            self.state.name = self.difference(self.state.name)?;
            segment.name = Some(self.state.name);
        }
        if self.has_more() {
            return Err(format!("a segment with more than five numbers at {}", self.at));
        }
        Ok(Some(segment))
    }

    fn has_more(&self) -> bool {
        !matches!(self.text.get(self.at), None | Some(b',' | b';'))
    }

    /// Reads one number in base 64, least significant digits first, sign in the last bit.
    fn difference(&mut self, before: u32) -> Result<u32, String> {
        let (mut value, mut shift) = (0_i64, 0_u32);
        loop {
            let byte = self.text.get(self.at).copied();
            let digit =
                byte.and_then(digit).ok_or_else(|| format!("not a base 64 digit at {} of the mappings", self.at))?;
            self.at += 1;
            value |= i64::from(digit & 31) << shift;
            if digit & 32 == 0 {
                break;
            }
            shift += 5;
            if shift > 30 {
                return Err(format!("a number too large at {} of the mappings", self.at));
            }
        }
        let difference = if value & 1 == 1 { -(value >> 1) } else { value >> 1 };
        u32::try_from(i64::from(before) + difference).map_err(|_| format!("a position before the start at {}", self.at))
    }
}

fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SCRIPT: &str = "http://localhost:4173/assets/shop.js";
    const BUNDLE: &str = include_str!("../../../../fixtures/source-maps/shop.js");
    const MAP: &str = include_str!("../../../../fixtures/source-maps/shop.js.map");

    fn parsed(text: &str) -> SourceMap {
        SourceMap::parse(text, &format!("{SCRIPT}.map"), SCRIPT, &Redactor::new()).unwrap()
    }

    /// Compares our result with that of the `sourcemap` crate for every position of a script.
    fn agrees(text: &str, lines: u32, columns: u32) {
        let ours = parsed(text);
        let theirs = match sourcemap::decode_slice(text.as_bytes()).unwrap() {
            sourcemap::DecodedMap::Index(indexed) => indexed.flatten().unwrap(),
            sourcemap::DecodedMap::Regular(map) => map,
            other => panic!("{other:?}"),
        };
        for line in 0..lines {
            for column in 0..columns {
                let found = ours.lookup(line + 1, column + 1);
                let expected = theirs.lookup_token(line, column).filter(|token| {
                    // The crate falls back to an earlier line; a stack frame never means that.
                    token.get_dst_line() == line && token.has_source()
                });
                let found = found.map(|found| (found.line - 1, found.column - 1, found.name.map(str::to_owned)));
                let expected = expected
                    .map(|token| (token.get_src_line(), token.get_src_col(), token.get_name().map(str::to_owned)));
                assert_eq!(found, expected, "{line}:{column}");
            }
        }
    }

    #[test]
    fn a_bundle_is_read_like_the_sourcemap_crate_reads_it() {
        agrees(MAP, 2, BUNDLE.len() as u32 + 5);
    }

    #[test]
    fn a_position_has_its_file_its_name_and_its_lines() {
        let map = parsed(MAP);
        assert_eq!(map.sources(), 2);
        let found = map.lookup(1, 44).unwrap();
        assert_eq!((found.source.path.as_str(), found.line), ("src/cart.ts", 13));
        let lines = found.source.lines_around(13, 1, 1);
        let expected = [
            (12, "  let total = 0;"),
            (13, "  for (const line of cart!.lines) {"),
            (14, "    total += line.price * line.count;"),
        ];
        assert_eq!(lines, expected);
        assert_eq!(found.source.lines_around(1, 5, 0).len(), 1, "nothing before the start");
        assert_eq!(found.source.lines_around(17, 0, 5).len(), 1, "nothing after the end");
        assert!(found.source.lines_around(9_000, 5, 5).is_empty());
        let call = map.lookup(1, BUNDLE.find("n(t.cart)").unwrap() as u32 + 1).unwrap();
        assert_eq!(call.name, Some("totalOf"));
        assert!(map.lookup(0, 1).is_none() && map.lookup(1, 0).is_none() && map.lookup(9, 1).is_none());
    }

    #[test]
    fn sections_are_looked_up_in_their_own_map() {
        let one = r#"{"version":3,"sources":["webpack:///./src/one.js"],"names":[],"mappings":"AAAA;AACA"}"#;
        let two = r#"{"version":3,"sources":["webpack:///./src/two.js"],"names":["b"],"mappings":"AAEAA"}"#;
        let indexed = format!(
            r#"{{"version":3,"sections":[{{"offset":{{"line":0,"column":0}},"map":{one}}},{{"offset":{{"line":5,"column":4}},"map":{two}}}]}}"#
        );
        agrees(&indexed, 8, 12);
        let map = parsed(&indexed);
        let path = |line, column| map.lookup(line, column).map(|found| (found.source.path.clone(), found.line));
        assert_eq!(path(2, 1), Some(("src/one.js".to_owned(), 2)));
        assert_eq!(path(6, 4), None, "just before the second one, on a line that the first has not");
        assert_eq!(path(6, 5), Some(("src/two.js".to_owned(), 3)));
        assert_eq!(map.sources(), 2);
        let nested = format!(r#"{{"version":3,"sections":[{{"offset":{{"line":0,"column":0}},"map":{indexed}}}]}}"#);
        assert!(SourceMap::parse(&nested, SCRIPT, SCRIPT, &Redactor::new()).unwrap_err().contains("within"));
    }

    #[test]
    fn optional_parts_and_prefixes_are_handled() {
        let guarded = format!(")]}}'\n{MAP}");
        assert!(parsed(&guarded).lookup(1, 44).is_some());
        let no_content =
            r#"{"version":3,"sourceRoot":"/","sources":["src/a.js",null],"mappings":"AAAA","sourcesContent":[null]}"#;
        let map = parsed(no_content);
        let found = map.lookup(1, 1).unwrap();
        assert_eq!(found.source.path, "src/a.js");
        assert!(found.source.lines_around(1, 5, 5).is_empty());
        let dependency =
            r#"{"version":3,"sources":["../node_modules/x/a.js"],"mappings":"AAAA","sourcesContent":["x"]}"#;
        let map = parsed(dependency);
        let found = map.lookup(1, 1).unwrap();
        assert!(found.source.is_dependency && found.source.lines_around(1, 0, 0).is_empty());
        let ignored = r#"{"version":3,"sources":["src/gen.js"],"mappings":"AAAA","x_google_ignoreList":[0]}"#;
        assert!(parsed(ignored).lookup(1, 1).unwrap().source.is_dependency);
    }

    #[test]
    fn invalid_maps_are_refused_with_a_reason() {
        for (text, says) in [
            ("", "not a source map"),
            ("<html>", "not a source map"),
            ("{}", "without `mappings`"),
            (r#"{"version":2,"mappings":""}"#, "version"),
            (r#"{"version":3,"mappings":"A!"}"#, "base 64"),
            (r#"{"version":3,"mappings":"AAAAAA"}"#, "more than five"),
            (r#"{"version":3,"mappings":"D"}"#, "before the start"),
            (r#"{"version":3,"mappings":"gggggggggg"}"#, "too large"),
            (r#"{"version":3,"mappings":"AA"}"#, "base 64"),
        ] {
            let error = SourceMap::parse(text, SCRIPT, SCRIPT, &Redactor::new()).unwrap_err();
            assert!(error.contains(says), "{text}: {error}");
        }
    }

    #[test]
    fn components_are_named_by_the_position_of_their_function() {
        let at = |text: &str, line, column| {
            let source =
                Source { path: "src/Panel.jsx".to_owned(), is_dependency: false, content: Some(Content::new(text)) };
            source.component_at(line, column)
        };
        assert_eq!(at("export function Details({ id }) {", 1, 17).as_deref(), Some("Details"));
        assert_eq!(at("export function Details({ id }) {", 1, 8).as_deref(), Some("Details"));
        assert_eq!(at("const Details = ({ id }) => {", 1, 17).as_deref(), Some("Details"));
        assert_eq!(at("const Details = ({ id }) => {", 1, 7).as_deref(), Some("Details"));
        assert_eq!(at("class Details extends Component {", 1, 1).as_deref(), Some("Details"));
        assert_eq!(at("export default () => {", 1, 16).as_deref(), Some("Panel"), "the file's name");
        assert_eq!(at("", 7, 1).as_deref(), Some("Panel"));
    }

    proptest! {
        /// Any input is parsed or refused, and every lookup ends.
        #[test]
        fn any_mappings_are_read_or_refused(mappings in "[A-Za-f0-9+/,;!]{0,200}", line in 0_u32..20, column in 0_u32..200) {
            let text = format!(r#"{{"version":3,"sources":["a.js"],"names":["n"],"mappings":"{mappings}"}}"#);
            if let Ok(map) = SourceMap::parse(&text, SCRIPT, SCRIPT, &Redactor::new()) {
                let _ = map.lookup(line, column);
            }
        }
    }
}
