//! What is asked for a row, and who answers.

use std::io::Write;

use prompt_core::{BoxFuture, Llm, Messages, Options, Prompt, Reply, Request, Shots};

use crate::retrieve::Query;
use crate::{Budget, Conversation, Examples, Result, Row};

/// How a row becomes what is asked.
pub(crate) struct Preparing<R> {
    pub(crate) examples: Option<(Examples, Box<SetShots<R>>)>,
    pub(crate) like: Option<Box<ToText<R>>>,
    pub(crate) budget: Option<Budget>,
    pub(crate) turns: Option<Box<ToConversation<R>>>,
    pub(crate) options: Options,
}

type SetShots<R> = dyn Fn(&mut R, Shots) + Send;
type ToText<R> = dyn Fn(&R) -> String + Send;
type ToConversation<R> = dyn Fn(&R) -> Result<Conversation> + Send;

/// What a row is asked.
pub(crate) struct Asked<A> {
    pub(crate) ask: A,
    /// The fingerprint of what is asked.
    pub(crate) prompt: u64,
    /// Examples that were left out.
    pub(crate) dropped: usize,
}

/// A prompt, or a conversation that is asked turn by turn.
pub(crate) enum Question {
    Once(Request),
    Turns(Conversation, Options),
}

/// What came of a row.
#[derive(Default)]
pub(crate) struct Answered {
    /// The answers, and what was right for each turn of a conversation.
    pub(crate) replies: Vec<(Reply, Option<String>)>,
    pub(crate) ranked: Option<Ranked>,
}

/// How likely each choice is, and which is right.
pub(crate) struct Ranked {
    pub(crate) likelihoods: Vec<(String, f64)>,
    pub(crate) gold: String,
}

/// Makes what a row is asked.
pub(crate) type Prepare<R, A> = Box<dyn FnMut(&mut Row<R>) -> Result<Asked<A>> + Send>;

/// Who answers what.
pub(crate) trait Answers<'a, A>: Copy + Send {
    fn answers(self, ask: A) -> BoxFuture<'a, prompt_core::Result<Answered>>;
}

impl<R: Prompt> Preparing<R> {
    /// Puts the examples into a row; says how many were left out.
    pub(crate) fn ready(&mut self, row: &mut Row<R>) -> Result<usize> {
        let Some((examples, set)) = &mut self.examples else {
            if let Some(budget) = &self.budget {
                budget.fit(Shots::new(), |_| row.value.messages())?;
            }
            return Ok(0);
        };
        let text = self.like.as_ref().map(|like| like(&row.value));
        let query = Query::row(row.index()).text(text.as_deref().unwrap_or_default());
        let shots = examples.choose(&query)?;
        let Some(budget) = &self.budget else {
            set(&mut row.value, shots);
            return Ok(0);
        };
        let fitted = budget.fit(shots, |shots| {
            set(&mut row.value, shots.clone());
            row.value.messages()
        })?;
        set(&mut row.value, fitted.shots);
        Ok(fitted.dropped)
    }

    /// What a row is asked, with its examples.
    pub(crate) fn asked(&mut self, row: &mut Row<R>) -> Result<Asked<Question>> {
        let dropped = self.ready(row)?;
        let ask = match &self.turns {
            Some(turns) => Question::Turns(turns(&row.value)?, self.options.clone()),
            None => Question::Once(Request::of(&row.value)?.with_options(self.options.clone())),
        };
        let messages = match &ask {
            Question::Once(request) => &request.messages,
            Question::Turns(conversation, _) => conversation.messages(),
        };
        let prompt = fingerprint(messages);
        Ok(Asked {
            ask,
            prompt,
            dropped,
        })
    }
}

impl Question {
    /// What is sent first, and a word on it.
    pub(crate) fn first(&self) -> (Messages, &'static str) {
        match self {
            Question::Once(request) => (request.messages.clone(), ""),
            Question::Turns(conversation, _) => {
                (conversation.request().unwrap_or_default(), " (first turn)")
            }
        }
    }
}

impl<'a> Answers<'a, Question> for &'a dyn Llm {
    fn answers(self, ask: Question) -> BoxFuture<'a, prompt_core::Result<Answered>> {
        Box::pin(async move {
            let mut answered = Answered::default();
            match ask {
                Question::Once(request) => {
                    answered.replies.push((self.send(&request).await?, None));
                }
                Question::Turns(mut conversation, options) => {
                    while let Some(messages) = conversation.request() {
                        let request = Request::of(&messages)?.with_options(options.clone());
                        let reply = self.send(&request).await?;
                        let gold = conversation.gold();
                        conversation.answer(&reply.text);
                        answered.replies.push((reply, gold));
                    }
                }
            }
            Ok(answered)
        })
    }
}

/// A fingerprint of what is asked (FNV-1a over its JSON), never 0.
pub(crate) fn fingerprint(asked: &impl serde::Serialize) -> u64 {
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    // What cannot be serialized cannot be sent either.
    drop(serde_json::to_writer(&mut hash, asked));
    hash.0.max(1)
}

struct Fnv(u64);

impl Write for Fnv {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
