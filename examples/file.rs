//! A template in a file: roles are blocks, and an error points into the file. Cargo rebuilds when the file changes.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "examples/prompts/support.prompt")]
struct Support<'a> {
    #[prompt(trusted)]
    product: &'a str,
    question: &'a str,
    order: Option<u64>,
}

fn main() -> typed_prompt::Result<()> {
    for order in [Some(4711), None] {
        let ask = Support {
            product: "Acme Router",
            question: "Where is my parcel?",
            order,
        };
        println!("{}", ask.messages()?.preview());
    }
    Ok(())
}
