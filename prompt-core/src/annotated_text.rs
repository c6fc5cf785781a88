//! A conversation as one text, with the source of each segment.

use std::ops::Range;

use crate::format::{Family, FormatOptions};
use crate::guard::{ControlTokenSet, ControlTokens, ExactTokens};
use crate::{DataSpan, Error, Origin, Result, Text};

/// A conversation as one text, with the source of each segment: the format, the template or data.
///
/// ```
/// use typed_prompt::{Message, Messages, Prompt, format, message::Origin};
///
/// let wrapped = Messages::from([Message::user("Hi")]).to_annotated_text(format::CHATML)?;
/// let pieces: Vec<_> = wrapped.pieces().collect();
/// assert_eq!(pieces[0], ("<|im_start|>user\n", Origin::Structure));
/// assert_eq!(pieces[1], ("Hi", Origin::Data(None)));
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnnotatedText {
    pub(crate) text: String,
    /// The spans of template text and data: in order, not overlapping, never empty.
    spans: Vec<OriginSpan>,
    message: usize,
    /// The bytes that the model generates: in order, neither overlapping nor touching, never empty.
    generated: Vec<Range<usize>>,
    /// The start of the range of these that is being written.
    generated_from: Option<usize>,
    /// Why it is unknown what the model generates.
    unmarked: Option<Unmarked>,
}

/// An error of a text that has no mask. It is equal to one with the same message.
#[derive(Clone, Debug)]
pub(crate) struct Unmarked(Error);

impl Unmarked {
    pub(crate) fn error(&self) -> Error {
        self.0.clone()
    }
}

impl PartialEq for Unmarked {
    fn eq(&self, other: &Unmarked) -> bool {
        self.0.message() == other.0.message()
    }
}

impl Eq for Unmarked {}

/// A range of the text that is from the template or is data. The text between two ranges is the format's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OriginSpan {
    start: usize,
    end: usize,
    /// The index of the message, or `NO_MESSAGE`.
    message: usize,
    pub(crate) source: Origin,
}

const NO_MESSAGE: usize = usize::MAX;

impl OriginSpan {
    pub(crate) fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    pub(crate) fn message(&self) -> Option<usize> {
        (self.message != NO_MESSAGE).then_some(self.message)
    }
}

/// A segment of the text.
pub(crate) struct Segment {
    pub(crate) range: Range<usize>,
    pub(crate) source: Origin,
    pub(crate) message: Option<usize>,
}

impl Default for AnnotatedText {
    fn default() -> AnnotatedText {
        AnnotatedText::new()
    }
}

impl AnnotatedText {
    /// An empty text.
    ///
    /// ```
    /// let mut out = typed_prompt::write::AnnotatedText::new();
    /// out.structure("### Response:");
    /// assert_eq!(out.as_str(), "### Response:");
    /// ```
    pub fn new() -> AnnotatedText {
        AnnotatedText {
            text: String::new(),
            spans: Vec::new(),
            message: NO_MESSAGE,
            generated: Vec::new(),
            generated_from: None,
            unmarked: None,
        }
    }

    /// Converts a `Text` so that a guard can be applied to it: template text becomes structure, which may contain delimiters.
    ///
    /// ```
    /// use typed_prompt::{format::{Family, FormatOptions}, message::Text, write::AnnotatedText};
    ///
    /// let text = AnnotatedText::from_text(&Text::template("<doc>"));
    /// assert_eq!(text.guarded(&Family::BARE, &["<doc>"], &FormatOptions::new())?.as_str(), "<doc>");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn from_text(text: &Text) -> AnnotatedText {
        let data = text.data().iter().map(|data| OriginSpan {
            start: data.range.start,
            end: data.range.end,
            message: NO_MESSAGE,
            source: Origin::Data(data.slot),
        });
        AnnotatedText {
            text: text.as_str().to_owned(),
            spans: data.collect(),
            ..AnnotatedText::new()
        }
    }

    /// Reserves capacity for this many more bytes, and pieces that are not the format's own text.
    ///
    /// ```
    /// let mut out = typed_prompt::write::AnnotatedText::default();
    /// out.reserve(100, 2);
    /// assert_eq!(out.as_str(), "");
    /// ```
    pub fn reserve(&mut self, bytes: usize, pieces: usize) {
        self.text.reserve(bytes);
        self.spans.reserve(pieces);
        // At most every second piece is an answer.
        self.generated.reserve(pieces / 2);
    }

    /// Sets the index of the message that the next segments belong to. Errors contain it.
    ///
    /// ```
    /// let mut out = typed_prompt::write::AnnotatedText::default();
    /// out.message(0);
    /// out.structure("user: ");
    /// out.message(None);
    /// ```
    pub fn message(&mut self, index: impl Into<Option<usize>>) {
        self.message = index.into().unwrap_or(NO_MESSAGE);
    }

    /// Makes the segments of a message those of no message.
    pub(crate) fn forget_message(&mut self, index: usize) {
        for span in &mut self.spans {
            if span.message() == Some(index) {
                span.message = NO_MESSAGE;
            }
        }
    }

    /// Writes text of the format: role delimiters and control tokens.
    ///
    /// ```
    /// use typed_prompt::{message::Origin, write::AnnotatedText};
    ///
    /// let mut out = AnnotatedText::default();
    /// out.structure("user: ");
    /// assert_eq!(out.pieces().next(), Some(("user: ", Origin::Structure)));
    /// ```
    #[inline]
    pub fn structure(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Writes text with its data.
    ///
    /// ```
    /// use typed_prompt::{message::{Origin, Text}, write::AnnotatedText};
    ///
    /// let mut out = AnnotatedText::default();
    /// out.text(&Text::from("Hi"));
    /// assert_eq!(out.pieces().next(), Some(("Hi", Origin::Data(None))));
    /// ```
    #[inline]
    pub fn text(&mut self, text: &Text) {
        self.slice(text, 0, text.as_str());
    }

    /// Writes a slice of a text with its data. `start` is the position of the slice in the text.
    #[inline(always)]
    pub(crate) fn slice(&mut self, text: &Text, start: usize, slice: &str) {
        let begin = self.text.len();
        self.text.push_str(slice);
        match text.data() {
            [data] if data.range.start <= start && start + slice.len() <= data.range.end => {
                self.push_span(begin..self.text.len(), Origin::Data(data.slot));
            }
            data => self.push_spans(data, start..start + slice.len()),
        }
    }

    /// Adds the spans of the range of a text that was just written.
    #[inline(never)]
    fn push_spans(&mut self, data: &[DataSpan], range: Range<usize>) {
        let end = self.text.len();
        let moved = |at: usize| end + at.clamp(range.start, range.end) - range.end;
        let mut at = moved(0);
        for data in data {
            let covered = moved(data.range.start)..moved(data.range.end);
            self.push_span(at..covered.start, Origin::Template);
            at = covered.end;
            self.push_span(covered, Origin::Data(data.slot));
        }
        self.push_span(at..end, Origin::Template);
    }

    /// Adds another text, in which the model generates nothing.
    pub(crate) fn append(&mut self, other: &AnnotatedText) {
        for segment in other.segments() {
            self.message(segment.message);
            self.push(&other.text[segment.range], segment.source);
        }
    }

    #[inline(always)]
    fn push_span(&mut self, range: Range<usize>, source: Origin) {
        if range.is_empty() {
            return;
        }
        let message = self.message;
        match self.spans.last_mut() {
            Some(last)
                if last.end == range.start && (last.message, last.source) == (message, source) =>
            {
                last.end = range.end;
            }
            _ => self.spans.push(OriginSpan {
                start: range.start,
                end: range.end,
                message,
                source,
            }),
        }
    }

    /// Writes text of one source.
    ///
    /// ```
    /// use typed_prompt::{message::Origin, write::AnnotatedText};
    ///
    /// let mut out = AnnotatedText::default();
    /// out.push("Hi", Origin::Template);
    /// assert_eq!(out.as_str(), "Hi");
    /// ```
    pub fn push(&mut self, text: &str, source: Origin) {
        let start = self.text.len();
        self.text.push_str(text);
        if source != Origin::Structure {
            self.push_span(start..self.text.len(), source);
        }
    }

    /// Begins a range that the model generates: the text that is written from here on, up to
    /// [`end_generated`](AnnotatedText::end_generated). A range that was begun before continues.
    ///
    /// ```
    /// let mut out = typed_prompt::write::AnnotatedText::new();
    /// out.structure("A: ");
    /// out.begin_generated();
    /// out.structure("Hi\n");
    /// out.end_generated();
    /// assert_eq!(out.generated()?, [3..6]);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn begin_generated(&mut self) {
        self.generated_from.get_or_insert(self.text.len());
    }

    /// Ends the range that the model generates, if one was begun. It is joined with the range before if the two touch.
    ///
    /// ```
    /// let mut out = typed_prompt::write::AnnotatedText::new();
    /// out.end_generated();
    /// assert!(out.generated()?.is_empty());
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn end_generated(&mut self) {
        let Some(start) = self.generated_from.take() else {
            return;
        };
        let end = self.text.len();
        match self.generated.last_mut() {
            _ if start == end => {}
            Some(last) if last.end == start => last.end = end,
            _ => self.generated.push(start..end),
        }
    }

    /// Whether a range that the model generates was begun and not ended.
    pub(crate) fn is_generating(&self) -> bool {
        self.generated_from.is_some()
    }

    /// Returns the ranges of bytes that the model generates, in order: a loss mask for training.
    ///
    /// A range begins after the header of an assistant's turn, and contains its text, its reasoning and its tool calls with all of
    /// their delimiters, the end token, and a line break that the format writes after it, as in the templates for training of
    /// Hugging Face's trl. The space at the end of a header such as `Assistant: ` is inside. Everything else is outside: headers,
    /// generation prompts, and the turns of all other roles. Formats without an end token have none in the mask; GLM ends a turn
    /// with the token that begins the next one, which is inside.
    ///
    /// The writers of formats mark the ranges, so a format of your own has them if it calls
    /// [`begin_generated`](AnnotatedText::begin_generated). A [`ChatTemplate`](https://docs.rs/typed-prompt/latest/typed_prompt/struct.ChatTemplate.html)
    /// marks what it writes in `{% generation %}` blocks; without such blocks, the turns of the assistant.
    ///
    /// # Errors
    /// A format that cannot determine what the model generates: [`leave_unmarked`](AnnotatedText::leave_unmarked).
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, format};
    ///
    /// let chat = Messages::from([Message::user("2+2?"), Message::assistant("4")]);
    /// let text = chat.to_annotated_text(format::LLAMA3.generation_prompt(false))?;
    /// let generated: Vec<&str> = text.generated()?.iter().map(|range| &text.as_str()[range.clone()]).collect();
    /// assert_eq!(generated, ["4<|eot_id|>"]);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn generated(&self) -> Result<&[Range<usize>]> {
        match &self.unmarked {
            Some(unmarked) => Err(unmarked.error()),
            None => Ok(&self.generated),
        }
    }

    /// Sets the error of [`generated`](AnnotatedText::generated), for a text of which it is unknown what the model generates: a mask
    /// is whole, or it is an error.
    ///
    /// ```
    /// use typed_prompt::{Error, ErrorKind, write::AnnotatedText};
    ///
    /// let mut out = AnnotatedText::new();
    /// out.structure("Hi\nHello\n");
    /// out.leave_unmarked(Error::new(ErrorKind::Unsupported, "the turns have no delimiters"));
    /// assert!(out.generated().is_err());
    /// ```
    pub fn leave_unmarked(&mut self, error: Error) {
        self.unmarked = Some(Unmarked(error));
    }

    #[cfg(feature = "tokens")]
    pub(crate) fn why_unmarked(&self) -> Option<&Unmarked> {
        self.unmarked.as_ref()
    }

    /// Whether a byte is in one of the ranges that the model generates.
    #[cfg(feature = "tokens")]
    pub(crate) fn is_generated(&self, at: usize) -> bool {
        let first = self.generated.partition_point(|range| range.end <= at);
        self.generated
            .get(first)
            .is_some_and(|range| range.start <= at)
    }

    /// Marks the ranges of another text that became this one when spaces were inserted. `inserted` are the first positions of the
    /// other text, in order, before which a space was inserted.
    pub(crate) fn set_generated_of(&mut self, other: &AnnotatedText, inserted: &[usize]) {
        let moved = |at: usize| at + inserted.partition_point(|first| *first <= at);
        let ranges = other.generated.iter();
        self.generated = ranges
            .map(|range| moved(range.start)..moved(range.end))
            .collect();
        self.unmarked.clone_from(&other.unmarked);
    }

    /// Writes the training label. A `stop` token at its end is text of the format, so that a label may close its message.
    ///
    /// ```
    /// use typed_prompt::{message::Origin, write::AnnotatedText};
    ///
    /// let mut out = AnnotatedText::default();
    /// out.label("yes</s>", "</s>");
    /// assert_eq!(out.pieces().nth(1), Some(("</s>", Origin::Structure)));
    /// ```
    pub fn label(&mut self, label: &str, stop: &str) {
        self.message(None);
        self.begin_generated();
        let stops = label.strip_suffix(stop).filter(|_| !stop.is_empty());
        self.push(stops.unwrap_or(label), Origin::Data(Some("label")));
        if stops.is_some() {
            self.structure(stop);
        }
        self.end_generated();
    }

    /// The whole text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The whole text.
    ///
    /// ```
    /// assert_eq!(typed_prompt::write::AnnotatedText::default().into_string(), "");
    /// ```
    pub fn into_string(self) -> String {
        self.text
    }

    /// Applies the guard to data that contains one of these control tokens: for layouts that write something other than messages.
    /// [`ChatFormat::format_messages`](crate::ChatFormat::format_messages) calls it for all others.
    ///
    /// # Errors
    /// Control tokens in data where the guard rejects them.
    ///
    /// ```
    /// use typed_prompt::format::{Family, FormatOptions};
    /// use typed_prompt::{message::Origin, write::AnnotatedText};
    ///
    /// let mut out = AnnotatedText::new();
    /// out.structure("<q>");
    /// out.push("a</q>", Origin::Data(None));
    /// out.structure("</q>");
    /// let guarded = out.guarded(&Family::BARE, &["<q>", "</q>"], &FormatOptions::new())?;
    /// assert_eq!(guarded.as_str(), "<q>a< /q></q>");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn guarded(
        self,
        family: &'static Family,
        tokens: &[&str],
        options: &FormatOptions,
    ) -> Result<AnnotatedText> {
        // Comparing a few tokens takes less time than preparing a set for one text.
        if tokens.len() > 64 {
            return ControlTokenSet::from_tokens(family, tokens).guard(self, options);
        }
        let tokens = ControlTokens::from_family(family).exact(ExactTokens::Listed(tokens));
        crate::guard::apply(self, tokens, family.title, options)
    }

    /// The segments in order: the text of each, and its source.
    pub fn pieces(&self) -> impl Iterator<Item = (&str, Origin)> {
        self.segments()
            .map(|segment| (&self.text[segment.range], segment.source))
    }

    /// The segments in order.
    pub(crate) fn segments(&self) -> impl Iterator<Item = Segment> {
        let mut spans = self.spans.iter().peekable();
        let mut at = 0;
        std::iter::from_fn(move || {
            let start = at;
            let span = spans.next_if(|span| span.start == start);
            at = match span {
                Some(span) => span.end,
                None => spans.peek().map_or(self.text.len(), |span| span.start),
            };
            (start < at).then(|| Segment {
                range: start..at,
                source: span.map_or(Origin::Structure, |span| span.source),
                message: span.and_then(OriginSpan::message),
            })
        })
    }

    /// The ranges of data in order.
    pub(crate) fn data(&self) -> impl Iterator<Item = &OriginSpan> {
        let spans = self.spans.iter();
        spans.filter(|span| matches!(span.source, Origin::Data(_)))
    }

    /// The ranges of template text in order.
    pub(crate) fn template(&self) -> impl Iterator<Item = &OriginSpan> {
        let spans = self.spans.iter();
        spans.filter(|span| span.source == Origin::Template)
    }

    /// The source of a byte, and the index of its message.
    #[cfg(feature = "tokens")]
    pub(crate) fn source_at(&self, at: usize) -> (Origin, Option<usize>) {
        let at = at.min(self.text.len().saturating_sub(1));
        let first = self.spans.partition_point(|span| span.end <= at);
        match self.spans.get(first) {
            Some(span) if span.start <= at => (span.source, span.message()),
            _ => (Origin::Structure, None),
        }
    }

    /// The length of the format's own text at the end.
    pub(crate) fn structure_at_end(&self) -> usize {
        self.text.len() - self.spans.last().map_or(0, |span| span.end)
    }

    /// Removes white space, as Python defines it, from the end.
    pub(crate) fn strip_end(&mut self) {
        self.truncate(self.text.trim_end_matches(is_whitespace).len());
    }

    /// Removes the text after this many bytes.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.text.truncate(len);
        let rest = self.spans.partition_point(|span| span.start < len);
        self.spans.truncate(rest);
        if let Some(last) = self.spans.last_mut() {
            last.end = last.end.min(len);
        }
        let rest = self.generated.partition_point(|range| range.start < len);
        self.generated.truncate(rest);
        if let Some(last) = self.generated.last_mut() {
            last.end = last.end.min(len);
        }
        self.generated_from = self.generated_from.map(|start| start.min(len));
    }

    /// Removes a token at the start, if the text begins with it.
    ///
    /// ```
    /// let mut out = typed_prompt::write::AnnotatedText::default();
    /// out.structure("<s>[INST] ");
    /// out.strip_prefix("<s>");
    /// assert_eq!(out.as_str(), "[INST] ");
    /// ```
    pub fn strip_prefix(&mut self, token: &str) {
        if self.text.starts_with(token) {
            self.cut_start(token.len());
        }
    }

    /// Removes a token at the end, if the text ends with it and it is the format's own.
    ///
    /// ```
    /// let mut out = typed_prompt::write::AnnotatedText::new();
    /// out.structure("Hi</s>");
    /// out.strip_suffix("</s>");
    /// assert_eq!(out.as_str(), "Hi");
    /// ```
    pub fn strip_suffix(&mut self, token: &str) {
        if self.structure_at_end() >= token.len() && self.text.ends_with(token) {
            self.truncate(self.text.len() - token.len());
        }
    }

    /// Removes a character from the start of the text as often as it occurs there.
    ///
    /// ```
    /// use typed_prompt::write::AnnotatedText;
    ///
    /// let mut out = AnnotatedText::default();
    /// out.structure("\n\nHi\n");
    /// out.trim_start_matches('\n');
    /// assert_eq!(out.as_str(), "Hi\n");
    /// ```
    pub fn trim_start_matches(&mut self, character: char) {
        self.cut_start(self.text.len() - self.text.trim_start_matches(character).len());
    }

    fn cut_start(&mut self, cut: usize) {
        if cut == 0 {
            return;
        }
        self.text.drain(..cut);
        self.spans.retain_mut(|span| {
            span.start -= span.start.min(cut);
            span.end -= span.end.min(cut);
            span.start < span.end
        });
        self.generated.retain_mut(|range| {
            *range = range.start.saturating_sub(cut)..range.end.saturating_sub(cut);
            range.start < range.end
        });
        self.generated_from = self.generated_from.map(|start| start.saturating_sub(cut));
    }
}

/// The inverse of [`AnnotatedText::pieces`].
impl<'a> Extend<(&'a str, Origin)> for AnnotatedText {
    fn extend<I: IntoIterator<Item = (&'a str, Origin)>>(&mut self, pieces: I) {
        for (piece, source) in pieces {
            self.push(piece, source);
        }
    }
}

impl Text {
    /// Applies a guard to the data of the text, for delimiters that are not part of a chat format, such as the tags or headings of
    /// sections. `tokens` are the delimiters, `loose` those that match in any case and with any white space; `title` names them in
    /// errors.
    ///
    /// # Errors
    /// A delimiter in data where the guard rejects it.
    ///
    /// ```
    /// use typed_prompt::{Guard, message::{Origin, Text}};
    ///
    /// let mut text = Text::template("<doc>");
    /// text.extend([("a</doc>", Origin::Data(None))]);
    /// text.push_template("</doc>");
    /// let tags = ["<doc>", "</doc>"];
    /// assert_eq!(text.guarded(Guard::Neutralise, "sections", &tags, &[])?.as_str(), "<doc>a< /doc></doc>");
    /// assert!(text.guarded(Guard::Reject, "sections", &tags, &[]).is_err());
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn guarded(
        &self,
        guard: crate::Guard,
        title: &str,
        tokens: &[&str],
        loose: &[&str],
    ) -> Result<Text> {
        let options = FormatOptions::new().guard(guard);
        let loose: Vec<&str> = loose.iter().map(|token| token.trim_start()).collect();
        let tokens = ControlTokens {
            exact: ExactTokens::Listed(tokens),
            numbered: &[],
            loose: &loose,
        };
        let annotated =
            crate::guard::apply(AnnotatedText::from_text(self), tokens, title, &options)?;
        let mut text = Text::new();
        text.extend(annotated.pieces().map(|(piece, origin)| match origin {
            Origin::Structure => (piece, Origin::Template),
            _ => (piece, origin),
        }));
        Ok(text)
    }
}

/// Whether Python's `str.isspace` and `str.strip` count it as white space: Unicode's, and four control characters.
///
/// ```
/// assert!(prompt_core::python::is_whitespace('\u{1c}'));
/// ```
pub fn is_whitespace(char: char) -> bool {
    char.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&char)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(wrapped: &AnnotatedText) -> Vec<(&str, Origin)> {
        wrapped.pieces().collect()
    }

    #[test]
    fn strips_the_end_across_segments() {
        let mut out = AnnotatedText::default();
        out.structure("[INST] <<SYS>>\n\n");
        out.push(" \n ", Origin::Data(None));
        out.strip_end();
        assert_eq!(pieces(&out), [("[INST] <<SYS>>", Origin::Structure)]);
        out.strip_end();
        assert_eq!(out.as_str(), "[INST] <<SYS>>");
        out.truncate(0);
        assert_eq!(pieces(&out), []);
    }

    #[test]
    fn generated_ranges_follow_the_text() {
        let written = || {
            let mut out = AnnotatedText::new();
            out.structure("<s>a:");
            out.begin_generated();
            out.push("one", Origin::Data(None));
            out.begin_generated();
            out.structure("</s>");
            out.end_generated();
            out.end_generated();
            out.structure("b:");
            out.begin_generated();
            out
        };
        let check = |change: fn(&mut AnnotatedText), expected: &[[usize; 2]]| {
            let mut out = written();
            change(&mut out);
            out.structure("two");
            out.end_generated();
            let ranges = out.generated().unwrap().iter();
            let found: Vec<[usize; 2]> = ranges.map(|range| [range.start, range.end]).collect();
            assert_eq!(found, expected, "{}", out.as_str());
        };
        check(|_| {}, &[[5, 12], [14, 17]]);
        check(|out| out.strip_prefix("<s>"), &[[2, 9], [11, 14]]);
        check(|out| out.cut_start(7), &[[0, 5], [7, 10]]);
        // What is open at the end stays open.
        check(|out| out.truncate(13), &[[5, 12], [13, 16]]);
        check(|out| out.truncate(9), &[[5, 12]]);
        check(|out| out.truncate(3), &[[3, 6]]);
    }

    #[test]
    fn strips_line_breaks() {
        let mut out = AnnotatedText::default();
        out.structure("\n");
        out.push("\n\na", Origin::Template);
        out.trim_start_matches('\n');
        assert_eq!(pieces(&out), [("a", Origin::Template)]);
    }

    #[test]
    fn pythons_white_space_is_recognised() {
        let mut out = AnnotatedText::default();
        out.push(
            "a\u{200b} \u{1f}\u{3000}\u{1c}\u{85}\u{a0}",
            Origin::Template,
        );
        out.strip_end();
        assert_eq!(out.as_str(), "a\u{200b}");
    }
}
