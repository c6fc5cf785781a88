//! Error 8: control tokens of a family in `prompt!`.

use typed_prompt::prompt;

fn main() {
    let question = "Why?";
    let _ = prompt!(system = "Be kind.", user = "<s>[INST] <question> [/INST]");
}
