//! The trait of models that stream their replies.

use std::sync::Arc;
#[cfg(feature = "schema")]
use std::time::Instant;

use prompt_core::{BoxFuture, Llm, MockLlm, OnChunk, RecordedLlm, Reply, Request, Result};
#[cfg(feature = "schema")]
use prompt_core::{Error, ErrorKind, Options, Prompt, output::Answer};

#[cfg(feature = "schema")]
use crate::items::ItemStream;
#[cfg(feature = "schema")]
use crate::partial::PartialStream;
use crate::stream::ReplyStream;

/// A model that can stream its replies.
///
/// ```no_run
/// use typed_prompt::{Message, Messages, Request, client::{ChatModel, StreamingLlm}, llm::Chunk};
///
/// # async fn run() -> typed_prompt::Result<()> {
/// let llm = ChatModel::new("openai::gpt-4o")?;
/// let request = Request::from_prompt(&Messages::from([Message::user("Tell me a story.")]))?;
/// let mut stream = llm.stream(&request).await?;
/// while let Some(chunk) = stream.next().await {
///     if let Chunk::Text(text) = chunk? {
///         print!("{text}");
///     }
/// }
/// # Ok(())
/// # }
/// ```
pub trait StreamingLlm: Llm {
    /// Sends a request and waits for the beginning of the reply.
    ///
    /// The request is retried as the [`RetryPolicy`](crate::RetryPolicy) defines until the reply begins, and never after
    /// that.
    ///
    /// # Errors
    /// The model cannot be reached, or does not begin to answer.
    fn stream<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<ReplyStream>>;

    /// Sends a prompt and streams its typed output: fields appear as they arrive.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// use typed_prompt::{MockLlm, Prompt, client::StreamingLlm, llm::Options};
    ///
    /// #[derive(Prompt)]
    /// #[prompt(user = "Name a city.", output = City)]
    /// struct Ask;
    ///
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct City { name: String, people: u32 }
    ///
    /// let llm = MockLlm::new([r#"{"name": "Brest", "people": 139000}"#]);
    /// let mut partials = llm.stream_partials(&Ask, Options::new()).await?; // the output type of `Ask` is `City`
    /// while let Some(partial) = partials.next().await {
    ///     let partial = partial?;
    ///     println!("{} (name complete: {})", partial.value, partial.is_final("/name"));
    /// }
    /// let city: City = partials.finish().await?;
    /// # assert_eq!((&*city.name, city.people), ("Brest", 139_000));
    /// # Ok::<(), typed_prompt::Error>(()) }).unwrap();
    /// ```
    ///
    /// # Errors
    /// As [`stream`](StreamingLlm::stream), and if the output of the prompt is plain text.
    #[cfg(feature = "schema")]
    fn stream_partials<P: Prompt>(
        &self,
        prompt: &P,
        options: Options,
    ) -> impl Future<Output = Result<PartialStream<P>>> + Send
    where
        Self: Sized,
    {
        let request = Request::from_prompt(prompt);
        let request = request.map(|request| request.with_options(options).with_failures());
        async move {
            let request = request?;
            let Some(schema) = request.schema.clone() else {
                let message = format!("the output of `{}` is plain text", P::INFO.name);
                return Err(
                    Error::new(ErrorKind::Output, message).with_help("use `StreamingLlm::stream`")
                );
            };
            let begin = Instant::now();
            let stream = self
                .stream(&request)
                .await
                .map_err(|error| error.with_prompt(&P::INFO))?;
            PartialStream::new(stream, request, &schema, begin)
        }
    }

    /// Sends a prompt whose output is a list, and streams its items: each is returned when it is complete, and fits its type.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// use typed_prompt::{MockLlm, Prompt, client::StreamingLlm, llm::Options};
    ///
    /// #[derive(Prompt)]
    /// #[prompt(user = "List ports of <country>.", output = Vec<City>)]
    /// struct Ports<'a> { country: &'a str }
    ///
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct City { name: String, people: u32 }
    ///
    /// let llm = MockLlm::new([r#"[{"name": "Brest", "people": 139000}, {"name": "Nice", "people": 348000}]"#]);
    /// let mut cities = llm.stream_items(&Ports { country: "France" }, Options::new()).await?;
    /// let mut names = Vec::new();
    /// while let Some(city) = cities.next().await {
    ///     let city: City = city?;
    ///     names.push(city.name);
    /// }
    /// assert_eq!(names, ["Brest", "Nice"]);
    /// # Ok::<(), typed_prompt::Error>(()) }).unwrap();
    /// ```
    ///
    /// # Errors
    /// As [`stream`](StreamingLlm::stream).
    #[cfg(feature = "schema")]
    fn stream_items<P, T>(
        &self,
        prompt: &P,
        options: Options,
    ) -> impl Future<Output = Result<ItemStream<P, T>>> + Send
    where
        P: Prompt<Output = Vec<T>>,
        T: Answer,
        Self: Sized,
    {
        let partials = self.stream_partials(prompt, options);
        async move { partials.await.map(ItemStream::new) }
    }
}

/// Sends a request, with its chunks to a function if there is one: wrappers send both ways alike.
pub(crate) async fn send_to(
    model: &dyn Llm,
    request: &Request,
    on_chunk: Option<OnChunk<'_>>,
) -> Result<Reply> {
    match on_chunk {
        Some(on_chunk) => {
            let mut forward = |chunk| on_chunk(chunk);
            model.send_streamed(request, &mut forward).await
        }
        None => model.send(request).await,
    }
}

/// The methods of [`Llm`] that send, by the method `send_to` of a wrapper.
macro_rules! send_methods {
    () => {
        fn send<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply>> {
            Box::pin(self.send_to(request, None))
        }

        fn send_streamed<'a>(
            &'a self,
            request: &'a Request,
            on_chunk: OnChunk<'a>,
        ) -> BoxFuture<'a, Result<Reply>> {
            Box::pin(self.send_to(request, Some(on_chunk)))
        }
    };
}
pub(crate) use send_methods;

/// [`Llm::send_streamed`] of a model that streams.
pub(crate) async fn send_chunks<L: StreamingLlm>(
    model: &L,
    request: &Request,
    on_chunk: OnChunk<'_>,
) -> Result<Reply> {
    let mut stream = model.stream(request).await?;
    while let Some(chunk) = stream.next().await {
        on_chunk(chunk?);
    }
    stream.finish().await
}

macro_rules! impl_for_pointers {
    ($($ty:ty)*) => {$(
        impl<L: StreamingLlm + ?Sized> StreamingLlm for $ty {
            fn stream<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<ReplyStream>> {
                (**self).stream(request)
            }
        }
    )*};
}

impl_for_pointers! { &L Box<L> Arc<L> }

macro_rules! impl_with_whole_replies {
    ($($ty:ty)*) => {$(
        /// Each reply is streamed word by word, as [`Reply::chunks`] gives it.
        impl StreamingLlm for $ty {
            fn stream<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<ReplyStream>> {
                Box::pin(async { Ok(ReplyStream::from(self.send(request).await?)) })
            }
        }
    )*};
}

impl_with_whole_replies! { MockLlm RecordedLlm }
