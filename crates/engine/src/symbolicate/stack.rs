//! Parses stacks as browsers write them, frame by frame.

/// One line of a stack with a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame<'s> {
    /// Empty for code outside functions and for functions without a name.
    pub function: &'s str,
    /// The script's address.
    pub url: &'s str,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

/// The frames of a stack, innermost first, in the form of Chrome (`at save (app.js:1:2)`) or Firefox
/// (`save@app.js:1:2`).
pub fn frames(stack: &str) -> impl Iterator<Item = Frame<'_>> {
    // A message may contain anything, even lines like another browser's frames.
    let is_chrome = stack.lines().any(|line| line.trim_start().starts_with("at "));
    let lines = stack.lines().map(str::trim).filter(move |line| !is_chrome || line.starts_with("at "));
    lines.filter_map(frame)
}

fn frame(line: &str) -> Option<Frame<'_>> {
    let (function, place) = match line.strip_prefix("at ") {
        Some(rest) => match rest.strip_suffix(')') {
            // `eval at run (app.js:1:2), <anonymous>:1:1` contains parentheses; the outer position is the one that can
            // be mapped.
            Some(inside) => inside.split_once(" (").map(|(function, place)| (function, outer_place(place)))?,
            None => ("", rest.strip_prefix("async ").unwrap_or(rest)),
        },
        None => line.split_once('@')?,
    };
    let (rest, column) = place.rsplit_once(':')?;
    let (url, number) = rest.rsplit_once(':')?;
    let (line, column) = (number.parse().ok()?, column.parse().ok()?);
    let is_address = url.contains("://") || url.starts_with('/') || url.starts_with("blob:");
    is_address.then_some(Frame { function: function_name(function), url, line, column })
}

fn outer_place(place: &str) -> &str {
    match place.strip_prefix("eval at ").and_then(|inner| inner.rsplit_once(" (")) {
        Some((_, outer)) => outer.split_once(')').map_or(outer, |(outer, _)| outer),
        None => place,
    }
}

/// The name without what V8 writes around it: `async`, `new`, `Object.`, `[as handler]`.
fn function_name(written: &str) -> &str {
    let name = written.strip_prefix("async ").unwrap_or(written);
    let name = name.strip_prefix("new ").unwrap_or(name);
    let name = name.split_once(" [as ").map_or(name, |(name, _)| name);
    let name = name.strip_prefix("Object.").or(name.strip_prefix("Module.")).unwrap_or(name);
    if name == "<anonymous>" || name == "eval" { "" } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Option<(&str, &str, u32, u32)>) {
        let found = frames(line).next().map(|frame| (frame.function, frame.url, frame.line, frame.column));
        assert_eq!(found, expected, "{line}");
    }

    #[test]
    fn frames_of_all_browsers_are_parsed() {
        let url = "http://localhost:5173/src/App.jsx?t=17";
        check(&format!("    at save ({url}:10:5)"), Some(("save", url, 10, 5)));
        check(&format!("at async save ({url}:10:5)"), Some(("save", url, 10, 5)));
        check(&format!("at async {url}:10:5"), Some(("", url, 10, 5)));
        check(&format!("at {url}:10:5"), Some(("", url, 10, 5)));
        check(&format!("at new Cart ({url}:1:2)"), Some(("Cart", url, 1, 2)));
        check(&format!("at Object.onClick [as handler] ({url}:1:2)"), Some(("onClick", url, 1, 2)));
        check(
            &format!("at HTMLButtonElement.<anonymous> ({url}:1:2)"),
            Some(("HTMLButtonElement.<anonymous>", url, 1, 2)),
        );
        check(&format!("at eval (eval at run ({url}:3:4), <anonymous>:1:1)"), Some(("", url, 3, 4)));
        check(&format!("save@{url}:10:5"), Some(("save", url, 10, 5)));
        check(&format!("@{url}:10:5"), Some(("", url, 10, 5)));
        check("at fn (webpack-internal:///./src/App.js:7:9)", Some(("fn", "webpack-internal:///./src/App.js", 7, 9)));
        check(
            &format!("Error: user@http://localhost/other.js:1:1\n    at save ({url}:10:5)"),
            Some(("save", url, 10, 5)),
        );
        check("at Array.map (<anonymous>)", None);
        check("TypeError: a@b.example: 1:2 is not a place", None);
        check("at native", None);
        check("at x (http://a/b.js:99999999999:1)", None);
        check("", None);
    }
}
