//! Error 12: a tag outside of the subset.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% extends 'base.html' %}{{ text }}")]
struct Ask {
    text: String,
}

fn main() {}
