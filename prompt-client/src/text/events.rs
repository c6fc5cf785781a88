//! The body of a streamed answer, turned into events.

use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use futures_core::Stream;
use reqwest::Response;
use tokio::time::Sleep;

use super::sse::Sse;
use super::wire::{self, Tail};
use crate::failure::Failure;
use crate::fault;
use crate::stream::{End, Event, Events};

pub(super) fn events(response: Response, timeout: Option<Duration>, limit: usize) -> Events {
    Box::pin(Chunks {
        bytes: Box::pin(response.bytes_stream()),
        silence: timeout.map(|timeout| (timeout, Box::pin(tokio::time::sleep(timeout)))),
        limit,
        sse: Sse::default(),
        data: VecDeque::new(),
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
    tail: Tail,
    ended: bool,
}

impl<B> Chunks<B> {
    /// What one event says; nothing, when it only tells what stands beside the text.
    fn read(&mut self, data: &str) -> Option<Result<Event, Failure>> {
        if data == "[DONE]" {
            self.ended = true;
            let Tail {
                usage,
                model,
                finish,
            } = std::mem::take(&mut self.tail);
            return Some(Ok(Event::End(End {
                usage,
                model,
                finish,
                ..End::default()
            })));
        }
        match wire::event(data) {
            Err(failure) => Some(Err(failure)),
            Ok((text, tail)) => {
                self.tail.usage = tail.usage.or(self.tail.usage);
                self.tail.finish = tail.finish.or(self.tail.finish.take());
                self.tail.model = tail.model.or(self.tail.model.take());
                (!text.is_empty()).then_some(Ok(Event::Text(text)))
            }
        }
    }
}

impl<B: Stream<Item = reqwest::Result<T>>, T: AsRef<[u8]>> Stream for Chunks<B> {
    type Item = Result<Event, Failure>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        loop {
            if this.ended {
                return Poll::Ready(None);
            }
            if let Some(data) = this.data.pop_front() {
                match this.read(&data) {
                    Some(event) => return Poll::Ready(Some(event)),
                    None => continue,
                }
            }
            match this.bytes.as_mut().poll_next(cx) {
                Poll::Ready(Some(Ok(bytes))) => {
                    this.data.extend(this.sse.push(bytes.as_ref()));
                    if let Some((timeout, clock)) = &mut this.silence {
                        clock.as_mut().reset(tokio::time::Instant::now() + *timeout);
                    }
                    if this.sse.pending() > this.limit {
                        this.ended = true;
                        return Poll::Ready(Some(Err(fault::too_large(this.limit))));
                    }
                }
                Poll::Ready(Some(Err(error))) => {
                    this.ended = true;
                    return Poll::Ready(Some(Err(fault::http(error))));
                }
                Poll::Ready(None) => match this.sse.finish() {
                    Some(data) => this.data.push_back(data),
                    None => this.ended = true,
                },
                Poll::Pending => {
                    let Some((_, clock)) = &mut this.silence else {
                        return Poll::Pending;
                    };
                    ready!(clock.as_mut().poll(cx));
                    this.ended = true;
                    return Poll::Ready(Some(Err(fault::silent())));
                }
            }
        }
    }
}
