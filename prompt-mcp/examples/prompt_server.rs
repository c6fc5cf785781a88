//! Serves prompts to an MCP client, such as an editor, over the standard streams: `cargo run -p prompt-mcp --example prompt_server`

use typed_prompt::{Prompt, mcp::PromptServer};

/// Explains a word.
#[derive(Prompt, serde::Deserialize, schemars::JsonSchema)]
#[prompt(
    system = "You explain words to children.",
    user = "Explain <word> in <sentences ?? 2> sentences. <for other in avoid>Do not use the word <other>. </for>"
)]
struct Explain {
    /// A word of any language.
    word: String,
    /// How long the answer is.
    sentences: Option<u8>,
    /// Words that the answer does not contain.
    #[serde(default)]
    avoid: Vec<String>,
}

/// Translates a text into a language that this program supports.
#[derive(Prompt)]
#[prompt(system = "Translate into <language>.", user = "<text>")]
struct Translate {
    #[prompt(trusted)]
    language: &'static str,
    text: String,
}

/// The arguments that a client sends for `Translate`. The program chooses `language`, which is part of the instructions.
#[derive(serde::Deserialize, schemars::JsonSchema)]
struct TranslateArguments {
    language: Language,
    /// The text to translate.
    text: String,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
enum Language {
    French,
    German,
}

#[tokio::main]
async fn main() -> typed_prompt::Result<()> {
    PromptServer::new("words", env!("CARGO_PKG_VERSION"))
        .prompt::<Explain>()
        .prompt_from(|TranslateArguments { language, text }| {
            let language = match language {
                Language::French => "French",
                Language::German => "German",
            };
            Ok(Translate { language, text })
        })
        .serve_stdio()
        .await
}
