//! Error 1: a template that a macro passes.

use typed_prompt::Prompt;

macro_rules! ask {
    ($text:literal) => {
        #[derive(Prompt)]
        #[prompt(user = $text)]
        struct Ask {
            context: String,
        }
    };
}

ask!("Use <contxt>.");

fn main() {}
