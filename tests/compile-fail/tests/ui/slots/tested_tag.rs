//! Error 10: the tag of another message makes the slot text, and a condition uses the field.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    system = "Answer from the document in <context></context> tags.",
    user = "<if context>Context: <context>\n</if>Question: <question>"
)]
struct Ask<'a> {
    context: Option<&'a str>,
    question: &'a str,
}

fn main() {}
