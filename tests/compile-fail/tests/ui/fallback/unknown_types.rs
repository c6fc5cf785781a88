//! Mistakes in templates hide no type that cannot fill a slot: of a variant, of a generic prompt, of a variable.

use typed_prompt::{Prompt, prompt};

struct Opaque;

#[derive(Prompt)]
enum Step<'a> {
    #[prompt(user = "<goal> <gaol>")]
    Plan { goal: &'a Opaque },
}

#[derive(Prompt)]
#[prompt(user = "<item> <value> <valeu>")]
struct Generic<T> {
    item: T,
    value: Opaque,
}

fn main() {
    let value = Opaque;
    let _ = prompt!("<value> <if value>");
}
