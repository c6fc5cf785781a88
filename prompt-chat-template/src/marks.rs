//! Which bytes of a rendered text are data.
//!
//! A template is a program: it strips, cuts and joins what it is given, and prints it as words of its own. So it is run
//! a second time on the same conversation with every character of it, white space apart, exchanged for one of Unicode's
//! private use: one for each character and place. If both runs print the same but for these, the second says where each
//! character of the first comes from. They differ where the conversation holds words that the template looks for, such
//! as `</think>`: then those words are left as they are, and are told from the template's own by what stands beside them.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::node::{Conversation, Place};
use crate::words;
use prompt_core::python::is_whitespace as is_space;
use prompt_core::{Origin, Text};

/// Which text a character comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Group(u32);

/// The private characters that stand for those of a conversation.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    groups: Vec<(Origin, Place)>,
    by_key: HashMap<(Origin, Place), Group>,
    by_char: HashMap<(char, Group), char>,
    by_mark: HashMap<char, (char, Group)>,
    /// Words that are not marked.
    kept: Vec<String>,
    /// Whether the template cuts texts at other places than words.
    slices: bool,
    /// The places of unmarked words in the conversation.
    runs: Vec<Run>,
}

/// Unmarked characters of the conversation, and the marked ones beside them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Run {
    text: String,
    before: Option<char>,
    after: Option<char>,
    group: Group,
    /// The characters at which words begin and end.
    borders: Vec<usize>,
    /// Whether it is one word, so that a template that cuts at words keeps or drops all of it.
    whole: bool,
}

impl Run {
    /// Where it stands in a text, without the white space at its ends.
    fn all(&self, here: &[char]) -> Vec<usize> {
        let text: Vec<char> = self.text.trim().chars().collect();
        let windows = here.windows(text.len().max(1)).enumerate();
        let found = windows.filter(|(_, window)| *window == &text[..]);
        found
            .flat_map(|(at, window)| at..at + window.len())
            .collect()
    }

    /// How much of a text begins as this does, or ends so: up to the border of a word, whatever white space there is.
    fn prefix(&self, here: &[char], from_end: bool) -> usize {
        let ordered = |chars: &mut dyn DoubleEndedIterator<Item = char>| -> Vec<char> {
            if from_end {
                chars.rev().collect()
            } else {
                chars.collect()
            }
        };
        let text = ordered(&mut self.text.chars());
        let here = ordered(&mut here.iter().copied());
        let (mut at, mut claimed) = (0, 0);
        for (index, char) in text.iter().enumerate() {
            let border = if from_end {
                text.len() - index - 1
            } else {
                index + 1
            };
            if is_space(*char) {
                continue;
            }
            at += here[at..]
                .iter()
                .take_while(|char| is_space(**char))
                .count();
            if here.get(at) != Some(char) {
                break;
            }
            at += 1;
            if self.borders.binary_search(&border).is_ok() {
                claimed = at;
            }
        }
        claimed
    }
}

/// A character of a rendered text, and where it comes from if that is not the template.
type CharOrigin = (char, Option<Group>);

/// The private-use planes 15 and 16.
const PRIVATE: [std::ops::RangeInclusive<u32>; 2] = [0xF_0000..=0xF_FFFD, 0x10_0000..=0x10_FFFD];

/// How many different unmarked words are looked for.
const MOST_RUNS: usize = 500;

/// What JSON and Python write for characters that they escape.
const ESCAPES: &str = "\\\"'nrtbfuUx0123456789abcdef";

impl Marks {
    /// Marks for a conversation; none if it has more characters than there are marks.
    ///
    /// `kept`: words that are left as they are. `merged`: places are not told apart, so that equal texts stay equal.
    /// `slices`: the template cuts texts at other places than words.
    pub(crate) fn new(
        conversation: &Conversation,
        kept: Vec<String>,
        (merged, slices): (bool, bool),
    ) -> Option<Marks> {
        let mut marks = Marks {
            kept,
            slices,
            ..Marks::default()
        };
        let mut chars: BTreeSet<(char, Group)> = BTreeSet::new();
        let mut fits = true;
        conversation.texts(&mut |text, place| {
            for (piece, source) in text.pieces() {
                let key = key(source, place, merged);
                let next = Group(u32::try_from(marks.groups.len()).unwrap_or(u32::MAX));
                let group = *marks.by_key.entry(key).or_insert_with(|| {
                    marks.groups.push(key);
                    chars.extend(ESCAPES.chars().map(|char| (char, next)));
                    next
                });
                chars.extend(
                    piece
                        .chars()
                        .filter(|char| !is_space(*char))
                        .map(|char| (char, group)),
                );
            }
            fits &= chars.len() <= 131_000;
        });
        let private = PRIVATE.into_iter().flatten().filter_map(char::from_u32);
        if !fits {
            return None;
        }
        // In order, so that what a template sorts it sorts alike.
        for ((char, group), mark) in chars.into_iter().zip(private) {
            marks.by_char.insert((char, group), mark);
            marks.by_mark.insert(mark, (char, group));
        }
        let mut runs = HashSet::new();
        if !marks.kept.is_empty() {
            conversation.texts(&mut |text, place| marks.find_runs(text, place, merged, &mut runs));
        }
        // Each is looked for beside each other: more would take long.
        marks.runs = runs.into_iter().collect();
        (marks.runs.len() <= MOST_RUNS).then_some(marks)
    }

    /// What a private character stands for.
    pub(crate) fn meaning(&self, mark: char) -> Option<(char, Group)> {
        self.by_mark.get(&mark).copied()
    }

    /// The character that stands for one of a group.
    pub(crate) fn mark(&self, char: char, group: Group) -> char {
        self.by_char.get(&(char, group)).copied().unwrap_or(char)
    }

    /// Appends a text whose characters are escaped. Marked ones are escaped as what they stand for, and stay marked.
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

    /// The same text in marks.
    pub(crate) fn marked(&self, text: &Text, place: Place) -> String {
        self.chars(text, place).map(|(char, _)| char).collect()
    }

    /// Each character as the template gets it, and as it is.
    fn chars<'a>(
        &'a self,
        text: &'a Text,
        place: Place,
    ) -> impl Iterator<Item = (char, char)> + 'a {
        let kept = words::places(text.as_str(), &self.kept);
        let mut at = 0;
        let mut kept_at = 0;
        let pieces = text.pieces().flat_map(move |(piece, source)| {
            // Of merged and separate places one is in the table.
            let group = |merged| self.by_key.get(&key(source, place, merged)).copied();
            let group = group(false).or_else(|| group(true));
            piece.chars().map(move |char| (char, group))
        });
        pieces.map(move |(char, group)| {
            let here = at;
            at += char.len_utf8();
            while kept.get(kept_at).is_some_and(|kept| kept.end <= here) {
                kept_at += 1;
            }
            if is_space(char) || kept.get(kept_at).is_some_and(|kept| kept.contains(&here)) {
                return (char, char);
            }
            (group.map_or(char, |group| self.mark(char, group)), char)
        })
    }

    fn find_runs(&self, text: &Text, place: Place, merged: bool, runs: &mut HashSet<Run>) {
        let chars: Vec<(char, char)> = self.chars(text, place).collect();
        let is_marked = |pair: &(char, char)| pair.0 != pair.1;
        let mut at = 0;
        while at < chars.len() {
            let len = chars[at..]
                .iter()
                .position(is_marked)
                .unwrap_or(chars.len() - at);
            let run = &chars[at..at + len];
            if run.iter().any(|(char, _)| !is_space(*char)) {
                let own = key(Origin::Data(None), place, merged);
                let group = self.by_key.get(&own).copied().unwrap_or(Group(0));
                let text: String = run.iter().map(|(char, _)| char).collect();
                runs.insert(Run {
                    borders: words::borders(&text, &self.kept),
                    whole: self.kept.iter().any(|word| word.trim() == text.trim()),
                    text,
                    before: at.checked_sub(1).map(|before| chars[before].1),
                    after: chars.get(at + len).map(|after| after.1),
                    group: self.beside(&chars, at, at + len).unwrap_or(group),
                });
            }
            at += len.max(1);
        }
    }

    fn beside(&self, chars: &[(char, char)], start: usize, end: usize) -> Option<Group> {
        let before = start.checked_sub(1).and_then(|at| chars.get(at));
        let mark = before.or(chars.get(end))?;
        Some(self.meaning(mark.0)?.1)
    }

    /// Where each character of a text comes from, if its marks stand for the plain text.
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
        self.claim(&mut origins);
        fill(&mut origins);
        Some(origins)
    }

    /// Gives unmarked words back to the conversation where what stands beside them there stands beside them here.
    fn claim(&self, origins: &mut [CharOrigin]) {
        if self.runs.is_empty() {
            return;
        }
        let mut at = 0;
        while at < origins.len() {
            if origins[at].1.is_some() {
                at += 1;
                continue;
            }
            let len = origins[at..].iter().position(|origin| origin.1.is_some());
            let end = len.map_or(origins.len(), |len| at + len);
            self.claim_in(origins, at, end);
            at = end;
        }
    }

    fn claim_in(&self, origins: &mut [CharOrigin], start: usize, end: usize) {
        let here: Vec<char> = origins[start..end].iter().map(|origin| origin.0).collect();
        let before = start.checked_sub(1).map(|at| origins[at].0);
        let after = origins.get(end).map(|origin| origin.0);
        for run in &self.runs {
            let begins = run.before.is_some() && run.before == before;
            let ends = run.after.is_some() && run.after == after;
            let claimed: Vec<usize> = match (run.before, run.after) {
                (None, None) => run.all(&here),
                (Some(_), Some(_)) if run.whole && !self.slices => {
                    let is_here = begins && ends && !run.all(&here).is_empty();
                    if is_here {
                        (0..here.len()).collect()
                    } else {
                        Vec::new()
                    }
                }
                _ => {
                    let prefix = if begins { run.prefix(&here, false) } else { 0 };
                    let suffix = if ends { run.prefix(&here, true) } else { 0 };
                    (0..prefix).chain(here.len() - suffix..here.len()).collect()
                }
            };
            for origin in claimed {
                origins[start + origin].1 = Some(run.group);
            }
        }
    }

    pub(crate) fn source(&self, group: Option<Group>) -> (Origin, Place) {
        let known = group
            .and_then(|group| self.groups.get(group.0 as usize))
            .copied();
        known.unwrap_or((Origin::Structure, Place::Anywhere))
    }

    /// The places that have text, and those of them that a rendered text shows nothing of.
    pub(crate) fn missing(
        &self,
        conversation: &Conversation,
        origins: &[CharOrigin],
    ) -> Vec<Place> {
        let seen: BTreeSet<Place> = origins
            .iter()
            .filter_map(|origin| origin.1)
            .map(|group| self.source(Some(group)).1)
            .collect();
        let mut missing = BTreeSet::new();
        conversation.texts(&mut |text, place| {
            let has_words = self.chars(text, place).any(|(char, real)| char != real);
            if place != Place::Anywhere && has_words && !seen.contains(&place) {
                missing.insert(place);
            }
        });
        missing.into_iter().collect()
    }
}

fn key(source: Origin, place: Place, merged: bool) -> (Origin, Place) {
    match (merged, source) {
        (false, _) => (source, place),
        (true, Origin::Data(_)) => (Origin::Data(None), Place::Anywhere),
        (true, _) => (Origin::Template, Place::Anywhere),
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
