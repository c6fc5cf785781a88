//! Llama 4.

use super::*;

const BOS: &str = "<|begin_of_text|>";
const HEADER: &str = "<|header_start|>";
const HEADER_END: &str = "<|header_end|>";
const EOT: &str = "<|eot|>";
const EOM: &str = "<|eom|>";
const PYTHON: &str = "<|python_start|>";
const PYTHON_END: &str = "<|python_end|>";
const IMAGE: &str = "<|image|>";

/// Llama 4: headers, images, several calls at once. Its tokens are the special tokens of its tokenizer.
pub const LLAMA4: Family = Family {
    name: "llama4",
    title: "Llama 4",
    source: Source::new("transformers/models/llama4/processing_llama4.py of transformers 5.23.0", "2026-11"),
    aliases: &[
        "llama-4", "meta-llama/Llama-4-Scout-17B-16E-Instruct", "meta-llama/Llama-4-Maverick-17B-128E-Instruct",
    ],
    bos: BOS,
    eos: EOT,
    tokens: &[
        BOS, "<|end_of_text|>", HEADER, HEADER_END, EOT, EOM, "<|step|>", PYTHON, PYTHON_END, IMAGE, "<|image_start|>",
        "<|image_end|>", "<|patch|>", "<|tile_x_separator|>", "<|tile_y_separator|>", "<|finetune_right_pad|>",
        "<function_call>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>", "<|reasoning_thinking_start|>",
        "<|reasoning_thinking_end|>",
    ],
    numbered: &[
        llama3::RESERVED, Numbered::new("<|text_post_train_reserved_special_token_", "|>"),
        Numbered::new("<|vision_reserved_special_token_", "|>"), Numbered::new("<|reasoning_reserved_special_token_", "|>"),
    ],
    system: true,
    history: true,
    tools: true,
    media: true,
    options: &[FormatOption::ToolsInUser],
    turns: Turns {
        start: TextStart::Bos,
        tool: Some(Delimiters::new(join!(HEADER, "ipython", HEADER_END, "\n\n"), EOT)),
        // The section is around the text before the calls.
        calls: Calls { section_open: PYTHON, section_close: PYTHON_END, ..LLAMA3_1.turns.calls },
        answer_calls: &[
            CallSyntax::new("", "", CallBody::Json).in_section(join!(PYTHON, PYTHON_END), ""),
            CallSyntax::new("", "", CallBody::Python),
            CallSyntax::new(PYTHON, PYTHON_END, CallBody::Python),
            // The token of Llama 3, which servers' chat templates ask for.
            CallSyntax::new("<|python_tag|>", EOM, CallBody::Python),
        ],
        answer_text: &[(PYTHON, PYTHON_END)],
        media: Placeholders::images(IMAGE),
        closes: &[EOM],
        ..header!(HEADER, join!(HEADER_END, "\n\n"), EOT)
    },
    template: ConversationTemplate::Llama(SystemDate::Never),
    ..Family::BARE
};
