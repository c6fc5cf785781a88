//! Alpaca. Its headings are plain text to the tokenizer.

use super::*;

const BOS: &str = "<s>";
const EOS: &str = "</s>";
/// The heading of the instruction.
pub const INSTRUCTION: &str = "### Instruction:";
/// The heading of the input.
pub const INPUT: &str = "### Input:";
/// The heading of the answer.
pub const RESPONSE: &str = "### Response:";

/// Stanford Alpaca: one instruction and one input.
pub const ALPACA: Family = Family {
    name: "alpaca",
    title: "Alpaca",
    tokens: &[INSTRUCTION, INPUT, RESPONSE],
    loose: &[INSTRUCTION, INPUT, RESPONSE],
    system: true,
    ..Family::BARE
};

/// Alpaca's headings as a chat.
pub const ALPACA_CHAT: Family = Family {
    name: "alpaca_chat",
    title: "Alpaca chat",
    source: Source::new("chat_templates/alpaca.jinja of chujiezheng/chat_templates at 11c495621569", "2026-11"),
    aliases: &["alpaca-chat"],
    bos: BOS,
    eos: EOS,
    tokens: &[BOS, EOS, "<unk>", "[PAD]", INSTRUCTION, INPUT, RESPONSE],
    history: true,
    order: Order::Alternate,
    turns: Turns {
        start: TextStart::Bos,
        system: System::new(SystemPlacement::First, Delimiters::new("", "\n\n").with_trim(Trim::Ends).printing_lists()),
        user: Delimiters::new(join!(INSTRUCTION, "\n"), "\n\n").with_trim(Trim::Ends).printing_lists(),
        assistant: Delimiters::new(join!(RESPONSE, "\n"), join!(EOS, "\n\n")).with_trim(Trim::Ends).printing_lists(),
        ..Turns::NONE
    },
    ..ALPACA
};
