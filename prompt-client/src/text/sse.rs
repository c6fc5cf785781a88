/// Splits the bytes of an event stream into the data of its events, however the bytes are cut.
///
/// Lines end with `\n`, `\r\n` or `\r`; comments and other fields than `data` are passed over.
#[derive(Default)]
pub(super) struct Sse {
    /// The line that has not ended.
    line: Vec<u8>,
    /// The data of the event that has not ended.
    data: Option<Vec<u8>>,
    /// The last byte ended a line with `\r`: a `\n` after it belongs to it.
    after_return: bool,
}

impl Sse {
    /// Takes the next bytes and gives the events that they complete.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Vec<String> {
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

    /// How many bytes wait for their end.
    pub(super) fn pending(&self) -> usize {
        self.line.len() + self.data.as_ref().map_or(0, Vec::len)
    }

    /// What stands at the end without an empty line after it; some servers leave it out.
    pub(super) fn finish(&mut self) -> Option<String> {
        self.end_line().or_else(|| self.end_line())
    }

    fn end_line(&mut self) -> Option<String> {
        let line = std::mem::take(&mut self.line);
        if line.is_empty() {
            return self
                .data
                .take()
                .map(|data| String::from_utf8_lossy(&data).into_owned());
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
        let mut sse = Sse::default();
        let mut events: Vec<String> = chunks.flat_map(|chunk| sse.push(&chunk)).collect();
        events.extend(sse.finish());
        events
    }

    #[test]
    fn events_are_the_same_however_the_bytes_are_cut() {
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
    fn what_is_no_event_stream_gives_nothing() {
        assert_eq!(all([b"<html>\n<p>Hi</p>\n".to_vec()].into_iter()), [""; 0]);
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_give_the_same_events_however_they_are_cut(
            bytes in proptest::collection::vec(proptest::sample::select(b"data: x\n\r\n\xc3\xa9:".to_vec()), 0..60),
            size in 1_usize..60,
        ) {
            let whole = all([bytes.clone()].into_iter());
            proptest::prop_assert_eq!(all(bytes.chunks(size).map(<[u8]>::to_vec)), whole);
        }
    }
}
