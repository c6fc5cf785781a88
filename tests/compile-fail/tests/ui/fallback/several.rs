//! Six mistakes of one template are six errors, and its use adds none.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    user = "<questin> <note> <names> <names | jion> <for x in question><x></for>",
    user = "<if flag><input:question",
)]
struct Ask {
    question: String,
    note: Option<String>,
    names: Vec<String>,
    flag: bool,
}

fn show(ask: &Ask) -> String {
    ask.messages().unwrap().to_string()
}

fn main() {}
