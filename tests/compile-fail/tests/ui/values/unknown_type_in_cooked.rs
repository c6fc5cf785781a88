//! Error 14: a type that cannot fill a slot, in a literal with escapes.

use typed_prompt::Prompt;

struct Person;

#[derive(Prompt)]
#[prompt(user = "\"\u{c9}tude\"\t<person> \
        and no more")]
struct Ask {
    person: Person,
}

fn main() {}
