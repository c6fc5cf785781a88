//! Error 7: a generic value in the system message of `prompt!`.

use typed_prompt::prompt;

fn f<T: typed_prompt::ToPrompt>(name: T) {
    drop(prompt!(system = "Help <name>.", user = "Go."));
}

fn main() {}
