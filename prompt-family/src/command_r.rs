//! Command R.

use super::*;

const BOS: &str = "<BOS_TOKEN>";
const TURN: &str = "<|START_OF_TURN_TOKEN|>";
const END: &str = "<|END_OF_TURN_TOKEN|>";
const SYSTEM: &str = "<|SYSTEM_TOKEN|>";
const USER: &str = "<|USER_TOKEN|>";
const ASSISTANT: &str = "<|CHATBOT_TOKEN|>";

/// Command R and R+, without their templates for tools. Its tokens are those of R+'s `tokenizer.json`.
pub const COMMAND_R: Family = Family {
    name: "command_r",
    title: "Command R",
    source: Source::new("tests/corpus/command-r-v01/tokenizer_config.json of GregoryBolshakov/hf-chat-template at 72b987fc0b18", "2026-11"),
    aliases: &["command-r", "CohereForAI/c4ai-command-r-v01", "CohereForAI/c4ai-command-r-plus"],
    bos: BOS,
    eos: END,
    tokens: &[
        BOS, "<EOS_TOKEN>", "<EOP_TOKEN>", TURN, END, SYSTEM, USER, ASSISTANT, "<PAD>", "<UNK>", "<CLS>", "<SEP>", "<MASK_TOKEN>",
        "<|YES_TOKEN|>", "<|NO_TOKEN|>", "<|GOOD_TOKEN|>", "<|BAD_TOKEN|>",
    ],
    numbered: &[Numbered::new("<|USER_", "_TOKEN|>"), Numbered::new("<|EXTRA_", "_TOKEN|>")],
    system: true,
    history: true,
    order: Order::Alternate,
    turns: Turns {
        start: TextStart::Bos,
        system: System::new(SystemPlacement::First, Delimiters::new(join!(TURN, SYSTEM), END)),
        user: Delimiters::new(join!(TURN, USER), END).with_trim(Trim::Ends),
        assistant: Delimiters::new(join!(TURN, ASSISTANT), END).with_trim(Trim::Ends),
        answer_calls: &[
            CallSyntax::new("Action:", "", CallBody::Json),
            CallSyntax::new("<|START_ACTION|>", "<|END_ACTION|>", CallBody::Json),
        ],
        also_reasoning: &[("<|START_THINKING|>", "<|END_THINKING|>")],
        answer_text: &[("<|START_RESPONSE|>", "<|END_RESPONSE|>"), ("<|START_TEXT|>", "<|END_TEXT|>")],
        ..Turns::NONE
    },
    ..Family::BARE
};
