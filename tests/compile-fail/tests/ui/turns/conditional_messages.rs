//! Error 3: a pair of messages in a condition.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt("<system>Be brief.</system><if context><user><context></user><assistant>Noted.</assistant></if><user><question></user>")]
struct Ask<'a> {
    context: Option<&'a str>,
    question: &'a str,
}

fn main() {}
