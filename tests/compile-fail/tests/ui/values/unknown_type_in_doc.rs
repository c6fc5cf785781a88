//! Error 14: a type that cannot fill a slot, in a doc comment.

use typed_prompt::Prompt;

struct Person;

/// First line.
///
/// Third: <person> and so on.
#[derive(Prompt)]
#[prompt(doc)]
struct Ask {
    person: Person,
}

fn main() {}
