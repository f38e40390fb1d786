//! What happens in the shop: it works, a new release is deployed, and it stops working.

use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::Value;

use super::Step;
use super::devtools::Page;
use super::server::Server;
use super::shop::Shop;
use super::show::Show;

/// The pause between steps in a window, so that the user can follow.
const PACE: Duration = Duration::from_millis(450);
/// How long to wait for the code around an error and its components, which are collected while the page goes on. An
/// answer without them would do, too.
const ENRICH_TIME: Duration = Duration::from_secs(8);

const CHECKOUT: &str = "[data-testid=checkout]";

pub(super) async fn play(
    page: &mut Page,
    shop: &Shop,
    server: &Server,
    show: &Show,
    step: &Step,
    headless: bool,
) -> Result<()> {
    let began = Instant::now();
    let tell = |what: &str| show.happened(began.elapsed(), what);
    let pause = || tokio::time::sleep(if headless { Duration::ZERO } else { PACE });

    step.begin("the shop's page");
    page.go_to(&shop.address()).await?;
    page.until("!!document.querySelector('[data-testid=add-1]')").await?;
    tell("The shop is opened.");
    // Three times: a response shape must be seen that often before a change of it counts.
    for product in 1..=3 {
        pause().await;
        page.click(&format!("[data-testid=add-{product}]")).await?;
        pause().await;
        page.click(CHECKOUT).await?;
        page.until("!!document.querySelector('[data-testid=total]')").await?;
        pause().await;
        page.click("[data-testid=close]").await?;
        page.until("!document.querySelector('[data-testid=total]')").await?;
    }
    tell("\"Checkout\" is pressed, three times: it works.");
    step.begin("the measurements of the first load");
    server.until("/performance-snapshot?url=/", |answer| is_there(answer, "snapshot")).await?;

    shop.deploy();
    tell("A new release of the shop is deployed; the page is reloaded.");
    step.begin("the shop's page after the deployment");
    page.reload().await?;
    page.until("!!window.tracking").await?;
    pause().await;
    page.click("[data-testid=add-1]").await?;
    pause().await;
    page.click(CHECKOUT).await?;
    step.begin("the error that the page throws");
    server.until("/logs", |answer| errors(answer).next().is_some()).await?;
    tell("\"Checkout\" is pressed: nothing happens.");

    let explained = server.until("/logs", |answer| errors(answer).any(is_explained));
    let _ = tokio::time::timeout(ENRICH_TIME, explained).await;
    step.begin("the measurements of the second load");
    server.until("/performance-snapshot?url=/", |answer| is_there(answer, "baseline")).await?;
    Ok(())
}

fn is_there(answer: &Value, field: &str) -> bool {
    answer.get(field).is_some_and(|value| !value.is_null())
}

/// The code comes from source maps, the components from the page: one may arrive before the other.
fn is_explained(error: &Value) -> bool {
    let context = error.get("_aiContext").unwrap_or(&Value::Null);
    is_there(context, "sourceSnippets") && is_there(context, "componentAncestry")
}

fn errors(answer: &Value) -> impl Iterator<Item = &Value> {
    let entries = answer.get("entries").and_then(Value::as_array).into_iter().flatten();
    entries.filter(|entry| entry.get("level").and_then(Value::as_str) == Some("error"))
}
