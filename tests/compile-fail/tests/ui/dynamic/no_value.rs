//! A field whose value cannot be used in an expression.

use typed_prompt::{Fields, Prompt, ToPrompt, write::Writer};

struct Euro(u32);

impl ToPrompt for Euro {
    fn write(&self, out: &mut Writer) {
        self.0.write(out);
    }
}

#[derive(Prompt, Fields)]
#[prompt(user = "<price>")]
struct Ask {
    price: Euro,
}

fn main() {}
