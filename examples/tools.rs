//! Tools travel with the messages: made of types, or given as JSON Schema.

use typed_prompt::{Llm, MockLlm, Prompt, Reply, Tool, ToolCall, message::Json};

#[derive(Prompt)]
#[prompt(system = "Use the tools.", user = "<question>")]
struct Ask {
    question: String,
    #[prompt(tools, trusted)]
    tools: Vec<Tool>,
}

/// The weather now.
#[derive(serde::Deserialize, schemars::JsonSchema)]
struct GetWeather {
    /// The city's name alone.
    city: String,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let parameters = Json::parse(r#"{"type": "object", "properties": {}}"#)?;
    let clock = Tool::new("clock")
        .with_description("What time it is.")
        .with_parameters(parameters);
    let ask = Ask {
        question: "Do I need an umbrella in Paris?".into(),
        tools: vec![Tool::from_type::<GetWeather>()?, clock],
    };
    let messages = ask.messages()?;
    println!("{}", serde_json::to_string_pretty(&messages.openai())?);
    println!("{}", serde_json::to_string_pretty(&messages.anthropic())?);

    // A scripted model, in place of a real one. An enum of tools is shorter: see the README, and `tool_loop`.
    let call = ToolCall::new("c1", "get_weather", r#"{"city": "Paris"}"#);
    let llm = MockLlm::new([Reply::calls([call]), Reply::new("Yes, take one.")]);
    let answer = llm
        .with_own_tools(&ask)
        .answer(async |call: ToolCall| match call.name.as_str() {
            "get_weather" => Ok(format!(
                "rain in {}",
                call.parse_arguments::<GetWeather>()?.city
            )),
            "clock" => Ok("noon".to_owned()),
            other => Ok(format!("there is no tool {other}")),
        });
    println!("{}", pollster::block_on(answer)?);
    Ok(())
}
