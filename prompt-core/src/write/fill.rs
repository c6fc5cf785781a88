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

    /// How many bytes it takes; 0 where only writing tells.
    pub(super) fn len(self) -> usize {
        match self {
            Fill::Text(text) => text.len(),
            Fill::Unsigned(number) => digits(number),
            Fill::Signed(number) => digits(number.unsigned_abs()) + usize::from(number < 0),
            Fill::Other(_) => 0,
        }
    }
}

fn digits(number: u64) -> usize {
    number.checked_ilog10().map_or(1, |log| log as usize + 1)
}

impl Writer {
    /// Writes words and slots in turn: `texts[0]`, the slot `names[0]`, `texts[1]`, and so on. There are as many texts as
    /// slots, or one more.
    ///
    /// It is [`text`](Writer::text) and [`slot`](Writer::slot) for each, with the room made once.
    #[doc(hidden)]
    pub fn fill(
        &mut self,
        texts: &'static [&'static str],
        names: &'static [&'static str],
        values: &[Fill<'_>],
    ) {
        let words: usize = texts.iter().map(|text| text.len()).sum();
        let data: usize = values.iter().map(|value| value.len()).sum();
        self.reserve(words + data, values.len());
        let mut rest = texts.iter();
        for ((text, name), value) in rest.by_ref().zip(names).zip(values) {
            self.text(text);
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
        if let Some(text) = texts.get(values.len()) {
            self.text(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_as_many_bytes_as_is_said() {
        for number in [0, 1, 9, 10, 99, 100, u64::MAX] {
            assert_eq!(Fill::Unsigned(number).len(), number.to_string().len());
        }
        for number in [0, 1, -1, 9, -9, -10, 99, -100, i64::MAX, i64::MIN] {
            assert_eq!(Fill::Signed(number).len(), number.to_string().len());
        }
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
        let (texts, names): (&[&str], &[&str]) =
            (&["a", "", "b", "c", "", ""], &["u", "v", "w", "x", "y"]);
        let (text, empty, big, low) = ("é".to_owned(), "", u64::MAX, -7i8);
        let mut once = Writer::new();
        let values = [
            Fill::of(&text),
            Fill::of(&empty),
            Fill::of(&big),
            Fill::of(&low),
            Fill::of(&Odd),
        ];
        once.fill(texts, names, &values);
        let mut each = Writer::new();
        let values: [&dyn ToPrompt; 5] = [&text, &empty, &big, &low, &Odd];
        for ((text, name), value) in texts.iter().zip(names).zip(values) {
            each.text(text);
            each.slot(name, value);
        }
        each.text(texts[5]);
        assert_eq!(once.finish(), each.finish());
    }
}
