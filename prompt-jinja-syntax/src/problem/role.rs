//! Roles in the text of one message.

use prompt_syntax::Role;
use prompt_syntax::problem::Problem;

/// A role in a template that is one message.
pub fn in_a_message(role: Role) -> Problem {
    let name = role.name();
    Problem::new(format!(
        "the role `{name}` is used in the text of one message"
    ))
    .with_label("roles are used in files and in templates of several messages")
    .with_help(format!("give the message as `{name} = \"…\"`"))
}
