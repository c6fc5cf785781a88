//! The body of a streamed answer, turned into events.

use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use futures_core::Stream;
use reqwest::Response;
use tokio::time::Sleep;

use super::reasoning::Reasoning;
use super::sse::Sse;
use super::wire::{self, Tail};
use crate::failure::Failure;
use crate::fault;
use crate::stream::{End, Event, Events};

pub(super) fn events(
    response: Response,
    reasoning: Reasoning,
    timeout: Option<Duration>,
    limit: usize,
) -> Events {
    Box::pin(Chunks {
        bytes: Box::pin(response.bytes_stream()),
        silence: timeout.map(|timeout| (timeout, Box::pin(tokio::time::sleep(timeout)))),
        limit,
        sse: Sse::default(),
        data: VecDeque::new(),
        reasoning,
        events: VecDeque::new(),
        tail: Tail::default(),
        ended: false,
    })
}

struct Chunks<B> {
    bytes: Pin<Box<B>>,
    /// How long nothing may come, and the clock of it.
    silence: Option<(Duration, Pin<Box<Sleep>>)>,
    limit: usize,
    sse: Sse,
    data: VecDeque<String>,
    reasoning: Reasoning,
    /// What was read and not yet handed out.
    events: VecDeque<Result<Event, Failure>>,
    tail: Tail,
    ended: bool,
}

impl<B> Chunks<B> {
    /// Takes what one event says; nothing, when it only tells what stands beside the text.
    fn read(&mut self, data: &str) {
        if data == "[DONE]" {
            return self.whole();
        }
        match wire::event(data) {
            Err(failure) => self.end(Some(Err(failure))),
            Ok((text, tail, failure)) => {
                self.tail.begun |= tail.begun;
                self.tail.usage = tail.usage.or(self.tail.usage);
                self.tail.finish = tail.finish.or(self.tail.finish.take());
                self.tail.model = tail.model.or(self.tail.model.take());
                self.events
                    .extend(self.reasoning.push(&text).into_iter().map(Ok));
                if let Some(failure) = failure {
                    self.end(Some(Err(failure)));
                }
            }
        }
    }

    /// The answer is whole.
    fn whole(&mut self) {
        let Tail {
            begun,
            usage,
            model,
            finish,
        } = std::mem::take(&mut self.tail);
        self.end(Some(match begun {
            true => Ok(Event::End(End {
                usage,
                model,
                finish,
                ..End::default()
            })),
            false => Err(fault::no_message()),
        }));
    }

    /// Nothing comes any more but what was held back, and how it ended.
    fn end(&mut self, how: Option<Result<Event, Failure>>) {
        self.ended = true;
        self.events.extend(self.reasoning.finish().map(Ok));
        self.events.extend(how);
    }
}

impl<B: Stream<Item = reqwest::Result<T>>, T: AsRef<[u8]>> Stream for Chunks<B> {
    type Item = Result<Event, Failure>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        loop {
            if let Some(event) = this.events.pop_front() {
                return Poll::Ready(Some(event));
            }
            if this.ended {
                return Poll::Ready(None);
            }
            if let Some(data) = this.data.pop_front() {
                this.read(&data);
                continue;
            }
            match this.bytes.as_mut().poll_next(cx) {
                Poll::Ready(Some(Ok(bytes))) => {
                    this.data.extend(this.sse.push(bytes.as_ref()));
                    if let Some((timeout, clock)) = &mut this.silence {
                        clock.as_mut().reset(tokio::time::Instant::now() + *timeout);
                    }
                    if this.sse.pending() > this.limit {
                        this.end(Some(Err(fault::too_large(this.limit))));
                    }
                }
                Poll::Ready(Some(Err(error))) => this.end(Some(Err(fault::http(error)))),
                Poll::Ready(None) => match this.sse.finish() {
                    Some(data) => this.data.push_back(data),
                    // Some leave out the mark of the end; a reason says as well that the answer is whole.
                    None if this.tail.finish.is_some() => this.whole(),
                    None => this.end(None),
                },
                Poll::Pending => {
                    let Some((_, clock)) = &mut this.silence else {
                        return Poll::Pending;
                    };
                    ready!(clock.as_mut().poll(cx));
                    this.end(Some(Err(fault::silent())));
                }
            }
        }
    }
}
