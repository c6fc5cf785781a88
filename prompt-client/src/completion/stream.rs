//! Streams of completions, from server-sent events.

use std::collections::VecDeque;
use std::time::Duration;

use futures_util::{Stream, StreamExt, stream};
use prompt_core::FinishReason;
use reqwest::Response;
use serde_json::Value;
use tokio::time::Instant;

use super::protocol::{finish, text};
use super::reasoning::ReasoningParser;
use crate::error::CallError;
use crate::openai::{self, Delta, Frame};
use crate::stream::{Event, Events};

pub(super) fn events(
    response: Response,
    reasoning: ReasoningParser,
    timeout: Option<Duration>,
    max_bytes: usize,
) -> Events {
    openai::events(frames(response, timeout, max_bytes), reasoning, None)
}

impl Delta for ReasoningParser {
    fn push(&mut self, choice: &Value, events: &mut VecDeque<Event>) -> Option<FinishReason> {
        events.extend(self.parse(text(choice).unwrap_or_default()));
        finish(choice)
    }

    fn flush(&mut self) -> Option<Event> {
        self.finish()
    }
}

/// The frames of a response. An error occurs if no data arrives within the timeout, or if a frame is too long.
fn frames(
    response: Response,
    timeout: Option<Duration>,
    max_bytes: usize,
) -> impl Stream<Item = Result<Frame, CallError>> {
    struct Source<B> {
        bytes: B,
        sse: SseParser,
        data: VecDeque<String>,
        deadline: Option<Instant>,
    }
    let deadline = move || timeout.map(|timeout| Instant::now() + timeout);
    let source = Source {
        bytes: response.bytes_stream().boxed(),
        sse: SseParser::default(),
        data: VecDeque::new(),
        deadline: deadline(),
    };
    stream::unfold(source, move |mut source| async move {
        loop {
            if let Some(data) = source.data.pop_front() {
                let is_error = false;
                return Some((Ok(Frame { is_error, data }), source));
            }
            let bytes = match source.deadline {
                Some(deadline) => tokio::time::timeout_at(deadline, source.bytes.next()).await,
                None => Ok(source.bytes.next().await),
            };
            let error = match bytes {
                Ok(Some(Ok(bytes))) => {
                    source.deadline = deadline();
                    source.data.extend(source.sse.push(&bytes));
                    match source.sse.pending_bytes() > max_bytes {
                        true => CallError::too_large(max_bytes),
                        false => continue,
                    }
                }
                Ok(Some(Err(error))) => CallError::from_http(error),
                Ok(None) => {
                    source.data.push_back(source.sse.finish()?);
                    continue;
                }
                Err(_) => CallError::stream_timed_out(),
            };
            return Some((Err(error), source));
        }
    })
}

/// Parses an event stream into the data of its events, however the bytes are divided.
///
/// Lines end with `\n`, `\r\n` or `\r`. Comments and fields other than `data` are ignored.
#[derive(Default)]
struct SseParser {
    /// The current line.
    line: Vec<u8>,
    /// The data of the current event.
    data: Option<Vec<u8>>,
    /// Whether the last byte was `\r`. A `\n` after it belongs to the same line end.
    after_return: bool,
}

impl SseParser {
    /// Adds bytes, and returns the data of the events that they complete.
    fn push(&mut self, bytes: &[u8]) -> Vec<String> {
        let mut events = Vec::new();
        for &byte in bytes {
            let after_return = std::mem::replace(&mut self.after_return, byte == b'\r');
            match byte {
                b'\n' if after_return => {}
                b'\n' | b'\r' => events.extend(self.end_line()),
                _ => self.line.push(byte),
            }
        }
        events
    }

    /// The number of buffered bytes.
    fn pending_bytes(&self) -> usize {
        self.line.len() + self.data.as_ref().map_or(0, Vec::len)
    }

    /// The last event, if the empty line after it is missing.
    fn finish(&mut self) -> Option<String> {
        self.end_line().or_else(|| self.end_line())
    }

    fn end_line(&mut self) -> Option<String> {
        let line = std::mem::take(&mut self.line);
        if line.is_empty() {
            let data = self.data.take()?;
            return Some(String::from_utf8_lossy(&data).into_owned());
        }
        if let Some(rest) = line.strip_prefix(b"data:") {
            let rest = rest.strip_prefix(b" ").unwrap_or(rest);
            match &mut self.data {
                Some(data) => {
                    data.push(b'\n');
                    data.extend_from_slice(rest);
                }
                None => self.data = Some(rest.to_vec()),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STREAM: &str = ": hello\r\nevent: x\r\ndata: {\"a\":\"é\"}\r\n\r\ndata: two\ndata:lines\n\n\n\rdata: [DONE]";

    fn all(chunks: impl Iterator<Item = Vec<u8>>) -> Vec<String> {
        let mut sse = SseParser::default();
        let mut events: Vec<String> = chunks.flat_map(|chunk| sse.push(&chunk)).collect();
        events.extend(sse.finish());
        events
    }

    #[test]
    fn events_do_not_depend_on_the_division_of_bytes() {
        let whole = all([STREAM.as_bytes().to_vec()].into_iter());
        assert_eq!(whole, ["{\"a\":\"é\"}", "two\nlines", "[DONE]"]);
        for size in 1..STREAM.len() {
            assert_eq!(
                all(STREAM.as_bytes().chunks(size).map(<[u8]>::to_vec)),
                whole,
                "in pieces of {size}"
            );
        }
    }

    #[test]
    fn other_text_has_no_events() {
        assert_eq!(all([b"<html>\n<p>Hi</p>\n".to_vec()].into_iter()), [""; 0]);
    }

    proptest::proptest! {
        #[test]
        fn events_of_any_bytes_do_not_depend_on_their_division(
            bytes in proptest::collection::vec(proptest::sample::select(b"data: x\n\r\n\xc3\xa9:".to_vec()), 0..60),
            size in 1_usize..60,
        ) {
            let whole = all([bytes.clone()].into_iter());
            proptest::prop_assert_eq!(all(bytes.chunks(size).map(<[u8]>::to_vec)), whole);
        }
    }
}
