//! What this crate takes from `prompt-syntax`: the drawing of places, the nearest names, the facts about families.
#![allow(missing_docs, dead_code, unreachable_pub)]

#[derive(Clone, Copy, Debug)]
pub struct Span {
    pub start: usize,
    pub end: usize,
}
pub mod snippet {
    pub struct Source<'a> {
        pub name: Option<&'a str>,
        pub text: &'a str,
        pub line: usize,
        pub column: usize,
    }
    pub fn draw(
        source: &Source<'_>,
        span: super::Span,
        label: &str,
        _related: &[(super::Span, String)],
    ) -> String {
        format!(" --> {}:{} {label}", source.line, span.start)
    }
}
pub mod suggest {
    pub fn closest<'a>(
        _name: &str,
        candidates: impl IntoIterator<Item = &'a str>,
    ) -> Option<&'a str> {
        candidates.into_iter().next()
    }
}
pub mod family {
    #[derive(Debug)]
    pub struct Family {
        pub name: &'static str,
        pub title: &'static str,
        pub tokens: &'static [&'static str],
        pub history: bool,
        pub media: bool,
        pub tools: bool,
        pub system: bool,
    }
    const fn family(
        name: &'static str,
        title: &'static str,
        tokens: &'static [&'static str],
        history: bool,
    ) -> Family {
        Family {
            name,
            title,
            tokens,
            history,
            media: false,
            tools: false,
            system: true,
        }
    }
    pub const CHATML: Family = family(
        "chatml",
        "ChatML",
        &["<|im_start|>", "<|im_end|>", "<|endoftext|>"],
        true,
    );
    pub const LLAMA3: Family = family(
        "llama3",
        "Llama 3",
        &[
            "<|begin_of_text|>",
            "<|end_of_text|>",
            "<|start_header_id|>",
            "<|end_header_id|>",
            "<|eot_id|>",
        ],
        true,
    );
    pub const LLAMA2: Family = family(
        "llama2",
        "Llama 2",
        &["<s>", "</s>", "[INST]", "[/INST]", "<<SYS>>", "<</SYS>>"],
        true,
    );
    pub const ALPACA: Family = family(
        "alpaca",
        "Alpaca",
        &["### Instruction:", "### Input:", "### Response:"],
        false,
    );
    pub const PLAIN: Family = family("plain", "plain text", &[], false);
}
pub use family::Family;
