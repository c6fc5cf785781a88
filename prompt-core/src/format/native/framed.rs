//! Ordinary conversations in one pass: the marks between the words are known beforehand, joined.
//!
//! A family's [`Frame`] says them. Whatever is not ordinary (tools, reasoning, media, another order, no words, a token in
//! the words) is left to the family's [`Style`](super::Style), which writes the same text for what is.

use std::borrow::Borrow;

use super::python::is_space;
use super::words::Words;
use crate::format::{Ends, Family, Frame};
use crate::guard::{self, Firsts};
use crate::{Message, Part, Role, Text, Wrapped};

/// What a family writes around words, made for one pass when the crate is compiled.
pub(crate) struct Framing {
    family: &'static Family,
    ends: Ends,
    switches: &'static [&'static str],
    system: Option<(Mark, Mark)>,
    user: Option<Mark>,
    reply: Mark,
    next: Mark,
    answer: Mark,
    /// Of tokens and switches.
    firsts: Firsts,
}

/// A text between words.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    text: &'static str,
    /// How many of its bytes a token can begin with.
    firsts: usize,
}

/// An ordinary conversation, of messages or of references to them.
struct Talk<'m, M> {
    /// Instructions.
    head: Option<&'m M>,
    /// What the user says first.
    first: &'m M,
    /// What the assistant says to it, and the user to that.
    pairs: &'m [[M; 2]],
    /// What stands before all words.
    start: &'static str,
    /// How many bytes its text has, and how many in the marks a token can begin with.
    size: usize,
    firsts: usize,
}

/// How many bytes of words a message has on average where counting the whole text is faster than searching each.
const SHORT: usize = 256;

impl Framing {
    /// `None` for a family without a frame.
    pub(crate) const fn of(family: &'static Family) -> Option<Framing> {
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
            firsts,
        })
    }

    /// The text of an ordinary conversation without the token `skipped` at its start. It is `None` if the conversation is
    /// no ordinary one; if it is to be `guarded`, also where the words hold what looks like a token.
    pub(super) fn text<M: Borrow<Message>>(
        &self,
        messages: &[M],
        skipped: Option<&str>,
        guarded: bool,
    ) -> Option<String> {
        let talk = self.ordinary(messages, skipped)?;
        let mut text = String::with_capacity(talk.size);
        self.walk(&talk, |mark, message| {
            text.push_str(mark);
            text.push_str(self.words(message));
        });
        text.push_str(self.answer.text);
        let is_searched = guarded || !self.switches.is_empty();
        (!is_searched || self.is_clean(&talk, messages.len(), &text)).then_some(text)
    }

    /// The same for a text with all its marks, whose data is known.
    pub(super) fn joined(&self, text: Text, guarded: bool) -> Option<String> {
        let is_searched = guarded || !self.switches.is_empty();
        if is_searched && !self.is_clean_data(&text) {
            return None;
        }
        Some(text.into_parts().0)
    }

    /// Writes an ordinary conversation with what in it is data, or nothing.
    pub(super) fn write<M: Borrow<Message>>(
        &self,
        messages: &[M],
        skipped: Option<&str>,
        out: &mut Wrapped,
    ) -> Option<()> {
        let talk = self.ordinary(messages, skipped)?;
        let switched = |message: &M| {
            let words = self.words(message.borrow());
            self.switches.iter().any(|switch| words.contains(switch))
        };
        if messages.iter().any(switched) {
            return None;
        }
        let data = messages
            .iter()
            .flat_map(|message| message.borrow().texts())
            .map(|text| 2 * text.data().len());
        out.reserve(talk.size, data.sum::<usize>() + 2 * messages.len() + 1);
        let mut at = 0;
        self.walk(&talk, |mark, message| {
            out.message(None);
            out.structure(mark);
            out.message(at);
            let words = message
                .texts()
                .map(Words::new)
                .map(|words| match self.ends {
                    Ends::Stripped => words.strip(),
                    Ends::Kept | Ends::Varying => words,
                });
            words
                .flat_map(Words::pieces)
                .for_each(|(piece, source)| out.push(piece, source));
            at += 1;
        });
        out.message(None);
        out.structure(self.answer.text);
        Some(())
    }

    /// The messages as turns, where they are ordinary.
    fn ordinary<'m, M: Borrow<Message>>(
        &self,
        messages: &'m [M],
        skipped: Option<&str>,
    ) -> Option<Talk<'m, M>> {
        let (head, turns) = match messages {
            [head, turns @ ..] if head.borrow().role == Role::System => (Some(head), turns),
            turns => (None, turns),
        };
        let [first, rest @ ..] = turns else {
            return None;
        };
        let (pairs, []) = rest.as_chunks() else {
            return None;
        };
        let start = match head {
            Some(_) => self.system?.0,
            None => self.user?,
        };
        let start = match skipped.and_then(|token| start.text.strip_prefix(token)) {
            Some(text) => Mark::of(text, &self.firsts),
            None => start,
        };
        let (mut size, mut firsts) = (start.text.len(), start.firsts);
        let mut add = |mark: Mark, times: usize| {
            size += times * mark.text.len();
            firsts += times * mark.firsts;
        };
        add(self.reply, pairs.len());
        add(self.next, pairs.len());
        add(self.answer, 1);
        if head.is_some() {
            add(self.system?.1, 1);
        }
        if let Some(head) = head {
            size += self.said(head.borrow(), Role::System)?;
        }
        size += self.said(first.borrow(), Role::User)?;
        for [reply, next] in pairs {
            size += self.said(reply.borrow(), Role::Assistant)?
                + self.said(next.borrow(), Role::User)?;
        }
        Some(Talk {
            head,
            first,
            pairs,
            start: start.text,
            size,
            firsts,
        })
    }

    /// How many bytes the words of a message have, if it is this role's and has nothing else.
    #[inline]
    fn said(&self, message: &Message, role: Role) -> Option<usize> {
        let has_more = !message.tool_calls.is_empty()
            | message.tool_call_id.is_some()
            | message.name.is_some()
            | message.reasoning.is_some();
        if has_more | (message.role != role) {
            return None;
        }
        let words = self.words(message);
        let is_ordinary = self.ends != Ends::Varying || is_bare(words);
        (is_ordinary && !words.is_empty()).then_some(words.len())
    }

    /// The words of a message; none of a message that holds more than one text.
    #[inline]
    fn words<'m>(&self, message: &'m Message) -> &'m str {
        let [Part::Text(text)] = &message.parts[..] else {
            return "";
        };
        match self.ends {
            Ends::Stripped if !is_bare(text.as_str()) => text.as_str().trim_matches(is_space),
            _ => text.as_str(),
        }
    }

    /// All messages, each with the mark before it.
    #[inline]
    fn walk<'m, M: Borrow<Message>>(
        &self,
        talk: &Talk<'m, M>,
        mut each: impl FnMut(&str, &'m Message),
    ) {
        let mut mark = talk.start;
        if let (Some(head), Some((_, after))) = (talk.head, &self.system) {
            each(mark, head.borrow());
            mark = after.text;
        }
        each(mark, talk.first.borrow());
        for [reply, next] in talk.pairs {
            each(self.reply.text, reply.borrow());
            each(self.next.text, next.borrow());
        }
    }

    /// Whether no token begins in words. The marks are such that none begins in them and ends in words.
    fn is_clean<M: Borrow<Message>>(
        &self,
        talk: &Talk<'_, M>,
        messages: usize,
        text: &str,
    ) -> bool {
        if text.len() < SHORT * messages && self.firsts.count(text.as_bytes()) == Some(talk.firsts)
        {
            return true;
        }
        let (mut end, mut is_clean) = (0, true);
        self.walk(talk, |mark, message| {
            let mut from = end + mark.len();
            end = from + self.words(message).len();
            while is_clean && let Some(at) = self.firsts.next(text.as_bytes(), from, end) {
                from = at + 1;
                is_clean = !self.stands_at(text, at, at);
            }
        });
        is_clean
    }

    /// Whether no token holds a byte of data.
    fn is_clean_data(&self, text: &Text) -> bool {
        let data = text.data().iter().map(|data| data.range.clone());
        let stands = |at, behind| self.stands_at(text.as_str(), at, behind);
        guard::is_clean(text.as_str(), data, &self.firsts, stands)
    }

    /// Whether a token stands at a place, and ends behind `behind`.
    fn stands_at(&self, text: &str, at: usize, behind: usize) -> bool {
        let Family { tokens, loose, .. } = self.family;
        guard::stands_at(text, at, behind, tokens, loose)
            || guard::stands_at(text, at, behind, self.switches, &[])
    }
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
    use super::*;
    use crate::format::NATIVES;

    /// Where a token could begin in a mark and end in the words behind it.
    fn open_end(mark: &str, family: &Family) -> Option<usize> {
        let is_begun = |at: usize| {
            let end = mark[at..].to_lowercase();
            let end: String = end.split_whitespace().collect();
            family.tokens.iter().any(|token| {
                let token: String = token.to_lowercase().split_whitespace().collect();
                !end.is_empty() && token.len() > end.len() && token.starts_with(&end)
            })
        };
        mark.char_indices()
            .map(|(at, _)| at)
            .find(|at| is_begun(*at))
    }

    #[test]
    fn no_token_begins_in_a_mark_and_ends_in_words() {
        for native in NATIVES {
            let Some(frame) = native.family.frame else {
                continue;
            };
            let system = frame.system.map(|(before, after)| [before, after]);
            let marks = system.into_iter().flatten().chain(frame.user);
            for mark in marks.chain([frame.reply, frame.next]) {
                assert_eq!(
                    open_end(mark, native.family),
                    None,
                    "{mark:?} of {native:?}"
                );
            }
        }
    }
}
