//! Error 5: the output of a function in front matter too.

#[typed_prompt::function(file = "prompts/front_output.prompt")]
fn ask(question: &str) -> bool;

fn main() {}
