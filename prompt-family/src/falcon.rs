//! Falcon.

use super::*;

const USER: &str = "User:";
const ASSISTANT: &str = "Assistant:";
const EOS: &str = "<|endoftext|>";

/// Falcon Instruct: roles as plain words. Its special tokens are the first twelve of its vocabulary.
pub const FALCON: Family = Family {
    name: "falcon",
    title: "Falcon",
    source: Source::new("tests/corpus/falcon-7b-instruct/tokenizer_config.json of GregoryBolshakov/hf-chat-template at 72b987fc0b18", "2026-11"),
    aliases: &["tiiuae/falcon-7b-instruct", "tiiuae/falcon-40b-instruct"],
    eos: EOS,
    tokens: &[
        EOS, ">>TITLE<<", ">>ABSTRACT<<", ">>INTRODUCTION<<", ">>SUMMARY<<", ">>COMMENT<<", ">>ANSWER<<", ">>QUESTION<<",
        ">>DOMAIN<<", ">>PREFIX<<", ">>SUFFIX<<", ">>MIDDLE<<", USER, ASSISTANT,
    ],
    loose: &[join!("\n", USER), join!("\n", ASSISTANT)],
    system: true,
    history: true,
    order: Order::Alternate,
    turns: Turns {
        system: System::new(SystemPlacement::BeforeTurns, Delimiters::new("", "").with_trim(Trim::Ends)),
        user: Delimiters::new(join!("\n\n", USER, " "), "").with_trim(Trim::EndsAndBlankLines),
        assistant: Delimiters::new(join!("\n\n", ASSISTANT, " "), "").with_trim(Trim::EndsAndBlankLines),
        ..Turns::NONE
    },
    ..Family::BARE
};
