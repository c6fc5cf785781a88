//! Error 1: LangChain's name of a role, before any role.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt("<human>\nHi <question>\n<ai>\nHello")]
struct Ask<'a> {
    question: &'a str,
}

fn main() {}
