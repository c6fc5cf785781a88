//! Error 4: methods of Rust, and words of Liquid.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ q }} {{ x.unwrap() }}")]
struct Unwrapped {
    q: String,
    x: Option<String>,
}

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ q }}{% for x in xs.iter() %}{{ x }}{% endfor %}")]
struct Iterated {
    q: String,
    xs: Vec<String>,
}

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ q }}{% if xs.contains('a') %}a{% endif %}")]
struct Contained {
    q: String,
    xs: Vec<String>,
}

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ q }}{% for x in xs limit:3 %}{{ x }}{% endfor %}")]
struct Limited {
    q: String,
    xs: Vec<String>,
}

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ q }}{% if flag then %}a{% endif %}")]
struct Then {
    q: String,
    flag: bool,
}

fn main() {}
