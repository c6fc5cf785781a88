mod chunk;

use std::collections::VecDeque;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_core::Stream as _;
use prompt_core::{
    BoxFuture, Error, Finish, Llm, Recorded, Reply, Request, Result, Scripted, Structured,
    ToolCall, Usage,
};
#[cfg(feature = "schema")]
use prompt_core::{ErrorKind, Options, Prompt};

pub use self::chunk::Chunk;
use crate::failure::{Cause, Failure};
use crate::fault;
#[cfg(feature = "schema")]
use crate::partials::Partials;
use crate::trace::Span;

/// A model that can answer piece by piece.
///
/// ```no_run
/// use prompt_client::{Chat, Chunk, Streaming};
/// use prompt_core::{Message, Messages, Request};
///
/// # async fn run() -> prompt_core::Result<()> {
/// let llm = Chat::new("openai::gpt-4o")?;
/// let request = Request::of(&Messages::from([Message::user("Tell me a story.")]))?;
/// let mut stream = llm.stream(&request).await?;
/// while let Some(chunk) = stream.next().await {
///     if let Chunk::Text(text) = chunk? {
///         print!("{text}");
///     }
/// }
/// # Ok(())
/// # }
/// ```
pub trait Streaming: Llm {
    /// Sends a request and waits for the beginning of the answer.
    ///
    /// The request is sent again as [`Retry`](crate::Retry) says while nothing has come, and never after that.
    ///
    /// # Errors
    /// A model that cannot be reached, or does not begin to answer.
    fn stream<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Stream>>;

    /// Asks a prompt, and gives its answer as it grows: fields appear as they come.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// # use prompt_core::{Fingerprint, Prompt, PromptInfo, Reply, Result, Role, Slots, Writer, private};
    /// # struct Ask;
    /// # impl Prompt for Ask {
    /// #     type Output = City;
    /// #     const INFO: PromptInfo = PromptInfo {
    /// #         name: "Ask", doc: "", model: None, slots: Slots::NONE, file: "", line: 1, column: 1, fingerprint: Fingerprint(0),
    /// #     };
    /// #     fn render(&self, out: &mut Writer) { out.role(Role::User); out.text("Name a city."); }
    /// #     fn output_schema() -> Option<serde_json::Value> { private::json_schema::<City>() }
    /// #     fn read(reply: &Reply) -> Result<City> { private::read_json(reply) }
    /// # }
    /// use prompt_client::Streaming;
    /// use prompt_core::{Options, Scripted};
    ///
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct City { name: String, people: u32 }
    ///
    /// let llm = Scripted::new([r#"{"name": "Brest", "people": 139000}"#]);
    /// let mut partials = llm.partials(&Ask, Options::default()).await?; // `Ask` has the output `City`
    /// while let Some(partial) = partials.next().await {
    ///     let partial = partial?;
    ///     println!("{} (name complete: {})", partial.value, partial.is_final("/name"));
    /// }
    /// let city: City = partials.finish().await?;
    /// # assert_eq!((&*city.name, city.people), ("Brest", 139_000));
    /// # Ok::<(), prompt_core::Error>(()) }).unwrap();
    /// ```
    ///
    /// # Errors
    /// As [`stream`](Streaming::stream), and a prompt whose answer is plain text.
    #[cfg(feature = "schema")]
    fn partials<P: Prompt>(
        &self,
        prompt: &P,
        options: Options,
    ) -> impl Future<Output = Result<Partials<P>>> + Send
    where
        Self: Sized,
    {
        let request = Request::of(prompt).map(|request| request.with_options(options));
        async move {
            let request = request?;
            let Some(schema) = &request.schema else {
                let message = format!("the answer of `{}` is plain text", P::INFO.name);
                return Err(
                    Error::new(ErrorKind::Output, message).with_help("use `Streaming::stream`")
                );
            };
            let stream = self
                .stream(&request)
                .await
                .map_err(|error| error.with_prompt(&P::INFO))?;
            Partials::new(stream, schema)
        }
    }
}

macro_rules! pointers {
    ($($ty:ty)*) => {$(
        impl<L: Streaming + ?Sized> Streaming for $ty {
            fn stream<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Stream>> {
                (**self).stream(request)
            }
        }
    )*};
}

pointers! { &L Box<L> Arc<L> }

/// Each answer of the script comes in one piece.
impl Streaming for Scripted {
    fn stream<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Stream>> {
        Box::pin(async { Ok(Stream::from(self.send(request).await?)) })
    }
}

/// Each answer comes in one piece.
impl Streaming for Recorded {
    fn stream<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Stream>> {
        Box::pin(async { Ok(Stream::from(self.send(request).await?)) })
    }
}

/// An answer that comes piece by piece. Dropping it ends the request.
///
/// It is a [`futures_core::Stream`] too. After an error nothing more comes.
///
/// ```no_run
/// # use prompt_client::{Chat, Streaming};
/// # use prompt_core::{Message, Messages, Request};
/// # async fn run() -> prompt_core::Result<()> {
/// # let llm = Chat::new("openai::gpt-4o")?;
/// # let request = Request::of(&Messages::from([Message::user("Hi")]))?;
/// let reply = llm.stream(&request).await?.finish().await?;
/// println!("{} ({:?})", reply.text, reply.usage);
/// # Ok(())
/// # }
/// ```
pub struct Stream {
    events: Option<Events>,
    /// What was read to see that the answer begins.
    ready: VecDeque<Event>,
    reply: Reply,
    /// The calls of tools that have not been handed out.
    calls: VecDeque<ToolCall>,
    ended: bool,
    limit: usize,
    /// `None` for an answer that was there from the beginning.
    span: Option<Span>,
    fail: Box<dyn Fn(Failure) -> Error + Send + Sync>,
}

/// What a model's own way to stream is turned into.
#[derive(Debug)]
pub(crate) enum Event {
    Text(String),
    Reasoning(String),
    /// The answer is whole.
    End(End),
}

#[derive(Debug, Default)]
pub(crate) struct End {
    pub(crate) tool_calls: Vec<ToolCall>,
    pub(crate) usage: Option<Usage>,
    pub(crate) model: Option<String>,
    pub(crate) finish: Option<Finish>,
}

pub(crate) type Events = Pin<Box<dyn futures_core::Stream<Item = Result<Event, Failure>> + Send>>;

/// A stream whose first event has come.
pub(crate) struct Begun {
    pub(crate) first: Event,
    pub(crate) rest: Events,
}

/// Waits for the first event that says anything.
pub(crate) async fn begin(mut events: Events) -> Result<Begun, Failure> {
    match std::future::poll_fn(|cx| events.as_mut().poll_next(cx)).await {
        Some(Ok(first)) => Ok(Begun {
            first,
            rest: events,
        }),
        Some(Err(failure)) => Err(failure),
        None => Err(Failure::new(
            Cause::Protocol,
            "the stream ended without an event; the server may not stream",
        )),
    }
}

/// A reply of which nothing has come.
fn empty(structured: Option<Structured>) -> Reply {
    let mut reply = Reply::default();
    reply.structured = structured;
    reply
}

impl Stream {
    pub(crate) fn new(
        begun: Begun,
        limit: usize,
        structured: Option<Structured>,
        span: Span,
        fail: impl Fn(Failure) -> Error + Send + Sync + 'static,
    ) -> Stream {
        Stream {
            events: Some(begun.rest),
            ready: VecDeque::from([begun.first]),
            reply: empty(structured),
            calls: VecDeque::new(),
            ended: false,
            limit,
            span: Some(span),
            fail: Box::new(fail),
        }
    }

    /// The next piece; `None` when the answer is whole.
    ///
    /// # Errors
    /// An answer that breaks off, with what had come of it in [`Error::answer`].
    pub async fn next(&mut self) -> Option<Result<Chunk>> {
        std::future::poll_fn(|cx| Pin::new(&mut *self).poll_next(cx)).await
    }

    /// Reads to the end and gives the whole answer.
    ///
    /// # Errors
    /// As [`next`](Stream::next).
    pub async fn finish(mut self) -> Result<Reply> {
        while let Some(chunk) = self.next().await {
            chunk?;
        }
        Ok(std::mem::take(&mut self.reply))
    }

    /// The text that has come so far.
    pub fn text(&self) -> &str {
        &self.reply.text
    }

    /// What the model has thought so far, where that is told apart from the answer.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// use prompt_client::{Chunk, Stream};
    /// use prompt_core::Reply;
    ///
    /// let mut reply = Reply::new("4");
    /// reply.reasoning = Some("Easy.".to_owned());
    /// let mut stream = Stream::from(reply);
    /// assert_eq!(stream.next().await.unwrap()?, Chunk::Reasoning("Easy.".to_owned()));
    /// assert_eq!((stream.reasoning(), stream.text()), (Some("Easy."), ""));
    /// assert_eq!(stream.finish().await?.text, "4");
    /// # Ok::<(), prompt_core::Error>(()) }).unwrap();
    /// ```
    pub fn reasoning(&self) -> Option<&str> {
        self.reply.reasoning.as_deref()
    }

    /// The whole answer, once it is there.
    pub fn reply(&self) -> Option<&Reply> {
        self.ended.then_some(&self.reply)
    }

    fn take(&mut self, event: Event) -> Result<Option<Chunk>, Failure> {
        match event {
            Event::Text(text) => {
                self.reply.text.push_str(&text);
                self.limited()?;
                Ok(Some(Chunk::Text(text)))
            }
            Event::Reasoning(text) => {
                self.reply.reasoning.get_or_insert_default().push_str(&text);
                self.limited()?;
                Ok(Some(Chunk::Reasoning(text)))
            }
            Event::End(end) => {
                self.ended = true;
                self.events = None;
                self.calls = end.tool_calls.iter().cloned().collect();
                self.reply.tool_calls = end.tool_calls;
                self.reply.usage = end.usage;
                self.reply.finish = end.finish;
                if end.model.is_some() {
                    self.reply.model = end.model;
                }
                if let Some(span) = &self.span {
                    span.reply(&self.reply);
                }
                Ok(self.calls.pop_front().map(Chunk::ToolCall))
            }
        }
    }

    fn limited(&self) -> Result<(), Failure> {
        let reasoning = self.reasoning().map_or(0, str::len);
        match self.reply.text.len() + reasoning > self.limit {
            true => Err(fault::too_large(self.limit)),
            false => Ok(()),
        }
    }

    fn fail(&mut self, failure: Failure) -> Error {
        self.events = None;
        let failure = match self.text().is_empty() && self.reasoning().is_none() {
            true => failure,
            false => failure.broken_off(&self.reply.text),
        };
        if let Some(span) = &self.span {
            span.failure(&failure);
        }
        (self.fail)(failure)
    }
}

/// An answer that is there already, as models for tests give it: in one piece.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// use prompt_client::{Chunk, Stream};
/// use prompt_core::Reply;
///
/// let mut stream = Stream::from(Reply::new("Hello."));
/// assert_eq!(stream.next().await.unwrap()?, Chunk::Text("Hello.".to_owned()));
/// assert!(stream.next().await.is_none());
/// # Ok::<(), prompt_core::Error>(()) }).unwrap();
/// ```
impl From<Reply> for Stream {
    fn from(reply: Reply) -> Stream {
        let structured = reply.structured;
        let end = Event::End(End {
            tool_calls: reply.tool_calls,
            usage: reply.usage,
            model: reply.model,
            finish: reply.finish,
        });
        let reasoning = reply.reasoning.map(Event::Reasoning);
        let text = (!reply.text.is_empty()).then_some(Event::Text(reply.text));
        Stream {
            events: None,
            ready: reasoning.into_iter().chain(text).chain([end]).collect(),
            reply: empty(structured),
            calls: VecDeque::new(),
            ended: false,
            limit: usize::MAX,
            span: None,
            fail: Box::new(|failure| failure.into_error("")),
        }
    }
}

impl futures_core::Stream for Stream {
    type Item = Result<Chunk>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Chunk>>> {
        let this = &mut *self;
        let event = match (this.ready.pop_front(), &mut this.events) {
            (Some(event), _) => Some(Ok(event)),
            (None, Some(events)) => match events.as_mut().poll_next(cx) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(event) => event,
            },
            (None, None) => {
                return Poll::Ready(this.calls.pop_front().map(|call| Ok(Chunk::ToolCall(call))));
            }
        };
        let broken = || {
            Failure::new(
                Cause::Interrupted,
                "the stream ended before the answer was whole",
            )
        };
        match event
            .unwrap_or_else(|| Err(broken()))
            .and_then(|event| this.take(event))
        {
            Ok(chunk) => Poll::Ready(chunk.map(Ok)),
            Err(failure) => Poll::Ready(Some(Err(this.fail(failure)))),
        }
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream")
            .field("bytes", &self.reply.text.len())
            .field("ended", &self.ended)
            .finish_non_exhaustive()
    }
}
