//! Error 14: a type that cannot be used in a condition.

use typed_prompt::Prompt;

struct Person;

#[derive(Prompt)]
#[prompt(user = "Hello<if person> you</if>")]
struct Greet {
    person: Person,
}

fn main() {}
