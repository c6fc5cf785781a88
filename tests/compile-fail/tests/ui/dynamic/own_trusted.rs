//! Error 7: a user-defined type that only has the name of a trusted one, which a run-time template could render.

use typed_prompt::Prompt;
use typed_prompt::Fields;

struct Trusted(String);

impl typed_prompt::ToPrompt for Trusted {
    fn write(&self, out: &mut typed_prompt::write::Writer) {
        out.data(&self.0);
    }
}

impl typed_prompt::jinja::ToValue for Trusted {
    fn to_value(&self, origin: typed_prompt::message::Origin) -> typed_prompt::jinja::Value<'_> {
        self.0.to_value(origin)
    }
}

#[derive(Prompt, Fields)]
#[prompt(user = "<name>")]
struct Ask {
    name: Trusted,
}

fn main() {}
