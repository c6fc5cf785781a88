//! Error 7: several `char`s are text, in any list, `Option` or pointer.

use std::borrow::Cow;
use std::collections::VecDeque;

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(system = "You help <name | join(\"\")>.", user = "Go.")]
struct List {
    name: Vec<char>,
}

#[derive(Prompt)]
#[prompt(system = "You help <name | join(\"\")>.", user = "Go.")]
struct Slice<'a> {
    name: &'a [Box<char>],
}

#[derive(Prompt)]
#[prompt(system = "You help <if name><name | join(\"\")></if>.", user = "Go.")]
struct Maybe {
    name: Option<Vec<char>>,
}

#[derive(Prompt)]
#[prompt(system = "You help <for letter in name><letter></for>.", user = "Go.")]
struct Loop<'a> {
    name: Cow<'a, [char]>,
}

#[derive(Prompt)]
#[prompt(system = "You help <a><b><c>.", user = "Go.")]
struct Single {
    a: char,
    b: &'static char,
    c: std::primitive::char,
}

#[derive(Prompt)]
#[prompt(system = "You help {{ name | join }}.", user = "Go.", syntax = "jinja")]
struct Jinja<const N: usize> {
    name: [VecDeque<char>; N],
}

fn main() {}
