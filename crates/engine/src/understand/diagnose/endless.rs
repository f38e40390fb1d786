//! Renders, updates or calls that never end.

use wire::Json;

use super::Cause;
use super::scene::Scene;
use crate::understand::original_path::is_dependency;

const WORDS: [(&str, &str); 6] = [
    ("Too many re-renders", "sets state while it renders, so it renders again without end"),
    ("Maximum update depth exceeded", "sets state in an effect or life-cycle method that runs again with every update"),
    ("Maximum recursive updates exceeded", "changes in an update what the update depends on"),
    ("effect_update_depth_exceeded", "changes in an effect what the effect depends on"),
    ("Maximum call stack size exceeded", "calls itself without end"),
    ("too much recursion", "calls itself without end"),
];

pub(super) fn cause<'a>(scene: &Scene<'a>) -> Option<Cause<'a>> {
    let (word, what) = WORDS.iter().find(|(word, _)| scene.message.contains(word))?;
    let ancestry =
        scene.entry?.ai_context.as_ref().and_then(|context| context.component_ancestry.as_ref()).map(Json::value);
    let leaf = ancestry.as_ref().and_then(|value| value.get("components")?.as_array()?.last());
    let frame = scene.frames().first().map(|frame| frame.function.to_owned()).filter(|name| name.len() > 2);
    let name = leaf.and_then(|leaf| leaf.get("name")?.as_str());
    let who = name.map(|name| format!("the component `{name}`")).or(frame.map(|name| format!("`{name}`")));
    // The stack of an endless render may hold nothing but the framework.
    let own = scene
        .place
        .as_ref()
        .filter(|(file, _, _)| !is_dependency(file))
        .map(|(file, line, _)| format!("{file}:{line}"));
    let written = leaf.and_then(|leaf| leaf.get("source")?.as_str()).map(str::to_owned);
    let place = own.or(written).map(|place| format!(" ({place})")).unwrap_or_default();
    let text = format!("{}{place} {what}", who.as_deref().unwrap_or("a component"));
    Some(Cause { text, score: 8, because: vec![format!("the message says \"{word}\"")], request: None, received: None })
}
