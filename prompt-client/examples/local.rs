//! A model on one's own machine that is wrapped here, without an asynchronous runtime:
//! `cargo run -p prompt-client --example local -- http://localhost:8080/v1`.
//!
//! Without an address, it prints the request.

use typed_prompt::client::{Blocking, CompletionModel};
use typed_prompt::{Prompt, format, llm::Structured};

/// The prompt with which a fine-tuned model was trained.
#[derive(Prompt)]
#[prompt(user = "Name a city in <country>.", output = City)]
struct Name<'a> {
    country: &'a str,
}

#[derive(serde::Deserialize, schemars::JsonSchema, Debug)]
struct City {
    #[schemars(length(max = 40))]
    name: String,
}

fn main() -> typed_prompt::Result<()> {
    let ask = Name { country: "France" };
    let Some(url) = std::env::args().nth(1) else {
        println!("{}", ask.to_text(format::ALPACA)?);
        return Ok(());
    };
    // llama.cpp accepts the schema in a field of this name, and constrains the model to it.
    let llm = CompletionModel::new(&url, "local", format::ALPACA)?
        .structured(Structured::Field("json_schema".into()))
        .max_tokens(200);
    let city = Blocking::new(llm)?.call(&ask)?;
    println!("{}", city.name);
    Ok(())
}
