//! Error 1: a name between braces in an inline prompt of the angle dialect.

use typed_prompt::prompt;

fn main() {
    let _ = prompt!("Hi {name}, answer as {\"name\": \"…\"}.");
}
