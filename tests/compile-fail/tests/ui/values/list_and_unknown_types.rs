//! A list in a slot does not hide that two other types cannot fill theirs.

use typed_prompt::Prompt;

struct Id(u8);
struct When(u8);

#[derive(Prompt)]
#[prompt(user = "<tags> <id> <if urgent><when></if>")]
struct Ask<'a> {
    tags: &'a [String],
    id: Id,
    urgent: bool,
    when: When,
}

fn main() {}
