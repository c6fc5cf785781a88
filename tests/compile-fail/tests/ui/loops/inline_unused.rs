//! Error 16: a loop of `prompt!` whose variable is unused.

use typed_prompt::prompt;

fn ask(names: &[String]) {
    let _ = prompt!("<for name in names>x</for>");
}

fn main() {}
