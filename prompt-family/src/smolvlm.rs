//! SmolVLM.

use super::*;

pub(crate) const END: &str = "<end_of_utterance>";
pub(crate) const IMAGE: &str = "<image>";
/// Around the tokens of an image, which the processor of the model writes in place of `<image>`.
pub(crate) const AROUND_IMAGE: &str = "<fake_token_around_image>";
const CLOSE: &str = join!(END, "\n");

/// Lists tokens, and the positions of an image's tiles, `<row_1_col_1>` to `<row_6_col_6>`, which the processor writes too.
macro_rules! with_tiles {
    ([$($token:expr),* $(,)?] $($row:literal)*) => {
        &[
            $($token,)*
            $(
                concat!("<row_", $row, "_col_1>"), concat!("<row_", $row, "_col_2>"), concat!("<row_", $row, "_col_3>"),
                concat!("<row_", $row, "_col_4>"), concat!("<row_", $row, "_col_5>"), concat!("<row_", $row, "_col_6>"),
            )*
        ]
    };
}

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
    tokens: with_tiles!(
        [
            chatml::START, chatml::END, chatml::END_OF_TEXT, END, IMAGE, AROUND_IMAGE, "<global-img>", "System:", "User:",
            "Assistant:",
        ]
        1 2 3 4 5 6
    ),
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
