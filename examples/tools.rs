//! Tools travel with the messages.

use typed_prompt::{Json, Prompt, Tool};

#[derive(Prompt)]
#[prompt(system = "Use the tools.", user = "<question>")]
struct Ask {
    question: String,
    #[prompt(tools)]
    tools: Vec<Tool>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let parameters = Json::parse(
        r#"{"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}"#,
    )?;
    let weather = Tool::new("get_weather")
        .with_description("The weather now")
        .with_parameters(parameters);
    let ask = Ask {
        question: "Do I need an umbrella in Paris?".into(),
        tools: vec![weather],
    };
    let messages = ask.messages();
    println!("{}", serde_json::to_string_pretty(&messages.openai())?);
    println!("{}", serde_json::to_string_pretty(&messages.anthropic())?);
    Ok(())
}
