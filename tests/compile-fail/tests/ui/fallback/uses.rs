//! A wrong template is the only error: uses of the prompt add none.

use typed_prompt::Prompt;

use typed_prompt::{Llm, MockLlm, format};

#[derive(Prompt)]
#[prompt(user = "<questin>", output = bool)]
struct Ask<'a, T: typed_prompt::ToPrompt> {
    question: &'a str,
    #[prompt(skip)]
    more: T,
}

async fn ask(llm: &MockLlm) -> bool {
    let ask = Ask { question: "Why?", more: 1 };
    let _ = (ask.messages(), ask.to_text(format::LLAMA3), Ask::<u8>::INFO.name);
    llm.call(&ask).await.unwrap_or(false)
}

fn main() {}
