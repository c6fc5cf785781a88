//! One text where a list of texts is wanted.

use typed_prompt::{Llm, Messages, MockLlm};

fn main() {
    let llm = MockLlm::new(["Hi"]);
    let call = llm.call(&Messages::new()).stop("###");
}
