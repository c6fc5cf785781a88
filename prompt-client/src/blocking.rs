use std::fmt;

use prompt_core::{Error, ErrorKind, Llm, Options, Prompt, Reply, Request, Result};
use tokio::runtime::{Builder, Handle, Runtime};

use crate::stream::{Chunk, Stream, Streaming};

/// A model for programs without an asynchronous runtime: each call waits for its answer.
///
/// ```no_run
/// use prompt_client::{Blocking, Chat};
/// use prompt_core::{Message, Messages};
///
/// let llm = Blocking::new(Chat::new("openai::gpt-4o")?)?;
/// let answer = llm.call(&Messages::from([Message::user("How deep is it?")]))?;
/// # Ok::<(), prompt_core::Error>(())
/// ```
///
/// Inside a runtime its methods give an error, since waiting would hold up the runtime.
pub struct Blocking<L> {
    model: L,
    /// `None` only while it is dropped.
    runtime: Option<Runtime>,
}

impl<L: Llm> Blocking<L> {
    /// Wraps a model.
    ///
    /// # Errors
    /// No runtime can be made: the system has no resources left.
    ///
    /// ```
    /// use prompt_client::Blocking;
    /// use prompt_core::{Message, Messages, Scripted};
    ///
    /// let llm = Blocking::new(Scripted::new(["Nine metres."]))?;
    /// assert_eq!(llm.call(&Messages::from([Message::user("How deep is it?")]))?, "Nine metres.");
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn new(model: L) -> Result<Blocking<L>> {
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| {
                Error::new(ErrorKind::Model, format!("no runtime can be made: {error}"))
                    .with_source(error)
            })?;
        Ok(Blocking {
            model,
            runtime: Some(runtime),
        })
    }

    /// The model itself.
    pub fn model(&self) -> &L {
        &self.model
    }

    /// As [`Llm::call`].
    ///
    /// # Errors
    /// As [`Llm::call`], and inside a runtime.
    pub fn call<P: Prompt>(&self, prompt: P) -> Result<P::Output> {
        self.wait(self.model.call(prompt))?
    }

    /// As [`Llm::call_with`].
    ///
    /// # Errors
    /// As [`Llm::call_with`], and inside a runtime.
    pub fn call_with<P: Prompt>(&self, prompt: P, options: Options) -> Result<P::Output> {
        self.wait(self.model.call_with(prompt, options))?
    }

    /// As [`Llm::send`].
    ///
    /// # Errors
    /// As [`Llm::send`], and inside a runtime.
    pub fn send(&self, request: &Request) -> Result<Reply> {
        self.wait(self.model.send(request))?
    }

    fn wait<F: Future>(&self, future: F) -> Result<F::Output> {
        match &self.runtime {
            Some(runtime) if Handle::try_current().is_err() => Ok(runtime.block_on(future)),
            _ => Err(Error::new(
                ErrorKind::Model,
                "a blocking call inside an asynchronous runtime would hold it up",
            )
            .with_help("use the model without `Blocking`, and `.await` it")),
        }
    }
}

impl<L: Streaming> Blocking<L> {
    /// As [`Streaming::stream`], as an iterator.
    ///
    /// ```no_run
    /// use prompt_client::{Blocking, Chat};
    /// use prompt_core::{Message, Messages, Request};
    ///
    /// let llm = Blocking::new(Chat::new("openai::gpt-4o")?)?;
    /// let request = Request::of(&Messages::from([Message::user("Tell me a story.")]))?;
    /// for chunk in llm.stream(&request)? {
    ///     print!("{}", chunk?.text().unwrap_or_default());
    /// }
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Streaming::stream`], and inside a runtime.
    pub fn stream(&self, request: &Request) -> Result<BlockingStream<'_, L>> {
        let stream = self.wait(self.model.stream(request))??;
        Ok(BlockingStream {
            model: self,
            stream,
            misused: false,
        })
    }
}

impl<L> Drop for Blocking<L> {
    fn drop(&mut self) {
        // A runtime that is dropped inside another one would panic.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl<L: fmt::Debug> fmt::Debug for Blocking<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Blocking").field(&self.model).finish()
    }
}

/// The pieces of an answer, one after another; see [`Blocking::stream`].
pub struct BlockingStream<'a, L> {
    model: &'a Blocking<L>,
    stream: Stream,
    misused: bool,
}

impl<L> BlockingStream<'_, L> {
    /// The text that has come so far.
    pub fn text(&self) -> &str {
        self.stream.text()
    }

    /// The whole answer, once it is there.
    pub fn reply(&self) -> Option<&Reply> {
        self.stream.reply()
    }
}

impl<L: Llm> Iterator for BlockingStream<'_, L> {
    type Item = Result<Chunk>;

    fn next(&mut self) -> Option<Result<Chunk>> {
        if self.misused {
            return None;
        }
        self.model.wait(self.stream.next()).unwrap_or_else(|error| {
            self.misused = true;
            Some(Err(error))
        })
    }
}

impl<L: fmt::Debug> fmt::Debug for BlockingStream<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.stream.fmt(f)
    }
}
