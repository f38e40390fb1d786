//! The proof in a minute: a broken shop's session goes in, and what an AI client reads of it comes out.

use anyhow::Result;
use driver::Server;
use serde_json::{Value, json};

use crate::{docs, shell, suites};

pub(crate) fn run() -> Result<()> {
    suites::build()?;
    let binary = shell::root().join("target/release/gasoline");
    let server = Server::of(&binary, &[]);
    docs::play(&server)?;
    let mut client = server.client();

    println!("\nA shop was used in the browser, and paying did not work. An AI client now asks:\n");
    for tool in ["get_status", "get_browser_errors"] {
        let answer = client.tool(tool, json!({}));
        let text = answer.to_string();
        println!("▶ {tool}   (about {} tokens)", text.len().div_ceil(4));
        show(tool, &answer);
        println!();
    }
    println!(
        "Nothing in there is a credential: the payment token and the Authorization header never got into a buffer."
    );
    println!("Connect your own client: run {} in a terminal.", binary.display());
    Ok(())
}

fn show(tool: &str, answer: &Value) {
    let lines: Vec<String> = match tool {
        "get_status" => {
            answer["next_steps"].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
        }
        _ => answer["errors"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|error| {
                let text = |name: &str| error[name].as_str().unwrap_or_default().to_owned();
                let times = error["count"].as_u64().unwrap_or(1);
                let place =
                    [text("at"), text("responseBody")].into_iter().find(|text| !text.is_empty()).unwrap_or_default();
                format!("{times}× {}\n       {place}", text("message"))
            })
            .collect(),
    };
    for line in lines {
        println!("    {line}");
    }
}
