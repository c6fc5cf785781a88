//! A prompt function with a typed answer, without the feature `schema`; a call of it adds no error.

use typed_prompt::Llm;

pub struct Depth {
    pub metres: f64,
}

#[typed_prompt::function(user = "How deep is <lake>?")]
fn depth(lake: &str) -> Depth;

async fn ask(llm: impl Llm) -> f64 {
    let depth: Depth = llm.call(depth("Ammersee")).await.unwrap();
    depth.metres
}

fn main() {
    let _ = ask(typed_prompt::MockLlm::new(["9.5"]));
}
