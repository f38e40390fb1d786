//! What the server adds to an error: its stack in the developer's own files, the code around, and one sentence.

use serde_json::{Map, Value, json};
use wire::log::AiContext;
use wire::{Json, Level, limits};

use super::SourceMaps;
use super::source_map::Original;
use super::stack::{Frame, frames};
use super::summary;
use super::summary::Facts;
use crate::answer::fit::json_len;
use crate::entry::{Log, LogKind};
use crate::redact::{Redacted, Redactor};
use crate::text::shorten;

/// The source that a list of components states if it was derived from the stack instead of the page.
const FROM_STACK: &str = "stack";

/// What the user allows to add.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowed {
    /// Source lines around the stack's frames.
    pub snippets: bool,
    /// The components that the error happened in.
    pub components: bool,
}

impl Allowed {
    /// Everything.
    pub const ALL: Self = Self { snippets: true, components: true };
    /// Nothing but the mapped stack and the sentence.
    pub const NOTHING: Self = Self { snippets: false, components: false };
}

/// Whether an entry is an error that can be explained.
pub fn is_explainable(entry: &Log) -> bool {
    let has_place = entry.stack.is_some() || entry.filename.is_some() || entry.ai_context.is_some();
    entry.level == Level::Error && has_place && entry.kind != LogKind::Network
}

/// The scripts that an error's stack points into, the developer's own first.
pub fn scripts_of(entry: &Log) -> Vec<&str> {
    let mut scripts: Vec<&str> = Vec::new();
    for frame in frames_of(entry) {
        let fetchable = frame.url.starts_with("http") || frame.url.starts_with("webpack-internal:");
        if fetchable && !scripts.contains(&frame.url) {
            scripts.push(frame.url);
        }
    }
    scripts.sort_by_key(|url| super::original_path::is_dependency(url));
    scripts.truncate(limits::SOURCE_MAPS_WANTED);
    scripts
}

/// The position of an error in the developer's files: file, line and column.
pub fn location(entry: &Log) -> Option<(String, u32, u32)> {
    let snippet = entry.ai_context.as_ref()?.source_snippets.as_ref().map(Json::value);
    let of_snippet = snippet.as_ref().and_then(|list| list.get(0)).and_then(|first| {
        let number = |name: &str| first.get(name).and_then(Value::as_u64).and_then(|number| u32::try_from(number).ok());
        Some((first.get("file")?.as_str()?.to_owned(), number("line")?, number("column")?))
    });
    of_snippet.or_else(|| {
        let stack = entry.ai_context.as_ref()?.mapped_stack.as_ref()?;
        let own = stack.iter().find(|line| !super::original_path::is_dependency(place_in(line)));
        place(own.or(stack.first())?)
    })
}

/// The context that can be added now. `None` when there is none.
pub fn explain(
    entry: &Log,
    maps: &mut SourceMaps,
    redactor: &Redactor,
    allowed: Allowed,
) -> Option<Redacted<AiContext>> {
    let known = entry.ai_context.as_ref();
    let mapped = if allowed.snippets { mapped_frames(entry, maps) } else { Vec::new() };
    let is_mapped = mapped.iter().any(|frame| frame.is_original);
    let snippets = snippets(&mapped);
    let ancestry = if allowed.components {
        let of_page = known.and_then(|known| known.component_ancestry.as_ref()).map(Json::value);
        match of_page.filter(|value| value.get("from").is_none()) {
            Some(value) => Some(named_components(value, maps, entry.page_id.as_deref())),
            None => components_of_stack(&mapped),
        }
    } else {
        None
    };
    let state = known.and_then(|known| known.state_snapshot.as_ref()).map(Json::value);
    let place = written_place(entry).filter(|_| allowed != Allowed::NOTHING);
    let is_told = known.is_some_and(|known| known.summary.is_some());
    if !is_mapped && ancestry.is_none() && state.is_none() && (place.is_none() || is_told) {
        return None;
    }
    let own = mapped.iter().find(|frame| !frame.is_dependency).or(mapped.first());
    let error_line = own
        .and_then(|frame| frame.lines.iter().find(|(number, _)| *number == frame.line).map(|(_, text)| text.as_str()));
    let summary = summary::sentence(&Facts {
        entry,
        place: own
            .filter(|frame| frame.is_original)
            .map(|frame| (frame.path.as_str(), frame.line, frame.column))
            .or(place.as_ref().map(|(file, line, column)| (file.as_str(), *line, *column))),
        error_line,
        ancestry: ancestry.as_ref(),
        state: state.as_ref(),
    });
    let context = AiContext {
        // Without the map that the earlier summary was made with, a new one would say less.
        summary: (is_mapped || known.is_none_or(|known| known.mapped_stack.is_none())).then_some(summary),
        mapped_stack: is_mapped.then(|| mapped.iter().map(MappedFrame::text).collect()),
        source_snippets: (!snippets.is_empty()).then(|| Json::from_value(&Value::Array(snippets))),
        component_ancestry: ancestry.as_ref().map(Json::from_value),
        state_snapshot: None,
    };
    Some(redactor.redact(context))
}

struct MappedFrame {
    function: String,
    path: String,
    line: u32,
    column: u32,
    is_dependency: bool,
    /// Whether a source map gave the position.
    is_original: bool,
    lines: Vec<(u32, String)>,
}

impl MappedFrame {
    fn text(&self) -> String {
        let place = format!("{}:{}:{}", self.path, self.line, self.column);
        if self.function.is_empty() { place } else { format!("{} ({place})", self.function) }
    }
}

/// `src/cart.ts:10:5` of `save (src/cart.ts:10:5)`.
fn place_in(line: &str) -> &str {
    match line.strip_suffix(')').and_then(|inside| inside.rsplit_once(" (")) {
        Some((_, place)) => place,
        None => line,
    }
}

fn place(line: &str) -> Option<(String, u32, u32)> {
    let (rest, column) = place_in(line).rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    Some((file.to_owned(), line.parse().ok()?, column.parse().ok()?))
}

/// The stack's frames. An error without a stack may still state where it was thrown.
fn frames_of(entry: &Log) -> Vec<Frame<'_>> {
    let found: Vec<Frame<'_>> =
        entry.stack.as_deref().map(frames).into_iter().flatten().take(limits::MAPPED_FRAMES).collect();
    if !found.is_empty() {
        return found;
    }
    let place = || Some((entry.filename.as_deref()?, entry.lineno?, entry.colno?));
    place().map(|(url, line, column)| Frame { function: "", url, line, column }).into_iter().collect()
}

/// The error's position in the script that the browser ran: all that is known without a source map.
fn written_place(entry: &Log) -> Option<(String, u32, u32)> {
    let is_page =
        |url: &str| !["chrome-extension:", "gasoline", "blob:", "data:"].iter().any(|own| url.starts_with(own));
    let path = |url: &str| super::original_path::original_path(url, "", url, url);
    let frames = frames_of(entry);
    let of_page = || frames.iter().filter(|frame| is_page(frame.url));
    let own = of_page().find(|frame| !super::original_path::is_dependency(&path(frame.url)));
    let (url, line, column) = match own.or(of_page().next()) {
        Some(frame) => (frame.url, frame.line, frame.column),
        None => (entry.filename.as_deref().filter(|url| is_page(url))?, entry.lineno?, entry.colno.unwrap_or(1)),
    };
    // A script inside the page has the page's address.
    let file = Some(path(url)).filter(|path| !path.is_empty()).unwrap_or_else(|| "/".to_owned());
    Some((file, line, column))
}

fn mapped_frames(entry: &Log, maps: &mut SourceMaps) -> Vec<MappedFrame> {
    let page = entry.page_id.as_deref();
    let frames = frames_of(entry);
    // The name at a call is that of the called function, so each frame is named by the frame above it.
    let mut called: Option<String> = None;
    let mut mapped: Vec<MappedFrame> = Vec::with_capacity(frames.len());
    for frame in frames.iter().rev() {
        let found = maps.find(frame.url, page).and_then(|map| map.lookup(frame.line, frame.column));
        let function = match called.take() {
            Some(name) if is_minified(frame.function) => name,
            _ => frame.function.to_owned(),
        };
        let (path, line, column, is_dependency) = match &found {
            Some(original) => {
                called = original.name.map(str::to_owned);
                (original.source.path.clone(), original.line, original.column, original.source.is_dependency)
            }
            None => {
                let path = super::original_path::original_path(frame.url, "", frame.url, frame.url);
                let is_dependency = super::original_path::is_dependency(&path);
                (path, frame.line, frame.column, is_dependency)
            }
        };
        let is_original = found.is_some();
        mapped.push(MappedFrame { function, path, line, column, is_dependency, is_original, lines: Vec::new() });
    }
    mapped.reverse();
    let mut shown = 0;
    for (frame, own) in frames.iter().zip(&mut mapped).filter(|(_, own)| own.is_original && !own.is_dependency) {
        if shown >= limits::SNIPPET_FRAMES {
            break;
        }
        let found = maps.find(frame.url, page).and_then(|map| map.lookup(frame.line, frame.column));
        own.lines = found.map(snippet_lines).unwrap_or_default();
        shown += usize::from(!own.lines.is_empty());
    }
    mapped
}

/// The lines to show around a position. A long line is cut to the part that matters.
fn snippet_lines(original: Original<'_>) -> Vec<(u32, String)> {
    let lines = original.source.lines_around(original.line, limits::SNIPPET_LINES_BEFORE, limits::SNIPPET_LINES_AFTER);
    let cut = |number: u32, text: &str| {
        let skipped = (original.column as usize).saturating_sub(limits::SNIPPET_LINE_CHARS / 2);
        if number != original.line || text.chars().count() <= limits::SNIPPET_LINE_CHARS || skipped == 0 {
            return shorten(text, limits::SNIPPET_LINE_CHARS);
        }
        let rest: String = text.chars().skip(skipped).take(limits::SNIPPET_LINE_CHARS).collect();
        format!("…{rest}")
    };
    lines.into_iter().map(|(number, text)| (number, cut(number, text))).collect()
}

/// Whether a build generated this name.
fn is_minified(name: &str) -> bool {
    name.rsplit('.').next().unwrap_or(name).chars().count() <= 2
}

fn snippets(mapped: &[MappedFrame]) -> Vec<Value> {
    let mut used = 0;
    let mut shown = Vec::new();
    for frame in mapped.iter().filter(|frame| !frame.lines.is_empty()).take(limits::SNIPPET_FRAMES) {
        let lines: Vec<Value> = frame
            .lines
            .iter()
            .map(|(number, text)| {
                if *number == frame.line {
                    json!({ "line": number, "text": text, "isError": true })
                } else {
                    json!({ "line": number, "text": text })
                }
            })
            .collect();
        let snippet = json!({ "file": frame.path, "line": frame.line, "column": frame.column, "snippet": lines });
        used += json_len(&snippet) + 1;
        if used > limits::SNIPPETS_BYTES {
            break;
        }
        shown.push(snippet);
    }
    shown
}

/// Restores the names of components that the build renamed, and adds where they are defined. Each such component states
/// the position of its function in its script, and keeps it while the script's map may still arrive.
fn named_components(mut ancestry: Value, maps: &mut SourceMaps, page: Option<&str>) -> Value {
    let components = ancestry.get_mut("components").and_then(Value::as_array_mut);
    for component in components.into_iter().flatten().filter_map(Value::as_object_mut) {
        let is_awaited = component_place(component)
            .is_some_and(|(url, ..)| !maps.has(url, page) && maps.why_missing(url, page).is_none());
        if is_awaited {
            continue;
        }
        let Some(at) = component.shift_remove("at") else { continue };
        let found = at.as_str().and_then(|at| {
            let (url, line, column) = script_place(at)?;
            let original = maps.find(url, page)?.lookup(line, column)?;
            let named = original.name.filter(|name| name.chars().next().is_some_and(char::is_uppercase));
            let name =
                named.map(str::to_owned).or_else(|| original.source.component_at(original.line, original.column));
            Some((name, format!("{}:{}", original.source.path, original.line)))
        });
        let Some((name, place)) = found else { continue };
        let known = component.get("name").and_then(Value::as_str);
        let is_short = known.is_none_or(|name| name.chars().count() <= 3 || name == "Anonymous");
        if let Some(name) = name.filter(|_| is_short) {
            component.insert("name".to_owned(), json!(name));
        }
        component.insert("source".to_owned(), json!(place));
    }
    ancestry
}

fn component_place(component: &Map<String, Value>) -> Option<(&str, u32, u32)> {
    script_place(component.get("at")?.as_str()?)
}

/// `http://localhost:4173/assets/shop.js:1:44`
fn script_place(place: &str) -> Option<(&str, u32, u32)> {
    let (rest, column) = place.rsplit_once(':')?;
    let (url, line) = rest.rsplit_once(':')?;
    Some((url, line.parse().ok()?, column.parse().ok()?))
}

/// Whether a component of an error still waits for this script's map.
pub fn awaits_names_from(entry: &Log, url: &str) -> bool {
    let ancestry = entry.ai_context.as_ref().and_then(|context| context.component_ancestry.as_ref());
    // Most errors have none, and parsing costs more than this check.
    let Some(ancestry) = ancestry.filter(|ancestry| ancestry.text().contains("\"at\"")).map(Json::value) else {
        return false;
    };
    let components = ancestry.get("components").and_then(Value::as_array).into_iter().flatten();
    components.filter_map(Value::as_object).filter_map(component_place).any(|(of, ..)| of == url)
}

/// The components whose files the stack runs through, for pages that report no components.
fn components_of_stack(mapped: &[MappedFrame]) -> Option<Value> {
    let mut framework = "";
    let mut names: Vec<&str> = Vec::new();
    for frame in mapped.iter().rev().filter(|frame| !frame.is_dependency && frame.is_original) {
        let file = frame.path.rsplit('/').next().unwrap_or(&frame.path);
        let (stem, extension) = file.rsplit_once('.').unwrap_or((file, ""));
        let name = match extension {
            "svelte" | "vue" => stem,
            "jsx" | "tsx" => frame.function.split('.').next().unwrap_or_default(),
            _ => continue,
        };
        if !name.chars().next().is_some_and(char::is_uppercase) || names.last() == Some(&name) {
            continue;
        }
        framework = match extension {
            "svelte" => "svelte",
            "vue" => "vue",
            _ => "react",
        };
        names.push(name);
    }
    let components: Vec<Value> = names.into_iter().map(|name| json!({ "name": name })).collect();
    let found = json!({ "framework": framework, "components": components, "from": FROM_STACK });
    (!framework.is_empty()).then_some(found)
}
