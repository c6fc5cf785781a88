//! OpenChat.

use super::*;

const BOS: &str = "<s>";
const END: &str = "<|end_of_turn|>";
const NAME: &str = "GPT4 Correct ";
const USER: &str = join!(NAME, "User:");
const ASSISTANT: &str = join!(NAME, "Assistant:");
const SYSTEM: &str = join!(NAME, "System:");

/// OpenChat 3.5. The names of roles are plain text to the tokenizer.
pub const OPENCHAT: Family = Family {
    name: "openchat",
    title: "OpenChat",
    source: Source::new("tests/corpus/openchat-3.5-0106/tokenizer_config.json of GregoryBolshakov/hf-chat-template at 72b987fc0b18", "2026-11"),
    aliases: &["openchat/openchat-3.5-0106", "openchat/openchat_3.5"],
    bos: BOS,
    eos: END,
    tokens: &[BOS, "</s>", "<unk>", END, "<sep>", USER, ASSISTANT, SYSTEM],
    numbered: &[Numbered::new("<|pad_", "|>")],
    loose: &[USER, ASSISTANT, SYSTEM],
    system: true,
    history: true,
    turns: Turns {
        start: TextStart::Bos,
        system: System::in_turn(Delimiters::new(join!(SYSTEM, " "), END)),
        user: Delimiters::new(join!(USER, " "), END),
        assistant: Delimiters::new(join!(ASSISTANT, " "), END),
        other: OtherRoles::Named { open: NAME, middle: ": ", close: END, capitalized: true },
        ..Turns::NONE
    },
    ..Family::BARE
};
