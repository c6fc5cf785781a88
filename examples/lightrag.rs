//! LightRAG's prompt of sections: a preset, a call, the messages, and the text of AdalFlow's own template.

use typed_prompt::Prompt;
use typed_prompt::compat::lightrag::{self, Sections};

fn main() -> typed_prompt::Result<()> {
    let preset = Sections {
        task: "Answer from the context.".into(),
        output_format: "One sentence.".into(),
        ..Sections::default()
    };
    let ask = Sections {
        context: vec!["Owls hunt at night.", "Owls sleep by day."].into(),
        input: "When do owls hunt?".into(),
        ..preset.clone()
    };
    println!("{}", ask.messages()?.preview());
    println!("{}", lightrag::ADALFLOW.to_text(&ask)?);
    Ok(())
}
