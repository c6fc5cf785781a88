//! What the models of this program receive.

use typed_prompt::{Prompt, format};

#[derive(Prompt)]
#[prompt(system = "You sort tickets.", user = "<ticket>")]
struct Classify<'a> {
    ticket: &'a str,
}

#[test]
fn classify() -> typed_prompt::Result<()> {
    let ask = Classify {
        ticket: "It crashes.",
    };
    insta::assert_snapshot!(ask.to_text(format::PLAIN)?, @r"
    You sort tickets.

    It crashes.
    ");
    Ok(())
}
