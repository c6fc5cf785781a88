//! Slots and the words between them, written in one call: what most of a template is.

use crate::{ToPrompt, Writer};

/// What fills a slot: text and whole numbers as they are, all else by what it writes.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub enum Fill<'a> {
    /// Text.
    Text(&'a str),
    /// A whole number.
    Unsigned(u64),
    /// A whole number below zero.
    Signed(i64),
    /// Whatever writes itself.
    Other(&'a dyn ToPrompt),
}

impl<'a> Fill<'a> {
    /// What fills a slot with this value.
    #[inline]
    pub fn of<T: ToPrompt>(value: &'a T) -> Fill<'a> {
        value.fill().unwrap_or(Fill::Other(value))
    }

    /// How many bytes it takes at most; 0 where only writing tells.
    pub(super) fn len(self) -> usize {
        match self {
            Fill::Text(text) => text.len(),
            Fill::Unsigned(_) | Fill::Signed(_) => LONGEST_NUMBER,
            Fill::Other(_) => 0,
        }
    }
}

/// The digits of the largest whole number, or its sign and those of the smallest one.
const LONGEST_NUMBER: usize = 20;

impl Writer {
    /// Writes words and slots in turn: what [`text`](Writer::text) and [`slot`](Writer::slot) do one by one, with the room
    /// made once.
    ///
    /// In `words` each slot stands as `<name>`. For each of them `cuts` holds the bytes of the words before it, times 256,
    /// and those of its name, as a number of four bytes, the smallest first. It is one literal and not a list of them, since
    /// the compiler spends more on a literal than on its characters.
    #[doc(hidden)]
    pub fn fill(&mut self, words: &'static str, cuts: &'static [u8], values: &[Fill<'_>]) {
        if self.plain.is_some() {
            return self.fill_plain(words, cuts, values);
        }
        self.reserve(room(words, values), values.len());
        let mut slots = Slots::of(words, cuts);
        for (slot, value) in slots.by_ref().zip(values) {
            let name = slot.name();
            self.text(slot.before);
            match *value {
                Fill::Text(data) => self.data_of(Some(name), data),
                Fill::Unsigned(number) => {
                    self.data_of(Some(name), itoa::Buffer::new().format(number));
                }
                Fill::Signed(number) => {
                    self.data_of(Some(name), itoa::Buffer::new().format(number));
                }
                Fill::Other(value) => self.slot(name, value),
            }
        }
        self.text(slots.rest);
    }

    /// The same where nothing is remembered about the words.
    fn fill_plain(&mut self, words: &'static str, cuts: &'static [u8], values: &[Fill<'_>]) {
        // A text that is kept has its room from the time before.
        if self.text.room() < words.len() {
            self.text.reserve(room(words, values), 0);
        }
        let mut slots = Slots::of(words, cuts);
        for (slot, value) in slots.by_ref().zip(values) {
            self.text.push_own(slot.before);
            match *value {
                Fill::Text(data) => self.text.push_own(data),
                Fill::Unsigned(number) => self.text.push_own(itoa::Buffer::new().format(number)),
                Fill::Signed(number) => self.text.push_own(itoa::Buffer::new().format(number)),
                Fill::Other(value) => self.slot(slot.name(), value),
            }
        }
        self.text.push_own(slots.rest);
    }
}

/// How many bytes words and values take at most, as far as that is known before they are written. The names in the words and
/// their marks are counted too: that is a little more than is needed.
fn room(words: &str, values: &[Fill<'_>]) -> usize {
    words.len() + values.iter().map(|value| value.len()).sum::<usize>()
}

/// The slots in the words that [`Writer::fill`] is given, in order.
pub(super) struct Slots<'a> {
    /// The words behind the last slot that was cut out.
    pub(super) rest: &'static str,
    cuts: std::slice::Iter<'a, [u8; 4]>,
}

/// A slot in such words.
pub(super) struct Slot {
    /// The words before it, from the slot before that.
    pub(super) before: &'static str,
    /// Its mark and all behind it.
    mark: &'static str,
    /// How many bytes its name has.
    name: usize,
}

impl<'a> Slots<'a> {
    pub(super) fn of(words: &'static str, cuts: &'a [u8]) -> Slots<'a> {
        Slots {
            rest: words,
            cuts: cuts.as_chunks().0.iter(),
        }
    }
}

impl Iterator for Slots<'_> {
    type Item = Slot;

    #[inline]
    fn next(&mut self) -> Option<Slot> {
        let cut = u32::from_le_bytes(*self.cuts.next()?) as usize;
        let name = cut & 0xff;
        let (before, mark) = self.rest.split_at(cut >> 8);
        self.rest = &mark[name + 2..];
        Some(Slot { before, mark, name })
    }
}

impl Slot {
    /// The name that stands in its mark.
    #[inline]
    pub(super) fn name(&self) -> &'static str {
        &self.mark[1..=self.name]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_no_more_bytes_than_is_said() {
        assert_eq!(u64::MAX.to_string().len(), LONGEST_NUMBER);
        assert_eq!(i64::MIN.to_string().len(), LONGEST_NUMBER);
    }

    #[test]
    fn one_call_writes_what_many_do() {
        struct Odd;
        impl ToPrompt for Odd {
            fn write(&self, out: &mut Writer) {
                out.data("o");
                out.data("dd");
            }
        }
        let (words, cuts) = (
            "aé<u><v>b<w>c<xyz><y>",
            b"\x01\x03\0\0\x01\0\0\0\x01\x01\0\0\x03\x01\0\0\x01\0\0\0",
        );
        let (text, empty, big, low) = ("é".to_owned(), "", u64::MAX, -7i8);
        let mut once = Writer::new();
        let values = [
            Fill::of(&text),
            Fill::of(&empty),
            Fill::of(&big),
            Fill::of(&low),
            Fill::of(&Odd),
        ];
        once.fill(words, cuts, &values);
        let mut each = Writer::new();
        let values: [&dyn ToPrompt; 5] = [&text, &empty, &big, &low, &Odd];
        let (texts, names) = (["aé", "", "b", "c", ""], ["u", "v", "w", "xyz", "y"]);
        for ((text, name), value) in texts.iter().zip(names).zip(values) {
            each.text(text);
            each.slot(name, value);
        }
        let each = each.finish();
        assert_eq!(once.finish(), each);
        let mut plain = Writer::plain("before: ".to_owned());
        let values = [
            Fill::of(&text),
            Fill::of(&empty),
            Fill::of(&big),
            Fill::of(&low),
            Fill::of(&Odd),
        ];
        plain.fill(words, cuts, &values);
        let expected = format!("before: {}", each[0].text());
        plain.finish_plain().unwrap();
        assert_eq!(plain.text.as_str(), expected);
    }
}
