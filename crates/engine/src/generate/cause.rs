//! Decides which step caused a request. A test waits for the responses that a step causes, so a wrong guess makes it
//! wait in vain: in doubt, a request belongs to no step.

use super::endpoint::Endpoint;
use crate::entry::Request;

/// A request this long after a step was not caused by it.
const CAUSED_MILLIS: i64 = 2_000;
/// The longest pause between two keys in one input; the capture treats a longer pause as the end of typing.
const TYPING_MILLIS: i64 = 500;
const TYPED_KEYS: i64 = 20;
/// A request this soon after a key was caused by that key.
const AT_ONCE_MILLIS: i64 = 50;
/// The longest time from pressing a mouse button to the click.
const CLICK_MILLIS: i64 = 1_000;
/// Requests without a user event that repeat this often at even intervals are polling.
const POLLS: usize = 3;
const POLL_MILLIS: i64 = 200;

/// What a step does, as far as it limits what the step can cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Doing {
    /// Loads a page.
    Opens,
    /// Navigates within the page.
    Moves,
    Presses,
    /// Presses a key that does something.
    Strikes,
    /// Types, at most this many keys.
    Types(i64),
    Chooses,
    /// Mentioned in the script, but not repeated.
    Nothing,
}

/// A step as a possible cause.
#[derive(Debug, Clone)]
pub(super) struct Cause<'a> {
    pub(super) from: i64,
    pub(super) doing: Doing,
    /// The page load that it happened in.
    pub(super) page_id: Option<&'a str>,
    /// Whether it leads to another page, which has another id.
    pub(super) leaves: bool,
}

/// A request with the facts that decide its cause.
#[derive(Debug, Clone)]
pub(super) struct Asked<'a> {
    pub(super) request: &'a Request,
    pub(super) endpoint: Endpoint,
}

impl Asked<'_> {
    pub(super) fn from(&self) -> i64 {
        self.request.at.millis()
    }

    pub(super) fn to(&self) -> i64 {
        self.from() + self.request.duration.unwrap_or_default().max(0.0) as i64
    }
}

/// The user event in whose handler a request was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trigger {
    Pressed,
    /// Part of a click; the click is reported when it is complete.
    Pressing,
    Struck,
    Typed,
    Changed,
    /// Something that no script repeats: scrolling, moving the mouse, switching tabs.
    Passing,
    /// Not a user event.
    Unknown,
}

impl Trigger {
    fn from_event(event: Option<&str>) -> Self {
        match event {
            Some("click" | "dblclick" | "auxclick" | "submit") => Self::Pressed,
            Some("mousedown" | "mouseup" | "pointerdown" | "pointerup" | "touchstart" | "touchend") => Self::Pressing,
            Some("keydown" | "keyup" | "keypress") => Self::Struck,
            Some("input" | "beforeinput" | "compositionend" | "paste") => Self::Typed,
            Some("change") => Self::Changed,
            Some(
                "scroll" | "scrollend" | "wheel" | "mousemove" | "mouseover" | "mouseout" | "mouseenter" | "mouseleave"
                | "pointermove" | "pointerover" | "pointerout" | "pointerenter" | "pointerleave" | "touchmove"
                | "focus" | "blur" | "focusin" | "focusout" | "visibilitychange" | "resize" | "online" | "offline"
                | "pagehide" | "beforeunload" | "unload",
            ) => Self::Passing,
            _ => Self::Unknown,
        }
    }

    fn fits(self, doing: Doing) -> bool {
        match self {
            // Enter clicks buttons and submits forms.
            Self::Pressed | Self::Pressing => matches!(doing, Doing::Presses | Doing::Strikes),
            Self::Struck => matches!(doing, Doing::Types(_) | Doing::Strikes),
            Self::Typed => matches!(doing, Doing::Types(_)),
            Self::Changed => matches!(doing, Doing::Chooses | Doing::Presses | Doing::Strikes),
            Self::Passing => false,
            Self::Unknown => true,
        }
    }
}

/// For each request, the index of the step that caused it. Both lists are in order of time.
pub(super) fn causes(steps: &[Cause<'_>], asked: &[Asked<'_>]) -> Vec<Option<usize>> {
    let mut found: Vec<Option<usize>> = Vec::with_capacity(asked.len());
    let mut by_itself: Vec<&Endpoint> = polled(steps, asked);
    for one in asked {
        let trigger = Trigger::from_event(one.request.trigger.as_deref());
        let before = asked.iter().zip(&found);
        let cause = cause_of(one, trigger, steps, before, asked);
        if cause.is_none() && trigger == Trigger::Unknown {
            by_itself.push(&one.endpoint);
        }
        found.push(cause);
    }
    // An endpoint that is also called when nobody acts may have been called here by chance.
    for (one, cause) in asked.iter().zip(&mut found) {
        if Trigger::from_event(one.request.trigger.as_deref()) == Trigger::Unknown && by_itself.contains(&&one.endpoint)
        {
            *cause = None;
        }
    }
    found.into_iter().map(|cause| cause.filter(|place| does(steps, *place) != Some(Doing::Nothing))).collect()
}

fn does(steps: &[Cause<'_>], place: usize) -> Option<Doing> {
    steps.get(place).map(|step| step.doing)
}

fn cause_of<'r>(
    one: &Asked<'_>,
    trigger: Trigger,
    steps: &[Cause<'_>],
    before: impl Iterator<Item = (&'r Asked<'r>, &'r Option<usize>)>,
    all: &[Asked<'_>],
) -> Option<usize> {
    let at = one.from();
    let is_of_page = |step: &Cause<'_>| match (step.page_id, one.request.page_id.as_deref()) {
        (Some(own), Some(other)) => own == other || step.leaves,
        _ => true,
    };
    let latest = steps.iter().rposition(|step| step.from <= at)?;
    if matches!(trigger, Trigger::Struck | Trigger::Typed | Trigger::Unknown)
        && let Some(typing) = typing_at(one, trigger, steps, latest + 1, all)
    {
        return Some(typing);
    }
    let place = match trigger {
        Trigger::Passing => return None,
        Trigger::Unknown => latest,
        Trigger::Pressing if is_soon_pressed(steps.get(latest + 1), at) => latest + 1,
        // The event determines the kind of its step; a step of another kind may have followed since.
        _ => steps.iter().take(latest + 1).rposition(|step| trigger.fits(step.doing))?,
    };
    let step = steps.get(place)?;
    if trigger == Trigger::Unknown {
        // A request made on the response to another belongs with it rather than with a step in between. This excludes
        // requests of the same endpoint: one that repeats itself on each response polls forever.
        let since_step = at - step.from;
        let chained = before
            .filter(|(earlier, _)| earlier.endpoint != one.endpoint)
            .filter(|(earlier, cause)| cause.is_some_and(|cause| cause <= place) && earlier.to() <= at)
            .filter(|(earlier, _)| at - earlier.to() < since_step && at - earlier.to() <= CAUSED_MILLIS)
            .filter(|(earlier, _)| earlier.to() >= step.from)
            .max_by_key(|(earlier, _)| earlier.to());
        if let Some((_, cause)) = chained {
            return *cause;
        }
    }
    (at - step.from <= CAUSED_MILLIS && is_of_page(step)).then_some(place)
}

fn is_soon_pressed(step: Option<&Cause<'_>>, at: i64) -> bool {
    step.is_some_and(|step| step.doing == Doing::Presses && step.from - at <= CLICK_MILLIS)
}

/// The typing during which this request was made. Typing is reported when it ends; a request made at each key is also
/// made at the last.
fn typing_at(one: &Asked<'_>, trigger: Trigger, steps: &[Cause<'_>], next: usize, all: &[Asked<'_>]) -> Option<usize> {
    let step = steps.get(next)?;
    let Doing::Types(keys) = step.doing else { return None };
    let before = next.checked_sub(1).and_then(|place| steps.get(place))?;
    let at = one.from();
    let is_within = at >= step.from - TYPING_MILLIS * keys.clamp(1, TYPED_KEYS);
    let is_of_before = trigger.fits(before.doing) && at - before.from <= AT_ONCE_MILLIS;
    let comes_again = all.iter().any(|other| {
        other.endpoint == one.endpoint && other.from() >= step.from && other.from() - step.from <= CAUSED_MILLIS
    });
    (is_within && !is_of_before && comes_again).then_some(next)
}

/// Endpoints that are called again and again at even intervals, whatever the user does.
fn polled<'e>(steps: &[Cause<'_>], asked: &'e [Asked<'_>]) -> Vec<&'e Endpoint> {
    let is_after_step = |at: &i64| steps.iter().any(|step| (0..=POLL_MILLIS).contains(&(at - step.from)));
    let mut found: Vec<&Endpoint> = Vec::new();
    for one in asked {
        if found.contains(&&one.endpoint) {
            continue;
        }
        let times: Vec<i64> = asked
            .iter()
            .filter(|other| other.endpoint == one.endpoint)
            .filter(|other| Trigger::from_event(other.request.trigger.as_deref()) == Trigger::Unknown)
            .map(Asked::from)
            .collect();
        if !times.iter().all(is_after_step) && is_even(&times) {
            found.push(&one.endpoint);
        }
    }
    found
}

/// On a busy machine a timer fires late and its next interval is short, so most gaps are alike, not all.
fn is_even(times: &[i64]) -> bool {
    let mut gaps: Vec<i64> = times.iter().zip(times.iter().skip(1)).map(|(one, next)| next - one).collect();
    gaps.sort_unstable();
    let Some(&usual) = gaps.get(gaps.len() / 2) else { return false };
    let alike = gaps.iter().filter(|gap| (*gap - usual).abs() <= usual / 4).count();
    usual >= POLL_MILLIS && alike >= POLLS && alike * 2 > gaps.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Steps as `(from, doing)`, requests as `(from, duration, path, trigger)`.
    fn check(steps: &[(i64, Doing)], asked: &[(i64, i64, &str, Option<&str>)], expected: &[Option<usize>]) {
        let requests: Vec<Request> = asked
            .iter()
            .map(|(from, duration, path, trigger)| {
                let fields = json!({ "ts": from, "duration": duration, "method": "GET", "url": format!("http://a{path}"), "trigger": trigger });
                crate::entry::from_test(fields)
            })
            .collect();
        let asked: Vec<Asked<'_>> = requests
            .iter()
            .map(|request| Asked { request, endpoint: Endpoint::from_request(request).unwrap() })
            .collect();
        let steps: Vec<Cause<'_>> = steps
            .iter()
            .map(|(from, doing)| Cause { from: *from, doing: *doing, page_id: None, leaves: false })
            .collect();
        assert_eq!(causes(&steps, &asked), expected);
    }

    const OPEN: (i64, Doing) = (0, Doing::Opens);

    #[test]
    fn a_request_belongs_to_the_step_before_it_for_two_seconds() {
        let steps = [OPEN, (5_000, Doing::Presses), (6_000, Doing::Presses)];
        check(&steps, &[(0, 5, "/a", None)], &[Some(0)]);
        check(&steps, &[(2_000, 5, "/a", None)], &[Some(0)]);
        check(&steps, &[(2_001, 5, "/a", None)], &[None]);
        check(&steps, &[(5_999, 5, "/a", None), (6_000, 5, "/b", None)], &[Some(1), Some(2)]);
        check(&steps[1..], &[(4_999, 5, "/a", None)], &[None]);
    }

    #[test]
    fn the_event_of_a_request_outweighs_its_time() {
        let steps = [OPEN, (5_000, Doing::Presses), (5_500, Doing::Types(3)), (9_000, Doing::Chooses)];
        check(&steps, &[(5_600, 5, "/a", Some("click"))], &[Some(1)]);
        check(&steps, &[(5_600, 5, "/a", Some("input"))], &[Some(2)]);
        check(&steps, &[(9_001, 5, "/a", Some("change"))], &[Some(3)]);
        check(&steps, &[(4_900, 5, "/a", Some("pointerdown"))], &[Some(1)]);
        check(&steps, &[(5_600, 5, "/a", Some("mousemove"))], &[None]);
        check(&steps, &[(5_600, 5, "/a", Some("scroll"))], &[None]);
        // React schedules requests with messages that it sends to itself.
        check(&steps, &[(5_001, 5, "/a", Some("message"))], &[Some(1)]);
        check(&steps, &[(100, 5, "/a", Some("load"))], &[Some(0)]);
    }

    #[test]
    fn requests_made_at_each_key_belong_to_the_typing() {
        // A click into the field, then three keys, reported with the last of them.
        let steps = [OPEN, (5_000, Doing::Presses), (5_900, Doing::Types(3))];
        let at_once = [(5_001, 5, "/s", Some("input")), (5_900, 5, "/s", Some("input"))];
        check(&steps, &at_once, &[Some(2), Some(2)]);
        let keys = [(5_300, 5, "/s", Some("input")), (5_600, 5, "/s", Some("input")), (5_900, 5, "/s", Some("input"))];
        check(&steps, &keys, &[Some(2), Some(2), Some(2)]);
        let debounced = [(5_400, 5, "/s", None), (6_000, 5, "/s", None)];
        check(&steps, &debounced, &[Some(2), Some(2)]);
        // No such request after the last key: the click caused it.
        check(&steps, &[(5_400, 5, "/s", None)], &[Some(1)]);
    }

    #[test]
    fn requests_made_on_a_response_belong_to_its_step() {
        let steps = [OPEN, (5_000, Doing::Presses), (5_300, Doing::Types(3))];
        check(&steps, &[(5_001, 500, "/a", Some("click")), (5_502, 5, "/b", None)], &[Some(1), Some(1)]);
        check(&steps, &[(5_001, 100, "/a", Some("click")), (5_310, 5, "/b", None)], &[Some(1), Some(2)]);
        // The later of two responses counts.
        let clicks = [OPEN, (5_000, Doing::Types(3)), (5_500, Doing::Presses)];
        let slow = (5_001, 520, "/search", Some("input"));
        check(&clicks, &[slow, (5_501, 40, "/a", Some("click")), (5_542, 5, "/b", None)], &[Some(1), Some(2), Some(2)]);
        check(&clicks, &[slow, (5_501, 10, "/a", Some("click")), (5_522, 5, "/b", None)], &[Some(1), Some(2), Some(1)]);
    }

    #[test]
    fn polling_belongs_to_no_step() {
        let steps = [OPEN, (5_000, Doing::Presses), (20_000, Doing::Presses)];
        let background = [(100, 5, "/poll", None), (5_100, 5, "/poll", None), (10_100, 5, "/poll", None)];
        check(&steps, &background, &[None, None, None]);
        let asked_for = [(10_100, 5, "/poll", None), (20_001, 5, "/poll", Some("click"))];
        check(&steps, &asked_for, &[None, Some(2)]);
        let even = [(100, 5, "/p", None), (600, 5, "/p", None), (1_100, 5, "/p", None), (1_601, 5, "/p", None)];
        check(&steps, &even, &[None; 4]);
        // One timer fired late; two equal gaps of three are too few.
        let late = [100, 800, 1_900, 2_200, 2_900, 3_600].map(|at| (at, 5, "/p", Some("message")));
        check(&[(0, Doing::Opens), (1_990, Doing::Presses)], &late, &[None; 6]);
        let twice = [(100, 5, "/p", None), (600, 5, "/p", None), (1_100, 5, "/p", None), (1_900, 5, "/p", None)];
        check(&steps, &twice, &[Some(0); 4]);
        // Each follows the response to the one before it, and the last comes more than two seconds after the step.
        let answered = [100, 900, 1_500, 2_400].map(|at| (at, 5, "/p", None));
        check(&steps, &answered, &[None; 4]);
        let clicks =
            [OPEN, (1_000, Doing::Presses), (2_000, Doing::Presses), (3_000, Doing::Presses), (4_000, Doing::Presses)];
        let after_each = [1_050, 2_050, 3_050, 4_050].map(|at| (at, 5, "/p", None));
        check(&clicks, &after_each, &[Some(1), Some(2), Some(3), Some(4)]);
        let uneven = [(100, 5, "/p", None), (400, 5, "/p", None), (1_100, 5, "/p", None), (1_200, 5, "/p", None)];
        check(&steps, &uneven, &[Some(0); 4]);
        check(&[OPEN, (1_000, Doing::Nothing)], &[(1_500, 5, "/more", None)], &[None]);
    }
}
