//! Answers of a model, kept for the same request.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use prompt_core::{
    BoxFuture, Error, FinishReason, Llm, ModelInfo, OnChunk, Reply, Request, Result, Usage,
};
use tokio::time::Instant;

use crate::error::CallError;
use crate::stream::ReplyStream;
use crate::streaming_llm::{StreamingLlm, send_methods, send_to};
use crate::trace;

/// A model with a cache: answers are returned for the same request until they expire. Clones share the cache.
///
/// A request is the same if its messages, tools, schema and options are the same, and the name and the fingerprint of its
/// prompt, and the number of its [`repeat`](Request::repeat). An answer is kept once it is complete: errors, answers that reached their greatest length, and answers that the
/// provider withheld are not. A kept answer is returned as a stream of words, and as a reply that took no tokens. If an
/// answer does not fit the output type, the retry is another request, and its answer is kept as well.
///
/// Other wrappers are best inside of it: `Cached::new(RateLimited::new(…)?, …)?` limits only requests that are sent.
///
/// ```
/// use std::time::Duration;
/// use typed_prompt::{Llm, Message, Messages, MockLlm, client::Cached};
///
/// // The mock has one answer only.
/// let llm = Cached::new(MockLlm::new(["Nine metres."]), Duration::from_secs(3600))?.max_entries(10_000)?;
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// for _ in 0..2 {
///     assert_eq!(llm.call(&Messages::from([Message::user("How deep is it?")])).await?, "Nine metres.");
/// }
/// # Ok::<(), typed_prompt::Error>(()) }).unwrap();
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[derive(Clone)]
#[must_use = "this is a model of its own: call it in place of the one inside"]
pub struct Cached<L> {
    model: L,
    expiry: Duration,
    max_entries: usize,
    entries: Arc<Mutex<CachedReplies>>,
}

#[derive(Default)]
struct CachedReplies {
    by_request: HashMap<Arc<str>, (Instant, Reply)>,
    /// The requests in the order of their answers.
    order: VecDeque<(Instant, Arc<str>)>,
}

/// Bounds the memory of a program that never asks the same question twice.
const MAX_ENTRIES: usize = 1000;

impl<L> Cached<L> {
    /// Keeps each answer for this time: `Duration::MAX` for as long as the program runs.
    ///
    /// # Errors
    /// The time is 0, with which no answer would be kept.
    pub fn new(model: L, expiry: Duration) -> Result<Cached<L>> {
        if expiry.is_zero() {
            let message = "a cache with an empty time keeps no answer";
            let help = "write a time such as `Duration::from_secs(3600)`, or `Duration::MAX` to keep answers for ever";
            return Err(CallError::refuse_setting(message, help));
        }
        Ok(Cached {
            model,
            expiry,
            max_entries: MAX_ENTRIES,
            entries: Arc::default(),
        })
    }

    /// Sets how many answers are kept. The oldest ones are removed first. 1,000 by default.
    ///
    /// # Errors
    /// The number is 0.
    pub fn max_entries(mut self, entries: usize) -> Result<Cached<L>> {
        if entries == 0 {
            let message = "a cache of 0 entries keeps no answer";
            let help = "write a number from 1, or `usize::MAX` for no limit";
            return Err(CallError::refuse_setting(message, help));
        }
        self.max_entries = entries;
        Ok(self)
    }

    /// The kept answer, or else the function that keeps one. A request without a form in JSON is not kept.
    fn find_reply(
        &self,
        request: &Request,
    ) -> std::result::Result<
        Reply,
        impl FnOnce(std::result::Result<&Reply, &Error>) + Send + 'static + use<L>,
    > {
        let key = request.identity().ok().map(Arc::<str>::from);
        let kept = key.as_ref().and_then(|key| {
            let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
            let (since, reply) = entries.by_request.get(key)?;
            (since.elapsed() < self.expiry).then(|| reply.clone())
        });
        if let Some(mut reply) = kept {
            // This call took no tokens, which a budget and a report should show.
            trace::record_cache_hit(request);
            reply.usage = Some(Usage::default());
            reply.cost = reply.cost.map(|_| 0.0);
            return Ok(reply);
        }
        let (entries, expiry, max_entries) =
            (Arc::clone(&self.entries), self.expiry, self.max_entries);
        Err(move |reply: std::result::Result<&Reply, &Error>| {
            let Ok(reply) = reply else { return };
            // An answer that was cut off would be returned for as long as it is kept.
            let is_complete = matches!(
                reply.finish,
                None | Some(FinishReason::Stop | FinishReason::ToolCalls)
            );
            if let (Some(key), true) = (key, is_complete) {
                let mut entries = entries.lock().unwrap_or_else(PoisonError::into_inner);
                entries.insert_reply(key, reply.clone(), expiry, max_entries);
            }
        })
    }
}

impl CachedReplies {
    fn insert_reply(&mut self, key: Arc<str>, reply: Reply, expiry: Duration, max_entries: usize) {
        let now = Instant::now();
        self.order.push_back((now, Arc::clone(&key)));
        self.by_request.insert(key, (now, reply));
        while let Some((since, key)) = self.order.front() {
            if self.order.len() <= max_entries && since.elapsed() < expiry {
                break;
            }
            // A newer answer to the same request stays.
            if self
                .by_request
                .get(key)
                .is_some_and(|(kept, _)| kept == since)
            {
                self.by_request.remove(key);
            }
            self.order.pop_front();
        }
    }
}

impl<L: Llm> Cached<L> {
    async fn send_to(&self, request: &Request, on_chunk: Option<OnChunk<'_>>) -> Result<Reply> {
        match self.find_reply(request) {
            Ok(reply) => {
                if let Some(on_chunk) = on_chunk {
                    reply.chunks().for_each(on_chunk);
                }
                Ok(reply)
            }
            Err(keep) => {
                let reply = send_to(&self.model, request, on_chunk).await?;
                keep(Ok(&reply));
                Ok(reply)
            }
        }
    }
}

impl<L: Llm> Llm for Cached<L> {
    send_methods!();

    fn default_output_retries(&self) -> u32 {
        self.model.default_output_retries()
    }

    fn model_info(&self) -> Option<ModelInfo> {
        self.model.model_info()
    }
}

impl<L: StreamingLlm> StreamingLlm for Cached<L> {
    fn stream<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<ReplyStream>> {
        Box::pin(async move {
            match self.find_reply(request) {
                Ok(reply) => Ok(ReplyStream::from(reply)),
                Err(keep) => Ok(self.model.stream(request).await?.on_end(keep)),
            }
        })
    }
}

impl<L: fmt::Debug> fmt::Debug for Cached<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cached")
            .field("model", &self.model)
            .field("expiry", &self.expiry)
            .field("max_entries", &self.max_entries)
            .finish_non_exhaustive()
    }
}
