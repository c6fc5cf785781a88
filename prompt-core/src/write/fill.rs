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

    /// The text, or the digits of the number, which are written here.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn shown(self, number: Option<&'a mut itoa::Buffer>) -> Option<&'a str> {
        match self {
            Fill::Text(text) => Some(text),
            Fill::Unsigned(value) => Some(number?.format(value)),
            Fill::Signed(value) => Some(number?.format(value)),
            Fill::Other(_) => None,
        }
    }

    /// How many bytes it takes at most, if that is known before it is written.
    #[inline]
    pub(super) fn bytes(self) -> Option<usize> {
        match self {
            Fill::Text(text) => Some(text.len()),
            Fill::Unsigned(_) | Fill::Signed(_) => Some(LONGEST_NUMBER),
            Fill::Other(_) => None,
        }
    }
}

/// The digits of the largest whole number, or its sign and those of the smallest one.
const LONGEST_NUMBER: usize = 20;

impl Writer {
    /// Writes words and slots in turn: what [`text`](Writer::text) and [`slot`](Writer::slot) do one by one, with the room
    /// made once.
    ///
    /// In `words` each slot stands as `<name>`, and is filled by the next of `texts` or of `values`. For each of them `cuts`
    /// holds a number of four bytes, the smallest first: the bytes of its name, those of the words before it times 256, and
    /// the highest bit where a value fills it. It is one literal and not a list of them, since the compiler spends more on a
    /// literal than on its characters; and it checks a list of texts with less work than one of values.
    #[doc(hidden)]
    pub fn fill(
        &mut self,
        words: &'static str,
        cuts: &'static [u8],
        texts: &[&str],
        values: &[Fill<'_>],
    ) {
        let (slots, values) = (Slots::of(words, cuts), Values::of(texts, values));
        match self.is_plain() {
            true => self.fill_plain(slots, values),
            false => self.fill_message(slots, values),
        }
    }

    fn fill_message(&mut self, mut slots: Slots<'_>, mut values: Values<'_>) {
        self.reserve(slots.rest.len() + values.room(), slots.len());
        for slot in slots.by_ref() {
            let name = slot.name();
            self.text(slot.before);
            let mut number = itoa::Buffer::new();
            match values.of_next(&slot) {
                Fill::Other(value) => self.slot(name, value),
                bare => self.data_of(
                    Some(name),
                    bare.shown(Some(&mut number)).unwrap_or_default(),
                ),
            }
        }
        self.text(slots.rest);
    }

    /// The same where nothing is remembered about the words.
    fn fill_plain(&mut self, mut slots: Slots<'_>, mut values: Values<'_>) {
        // A text that is kept has its room from the time before.
        if self.text.room() < slots.rest.len() {
            self.text.reserve(slots.rest.len() + values.room(), 0);
        }
        for slot in slots.by_ref() {
            self.text.push_own(slot.before);
            // A text is not made a `Fill` first, which is to be taken apart again.
            if !slot.cut.is_value() {
                self.text.push_own(values.text());
                continue;
            }
            match values.value() {
                Fill::Text(data) => self.text.push_own(data),
                Fill::Unsigned(number) => self.text.push_own(itoa::Buffer::new().format(number)),
                Fill::Signed(number) => self.text.push_own(itoa::Buffer::new().format(number)),
                Fill::Other(value) => self.slot(slot.name(), value),
            }
        }
        self.text.push_own(slots.rest);
    }
}

/// Where a slot is cut out of the words.
#[derive(Clone, Copy)]
pub(super) struct Cut(u32);

impl Cut {
    #[inline]
    pub(super) fn of(bytes: [u8; 4]) -> Cut {
        Cut(u32::from_le_bytes(bytes))
    }

    /// How many bytes of words stand before it.
    #[inline]
    pub(super) fn before(self) -> usize {
        (self.0 << 1 >> 9) as usize
    }

    /// How many bytes its name has.
    #[inline]
    fn name(self) -> usize {
        (self.0 & 0xff) as usize
    }

    /// How many bytes its mark has.
    #[inline]
    pub(super) fn mark(self) -> usize {
        self.name() + "<>".len()
    }

    /// Whether a value fills it, and no text.
    #[inline]
    pub(super) fn is_value(self) -> bool {
        self.0 >> 31 == 1
    }
}

/// The slots in the words that [`Writer::fill`] is given, in order.
#[derive(Clone)]
pub(super) struct Slots<'a> {
    /// The words behind the last slot that was cut out. The marks of those that are left stand in them too.
    pub(super) rest: &'static str,
    cuts: std::slice::Iter<'a, [u8; 4]>,
}

/// A slot in such words.
pub(super) struct Slot {
    /// The words before it, from the slot before that.
    pub(super) before: &'static str,
    cut: Cut,
    /// Its mark and all behind it.
    mark: &'static str,
}

impl<'a> Slots<'a> {
    pub(super) fn of(words: &'static str, cuts: &'a [u8]) -> Slots<'a> {
        Slots {
            rest: words,
            cuts: cuts.as_chunks().0.iter(),
        }
    }

    /// How many are left.
    fn len(&self) -> usize {
        self.cuts.len()
    }
}

impl Iterator for Slots<'_> {
    type Item = Slot;

    #[inline]
    fn next(&mut self) -> Option<Slot> {
        let cut = Cut::of(*self.cuts.next()?);
        let (before, mark) = self.rest.split_at(cut.before());
        self.rest = &mark[cut.mark()..];
        Some(Slot { before, cut, mark })
    }
}

impl Slot {
    /// The name that stands in its mark.
    #[inline]
    pub(super) fn name(&self) -> &'static str {
        &self.mark[1..=self.cut.name()]
    }
}

/// What fills slots, in order. There is some for each that is cut out.
#[derive(Clone)]
pub(super) struct Values<'a> {
    texts: std::slice::Iter<'a, &'a str>,
    values: std::slice::Iter<'a, Fill<'a>>,
}

impl<'a> Values<'a> {
    pub(super) fn of(texts: &'a [&'a str], values: &'a [Fill<'a>]) -> Values<'a> {
        Values {
            texts: texts.iter(),
            values: values.iter(),
        }
    }

    /// What fills the next slot.
    #[inline]
    pub(super) fn of_next(&mut self, slot: &Slot) -> Fill<'a> {
        match slot.cut.is_value() {
            true => self.value(),
            false => Fill::Text(self.text()),
        }
    }

    #[inline]
    fn text(&mut self) -> &'a str {
        self.texts.next().copied().unwrap_or_default()
    }

    #[inline]
    fn value(&mut self) -> Fill<'a> {
        self.values.next().copied().unwrap_or(Fill::Text(""))
    }

    /// How many bytes they take at most, as far as that is known before they are written.
    pub(super) fn room(&self) -> usize {
        let (texts, values) = (self.texts.as_slice(), self.values.as_slice());
        let texts: usize = texts.iter().map(|text| text.len()).sum();
        let values: usize = values.iter().filter_map(|value| value.bytes()).sum();
        texts + values
    }

    /// Whether all are texts and numbers.
    pub(super) fn are_bare(&self) -> bool {
        let mut values = self.values.as_slice().iter();
        values.all(|value| value.bytes().is_some())
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
            b"\x01\x03\0\0\x01\0\0\0\x01\x01\0\x80\x03\x01\0\x80\x01\0\0\x80",
        );
        let (text, empty, big, low) = ("é".to_owned(), "", u64::MAX, -7i8);
        let mut once = Writer::new();
        let filling = [&*text, empty];
        let odd = [Fill::of(&big), Fill::of(&low), Fill::of(&Odd)];
        once.fill(words, cuts, &filling, &odd);
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
        plain.fill(words, cuts, &filling, &odd);
        let expected = format!("before: {}", each[0].text());
        plain.finish_plain().unwrap();
        assert_eq!(plain.text.as_str(), expected);
    }
}
