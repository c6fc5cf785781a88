//! Gemma.

use super::*;

const BOS: &str = "<bos>";
const EOS: &str = "<eos>";
const START: &str = "<start_of_turn>";
const END: &str = "<end_of_turn>";
const IMAGE: &str = "<start_of_image>";

const TURNS: Turns = header!(START, "\n", join!(END, "\n"), "model");

const UNUSED: Numbered = Numbered::new("<unused", ">");

/// Gemma 2, which does not take system messages. Its tokens are those of its `tokenizer.json` without HTML elements and
/// white space, which are added tokens but not special ones, and which its template does not write.
pub const GEMMA2: Family = Family {
    name: "gemma2",
    title: "Gemma 2",
    source: Source::new("tests/corpus/gemma-2-9b-it/tokenizer_config.json of GregoryBolshakov/hf-chat-template at 72b987fc0b18", "2026-11"),
    aliases: &["gemma-2", "google/gemma-2-2b-it", "google/gemma-2-9b-it", "google/gemma-2-27b-it"],
    bos: BOS,
    eos: EOS,
    tokens: &[BOS, EOS, "<pad>", "<unk>", START, END, "<mask>", "<2mass>", "[@BOS@]", "[toxicity=0]"],
    numbered: &[UNUSED],
    history: true,
    order: Order::Alternate,
    turns: Turns {
        start: TextStart::Bos,
        system: System::UNSUPPORTED,
        user: TURNS.user.with_trim(Trim::Ends).printing_lists(),
        assistant: TURNS.assistant.with_trim(Trim::Ends).printing_lists(),
        ..TURNS
    },
    ..Family::BARE
};

/// Gemma 3, with the system message inside the first user message, and images.
pub const GEMMA3: Family = Family {
    name: "gemma3",
    title: "Gemma 3",
    source: Source::new("tests/corpus/gemma-3-4b-it/tokenizer_config.json of GregoryBolshakov/hf-chat-template at 72b987fc0b18", "2026-11"),
    aliases: &["gemma-3", "google/gemma-3-4b-it", "google/gemma-3-12b-it", "google/gemma-3-27b-it"],
    tokens: &[
        BOS, EOS, "<pad>", "<unk>", START, END, IMAGE, "<end_of_image>", "<image_soft_token>", "<mask>", "[multimodal]",
    ],
    system: true,
    media: true,
    turns: Turns {
        system: System::new(SystemPlacement::FirstUser, Delimiters::new("", "\n\n")),
        media: Placeholders::images(IMAGE),
        ..GEMMA2.turns
    },
    ..GEMMA2
};
