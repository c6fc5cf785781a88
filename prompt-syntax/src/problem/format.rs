//! Content that a format does not support (numbers 8, 18 and 22). `format` is the title of its family.

use super::Problem;
use crate::{Dialect, Role};

/// Number 8: a token of a chat format in a prompt that is written for none, or for the format `written_for`. `can_be_plain` is whether the prompt takes
/// the key `format`.
pub(crate) fn foreign_token(
    dialect: Dialect,
    can_be_plain: bool,
    title: &str,
    name: &str,
    token: &str,
    written_for: Option<&str>,
) -> Problem {
    let keep = match dialect {
        Dialect::Fstring => String::new(),
        Dialect::Jinja => {
            format!("; or write `{{% raw %}}{token}{{% endraw %}}` to keep it as text")
        }
        _ => format!(
            "; or write `<raw>{token}</raw>` to keep it as text, or add `slots = \"input\"` for a whole text that was pasted"
        ),
    };
    let plain = match (can_be_plain, written_for) {
        (false, _) => "",
        (true, None) => {
            "; or, if it is the whole text for a completion model, add `format = plain`"
        }
        (true, Some(_)) => {
            "; or, if it is the whole text for a completion model, write `format = plain`"
        }
    };
    let format = written_for.unwrap_or(name);
    Problem::new(format!("`{token}` is a control token of {title}"))
        .with_label("a control token inside of this message")
        .with_help(format!(
            "remove it, and write a message for each turn: the format `{format}` writes its tokens around them{keep}{plain}"
        ))
}

fn unsupported_by_format(format: &str, what: &str) -> Problem {
    Problem::new(format!("{format} does not support {what}"))
}

/// Number 18: a history.
pub fn unsupported_history(format: &str) -> Problem {
    unsupported_by_format(format, "conversation history")
        .with_help("take the history away, or choose a format of a chat model: `format = chatml`")
}

/// Number 18: a field of examples.
pub fn examples_of_field(format: &str, name: &str) -> Problem {
    unsupported_by_format(format, "examples between the turns").with_help(format!(
        "put the slot `{name}` into the `user` text and make the examples with `Examples::texts`, or choose a format of a chat model: `format = chatml`"
    ))
}

/// Number 18: a file of examples.
pub fn unsupported_examples(format: &str) -> Problem {
    unsupported_by_format(format, "examples between the turns").with_help(
        "write the examples into the `user` text, or choose a format of a chat model: `format = chatml`",
    )
}

/// Number 18: turns before the last one.
pub fn unsupported_turns(format: &str) -> Problem {
    unsupported_by_format(format, "conversation history")
        .with_label("a turn before the last one")
        .with_help(
            "write these turns into the last `user` text, or choose a format of a chat model: `format = chatml`",
        )
}

/// A system message.
pub fn unsupported_system(format: &str) -> Problem {
    unsupported_by_format(format, "system messages")
        .with_label("the system message")
        .with_help(
            "write them into the `user` text, or choose a format that has one: `format = chatml`",
        )
}

/// Number 22: media.
pub fn unsupported_media(format: &str, name: &str) -> Problem {
    unsupported_by_format(format, &format!("`{name}`"))
        .with_label("an image, audio, video or file")
        .with_help("take the slot away, or leave `format` out and use a chat API")
}

/// Tools.
pub fn unsupported_tools(format: &str) -> Problem {
    unsupported_by_format(format, "tools")
        .with_help("take the field away, or leave `format` out and use a chat API")
}

/// A message of another role than the family's order requires.
pub fn wrong_role_order(format: &str, role: Role, due: Role) -> Problem {
    Problem::new(format!("in {format} user and assistant take turns, the user first"))
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
    pub fn control_token(format: &str, token: &str) = "`{token}` is structure in the format {format}",
        label "a control token", help "remove it: the format writes it where it belongs";
}
