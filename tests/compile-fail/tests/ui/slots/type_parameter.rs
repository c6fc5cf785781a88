//! A type parameter without a bound.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<for x in xs>- <x>\n</for>")]
struct Ask<T> {
    xs: Vec<T>,
}

fn main() {}
