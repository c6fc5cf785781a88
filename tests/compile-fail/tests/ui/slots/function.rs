//! Error 1: a prompt inside of a function.

fn main() {
    #[derive(typed_prompt::Prompt)]
    #[prompt(user = "Hello <nmae>")]
    struct Greet {
        name: String,
    }
}
