//! Which bytes of a rendered text are data.
//!
//! A template is a program: it strips, cuts and joins its input, and prints it between text of its own. So it is rendered a
//! second time on the same conversation with every character of it, white space apart, replaced by one of Unicode's private
//! use: a placeholder for each character and origin. Operators, filters and methods compare placeholders as the characters
//! that they represent (`ops.rs`, `methods.rs`), so both renderings differ in placeholders only, and the second contains the
//! origin of each character of the first.

use std::collections::{BTreeSet, HashMap};

use crate::node::{RequestPart, TemplateConversation};
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
    /// What each placeholder represents, in order, so that placeholders sort as their characters.
    chars: Vec<(char, Group)>,
}

/// A character of a rendered text, and where it comes from if that is not the template.
type CharOrigin = (char, Option<Group>);

/// The private-use planes 15 and 16 begin here, and each has so many characters.
const PRIVATE: u32 = 0xF_0000;
const PLANE: u32 = 0xFFFE;

/// The characters that JSON, Python and HTML write for those that they escape.
const ESCAPES: &str = "\\\"'nrtbfuUx0123456789abcdef&#;ampltg";

/// A character in place of a placeholder that does not exist: the renderings then differ.
const UNKNOWN: char = '\u{10ffff}';

impl Marks {
    /// Placeholders for a conversation; none if it has more different characters than there are placeholders.
    ///
    /// `merged`: origins are not distinguished, so that equal strings stay equal.
    pub(crate) fn new(conversation: &TemplateConversation, merged: bool) -> Option<Marks> {
        let mut marks = Marks::default();
        let mut shown: Vec<char> = Vec::new();
        conversation.visit_texts(&mut |text, part| {
            for (piece, source) in text.pieces() {
                let key = group_key(source, part, merged);
                let next = Group(u32::try_from(marks.groups.len()).unwrap_or(u32::MAX));
                shown.clear();
                let group = *marks.by_key.entry(key).or_insert_with(|| {
                    marks.groups.push(key);
                    shown.extend(ESCAPES.chars());
                    next
                });
                shown.extend(piece.chars().filter(|char| !is_space(*char)));
                shown.sort_unstable();
                shown.dedup();
                for char in &shown {
                    // In another case too.
                    let cases = char.to_uppercase().chain(char.to_lowercase());
                    let cases = cases.chain([*char]).map(|char| (char, group));
                    marks.chars.extend(cases);
                }
            }
        });
        marks.chars.sort_unstable();
        marks.chars.dedup();
        (marks.chars.len() <= 131_000).then_some(marks)
    }

    /// The character that a placeholder represents, and its origin.
    pub(crate) fn represented_char(&self, mark: char) -> Option<(char, Group)> {
        let at = u32::from(mark).checked_sub(PRIVATE)?;
        let (plane, at) = (at >> 16, at & 0xFFFF);
        let index = (at < PLANE).then_some(plane * PLANE + at)?;
        self.chars.get(index as usize).copied()
    }

    /// The placeholder of a character.
    pub(crate) fn placeholder_of(&self, char: char, group: Group) -> char {
        if is_space(char) {
            return char;
        }
        let index = self.chars.binary_search(&(char, group));
        let index = index.ok().and_then(|index| u32::try_from(index).ok());
        let mark = index
            .and_then(|index| char::from_u32(PRIVATE + ((index / PLANE) << 16) + index % PLANE));
        mark.unwrap_or(UNKNOWN)
    }

    /// Appends a text whose characters are escaped: placeholders as the characters that they represent, by placeholders.
    pub(crate) fn add_escaped(
        marks: Option<&Marks>,
        text: &str,
        out: &mut String,
        escape: impl Fn(&mut String, char),
    ) {
        let mut escaped = String::new();
        for char in text.chars() {
            match marks.and_then(|marks| Some((marks, marks.represented_char(char)?))) {
                None => escape(out, char),
                Some((marks, (real, group))) => {
                    escaped.clear();
                    escape(&mut escaped, real);
                    out.extend(
                        escaped
                            .chars()
                            .map(|char| marks.placeholder_of(char, group)),
                    );
                }
            }
        }
    }

    /// The placeholders of a text.
    pub(crate) fn with_placeholders(&self, text: &Text, part: RequestPart) -> String {
        let pieces = text.pieces().flat_map(|(piece, source)| {
            // Of merged and separate places one is in the table.
            let group = |merged| self.by_key.get(&group_key(source, part, merged)).copied();
            let group = group(false).or_else(|| group(true));
            piece.chars().map(move |char| (char, group))
        });
        let marks = pieces
            .map(|(char, group)| group.map_or(UNKNOWN, |group| self.placeholder_of(char, group)));
        marks.collect()
    }

    /// The origin of each character of the plain text, if the marked text differs from it in placeholders only.
    pub(crate) fn char_origins(&self, marked: &str, plain: &str) -> Option<Vec<CharOrigin>> {
        let mut origins: Vec<CharOrigin> = Vec::with_capacity(marked.len());
        let mut real = plain.chars();
        for char in marked.chars() {
            let (char, group) = match self.represented_char(char) {
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
        assign_white_space(&mut origins);
        Some(origins)
    }

    pub(crate) fn source(&self, group: Option<Group>) -> (Origin, RequestPart) {
        let known = group
            .and_then(|group| self.groups.get(group.0 as usize))
            .copied();
        known.unwrap_or((Origin::Structure, RequestPart::Anywhere))
    }

    /// The parts that have text, and those that are missing in a rendered text.
    pub(crate) fn missing_parts(
        &self,
        conversation: &TemplateConversation,
        origins: &[CharOrigin],
    ) -> Vec<RequestPart> {
        let seen: BTreeSet<RequestPart> = origins
            .iter()
            .filter_map(|origin| origin.1)
            .map(|group| self.source(Some(group)).1)
            .collect();
        let mut missing = BTreeSet::new();
        conversation.visit_texts(&mut |text, part| {
            let has_words = text.as_str().contains(|char| !is_space(char));
            if part != RequestPart::Anywhere && has_words && !seen.contains(&part) {
                missing.insert(part);
            }
        });
        missing.into_iter().collect()
    }
}

fn group_key(source: Origin, part: RequestPart, merged: bool) -> (Origin, RequestPart) {
    match (merged, source) {
        (false, _) => (source, part),
        (true, Origin::Data(_)) => (Origin::Data(None), RequestPart::Anywhere),
        (true, _) => (Origin::Template, RequestPart::Anywhere),
    }
}

/// White space between characters of one text is of that text.
fn assign_white_space(origins: &mut [CharOrigin]) {
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
