//! The attribute form, where the fields are made from the template.

#[typed_prompt::template(syntax = "jinja", user = "Dear {{ name }}")]
struct Greeting;

fn main() {}
