//! Strings that carry the source of each byte.

use std::ops::{Deref, Range};
use std::sync::Arc;

use crate::builtin::text::escape_html;

/// Where a byte comes from: the template, or one of the caller's inputs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Source(u32);

/// Set for bytes inside `{% generation %}`.
const GENERATED: u32 = 1 << 31;

impl Source {
    /// Text of the template.
    pub const TEMPLATE: Source = Source(0);

    /// The input with this number; the template has the number 0.
    pub fn input(number: u32) -> Source {
        Source(number & !GENERATED)
    }

    /// The number of the input.
    pub fn number(self) -> u32 {
        self.0 & !GENERATED
    }

    /// Whether it is an input and not the template.
    pub fn is_data(self) -> bool {
        self.number() != 0
    }

    /// Whether a `{% generation %}` block wrote it.
    pub fn is_generated(self) -> bool {
        self.0 & GENERATED != 0
    }

    fn generated(self) -> Source {
        Source(self.0 | GENERATED)
    }

    /// The source of a value that is computed from two others: data if one of them is.
    pub(super) fn and(self, other: Source) -> Source {
        if self.is_data() { self } else { other }
    }
}

/// A string with its sources. A clone or a slice shares the text.
#[derive(Clone, Debug)]
pub struct Str {
    text: Arc<str>,
    start: usize,
    end: usize,
    runs: Runs,
    /// Whether autoescaping leaves it as it is.
    pub(super) safe: bool,
}

#[derive(Clone, Debug)]
enum Runs {
    One(Source),
    /// The source up to each end, in positions of the whole shared text.
    Many(Arc<[(usize, Source)]>),
}

impl Deref for Str {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text[self.start..self.end]
    }
}

impl Str {
    /// A string of one source.
    pub fn new(text: impl Into<Arc<str>>, source: Source) -> Str {
        let text = text.into();
        Str {
            start: 0,
            end: text.len(),
            text,
            runs: Runs::One(source),
            safe: false,
        }
    }

    pub(super) fn template(text: impl Into<Arc<str>>) -> Str {
        Str::new(text, Source::TEMPLATE)
    }

    pub(super) fn slice(&self, range: Range<usize>) -> Str {
        Str {
            start: self.start + range.start,
            end: self.start + range.end,
            ..self.clone()
        }
    }

    /// The parts of the string by source.
    pub(super) fn pieces(&self) -> impl Iterator<Item = (&str, Source)> {
        let (runs, one): (&[(usize, Source)], _) = match &self.runs {
            Runs::One(source) => (&[], (self.start < self.end).then_some((&**self, *source))),
            Runs::Many(runs) => {
                let first = runs.partition_point(|run| run.0 <= self.start);
                (&runs[first..], None)
            }
        };
        let mut at = self.start;
        let many = runs.iter().map_while(move |(end, source)| {
            let from = at;
            at = (*end).min(self.end);
            (from < self.end).then(|| (&self.text[from..at], *source))
        });
        one.into_iter().chain(many)
    }

    /// The parts of two equal strings in which each of them has one source.
    pub(super) fn common_pieces<'s>(
        &'s self,
        other: &'s Str,
    ) -> impl Iterator<Item = (&'s str, Source, Source)> {
        let (mut ours, mut others) = (self.pieces().peekable(), other.pieces().peekable());
        let (mut our_end, mut other_end) = (0, 0);
        let mut at = 0;
        std::iter::from_fn(move || {
            let (a, b) = (*ours.peek()?, *others.peek()?);
            let start = at;
            at = (our_end + a.0.len()).min(other_end + b.0.len());
            if our_end + a.0.len() == at {
                our_end = at;
                ours.next();
            }
            if other_end + b.0.len() == at {
                other_end = at;
                others.next();
            }
            Some((&self[start..at], a.1, b.1))
        })
    }

    /// The number of characters.
    pub(super) fn count(&self) -> usize {
        match self.is_ascii() {
            true => self.len(),
            false => self.chars().count(),
        }
    }

    /// The string so many times.
    pub(super) fn repeat(&self, times: usize) -> Str {
        if let Runs::One(source) = self.runs {
            let mut text = Str::new((**self).repeat(times), source);
            text.safe = self.safe;
            return text;
        }
        let mut out = Builder::default();
        (0..times).for_each(|_| out.push_str(self));
        out.finish_like(self)
    }

    /// The first source that is data, or that of the template.
    pub(super) fn source(&self) -> Source {
        match self.runs {
            Runs::One(source) => source,
            Runs::Many(_) => self
                .pieces()
                .fold(Source::TEMPLATE, |source, piece| source.and(piece.1)),
        }
    }

    /// The string after a change of each of its pieces alone.
    pub(super) fn map_pieces(&self, change: impl Fn(&str) -> String) -> Str {
        let mut out = Builder::default();
        for (piece, source) in self.pieces() {
            out.push(&change(piece), source);
        }
        out.finish_like(self)
    }

    /// The string with the characters that HTML reserves escaped.
    pub(super) fn escape_html(&self) -> Str {
        let mut text = self.map_pieces(escape_html);
        text.safe = true;
        text
    }
}

/// A string that is written piece by piece.
#[derive(Clone, Debug, Default)]
pub(crate) struct Builder {
    pub(super) text: String,
    runs: Vec<(usize, Source)>,
}

impl Builder {
    #[inline]
    pub(super) fn push(&mut self, text: &str, source: Source) {
        if text.is_empty() {
            return;
        }
        self.text.push_str(text);
        match self.runs.last_mut() {
            Some(last) if last.1 == source => last.0 = self.text.len(),
            _ => self.runs.push((self.text.len(), source)),
        }
    }

    pub(super) fn push_template(&mut self, text: &str) {
        self.push(text, Source::TEMPLATE);
    }

    pub(super) fn push_str(&mut self, text: &Str) {
        match text.runs {
            Runs::One(source) => self.push(text, source),
            Runs::Many(_) => text
                .pieces()
                .for_each(|(piece, source)| self.push(piece, source)),
        }
    }

    /// Appends what a `{% generation %}` block wrote.
    pub(super) fn push_generated(&mut self, text: &Str) {
        for (piece, source) in text.pieces() {
            self.push(piece, source.generated());
        }
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    pub(super) fn finish(self) -> Str {
        let runs = match &self.runs[..] {
            [] => Runs::One(Source::TEMPLATE),
            [(_, source)] => Runs::One(*source),
            _ => Runs::Many(self.runs.into()),
        };
        Str {
            start: 0,
            end: self.text.len(),
            text: self.text.into(),
            runs,
            safe: false,
        }
    }

    /// The string, safe where the other one is.
    pub(super) fn finish_like(self, other: &Str) -> Str {
        let mut text = self.finish();
        text.safe = other.safe;
        text
    }

    /// The text, and the source up to each end.
    pub(super) fn into_parts(self) -> (String, Vec<(usize, Source)>) {
        (self.text, self.runs)
    }
}
