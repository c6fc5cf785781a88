//! EXAONE.

use super::*;

const OPEN: &str = "[|";
const MIDDLE: &str = "|]";
const END: &str = "[|endofturn|]";
const CLOSE: &str = join!(END, "\n");
const TURNS: Turns = header!(OPEN, MIDDLE, CLOSE);

/// EXAONE 3.0 and 3.5. Tokens other than delimiters are those that EXAONE 4's tokenizer has too; the numbered
/// ones are assumed.
pub const EXAONE3: Family = Family {
    name: "exaone3",
    title: "EXAONE 3",
    source: Source::new("src/axolotl/utils/chat_templates/templates/exaone.jinja of axolotl-ai-cloud/axolotl at 067b021c8b87", "2026-11"),
    aliases: &[
        "exaone-3", "LGAI-EXAONE/EXAONE-3.0-7.8B-Instruct", "LGAI-EXAONE/EXAONE-3.5-2.4B-Instruct",
        "LGAI-EXAONE/EXAONE-3.5-7.8B-Instruct", "LGAI-EXAONE/EXAONE-3.5-32B-Instruct",
    ],
    eos: END,
    tokens: &[
        "[BOS]", "[EOS]", "[PAD]", "[UNK]", TURNS.system.delimiters.open, TURNS.user.open, TURNS.assistant.open,
        "[|tool|]", END, "PI:URL", "PI:EMAIL",
    ],
    numbered: &[Numbered::new("[unused", "]")],
    system: true,
    history: true,
    turns: Turns {
        system: TURNS.system.default(DefaultSystem::UnlessFirst("")),
        user: Delimiters::new(TURNS.user.open, "\n"),
        answer_calls: &[qwen::HERMES],
        also_reasoning: &[("<thought>", "</thought>"), ("<think>", "</think>")],
        ..TURNS
    },
    ..Family::BARE
};
