//! A scripted editor: enough of the language server protocol to request definitions and references from rust-analyzer.

mod place;
mod project;
mod session;
mod wire;

pub use place::Place;
pub use project::Project;
pub use session::Session;
