//! Content that a format does not support (numbers 8, 18 and 22).

use super::Problem;
use crate::Role;
use crate::family::Family;

fn unsupported(family: &Family, what: &str) -> Problem {
    Problem::new(format!("{} does not support {what}", family.title))
}

/// Number 18: a history.
pub fn history(family: &Family) -> Problem {
    unsupported(family, "conversation history")
        .helped("take the history away, or choose a format of a chat model: `format = chatml`")
}

/// Number 18: a field of examples.
pub fn examples_of_field(family: &Family, name: &str) -> Problem {
    unsupported(family, "examples between the turns").helped(format!(
        "put the slot `{name}` into the `user` text and make the examples with `Examples::texts`, or choose a format of a chat model: `format = chatml`"
    ))
}

/// Number 18: a file of examples.
pub fn examples(family: &Family) -> Problem {
    unsupported(family, "examples between the turns").helped(
        "write the examples into the `user` text, or choose a format of a chat model: `format = chatml`",
    )
}

/// Number 18: turns before the last one.
pub fn turns(family: &Family) -> Problem {
    unsupported(family, "conversation history")
        .labelled("a turn before the last one")
        .helped(
            "write these turns into the last `user` text, or choose a format of a chat model: `format = chatml`",
        )
}

/// A system message.
pub fn system(family: &Family) -> Problem {
    unsupported(family, "system messages")
        .labelled("the system message")
        .helped(
            "write them into the `user` text, or choose a format that has one: `format = chatml`",
        )
}

/// Number 22: media.
pub fn media(family: &Family, name: &str) -> Problem {
    unsupported(family, &format!("`{name}`"))
        .labelled("an image, audio, video or file")
        .helped("take the slot away, or leave `format` out and use a chat API")
}

/// Tools.
pub fn tools(family: &Family) -> Problem {
    unsupported(family, "tools")
        .helped("take the field away, or leave `format` out and use a chat API")
}

/// A message of another role than the family's order requires.
pub fn order(family: &Family, role: Role, due: Role) -> Problem {
    Problem::new(format!(
        "in {} user and assistant take turns, the user first",
        family.title
    ))
    .labelled(format!("the {} is due", due.name()))
    .helped(match role {
        Role::User => {
            "merge the messages of the user into one, or choose a format that takes any order: `format = chatml`"
        }
        _ => {
            "put a `user` text before it, or choose a format that takes any order: `format = chatml`"
        }
    })
}

problems! {
    /// Number 8: a control token of the format in template text.
    pub fn control_token(family: &Family, token: &str) = "`{token}` is structure in the format {title}",
        label "a control token", help "remove it: the format writes it where it belongs", where title = family.title;
}
