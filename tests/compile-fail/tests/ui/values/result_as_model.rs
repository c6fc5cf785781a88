//! A model that may be an error, in place of the model.

use typed_prompt::{Llm, MockLlm};

fn model() -> typed_prompt::Result<MockLlm> {
    Ok(MockLlm::new(["9 m"]))
}

fn serve(_: &impl Llm) {}

fn main() {
    serve(&model());
}
