//! Blocks of other languages that begin with a sign, in each dialect.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<q> @if(flag) yes @endif")]
struct Razor {
    q: String,
    flag: bool,
}

#[derive(Prompt)]
#[prompt(user = "<q> #foreach($x in $xs)$x#end")]
struct Velocity {
    q: String,
    xs: Vec<String>,
}

#[derive(Prompt)]
#[prompt(user = "<q> {{^xs}}none{{/xs}}")]
struct Negated {
    q: String,
    xs: Vec<String>,
}

#[derive(Prompt)]
#[prompt(user = "<q> {{> header}}")]
struct Partial {
    q: String,
}

#[derive(Prompt)]
#[prompt(syntax = "brace", user = "{q} {{#if flag}}yes{{/if}}")]
struct Brace {
    q: String,
    flag: bool,
}

#[derive(Prompt)]
#[prompt(syntax = "fstring", user = "{q} @if(flag) yes @endif")]
struct Fstring {
    q: String,
    flag: bool,
}

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ q }} @if(flag) yes @endif")]
struct Jinja {
    q: String,
    flag: bool,
}

fn main() {}
