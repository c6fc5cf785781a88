//! Models for programs without an asynchronous runtime.

use std::fmt;

use prompt_core::{Chunk, Error, ErrorKind, Llm, Prompt, Reply, Request, Result};
use tokio::runtime::{Builder, Handle, Runtime};

use crate::stream::ReplyStream;
use crate::streaming_llm::StreamingLlm;

/// A model whose calls block the thread, for programs without an asynchronous runtime.
///
/// ```no_run
/// use typed_prompt::{Message, Messages, client::{Blocking, ChatModel}};
///
/// let llm = Blocking::new(ChatModel::new("openai::gpt-4o")?)?;
/// let answer = llm.call(&Messages::from([Message::user("How deep is it?")]))?;
/// # Ok::<(), typed_prompt::Error>(())
/// ```
///
/// Inside an asynchronous runtime its methods return an error, since they would block the runtime.
#[must_use = "this is a model of its own: call it in place of the one inside"]
pub struct Blocking<L> {
    model: L,
    /// `None` only while dropping.
    runtime: Option<Runtime>,
}

impl<L: Llm> Blocking<L> {
    /// Wraps a model.
    ///
    /// # Errors
    /// The runtime cannot be created: the system has no resources left.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, MockLlm, client::Blocking};
    ///
    /// let llm = Blocking::new(MockLlm::new(["Nine metres."]))?;
    /// assert_eq!(llm.call(&Messages::from([Message::user("How deep is it?")]))?, "Nine metres.");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn new(model: L) -> Result<Blocking<L>> {
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| {
                Error::new(
                    ErrorKind::Model,
                    format!("the runtime cannot be created: {error}"),
                )
                .with_source(error)
            })?;
        Ok(Blocking {
            model,
            runtime: Some(runtime),
        })
    }

    /// The wrapped model.
    pub fn model(&self) -> &L {
        &self.model
    }

    /// As [`Llm::call`].
    ///
    /// # Errors
    /// As [`Llm::call`], and if called inside an asynchronous runtime.
    pub fn call<P: Prompt>(&self, prompt: P) -> Result<P::Output> {
        self.block_on(self.model.call(prompt))
    }

    /// As [`Llm::send`].
    ///
    /// # Errors
    /// As [`Llm::send`], and if called inside an asynchronous runtime.
    pub fn send(&self, request: &Request) -> Result<Reply> {
        self.block_on(self.model.send(request))
    }

    /// Waits for a call with its options and its report, for a tool loop, or for any other future of a model.
    ///
    /// ```
    /// use typed_prompt::{Llm, Message, Messages, MockLlm, client::Blocking};
    ///
    /// let llm = Blocking::new(MockLlm::new(["Nine metres."]))?;
    /// let ask = Messages::from([Message::user("How deep is it?")]);
    /// let answered = llm.block_on(llm.model().call(&ask).temperature(0.0).detailed())?;
    /// assert_eq!((&*answered.value, answered.attempts.len()), ("Nine metres.", 1));
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of the future, and if called inside an asynchronous runtime.
    pub fn block_on<T>(&self, future: impl IntoFuture<Output = Result<T>>) -> Result<T> {
        match &self.runtime {
            Some(runtime) if Handle::try_current().is_err() => {
                runtime.block_on(future.into_future())
            }
            _ => Err(Error::new(
                ErrorKind::Model,
                "a blocking call inside an asynchronous runtime would block the runtime",
            )
            .with_help("use the model without `Blocking`, and `.await` the call")),
        }
    }
}

impl<L: StreamingLlm> Blocking<L> {
    /// As [`StreamingLlm::stream`], as an iterator.
    ///
    /// ```no_run
    /// use typed_prompt::{Message, Messages, Request, client::{Blocking, ChatModel}};
    ///
    /// let llm = Blocking::new(ChatModel::new("openai::gpt-4o")?)?;
    /// let request = Request::from_prompt(&Messages::from([Message::user("Tell me a story.")]))?;
    /// for chunk in llm.stream(&request)? {
    ///     print!("{}", chunk?.text().unwrap_or_default());
    /// }
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`StreamingLlm::stream`], and if called inside an asynchronous runtime.
    pub fn stream(&self, request: &Request) -> Result<BlockingStream<'_, L>> {
        let stream = self.block_on(self.model.stream(request))?;
        Ok(BlockingStream {
            model: self,
            stream,
            failed: false,
        })
    }
}

impl<L> Drop for Blocking<L> {
    fn drop(&mut self) {
        // Dropping a runtime inside another one would panic.
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

/// An iterator over the chunks of a reply; see [`Blocking::stream`].
#[must_use = "an answer arrives while its stream is read"]
pub struct BlockingStream<'a, L> {
    model: &'a Blocking<L>,
    stream: ReplyStream,
    failed: bool,
}

impl<L> BlockingStream<'_, L> {
    /// The text that has arrived so far: empty before the first chunk is read. The whole text is `stream.finish()?.text`.
    #[doc(alias = "text")]
    pub fn text_so_far(&self) -> &str {
        self.stream.text_so_far()
    }

    /// The reply, once it is complete.
    pub fn reply(&self) -> Option<&Reply> {
        self.stream.reply()
    }
}

impl<L: Llm> BlockingStream<'_, L> {
    /// Waits for the end of the reply, and returns it.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, MockLlm, Request, client::Blocking};
    ///
    /// let llm = Blocking::new(MockLlm::new(["Once upon a time"]))?;
    /// let request = Request::from_prompt(&Messages::from([Message::user("Tell me a story.")]))?;
    /// assert_eq!(llm.stream(&request)?.finish()?.text, "Once upon a time");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`ReplyStream::finish`], and if called inside an asynchronous runtime.
    pub fn finish(self) -> Result<Reply> {
        self.model.block_on(self.stream.finish())
    }
}

impl<L: Llm> Iterator for BlockingStream<'_, L> {
    type Item = Result<Chunk>;

    fn next(&mut self) -> Option<Result<Chunk>> {
        if self.failed {
            return None;
        }
        let stream = &mut self.stream;
        let next = async { stream.next().await.transpose() };
        let next = self.model.block_on(next);
        self.failed = next.is_err();
        next.transpose()
    }
}

impl<L: fmt::Debug> fmt::Debug for BlockingStream<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.stream.fmt(f)
    }
}
