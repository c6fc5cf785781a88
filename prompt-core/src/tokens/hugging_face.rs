//! The tokenizer of a Hugging Face model, loaded from `tokenizer.json`.

use std::fmt;
use std::ops::Range;
use std::path::Path;

use tokenizers::{AddedToken, Encoding};

use super::{Token, TokenRun, Tokenizer, runs};
use crate::{Error, ErrorKind, Result};

/// The tokenizer of a model on Hugging Face: its `tokenizer.json`.
///
/// Every token that the file adds to the vocabulary is a control token, save those of white space alone: some models
/// call theirs special and some do not, and data may forge neither.
///
/// ```
/// use typed_prompt::tokens::HuggingFace;
///
/// let error = HuggingFace::load("no/such/tokenizer.json").unwrap_err();
/// assert!(error.to_string().contains("no/such/tokenizer.json"));
/// ```
#[derive(Clone)]
#[must_use = "a tokenizer is given to `prompt.to_tokens(…)`"]
pub struct HuggingFace {
    whole: tokenizers::Tokenizer,
    /// The same, with every control token read as text.
    text: tokenizers::Tokenizer,
    controls: Vec<(String, u32)>,
}

impl HuggingFace {
    /// Reads a `tokenizer.json`.
    ///
    /// # Errors
    /// The file does not exist, is not JSON, or is not a tokenizer.
    pub fn load(path: impl AsRef<Path>) -> Result<HuggingFace> {
        let path = path.as_ref();
        let bytes = prompt_base::file::read_file(path, 256).map_err(|error| {
            let message = format!("the tokenizer `{}` cannot be read: {error}", path.display());
            Error::new(ErrorKind::Tokenizer, message)
                .with_help("give the path of the `tokenizer.json` that the model comes with")
        })?;
        HuggingFace::from_bytes(&bytes, &format!("`{}`", path.display()))
    }

    /// Reads the text of a `tokenizer.json`.
    ///
    /// # Errors
    /// The text is not JSON, or is not a tokenizer.
    ///
    /// ```
    /// use typed_prompt::tokens::HuggingFace;
    ///
    /// assert!(HuggingFace::parse("{}").is_err());
    /// ```
    pub fn parse(json: impl AsRef<[u8]>) -> Result<HuggingFace> {
        HuggingFace::from_bytes(json.as_ref(), "the text")
    }

    fn from_bytes(bytes: &[u8], name: &str) -> Result<HuggingFace> {
        let wrong = |what: &str, error: &dyn fmt::Display| {
            let message = format!("{name} is not {what}: {error}");
            Error::new(ErrorKind::Tokenizer, message)
                .with_help("`tokenizer.json` is wanted, not `tokenizer_config.json`, `vocab.json` or `tokenizer.model`")
        };
        serde_json::from_slice::<serde_core::de::IgnoredAny>(bytes)
            .map_err(|error| wrong("JSON", &error))?;
        let mut whole = tokenizers::Tokenizer::from_bytes(bytes)
            .map_err(|error| wrong("a tokenizer", &error))?;
        let unlimited = whole.with_truncation(None).is_ok();
        debug_assert!(unlimited, "the absence of a limit is valid");
        whole.with_padding(None);
        let mut added: Vec<(u32, AddedToken)> = whole
            .get_added_tokens_decoder()
            .into_iter()
            .filter(|(_, token)| !token.content.trim().is_empty())
            .collect();
        added.sort_by_key(|(id, _)| *id);
        let mut text = whole.clone();
        let special = added.iter().map(|(_, token)| AddedToken {
            special: true,
            ..token.clone()
        });
        text.add_special_tokens(special.collect::<Vec<_>>())
            .map_err(|error| wrong("a tokenizer", &error))?;
        text.set_encode_special_tokens(true);
        Ok(HuggingFace {
            whole,
            text,
            controls: added
                .into_iter()
                .map(|(id, token)| (token.content, id))
                .collect(),
        })
    }

    fn control_token(&self, id: u32) -> Option<&str> {
        let at = self
            .controls
            .binary_search_by_key(&id, |control| control.1)
            .ok()?;
        Some(&self.controls[at].0)
    }
}

impl Tokenizer for HuggingFace {
    fn controls(&self) -> &[(String, u32)] {
        &self.controls
    }

    fn encode_text(&self, text: &str) -> Result<Vec<Token>> {
        encoded_tokens(self.text.encode(text, false))
    }

    /// The model's own ids, unless data forges a control token.
    fn encode(&self, text: &str, data: &[Range<usize>]) -> Result<Vec<Token>> {
        let own = encoded_tokens(self.whole.encode(text, false))?;
        let is_forged = |token: &Token| {
            let Some(control) = self.control_token(token.id) else {
                return false;
            };
            // Some take the white space beside them with them, and that may be data.
            let inside = text[token.range.clone()].find(control);
            let range = inside.map_or(token.range.clone(), |at| {
                let start = token.range.start + at;
                start..start + control.len()
            });
            let at = data.partition_point(|data| data.end <= range.start);
            data.get(at).is_some_and(|data| data.start < range.end)
        };
        if !own.iter().any(is_forged) {
            return Ok(own);
        }
        let mut tokens = Vec::new();
        for run in runs(text, data, &self.controls) {
            match run {
                TokenRun::Control(token) => tokens.push(token),
                TokenRun::Text(range) => {
                    let inside = self.encode_text(&text[range.clone()])?;
                    tokens.extend(inside.into_iter().map(|token| token.shift_by(range.start)));
                }
            }
        }
        Ok(tokens)
    }
}

fn encoded_tokens(encoding: tokenizers::Result<Encoding>) -> Result<Vec<Token>> {
    let encoding = encoding.map_err(|error| {
        let message = format!("the tokenizer cannot encode this text: {error}");
        Error::new(ErrorKind::Tokenizer, message)
    })?;
    let ids = encoding.get_ids().iter().zip(encoding.get_offsets());
    Ok(ids
        .map(|(id, (start, end))| Token {
            id: *id,
            range: *start..*end,
        })
        .collect())
}

impl fmt::Debug for HuggingFace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HuggingFace({} control tokens)", self.controls.len())
    }
}
