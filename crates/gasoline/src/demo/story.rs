//! What happens in the shop: it works, a new release comes, it does not work any more.

use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::Value;

use super::Step;
use super::devtools::Page;
use super::server::Server;
use super::shop::Shop;

/// In a window, so that eyes can follow.
const PACE: Duration = Duration::from_millis(450);
/// The code around an error is fetched while the page goes on; an answer without it would do, too.
const ENRICH_TIME: Duration = Duration::from_secs(8);

const CHECKOUT: &str = "[data-testid=checkout]";

/// A line of the story: seconds since its beginning, and what happened.
pub(super) type Told = Vec<(Duration, String)>;

pub(super) async fn play(page: &mut Page, shop: &Shop, server: &Server, step: &Step, headless: bool) -> Result<Told> {
    let began = Instant::now();
    let mut told = Told::new();
    let mut tell = |what: &str| told.push((began.elapsed(), what.to_owned()));
    let pause = || tokio::time::sleep(if headless { Duration::ZERO } else { PACE });

    step.begin("the shop's page");
    page.go_to(&shop.address()).await?;
    // Three times: what an answer looks like has to be seen that often before a change of it means something.
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
    tell("the shop was opened, \"Checkout\" pressed three times: it worked");
    step.begin("the measurements of the first load");
    server.until("/performance-snapshot?url=/", |answer| is_there(answer, "snapshot")).await?;

    shop.deploy();
    tell("a new release was deployed, the page reloaded");
    step.begin("the shop's page after the deployment");
    page.reload().await?;
    page.until("!!window.tracking").await?;
    pause().await;
    page.click("[data-testid=add-1]").await?;
    pause().await;
    page.click(CHECKOUT).await?;
    page.until("document.getElementById('root')?.childElementCount === 0").await?;
    tell("\"Checkout\" was pressed: the page went blank");

    step.begin("the error that the page threw");
    server.until("/logs", |answer| errors(answer).next().is_some()).await?;
    let explained = server.until("/logs", |answer| errors(answer).any(|error| is_there(error, "_aiContext")));
    let _ = tokio::time::timeout(ENRICH_TIME, explained).await;
    step.begin("the measurements of the second load");
    server.until("/performance-snapshot?url=/", |answer| is_there(answer, "baseline")).await?;
    Ok(told)
}

fn is_there(answer: &Value, field: &str) -> bool {
    answer.get(field).is_some_and(|value| !value.is_null())
}

fn errors(answer: &Value) -> impl Iterator<Item = &Value> {
    let entries = answer.get("entries").and_then(Value::as_array).into_iter().flatten();
    entries.filter(|entry| entry.get("level").and_then(Value::as_str) == Some("error"))
}
