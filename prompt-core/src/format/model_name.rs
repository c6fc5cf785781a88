//! Names of models as servers write them: `qwen3:8b` of Ollama, `llama-3.1-8b-instant` of Groq, `Qwen3-8B-Q4_K_M.gguf` of llama.cpp.

/// What a server adds to the name of a model, which does not change its chat format. Groq's names have the first two, Ollama's the third.
const SERVER_WORDS: [&str; 3] = ["instant", "versatile", "latest"];

/// Formats of files and of numbers: words of a name that do not change the chat format of the model.
const NUMBER_FORMATS: [&str; 14] = [
    "gguf", "ggml", "mlx", "f16", "fp16", "bf16", "f32", "fp8", "mxfp4", "awq", "gptq", "int4",
    "4bit", "8bit",
];

/// The words of a model's name, without its organisation and without what a server adds.
#[derive(PartialEq)]
pub(super) struct ModelName {
    words: Vec<String>,
    /// Whether the name may leave out the end of the model's own name: `instruct`, `it`, `chat`. Names of a server with the size of the
    /// model do. A name of Hugging Face without that end is another model, which is not trained for chats.
    is_short: bool,
}

impl ModelName {
    pub(super) fn parse(name: &str) -> ModelName {
        let name = name.to_ascii_lowercase();
        let name = name.rsplit('/').next().unwrap_or_default();
        let tag = name.split_once(':').map(|(_, tag)| tag);
        let mut is_short = tag.is_some_and(has_size);
        let mut words = Vec::new();
        for part in name.split(['-', ':', '.']) {
            let is_server_word = SERVER_WORDS.contains(&part);
            is_short |= is_server_word && has_size(name);
            if !is_server_word && !is_number_format(part) {
                words.extend(split_words(part));
            }
        }
        ModelName { words, is_short }
    }

    /// Whether this name of a server is a name of the model that is listed as `listed`.
    pub(super) fn is_name_of(&self, listed: &str) -> bool {
        let listed = ModelName::parse(listed).words;
        !self.words.is_empty()
            && (self.words == listed || self.is_short && listed.starts_with(&self.words))
    }

    /// Whether this name contains the words of a part of a name.
    pub(super) fn contains(&self, part: &str) -> bool {
        let part = ModelName::parse(part).words;
        self.words
            .windows(part.len().max(1))
            .any(|words| words == part)
    }

    /// The name without its size, if it has one.
    pub(super) fn without_size(&self) -> Option<ModelName> {
        let at = self.words.windows(2).position(is_size)?;
        Some(ModelName {
            words: self.words[..at].to_vec(),
            is_short: false,
        })
    }
}

/// Whether a part of a name is a format of numbers: those of llama.cpp are `Q4_K_M`, `IQ3_XS` and the like.
fn is_number_format(part: &str) -> bool {
    let quantization = part.strip_prefix("iq").or_else(|| part.strip_prefix('q'));
    quantization.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        || NUMBER_FORMATS.contains(&part)
}

/// Runs of letters and runs of digits: `llama3` and `llama-3` have the same words.
fn split_words(part: &str) -> impl Iterator<Item = String> {
    let mut words: Vec<String> = Vec::new();
    let mut last = None;
    for c in part.chars() {
        let kind = (c.is_alphanumeric(), c.is_ascii_digit());
        match words.last_mut() {
            Some(word) if last == Some(kind) => word.push(c),
            _ if kind.0 => words.push(c.to_string()),
            _ => {}
        }
        last = Some(kind);
    }
    words.into_iter()
}

/// Whether a name contains the size of a model, in billions or millions of parameters.
fn has_size(name: &str) -> bool {
    let words: Vec<String> = split_words(name).collect();
    words.windows(2).any(is_size)
}

fn is_size(pair: &[String]) -> bool {
    pair[0].starts_with(|c: char| c.is_ascii_digit()) && matches!(pair[1].as_str(), "b" | "m")
}
