//! Renders, updates or calls that never end.

use wire::Json;

use super::Cause;
use super::scene::Scene;
use crate::symbolicate::original_path::is_dependency;
use crate::symbolicate::stack::Frame;

const WORDS: [(&str, &str); 4] = [
    ("Too many re-renders", "sets state while it renders, so it renders again without end"),
    ("Maximum update depth exceeded", "sets state in an effect or life-cycle method that runs again with every update"),
    ("Maximum recursive updates exceeded", "changes in an update what the update depends on"),
    ("effect_update_depth_exceeded", "changes in an effect what the effect depends on"),
];
/// The messages of Chrome and Firefox for a stack overflow.
const OVERFLOWS: [&str; 2] = ["Maximum call stack size exceeded", "too much recursion"];
/// An endless recursion overflows in one of its own innermost frames, or in a helper that one of them calls.
const INNERMOST: usize = 3;
/// A frame repeats when the captured part of the stack, usually ten frames, contains it this often.
const REPEATED: usize = 3;
/// In a stack this short, twice is enough.
const SHORT_STACK: usize = 5;
const NAMED: usize = 3;

pub(super) fn cause<'a>(scene: &Scene<'a>) -> Option<Cause<'a>> {
    update(scene).or_else(|| overflow(scene))
}

/// The framework counted the updates, and its message says so.
fn update<'a>(scene: &Scene<'a>) -> Option<Cause<'a>> {
    let (word, what) = WORDS.iter().find(|(word, _)| scene.message.contains(word))?;
    let ancestry =
        scene.entry?.ai_context.as_ref().and_then(|context| context.component_ancestry.as_ref()).map(Json::value);
    let leaf = ancestry.as_ref().and_then(|value| value.get("components")?.as_array()?.last());
    let name = leaf.and_then(|leaf| leaf.get("name")?.as_str());
    let who = name.map(|name| format!("the component `{name}`")).or(innermost(scene).map(|name| format!("`{name}`")));
    // The stack of an endless render may contain only the framework.
    let written = leaf.and_then(|leaf| leaf.get("source")?.as_str()).map(str::to_owned);
    let place = own_place(scene).or(written).map(|place| format!(" ({place})")).unwrap_or_default();
    let text = format!("{}{place} {what}", who.as_deref().unwrap_or("a component"));
    Some(Cause { score: 8, because: vec![format!("the message says \"{word}\"")], ..Cause::new(text) })
}

/// A stack overflow is an endless recursion only if the stack shows one. A call with a hundred thousand arguments
/// overflows it, too, and so does a deep but finite recursion.
fn overflow<'a>(scene: &Scene<'a>) -> Option<Cause<'a>> {
    let word = OVERFLOWS.iter().find(|word| scene.message.contains(**word))?;
    let said = format!("the message says \"{word}\"");
    let frames = scene.frames();
    let repeated = repeated(&frames);
    if repeated.is_empty() {
        let who = innermost(scene).map_or("the failing call".to_owned(), |name| format!("`{name}`"));
        let place = own_place(scene).map(|place| format!(" ({place})")).unwrap_or_default();
        let text = format!(
            "{who}{place} filled the call stack; what was captured of it does not show a recursion without end, so look first for a call with a very long list of arguments (`f(...list)`)"
        );
        return Some(Cause { score: 4, because: vec![said], ..Cause::new(text) });
    }
    // The error's own position is the innermost frame, which may belong to a helper.
    let is_innermost = frames.first().zip(repeated.first()).is_some_and(|(one, other)| is_same(one, other));
    let place = own_place(scene).filter(|_| is_innermost).map(|place| format!(" ({place})")).unwrap_or_default();
    let names: Vec<String> = repeated.iter().take(NAMED).map(|frame| name(frame)).collect();
    let (who, what) = match names.as_slice() {
        [one] => (one.clone(), "calls itself without end"),
        several => (several.join(" and "), "call each other without end"),
    };
    let times = frames.iter().filter(|frame| repeated.first().is_some_and(|first| is_same(first, frame))).count();
    let because = vec![said, format!("{} is {times} times in the captured stack", names.first()?)];
    Some(Cause { score: 8, because, ..Cause::new(format!("{who}{place} {what}")) })
}

/// The frames that repeat, if one of the innermost does.
fn repeated<'s>(frames: &[Frame<'s>]) -> Vec<Frame<'s>> {
    let least = if frames.len() <= SHORT_STACK { 2 } else { REPEATED };
    let is_repeated = |frame: &Frame<'_>| frames.iter().filter(|other| is_same(frame, other)).count() >= least;
    // Thousands of calls exceed what is captured, so an endless recursion is also where the captured part ends.
    let is_cut_inside =
        frames.last().is_some_and(|last| frames.iter().filter(|other| is_same(last, other)).count() > 1);
    if !is_cut_inside || !frames.iter().take(INNERMOST).any(is_repeated) {
        return Vec::new();
    }
    let mut found: Vec<Frame<'s>> = Vec::new();
    for frame in frames.iter().filter(|frame| is_repeated(frame)) {
        if !found.iter().any(|known| is_same(known, frame)) {
            found.push(*frame);
        }
    }
    found
}

/// A function may call itself from several of its lines; anonymous functions are compared by position.
fn is_same(one: &Frame<'_>, other: &Frame<'_>) -> bool {
    let is_named = !one.function.is_empty() && !one.function.contains("<anonymous>");
    one.function == other.function && one.url == other.url && (is_named || one.line == other.line)
}

fn name(frame: &Frame<'_>) -> String {
    if !frame.function.is_empty() {
        return format!("`{}`", frame.function);
    }
    let file = frame.url.rsplit('/').next().unwrap_or(frame.url);
    format!("the function at {file}:{}", frame.line)
}

fn innermost<'a>(scene: &Scene<'a>) -> Option<&'a str> {
    scene.frames().first().map(|frame| frame.function).filter(|name| name.len() > 2)
}

fn own_place(scene: &Scene<'_>) -> Option<String> {
    let (file, line, _) = scene.place.as_ref().filter(|(file, _, _)| !is_dependency(file))?;
    Some(format!("{file}:{line}"))
}

#[cfg(test)]
mod tests {
    use super::{name, repeated};
    use crate::symbolicate::stack::frames;

    #[test]
    fn repeated_frames_are_found_in_stacks() {
        let line = |function: &str, line: u32| format!("    at {function} (http://a/app.js:{line}:5)\n");
        let walk: String = (0..10).map(|_| line("walk", 3)).collect();
        let branches: String = (0..10).map(|number| line("walk", 3 + number % 2)).collect();
        let both: String = (0..5).map(|_| line("even", 3) + &line("odd", 7)).collect();
        let helper = line("log", 1) + &walk;
        let unnamed: String = (0..10).map(|_| "    at http://a/app.js:3:5\n").collect();
        // The tree below the failing call is finite: its frames are not where the stack ends.
        let below = line("encode", 1) + &line("save", 2) + &line("App", 3) + &line("render", 4).repeat(6);
        let short = line("walk", 3).repeat(2);
        let once = line("encode", 1) + &line("save", 2) + &line("main", 3);
        // These frames reach the end of a stack that has room for more, so nothing in it is endless.
        let shallow = line("visit", 1) + &line("walk", 2) + &line("visit", 3) + &line("main", 4);
        let deep = (line("visit", 1) + &line("walk", 2)).repeat(3) + &line("main", 4) + &line("start", 5);
        for (stack, expected) in [
            (&walk, vec!["`walk`"]),
            (&branches, vec!["`walk`"]),
            (&both, vec!["`even`", "`odd`"]),
            (&helper, vec!["`walk`"]),
            (&unnamed, vec!["the function at app.js:3"]),
            (&below, vec![]),
            (&short, vec!["`walk`"]),
            (&once, vec![]),
            (&shallow, vec![]),
            (&deep, vec![]),
            (&String::new(), vec![]),
        ] {
            let frames: Vec<_> = frames(stack).collect();
            let found: Vec<String> = repeated(&frames).iter().map(name).collect();
            assert_eq!(found, expected, "{stack}");
        }
    }
}
