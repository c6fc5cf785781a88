//! Ordinary conversations in one pass: the marks between the words are known beforehand, joined.
//!
//! A family's [`Frame`] says them. Whatever is not ordinary (tools, reasoning, media, another order, no words, a token in
//! the words) is left to the family's [`Style`](super::Style), which writes the same text for what is.

use super::python::is_space;
use super::talk::{Speaks, Talk};
use super::words::Words;
use crate::format::joint::stands_at;
use crate::format::{Ends, Family, Frame};
use crate::guard::Firsts;
use crate::{Message, Role, Wrapped};

/// What a family writes around words, made for one pass when the crate is compiled.
pub(crate) struct Framing {
    pub(super) family: &'static Family,
    pub(super) ends: Ends,
    switches: &'static [&'static str],
    system: Option<(Mark, Mark)>,
    user: Option<Mark>,
    reply: Mark,
    next: Mark,
    answer: Mark,
    pub(super) exchanges: Exchanges,
    /// Of tokens and switches.
    pub(super) firsts: Firsts,
}

/// Appends answers, each with the question behind it and the family's marks before both; nothing if one is refused.
pub(super) type Exchanges = fn(&[[Message; 2]], &mut String) -> Option<()>;

/// [`Exchanges`] of one family. The lengths of its marks stand in the code, so that a mark is copied by a few moves and not
/// by a call.
macro_rules! exchanges {
    ($family:expr) => {
        |exchanges, text| {
            use $crate::format::native::framed::said;
            const MARKS: (&str, &str, $crate::format::Ends) = match $family.frame {
                Some(frame) => (frame.reply, frame.next, frame.ends),
                None => ("", "", $crate::format::Ends::Varying),
            };
            let (reply, next, ends) = MARKS;
            for [answer, question] in exchanges {
                text.push_str(reply);
                text.push_str(said(answer, $crate::Role::Assistant, ends)?);
                text.push_str(next);
                text.push_str(said(question, $crate::Role::User, ends)?);
            }
            Some(())
        }
    };
}
pub(super) use exchanges;

/// A text between words.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    text: &'static str,
    /// How many of its bytes a token can begin with.
    firsts: usize,
}

/// What stands before the first words, and behind instructions if these are the first.
#[derive(Clone, Copy)]
struct Opening {
    start: Mark,
    after: Option<Mark>,
}

/// How many bytes of words a message has on average where counting the whole text is faster than searching each.
const SHORT: usize = 256;

impl Framing {
    /// `None` for a family without a frame.
    pub(super) const fn of(family: &'static Family, exchanges: Exchanges) -> Option<Framing> {
        let Some(Frame {
            system,
            user,
            reply,
            next,
            answer,
            ends,
            switches,
        }) = family.frame
        else {
            return None;
        };
        let firsts = Firsts::of(family.tokens, family.loose).and(switches, &[]);
        Some(Framing {
            family,
            ends,
            switches,
            system: match system {
                Some((before, after)) => {
                    Some((Mark::of(before, &firsts), Mark::of(after, &firsts)))
                }
                None => None,
            },
            user: match user {
                Some(before) => Some(Mark::of(before, &firsts)),
                None => None,
            },
            reply: Mark::of(reply, &firsts),
            next: Mark::of(next, &firsts),
            answer: Mark::of(answer, &firsts),
            exchanges,
            firsts,
        })
    }

    /// The text of an ordinary conversation without the token `skipped` at its start. It is `None` if the conversation is
    /// no ordinary one; if it is to be `guarded`, also where the words hold what looks like a token.
    pub(super) fn text<'m>(
        &self,
        messages: impl Talk<'m>,
        skipped: Option<&str>,
        guarded: bool,
    ) -> Option<String> {
        let opening = self.opening(messages.clone(), skipped)?;
        let count = messages.len();
        let size = self.of_marks(opening, count, |mark| mark.text.len()) + size(messages.clone())?;
        let is_searched = self.is_searched(guarded);
        let mut suspect = None;
        let text = if is_searched && size >= SHORT * count {
            let say = |text: &mut String, words| {
                suspect = suspect.or(self.firsts.copy(words, text));
            };
            self.joined(opening, messages.clone(), size, say, |rest, text, say| {
                self.go_on(rest, text, say)
            })?
        } else {
            let push = String::push_str;
            let text = self.joined(opening, messages.clone(), size, push, |rest, text, _| {
                rest.exchanges(self, text)
            })?;
            if is_searched {
                let firsts = self.of_marks(opening, count, |mark| mark.firsts);
                let has_more = self.firsts.count(text.as_bytes()) != Some(firsts);
                suspect = has_more.then_some(0);
            }
            text
        };
        match suspect {
            Some(at) if !self.is_clean(opening, messages, &text, at) => None,
            _ => Some(text),
        }
    }

    /// The text of so many bytes. `say` appends words to it, and `go_on` what follows the first question. This is where all
    /// the time is spent, and so it does not go by [`walk`](Framing::walk): marks and roles stand in the code, and what it
    /// needs stays in registers, since it is a function of its own.
    #[inline(never)]
    fn joined<'m, T: Talk<'m>, S: FnMut(&mut String, &'m str)>(
        &self,
        Opening { start, after }: Opening,
        mut messages: T,
        size: usize,
        mut say: S,
        go_on: impl FnOnce(T, &mut String, &mut S) -> Option<()>,
    ) -> Option<String> {
        let mut text = String::with_capacity(size);
        text.push_str(start.text);
        if let Some(after) = after {
            say(&mut text, self.said(messages.next()?, Role::System)?);
            text.push_str(after.text);
        }
        say(&mut text, self.said(messages.next()?, Role::User)?);
        go_on(messages, &mut text, &mut say)?;
        text.push_str(self.answer.text);
        Some(text)
    }

    /// Appends answers and the questions behind them.
    #[inline(always)]
    pub(super) fn go_on<'m>(
        &self,
        mut messages: impl Talk<'m>,
        text: &mut String,
        say: &mut impl FnMut(&mut String, &'m str),
    ) -> Option<()> {
        while let Some(answer) = messages.next() {
            text.push_str(self.reply.text);
            say(text, self.said(answer, Role::Assistant)?);
            text.push_str(self.next.text);
            say(text, self.said(messages.next()?, Role::User)?);
        }
        Some(())
    }

    /// Whether tokens, or switches, are looked for in words.
    pub(super) fn is_searched(&self, guarded: bool) -> bool {
        guarded || !self.switches.is_empty()
    }

    /// Writes an ordinary conversation with what in it is data, or nothing.
    pub(super) fn write<'m>(
        &self,
        messages: impl Iterator<Item = &'m Message> + Clone,
        skipped: Option<&str>,
        out: &mut Wrapped,
    ) -> Option<()> {
        let opening = self.opening(messages.clone(), skipped)?;
        let (mut count, mut size, mut data) = (0, 0, 0);
        self.walk(opening, messages.clone(), |_, role, message| {
            let words = self.said(message, role)?;
            count += 1;
            size += words.len();
            data += message.texts().map(|text| text.data().len()).sum::<usize>();
            let switched = self.switches.iter().any(|switch| words.contains(switch));
            (!switched).then_some(())
        })?;
        size += self.of_marks(opening, count, |mark| mark.text.len());
        out.reserve(size, 2 * (data + count) + 1);
        let mut at = 0;
        self.walk(opening, messages, |mark, _, message| {
            out.message(None);
            out.structure(mark);
            out.message(at);
            for text in message.texts() {
                let words = match self.ends {
                    Ends::Stripped => Words::new(text).strip(),
                    Ends::Kept | Ends::Varying => Words::new(text),
                };
                for (piece, source) in words.pieces() {
                    out.push(piece, source);
                }
            }
            at += 1;
            Some(())
        })?;
        out.message(None);
        out.structure(self.answer.text);
        Some(())
    }

    /// What stands before the words of a conversation that may be an ordinary one.
    fn opening<'m>(
        &self,
        mut messages: impl Iterator<Item: Speaks<'m>>,
        skipped: Option<&str>,
    ) -> Option<Opening> {
        let (start, after) = match messages.next()?.role() {
            Role::System => self.system.map(|(start, after)| (start, Some(after)))?,
            _ => (self.user?, None),
        };
        let cut = skipped.and_then(|token| start.text.strip_prefix(token));
        Some(Opening {
            start: cut.map_or(start, |text| Mark::of(text, &self.firsts)),
            after,
        })
    }

    /// What all marks together have of something, between so many messages.
    fn of_marks(&self, opening: Opening, count: usize, of: impl Fn(Mark) -> usize) -> usize {
        let after = opening.after.map_or(0, &of);
        let turns = count - usize::from(opening.after.is_some());
        of(opening.start) + after + turns / 2 * (of(self.reply) + of(self.next)) + of(self.answer)
    }

    /// The words of a message, if it is this role's and has nothing else.
    #[inline(always)]
    fn said<'m>(&self, message: impl Speaks<'m>, role: Role) -> Option<&'m str> {
        said(message, role, self.ends)
    }

    /// All messages, each with the mark before it and the role that it has to have, until one is refused. Instructions may
    /// stand before the user's words, each answer between two of the user's: the user speaks last.
    #[inline(always)]
    fn walk<'m, M: Speaks<'m>>(
        &self,
        Opening { start, after }: Opening,
        mut messages: impl Iterator<Item = M>,
        mut each: impl FnMut(&'static str, Role, M) -> Option<()>,
    ) -> Option<()> {
        let mut mark = start.text;
        if let Some(after) = after {
            each(mark, Role::System, messages.next()?)?;
            mark = after.text;
        }
        loop {
            each(mark, Role::User, messages.next()?)?;
            let Some(answer) = messages.next() else {
                return Some(());
            };
            each(self.reply.text, Role::Assistant, answer)?;
            mark = self.next.text;
        }
    }

    /// Whether no token begins in words, behind `suspect`. The marks are such that none begins in them and ends in words.
    fn is_clean<'m>(
        &self,
        opening: Opening,
        messages: impl Iterator<Item: Speaks<'m>>,
        text: &str,
        suspect: usize,
    ) -> bool {
        let mut end = 0;
        let clean = self.walk(opening, messages, |mark, role, message| {
            let mut from = (end + mark.len()).max(suspect);
            end += mark.len() + self.said(message, role)?.len();
            while let Some(at) = self.firsts.next(text.as_bytes(), from, end) {
                if stands_at(self.family, text, at, at) {
                    return None;
                }
                from = at + 1;
            }
            Some(())
        });
        clean.is_some()
    }
}

/// How many bytes the words of all messages have at most, where each holds one text. All are looked at, since a `fold` of
/// those that lie in several places costs no more for each than one of a slice.
fn size<'m>(messages: impl Iterator<Item: Speaks<'m>>) -> Option<usize> {
    let (size, is_text) = messages.fold((0, true), |(size, is_text), message| {
        match Speaks::text(message) {
            Some(text) => (size + text.len(), is_text),
            None => (size, false),
        }
    });
    is_text.then_some(size)
}

/// The words of a message, if it is this role's and has nothing else.
#[inline(always)]
pub(super) fn said<'m>(message: impl Speaks<'m>, role: Role, ends: Ends) -> Option<&'m str> {
    if message.says_more() | (message.role() != role) {
        return None;
    }
    let words = Speaks::text(message)?;
    let words = match ends {
        Ends::Kept => words,
        _ if is_bare(words) => words,
        Ends::Stripped => words.trim_matches(is_space),
        Ends::Varying => return None,
    };
    (!words.is_empty()).then_some(words)
}

impl Mark {
    const fn of(text: &'static str, firsts: &Firsts) -> Mark {
        Mark {
            text,
            firsts: firsts.occurrences(text),
        }
    }
}

/// Whether there is no white space at either end.
#[inline]
pub(crate) fn is_bare(words: &str) -> bool {
    // Both are letters of ASCII, as almost everywhere.
    let is_letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_graphic);
    let bytes = words.as_bytes();
    (is_letter(bytes.first()) && is_letter(bytes.last()))
        || (!words.starts_with(is_space) && !words.ends_with(is_space))
}

#[cfg(test)]
mod tests {
    use crate::format::NATIVES;

    #[test]
    fn no_token_begins_in_a_mark_and_ends_in_words() {
        for native in NATIVES {
            let Some(frame) = native.family.frame else {
                continue;
            };
            let system = frame.system.map(|(before, after)| [before, after]);
            let marks = system.into_iter().flatten().chain(frame.user);
            for mark in marks.chain([frame.reply, frame.next]) {
                let leaves_open = native.family.leaves_open(mark);
                assert!(!leaves_open, "{mark:?} of {native:?}");
            }
        }
    }
}
