//! An output without text where an evaluation compares text, as `Eval::gold` does.

use typed_prompt::Prompt;
use typed_prompt::output::AnswerText;

#[derive(serde::Deserialize, schemars::JsonSchema)]
enum Kind {
    Bug,
    Wish,
}

#[derive(Prompt)]
#[prompt(user = "<question>", output = Kind)]
struct Sort {
    question: String,
}

fn gold<P: Prompt>(_: P)
where
    P::Output: AnswerText,
{
}

fn main() {
    gold(Sort { question: String::new() });
}
