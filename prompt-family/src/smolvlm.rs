//! SmolVLM.

use super::*;

pub(crate) const END: &str = "<end_of_utterance>";
pub(crate) const IMAGE: &str = "<image>";
/// Around the tokens of an image, which the processor of the model writes in place of `<image>`.
pub(crate) const AROUND_IMAGE: &str = "<fake_token_around_image>";
const CLOSE: &str = join!(END, "\n");

/// SmolVLM and SmolVLM 2: the names of roles as words, and images. Its tokenizer could not be read: its tokens are those of its
/// template and its processor.
pub const SMOLVLM: Family = Family {
    name: "smolvlm",
    title: "SmolVLM",
    source: Source::new("trl/chat_templates/smolvlm.jinja of trl 1.16.0", "2026-11"),
    aliases: &[
        "HuggingFaceTB/SmolVLM-Instruct", "HuggingFaceTB/SmolVLM-256M-Instruct", "HuggingFaceTB/SmolVLM-500M-Instruct",
        "HuggingFaceTB/SmolVLM2-256M-Video-Instruct", "HuggingFaceTB/SmolVLM2-500M-Video-Instruct",
        "HuggingFaceTB/SmolVLM2-2.2B-Instruct",
    ],
    eos: END,
    tokens: &[
        chatml::START, chatml::END, chatml::END_OF_TEXT, END, IMAGE, AROUND_IMAGE, "<global-img>", "System:", "User:", "Assistant:",
    ],
    loose: &["\nSystem:", "\nUser:", "\nAssistant:"],
    system: true,
    history: true,
    media: true,
    turns: Turns {
        start: TextStart::Text(chatml::START),
        system: System::in_turn(Delimiters::new("System: ", CLOSE)),
        user: Delimiters::new("User: ", CLOSE),
        assistant: Delimiters::new("Assistant: ", CLOSE),
        other: OtherRoles::Unsupported,
        media: Placeholders::images(IMAGE),
        ..Turns::NONE
    },
    template: ConversationTemplate::SmolVlm,
    ..Family::BARE
};
