//! A string where a prompt is needed: one error, at the string.

use typed_prompt::{Llm, MockLlm};

fn main() {
    let llm = MockLlm::new([""]);
    let _ = async {
        let answer: String = llm.call("hello").await?;
        typed_prompt::Result::Ok(answer)
    };
}
