//! OpenAI's tokenizers, by model name.

use std::collections::HashSet;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tiktoken_rs::CoreBPE;

use super::{Token, Tokenizer};
use crate::{Error, ErrorKind, Prompt, Result};

/// A tokenizer of OpenAI's; its vocabularies are part of the program.
///
/// ```
/// use typed_prompt::tokens::{Tiktoken, Tokenizer};
///
/// let tokenizer = Tiktoken::from_model("gpt-4o")?;
/// assert_eq!(tokenizer.encode_text("Hi there")?.len(), 2);
/// assert!(Tiktoken::from_model("gpt-tomorrow").is_err());
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[derive(Clone)]
#[must_use = "a tokenizer is given to `prompt.to_tokens(…)`"]
pub struct Tiktoken {
    name: String,
    bpe: &'static CoreBPE,
    controls: Vec<(String, u32)>,
}

impl Tiktoken {
    /// The tokenizer of a model of OpenAI's.
    ///
    /// # Errors
    /// The model is unknown.
    ///
    /// ```
    /// assert!(typed_prompt::tokens::Tiktoken::from_model("gpt-4").is_ok());
    /// ```
    pub fn from_model(model: &str) -> Result<Tiktoken> {
        let bpe = tiktoken_rs::bpe_for_model(model).map_err(|_| {
            let message = format!("no tokenizer is known for the model `{model}`");
            Error::new(ErrorKind::Tokenizer, message)
                .with_help("name a model of OpenAI's, such as `gpt-4o`; for others, give `HuggingFace::load` their `tokenizer.json`")
        })?;
        let mut controls: Vec<(String, u32)> = Vec::new();
        for token in bpe.special_tokens() {
            let alone = HashSet::from([token]);
            if let Ok((ids, _)) = bpe.encode(token, &alone)
                && let [id] = ids[..]
            {
                controls.push((token.to_owned(), id));
            }
        }
        controls.sort_by_key(|control| control.1);
        Ok(Tiktoken {
            name: model.to_owned(),
            bpe,
            controls,
        })
    }
}

/// Tokens around each message, and those that begin the answer, as OpenAI's documentation gives them.
const PER_MESSAGE: usize = 3;
const PER_NAME: usize = 1;
const BEFORE_ANSWER: usize = 3;

impl Tiktoken {
    /// Returns the number of tokens of a conversation that is sent to OpenAI's chat API, with those that the API adds around each
    /// message. It is for budgets: the API's own count can differ by a few tokens.
    ///
    /// ```
    /// use typed_prompt::{History, Prompt, tokens::Tiktoken};
    ///
    /// #[derive(Prompt)]
    /// #[prompt(user = "<question>")]
    /// struct Chat<'a> {
    ///     #[prompt(history)]
    ///     turns: &'a History,
    ///     question: &'a str,
    /// }
    ///
    /// let tokenizer = Tiktoken::from_model("gpt-4o")?;
    /// let mut turns = History::from([("Hi", "Hello! How can I help?"), ("Who are you?", "A bot.")]);
    /// while tokenizer.count_chat(&Chat { turns: &turns, question: "And now?" })? > 30 {
    ///     turns.drain(..2);
    /// }
    /// assert_eq!(turns.len(), 2);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of the prompt, and media, tools and calls of tools, whose number of tokens is not documented.
    pub fn count_chat<P: Prompt + ?Sized>(&self, prompt: &P) -> Result<usize> {
        let messages = prompt.messages()?;
        let count = |text: &str| self.encode_text(text).map(|tokens| tokens.len());
        let refuse = |what: &str| {
            let message = format!("the number of tokens of {what} is not known");
            Err(Error::new(ErrorKind::Unsupported, message)
                .with_help("take it from the usage of the reply"))
        };
        if !messages.tools().is_empty() {
            return refuse("tools");
        }
        let mut tokens = BEFORE_ANSWER;
        for message in &messages {
            if !message.is_text() {
                return refuse("media");
            }
            if !message.tool_calls.is_empty() {
                return refuse("calls of tools");
            }
            tokens += PER_MESSAGE + count(message.role.name())? + count(&message.text())?;
            if let Some(name) = &message.name {
                tokens += PER_NAME + count(name)?;
            }
        }
        Ok(tokens)
    }
}

impl Tokenizer for Tiktoken {
    fn controls(&self) -> &[(String, u32)] {
        &self.controls
    }

    fn encode_text(&self, text: &str) -> Result<Vec<Token>> {
        // The library panics where its regular expressions give up, as they may on a text of one long word.
        let failed = || {
            let message = format!("the tokenizer of `{}` gives up on this text", self.name);
            Error::new(ErrorKind::Tokenizer, message)
                .with_help("a very long run of spaces or letters may be why: break it")
        };
        let ids = catch_unwind(AssertUnwindSafe(|| self.bpe.encode_ordinary(text)))
            .map_err(|_| failed())?;
        let mut end = 0;
        ids.into_iter()
            .map(|id| {
                let start = end;
                end += self.bpe.decode_bytes(&[id]).map_err(|_| failed())?.len();
                Ok(Token {
                    id,
                    range: start..end,
                })
            })
            .collect()
    }
}

impl fmt::Debug for Tiktoken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tiktoken({})", self.name)
    }
}
