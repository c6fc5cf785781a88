//! The messages about mistakes that only a template of the Jinja dialect can have. The modules with the name of one of
//! [`prompt_syntax::problem`] have its messages too.

pub mod call;
pub mod expr;
pub mod file;
pub mod name;
pub mod role;
pub mod subset;
pub mod tag;
pub mod types;
pub mod value;
