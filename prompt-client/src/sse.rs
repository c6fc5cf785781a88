//! Frames of streamed responses: server-sent events, and one JSON object per line.

use std::collections::VecDeque;
use std::io::Cursor;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use futures_util::{Stream, StreamExt, stream};
use sse_stream::SseByteStream;

use crate::error::CallError;

/// A frame of a streamed response.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct StreamFrame {
    /// Whether its event type is `error`.
    pub(crate) is_error: bool,
    /// Its data, without surrounding white space: JSON, or `[DONE]`.
    pub(crate) data: String,
    /// Whether the stream ended before the end of the frame.
    pub(crate) is_last: bool,
}

/// How a stream is divided into frames.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Framing {
    /// Server-sent events. Comments and fields other than `event` and `data` are ignored.
    Events,
    /// Each line is a frame.
    Lines,
}

/// The frames of a response.
pub(crate) type FrameStream = Pin<Box<dyn Stream<Item = Result<StreamFrame, CallError>> + Send>>;

/// Divides a stream into frames, however its bytes are divided. Frames without data are keep-alives and are skipped. A
/// frame of more than `max_bytes` is an error.
pub(crate) fn frames(
    bytes: impl Stream<Item = Result<Vec<u8>, CallError>> + Send + 'static,
    framing: Framing,
    max_bytes: usize,
) -> FrameStream {
    let frames: FrameStream = match framing {
        Framing::Events => Box::pin(events(bytes, max_bytes)),
        Framing::Lines => Box::pin(lines(bytes, max_bytes)),
    };
    Box::pin(frames.filter(|frame| {
        let is_empty = |frame: &StreamFrame| frame.data.is_empty();
        std::future::ready(!frame.as_ref().is_ok_and(is_empty))
    }))
}

impl StreamFrame {
    fn new(data: &str, is_error: bool, is_last: bool) -> StreamFrame {
        StreamFrame {
            is_error,
            data: data.trim().to_owned(),
            is_last,
        }
    }
}

/// The events of a stream.
fn events(
    bytes: impl Stream<Item = Result<Vec<u8>, CallError>> + Send + 'static,
    max_bytes: usize,
) -> impl Stream<Item = Result<StreamFrame, CallError>> + Send {
    // The parser does not show how much it buffers, so bytes are counted until it returns an event.
    let pending = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&pending);
    // Servers may leave out the empty line, or the line end, after the last event.
    let has_ended = Arc::new(AtomicBool::new(false));
    let ending = Arc::clone(&has_ended);
    let end = stream::once(async move {
        ending.store(true, Ordering::Relaxed);
        Ok(b"\n\n".to_vec())
    });
    let bytes = bytes.chain(end).map(move |bytes| {
        let bytes = bytes?;
        match counted.load(Ordering::Relaxed) > max_bytes {
            true => Err(CallError::too_large(max_bytes)),
            false => {
                counted.fetch_add(bytes.len(), Ordering::Relaxed);
                Ok(Cursor::new(bytes))
            }
        }
    });
    SseByteStream::new(Box::pin(bytes)).map(move |event| {
        pending.store(0, Ordering::Relaxed);
        let event = event.map_err(from_parser)?;
        let is_error = event.event.as_deref() == Some("error");
        Ok(StreamFrame::new(
            event.data.as_deref().unwrap_or_default(),
            is_error,
            has_ended.load(Ordering::Relaxed),
        ))
    })
}

fn from_parser(error: sse_stream::Error) -> CallError {
    let message = |error: &dyn std::error::Error| format!("the stream cannot be read: {error}");
    match error {
        sse_stream::Error::Body(error) => match error.downcast::<CallError>() {
            Ok(error) => *error,
            Err(error) => CallError::protocol_error(message(&*error)),
        },
        sse_stream::Error::Utf8Parse(error) => not_utf8(error),
        error => CallError::protocol_error(message(&error)),
    }
}

fn not_utf8(error: std::str::Utf8Error) -> CallError {
    CallError::protocol_error(format!("the server's answer is not UTF-8: {error}"))
}

/// The lines of a stream. They end with `\n` or `\r\n`.
fn lines(
    bytes: impl Stream<Item = Result<Vec<u8>, CallError>> + Send + 'static,
    max_bytes: usize,
) -> impl Stream<Item = Result<StreamFrame, CallError>> + Send {
    let source = (Box::pin(bytes.fuse()), Vec::new(), VecDeque::new());
    stream::unfold(source, move |(mut bytes, mut line, mut ready)| async move {
        loop {
            if let Some(frame) = ready.pop_front() {
                return Some((frame, (bytes, line, ready)));
            }
            match bytes.next().await {
                Some(Ok(chunk)) => {
                    for part in chunk.split_inclusive(|&byte| byte == b'\n') {
                        line.extend_from_slice(part);
                        if part.ends_with(b"\n") {
                            ready.push_back(line_frame(&std::mem::take(&mut line), false));
                        }
                    }
                    if line.len() > max_bytes {
                        ready.push_back(Err(CallError::too_large(max_bytes)));
                    }
                }
                Some(Err(error)) => ready.push_back(Err(error)),
                None if line.is_empty() => return None,
                None => ready.push_back(line_frame(&std::mem::take(&mut line), true)),
            }
        }
    })
}

fn line_frame(line: &[u8], is_last: bool) -> Result<StreamFrame, CallError> {
    let line = std::str::from_utf8(without_bom(line)).map_err(not_utf8)?;
    Ok(StreamFrame::new(line, false, is_last))
}

/// A body without the byte order mark before it, which is not JSON.
pub(crate) fn without_bom(body: &[u8]) -> &[u8] {
    body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The frames of a stream whose chunks have this size, each with whether it is an error event.
    fn read(framing: Framing, bytes: &[u8], size: usize) -> Result<Vec<(bool, String)>, CallError> {
        let chunks = bytes.chunks(size).map(|chunk| Ok(chunk.to_vec()));
        let chunks: Vec<Result<Vec<u8>, CallError>> = chunks.collect();
        let frames = frames(stream::iter(chunks), framing, 1000);
        let frames = frames.map(|frame| frame.map(|frame| (frame.is_error, frame.data)));
        let collected: Vec<Result<_, CallError>> =
            futures_util::FutureExt::now_or_never(frames.collect()).unwrap();
        collected.into_iter().collect()
    }

    /// The data of each event, for every size of chunks.
    fn data(bytes: &[u8]) -> Vec<String> {
        let whole = read(Framing::Events, bytes, bytes.len()).unwrap();
        for size in 1..bytes.len() {
            let found = read(Framing::Events, bytes, size).unwrap();
            assert_eq!(found, whole, "in chunks of {size}");
        }
        whole.into_iter().map(|(_, data)| data).collect()
    }

    #[test]
    fn the_examples_of_the_specification() {
        for (stream, expected) in [
            (
                "data: This is the first message.\n\ndata: This is the second message, it\ndata: has two lines.\n\n\
                 data: This is the third message.\n\n",
                &[
                    "This is the first message.",
                    "This is the second message, it\nhas two lines.",
                    "This is the third message.",
                ][..],
            ),
            (
                "event: add\ndata: 73857293\n\nevent: remove\ndata: 2153\n\nevent: add\ndata: 113411\n\n",
                &["73857293", "2153", "113411"],
            ),
            ("data: YHOO\ndata: +2\ndata: 10\n\n", &["YHOO\n+2\n10"]),
            (
                ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event",
                &["first event", "second event", "third event"],
            ),
            // Events of which the data is empty are keep-alives.
            ("data\n\ndata\ndata\n\ndata:", &[]),
            ("data:test\n\ndata: test\n\n", &["test", "test"]),
        ] {
            assert_eq!(data(stream.as_bytes()), expected, "{stream}");
        }
    }

    #[test]
    fn line_ends_marks_and_keep_alives_are_no_data() {
        for (stream, expected) in [
            ("\u{feff}data: a\n\ndata: b\n\n", &["a", "b"][..]),
            ("\u{feff}\u{feff}data: a\n\ndata: b\n\n", &["b"]),
            ("data: a\r\n\r\ndata: b\r\rdata: c\n\n", &["a", "b", "c"]),
            (
                "data: a\n\ndata: \n\ndata:\n\ndata\n\ndata: b\n\n",
                &["a", "b"],
            ),
            (
                "data:\n\ndata:   \n\n: ping\n\nevent: ping\n\ndata: a\n\n",
                &["a"],
            ),
            ("data: [DONE] \n\n", &["[DONE]"]),
            ("data: [DONE]", &["[DONE]"]),
            ("data:[DONE]\r\n", &["[DONE]"]),
            ("id: 1\nretry: 10\ndata: é\nunknown: x\n\n", &["é"]),
            ("<html>\n<p>Hi</p>\n", &[]),
        ] {
            assert_eq!(data(stream.as_bytes()), expected, "{stream:?}");
        }
    }

    #[test]
    fn the_type_error_is_kept() {
        let stream = b"event: error\ndata: {}\n\nevent: x\ndata: {}\n\ndata: {}\nevent: error\n\n";
        let found = read(Framing::Events, stream, 5).unwrap();
        let errors: Vec<bool> = found.into_iter().map(|(is_error, _)| is_error).collect();
        assert_eq!(errors, [true, false, true]);
    }

    #[test]
    fn lines_are_frames() {
        for stream in ["{}\r\n\n[1]", "\u{feff}{}\n \n[1]\n"] {
            for size in 1..stream.len() {
                let found = read(Framing::Lines, stream.as_bytes(), size).unwrap();
                let expected = [(false, "{}".to_owned()), (false, "[1]".to_owned())];
                assert_eq!(found, expected, "{stream:?} in chunks of {size}");
            }
        }
    }

    #[test]
    fn long_frames_and_bytes_that_are_not_utf8_are_errors() {
        for framing in [Framing::Events, Framing::Lines] {
            let error = read(framing, "data: x".repeat(1000).as_bytes(), 100).unwrap_err();
            assert_eq!(error.to_string(), "the answer is longer than 1000 bytes");
            let error = read(framing, b"data: \xff\n\n", 3).unwrap_err();
            assert!(
                error
                    .to_string()
                    .starts_with("the server's answer is not UTF-8"),
                "{error}"
            );
        }
        // Short frames may be longer together.
        let short = "data: x\n\n".repeat(1000);
        assert_eq!(
            read(Framing::Events, short.as_bytes(), 100).unwrap().len(),
            1000
        );
    }

    proptest::proptest! {
        #[test]
        fn frames_of_any_bytes_do_not_depend_on_their_division(
            bytes in proptest::collection::vec(proptest::sample::select(b"data: x\n\r\n\xc3\xa9:\xef\xbb\xbf".to_vec()), 0..60),
            size in 1_usize..60,
        ) {
            for framing in [Framing::Events, Framing::Lines] {
                let read = |size| read(framing, &bytes, size).map_err(|error| error.to_string());
                proptest::prop_assert_eq!(read(size), read(bytes.len().max(1)));
            }
        }
    }
}
