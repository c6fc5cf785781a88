//! Number 9: the answer belongs to the assistant's turn, at the end.

use super::Problem;
use crate::Role;

/// A slot of the answer where the model would read it.
pub fn in_the_question(name: &str, role: Option<Role>) -> Problem {
    let turn = match role {
        Some(Role::Assistant) => "a turn that is not the last",
        Some(Role::System) => "the system message",
        Some(Role::User) | None => "the user's message",
    };
    Problem::new(format!("the answer `{name}` is used in {turn}"))
        .with_label("the model would read it")
        .with_help("end with an `assistant` text, and write the slot there")
}
