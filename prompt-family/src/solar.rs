//! SOLAR.

use super::*;

const SYSTEM: &str = "### System:";
const USER: &str = "### User:";
const ASSISTANT: &str = "### Assistant:";
const EOS: &str = "</s>";

/// SOLAR: headings, which are plain text to the tokenizer.
pub const SOLAR: Family = Family {
    name: "solar",
    title: "SOLAR",
    source: Source::new("upstage/SOLAR-10.7B-Instruct-v1.0 in packages/jinja/test/e2e.test.js of huggingface/huggingface.js at fe42e68017ff", "2026-11"),
    aliases: &["upstage/SOLAR-10.7B-Instruct-v1.0"],
    eos: EOS,
    tokens: &["<s>", EOS, "<unk>", SYSTEM, USER, ASSISTANT],
    loose: &[SYSTEM, USER, ASSISTANT],
    system: true,
    history: true,
    turns: Turns {
        system: System::in_turn(Delimiters::new(join!(SYSTEM, "\n"), "\n\n").omitted_if_empty()),
        user: Delimiters::new(join!(USER, "\n"), "\n\n"),
        assistant: Delimiters::new(join!(ASSISTANT, "\n"), ""),
        ..Turns::NONE
    },
    ..Family::BARE
};
