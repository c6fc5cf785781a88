//! Roles of messages (numbers 3 and 6).

use super::Problem;
use crate::{Dialect, Options, Role, Span};

/// `<system></system>`
pub fn empty(role: Role) -> Problem {
    Problem::new(format!("the `{}` message is empty", role.name()))
        .labelled("empty")
        .helped("write its text, or leave the block out")
}

/// Text or a block beside the role blocks.
pub fn outside(dialect: Dialect, what: &str) -> Problem {
    Problem::new(format!("{what} is outside of the roles"))
        .labelled("not part of a message")
        .helped(format!("move it into {}", dialect.roles()))
}

/// Text around tags of roles that are not its structure, such as XML with `<user>`.
pub fn around_text(options: Options, tag: &str) -> Problem {
    let dialect = options.dialect;
    let pasted = match dialect {
        Dialect::Angle | Dialect::Brace => {
            "; or, if the text was pasted, add `slots = \"input\"`, so that it is one message"
        }
        _ => "",
    };
    Problem::new("text is outside of the roles")
        .labelled("not part of a message")
        .helped(format!(
            "move all text into {}; or write `{}` to keep a tag as text{pasted}",
            dialect.roles(),
            dialect.as_text(tag),
        ))
}

/// A slot beside the role blocks.
pub fn slot_outside(dialect: Dialect) -> Problem {
    Problem::new("this slot is outside of the roles")
        .labelled("not part of a message")
        .helped(format!(
            "move it into {}; only a `#[prompt(history)]` or `#[prompt(examples)]` field is allowed between them",
            dialect.roles()
        ))
}

/// Number 4: `<sytem>`
pub fn unknown(dialect: Dialect, name: &str, role: &str) -> Problem {
    Problem::new(format!("unknown role `{name}`"))
        .labelled("not a role")
        .helped(format!(
            "write `{}…{}`",
            dialect.tag(role),
            dialect.end(role)
        ))
}

/// Number 3: a role inside of a condition or loop.
pub fn in_a_block(dialect: Dialect, role: Role, block: &str, open: Span) -> Problem {
    Problem::new(format!(
        "the role `{}` is opened inside another block",
        role.name()
    ))
    .labelled("roles are written at the top level")
    .related_to(open, "this block is open")
    .helped(format!("add `{}` before it", dialect.end(block)))
}

/// A role in a template that is one message.
#[cfg(feature = "jinja")]
pub fn in_a_message(role: Role) -> Problem {
    let name = role.name();
    Problem::new(format!(
        "the role `{name}` is used in the text of one message"
    ))
    .labelled("roles are used in files and in templates of several messages")
    .helped(format!("give the message as `{name} = \"…\"`"))
}

problems! {
    /// Number 6: two system messages.
    pub fn two_systems() = "there are two system messages",
        label "the second one", help "make one `system` text of them";

    /// Number 6: the system message after another one.
    pub fn late_system() = "the system message comes after another message",
        label "too late", help "write `system` first";

    /// Number 6: the last message is the assistant's, and an answer is requested.
    pub fn nothing_to_answer() = "the last message is the assistant's, and an answer is expected",
        label "nothing is left to answer", help "end with a `user` text, or take `output` away";
}
