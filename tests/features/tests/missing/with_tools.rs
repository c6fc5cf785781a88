//! A method of the feature `tools` without it.

use typed_prompt::{Llm, MockLlm, Prompt};

#[derive(Prompt)]
#[prompt(user = "How deep is <lake>?")]
struct Ask {
    lake: String,
}

fn main() {
    let llm = MockLlm::new(["Deep."]);
    let ask = Ask {
        lake: "Ammersee".to_owned(),
    };
    llm.with_tools(&ask);
    llm.with_own_tools(ask);
}
