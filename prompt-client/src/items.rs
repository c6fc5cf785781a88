//! The items of a list that is read from a reply while it is streamed.

use std::collections::VecDeque;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_util::{Stream, StreamExt};
use prompt_core::output::{Answer, parse_strict};
use prompt_core::{Answered, Prompt, Reply, Result};

use crate::partial::PartialStream;

/// A stream of the items of a list; see [`StreamingLlm::stream_items`](crate::StreamingLlm::stream_items).
///
/// It implements [`Stream`](futures_util::Stream) too.
#[must_use = "an answer arrives while its stream is read"]
pub struct ItemStream<P, T> {
    partials: PartialStream<P>,
    /// Items that have not been returned.
    items: VecDeque<T>,
    /// The number of items that were read.
    read: usize,
    ended: bool,
}

impl<T: Answer, P: Prompt<Output = Vec<T>>> ItemStream<P, T> {
    pub(crate) fn new(partials: PartialStream<P>) -> ItemStream<P, T> {
        ItemStream {
            partials,
            items: VecDeque::new(),
            read: 0,
            ended: false,
        }
    }

    /// The next item, once it is complete, or `None` after the end of the list. An item fits its type, bounds and formats included.
    ///
    /// # Errors
    /// As [`ReplyStream::next`](crate::ReplyStream::next), and if an item, or at the end the whole reply, does not match its type. The stream ends
    /// after an error.
    pub async fn next(&mut self) -> Option<Result<T>> {
        StreamExt::next(self).await
    }

    /// Reads the items that have become complete.
    fn read_final(&mut self, item: impl Fn(usize) -> Option<String>) -> Result<()> {
        while let Some(json) = item(self.read) {
            match parse_strict(&Reply::new(json)) {
                Ok(item) => self.items.push_back(item),
                // The list so far has the error with its position in the reply.
                Err(error) => return Err(self.list_so_far().err().unwrap_or(error)),
            }
            self.read += 1;
        }
        Ok(())
    }

    fn list_so_far(&self) -> Result<Vec<T>> {
        P::parse_reply(&Reply::new(self.partials.text_so_far()))
            .map_err(|error| error.with_prompt(&P::INFO))
    }

    /// Reads the items that only the complete reply contains: the last ones, or all of a list that is not JSON.
    fn read_rest(&mut self) -> Result<()> {
        self.ended = true;
        let Some(reply) = self.partials.reply() else {
            return Ok(());
        };
        let list = P::parse_reply(reply).map_err(|error| error.with_prompt(&P::INFO))?;
        self.items.extend(list.into_iter().skip(self.read));
        Ok(())
    }

    /// Waits for the end of the reply, and returns the whole list with the reply and its tokens: see
    /// [`Call::detailed`](prompt_core::Call::detailed).
    ///
    /// # Errors
    /// As [`PartialStream::finish`].
    pub async fn detailed(self) -> Result<Answered<Vec<T>>> {
        self.partials.detailed().await
    }

    /// The text that has arrived so far: empty before the first chunk is read. [`detailed`](ItemStream::detailed) returns the whole list.
    #[doc(alias = "text")]
    pub fn text_so_far(&self) -> &str {
        self.partials.text_so_far()
    }

    /// The reply, once it is complete.
    pub fn reply(&self) -> Option<&Reply> {
        self.partials.reply()
    }
}

// No item is pinned.
impl<P, T> Unpin for ItemStream<P, T> {}

impl<T: Answer, P: Prompt<Output = Vec<T>>> Stream for ItemStream<P, T> {
    type Item = Result<T>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<T>>> {
        loop {
            if let Some(item) = self.items.pop_front() {
                return Poll::Ready(Some(Ok(item)));
            }
            if self.ended {
                return Poll::Ready(None);
            }
            let read = match ready!(Pin::new(&mut self.partials).poll_next(cx)) {
                Some(Ok(parsed)) => self.read_final(|index| {
                    let pointer = format!("/{index}");
                    let item = parsed.value.get(index)?;
                    parsed.is_final(&pointer).then(|| item.to_string())
                }),
                Some(Err(error)) => Err(error),
                None => self.read_rest(),
            };
            if let Err(error) = read {
                self.ended = true;
                return Poll::Ready(Some(Err(error)));
            }
        }
    }
}

impl<P, T> fmt::Debug for ItemStream<P, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ItemStream").field(&self.partials).finish()
    }
}
