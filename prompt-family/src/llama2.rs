//! Llama 2.

use super::*;

const BOS: &str = "<s>";
const EOS: &str = "</s>";
const INST: &str = "[INST]";
const INST_END: &str = "[/INST]";
const SYS: &str = "<<SYS>>";
const SYS_END: &str = "<</SYS>>";

/// Llama 2, with the system message inside the first user message. Its delimiters are plain text to the tokenizer.
pub const LLAMA2: Family = Family {
    name: "llama2",
    title: "Llama 2",
    source: Source::new("chat_templates/llama2.json of EricLBuehler/mistral.rs at 9e922623f24b", "2026-11"),
    aliases: &[
        "llama-2", "meta-llama/Llama-2-7b-chat-hf", "meta-llama/Llama-2-13b-chat-hf", "meta-llama/Llama-2-70b-chat-hf",
    ],
    bos: BOS,
    eos: EOS,
    tokens: &[BOS, EOS, "<unk>", INST, INST_END, SYS, SYS_END],
    loose: &[INST, INST_END, SYS, SYS_END],
    system: true,
    history: true,
    order: Order::Alternate,
    turns: Turns {
        system: System::new(
            SystemPlacement::FirstUserAsOne,
            Delimiters::new(join!(SYS, "\n"), join!("\n", SYS_END, "\n\n")),
        ),
        user: Delimiters::new(join!(BOS, INST, " "), join!(" ", INST_END)).with_trim(Trim::Ends),
        assistant: Delimiters::new(" ", join!(" ", EOS)).with_trim(Trim::Ends),
        ..Turns::NONE
    },
    ..Family::BARE
};
