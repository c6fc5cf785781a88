//! The attribute form, whose fields are generated from the template.

#[typed_prompt::template(syntax = "jinja", user = "Dear {{ name }}")]
struct Greeting;

fn main() {}
