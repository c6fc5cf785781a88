//! Which bytes of a rendered text are data.
//!
//! A template is a program: it strips, cuts and joins its input, and prints it between text of its own. So it is rendered a
//! second time on the same conversation with every character of it, white space apart, replaced by one of Unicode's private
//! use: a placeholder for each character and origin. Operators, filters and methods compare placeholders as the characters
//! that they represent (`ops.rs`, `methods.rs`), so both renderings differ in placeholders only, and the second contains the
//! origin of each character of the first.

use std::collections::{BTreeSet, HashMap};

use crate::node::{Conversation, RequestPart};
use prompt_core::python::is_whitespace as is_space;
use prompt_core::{Origin, Text};

/// Which text a character comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Group(u32);

/// The placeholders of a conversation.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    groups: Vec<(Origin, RequestPart)>,
    by_key: HashMap<(Origin, RequestPart), Group>,
    by_char: HashMap<(char, Group), char>,
    by_mark: HashMap<char, (char, Group)>,
}

/// A character of a rendered text, and where it comes from if that is not the template.
type CharOrigin = (char, Option<Group>);

/// The private-use planes 15 and 16.
const PRIVATE: [std::ops::RangeInclusive<u32>; 2] = [0xF_0000..=0xF_FFFD, 0x10_0000..=0x10_FFFD];

/// The characters that JSON, Python and HTML write for those that they escape.
const ESCAPES: &str = "\\\"'nrtbfuUx0123456789abcdef&#;ampltg";

/// A character in place of a placeholder that does not exist: the renderings then differ.
const UNKNOWN: char = '\u{10ffff}';

impl Marks {
    /// Placeholders for a conversation; none if it has more different characters than there are placeholders.
    ///
    /// `merged`: origins are not distinguished, so that equal strings stay equal.
    pub(crate) fn new(conversation: &Conversation, merged: bool) -> Option<Marks> {
        let mut marks = Marks::default();
        let mut chars: BTreeSet<(char, Group)> = BTreeSet::new();
        let mut fits = true;
        conversation.texts(&mut |text, place| {
            for (piece, source) in text.pieces() {
                let key = key(source, place, merged);
                let next = Group(u32::try_from(marks.groups.len()).unwrap_or(u32::MAX));
                let group = *marks.by_key.entry(key).or_insert_with(|| {
                    marks.groups.push(key);
                    ESCAPES.chars().for_each(|char| add(&mut chars, char, next));
                    next
                });
                let shown = piece.chars().filter(|char| !is_space(*char));
                shown.for_each(|char| add(&mut chars, char, group));
            }
            fits &= chars.len() <= 131_000;
        });
        let private = PRIVATE.into_iter().flatten().filter_map(char::from_u32);
        if !fits {
            return None;
        }
        // In order, so that placeholders sort as their characters.
        for ((char, group), mark) in chars.into_iter().zip(private) {
            marks.by_char.insert((char, group), mark);
            marks.by_mark.insert(mark, (char, group));
        }
        Some(marks)
    }

    /// The character that a placeholder represents, and its origin.
    pub(crate) fn meaning(&self, mark: char) -> Option<(char, Group)> {
        self.by_mark.get(&mark).copied()
    }

    /// The placeholder of a character.
    pub(crate) fn mark(&self, char: char, group: Group) -> char {
        if is_space(char) {
            return char;
        }
        self.by_char.get(&(char, group)).copied().unwrap_or(UNKNOWN)
    }

    /// Appends a text whose characters are escaped: placeholders as the characters that they represent, by placeholders.
    pub(crate) fn add_escaped(
        marks: Option<&Marks>,
        text: &str,
        out: &mut String,
        escape: impl Fn(&mut String, char),
    ) {
        for char in text.chars() {
            match marks.and_then(|marks| Some((marks, marks.meaning(char)?))) {
                None => escape(out, char),
                Some((marks, (real, group))) => {
                    let mut escaped = String::new();
                    escape(&mut escaped, real);
                    out.extend(escaped.chars().map(|char| marks.mark(char, group)));
                }
            }
        }
    }

    /// The placeholders of a text.
    pub(crate) fn marked(&self, text: &Text, place: RequestPart) -> String {
        let pieces = text.pieces().flat_map(|(piece, source)| {
            // Of merged and separate places one is in the table.
            let group = |merged| self.by_key.get(&key(source, place, merged)).copied();
            let group = group(false).or_else(|| group(true));
            piece.chars().map(move |char| (char, group))
        });
        let marks =
            pieces.map(|(char, group)| group.map_or(UNKNOWN, |group| self.mark(char, group)));
        marks.collect()
    }

    /// The origin of each character of the plain text, if the marked text differs from it in placeholders only.
    pub(crate) fn origins(&self, marked: &str, plain: &str) -> Option<Vec<CharOrigin>> {
        let mut origins: Vec<CharOrigin> = Vec::with_capacity(marked.len());
        let mut real = plain.chars();
        for char in marked.chars() {
            let (char, group) = match self.meaning(char) {
                Some((char, group)) => (char, Some(group)),
                None => (char, None),
            };
            if real.next() != Some(char) {
                return None;
            }
            origins.push((char, group));
        }
        if real.next().is_some() {
            return None;
        }
        fill(&mut origins);
        Some(origins)
    }

    pub(crate) fn source(&self, group: Option<Group>) -> (Origin, RequestPart) {
        let known = group
            .and_then(|group| self.groups.get(group.0 as usize))
            .copied();
        known.unwrap_or((Origin::Structure, RequestPart::Anywhere))
    }

    /// The parts that have text, and those that are missing in a rendered text.
    pub(crate) fn missing(
        &self,
        conversation: &Conversation,
        origins: &[CharOrigin],
    ) -> Vec<RequestPart> {
        let seen: BTreeSet<RequestPart> = origins
            .iter()
            .filter_map(|origin| origin.1)
            .map(|group| self.source(Some(group)).1)
            .collect();
        let mut missing = BTreeSet::new();
        conversation.texts(&mut |text, place| {
            let has_words = text.as_str().contains(|char| !is_space(char));
            if place != RequestPart::Anywhere && has_words && !seen.contains(&place) {
                missing.insert(place);
            }
        });
        missing.into_iter().collect()
    }
}

/// Adds a character and its other cases.
fn add(chars: &mut BTreeSet<(char, Group)>, char: char, group: Group) {
    if chars.insert((char, group)) {
        let cases = char.to_uppercase().chain(char.to_lowercase());
        chars.extend(cases.map(|char| (char, group)));
    }
}

fn key(source: Origin, place: RequestPart, merged: bool) -> (Origin, RequestPart) {
    match (merged, source) {
        (false, _) => (source, place),
        (true, Origin::Data(_)) => (Origin::Data(None), RequestPart::Anywhere),
        (true, _) => (Origin::Template, RequestPart::Anywhere),
    }
}

/// White space between characters of one text is of that text.
fn fill(origins: &mut [CharOrigin]) {
    let mut last: Option<(usize, Group)> = None;
    for at in 0..origins.len() {
        match origins[at] {
            (_, Some(group)) => {
                if let Some((from, before)) = last
                    && before == group
                {
                    origins[from + 1..at]
                        .iter_mut()
                        .for_each(|origin| origin.1 = Some(group));
                }
                last = Some((at, group));
            }
            (char, None) if is_space(char) => {}
            (_, None) => last = None,
        }
    }
}
