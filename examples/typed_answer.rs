//! A typed answer: the schema goes to the model, the answer comes back as a value or as an error that shows the place.

use typed_prompt::{Llm, MockLlm, Prompt, Reply};

#[derive(Prompt)]
#[prompt(user = "Classify this ticket: <ticket>", output = Triage, from)]
struct Classify {
    ticket: String,
}

#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
struct Triage {
    /// From 1, which can wait, to 5, which cannot.
    urgency: u8,
    area: Area,
}

#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Area {
    Billing,
    Shipping,
}

fn main() -> typed_prompt::Result<()> {
    let llm = MockLlm::new([
        Reply::from(r#"{"urgency": 4, "area": "shipping"}"#),
        Reply::from("{\"urgency\": \"very\",\n \"area\": \"billing\"}"),
    ]);
    let triage = pollster::block_on(llm.call(Classify::from("My parcel is lost!")))?;
    println!("urgency {}, {:?}", triage.urgency, triage.area);
    match pollster::block_on(llm.call(Classify::from("Refund me."))) {
        Ok(triage) => println!("{triage:?}"),
        Err(error) => println!("error: {error:#}"),
    }
    Ok(())
}
