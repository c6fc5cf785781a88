//! typed-prompt, in two of its dialects.

use typed_prompt::Prompt;

use super::{Found, Passage};

#[derive(Prompt)]
#[prompt(
    user = "Passages:\n<for p in passages>- <p.title>, p. <p.page>: <p.text>\n</for>Question: <question>"
)]
struct Angle<'a> {
    passages: &'a [Passage],
    question: &'a str,
}

#[derive(Prompt)]
#[prompt(
    syntax = "jinja",
    user = "Passages:\n{% for p in passages %}- {{ p.title }}, p. {{ p.page }}: {{ p.text }}\n{% endfor %}Question: {{ question }}"
)]
struct Jinja<'a> {
    passages: &'a [Passage],
    question: &'a str,
}

pub(super) fn angle(found: &Found) -> String {
    let mut out = String::new();
    angle_into(found, &mut out);
    out
}

pub(super) fn angle_into(found: &Found, out: &mut String) {
    let Found { passages, question } = found;
    let text = Angle { passages, question }.to_plain_text();
    out.push_str(&text.expect("nothing in it can fail"));
}

pub(super) fn jinja(found: &Found) -> String {
    let mut out = String::new();
    jinja_into(found, &mut out);
    out
}

pub(super) fn jinja_into(found: &Found, out: &mut String) {
    let Found { passages, question } = found;
    let text = Jinja { passages, question }.to_plain_text();
    out.push_str(&text.expect("nothing in it can fail"));
}
