//! Error 7: a user-defined type that only has the name of `Trusted` in the system message.

use typed_prompt::Prompt;

mod mine {
    pub struct Trusted<T>(pub T);
    impl typed_prompt::ToPrompt for Trusted<String> {
        fn write(&self, out: &mut typed_prompt::write::Writer) {
            out.data(&self.0);
        }
    }
}
use mine::Trusted;
#[derive(Prompt)]
#[prompt(system = "Help <name>.", user = "Go.")]
struct P {
    name: Trusted<String>,
}

fn main() {}
