//! Text that the lexer reads as structure, for the tests' printer of trees.

use crate::lex::lines::line_role;

/// Whether a line of Jinja text begins a message.
pub fn is_role_line(line: &str) -> bool {
    line_role(line).is_some()
}
