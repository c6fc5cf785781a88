//! Error 7: a user-defined type that only has the name of a number.

use typed_prompt::Prompt;

#[allow(non_camel_case_types)]
struct u32(String);

impl typed_prompt::ToPrompt for u32 {
    fn write(&self, out: &mut typed_prompt::write::Writer) {
        out.data(&self.0);
    }
}

#[derive(Prompt)]
#[prompt(system = "You have <count> tries.", user = "Go.")]
struct Ask {
    count: u32,
}

fn main() {}
