//! A model that calls tools: `cargo run -p prompt-client --example tool_loop -- openai::gpt-4o`.
//!
//! Without a model's name, a scripted one answers.

use typed_prompt::client::ChatModel;
use typed_prompt::{Llm, MockLlm, Prompt, Reply, Result, ToolCall, Tools};

#[derive(Prompt)]
#[prompt(system = "Use the tools.", user = "<question>")]
struct Ask<'a> {
    question: &'a str,
}

/// What the model may do.
#[derive(Tools)]
enum Action {
    /// How deep a lake is.
    Depth {
        /// The lake's name alone.
        lake: String,
        /// The unit of the answer; metres if it is left out.
        unit: Option<Unit>,
    },
    /// The lakes for which there are data.
    Lakes,
}

#[derive(serde::Deserialize, schemars::JsonSchema, Clone, Copy)]
enum Unit {
    Metres,
    Feet,
}

const LAKES: [(&str, f64); 2] = [("Ammersee", 81.1), ("Walchensee", 192.3)];

/// The result of a call that the model receives, also if the call fails.
fn act(action: &Action) -> String {
    match action {
        Action::Lakes => LAKES.map(|(name, _)| name).join(", "),
        Action::Depth { lake, unit } => match LAKES.iter().find(|(name, _)| name == lake) {
            None => format!("nothing is known of {lake}"),
            Some((_, metres)) => match unit.unwrap_or(Unit::Metres) {
                Unit::Metres => format!("{metres} metres"),
                Unit::Feet => format!("{:.0} feet", metres * 3.2808),
            },
        },
    }
}

#[tokio::main]
async fn main() -> Result<()> {
    let ask = Ask {
        question: "How many feet deep is the Ammersee?",
    };
    let llm: Box<dyn Llm> = match std::env::args().nth(1) {
        Some(model) => Box::new(ChatModel::new(&model)?),
        None => Box::new(MockLlm::new([
            Reply::calls([ToolCall::new(
                "c1",
                "depth",
                r#"{"lake": "Ammersee", "unit": "Feet"}"#,
            )]),
            Reply::new("The Ammersee is 266 feet deep."),
        ])),
    };
    let answer = llm
        .with_tools(&ask)
        .max_rounds(5)
        .answer(async |action| Ok(act(&action)));
    println!("{}", answer.await?);
    Ok(())
}
