//! Marks of roles in other notations: all of the text would be one message of the user.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(template = "[SYSTEM]\nBe kind.\n[/SYSTEM]\n<q>")]
struct Brackets {
    q: String,
}

#[derive(Prompt)]
#[prompt(template = "# System\nBe kind.\n\n# User\n<q>")]
struct Headings {
    q: String,
}

#[derive(Prompt)]
#[prompt(template = "system\nBe kind.\nuser\n<q>")]
struct Words {
    q: String,
}

#[derive(Prompt)]
#[prompt(template = "System message:\nBe kind.\nUser message:\n<q>")]
struct Titles {
    q: String,
}

#[derive(Prompt)]
#[prompt(template = "{{#system}}Be kind.{{/system}}\n{{#user}}<q>{{/user}}")]
struct Blocks {
    q: String,
}

#[derive(Prompt)]
#[prompt(template = "@system Be kind.\n@user <q>")]
struct Signs {
    q: String,
}

#[derive(Prompt)]
#[prompt(template = r#"<message role="system">Be kind.</message>
<message role="user"><q></message>"#)]
struct Attributes {
    q: String,
}

#[derive(Prompt)]
#[prompt(template = r#"<message role="system">Be kind.</message><message role="user"><q></message>"#)]
struct OnOneLine {
    q: String,
}

#[derive(Prompt)]
#[prompt(template = "<q> {{#system}}Be kind.{{/system}}")]
struct NotFirst {
    q: String,
}

#[derive(Prompt)]
#[prompt(syntax = "brace", template = "{{#system~}}Be kind.{{~/system}} {q}")]
struct BlocksInBrace {
    q: String,
}

#[derive(Prompt)]
#[prompt(syntax = "brace", template = "=== SYSTEM ===\nBe kind.\n=== USER ===\n{q}")]
struct Brace {
    q: String,
}

#[derive(Prompt)]
#[prompt(syntax = "jinja", template = "[system]\nBe kind.\n[user]\n{{ q }}")]
struct Jinja {
    q: String,
}

fn main() {}
