//! Error 4: the key `human`, LangChain's name of the role.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(system = "You are brief.", human = "<question>")]
struct Ask<'a> {
    question: &'a str,
}

fn main() {}
