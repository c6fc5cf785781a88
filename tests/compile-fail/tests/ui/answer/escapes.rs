//! Error 9: a condition on the answer reveals whether there is one.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "\u{1F989}\t\"Question\": <question>\n<if label>Think!</if>", assistant = "<if label><label></if>")]
struct Row {
    question: String,
    #[prompt(answer)]
    label: Option<String>,
}

fn main() {}
