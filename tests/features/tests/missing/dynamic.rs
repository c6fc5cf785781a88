//! Templates that are loaded at run time without the feature `dynamic`.

use typed_prompt::{Dynamic, Fields, Prompt};

#[derive(Prompt, Fields)]
#[prompt(user = "Hi")]
struct Greeting {}

fn main() {
    let _: Dynamic<Greeting>;
}
