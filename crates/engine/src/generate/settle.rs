//! Waits for a page that has settled. Only then can a script check that something did not go wrong: a check that runs
//! at once passes before the error has had time to happen.

/// A page is quiet when nothing happened for at least this long.
pub(super) const QUIET_MILLIS: i64 = 1_000;
/// The script waits no longer than this, even if the error came later after the last step.
pub(super) const MOST_QUIET_MILLIS: i64 = 60_000;

/// How long a page must be quiet before the script concludes that an error did not happen again. `delay` is the time
/// from the last step to the captured error.
pub(super) fn quiet_millis(delay: i64) -> i64 {
    let delay = delay.max(0);
    delay.saturating_add((delay / 2).max(QUIET_MILLIS)).min(MOST_QUIET_MILLIS)
}

/// A helper function of a Playwright test, to be called before the page is opened.
pub(super) const PLAYWRIGHT: &str = "\
// Watches the page, and returns a function that waits until the page has settled: no request is under way, and nothing
// has happened for `quiet` milliseconds. What a page asks for again and again does not count; a page that never gets
// quiet is waited for ten seconds longer.
function settling(page) {
  const open = new Set();
  const asked = {};
  let last = Date.now();
  const stir = () => {
    last = Date.now();
  };
  page.on('request', (request) => {
    // One address can serve several operations, as in GraphQL: the body tells them apart.
    const name = `${request.method()} ${new URL(request.url()).pathname} ${request.postData() ?? ''}`;
    asked[name] = (asked[name] ?? 0) + 1;
    if (request.resourceType() === 'eventsource' || asked[name] > 3) return;
    open.add(request);
    stir();
  });
  for (const end of ['requestfinished', 'requestfailed']) {
    page.on(end, (request) => open.delete(request) && stir());
  }
  for (const news of ['console', 'pageerror']) page.on(news, stir);
  return async (quiet) => {
    stir();
    const deadline = Date.now() + quiet + 10_000;
    while (Date.now() < deadline && (open.size > 0 || Date.now() - last < quiet)) await page.waitForTimeout(50);
  };
}
";

/// The first line of a Playwright test's body.
pub(super) const PLAYWRIGHT_START: &str = "  const settled = settling(page);\n";

/// The first lines of a Cypress test's body.
pub(super) const CYPRESS: &str = "  // Waits until the page has settled: no request is under way, and nothing has happened for `quiet` milliseconds. What
  // a page asks for again and again does not count; a page that never gets quiet is waited for ten seconds longer.
  const asked = {};
  let open = 0;
  let last = Date.now();
  const stir = (change) => {
    open += change;
    last = Date.now();
  };
  cy.intercept('**', (request) => {
    // One address can serve several operations, as in GraphQL: the body tells them apart.
    const name = `${request.method} ${new URL(request.url).pathname} ${JSON.stringify(request.body)}`;
    asked[name] = (asked[name] ?? 0) + 1;
    if (asked[name] > 3) return;
    stir(1);
    request.on('after:response', () => stir(-1));
  });
  const settled = (quiet) =>
    cy.wrap(null).then({ timeout: quiet + 15_000 }, () => {
      stir(0);
      const deadline = Date.now() + quiet + 10_000;
      return new Cypress.Promise((resolve) => {
        const look = () => {
          const isSettled = open <= 0 && Date.now() - last >= quiet;
          if (isSettled || Date.now() > deadline) resolve(null);
          else setTimeout(look, 50);
        };
        look();
      });
    });
";

#[cfg(test)]
mod tests {
    use super::quiet_millis;

    #[test]
    fn the_quiet_time_exceeds_the_errors_delay() {
        for (delay, quiet) in [
            (-5, 1_000),
            (0, 1_000),
            (300, 1_300),
            (4_000, 6_000),
            (39_000, 58_500),
            (60_000, 60_000),
            (i64::MAX, 60_000),
        ] {
            assert_eq!(quiet_millis(delay), quiet, "{delay}");
        }
    }
}
