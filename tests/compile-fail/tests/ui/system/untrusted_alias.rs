//! Error 7: a trusted field whose type is `Untrusted` by another name, in each dialect.

use typed_prompt::{Prompt, Untrusted};

type Page = Untrusted<String>;
type Note = Option<Untrusted<String>>;

#[derive(Prompt)]
#[prompt(system = "Use <page | debug>.", user = "Go.")]
struct Angle {
    #[prompt(trusted)]
    page: Page,
}

#[derive(Prompt)]
#[prompt(system = "Use {{ page }}.{% if note %}{{ note }}{% endif %}", user = "Go.", syntax = "jinja")]
struct Jinja<'a> {
    #[prompt(trusted)]
    page: &'a Page,
    #[prompt(trusted)]
    note: Note,
}

fn main() {}
