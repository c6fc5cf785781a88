//! A scripted editor: enough of the language server protocol to ask rust-analyzer where a word leads.

mod place;
mod project;
mod session;
mod wire;

pub use place::Place;
pub use project::Project;
pub use session::Session;
