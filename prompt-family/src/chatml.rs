//! ChatML.

use super::*;

pub(crate) const START: &str = "<|im_start|>";
pub(crate) const END: &str = "<|im_end|>";
pub(crate) const END_OF_TEXT: &str = "<|endoftext|>";

/// The tokens for source code and metadata that SmolLM's, Granite's and other tokenizers have from StarCoder's.
macro_rules! starcoder {
    ($($token:expr),* $(,)?) => {
        &[
            $($token,)* "<filename>", "<gh_stars>", "<issue_start>", "<issue_comment>", "<issue_closed>", "<jupyter_start>",
            "<jupyter_text>", "<jupyter_code>", "<jupyter_output>", "<empty_output>", "<reponame>",
        ]
    };
}
pub(crate) use starcoder;

/// ChatML, as OpenHermes, SmolLM and many fine-tuned models read it. Its tokens are those of both: the special tokens of
/// Mistral's and of SmolLM's `tokenizer_config.json`.
pub const CHATML: Family = Family {
    name: "chatml",
    title: "ChatML",
    source: Source::new("the default template in packages/jinja/test/e2e.test.js of huggingface/huggingface.js at fe42e68017ff", "2026-11"),
    aliases: &[
        "chat-ml", "teknium/OpenHermes-2.5-Mistral-7B", "HuggingFaceTB/SmolLM-1.7B-Instruct",
        "HuggingFaceTB/SmolLM-360M-Instruct", "HuggingFaceTB/SmolLM-135M-Instruct",
    ],
    eos: END,
    tokens: starcoder![
        START, END, END_OF_TEXT, "<s>", "</s>", "<unk>", "<repo_name>", "<file_sep>", "<jupyter_script>",
    ],
    system: true,
    history: true,
    turns: header!(START, "\n", join!(END, "\n")),
    ..Family::BARE
};
