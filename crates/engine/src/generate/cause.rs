//! Which step brought a request about. A test waits for the answers that a step leads to, so a wrong guess is a test
//! that waits in vain: in doubt a request belongs to no step.

use super::endpoint::Endpoint;
use crate::entry::Request;

/// A request this long after a step is not its doing.
const CAUSED_MILLIS: i64 = 2_000;
/// The longest between two keys of one input; the capture takes a longer pause for its end.
const TYPING_MILLIS: i64 = 500;
const TYPED_KEYS: i64 = 20;
/// A request that soon after a key is that key's.
const AT_ONCE_MILLIS: i64 = 50;
/// From a button's way down to the click.
const CLICK_MILLIS: i64 = 1_000;
/// Requests without a user's event that come this often, this evenly, come by themselves.
const POLLS: usize = 3;
const POLL_MILLIS: i64 = 200;

/// What a step does, as far as it matters for what it can lead to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Doing {
    /// A page is loaded.
    Opens,
    /// An address is gone to, in the same page.
    Moves,
    Presses,
    /// A key that does something.
    Strikes,
    /// So many keys at most.
    Types(i64),
    Chooses,
    /// Told, but not repeated by the script.
    Nothing,
}

/// A step, as a cause.
#[derive(Debug, Clone)]
pub(super) struct Cause<'a> {
    pub(super) from: i64,
    pub(super) doing: Doing,
    /// The load of the page that it happened in.
    pub(super) page_id: Option<&'a str>,
    /// It leads to another page, which has an id of its own.
    pub(super) leaves: bool,
}

/// One request, with what it is judged by.
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

/// What events of the browser tell of a request that was made while one was handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trigger {
    Pressed,
    /// On the way to a click, which is told when it is complete.
    Pressing,
    Struck,
    Typed,
    Changed,
    /// Something that no script does again: scrolling, moving the mouse, looking elsewhere.
    Passing,
    /// None of the user's.
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
            // Enter clicks buttons and sends forms.
            Self::Pressed | Self::Pressing => matches!(doing, Doing::Presses | Doing::Strikes),
            Self::Struck => matches!(doing, Doing::Types(_) | Doing::Strikes),
            Self::Typed => matches!(doing, Doing::Types(_)),
            Self::Changed => matches!(doing, Doing::Chooses | Doing::Presses | Doing::Strikes),
            Self::Passing => false,
            Self::Unknown => true,
        }
    }
}

/// The place of each request's cause among the steps. Both are in the order of time.
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
    // What also comes when nobody does anything may as well have come here by chance.
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
        // The event names its kind of step; a step of another kind may have come since.
        _ => steps.iter().take(latest + 1).rposition(|step| trigger.fits(step.doing))?,
    };
    let step = steps.get(place)?;
    if trigger == Trigger::Unknown {
        // Made with the answer to another: that is nearer than a step which came in between. Not to one of its own kind:
        // what asks again because it was answered asks forever.
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

/// The typing that this request came in the middle of. Typing is told when it ends; what it asks for at each key it also
/// asks for at the last.
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

/// Endpoints that are asked again and again, evenly, whatever the user does.
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

/// Timers on a busy machine come late, and the next one is then early: most of the gaps are alike, not all.
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
    fn the_event_it_was_made_in_tells_more_than_the_time() {
        let steps = [OPEN, (5_000, Doing::Presses), (5_500, Doing::Types(3)), (9_000, Doing::Chooses)];
        check(&steps, &[(5_600, 5, "/a", Some("click"))], &[Some(1)]);
        check(&steps, &[(5_600, 5, "/a", Some("input"))], &[Some(2)]);
        check(&steps, &[(9_001, 5, "/a", Some("change"))], &[Some(3)]);
        check(&steps, &[(4_900, 5, "/a", Some("pointerdown"))], &[Some(1)]);
        check(&steps, &[(5_600, 5, "/a", Some("mousemove"))], &[None]);
        check(&steps, &[(5_600, 5, "/a", Some("scroll"))], &[None]);
        // React makes requests in the messages that it sends itself.
        check(&steps, &[(5_001, 5, "/a", Some("message"))], &[Some(1)]);
        check(&steps, &[(100, 5, "/a", Some("load"))], &[Some(0)]);
    }

    #[test]
    fn what_every_key_asks_for_belongs_to_the_typing() {
        // A click into the field, then three keys, told with the last of them.
        let steps = [OPEN, (5_000, Doing::Presses), (5_900, Doing::Types(3))];
        let at_once = [(5_001, 5, "/s", Some("input")), (5_900, 5, "/s", Some("input"))];
        check(&steps, &at_once, &[Some(2), Some(2)]);
        let keys = [(5_300, 5, "/s", Some("input")), (5_600, 5, "/s", Some("input")), (5_900, 5, "/s", Some("input"))];
        check(&steps, &keys, &[Some(2), Some(2), Some(2)]);
        let debounced = [(5_400, 5, "/s", None), (6_000, 5, "/s", None)];
        check(&steps, &debounced, &[Some(2), Some(2)]);
        // Nothing of the kind after the last key: the click asked for it.
        check(&steps, &[(5_400, 5, "/s", None)], &[Some(1)]);
    }

    #[test]
    fn what_an_answer_leads_to_belongs_to_the_step_of_its_request() {
        let steps = [OPEN, (5_000, Doing::Presses), (5_300, Doing::Types(3))];
        check(&steps, &[(5_001, 500, "/a", Some("click")), (5_502, 5, "/b", None)], &[Some(1), Some(1)]);
        check(&steps, &[(5_001, 100, "/a", Some("click")), (5_310, 5, "/b", None)], &[Some(1), Some(2)]);
        // Of two answers the later one.
        let clicks = [OPEN, (5_000, Doing::Types(3)), (5_500, Doing::Presses)];
        let slow = (5_001, 520, "/search", Some("input"));
        check(&clicks, &[slow, (5_501, 40, "/a", Some("click")), (5_542, 5, "/b", None)], &[Some(1), Some(2), Some(2)]);
        check(&clicks, &[slow, (5_501, 10, "/a", Some("click")), (5_522, 5, "/b", None)], &[Some(1), Some(2), Some(1)]);
    }

    #[test]
    fn what_comes_by_itself_belongs_to_no_step() {
        let steps = [OPEN, (5_000, Doing::Presses), (20_000, Doing::Presses)];
        let background = [(100, 5, "/poll", None), (5_100, 5, "/poll", None), (10_100, 5, "/poll", None)];
        check(&steps, &background, &[None, None, None]);
        let asked_for = [(10_100, 5, "/poll", None), (20_001, 5, "/poll", Some("click"))];
        check(&steps, &asked_for, &[None, Some(2)]);
        let even = [(100, 5, "/p", None), (600, 5, "/p", None), (1_100, 5, "/p", None), (1_601, 5, "/p", None)];
        check(&steps, &even, &[None; 4]);
        // One timer came late; of three gaps two alike are too few.
        let late = [100, 800, 1_900, 2_200, 2_900, 3_600].map(|at| (at, 5, "/p", Some("message")));
        check(&[(0, Doing::Opens), (1_990, Doing::Presses)], &late, &[None; 6]);
        let twice = [(100, 5, "/p", None), (600, 5, "/p", None), (1_100, 5, "/p", None), (1_900, 5, "/p", None)];
        check(&steps, &twice, &[Some(0); 4]);
        // Each comes soon after the answer to the one before it, and the last more than two seconds after the step.
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
