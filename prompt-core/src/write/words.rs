//! The words of a prompt that is one message of words, slots and blocks of these.

use super::fill::{Cut, Fill, Slots, Values};
use crate::{Prompt, Role, Writer, room};

/// What takes the words of such a prompt: a [`Writer`], which keeps whose they are, or a text.
///
/// A prompt is compiled for a text only where a program asks for one ([`Prompt::plain`]). So it can be as fast there as if it
/// were written by hand, and a library of prompts costs no more to compile.
#[doc(hidden)]
pub trait Words {
    /// Takes words and slots in turn, as [`Writer::fill`] is given them, and says whether it could.
    fn fill<const T: usize, const V: usize>(
        &mut self,
        words: &'static str,
        cuts: &'static [u8],
        texts: &[&str; T],
        values: &[Fill<'_>; V],
    ) -> bool;
}

impl Words for Writer {
    #[inline]
    fn fill<const T: usize, const V: usize>(
        &mut self,
        words: &'static str,
        cuts: &'static [u8],
        texts: &[&str; T],
        values: &[Fill<'_>; V],
    ) -> bool {
        Writer::fill(self, words, cuts, texts, values);
        true
    }
}

impl Writer {
    /// Writes such a prompt.
    #[doc(hidden)]
    #[inline]
    pub fn message<P: Prompt>(&mut self, role: Role, prompt: &P) {
        self.role(role);
        prompt.write_words(self);
    }
}

const MOST_STEPS: usize = 32;

/// `for I in 0..N { … }` where `N` is at most [`MOST_STEPS`], as steps in a row.
macro_rules! steps {
    ($step:ident < $end:expr => $do:expr) => {
        steps!($step < $end => $do;
            0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31)
    };
    ($step:ident < $end:expr => $do:expr; $($index:literal)*) => {
        $({
            const $step: usize = $index;
            if const { $step < $end } {
                $do
            }
        })*
    };
}

/// Takes text and numbers only: what writes itself needs a [`Writer`].
impl Words for String {
    // Where the compiler sees the words and what the values are, nothing is left of this but one copy for each piece, and those
    // of the words have lengths that it knows. It does so for steps in a row, but would not unroll a loop of as many.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fill<const T: usize, const V: usize>(
        &mut self,
        words: &'static str,
        cuts: &'static [u8],
        texts: &[&str; T],
        values: &[Fill<'_>; V],
    ) -> bool {
        if const { T + V > MOST_STEPS } {
            return add_many(Slots::of(words, cuts), Values::of(texts, values), self);
        }
        let cuts = cuts.as_chunks().0;
        // Numbers are written before they are copied: what was just stored in pieces cannot be loaded at once.
        let (mut numbers, mut shown) = ([itoa::Buffer::new(); V], [""; V]);
        let mut free = numbers.iter_mut();
        let mut room = words.len();
        steps!(I < V => match values[I].shown(free.next()) {
            Some(value) => {
                room += value.len();
                shown[I] = value;
            }
            None => return false,
        });
        steps!(I < T => room += texts[I].len());
        steps!(I < T + V => room -= Cut::of(cuts[I]).mark());
        room::for_bytes(self, room);
        let (mut at, mut text, mut value) = (0, 0, 0);
        steps!(I < T + V => {
            let cut = Cut::of(cuts[I]);
            self.push_str(&words[at..at + cut.before()]);
            at += cut.before() + cut.mark();
            if cut.is_value() {
                self.push_str(shown[value]);
                value += 1;
            } else {
                self.push_str(texts[text]);
                text += 1;
            }
        });
        debug_assert_eq!((text, value), (T, V));
        self.push_str(&words[at..]);
        true
    }
}

/// The same for many slots, which stay a loop.
fn add_many(mut slots: Slots<'_>, mut values: Values<'_>, text: &mut String) -> bool {
    if !values.are_bare() {
        return false;
    }
    room::for_bytes(text, slots.rest.len() + values.room());
    for slot in slots.by_ref() {
        text.push_str(slot.before);
        let mut number = itoa::Buffer::new();
        let value = values.of_next(&slot).shown(Some(&mut number));
        text.push_str(value.unwrap_or_default());
    }
    text.push_str(slots.rest);
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display;

    /// A text takes what a [`Writer`] writes, or nothing.
    #[track_caller]
    fn check<const T: usize, const V: usize>(
        template: &'static str,
        texts: [&str; T],
        values: [Fill<'_>; V],
        is_taken: bool,
    ) {
        let mut cuts: Vec<u8> = Vec::new();
        let mut rest = template;
        while let Some(at) = rest.find('<') {
            let name = rest[at..].find('>').expect("its end") - 1;
            // The values are those whose names say so.
            let is_value = u32::from(rest[at..].starts_with("<v")) << 31;
            cuts.extend((is_value | ((at << 8) | name) as u32).to_le_bytes());
            rest = &rest[at + name + 2..];
        }
        let cuts = cuts.leak();
        let mut out = Writer::new();
        Words::fill(&mut out, template, cuts, &texts, &values);
        let written = out
            .finish()
            .iter()
            .map(|message| message.text().into_owned())
            .collect::<String>();
        let mut text = "before: ".to_owned();
        assert_eq!(
            Words::fill(&mut text, template, cuts, &texts, &values),
            is_taken
        );
        let taken = if is_taken { &written } else { "" };
        assert_eq!(text, format!("before: {taken}"), "{template}");
    }

    #[test]
    fn a_text_takes_words_texts_and_numbers() {
        let (unsigned, signed) = (Fill::Unsigned(u64::MAX), Fill::Signed(i64::MIN));
        check("no slot", [], [], true);
        check("<name>", ["é"], [], true);
        check("é<a><b>é", ["", "x"], [], true);
        check("a<v1>b<c>d<v2><e>", ["c", ""], [unsigned, signed], true);
        check("<a>", [&"long ".repeat(1000)], [], true);
    }

    #[test]
    fn a_text_leaves_what_writes_itself() {
        let value = display(1.5);
        check("<a><v>", ["a"], [Fill::Other(&value)], false);
        check(MANY, ["x"; 40], [Fill::Other(&value)], false);
    }

    #[test]
    fn many_slots_are_taken_too() {
        check(MANY, ["text"; 40], [Fill::Unsigned(7)], true);
        check(
            "<a><b><c><d><e><f><g><h><i><j><k><l><m><n><o><p><q><r><s><t><u><w><x><y><z><a><b><c><d><e><f><v>",
            ["x"; 31],
            [Fill::Unsigned(7)],
            true,
        );
    }

    const MANY: &str = "1<a>2<b>3<c>4<d>5<e>6<f>7<g>8<h>9<i>10<j>11<a>12<b>13<c>14<d>15<e>16<f>17<g>18<h>19<i>20<j>\
        21<a>22<b>23<c>24<d>25<e>26<f>27<g>28<h>29<i>30<j>31<a>32<b>33<c>34<d>35<e>36<f>37<g>38<h>39<i>40<j>41<v>.";
}
