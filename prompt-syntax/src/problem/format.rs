//! Content that a format does not support (numbers 8, 18 and 22).

use super::Problem;
use crate::Role;
use crate::family::Family;

fn unsupported_by_format(family: &Family, what: &str) -> Problem {
    Problem::new(format!("{} does not support {what}", family.title))
}

/// Number 18: a history.
pub fn unsupported_history(family: &Family) -> Problem {
    unsupported_by_format(family, "conversation history")
        .with_help("take the history away, or choose a format of a chat model: `format = chatml`")
}

/// Number 18: a field of examples.
pub fn examples_of_field(family: &Family, name: &str) -> Problem {
    unsupported_by_format(family, "examples between the turns").with_help(format!(
        "put the slot `{name}` into the `user` text and make the examples with `Examples::texts`, or choose a format of a chat model: `format = chatml`"
    ))
}

/// Number 18: a file of examples.
pub fn unsupported_examples(family: &Family) -> Problem {
    unsupported_by_format(family, "examples between the turns").with_help(
        "write the examples into the `user` text, or choose a format of a chat model: `format = chatml`",
    )
}

/// Number 18: turns before the last one.
pub fn unsupported_turns(family: &Family) -> Problem {
    unsupported_by_format(family, "conversation history")
        .with_label("a turn before the last one")
        .with_help(
            "write these turns into the last `user` text, or choose a format of a chat model: `format = chatml`",
        )
}

/// A system message.
pub fn unsupported_system(family: &Family) -> Problem {
    unsupported_by_format(family, "system messages")
        .with_label("the system message")
        .with_help(
            "write them into the `user` text, or choose a format that has one: `format = chatml`",
        )
}

/// Number 22: media.
pub fn unsupported_media(family: &Family, name: &str) -> Problem {
    unsupported_by_format(family, &format!("`{name}`"))
        .with_label("an image, audio, video or file")
        .with_help("take the slot away, or leave `format` out and use a chat API")
}

/// Tools.
pub fn unsupported_tools(family: &Family) -> Problem {
    unsupported_by_format(family, "tools")
        .with_help("take the field away, or leave `format` out and use a chat API")
}

/// A message of another role than the family's order requires.
pub fn wrong_role_order(family: &Family, role: Role, due: Role) -> Problem {
    Problem::new(format!(
        "in {} user and assistant take turns, the user first",
        family.title
    ))
    .with_label(format!("the {} is due", due.name()))
    .with_help(match role {
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
