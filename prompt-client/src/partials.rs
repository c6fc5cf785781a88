use std::fmt;
use std::marker::PhantomData;

use prompt_core::output::{Parsed, Schema};
use prompt_core::{Error, ErrorKind, Prompt, Reply, Result};

use crate::stream::Stream;

/// A typed answer that grows while it comes; see [`Streaming::partials`](crate::Streaming::partials).
pub struct Partials<P> {
    stream: Stream,
    schema: Schema,
    /// How much of the text the last value was read from.
    read: usize,
    last: Option<Parsed>,
    prompt: PhantomData<fn() -> P>,
}

impl<P: Prompt> Partials<P> {
    pub(crate) fn new(stream: Stream, schema: &serde_json::Value) -> Result<Partials<P>> {
        let schema = Schema::new(schema).map_err(|error| {
            Error::new(ErrorKind::Output, error.to_string()).with_prompt(&P::INFO)
        })?;
        Ok(Partials {
            stream,
            schema,
            read: 0,
            last: None,
            prompt: PhantomData,
        })
    }

    /// The next value: as much of the answer as has come, each time more of it has. Fields that have not come are absent,
    /// and [`Parsed::is_final`] says of each whether it is there to stay.
    ///
    /// `None` when the answer is whole; [`finish`](Partials::finish) then gives it typed.
    ///
    /// # Errors
    /// As [`Stream::next`].
    pub async fn next(&mut self) -> Option<Result<Parsed>> {
        loop {
            match self.stream.next().await {
                Some(Ok(_)) => {}
                Some(Err(error)) => return Some(Err(error.with_prompt(&P::INFO))),
                None => return None,
            }
            let text = self.stream.text();
            // A long text is read anew only when it has grown by a little, or each letter would cost all before it.
            if text.len() - self.read < self.read / 256 + 1 {
                continue;
            }
            self.read = text.len();
            let Some(parsed) = self.schema.parse_partial(text) else {
                continue;
            };
            // How it was read may change without a change of what was read.
            let same = |last: &Parsed| last.value == parsed.value && last.open == parsed.open;
            if !self.last.as_ref().is_some_and(same) {
                self.last = Some(parsed.clone());
                return Some(Ok(parsed));
            }
        }
    }

    /// Waits for the whole answer, and reads it.
    ///
    /// # Errors
    /// As [`Stream::next`], and an answer that does not fit.
    pub async fn finish(self) -> Result<P::Output> {
        let known = |error: Error| error.with_prompt(&P::INFO);
        let reply = self.stream.finish().await.map_err(known)?;
        P::read(&reply).map_err(known)
    }

    /// The text that has come so far.
    pub fn text(&self) -> &str {
        self.stream.text()
    }

    /// What the model has thought so far, where that is told apart from the answer; it is no part of the value.
    pub fn reasoning(&self) -> Option<&str> {
        self.stream.reasoning()
    }

    /// The whole answer, once it is there.
    pub fn reply(&self) -> Option<&Reply> {
        self.stream.reply()
    }
}

impl<P> fmt::Debug for Partials<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Partials").field(&self.stream).finish()
    }
}
