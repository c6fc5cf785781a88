//! Frames of streamed responses: server-sent events, and one JSON object per line.

/// A frame of a streamed response.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct StreamFrame {
    /// Whether its event type is `error`.
    pub(crate) is_error: bool,
    pub(crate) data: String,
}

/// How a stream is divided into frames.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Framing {
    /// Server-sent events. Comments and fields other than `event` and `data` are ignored.
    Events,
    /// Each line is a frame.
    Lines,
}

/// Divides a stream into frames, however its bytes are divided. Lines end with `\n`, `\r\n` or `\r`.
pub(crate) struct Frames {
    framing: Framing,
    /// The current line.
    line: Vec<u8>,
    /// The data of the current event.
    data: Option<Vec<u8>>,
    is_error: bool,
    /// Whether the last byte was `\r`. A `\n` after it belongs to the same line end.
    after_return: bool,
}

impl Frames {
    pub(crate) fn new(framing: Framing) -> Frames {
        Frames {
            framing,
            line: Vec::new(),
            data: None,
            is_error: false,
            after_return: false,
        }
    }

    /// Adds bytes, and returns the frames that they complete.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Vec<StreamFrame> {
        let mut frames = Vec::new();
        for &byte in bytes {
            let after_return = std::mem::replace(&mut self.after_return, byte == b'\r');
            match byte {
                b'\n' if after_return => {}
                b'\n' | b'\r' => frames.extend(self.end_line()),
                _ => self.line.push(byte),
            }
        }
        frames
    }

    /// The number of buffered bytes.
    pub(crate) fn pending_bytes(&self) -> usize {
        self.line.len() + self.data.as_ref().map_or(0, Vec::len)
    }

    /// The last frame, if the line end or the empty line after it is missing.
    pub(crate) fn finish(&mut self) -> Option<StreamFrame> {
        self.end_line().or_else(|| self.end_line())
    }

    fn end_line(&mut self) -> Option<StreamFrame> {
        let line = std::mem::take(&mut self.line);
        if self.framing == Framing::Lines {
            let data = String::from_utf8_lossy(&line).into_owned();
            let is_error = false;
            return (!line.is_empty()).then_some(StreamFrame { is_error, data });
        }
        if line.is_empty() {
            let is_error = std::mem::take(&mut self.is_error);
            let data = self.data.take()?;
            let data = String::from_utf8_lossy(&data).into_owned();
            return Some(StreamFrame { is_error, data });
        }
        let value = |name: &[u8]| {
            let rest = line.strip_prefix(name)?;
            Some(rest.strip_prefix(b" ").unwrap_or(rest))
        };
        if let Some(rest) = value(b"data:") {
            match &mut self.data {
                Some(data) => {
                    data.push(b'\n');
                    data.extend_from_slice(rest);
                }
                None => self.data = Some(rest.to_vec()),
            }
        } else if let Some(event) = value(b"event:") {
            self.is_error = event == b"error";
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STREAM: &str = ": hello\r\nevent: error\r\ndata: {\"a\":\"é\"}\r\n\r\ndata: two\ndata:lines\n\n\n\rdata: [DONE]";

    fn all(framing: Framing, chunks: impl Iterator<Item = Vec<u8>>) -> Vec<(bool, String)> {
        let mut frames = Frames::new(framing);
        let mut found: Vec<StreamFrame> = chunks.flat_map(|chunk| frames.push(&chunk)).collect();
        found.extend(frames.finish());
        let pair = |frame: StreamFrame| (frame.is_error, frame.data);
        found.into_iter().map(pair).collect()
    }

    #[test]
    fn frames_do_not_depend_on_the_division_of_bytes() {
        let whole = all(Framing::Events, [STREAM.as_bytes().to_vec()].into_iter());
        let expected = [
            (true, "{\"a\":\"é\"}"),
            (false, "two\nlines"),
            (false, "[DONE]"),
        ];
        assert_eq!(
            whole,
            expected.map(|(is_error, data)| (is_error, data.to_owned()))
        );
        for size in 1..STREAM.len() {
            let chunks = STREAM.as_bytes().chunks(size).map(<[u8]>::to_vec);
            assert_eq!(all(Framing::Events, chunks), whole, "in pieces of {size}");
        }
    }

    #[test]
    fn other_text_has_no_events() {
        let html = b"<html>\n<p>Hi</p>\n".to_vec();
        assert_eq!(all(Framing::Events, [html].into_iter()), []);
    }

    #[test]
    fn lines_are_frames() {
        let found = all(Framing::Lines, [b"{}\r\n\n[1]".to_vec()].into_iter());
        assert_eq!(found, [(false, "{}".to_owned()), (false, "[1]".to_owned())]);
    }

    proptest::proptest! {
        #[test]
        fn frames_of_any_bytes_do_not_depend_on_their_division(
            bytes in proptest::collection::vec(proptest::sample::select(b"data: x\n\r\n\xc3\xa9:".to_vec()), 0..60),
            size in 1_usize..60,
        ) {
            for framing in [Framing::Events, Framing::Lines] {
                let whole = all(framing, [bytes.clone()].into_iter());
                proptest::prop_assert_eq!(all(framing, bytes.chunks(size).map(<[u8]>::to_vec)), whole);
            }
        }
    }
}
