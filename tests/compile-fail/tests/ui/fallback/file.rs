//! A missing file is the only error.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/rigth.prompt", output = u8)]
struct Ask<'a, const N: usize>
where
    Self: Sized,
{
    question: &'a str,
    numbers: [u8; N],
}

fn main() {
    let ask = Ask { question: "Why?", numbers: [1, 2] };
    println!("{:?}", ask.messages());
}
