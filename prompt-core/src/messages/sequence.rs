//! The list of messages in `Messages`, which shares histories instead of copying them.

use std::sync::{Arc, OnceLock};

use crate::{Message, Role};

/// Messages in order: owned ones, and between them shared ones. A long history is not copied for each prompt that contains it.
#[derive(Default)]
pub(super) struct Sequence {
    own: Vec<Message>,
    shared: Vec<Shared>,
    /// All messages in one slice, once they were requested as a slice.
    whole: OnceLock<Vec<Message>>,
}

#[derive(Clone)]
pub(crate) struct Shared {
    /// How many of the owned messages precede it.
    before: usize,
    turns: Arc<Vec<Message>>,
}

impl Sequence {
    /// All messages in order.
    pub(super) fn each(&self) -> Each<'_> {
        let first = self.shared.first().map_or(self.own.len(), |it| it.before);
        let (run, own) = self.own.split_at(first);
        Each {
            run: run.iter(),
            own,
            shared: &self.shared,
            at: first,
        }
    }

    pub(super) fn len(&self) -> usize {
        let shared = self.shared.iter().map(|shared| shared.turns.len());
        self.own.len() + shared.sum::<usize>()
    }

    pub(super) fn get(&self, index: usize) -> Option<&Message> {
        if self.shared.is_empty() {
            return self.own.get(index);
        }
        self.each().nth(index)
    }

    pub(super) fn last(&self) -> Option<&Message> {
        match self.shared.last() {
            Some(shared) if shared.before == self.own.len() => shared.turns.last(),
            _ => self.own.last(),
        }
    }

    /// The messages as a slice. If some are shared, all are copied once.
    pub(super) fn as_slice(&self) -> &[Message] {
        if self.shared.is_empty() {
            return &self.own;
        }
        self.whole.get_or_init(|| self.each().cloned().collect())
    }

    /// The messages, mutable: none is shared any longer.
    pub(super) fn as_mut(&mut self) -> &mut Vec<Message> {
        if !self.shared.is_empty() {
            *self = Sequence::from(std::mem::take(self).into_vec());
        }
        &mut self.own
    }

    pub(super) fn into_vec(self) -> Vec<Message> {
        if self.shared.is_empty() {
            return self.own;
        }
        let len = self.len();
        if let Some(whole) = self.whole.into_inner() {
            return whole;
        }
        let (mut all, mut at) = (Vec::with_capacity(len), 0);
        let mut own = self.own.into_iter();
        for Shared { before, turns } in self.shared {
            all.extend(own.by_ref().take(before - at));
            at = before;
            all.extend(Arc::unwrap_or_clone(turns));
        }
        all.extend(own);
        all
    }

    pub(super) fn push(&mut self, message: Message) {
        self.whole.take();
        self.own.push(message);
    }

    pub(super) fn extend(&mut self, messages: impl IntoIterator<Item = Message>) {
        self.whole.take();
        self.own.extend(messages);
    }

    /// Adds shared messages.
    pub(super) fn share(&mut self, turns: &Arc<Vec<Message>>) {
        if turns.is_empty() {
            return;
        }
        self.whole.take();
        self.shared.push(Shared {
            before: self.own.len(),
            turns: Arc::clone(turns),
        });
    }

    /// The last message of a role, mutable.
    pub(super) fn last_of_mut(&mut self, role: Role) -> Option<&mut Message> {
        let shared = self.shared.last().map_or(0, |shared| shared.before);
        let is_own = self.own[shared..]
            .iter()
            .any(|message| message.role == role);
        if is_own {
            self.whole.take();
        } else {
            self.as_mut();
        }
        self.own
            .iter_mut()
            .rev()
            .find(|message| message.role == role)
    }
}

/// Iterates over owned and shared messages.
#[derive(Clone)]
pub(crate) struct Each<'a> {
    /// The rest of the current slice.
    run: std::slice::Iter<'a, Message>,
    /// The owned messages after it, and how many precede them.
    own: &'a [Message],
    at: usize,
    /// The shared messages after it.
    shared: &'a [Shared],
}

impl Each<'_> {
    /// Continues with the next slice.
    fn advance(&mut self) -> Option<()> {
        match self.shared {
            [next, rest @ ..] if next.before == self.at => {
                self.run = next.turns.iter();
                self.shared = rest;
            }
            _ if self.own.is_empty() => return None,
            shared => {
                let end = shared
                    .first()
                    .map_or(self.own.len(), |it| it.before - self.at);
                let (run, own) = self.own.split_at(end);
                (self.run, self.own) = (run.iter(), own);
                self.at += end;
            }
        }
        Some(())
    }
}

impl<'a> Iterator for Each<'a> {
    type Item = &'a Message;

    #[inline]
    fn next(&mut self) -> Option<&'a Message> {
        loop {
            if let Some(message) = self.run.next() {
                return Some(message);
            }
            self.advance()?;
        }
    }

    fn nth(&mut self, mut index: usize) -> Option<&'a Message> {
        while index >= self.run.len() {
            index -= self.run.len();
            self.advance()?;
        }
        self.run.nth(index)
    }

    fn fold<B, F: FnMut(B, &'a Message) -> B>(mut self, init: B, mut each: F) -> B {
        let mut all = init;
        loop {
            all = std::mem::take(&mut self.run).fold(all, &mut each);
            if self.advance().is_none() {
                return all;
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let shared = self.shared.iter().map(|shared| shared.turns.len());
        let len = self.run.len() + self.own.len() + shared.sum::<usize>();
        (len, Some(len))
    }
}

impl ExactSizeIterator for Each<'_> {}

impl Clone for Sequence {
    fn clone(&self) -> Sequence {
        match self.whole.get() {
            Some(whole) => Sequence::from(whole.clone()),
            None => Sequence {
                own: self.own.clone(),
                shared: self.shared.clone(),
                whole: OnceLock::new(),
            },
        }
    }
}

impl From<Vec<Message>> for Sequence {
    fn from(own: Vec<Message>) -> Sequence {
        Sequence {
            own,
            ..Sequence::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(texts: &[&str]) -> Vec<Message> {
        texts.iter().map(|text| Message::user(*text)).collect()
    }

    /// `a`, shared `b c`, shared `d`, `e`, shared `f`.
    fn mixed() -> (Sequence, Vec<Message>) {
        let mut all = Sequence::from(of(&["a"]));
        all.share(&Arc::new(of(&["b", "c"])));
        all.share(&Arc::new(of(&["d"])));
        all.share(&Arc::new(Vec::new()));
        all.push(Message::user("e"));
        all.share(&Arc::new(of(&["f"])));
        (all, of(&["a", "b", "c", "d", "e", "f"]))
    }

    #[test]
    fn shared_turns_stand_where_they_were_added() {
        let (all, expected) = mixed();
        assert!(all.each().eq(&expected));
        let mut seen = Vec::new();
        all.each().for_each(|message| seen.push(message.clone()));
        assert_eq!(seen, expected);
        assert_eq!(all.len(), 6);
        for (index, message) in expected.iter().enumerate() {
            assert_eq!(all.get(index), Some(message));
        }
        assert_eq!((all.get(6), all.last()), (None, expected.last()));
        assert_eq!(all.clone().into_vec(), expected);
        assert!(all.whole.get().is_none());
        assert_eq!(all.as_slice(), expected);
        assert!(all.whole.get().is_some());
        assert_eq!(all.clone().as_slice(), expected);
        assert_eq!(all.into_vec(), expected);
    }

    #[test]
    fn a_change_is_seen_by_whoever_reads_them_afterwards() {
        let (mut all, mut expected) = mixed();
        all.as_slice();
        all.push(Message::assistant("g"));
        expected.push(Message::assistant("g"));
        assert_eq!(all.as_slice(), expected);
        all.extend([Message::user("h")]);
        expected.push(Message::user("h"));
        assert_eq!(
            (all.as_slice(), all.last()),
            (&expected[..], expected.last())
        );
        all.last_of_mut(Role::User).unwrap().role = Role::Tool;
        expected[7].role = Role::Tool;
        assert_eq!(all.as_slice(), expected);
        all.last_of_mut(Role::User).unwrap().role = Role::Tool;
        expected[5].role = Role::Tool;
        assert_eq!(all.as_slice(), expected);
        all.as_mut().remove(0);
        assert_eq!(all.as_slice(), &expected[1..]);
        assert_eq!(all.last_of_mut(Role::System), None);
    }

    #[test]
    fn what_is_shared_stays_as_it_was() {
        let turns = Arc::new(of(&["a"]));
        let mut all = Sequence::default();
        all.share(&turns);
        all.as_mut()[0].role = Role::Assistant;
        assert_eq!(*turns, of(&["a"]));
    }
}
