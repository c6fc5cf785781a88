//! Prompts that a user-defined format cannot express.

use typed_prompt::format::Family;
use typed_prompt::{History, Prompt};

const MINE: Family = Family {
    name: "mine",
    title: "Mine",
    tokens: &["<end>"],
    ..Family::BARE
};

mod formats {
    pub const OURS: typed_prompt::format::Family = super::MINE;
}

#[derive(Prompt)]
#[prompt(user = "{question}<end>", syntax = "brace", format = MINE)]
struct Token {
    question: String,
}

#[derive(Prompt)]
#[prompt(system = "Be brief.", user = "<question>", format = formats::OURS)]
struct System {
    question: String,
}

#[derive(Prompt)]
#[prompt(user = "<question>", format = formats::OURS)]
struct Turns {
    #[prompt(history)]
    turns: History,
    question: String,
}

#[derive(Prompt)]
#[prompt(user = "<question>", format = formats::OURS)]
struct Fits {
    question: String,
}

fn main() {}
