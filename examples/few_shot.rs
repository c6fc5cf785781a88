//! Fixed examples: `user` and `assistant` in order, as often as needed.

use typed_prompt::{Prompt, format};

#[derive(Prompt)]
#[prompt(
    system = "Say how the customer feels, in one word.",
    user = "It broke after a day.",
    assistant = "angry",
    user = "Works like a charm!",
    assistant = "happy",
    user = "<review>",
    from
)]
struct Feeling {
    review: String,
}

fn main() -> typed_prompt::Result<()> {
    println!(
        "{}",
        Feeling::from("It is fine, I guess.").to_text(format::CHATML)?
    );
    Ok(())
}
