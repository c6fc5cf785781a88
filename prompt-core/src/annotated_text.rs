//! A conversation as one text, with the source of each segment.

use std::ops::Range;

use crate::format::{Family, FormatOptions};
use crate::python::is_whitespace;
use crate::{Origin, Result, Text};

/// A conversation as one text, with the source of each segment: the format, the template or data.
///
/// ```
/// use prompt_core::{Message, Messages, Prompt, Origin, format};
///
/// let wrapped = Messages::from([Message::user("Hi")]).wrap(format::CHATML)?;
/// let pieces: Vec<_> = wrapped.pieces().collect();
/// assert_eq!(pieces[0], ("<|im_start|>user\n", Origin::Structure));
/// assert_eq!(pieces[1], ("Hi", Origin::Data(None)));
/// # Ok::<(), prompt_core::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AnnotatedText {
    pub(crate) text: String,
    pub(crate) segments: Vec<Segment>,
    message: Option<usize>,
    options: FormatOptions,
}

/// A segment of the text: from the end of the previous segment to `end`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Segment {
    pub(crate) end: usize,
    pub(crate) source: Origin,
    pub(crate) message: Option<usize>,
}

impl Segment {
    pub(crate) fn is_data(&self) -> bool {
        matches!(self.source, Origin::Data(_))
    }
}

impl AnnotatedText {
    /// An empty text with these options.
    ///
    /// ```
    /// use prompt_core::{AnnotatedText, format::FormatOptions};
    ///
    /// let mut out = AnnotatedText::new(FormatOptions::default());
    /// out.structure("### Response:");
    /// assert_eq!(out.as_str(), "### Response:");
    /// ```
    pub fn new(options: FormatOptions) -> AnnotatedText {
        AnnotatedText {
            options,
            ..AnnotatedText::default()
        }
    }

    /// Reserves capacity for this many more bytes and segments.
    ///
    /// ```
    /// let mut out = prompt_core::AnnotatedText::default();
    /// out.reserve(100, 2);
    /// assert_eq!(out.as_str(), "");
    /// ```
    pub fn reserve(&mut self, bytes: usize, pieces: usize) {
        self.text.reserve(bytes);
        self.segments.reserve(pieces);
    }

    /// The options of the caller.
    ///
    /// ```
    /// assert!(prompt_core::AnnotatedText::default().options().bos);
    /// ```
    pub fn options(&self) -> &FormatOptions {
        &self.options
    }

    #[cfg(feature = "tokens")]
    pub(crate) fn set_guard(&mut self, guard: crate::Guard) {
        self.options.guard = guard;
    }

    /// Sets the index of the message that the next segments belong to. Errors contain it.
    ///
    /// ```
    /// let mut out = prompt_core::AnnotatedText::default();
    /// out.message(0);
    /// out.structure("user: ");
    /// out.message(None);
    /// ```
    pub fn message(&mut self, index: impl Into<Option<usize>>) {
        self.message = index.into();
    }

    /// Writes text of the format: role delimiters and control tokens.
    ///
    /// ```
    /// use prompt_core::{Origin, AnnotatedText};
    ///
    /// let mut out = AnnotatedText::default();
    /// out.structure("user: ");
    /// assert_eq!(out.pieces().next(), Some(("user: ", Origin::Structure)));
    /// ```
    pub fn structure(&mut self, text: &str) {
        self.push(text, Origin::Structure);
    }

    /// Writes text with its data.
    ///
    /// ```
    /// use prompt_core::{Origin, Text, AnnotatedText};
    ///
    /// let mut out = AnnotatedText::default();
    /// out.text(&Text::from("Hi"));
    /// assert_eq!(out.pieces().next(), Some(("Hi", Origin::Data(None))));
    /// ```
    pub fn text(&mut self, text: &Text) {
        for (piece, source) in text.pieces() {
            self.push(piece, source);
        }
    }

    /// Writes text of one source.
    ///
    /// ```
    /// use prompt_core::{Origin, AnnotatedText};
    ///
    /// let mut out = AnnotatedText::default();
    /// out.push("Hi", Origin::Template);
    /// assert_eq!(out.as_str(), "Hi");
    /// ```
    #[inline]
    pub fn push(&mut self, text: &str, source: Origin) {
        if text.is_empty() {
            return;
        }
        self.text.push_str(text);
        let (end, message) = (self.text.len(), self.message);
        match self.segments.last_mut() {
            Some(last) if last.message == message && last.source == source => last.end = end,
            _ => self.segments.push(Segment {
                end,
                source,
                message,
            }),
        }
    }

    /// Writes the training label. A `stop` token at its end is text of the format, so that a label may close its message.
    ///
    /// ```
    /// use prompt_core::{Origin, AnnotatedText};
    ///
    /// let mut out = AnnotatedText::default();
    /// out.label("yes</s>", "</s>");
    /// assert_eq!(out.pieces().nth(1), Some(("</s>", Origin::Structure)));
    /// ```
    pub fn label(&mut self, label: &str, stop: &str) {
        self.message = None;
        let stops = if stop.is_empty() {
            None
        } else {
            label.strip_suffix(stop)
        };
        self.push(stops.unwrap_or(label), Origin::Data(Some("label")));
        if stops.is_some() {
            self.structure(stop);
        }
    }

    /// The whole text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The whole text.
    ///
    /// ```
    /// assert_eq!(prompt_core::AnnotatedText::default().into_string(), "");
    /// ```
    pub fn into_string(self) -> String {
        self.text
    }

    /// Applies the guard of the options to data that contains one of these control tokens: for layouts that write something
    /// other than messages. [`ChatFormat::wrap`](crate::ChatFormat::wrap) calls it for all others.
    ///
    /// # Errors
    /// Control tokens in data where the guard rejects them.
    ///
    /// ```
    /// use prompt_core::{Origin, AnnotatedText, format::Family};
    ///
    /// let mut out = AnnotatedText::default();
    /// out.structure("<q>");
    /// out.push("a</q>", Origin::Data(None));
    /// out.structure("</q>");
    /// assert_eq!(out.guarded(&Family::BARE, &["<q>", "</q>"])?.as_str(), "<q>a< /q></q>");
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn guarded(self, family: &Family, tokens: &[&str]) -> Result<AnnotatedText> {
        let tokens = crate::guard::Tokens::of(family).exact(tokens);
        crate::guard::apply(self, tokens, family.title)
    }

    /// Applies the guard with tokens that are known at run time. Those that are `loose` too are text to the tokenizer: they
    /// match in any case, and with any white space except inside their words. `title` names the format in errors.
    ///
    /// # Errors
    /// Control tokens in data where the guard rejects them.
    ///
    /// ```
    /// use prompt_core::{Origin, AnnotatedText};
    ///
    /// let mut out = AnnotatedText::default();
    /// out.push("user : a", Origin::Data(None));
    /// assert_eq!(out.guarded_loosely("my format", &["User:"], &["User:"])?.as_str(), "u ser : a");
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn guarded_loosely(
        self,
        title: &str,
        tokens: &[&str],
        loose: &[&str],
    ) -> Result<AnnotatedText> {
        let loose: Vec<&str> = loose.iter().map(|token| token.trim_start()).collect();
        let tokens = crate::guard::Tokens {
            exact: tokens,
            numbered: &[],
            loose: &loose,
        };
        crate::guard::apply(self, tokens, title)
    }

    /// The segments in order: the text of each, and its source.
    pub fn pieces(&self) -> impl Iterator<Item = (&str, Origin)> {
        self.spans()
            .map(|(range, segment)| (&self.text[range], segment.source))
    }

    pub(crate) fn spans(&self) -> impl Iterator<Item = (Range<usize>, &Segment)> {
        let mut start = 0;
        self.segments.iter().map(move |segment| {
            let range = start..segment.end;
            start = segment.end;
            (range, segment)
        })
    }

    /// Removes white space, as Python defines it, from the end.
    pub(crate) fn strip_end(&mut self) {
        self.truncate(self.text.trim_end_matches(is_whitespace).len());
    }

    /// Removes the text after this many bytes.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.text.truncate(len);
        let ended = self.segments.partition_point(|segment| segment.end < len);
        self.segments.truncate(ended + usize::from(len > 0));
        if let Some(last) = self.segments.last_mut() {
            last.end = last.end.min(len);
        }
    }

    /// Removes a token at the start, if the text begins with it.
    ///
    /// ```
    /// let mut out = prompt_core::AnnotatedText::default();
    /// out.structure("<s>[INST] ");
    /// out.strip_prefix("<s>");
    /// assert_eq!(out.as_str(), "[INST] ");
    /// ```
    pub fn strip_prefix(&mut self, token: &str) {
        if self.text.starts_with(token) {
            self.cut_start(token.len());
        }
    }

    /// Removes a character from the start of the text as often as it occurs there.
    ///
    /// ```
    /// use prompt_core::AnnotatedText;
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
        self.segments.retain_mut(|segment| {
            let stays = segment.end > cut;
            segment.end -= segment.end.min(cut);
            stays
        });
    }
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
    fn strips_line_breaks() {
        let mut out = AnnotatedText::default();
        out.structure("\n");
        out.push("\n\na", Origin::Template);
        out.trim_start_matches('\n');
        assert_eq!(pieces(&out), [("a", Origin::Template)]);
    }

    #[test]
    fn knows_pythons_white_space() {
        let mut out = AnnotatedText::default();
        out.push(
            "a\u{200b} \u{1f}\u{3000}\u{1c}\u{85}\u{a0}",
            Origin::Template,
        );
        out.strip_end();
        assert_eq!(out.as_str(), "a\u{200b}");
    }
}
