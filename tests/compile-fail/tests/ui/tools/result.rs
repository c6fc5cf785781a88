//! A tool that returns a struct.

use typed_prompt::{Llm, MockLlm, Prompt, Tools};

#[derive(Prompt)]
#[prompt(user = "Is it warm in <city>?")]
struct Ask {
    city: &'static str,
}

#[derive(Tools)]
enum Action {
    /// Returns the weather in a city.
    Weather { city: String },
}

#[derive(serde::Serialize)]
struct Weather {
    city: String,
    celsius: f64,
}

async fn ask(llm: &MockLlm) -> typed_prompt::Result<String> {
    llm.with_tools(Ask { city: "Brest" })
        .answer(async |Action::Weather { city }| Ok(Weather { city, celsius: 21.0 }))
        .await
}

fn main() {}
