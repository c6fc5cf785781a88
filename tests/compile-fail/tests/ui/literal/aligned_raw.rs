//! The same in a raw literal, with lines that are aligned with the quote.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = r#"Review this "diff":
                 <diff>
                   - Name the line.
                 "#)]
struct Review {
    diff: String,
}

fn main() {}
