//! Error 7: a field in the system message.

#[typed_prompt::template(system = "You work for <product>.", user = "Hello.")]
struct Greet;

fn main() {}
